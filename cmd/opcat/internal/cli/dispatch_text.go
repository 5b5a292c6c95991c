package cli

import (
	"bytes"
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/opcat/opcat/catalog"
	"github.com/opcat/opcat/dispatch"
	"github.com/opcat/opcat/operations/price"
)

// text is a call as a person reads it: the answer, then the receipt.
func (d *dispatchData) text(w io.Writer) {
	switch {
	case d.Failure != nil:
		fmt.Fprintf(w, "no result: %s: %s\n\n", d.Failure.Kind, d.Failure.Message)
	case d.Sent:
		if v, err := parse(d.Result); err == nil {
			if o, ok := v.(*object); ok {
				var b bytes.Buffer
				outline(&b, o, "")
				_, _ = b.WriteTo(w) // the printer's own buffer
			}
		}
		fmt.Fprintln(w)
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	defer t.Flush()
	g := &d.Admitted
	line := func(name, format string, args ...any) { fmt.Fprintf(t, name+"\t"+format+"\n", args...) }
	line("route", "%s", routeID(d.Operation, g.Row))
	line("protocol", "%s", g.Protocol)
	for _, s := range g.Settings {
		line("setting", "%s = %s", s.Name, clip(visible(s.Value), maxCell))
	}
	if d.Receipt == nil {
		line("sent", "no: a dry run")
		line("worst case", "%s USD", g.Price.USD)
		return
	}
	r := d.Receipt
	line("sent", "%d request, HTTP %d", r.Attempts, r.Status)
	line("served by", "%s", servedBy(&r.Served))
	if r.RequestID != "" {
		line("request id", "%s", visible(r.RequestID))
	}
	for i := range r.Cost.Lines {
		line(r.Cost.Lines[i].Meter, "%s", charged(&r.Cost.Lines[i]))
	}
	if r.Cost.USD.IsKnown() {
		line("cost", "%s USD", r.Cost.USD)
	} else {
		line("cost", "unknown: %s", r.Cost.Reasons())
	}
	if r.Cost.VendorUSD.IsKnown() {
		line("the vendor's", "%s USD", r.Cost.VendorUSD)
	}
	if f := r.Cost.FundingFeePercent; f.IsKnown() {
		line("not in it", "%s", fundingFee(f))
	}
}

// fundingFee says what a gateway takes elsewhere than from a call.
func fundingFee(percent catalog.Decimal) string {
	return string(percent) + " percent when credit is bought; no call is charged with it"
}

func servedBy(s *dispatch.Served) string {
	if s.Model == "" {
		return s.Asked + " was asked for; the answer names none"
	}
	return visible(s.Model) + " (" + string(s.Match) + ")"
}

// charged is a count with its price: 12 x 2 USD a million = 0.000024 USD.
func charged(c *price.Charge) string {
	s := "not counted"
	if n, ok := c.Count.Get(); ok {
		s = fmt.Sprint(n)
	}
	switch {
	case c.USDPerMillion.IsKnown():
		s += " x " + string(c.USDPerMillion) + " USD a million"
	case c.USDPerUnit.IsKnown():
		s += " x " + string(c.USDPerUnit) + " USD"
	}
	if c.USD.IsKnown() {
		return s + " = " + string(c.USD) + " USD"
	}
	return s + ": " + c.Unknown.Text()
}
