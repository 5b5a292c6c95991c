package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
)

// A Result is what a command hands back when it succeeds.
type Result struct {
	// Data marshals to a JSON object that fits the command's schema. Keys print in
	// the order in which its Go type declares them; the data of a list is
	// {"items": [...]}.
	Data any

	// Text writes the data for a person, where the general table or tree does not
	// do. It is not asked with --json or --fields. Nil for the general form.
	Text func(w io.Writer)

	// Outcome is what the command projected against what it found. Its zero value
	// says that there was nothing to compare.
	Outcome Outcome
}

// Outcome is a result's figure in the caller's ledger. A figure is a decimal as it
// is to be printed; "" is null, which is not zero.
type Outcome struct {
	Unit       Unit
	Projected  json.Number
	Realized   json.Number
	Confidence json.Number // 0 to 1
}

// A Unit is what an outcome counts.
type Unit string

// The units of the contract.
const (
	USDUnit   Unit = "usd"
	RankUnit  Unit = "rank"
	PctUnit   Unit = "pct"
	CountUnit Unit = "count" // also where there is nothing to compare
	MsUnit    Unit = "ms"
)

// outcomeJSON is an Outcome on the wire.
type outcomeJSON struct {
	Unit       Unit         `json:"unit"`
	Projected  *json.Number `json:"projected"`
	Realized   *json.Number `json:"realized"`
	CostUSD    NanoUSD      `json:"cost_usd"`
	Confidence *json.Number `json:"confidence"`
}

func (o Outcome) wire(cost NanoUSD) outcomeJSON {
	figure := func(n json.Number) *json.Number {
		if n == "" {
			return nil
		}
		return &n
	}
	out := outcomeJSON{o.Unit, figure(o.Projected), figure(o.Realized), cost, figure(o.Confidence)}
	if out.Unit == "" {
		out.Unit = CountUnit
	}
	return out
}

// NanoUSD is money in whole billionths of a dollar, 0 or more. It prints as a JSON
// number of dollars with at most nine decimals, exactly.
type NanoUSD int64

// MarshalJSON prints dollars.
func (n NanoUSD) MarshalJSON() ([]byte, error) {
	if n < 0 {
		return nil, fmt.Errorf("a cost below zero: %d nano-dollars", int64(n))
	}
	s := fmt.Sprintf("%d.%09d", n/1e9, n%1e9)
	return []byte(strings.TrimSuffix(strings.TrimRight(s, "0"), ".")), nil
}

// A Warning is something a caller should know about a result that stands, or beside
// the errors of one that does not. One that is a finding has what an error's cause has.
type Warning struct {
	Code    string    `json:"code"`
	Message string    `json:"message"`
	Allowed []string  `json:"allowed,omitempty"`
	Got     *string   `json:"got,omitempty"`
	At      *At       `json:"at,omitempty"`
	Hint    string    `json:"hint,omitempty"`
	Causes  []Warning `json:"causes,omitempty"` // the other places of a conflict

	text string // how a person reads it, where that is not made from code and message
}
