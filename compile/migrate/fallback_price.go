package migrate

import (
	"github.com/opcat/opcat/compile/tree"
	"github.com/opcat/opcat/diag"
)

// fallbackPrice turns a provider's coarse prices for a thousand tokens into prices
// that only a policy may fall back on (L34). A row of the provider that states
// other prices is a warning: a row that states none would settle at these.
func (m *migration) fallbackPrice(out *tree.Node, p *legacyProvider) {
	own := p.stated()
	in, outp := own.Get("cost_per_1k_in"), own.Get("cost_per_1k_out")
	if in == nil && outp == nil {
		return
	}
	at := in
	if at == nil {
		at = outp
	}
	list := m.make(out, "fallback_price", at)
	for _, side := range []struct {
		n     *tree.Node
		meter string
	}{{in, "input_token"}, {outp, "output_token"}} {
		if side.n == nil {
			continue
		}
		amount := m.perMillion(side.n)
		if amount == "" {
			continue
		}
		e := m.item(list, side.n)
		m.say(e, "meter", side.n, side.meter)
		m.say(e, "usd_per_million", side.n, amount)
		m.moved("L34", side.n, "", side.n.Key.Name+" = "+side.n.Str(), "fallback_price: "+side.meter+" at "+amount)
	}
	if list.First() == nil {
		return
	}
	out.Append(list)
	m.fallbackDiffers(p, in, outp)
}

// perMillion is a price for a million tokens out of one for a thousand; "" if it
// is none, which was reported.
func (m *migration) perMillion(n *tree.Node) string {
	v, ok := parsed(n.Str())
	if !ok {
		m.outOfRange(n, ">= 0")
		return ""
	}
	s := v.shifted(-3).String()
	if why := badDecimal(s, true); why != "" {
		m.report(diag.Diagnostic{Code: diag.BadDecimal, At: n.At(), Message: quote(n.Key.Name) + " " + why, Got: n.Str()})
		return ""
	}
	return s
}

// fallbackDiffers warns once for a provider, at the first row that differs.
func (m *migration) fallbackDiffers(p *legacyProvider, in, out *tree.Node) {
	for _, r := range m.rows {
		if r.Provider != p.ID {
			continue
		}
		for _, side := range []struct {
			coarse *tree.Node
			key    string
		}{{in, "input_per_mtok"}, {out, "output_per_mtok"}} {
			n := r.Table.Path("pricing", side.key)
			if n == nil || side.coarse == nil {
				continue
			}
			want, ok := parsed(side.coarse.Str())
			s := want.shifted(-3).String()
			if !ok || s == plain(n.Str()) {
				continue
			}
			m.report(diag.Diagnostic{Code: diag.PriceFallbackDiffers, Warning: true, At: side.coarse.At(), Provider: p.ID, Fields: []string{side.coarse.Key.Name, "pricing." + side.key},
				Message: "the provider's fallback for 1,000 tokens and a row's price for a million differ; a row without a price would settle at another rate",
				Got:     plain(n.Str()) + " per million", Allowed: []string{s + " per million"},
				Notes: []diag.Note{{At: n.At(), Message: r.RowID() + " costs " + plain(n.Str()) + " per million"}}, Help: "give every row of the provider its price"})
			return
		}
	}
}
