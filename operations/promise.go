package operations

import (
	"math"
	"slices"

	"github.com/opcat/opcat/catalog"
	"github.com/opcat/opcat/operations/op"
)

// A promise is a contract with the endpoints that serve it, made ready for being
// asked many times: names are places in the registry's lists, sets are bits. It
// never changes.
type promise struct {
	op        *op.Operation
	contract  *catalog.Contract
	provider  *catalog.Provider
	options   []option // by the place of the setting in the registry
	exclusive []uint64 // sets of settings of which one may be asked for
	required  uint64   // settings that some rule demands
	wires     []wire   // in the contract's order

	cap, tier, lifetime int // the places of settings that more than themselves hang on; -1 if the operation has none
}

// An option is what the contract says of one setting.
type option struct {
	said  said
	rules []rule
}

// A said is the manner in which a setting is spoken of.
type said uint8

const (
	nothing   said = iota
	supported      // whatever the value
	refused
	ruled
)

type rule struct {
	*catalog.SettingRule
	when []clause

	low, high int64 // Min and Max in millionths, the ends of int64 where there is none
	small     bool  // they fit
}

func newRule(r *catalog.SettingRule, when []clause) rule {
	x := rule{SettingRule: r, when: when, low: math.MinInt64, high: math.MaxInt64, small: true}
	if r.Min != "" {
		x.low, x.small = r.Min.Micros()
	}
	if r.Max != "" && x.small {
		x.high, x.small = r.Max.Micros()
	}
	return x
}

// A clause is one part of a condition.
type clause struct {
	*catalog.Clause
	about   subject
	setting int // its place, if the clause is about one
}

type subject uint8

const (
	aSetting subject = iota
	theInput
	theTools
	theStructure
	theProtocol
	theVersion
	noSubject // a condition about it never holds
)

// A wire is one entry of the contract's protocols.
type wire struct {
	name     string
	when     []clause
	protocol *op.Protocol      // nil if there is no codec for it
	endpoint *catalog.Endpoint // nil if the provider has none
	carries  uint64            // settings that the codec has a place for
	version  string
	dialect  string
	address  address
}

// promiseOf compiles a contract of a provider.
func promiseOf(o *op.Operation, c *catalog.Contract, p *catalog.Provider) *promise {
	x := &promise{op: o, contract: c, provider: p, options: make([]option, len(o.Settings))}
	x.cap, x.tier, x.lifetime = x.place(outputCap), x.place(serviceTier), x.place(cacheLifetime)
	if c.Settings != nil {
		x.readSettings(c.Settings)
	}
	for i := range c.Protocol {
		x.wires = append(x.wires, x.newWire(&c.Protocol[i]))
	}
	return x
}

func (p *promise) readSettings(s *catalog.Settings) {
	for i := range s.Named {
		at := p.place(s.Named[i].Name)
		if at < 0 {
			continue
		}
		o := &p.options[at]
		switch s.Named[i].Word {
		case "supported":
			o.said = supported
		case "refused":
			o.said = refused
		default:
			o.said = ruled
		}
		for j := range s.Named[i].Rules {
			r := &s.Named[i].Rules[j]
			o.rules = append(o.rules, newRule(r, p.condition(r.When)))
			if r.Required.Or(false) {
				p.required |= 1 << at
			}
		}
	}
	for _, group := range s.Exclusive {
		bits := uint64(0)
		for _, name := range group {
			if at := p.place(name); at >= 0 {
				bits |= 1 << at
			}
		}
		p.exclusive = append(p.exclusive, bits)
	}
}

// place is the place of a setting in the registry; -1 if the operation has none
// of that name.
func (p *promise) place(name string) int {
	return settingPlace(p.op, name)
}

func (p *promise) condition(c catalog.Condition) []clause {
	var all []clause
	for i := range c {
		x := clause{Clause: &c[i], setting: p.place(c[i].Name)}
		if x.setting < 0 {
			x.about = subjectOf(c[i].Name)
		}
		all = append(all, x)
	}
	return all
}

func subjectOf(name string) subject {
	switch name {
	case "input":
		return theInput
	case "tools":
		return theTools
	case "structured":
		return theStructure
	case "protocol":
		return theProtocol
	case "api_version":
		return theVersion
	}
	return noSubject
}

func (p *promise) newWire(entry *catalog.Protocol) wire {
	w := wire{name: entry.Name, when: p.condition(entry.When), version: p.contract.APIVersion, dialect: p.contract.Dialect}
	for i := range p.op.Protocols {
		if q := &p.op.Protocols[i]; q.Name == entry.Name && q.Codec {
			w.protocol = q
		}
	}
	if w.protocol != nil {
		for _, name := range w.protocol.Carries {
			if at := p.place(name); at >= 0 {
				w.carries |= 1 << at
			}
		}
	}
	e, ok := p.provider.Endpoint[entry.Name]
	if !ok {
		return w
	}
	w.endpoint = &e
	w.address = addressOf(&e, p.provider.Credential)
	if w.version == "" {
		w.version = e.APIVersion
	}
	if w.dialect == "" {
		w.dialect = e.Dialect
	}
	if w.dialect != "" && w.protocol != nil && !slices.Contains(w.protocol.Dialects, w.dialect) {
		w.protocol = nil // no codec knows it
	}
	return w
}

// serves reports whether requests can be sent this way at all.
func (w *wire) serves() bool { return w.protocol != nil && w.endpoint != nil }
