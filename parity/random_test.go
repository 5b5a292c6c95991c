package parity

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/opcat/opcat/catalog"
	"github.com/opcat/opcat/operations"
	"github.com/opcat/opcat/operations/op"
	"github.com/opcat/opcat/shape"
)

// Queries that nobody thought of get the same routes and the same refusals from the
// library and from each form that selects: random ones, on both catalogs.
func TestRandomQueriesAlike(t *testing.T) {
	var questions []Question
	for _, name := range Catalogs {
		c, err := Catalog(name)
		if err != nil {
			t.Fatal(err)
		}
		r := roll{rand.New(rand.NewPCG(3, uint64(len(name)))), c}
		for i := range 900 {
			q := r.query()
			q["id"] = fmt.Sprintf("%s/random/%d", name, i)
			text, err := json.Marshal(q)
			if err != nil {
				t.Fatal(err)
			}
			answer, err := library(c, text)
			if err != nil {
				t.Fatalf("%s: %v", text, err)
			}
			right, err := json.Marshal(answer)
			if err != nil {
				t.Fatal(err)
			}
			questions = append(questions, Question{ID: q["id"].(string), Catalog: name, Kind: q["kind"].(string), Asked: text, Answer: right})
		}
	}
	kinds := map[string]int{}
	for i := range questions {
		var refused struct{ Code, Wrong string }
		_ = json.Unmarshal(questions[i].Answer, &refused) // a list is none
		kinds[questions[i].Kind+" "+refused.Code+refused.Wrong]++
	}
	t.Log(kinds)
	for _, code := range []string{"UNSUPPORTED_OPTIONS", "LIMIT_EXCEEDED", "CONSTRAINT_UNMET", "PRICE_UNKNOWN", "PRICE_ABOVE_BOUND", "ROUTE_ENDED", "NO_PROTOCOL", ""} {
		if kinds["refusal "+code] < 2 {
			t.Errorf("%q comes up %d times: ask for more", code, kinds["refusal "+code])
		}
	}
	for _, form := range []string{"go", "ts"} {
		t.Run(form, func(t *testing.T) {
			r := Run{Drivers: "drivers"}
			given, err := r.Ask(context.Background(), form, questions)
			if err != nil {
				t.Fatal(err)
			}
			s := ScoreOf(form, given)
			if s.Passed+s.Failed == 0 {
				missing(t, "%s", s)
			}
			shown := 0
			for i := range given {
				if g := &given[i]; !g.Right() && shown < 8 {
					shown++
					t.Errorf("%s\n asked   %s\n library %s\n %s %s%s%s", g.Question.ID, g.Question.Asked, g.Question.Answer, form, g.Answer, g.Failed, g.NotRun)
				}
			}
			t.Log(s)
		})
	}
}

// A roll makes random queries of what a catalog and the registry know.
type roll struct {
	*rand.Rand
	c *catalog.Catalog
}

func (r roll) some(words []string, most int) []string {
	var out []string
	for _, i := range r.Perm(len(words))[:min(most, len(words))] {
		out = append(out, words[i])
	}
	return out
}

func (r roll) one(in int) bool { return r.IntN(in) == 0 }

func of[T any](r roll, list []T) T { return list[r.IntN(len(list))] }

func (r roll) query() map[string]any {
	all := operations.All()
	o := all[0]
	if !r.one(3) {
		o = of(r, all)
	}
	q := map[string]any{"kind": "select", "operation": o.Name}
	if !r.one(3) {
		q["kind"], q["name"] = "refusal", r.name(o.Name)
	}
	set := func(in int, name string, v any) {
		if r.one(in) {
			q[name] = v
		}
	}
	set(3, "inputs", r.some(o.Inputs, 1+r.IntN(2)))
	set(12, "outputs", r.some(o.Outputs, 1))
	set(2, "settings", r.settings(o))
	if o.Name == "text_generation" {
		set(4, "tools", true)
		set(4, "structured", true)
	}
	if o.Name == "embedding" {
		set(3, "dimensions", of(r, []int{256, 512, 768, 1024, 1536, 3072, 100}))
	}
	if o.Name == "decision_evaluation" {
		set(3, "questions", r.some([]string{"boolean", "choice", "score", "box"}, 1+r.IntN(2)))
	}
	set(4, "min_context", of(r, []int{1000, 8192, 128000, 200000, 1000000}))
	set(8, "min_output", of(r, []int{1000, 8192, 64000, 128000}))
	set(8, "providers", r.some(r.c.ProviderIDs(), 1+r.IntN(6)))
	set(12, "region", of(r, []string{"eu", "us", "us-east-1", "eu-west-1", "europe-west4"}))
	set(6, "support", of(r, op.Supports))
	set(6, "lifecycle", of(r, []string{"active", "announced", "deprecated"}))
	set(12, "no_training", true)
	set(12, "retention", of(r, []string{"not_retained", "abuse_monitoring_only"}))
	set(4, "at", of(r, []string{"2026-01-01", "2026-11-29", "2026-11-30T17:45:00Z", "2027-02-01", "2028-01-01"}))
	if r.one(2) {
		var lines []map[string]any
		for _, m := range r.some(o.Meters[:min(6, len(o.Meters))], 1+r.IntN(2)) {
			lines = append(lines, map[string]any{"meter": m, "count": r.IntN(400_000)})
		}
		q["usage"] = map[string]any{"lines": lines}
		set(3, "max_usd", of(r, []string{"0", "0.001", "0.1", "1.5"}))
	}
	set(4, "prefer", r.some([]string{"price", "context", "tier"}, 1+r.IntN(2)))
	if r.one(8) {
		q["prefer"], q["provider_order"] = []string{"providers", "context"}, r.some(r.c.ProviderIDs(), 3)
	}
	set(2, "limit", 1+r.IntN(40))
	return q
}

func (r roll) name(operation string) string {
	var ids []string
	for ref := range r.c.Routes(operation) {
		ids = append(ids, ref.ID())
	}
	if len(ids) == 0 || r.one(20) {
		return of(r, []string{"nobody", "nobody/x", "acme/nobody", "embedding:acme/x", "chat:acme/x", operation + ":acme/x"})
	}
	return of(r, ids)
}

func (r roll) settings(o *op.Operation) []map[string]any {
	out := []map[string]any{}
	for _, i := range r.Perm(len(o.Settings))[:min(len(o.Settings), 1+r.IntN(3))] {
		s := o.Settings[i]
		one := map[string]any{"name": s.Name}
		if !r.one(3) {
			one["value"] = r.value(s)
		}
		out = append(out, one)
	}
	return out
}

func (r roll) value(s op.Setting) any {
	switch s.Kind {
	case shape.Enum:
		return of(r, s.Values)
	case shape.Bool:
		return r.one(2)
	case shape.Count:
		return strconv.Itoa(of(r, []int{0, 1, 40, 256, 512, 1000, 1024, 4096, 100_000, 5_000_000}))
	case shape.Number:
		return of(r, []string{"0", "0.2", "0.7", "1", "1.5", "2", "-1", "01.0"})
	}
	return of(r, []string{"search_query", "5", "x"})
}
