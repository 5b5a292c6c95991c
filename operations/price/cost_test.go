package price

import (
	"testing"

	"github.com/opcat/opcat/catalog"
)

// lines makes a usage of meters and counts in turn.
func lines(pairs ...any) Usage {
	var u Usage
	for i := 0; i < len(pairs); i += 2 {
		u.Add(pairs[i].(string), int64(pairs[i+1].(int)))
	}
	return u
}

func million(meter, usd string) catalog.Price {
	return catalog.Price{Meter: meter, USDPerMillion: catalog.Decimal(usd)}
}

// TestD01: the published figure of one native decision.
func TestD01(t *testing.T) {
	s := Compile([]catalog.Price{million("input_token", "0.042"), million("output_token", "0")})
	r := s.Cost(lines("input_token", 96, "output_token", 9), Call{Operation: "decision_evaluation"})
	if r.USD != "0.000004032" {
		t.Errorf("costs %s", r.USD)
	}
	if n, ok := r.NanoUSD.Get(); !ok || n != 4032 {
		t.Errorf("a ledger books %d nano-dollars", n)
	}
}
