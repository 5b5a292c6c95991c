package operations

import (
	"slices"
	"time"

	"github.com/opcat/opcat/catalog"
	"github.com/opcat/opcat/operations/op"
)

// One core judges for selection and for admission, so that both refuse for the
// same reasons, and the first reason is the one they give:
//
//	what the row is        OPERATION_UNSUPPORTED, ROUTE_ENDED, CONSTRAINT_UNMET
//	what is promised       NO_PROTOCOL, UNSUPPORTED_OPTIONS
//	how much               LIMIT_EXCEEDED
//	where it goes          ORIGIN_DENIED
//	what it costs          PRICE_UNKNOWN, BOUND_UNENFORCEABLE, PRICE_ABOVE_BOUND

// A reason is why a route may not serve, before it is put into words. The zero
// reason is none.
type reason struct {
	code Code
	op.Complaint
}

// A scene is one request before one route: what is asked, and what was found. A
// judgement is a yes or a no, and a no leaves its reason here: that is long, and most
// judgements are a yes. The terms stay outside, or they would leave the caller's stack
// with the needs.
type scene struct {
	p     *promise
	n     *op.Needs
	at    time.Time
	quiet bool // nobody reads why not: a complaint needs no words

	w     *wire  // the one that is looked at
	words bool   // complaints about it are to be read by people
	busy  uint64 // settings whose default is being looked for

	match
	why reason // of the last no
}

// refuse is a no.
func (s *scene) refuse(code Code, c op.Complaint) bool {
	s.why = reason{code, c}
	return false
}

// A match is what judging found beside the verdict.
type match struct {
	region string // the one that serves; "" if nothing names one
	listed bool   // the row lists the region
	wire   int    // its place among the contract's protocols

	outputMost catalog.Opt[int64] // no more output tokens than this can come
	send       bool               // and the request has to say so as its cap
}

// judgeRow judges what the row and its provider are, whatever the request.
func (r *route) judgeRow(s *scene, t *Terms) bool {
	if s.at.Unix() >= r.ends {
		return s.refuse(RouteEnded, op.Complaint{Why: op.Refused, Field: "lifecycle"})
	}
	if len(t.Providers) > 0 && !slices.Contains(t.Providers, r.row.Provider) {
		return s.refuse(ConstraintUnmet, op.Complaint{Why: op.Refused, Field: "provider", Got: r.row.Provider, Allowed: t.Providers})
	}
	return (t.Support == "" || r.evidenced(s, t)) && (!t.NoTraining && t.Retention == "" || r.dataPolicy(s, t)) && r.regions(s, t)
}

// evidenced compares how well the contract is evidenced with what is demanded.
func (r *route) evidenced(s *scene, t *Terms) bool {
	least := t.Support
	c := op.Complaint{Field: "support", Got: least}
	e := r.contract.Evidence
	switch {
	case e == nil || e.Support == "":
		c.Why = op.Unknown
	case slices.Index(op.Supports, e.Support) < slices.Index(op.Supports, least):
		c.Why, c.Note = op.Refused, "the contract is only "+e.Support
	default:
		return true
	}
	return s.refuse(ConstraintUnmet, c)
}

// retentions is what may be kept of what is sent, least first.
var retentions = []string{"not_retained", "abuse_monitoring_only"}

// dataPolicy compares what happens to what is sent with what is demanded. What a
// request could switch off is not switched off here, so the default counts.
func (r *route) dataPolicy(s *scene, t *Terms) bool {
	d := r.row.DataControls
	if d == nil {
		d = r.provider.DataControls
	}
	if d == nil {
		d = &catalog.DataControls{}
	}
	if t.NoTraining && d.TrainingDefault != "does_not_train" {
		return s.policy("training", "does_not_train", d.TrainingDefault)
	}
	if t.Retention != "" && !slices.Contains(retentions[:slices.Index(retentions, t.Retention)+1], d.RetentionDefault) {
		return s.policy("retention", t.Retention, d.RetentionDefault)
	}
	return true
}

func (s *scene) policy(field, got, is string) bool {
	if is == "" || is == "unspecified" {
		return s.refuse(ConstraintUnmet, op.Complaint{Why: op.Unknown, Field: field, Got: got})
	}
	return s.refuse(ConstraintUnmet, op.Complaint{Why: op.Refused, Field: field, Got: got, Allowed: []string{is}})
}

// regions finds the region that serves. A region that the row does not list is
// left to the endpoint, unless the row lists others.
func (r *route) regions(s *scene, t *Terms) bool {
	s.region = t.Region
	if s.region == "" && len(t.Variables) > 0 {
		s.region = t.Variables[regionHole]
	}
	if s.region == "" {
		if r.row.RegionalOnly {
			return s.refuse(ConstraintUnmet, op.Complaint{Why: op.Missing, Field: "region", Allowed: r.regionNames()})
		}
		return true
	}
	s.listed = slices.ContainsFunc(r.row.Region, func(g catalog.Region) bool { return g.Name == s.region })
	if !s.listed && len(r.row.Region) > 0 {
		return s.refuse(ConstraintUnmet, op.Complaint{Why: op.Refused, Field: "region", Got: s.region, Allowed: r.regionNames()})
	}
	return true
}

func (r *route) regionNames() []string {
	var names []string
	for _, g := range r.row.Region {
		names = append(names, g.Name)
	}
	return names
}

// judge judges what the contract promises: whether anything can be sent at all,
// the kinds that go in and come out, the operation's own keys, and the settings on
// the first wire that takes the request. It looks at no row.
func (p *promise) judge(s *scene, t *Terms) bool {
	return p.reachable(s, t) && p.kinds(s) && p.own(s) && p.onWire(s, t) && p.seenHonoured(s, t)
}

// own asks the operation about its own keys.
func (p *promise) own(s *scene) bool {
	if p.op.Judge == nil {
		return true
	}
	c := p.op.Judge(p.contract, s.n)
	return c.Why == op.None || s.refuse(UnsupportedOptions, c)
}

// seenHonoured: who demands a contract that was probed wants every setting seen.
func (p *promise) seenHonoured(s *scene, t *Terms) bool {
	if t.Support == "" || t.Support != op.Supports[len(op.Supports)-1] || p.contract.Evidence == nil {
		return true
	}
	for i := range s.n.Settings {
		if name := s.n.Settings[i].Name; !slices.Contains(p.contract.Evidence.Settings, name) {
			return s.refuse(ConstraintUnmet, op.Complaint{Why: op.Unknown, Field: name, Note: "no probe saw it honoured"})
		}
	}
	return true
}

// onWire finds the first wire that takes the request. If none does, what the first
// complains of is what is wrong with it; only then is that put into words.
func (p *promise) onWire(s *scene, t *Terms) bool {
	first := -1
	for i := range p.wires {
		if s.w = &p.wires[i]; !s.w.usable(s, t) {
			continue
		}
		if s.fits() {
			s.wire = i
			return true
		}
		if first < 0 {
			first = i
		}
	}
	s.w, s.words = &p.wires[first], !s.quiet // there is one: something is reachable
	return s.fits()
}

// judgeOrigins: what one model signed for itself goes to no other.
func (r *route) judgeOrigins(s *scene) bool {
	for _, from := range s.n.Origins {
		if from.Route != r.row.ID {
			return s.refuse(UnsupportedOptions, op.Complaint{Why: op.Refused, Field: "thoughts", Got: "of " + from.Route, Allowed: []string{"of " + r.row.ID}, Note: ownThoughts})
		}
	}
	return true
}

const ownThoughts = "a model reads its own thoughts alone, as it gave them: leave those of others out of the turns"

// fits judges the request on one wire.
func (s *scene) fits() bool {
	for _, from := range s.n.Origins {
		if from.Protocol != s.w.name {
			return s.refuse(UnsupportedOptions, op.Complaint{Why: op.Refused, Field: "thoughts", Got: "of " + from.Protocol, Allowed: []string{"of " + s.w.name}, Note: ownThoughts})
		}
	}
	if !s.holds(s.w.when) {
		c := op.Complaint{Why: op.Clash, Field: "protocol", Got: s.w.name}
		if s.words {
			c.Note = s.w.name + " serves only with " + conditionText(s.w.when)
		}
		return s.refuse(UnsupportedOptions, c)
	}
	if !s.settings() {
		return false
	}
	if s.w.protocol.Misfit != nil {
		if field, got := s.w.protocol.Misfit(s.p.contract, s.n); field != "" {
			return s.refuse(UnsupportedOptions, op.Complaint{Why: op.Refused, Field: field, Got: got, Note: s.noPlace()})
		}
	}
	return true
}

func (s *scene) noPlace() string {
	if !s.words {
		return ""
	}
	return "the wire " + s.w.name + " has no place for it"
}

// usable reports whether requests can be sent this way under the caller's terms.
func (w *wire) usable(s *scene, t *Terms) bool {
	return w.serves() && (t.Protocol == "" || t.Protocol == w.name) && (s.region == "" || s.listed || w.address.regional(s.region))
}

// reachable judges whether anything can be sent.
func (p *promise) reachable(s *scene, t *Terms) bool {
	for i := range p.wires {
		if p.wires[i].usable(s, t) {
			return true
		}
	}
	return p.unreachable(s, t)
}

// unreachable says why nothing can be sent.
func (p *promise) unreachable(s *scene, t *Terms) bool {
	var speaks []string
	elsewhere := false
	for i := range p.wires {
		w := &p.wires[i]
		elsewhere = elsewhere || w.serves() && (t.Protocol == "" || t.Protocol == w.name)
		speaks = append(speaks, w.name)
	}
	switch {
	case elsewhere:
		return s.refuse(ConstraintUnmet, op.Complaint{Why: op.Refused, Field: "region", Got: s.region, Note: "the provider has no endpoint for it"})
	case t.Protocol != "" && !slices.Contains(speaks, t.Protocol):
		return s.refuse(NoProtocol, op.Complaint{Why: op.Refused, Field: "protocol", Got: t.Protocol, Allowed: speaks})
	}
	c := op.Complaint{Why: op.Missing, Field: "protocol", Allowed: speaks, Note: "the contract names no protocol"}
	for i := range p.wires {
		if w := &p.wires[i]; t.Protocol == "" || t.Protocol == w.name {
			c.Got, c.Note = w.name, "no codec speaks "+w.name
			if w.protocol != nil {
				c.Note = "the provider has no endpoint for " + w.name
			}
			break
		}
	}
	return s.refuse(NoProtocol, c)
}

// kinds compares what goes in and what is to come out.
func (p *promise) kinds(s *scene) bool {
	takes := p.contract.InputKinds
	for _, kind := range s.n.Inputs {
		if slices.Contains(takes, kind) {
			continue
		}
		c := op.Complaint{Why: op.Refused, Field: "input_kinds", Got: kind, Allowed: takes}
		if takes == nil {
			c.Why = op.Unknown
		}
		return s.refuse(UnsupportedOptions, c)
	}
	if len(s.n.Outputs) == 0 {
		return true
	}
	gives := p.contract.OutputKinds
	if gives == nil {
		gives = p.op.Outputs[:1]
	}
	for _, kind := range s.n.Outputs {
		if !slices.Contains(gives, kind) {
			return s.refuse(UnsupportedOptions, op.Complaint{Why: op.Refused, Field: "output_kinds", Got: kind, Allowed: gives})
		}
	}
	return true
}
