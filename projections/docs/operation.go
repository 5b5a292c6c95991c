package docs

import (
	"slices"
	"strconv"
	"strings"

	"github.com/opcat/opcat/catalog"
	"github.com/opcat/opcat/operations"
	"github.com/opcat/opcat/operations/op"
	"github.com/opcat/opcat/shape"
)

// operations is the list of the registry's members.
func (s *site) operations() *page {
	p := newPage("operations/", "Operations")
	p.para("The closed registry: what a model can be asked to do. A route is a row together with one of these.")
	p.table("Operations", "Operation", "Version", "#Routes", "What it does")
	for _, o := range s.ops {
		p.row("")
		p.link(operationPage(o.Name), o.Name)
		p.cell()
		p.text(o.Version)
		p.cell()
		p.text(number(int64(s.c.RouteCount(o.Name))))
		p.cell()
		p.text(o.Summary)
	}
	return p
}

// cheapest is how many routes an operation's page shows; all rows stand on the pages
// of their providers.
const cheapest = perPage

// unmeasured is what evidence of support never speaks of.
const unmeasured = "how good its answers are, whether its scores or probabilities are calibrated, how long it takes, and what an invoice says. " +
	"Support tells how it is known that a route works, never how well; a vendor's benchmark is no fact of a catalog"

// operation is the page of one operation: what it declares, who serves it, and its
// routes from the cheapest on.
func (s *site) operation(o *op.Operation) *page {
	p := newPage("operations/"+o.Name, o.Name)
	p.para(sentence(o.Summary) + " Version " + o.Version + ".")
	p.item("Input: " + strings.Join(o.Inputs, ", "))
	p.item("Output: " + strings.Join(o.Outputs, ", "))
	p.item("Meters: " + strings.Join(o.Meters, ", "))
	p.item("Uncertainty of a result, where a contract does not say it: " + o.Uncertainty)
	p.item("Not measured for any route: " + unmeasured)

	p.heading(2, "Protocols")
	p.table("Protocols", "Protocol", "Dispatched", "Dialects")
	for i := range o.Protocols {
		w := &o.Protocols[i]
		p.row("")
		p.code(w.Name)
		p.cell()
		if w.Codec {
			p.text("yes")
		} else {
			p.text("no: listed, never admitted")
		}
		p.cell()
		p.text(strings.Join(w.Dialects, ", "))
	}
	if len(o.Settings) > 0 {
		p.heading(2, "Settings")
		p.para("A row's contract says which of these it honours; one that it does not name is refused.")
		p.table("Settings", "Setting", "Values")
		for i := range o.Settings {
			v := &o.Settings[i]
			p.row("")
			p.code(v.Name)
			p.cell()
			p.text(values(v))
		}
	}
	if len(o.Limits) > 0 {
		p.heading(2, "Limits")
		p.table("Limits", "Limit", "What it bounds")
		for _, k := range o.Limits {
			p.row("")
			p.code(k.Name)
			p.cell()
			p.text(k.Doc)
		}
	}
	s.servedBy(p, o)
	s.routes(p, o)
	return p
}

func values(v *op.Setting) string {
	s := strings.Join(v.Values, ", ")
	switch v.Kind {
	case shape.Bool:
		s = "yes or no"
	case shape.Count:
		s = "a whole number"
	case shape.Number:
		s = "a decimal number"
	case shape.Text:
		s = "a text"
	}
	if v.Min.IsKnown() {
		s += ", at least " + string(v.Min)
	}
	if v.Max.IsKnown() {
		s += ", at most " + string(v.Max)
	}
	return s
}

func (s *site) servedBy(p *page, o *op.Operation) {
	type served struct{ routes, supported int }
	by := make([]served, len(s.c.ProviderIDs()))
	for r := range s.c.Routes(o.Name) {
		v := &by[r.ProviderNumber()]
		v.routes++
		if support := r.Support(o.Name); support == "documented" || support == "probed" {
			v.supported++
		}
	}
	p.heading(2, "Providers")
	if s.c.RouteCount(o.Name) == 0 {
		p.para("No row has a contract for it.")
		return
	}
	p.table("Providers", "Provider", "#Routes", "#of these documented or probed")
	for i, id := range s.c.ProviderIDs() {
		if by[i].routes == 0 {
			continue
		}
		p.row("")
		p.link(providerPage(id), id)
		p.cell()
		p.text(strconv.Itoa(by[i].routes))
		p.cell()
		p.text(strconv.Itoa(by[i].supported))
	}
}

// routes lists an operation's routes by the exact cost of a usual call. What has ended
// is not among them, and an unknown cost comes last.
func (s *site) routes(p *page, o *op.Operation) {
	total := s.c.RouteCount(o.Name)
	if total == 0 {
		return
	}
	q := operations.Query{Operation: o.Name, At: s.c.AsOf(), Limit: cheapest}
	found := operations.Select(s.c, q)
	refs := slices.Collect(found.Rows())
	p.heading(2, "Routes by price")
	var usual []string
	for _, l := range o.Usual.Lines {
		usual = append(usual, number(l.Count)+" "+l.Meter)
	}
	p.para("By the exact cost of a usual call: " + strings.Join(usual, ", ") + ". ")
	if len(refs) < total {
		p.text("These are the first " + number(int64(len(refs))) + " of " + number(int64(total)) + " that can be asked for today; all are on the pages of their providers.")
	}
	columns := append([]string{"Route", "#Usual call, USD"}, priceColumns(o)...)
	p.table("Routes", append(columns, "Support")...)
	var prices sheet
	var entries []catalog.Price
	usualMeters := meters(o)
	for _, r := range refs {
		entries = r.AppendPrices(entries[:0])
		prices.read(entries)
		contract := s.contract(r, o)
		p.row("")
		p.linkCode(s.rowPlace(r), r.ID())
		p.cell()
		p.text(cost(operations.Cost(s.c, r, q)))
		for _, m := range usualMeters {
			p.cell()
			p.text(prices.plain(m, contract))
		}
		p.cell()
		p.text(or(r.Support(o.Name), unknown))
	}
}

// cost spells an exact cost.
func cost(d catalog.Decimal) string {
	switch {
	case !d.IsKnown():
		return unknown
	case d.IsZero():
		return "free"
	}
	return string(d)
}
