package check

import (
	"strings"

	"github.com/opcat/opcat/compile/tree"
	"github.com/opcat/opcat/diag"
)

// Guard is the highest price of a million tokens, in US dollars, that is believed
// without being told that it is meant. Prices above it are nearly always an
// amount per token, or per thousand, in the field of another unit.
const Guard = "1000"

// priceGuard finds prices above the guard.
func (r *row) priceGuard() {
	for i := range r.prices {
		r.prices[i].guard(r.add)
	}
}

func (p *price) guard(add func(diag.Diagnostic)) {
	if n := p.overGuard(); n != nil && !p.k[pGuard].IsTrue() {
		add(diag.Diagnostic{Code: diag.PriceAboveGuard, At: n.At(), Message: quote(n.Name()) + " of " + p.meterName() + " is " + times(n.Str(), -6) + " USD per token, which is " + n.Str() + " USD per million",
			Got: n.Str(), Allowed: []string{"<= " + Guard + " USD per million tokens"},
			Help: "mend the unit; if the price is meant, add above_guard = true to the entry"})
	}
}

func (p *price) aboveGuard() bool { return p.overGuard() != nil }

// overGuard is the amount or ceiling of a token price that lies above the guard.
func (p *price) overGuard() *tree.Node {
	if n := p.k[pMillion]; n != nil && fourDigits(n.Str()) && p.tokens() && compare(n.Str(), Guard) > 0 {
		return n
	}
	if n := p.k[pCeiling]; n != nil && p.tokens() && compare(n.Str(), Guard) > 0 {
		return n
	}
	return nil
}

// fourDigits reports whether a decimal may be as large as the guard at all.
func fourDigits(s string) bool {
	return len(s) >= len(Guard) && s[1] != '.' && s[2] != '.' && s[3] != '.'
}

func (p *price) tokens() bool { return strings.HasSuffix(p.meterName(), "_token") }
