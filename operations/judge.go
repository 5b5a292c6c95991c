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

func because(code Code, c op.Complaint) reason {
	if c.Why == op.None {
		return reason{}
	}
	return reason{code, c}
}

// A match is what judging found beside the verdict.
type match struct {
	region string // the one that serves; "" if nothing names one
	listed bool   // the row lists the region
	wire   int    // its place among the contract's protocols
	quiet  bool   // nobody reads why not: a complaint needs no words

	outputMost catalog.Opt[int64] // no more output tokens than this can come
	send       bool               // and the request has to say so as its cap
}

// judgeRow judges what the row and its provider are, whatever the request.
func (r *route) judgeRow(t *Terms, at time.Time, m *match) reason {
	if r.ref.State(at) == catalog.Ended {
		return reason{RouteEnded, op.Complaint{Why: op.Refused, Field: "lifecycle"}}
	}
	if len(t.Providers) > 0 && !slices.Contains(t.Providers, r.row.Provider) {
		return reason{ConstraintUnmet, op.Complaint{Why: op.Refused, Field: "provider", Got: r.row.Provider, Allowed: t.Providers}}
	}
	if c := r.evidenced(t); c.Why != op.None {
		return reason{ConstraintUnmet, c}
	}
	if c := r.dataPolicy(t); c.Why != op.None {
		return reason{ConstraintUnmet, c}
	}
	return because(ConstraintUnmet, r.regions(t, m))
}

// evidenced compares how well the contract is evidenced with what is demanded.
func (r *route) evidenced(t *Terms) op.Complaint {
	if t.Support == "" {
		return op.Complaint{}
	}
	c := op.Complaint{Field: "support", Got: t.Support}
	e := r.contract.Evidence
	switch {
	case e == nil || e.Support == "":
		c.Why = op.Unknown
	case slices.Index(op.Supports, e.Support) < slices.Index(op.Supports, t.Support):
		c.Why, c.Note = op.Refused, "the contract is only "+e.Support
	}
	return c
}

// retentions is what may be kept of what is sent, least first.
var retentions = []string{"not_retained", "abuse_monitoring_only"}

// dataPolicy compares what happens to what is sent with what is demanded. What a
// request could switch off is not switched off here, so the default counts.
func (r *route) dataPolicy(t *Terms) op.Complaint {
	if !t.NoTraining && t.Retention == "" {
		return op.Complaint{}
	}
	d := r.row.DataControls
	if d == nil {
		d = r.provider.DataControls
	}
	if d == nil {
		d = &catalog.DataControls{}
	}
	if t.NoTraining && d.TrainingDefault != "does_not_train" {
		return policy("training", "does_not_train", d.TrainingDefault)
	}
	if t.Retention != "" && !slices.Contains(retentions[:slices.Index(retentions, t.Retention)+1], d.RetentionDefault) {
		return policy("retention", t.Retention, d.RetentionDefault)
	}
	return op.Complaint{}
}

func policy(field, got, is string) op.Complaint {
	if is == "" || is == "unspecified" {
		return op.Complaint{Why: op.Unknown, Field: field, Got: got}
	}
	return op.Complaint{Why: op.Refused, Field: field, Got: got, Allowed: []string{is}}
}

// regions finds the region that serves. A region that the row does not list is
// left to the endpoint, unless the row lists others.
func (r *route) regions(t *Terms, m *match) op.Complaint {
	m.region = t.Region
	if m.region == "" {
		m.region = t.Variables[regionHole]
	}
	if m.region == "" {
		if r.row.RegionalOnly {
			return op.Complaint{Why: op.Missing, Field: "region", Allowed: r.regionNames()}
		}
		return op.Complaint{}
	}
	m.listed = slices.ContainsFunc(r.row.Region, func(g catalog.Region) bool { return g.Name == m.region })
	if !m.listed && len(r.row.Region) > 0 {
		return op.Complaint{Why: op.Refused, Field: "region", Got: m.region, Allowed: r.regionNames()}
	}
	return op.Complaint{}
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
func (p *promise) judge(n *op.Needs, t *Terms, m *match) reason {
	if why := p.reachable(t, m); why.code != "" {
		return why
	}
	if c := p.kinds(n); c.Why != op.None {
		return reason{UnsupportedOptions, c}
	}
	if p.op.Judge != nil {
		if c := p.op.Judge(p.contract, n); c.Why != op.None {
			return reason{UnsupportedOptions, c}
		}
	}
	if c := p.onWire(n, t, m); c.Why != op.None {
		return reason{UnsupportedOptions, c}
	}
	return because(ConstraintUnmet, p.seenHonoured(n, t))
}

// seenHonoured: who demands a contract that was probed wants every setting seen.
func (p *promise) seenHonoured(n *op.Needs, t *Terms) op.Complaint {
	if t.Support != op.Supports[len(op.Supports)-1] || p.contract.Evidence == nil {
		return op.Complaint{}
	}
	for i := range n.Settings {
		if name := n.Settings[i].Name; !slices.Contains(p.contract.Evidence.Settings, name) {
			return op.Complaint{Why: op.Unknown, Field: name, Note: "no probe saw it honoured"}
		}
	}
	return op.Complaint{}
}

// onWire finds the first wire that takes the request. If none does, what the first
// complains of is what is wrong with it; only then is that put into words.
func (p *promise) onWire(n *op.Needs, t *Terms, m *match) op.Complaint {
	s := scene{p: p, n: n}
	s.ask()
	first := -1
	for i := range p.wires {
		if s.w = &p.wires[i]; !s.w.usable(t, m) {
			continue
		}
		if c := s.fits(); c.Why == op.None {
			m.wire = i
			return c
		}
		if first < 0 {
			first = i
		}
	}
	s.w, s.words = &p.wires[first], !m.quiet // there is one: something is reachable
	return s.fits()
}

// judgeOrigins: what one model signed for itself goes to no other.
func (r *route) judgeOrigins(n *op.Needs) op.Complaint {
	for _, from := range n.Origins {
		if from.Route != r.row.ID {
			return op.Complaint{Why: op.Refused, Field: "thoughts", Got: "of " + from.Route, Allowed: []string{"of " + r.row.ID}, Note: ownThoughts}
		}
	}
	return op.Complaint{}
}

const ownThoughts = "a model reads its own thoughts alone, as it gave them: leave those of others out of the turns"

// fits judges the request on one wire.
func (s *scene) fits() op.Complaint {
	for _, from := range s.n.Origins {
		if from.Protocol != s.w.name {
			return op.Complaint{Why: op.Refused, Field: "thoughts", Got: "of " + from.Protocol, Allowed: []string{"of " + s.w.name}, Note: ownThoughts}
		}
	}
	if !s.holds(s.w.when) {
		c := op.Complaint{Why: op.Clash, Field: "protocol", Got: s.w.name}
		if s.words {
			c.Note = s.w.name + " serves only with " + conditionText(s.w.when)
		}
		return c
	}
	if c := s.settings(); c.Why != op.None {
		return c
	}
	if s.w.protocol.Misfit != nil {
		if field, got := s.w.protocol.Misfit(s.p.contract, s.n); field != "" {
			return op.Complaint{Why: op.Refused, Field: field, Got: got, Note: s.noPlace()}
		}
	}
	return op.Complaint{}
}

func (s *scene) noPlace() string {
	if !s.words {
		return ""
	}
	return "the wire " + s.w.name + " has no place for it"
}

// usable reports whether requests can be sent this way under the caller's terms.
func (w *wire) usable(t *Terms, m *match) bool {
	return w.serves() && (t.Protocol == "" || t.Protocol == w.name) && (m.region == "" || m.listed || w.address.regional(m.region))
}

// reachable says why nothing can be sent.
func (p *promise) reachable(t *Terms, m *match) reason {
	var speaks []string
	elsewhere := false
	for i := range p.wires {
		w := &p.wires[i]
		if w.usable(t, m) {
			return reason{}
		}
		elsewhere = elsewhere || w.serves() && (t.Protocol == "" || t.Protocol == w.name)
		speaks = append(speaks, w.name)
	}
	switch {
	case elsewhere:
		return reason{ConstraintUnmet, op.Complaint{Why: op.Refused, Field: "region", Got: m.region, Note: "the provider has no endpoint for it"}}
	case t.Protocol != "" && !slices.Contains(speaks, t.Protocol):
		return reason{NoProtocol, op.Complaint{Why: op.Refused, Field: "protocol", Got: t.Protocol, Allowed: speaks}}
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
	return reason{NoProtocol, c}
}

// kinds compares what goes in and what is to come out.
func (p *promise) kinds(n *op.Needs) op.Complaint {
	c := op.Complaint{Field: "input_kinds", Allowed: p.contract.InputKinds}
	for _, c.Got = range n.Inputs {
		switch {
		case p.contract.InputKinds == nil:
			c.Why = op.Unknown
			return c
		case !slices.Contains(p.contract.InputKinds, c.Got):
			c.Why = op.Refused
			return c
		}
	}
	may := p.contract.OutputKinds
	if may == nil {
		may = p.op.Outputs[:1]
	}
	for _, kind := range n.Outputs {
		if !slices.Contains(may, kind) {
			return op.Complaint{Why: op.Refused, Field: "output_kinds", Got: kind, Allowed: may}
		}
	}
	return op.Complaint{}
}
