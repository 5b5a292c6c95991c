package operations_test

import (
	"errors"
	"reflect"
	"slices"
	"testing"

	"github.com/opcat/opcat/catalog"
	"github.com/opcat/opcat/operations"
	"github.com/opcat/opcat/operations/op"
	"github.com/opcat/opcat/operations/textgen"
)

// Any request that can be read, on any route: no panic, the same answer each time,
// a refusal of the table, and nothing admitted that the contract does not promise.
func FuzzAdmit(f *testing.F) {
	full := asking(func(r *textgen.Request) {
		tools("f")(r)
		r.ResponseSchema = &textgen.ResponseSchema{Name: "a", Schema: `{}`}
		r.Settings = textgen.Settings{MaxOutputTokens: count(9), Effort: "low", Temperature: "1", TopP: "0.5", ToolChoice: "auto", Stop: []string{"x"}}
		r.Messages[0].Parts = append(r.Messages[0].Parts, picture)
	})
	wide := embed("a", "b")
	wide.Settings.Dimensions = count(256)
	top := rank("q", "a", "b")
	top.Settings.TopN = count(1)
	for i, r := range []any{full, wide, judge("a"), top, moderate("a"), chat("hi")} {
		text, err := operations.Encode(r)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(uint16(137*i), uint8(i%5), text, "0.01")
	}
	c := bundled(f)
	var rows []catalog.Row
	for row := range c.Rows() {
		rows = append(rows, row)
	}
	f.Fuzz(func(t *testing.T, at uint16, operation uint8, data []byte, usd string) {
		row := rows[int(at)%len(rows)]
		o := operations.All()[int(operation)%len(operations.All())]
		request, err := operations.DecodeNamed(o.Name, data)
		if err != nil {
			return
		}
		order := operations.Order{Operation: o.Name, Route: row.ID, Request: request, Terms: fitting(c, row)}
		if d, err := catalog.ParseDecimal(usd); err == nil {
			order.Terms.MaxUSD = d
		}
		a, err := order.Try(c)
		again, errAgain := order.Try(c)
		if !reflect.DeepEqual(a, again) || (err == nil) != (errAgain == nil) {
			t.Fatalf("two answers: %+v %v, %+v %v", a, err, again, errAgain)
		}
		var none *operations.Refusal
		switch {
		case errors.As(err, &none):
			t.Fatalf("a refusal is an error: %v", err)
		case err != nil:
			return
		case !a.Admitted:
			if a.Refusal == nil || !slices.Contains(operations.Codes(), a.Refusal.Code) || a.Refusal.Message == "" {
				t.Fatalf("refused without a reason: %+v", a.Refusal)
			}
			return
		}
		var n op.Needs
		if err := request.(interface{ Needs(*op.Needs) error }).Needs(&n); err != nil {
			t.Fatalf("admitted, and wrong by itself: %v", err)
		}
		n.Settings = nil
		for _, s := range a.Grant.Settings {
			n.Settings = append(n.Settings, op.SettingValue{Name: s.Name, Value: catalog.TextValue(s.Value)})
		}
		if why := recheck(row, o, a.Grant.Protocol, &n); why != "" {
			t.Fatalf("%s was admitted: %s", row.ID, why)
		}
		if limit := order.Terms.MaxUSD; limit.IsKnown() && (!a.Grant.Price.USD.IsKnown() || a.Grant.Price.USD.Compare(limit) > 0) {
			t.Fatalf("%s costs %q, and %s is the bound", row.ID, a.Grant.Price.USD, limit)
		}
	})
}
