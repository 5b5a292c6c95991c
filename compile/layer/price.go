package layer

import (
	"math/big"
	"slices"
	"strings"

	"github.com/opcat/opcat/compile/tree"
	"github.com/opcat/opcat/diag"
	"github.com/opcat/opcat/shape"
)

// conditions are what, beside the meter, tells price entries apart.
var conditions = []string{"service_tier", "operation", "cache_lifetime", "region", "variant", "tool", "above_input_tokens", "valid_from", "valid_until"}

// PriceKey is the meter and the conditions of a price entry: entries of two layers
// with one key are the same price, and the higher layer's stands.
func PriceKey(entry *tree.Node) string {
	var b strings.Builder
	b.WriteString(entry.Get("meter").Str())
	for _, c := range conditions {
		b.WriteByte('\x00')
		if v := entry.Get(c).Str(); !(c == "service_tier" && v == "standard") { // left out, it is standard
			b.WriteString(v)
		}
	}
	if w := entry.Get("window"); w != nil {
		for _, k := range []string{"start", "end", "utc_offset"} {
			b.WriteByte('\x00')
			b.WriteString(w.Get(k).Str())
		}
		days := w.Get("days").Strings()
		slices.Sort(days)
		b.WriteString("\x00" + strings.Join(days, ","))
	}
	return b.String()
}

// layPrices lays price entries over those of the layers below. An entry is
// replaced whole, since its source belongs to its amount.
func (m *merger) layPrices(below, above *tree.Node) *tree.Node {
	stated := map[string]bool{}
	for e := range above.Each() {
		stated[PriceKey(e)] = true
	}
	out := m.arena.Shallow(above)
	for e := range below.Each() {
		if !stated[PriceKey(e)] {
			out.Append(m.arena.Share(e))
		}
	}
	for e := range above.Each() {
		if trustOf(e) == untrusted {
			if why := undercuts(e, below); why != nil {
				out.Append(m.distrust(e, why))
				continue
			}
		}
		out.Append(m.arena.Share(e))
	}
	return out
}

// distrust copies a price entry with the mark that keeps it from admission.
func (m *merger) distrust(e, below *tree.Node) *tree.Node {
	d := diag.Diagnostic{Code: diag.PriceUntrusted, Warning: true, At: e.At(), Got: amount(e),
		Message: "a " + layerName(e) + " layer's price of " + e.Get("meter").Str() + " is shown and never used for admission: no lower layer states one as low",
		Help:    "a host or user layer may lower a price"}
	if below != nil && below != e {
		d.Notes = []diag.Note{{At: below.At(), Message: "the lower layer says " + amount(below)}}
	}
	m.add(d)
	return m.mark(e)
}

func (m *merger) mark(e *tree.Node) *tree.Node {
	return Distrust(&m.arena, e)
}

// Distrust copies a price entry with the Untrusted mark.
func Distrust(a *tree.Arena, e *tree.Node) *tree.Node {
	marked := a.Open(e)
	marked.Set(a.From(e, Untrusted, shape.FormBool, "true"))
	return marked
}

// undercuts gives the entry below that a price of an untrusted layer is lower
// than, or the price itself if nothing below is as low for sure; nil if admission
// may use it. An unknown price can't be too low.
func undercuts(e, below *tree.Node) *tree.Node {
	own := usd(e)
	if own == nil {
		return nil
	}
	key, meter := PriceKey(e), e.Get("meter").Str()
	var any *tree.Node
	for b := range below.Each() {
		if PriceKey(b) != key {
			continue
		}
		// It replaces this one alone and changes nothing else.
		if was := admitted(b); was == nil || own.Cmp(was) < 0 || e.Get("free_units_per_month").Int() > b.Get("free_units_per_month").Int() {
			return b
		}
		return nil
	}
	// It stands beside the others and may serve where one of them did.
	for b := range below.Each() {
		if b.Get("meter").Str() != meter {
			continue
		}
		if was := admitted(b); was == nil || own.Cmp(was) < 0 {
			return b
		}
		any = b
	}
	if any == nil || e.Get("free_units_per_month") != nil {
		return e
	}
	return nil
}

// admitted is what admission takes a price entry to be; nil if it takes none.
func admitted(e *tree.Node) *big.Rat {
	if e.Get(Untrusted.Name).IsTrue() {
		return nil
	}
	return usd(e)
}

// usd is what a price entry can cost at most, as a USD bound sees it; nil if that
// is unknown.
func usd(e *tree.Node) *big.Rat {
	for _, key := range []string{"usd_per_million", "usd_per_unit", "ceiling"} {
		if v := e.Get(key); v != nil {
			return decimal(v.Str())
		}
	}
	return nil
}

// decimal reads an amount exactly; nil if the text is none.
func decimal(s string) *big.Rat {
	const longest = 64
	if s == "" || len(s) > longest || strings.Trim(s, "0123456789.") != "" {
		return nil
	}
	r, _ := new(big.Rat).SetString(s)
	return r
}

func amount(e *tree.Node) string {
	for _, key := range []string{"usd_per_million", "usd_per_unit", "per_million", "per_unit", "ceiling"} {
		if v := e.Get(key); v != nil {
			return key + " = " + quote(v.Str())
		}
	}
	if e.Get("dynamic").IsTrue() {
		return "dynamic"
	}
	return "no amount"
}
