// Package op says what an operation declares: its version, what goes in and
// comes out, the keys of its contracts, its limits, settings and meters, and the
// uncertainty its result carries.
//
// It is the vocabulary of the registry. The members themselves are one folder
// each beside it; package operations lists them.
package op

import (
	"sync"

	"github.com/opcat/opcat/catalog"
	"github.com/opcat/opcat/diag"
	"github.com/opcat/opcat/operations/price"
	"github.com/opcat/opcat/shape"
)

// An Operation is one member of the closed registry.
type Operation struct {
	Name        string // text_generation
	Version     string // semver of its request and result
	Summary     string // one line for people
	Inputs      []string
	Outputs     []string // what its result can hold; Outputs[0] is what a contract means by leaving output_kinds out
	Uncertainty string   // what a contract means by leaving uncertainty out

	RequestSchema string // JSON Schema, draft 2020-12
	ResultSchema  string

	Protocols []Protocol
	Keys      []*shape.Key // keys of its contract beside the common ones
	Limits    []*shape.Key
	Settings  []Setting
	Meters    []string    // what a call can be billed by
	Usual     price.Usage // what a usual call is metered at, in each of the ways that it may be billed: what routes are ranked by
	ManyWires bool        // protocol takes an ordered list of protocols with conditions

	// Judge compares the operation's own keys of a contract with what a request
	// needs, and Limit reads a limit of a contract by its name; unknown if nobody
	// stated it. Units bounds the search units of a request; -1 if nothing does. A
	// member that needs one of them has it.
	Judge func(*catalog.Contract, *Needs) Complaint
	Limit func(c *catalog.Contract, name string) catalog.Opt[int64]
	Units func(*catalog.Contract, *Needs) int64

	parts struct { // of contracts, made once: each shape of a contract holds them
		once             sync.Once
		protocol         *shape.Type
		settings, limits *shape.Type // nil where there are none
		evidence         *shape.Type
	}
}

// A Protocol is a wire encoding of an operation.
type Protocol struct {
	Name    string
	Codec   bool     // without a codec a contract is listed but never admitted
	Carries []string // settings that the codec has a place for; a request that asks for another is refused

	// CacheLifetime is how long a cache lasts that a call of the protocol writes
	// without naming a lifetime; "" where prices do not differ by it.
	CacheLifetime string

	Dialects []string // names of the dialects that the codec knows beside the plain wire

	// Misfit says what of a request this wire has no place for under a contract: a
	// field and what it was to be; "" if everything has one. Nil if nothing can be.
	Misfit func(*catalog.Contract, *Needs) (field, got string)
}

// A Setting is an option that a caller may ask for.
type Setting struct {
	Name   string
	Kind   shape.Kind // Number, Enum, Bool, Text or Count: what its values are
	Values []string   // Enum: every word the operation knows

	// Min and Max bound a number whatever the row; unknown: a row's contract alone
	// says. A Count is 1 or more unless Min says otherwise.
	Min, Max catalog.Decimal
}

// Uncertainties is what a result can say about its own reliability.
var Uncertainties = []string{"none", "binary_probability", "distribution", "self_reported", "score"}

// ServedModels is how an answer names the model that served it.
var ServedModels = []string{"exact", "dated", "resolved", "echo", "absent"}

// Supports is how well a contract is evidenced, weakest first.
var Supports = []string{"declared", "documented", "probed"}

// String is the operation's name; "" for none.
func (o *Operation) String() string {
	if o == nil {
		return ""
	}
	return o.Name
}

// ProtocolNames lists the protocols, those with a codec first.
func (o *Operation) ProtocolNames() []string {
	names := make([]string, 0, len(o.Protocols))
	for _, codec := range []bool{true, false} {
		for _, p := range o.Protocols {
			if p.Codec == codec {
				names = append(names, p.Name)
			}
		}
	}
	return names
}

// SettingNames lists the settings in their canonical order.
func (o *Operation) SettingNames() []string {
	names := make([]string, len(o.Settings))
	for i, s := range o.Settings {
		names[i] = s.Name
	}
	return names
}

// HasMeter reports whether a call can be billed by the meter.
func (o *Operation) HasMeter(name string) bool {
	for _, m := range o.Meters {
		if m == name {
			return true
		}
	}
	return false
}

// Contract is the shape of the operation's contract table: the common keys,
// then the operation's own.
func (o *Operation) Contract() *shape.Table {
	o.parts.once.Do(o.makeParts)
	keys := []*shape.Key{
		shape.F("implementation", shape.EnumOf("native")).Means("native").Says("the provider itself performs it"),
		shape.F("protocol", o.parts.protocol).Merged().Says("wire encoding; the first of a list that fits serves"),
		shape.F("dialect", shape.Of(shape.Text)).Says("how the wire differs from the protocol's; left out: the endpoint's"),
		shape.F("api_version", shape.Of(shape.Text)).Says("left out: the endpoint's"),
		shape.F("input_kinds", shape.SetOf(shape.EnumOf(o.Inputs...)).Full()).Merged().Says("what may be sent"),
		shape.F("output_kinds", shape.SetOf(shape.EnumOf(o.Outputs...)).Full()).Says("what comes back; left out: " + o.Outputs[0]),
	}
	keys = append(keys, o.Keys...)
	if o.parts.settings != nil {
		keys = append(keys, shape.F("settings", o.parts.settings).Says("options that a caller may ask for; one that is not here is refused"))
	}
	if o.parts.limits != nil {
		keys = append(keys, shape.F("limits", o.parts.limits).Says("counts that one request may reach"))
	}
	return shape.New(diag.A(o.Name)+" contract", append(keys,
		shape.F("meters", shape.SetOf(shape.EnumOf(o.Meters...))).Says("what a call is billed by"),
		shape.F("uncertainty", shape.EnumOf(Uncertainties...)).Says("what a result says about its own reliability"),
		shape.F("served_model", shape.EnumOf(ServedModels...)).Says("how an answer names the model that served it"),
		shape.F("evidence", o.parts.evidence).Says("how well the contract is known to hold"),
	)...)
}

func (o *Operation) makeParts() {
	when := shape.Rec(o.whenTable())
	o.parts.protocol = o.protocolType(when)
	o.parts.evidence = shape.Rec(o.evidenceTable())
	if len(o.Settings) > 0 {
		o.parts.settings = shape.Rec(o.settingsTable(when))
	}
	if len(o.Limits) > 0 {
		o.parts.limits = shape.Rec(shape.New("the limits of "+o.Name, o.Limits...))
	}
}

func (o *Operation) protocolType(when *shape.Type) *shape.Type {
	name := shape.EnumOf(o.ProtocolNames()...)
	if !o.ManyWires {
		return name
	}
	entry := shape.New("a protocol with a condition",
		shape.F("protocol", name).Always(),
		shape.F("when", when),
	)
	return shape.OneOf(name, shape.ListOf(shape.OneOf(name, shape.Rec(entry))).Full())
}

func (o *Operation) evidenceTable() *shape.Table {
	return shape.New("evidence",
		shape.F("support", shape.EnumOf(Supports...)).Always(),
		shape.F("source", shape.Of(shape.Source)),
		shape.F("checked_on", shape.Of(shape.Date)),
		shape.F("probed_on", shape.Of(shape.Date)),
		shape.F("receipt", shape.Of(shape.Text)),
		shape.F("settings", shape.SetOf(shape.EnumOf(o.SettingNames()...))),
	)
}

// whenTable is a condition: for each name the values under which it holds.
func (o *Operation) whenTable() *shape.Table {
	keys := make([]*shape.Key, 0, len(o.Settings)+5)
	for _, s := range o.Settings {
		keys = append(keys, shape.F(s.Name, shape.ListOf(s.conditionType()).Full()))
	}
	return shape.New("a condition", append(keys,
		shape.F("input", shape.SetOf(shape.EnumOf(o.Inputs...)).Full()),
		shape.F("tools", shape.SetOf(shape.EnumOf("none", "present")).Full()),
		shape.F("structured", shape.SetOf(shape.EnumOf("none", "schema")).Full()),
		shape.F("protocol", shape.SetOf(shape.EnumOf(o.ProtocolNames()...)).Full()),
		shape.F("api_version", shape.SetOf(shape.Of(shape.Text)).Full()),
	)...)
}

// valueType is what a caller may give the setting.
func (s Setting) valueType() *shape.Type {
	switch s.Kind {
	case shape.Enum:
		return shape.EnumOf(s.Values...)
	case shape.Count:
		return shape.Of(shape.Number) // counts are decimal strings here, like every number of a setting
	}
	return shape.Of(s.Kind)
}

// conditionType also allows "unset": the request leaves the setting out and it
// has no default.
func (s Setting) conditionType() *shape.Type {
	switch s.Kind {
	case shape.Enum:
		return shape.EnumOf(append(append([]string{}, s.Values...), "unset")...)
	case shape.Bool:
		return shape.OneOf(shape.Of(shape.Bool), shape.EnumOf("unset"))
	}
	return shape.Of(shape.Text)
}

func (o *Operation) settingsTable(when *shape.Type) *shape.Table {
	keys := make([]*shape.Key, 0, len(o.Settings)+1)
	for _, s := range o.Settings {
		value := s.valueType()
		rule := shape.New("the setting "+s.Name,
			shape.F("values", shape.ListOf(value).Full()),
			shape.F("min", shape.Of(shape.Number)),
			shape.F("max", shape.Of(shape.Number)),
			shape.F("default", value),
			shape.F("required", shape.Of(shape.Bool)),
			shape.F("when", when),
		)
		keys = append(keys, shape.F(s.Name, shape.OneOf(
			shape.EnumOf("supported", "refused"), shape.Rec(rule), shape.ListOf(shape.Rec(rule)).Full())))
	}
	keys = append(keys, shape.F("exclusive",
		shape.ListOf(shape.SetOf(shape.EnumOf(o.SettingNames()...)).Full())).
		Says("settings that may not be asked for together"))
	return shape.New("the settings of "+o.Name, keys...)
}
