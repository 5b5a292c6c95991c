package want

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/opcat/opcat/catalog"
	"github.com/opcat/opcat/internal/hugepage"
	"github.com/opcat/opcat/upstream/fact"
	"github.com/opcat/opcat/upstream/rank"
	"github.com/opcat/opcat/upstream/sense"
)

// making is one row being put together, and then the next one.
type making struct {
	*building
	p      *catalog.Provider
	out    *Row
	said   []saying
	orders []ordered // of said, by kinds of facts that were asked for
	used   []saying  // by orders
	whys   []Why
	window catalog.Limits
	prices []catalog.Price
	lent   bool // the row's prices are an upstream's own, and not to be written
	grants []catalog.Contract
	signs  []sense.Said
}

// ordered is what is said, in the order in which it counts for a kind of fact.
type ordered struct {
	kind string
	list []saying
}

// A room is where the parts of rows lie side by side, and the parts that many rows have
// alike, once. Nobody writes them again.
type room struct {
	rows     hugepage.Slab[Row]
	whys     hugepage.Slab[Why]
	prices   hugepage.Slab[catalog.Price]
	limits   hugepage.Slab[catalog.Limits]
	metadata hugepage.Slab[catalog.Metadata]
	grants   hugepage.Slab[catalog.Contract]
	alone    map[*fact.Source]*alone
	evidence map[*fact.Source]*catalog.Evidence
	inputs   map[inputs][]string
	wires    map[string][]catalog.Protocol
	texts    map[text]*texts
}

// alone is how a row names its sources that has one.
type alone struct {
	from   [1]fact.Source
	source [1]catalog.Source
}

func (m *making) row(out *Row, wireID string, said []saying) {
	m.out, m.said, m.orders, m.used = out, said, m.orders[:0], m.used[:0]
	out.Row = catalog.Row{ID: m.p.ID + "/" + wireID, Provider: m.p.ID, WireModel: wireID}
	out.Why = m.whys[:0]
	m.sources()
	if whole := m.stated(); whole != nil {
		m.whole(whole)
	} else {
		m.identity()
		m.limits()
		m.pricing()
		m.lifecycle()
		m.job()
		m.settle()
	}
	m.whys = out.Why
	out.Why = m.room.whys.Clone(out.Why)
}

// sources names the upstreams that list the row, each once.
func (m *making) sources() {
	if len(m.said) == 1 {
		from := m.said[0].from
		a := m.room.alone[from]
		if a == nil {
			a = &alone{from: [1]fact.Source{*from}, source: [1]catalog.Source{{URL: from.URL, CheckedOn: from.Checked}}}
			keep(&m.room.alone, from, a)
		}
		m.out.From, m.out.Row.Source = a.from[:], a.source[:]
		return
	}
	for _, s := range m.by("name") {
		if slices.ContainsFunc(m.out.From, func(have fact.Source) bool { return have.URL == s.from.URL }) {
			continue // two entries of an upstream are one row of ours
		}
		m.out.From = append(m.out.From, *s.from)
		m.out.Row.Source = append(m.out.Row.Source, catalog.Source{URL: s.from.URL, CheckedOn: s.from.Checked})
	}
}

// keep puts a value into a map that may not be there yet.
func keep[K comparable, V any](m *map[K]V, k K, v V) {
	if *m == nil {
		*m = map[K]V{}
	}
	(*m)[k] = v
}

// by lists the upstreams in the order in which their word counts for a kind of fact.
func (m *making) by(kind string) []saying {
	if len(m.said) == 1 {
		return m.said
	}
	for _, o := range m.orders {
		if o.kind == kind {
			return o.list
		}
	}
	order := rank.Of(kind)
	start := len(m.used)
	m.used = append(m.used, m.said...)
	list := m.used[start:len(m.used):len(m.used)]
	slices.SortStableFunc(list, func(a, b saying) int {
		return cmp.Or(cmp.Compare(order.Place(*a.from), order.Place(*b.from)), strings.Compare(a.m.Row.Provider, b.m.Row.Provider), strings.Compare(a.m.At, b.m.At))
	})
	m.orders = append(m.orders, ordered{kind, list})
	return list
}

func (m *making) why(field string, from *fact.Source, reason string) {
	m.out.Why = append(m.out.Why, Why{Field: field, Source: from.URL, Reason: reason})
}

func (m *making) doubt(format string, args ...any) {
	m.out.Doubts = append(m.out.Doubts, fmt.Sprintf(format, args...))
}

// stated is the row of an upstream in our own format, which says all of it; nil if none
// lists the row, or if it is dialled there in a way that our provider has no endpoint
// for. A row that it lists alone and others too may have a job that it does not know.
func (m *making) stated() *saying {
	for i, list := 0, m.by("name"); i < len(list); i++ {
		s := &list[i]
		if len(s.m.Row.Contracts) > 0 && !slices.ContainsFunc(s.m.Row.Contracts, func(c catalog.Contract) bool { return !m.dials(&c) }) {
			return s
		}
		if len(s.m.Row.ListedAs) > 0 && len(m.said) == 1 {
			return s
		}
	}
	return nil
}

// dials reports whether the provider has an endpoint for some protocol of a contract.
func (m *making) dials(c *catalog.Contract) bool {
	return m.p.Kind == "agent" || slices.ContainsFunc(c.Protocol, func(p catalog.Protocol) bool {
		_, ok := m.p.Endpoint[p.Name]
		return ok
	})
}

// whole takes a row over as it is stated, under our provider's id.
func (m *making) whole(s *saying) {
	id := m.out.Row.ID
	sources := m.out.Row.Source
	m.out.Row = s.m.Row
	r := &m.out.Row
	r.ID, r.Provider = id, m.p.ID
	if len(r.Source) == 0 {
		r.Source = sources
	}
	m.why("row", s.from, "it states the row in our own format")
	m.foreign(s)
	m.dated(s)
	m.claims()
}

// dated says when facts were read whose source names no day, as the legacy dialect
// allows: when the upstream was.
func (m *making) dated(s *saying) {
	r := &m.out.Row
	day := func(source string, at catalog.Date) catalog.Date {
		if source != "" && at == "" {
			return s.from.Checked
		}
		return at
	}
	if slices.ContainsFunc(r.Price, func(p catalog.Price) bool { return p.CheckedOn != day(p.Source, p.CheckedOn) }) {
		r.Price = slices.Clone(r.Price)
		for i := range r.Price {
			p := &r.Price[i]
			p.CheckedOn = day(p.Source, p.CheckedOn)
		}
	}
	if r.Limits != nil && r.Limits.CheckedOn != day(r.Limits.Source, r.Limits.CheckedOn) {
		l := *r.Limits
		l.CheckedOn = day(l.Source, l.CheckedOn)
		r.Limits = &l
	}
	if r.Quota != nil {
		q := *r.Quota
		q.CheckedOn = day(q.Source, q.CheckedOn)
		r.Quota = &q
	}
}

// claims takes out praise that no contract bears out, and a failover class whose other
// rows do something else.
func (m *making) claims() {
	r := &m.out.Row
	takes := func(kind string) bool {
		return slices.ContainsFunc(r.Contracts, func(c catalog.Contract) bool { return slices.Contains(c.InputKinds, kind) })
	}
	if p := r.Presentation; p != nil && slices.Contains(p.Strengths, "vision") && !takes("image") {
		q := *p
		q.Strengths = slices.DeleteFunc(slices.Clone(p.Strengths), func(s string) bool { return s == "vision" })
		r.Presentation = &q
		m.doubt("it is praised for vision, and no contract of it takes an image; the praise is left out")
	}
	if g := r.EquivalenceGroup; g != "" && m.group[g] != "" && m.group[g] != operationsOf(r) {
		m.doubt("its failover class %s has rows that serve %s; it is left out of the class", g, m.group[g])
		r.EquivalenceGroup = ""
	}
}

// operationsOf spells what a row may do.
func operationsOf(r *catalog.Row) string {
	var names []string
	for i := range r.Contracts {
		names = append(names, r.Contracts[i].Operation)
	}
	slices.Sort(names)
	return strings.Join(names, ", ")
}

// foreign drops what a whole row says of rows that go by another id here.
func (m *making) foreign(s *saying) {
	r := &m.out.Row
	if s.m.Row.Provider == m.p.ID {
		return
	}
	r.Current, r.Inherits = "", nil
	if l := r.Lifecycle; l != nil && l.Successor != "" {
		moved := *l
		if theirs, wire, ok := strings.Cut(l.Successor, "/"); ok && OurID(s.from.Name, theirs) != "" {
			moved.Successor = OurID(s.from.Name, theirs) + "/" + wire
		}
		r.Lifecycle = &moved
	}
}

// identity takes names and dates from whoever says them first.
func (m *making) identity() {
	r := &m.out.Row
	meta := catalog.Metadata{}
	for _, s := range m.by("name") {
		row := &s.m.Row
		if r.Name == "" && row.Name != "" {
			r.Name = row.Name
		}
		if r.Released == "" && row.Released != "" {
			r.Released = row.Released
		}
		if r.Quota == nil && row.Quota != nil {
			q := *row.Quota
			q.Source, q.CheckedOn = s.from.URL, s.from.Checked
			r.Quota = &q
		}
		if row.Metadata == nil {
			continue
		}
		if meta.Family == "" {
			meta.Family = strings.ReplaceAll(strings.ToLower(row.Metadata.Family), " ", "-") // a family is a token
		}
		if !meta.OpenWeight.IsKnown() {
			meta.OpenWeight = row.Metadata.OpenWeight
		}
		if meta.Architecture == nil {
			meta.Architecture = row.Metadata.Architecture
		}
	}
	if meta.Family != "" || meta.OpenWeight.IsKnown() || meta.Architecture != nil {
		r.Metadata = m.room.metadata.Put(meta)
	}
}

// limits takes each limit from whoever comes first, and notes who says otherwise.
func (m *making) limits() {
	m.window = catalog.Limits{}
	out := &m.window
	for _, l := range limits {
		to := l.of(out)
		var won saying
		for _, s := range m.by("limits") {
			if s.m.Row.Limits == nil {
				continue
			}
			n, ok := l.of(s.m.Row.Limits).Get()
			switch {
			case !ok:
			case l.field == "limits.input_tokens" && s.from.Name == "litellm" && out.ContextTokens.IsKnown() && n >= out.ContextTokens.Or(0):
				// LiteLLM's longest input is often the context, of which another says the size
			case !to.IsKnown():
				*to, won = catalog.Known(n), s
				m.why(l.field, s.from, "it comes first of those who say it")
			case n != to.Or(0):
				m.disagree(l.field, fmt.Sprint(n), s, won)
			}
		}
	}
	if *out != (catalog.Limits{}) {
		m.out.Row.Limits = m.room.limits.Put(*out)
	}
}

// limits are those that upstreams state.
var limits = []struct {
	field string
	of    func(*catalog.Limits) *catalog.Opt[int64]
}{
	{"limits.context_tokens", func(l *catalog.Limits) *catalog.Opt[int64] { return &l.ContextTokens }},
	{"limits.input_tokens", func(l *catalog.Limits) *catalog.Opt[int64] { return &l.InputTokens }},
	{"limits.output_tokens", func(l *catalog.Limits) *catalog.Opt[int64] { return &l.OutputTokens }},
}

// disagree records a value that lost.
func (m *making) disagree(field, value string, lost, won saying) {
	d := catalog.Disagreement{Field: field, Value: value, Source: lost.from.URL, CheckedOn: lost.from.Checked, Why: rank.Of(field).Reason(*won.from, *lost.from)}
	for _, have := range m.out.Row.Disagreement {
		if have.Field == d.Field && have.Value == d.Value {
			return // one value that lost is recorded once
		}
	}
	m.out.Row.Disagreement = append(m.out.Row.Disagreement, d)
}

// lifecycle joins what upstreams say of an end.
func (m *making) lifecycle() {
	out := catalog.Lifecycle{}
	for _, s := range m.by("lifecycle") {
		l := s.m.Row.Lifecycle
		if l == nil {
			continue
		}
		if l.Deprecated.Or(false) && !out.Deprecated.IsKnown() {
			out.Deprecated, out.Note = l.Deprecated, l.Note
		}
		if out.AnnouncedEnd == "" {
			out.AnnouncedEnd = l.AnnouncedEnd
		}
		if out.EndsOn == "" {
			out.EndsOn = l.EndsOn
		}
	}
	if end, ok := out.AnnouncedEnd.Time(); ok {
		if released, ok := m.out.Row.Released.Time(); ok && !released.Before(end) {
			m.doubt("it ends on %s by one upstream and came out on %s by another; the end is left out", out.AnnouncedEnd, m.out.Row.Released)
			out.AnnouncedEnd = ""
		}
	}
	if out.Deprecated.Or(false) && out.AnnouncedEnd != "" {
		if out.EndsOn == "" {
			out.EndsOn = out.AnnouncedEnd
		}
		out.AnnouncedEnd = ""
	}
	if out != (catalog.Lifecycle{}) {
		kept := out
		m.out.Row.Lifecycle = &kept
	}
}

// job asks package sense what the row does, and grants what a contract can be written
// for; the rest is listed.
func (m *making) job() {
	m.signs = m.signs[:0]
	for _, s := range m.by("operation") {
		m.signs = append(m.signs, sense.Said{Source: s.from.Name, Model: s.m})
	}
	v := sense.Of(m.signs, m.register)
	m.out.Doubts = append(m.out.Doubts, v.Doubts...)
	listed := v.Listed
	m.grants = m.grants[:0]
	for _, op := range v.Grants {
		c, from, why := m.contract(op, v.By)
		if why != "" {
			m.doubt("%s is listed and not granted: %s", op, why)
			listed = append(listed, op)
			continue
		}
		m.grants = append(m.grants, c)
		m.why(operationField(op), from, "its evidence names the operation")
	}
	m.out.Row.Contracts = m.room.grants.Clone(m.grants)
	if len(m.out.Row.Contracts) == 0 {
		if len(listed) == 0 {
			listed = []string{"unknown"}
		}
		slices.Sort(listed)
		m.out.Row.ListedAs = slices.Compact(listed)
	}
}

// operationField names the contract of an operation.
func operationField(operation string) string {
	if operation == sense.Text {
		return "operations." + sense.Text
	}
	return "operations." + operation
}

// settle makes the parts of the row fit one another. What contradicts something else
// is left out and said.
func (m *making) settle() {
	r := &m.out.Row
	if l := r.Limits; l != nil {
		window, known := l.ContextTokens.Get()
		for _, f := range []struct {
			name string
			at   *catalog.Opt[int64]
		}{{"input_tokens", &l.InputTokens}, {"output_tokens", &l.OutputTokens}} {
			if n, ok := f.at.Get(); ok && known && n > window {
				m.doubt("limits.%s of %d is more than the context of %d, and is left out", f.name, n, window)
				*f.at = catalog.Opt[int64]{}
			}
		}
		if len(r.Contracts) > 0 && r.Contracts[0].Operation != sense.Text && l.OutputTokens.IsKnown() {
			m.doubt("limits.output_tokens of %d is a limit of text, and the row writes none; it is left out", l.OutputTokens.Or(0))
			l.OutputTokens = catalog.Opt[int64]{}
		}
		if *l == (catalog.Limits{}) {
			r.Limits = nil
		}
	}
	m.settlePrices()
	slices.SortStableFunc(m.out.Why, func(a, b Why) int { return strings.Compare(a.Field, b.Field) })
	slices.Sort(m.out.Doubts)
	m.out.Doubts = slices.Compact(m.out.Doubts)
}
