package operations

import (
	"errors"
	"slices"
	"testing"

	"github.com/opcat/opcat/catalog"
	"github.com/opcat/opcat/operations/op"
	"github.com/opcat/opcat/operations/price"
)

// A cheap model that only decides is never offered as a chat driver, and no row for
// an operation that it has no contract for.
func TestSelectFiltersByOperation(t *testing.T) {
	c := bundled(t)
	for _, o := range registry {
		s := Select(c, Query{Operation: o.Name, Limit: MaxLimit})
		if s.Err() != nil || s.Len() == 0 && o.Name != "moderation" {
			t.Fatalf("%s: %d routes, %v", o.Name, s.Len(), s.Err())
		}
		for ref := range s.Rows() {
			if !ref.Has(o.Name) {
				t.Errorf("%s is offered for %s, and serves %v", ref.ID(), o.Name, ref.Operations())
			}
		}
	}
}

// A query without an operation, or wrong by itself, is an error with a code.
func TestWrongQueries(t *testing.T) {
	c := bundled(t)
	text := func(q Query) Query { q.Operation = "text_generation"; return q }
	setting := func(name string, v catalog.Value) Query {
		return text(Query{Settings: []op.SettingValue{{Name: name, Value: v}}})
	}
	for _, x := range []struct {
		name string
		q    Query
		code Code
	}{
		{"empty", Query{}, UnknownOperation},
		{"unknown operation", Query{Operation: "chat"}, UnknownOperation},
		{"unknown input", text(Query{Inputs: []string{"smell"}}), InvalidQuery},
		{"input twice", text(Query{Inputs: []string{"text", "text"}}), InvalidQuery},
		{"unknown setting", setting("creativity", catalog.Value{}), InvalidQuery},
		{"not a number", setting("temperature", catalog.TextValue("NaN")), InvalidQuery},
		{"infinite", setting("temperature", catalog.TextValue("Inf")), InvalidQuery},
		{"unknown effort", setting("effort", catalog.TextValue("enormous")), InvalidQuery},
		{"negative window", text(Query{MinContext: -1}), InvalidQuery},
		{"negative bound", text(Query{MaxUSD: "-1", Usage: price.Usage{Lines: []price.Line{{Meter: "input_token", Count: 1}}}}), InvalidQuery},
		{"no number", text(Query{MaxUSD: "NaN", Usage: price.Usage{Lines: []price.Line{{Meter: "input_token", Count: 1}}}}), InvalidQuery},
		{"bound without usage", text(Query{MaxUSD: "1"}), InvalidQuery},
		{"negative usage", text(Query{Usage: price.Usage{Lines: []price.Line{{Meter: "input_token", Count: -1}}}}), InvalidQuery},
		{"foreign meter", text(Query{Usage: price.Usage{Lines: []price.Line{{Meter: "input_pixel", Count: 1}}}}), InvalidQuery},
		{"width of a text", text(Query{Dimensions: 8}), InvalidQuery},
		{"questions of a text", text(Query{Questions: []string{"boolean"}}), InvalidQuery},
		{"unknown preference", text(Query{Prefer: []Preference{9}}), InvalidQuery},
		{"no order of providers", text(Query{Prefer: []Preference{PreferProviders}}), InvalidQuery},
		{"unknown state", text(Query{Lifecycle: "ended"}), InvalidQuery},
	} {
		s := Select(c, x.q)
		var e *QueryError
		if !errors.As(s.Err(), &e) || e.Code != x.code || s.Len() != 0 {
			t.Errorf("%s: %v, want %s", x.name, s.Err(), x.code)
		}
	}
}

// What empties a selection is named, and each route says why in admission's codes.
func TestExplainNamesWhatEmpties(t *testing.T) {
	c := bundled(t)
	q := Query{Operation: "decision_evaluation", Questions: []string{"boolean"}, Providers: []string{"typesafe"}, MinContext: 1 << 40}
	e, err := Explain(c, q)
	if err != nil || e.Emptied < 0 || e.Steps[e.Emptied].Constraint != "min_context" {
		t.Fatalf("%+v, %v", e, err)
	}
	for region, want := range map[string]string{"mars": "region", "cn": ""} {
		e, err := Explain(c, Query{Operation: "text_generation", Region: region})
		emptied := ""
		if err == nil && e.Emptied >= 0 {
			emptied = e.Steps[e.Emptied].Constraint
		}
		if err != nil || emptied != want || e.Steps[0].Left < e.Steps[1].Left || e.Steps[0].Left < 100 || e.Steps[0].Asked == "at 0001-01-01" {
			t.Errorf("in %s: %+v, %v", region, e, err)
		}
	}
	f, err := Reject(c, "typesafe/jev-1.14.0", q)
	if err != nil || f == nil || f.Code != LimitExceeded {
		t.Errorf("refused with %v, %v", f, err)
	}
	for name, code := range map[string]Code{"typesafe/jev-1.14.0": OperationUnsupported, "typesafe/jev-9": UnknownRoute} {
		if f, _ := Reject(c, name, Query{Operation: "text_generation"}); f == nil || f.Code != code {
			t.Errorf("%s for text: %v, want %s", name, f, code)
		}
	}
}

// Every door refuses what crosses operations, and puts nothing in its place.
func TestDoorsKeepOperationsApart(t *testing.T) {
	c := bundled(t)
	chat, decide := Query{Operation: "text_generation"}, Query{Operation: "decision_evaluation"}
	if p, err := PickOne(c, "haiku", chat); err != nil || p.Refusal != nil {
		t.Errorf("an alias of text: %+v, %v", p, err)
	}
	if p, _ := PickOne(c, "haiku", decide); p.Refusal == nil {
		t.Errorf("an alias of text decides with %s", p.Row.ID())
	}
	if p, err := PickDefault(c, "runtime", AnyProvider, decide); err != nil || p.Refusal != nil {
		t.Errorf("the default: %+v, %v", p, err)
	}
	if p, _ := PickDefault(c, "runtime", "nobody", decide); p.Refusal == nil {
		t.Errorf("the default of nobody is %s", p.Row.ID())
	}
	if picks, refusal, err := PickLadder(c, "judges", decide); err != nil || refusal != nil || len(picks) != 3 {
		t.Errorf("the ladder: %v, %v, %v", picks, refusal, err)
	}
	if _, refusal, _ := PickLadder(c, "judges", chat); refusal == nil || refusal.Code != OperationUnsupported {
		t.Errorf("a ladder of judges to chat by: %v", refusal)
	}
	if p, err := PickProbe(c, "typesafe/jev-1.14.0", ""); err != nil || p.Refusal != nil {
		t.Errorf("a probe: %+v, %v", p, err)
	}
	if p, _ := PickProbe(c, "typesafe/jev-1.14.0", "text_generation"); p.Refusal == nil {
		t.Error("a judge is probed by chatting with it")
	}
}

// That rows are equivalent adds none to a list of fallbacks.
func TestEquivalenceIsNoFallback(t *testing.T) {
	c := bundled(t)
	var group string
	var names []string
	for ref := range c.Routes("text_generation") {
		if row := ref.Row(); row.EquivalenceGroup != "" && (group == "" || group == row.EquivalenceGroup) {
			group, names = row.EquivalenceGroup, append(names, row.ID)
		}
	}
	if len(names) < 2 {
		t.Fatal("no two rows are equivalent, so nothing is tried here")
	}
	picks, err := PickAmong(c, names[:1], Query{Operation: "text_generation"})
	if err != nil || len(picks) != 1 || picks[0].Asked != names[0] {
		t.Errorf("of %v one was asked for: %+v, %v", names, picks, err)
	}
}

// What a structured evaluator may use are text routes.
func TestEvaluatorsAreTextRoutes(t *testing.T) {
	c := bundled(t)
	s := Select(c, EvaluatorQuery())
	if s.Len() == 0 {
		t.Fatal("no text route takes a schema")
	}
	for ref := range s.Rows() {
		if !slices.Contains(ref.Operations(), "text_generation") {
			t.Errorf("%s writes no text", ref.ID())
		}
	}
}

// A query allocates nothing, whether the table answers it or routes are judged.
func TestSelectAllocatesNothing(t *testing.T) {
	c := marketOf(t, 5000)
	for _, x := range benchQueries {
		Select(c, x.q)
		if n := testing.AllocsPerRun(100, func() { Select(c, x.q) }); n != 0 {
			t.Errorf("%s: %v allocations", x.name, n)
		}
	}
}
