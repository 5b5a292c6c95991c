package docs

import (
	"maps"
	"slices"
	"strings"

	"github.com/opcat/opcat/catalog"
	"github.com/opcat/opcat/operations/op"
	"github.com/opcat/opcat/projections/emit"
)

// provider is a provider's pages: how it is called, and its rows by what they do.
func (s *site) provider(which int) []emit.File {
	id := s.c.ProviderIDAt(which)
	provider, _ := s.c.Provider(id)
	first := "providers/" + id + "/"
	parts := s.parts(id)
	all := 0
	for _, part := range parts {
		all += len(part.rows)
	}
	pages := max(1, (all+perPage-1)/perPage)

	var files []emit.File
	var p *page
	n := 0
	turn := func() {
		if p != nil {
			p.turner(first, n/perPage, pages)
			files = append(files, p.files()...)
		}
		at := 1 + n/perPage
		title := name(&provider)
		if at > 1 {
			title += ", page " + number(int64(at))
		}
		p = newPage(pageOf(first, at), title)
		p.grow(&s.room, min(perPage, all-n))
		if at == 1 {
			p.about(&provider)
		}
		p.turner(first, at, pages)
	}
	turn()
	var usual [][]string
	for _, o := range s.ops {
		usual = append(usual, meters(o))
	}
	var prices sheet
	var entries []catalog.Price
	for kind, part := range parts {
		for i, r := range part.rows {
			if n > 0 && n%perPage == 0 {
				turn()
			}
			if i == 0 || n%perPage == 0 {
				p.partHead(part.op, len(part.rows))
			}
			n++
			anchor := ""
			if place := s.rowPlace(r); place.path == p.path && (part.op == nil || r.Operations()[0] == part.op.Name) {
				anchor = place.anchor
			}
			entries = r.AppendPrices(entries[:0])
			prices.read(entries)
			wire := wireOf(r)
			p.row(anchor)
			p.code(wire)
			if label := r.Name(); label != "" && label != wire {
				p.text(" ")
				p.text(label)
			}
			if part.op == nil {
				p.cell()
				p.text(strings.Join(r.Row().ListedAs, ", "))
				p.cell()
				p.sayOthers(nil, &prices)
			} else {
				p.sayRoute(part.op, r, s.contract(r, part.op), usual[kind], &prices)
			}
			p.cell()
			s.sayEnd(p, r)
		}
	}
	if all > 0 {
		p.para("Sizes are in tokens. Prices are for a call in the standard service tier unless a condition is named; ")
		p.text(unknown + " is what nobody stated. Support says how well a contract is evidenced: declared by a catalog, documented by the vendor, probed by a call.")
	}
	p.turner(first, pages, pages)
	return append(files, p.files()...)
}

// about says how a provider is called.
func (p *page) about(v *catalog.Provider) {
	p.para("Provider ")
	p.code(v.ID)
	p.text(", " + or(v.Kind, "api") + ".")
	if v.Docs != "" {
		p.text(" Its own ")
		p.leave(v.Docs, "documentation")
		p.text(".")
	}
	if c := v.Credential; c != nil {
		p.item("Credential: " + c.Scheme)
		if len(c.Env) > 0 {
			p.text(", from ")
			p.codes(c.Env)
		}
		if len(c.Origins) > 0 {
			p.text(", sent to ")
			p.codes(c.Origins)
			p.text(" alone")
		}
	}
	if d := v.DataControls; d != nil {
		p.item("Data: training " + or(d.TrainingDefault, unknown) + ", retention " + or(d.RetentionDefault, unknown))
		if d.CheckedOn != "" {
			p.text(", read on " + string(d.CheckedOn))
		}
	}
	if q := v.Quota; q != nil {
		var limits []string
		for _, l := range []struct {
			name string
			n    catalog.Opt[int64]
		}{{"requests a minute", q.RPM}, {"requests a day", q.RPD}, {"tokens a minute", q.TPM}, {"at once", q.Concurrency}} {
			if l.n.IsKnown() {
				limits = append(limits, known(l.n)+" "+l.name)
			}
		}
		if len(limits) > 0 {
			p.item("Quota: " + strings.Join(limits, ", "))
		}
	}
	if v.PlatformFeePercent.IsKnown() {
		p.item("Platform fee: " + string(v.PlatformFeePercent) + " percent when credit is bought. No call is charged with it, so it is in no price, cost or bound")
	}
	if len(v.Endpoint) > 0 {
		p.table("Endpoints", "Protocol", "Endpoint")
		for _, protocol := range slices.Sorted(maps.Keys(v.Endpoint)) {
			e := v.Endpoint[protocol]
			p.row("")
			p.text(protocol)
			p.cell()
			p.code(e.URL)
			for _, region := range slices.Sorted(maps.Keys(e.Regions)) {
				p.text(", " + region + " ")
				p.code(e.Regions[region])
			}
		}
	}
}

// partHead starts the table of an operation's routes.
func (p *page) partHead(o *op.Operation, rows int) {
	if o == nil {
		p.heading(2, "Listed, without a contract")
		p.para(count(rows, "row", "rows") + " that no operation of the registry covers: nothing selects them.")
		p.table("Listed rows", "Model", "Listed as", "Prices", "Lifecycle")
		return
	}
	p.heading(2, o.Name)
	p.para(count(rows, "route", "routes") + ". ")
	p.link(operationPage(o.Name), "About the operation")
	columns := append([]string{"Model", "Input", "#Context", "#Output", "Limits"}, priceColumns(o)...)
	p.table(o.Name, append(columns, "Other prices", "Support", "Lifecycle")...)
}

// sayRoute says what a route takes and costs.
func (p *page) sayRoute(o *op.Operation, r catalog.Ref, contract *catalog.Contract, usual []string, prices *sheet) {
	limits := r.Limits()
	p.cell()
	p.text(strings.Join(contract.InputKinds, ", "))
	p.cell()
	p.text(known(limits.ContextTokens))
	p.cell()
	p.text(output(contract, &limits))
	p.cell()
	p.text(particulars(o, contract))
	p.sayPrices(usual, contract, prices)
	p.cell()
	switch e := contract.Evidence; {
	case e == nil:
		p.text(unknown)
	case strings.HasPrefix(e.Source, "https://"):
		p.leave(e.Source, or(e.Support, "source"))
	default:
		p.text(or(e.Support, unknown))
	}
}

// output says how much comes back: tokens, or the width of a vector.
func output(c *catalog.Contract, l *catalog.Limits) string {
	if c.Embedding == nil {
		if len(c.OutputKinds) > 0 && !slices.Contains(c.OutputKinds, "text") {
			return strings.Join(c.OutputKinds, ", ")
		}
		return known(l.OutputTokens)
	}
	d := c.Embedding.Dimensions
	if d == nil {
		return unknown
	}
	s := number(d.Default)
	if len(d.Allowed) > 1 {
		var widths []string
		for _, w := range d.Allowed {
			widths = append(widths, number(w))
		}
		s += " (" + strings.Join(widths, "; ") + ")"
	}
	if d.Min.IsKnown() || d.Max.IsKnown() {
		s += " (" + known(d.Min) + " to " + known(d.Max) + ")"
	}
	return s
}

// particulars says the kinds of questions and the stated limits of a contract.
func particulars(o *op.Operation, c *catalog.Contract) string {
	var s []string
	if d := c.DecisionEvaluation; d != nil && len(d.QuestionKinds) > 0 {
		s = append(s, strings.Join(d.QuestionKinds, ", "))
	}
	if o.Limit != nil {
		for _, k := range o.Limits {
			if n := o.Limit(c, k.Name); n.IsKnown() {
				s = append(s, k.Name+" "+known(n))
			}
		}
	}
	return strings.Join(s, "; ")
}
