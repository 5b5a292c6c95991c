// Command go answers the questions of a file with the generated Go package.
//
// Facts, names and lifecycles are read from it alone; prices and costs are package cost's over
// its price entries. A query is judged by package operations over the catalog that the package's blob
// says, as a program would that embeds nothing else.
package main

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"

	"github.com/opcat/opcat/catalog"
	"github.com/opcat/opcat/catalog/flat"
	"github.com/opcat/opcat/gen/go/op"
	"github.com/opcat/opcat/gen/go/opcatalog"
	"github.com/opcat/opcat/operations/cost"
	"github.com/opcat/opcat/operations/price"
	"github.com/opcat/opcat/parity"
)

func main() {
	if err := run(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

type answered struct {
	ID     string `json:"id"`
	Answer any    `json:"answer"`
}

func run(file string) error {
	if err := opcatalog.Verify(sha256.Sum256); err != nil {
		return err
	}
	whole, err := catalog.OpenFlat(opcatalog.Catalog())
	if err != nil {
		return err
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	var asked struct{ Questions []json.RawMessage }
	if err := json.Unmarshal(text, &asked); err != nil {
		return err
	}
	out := struct {
		Answers []answered `json:"answers"`
	}{[]answered{}}
	for _, text := range asked.Questions {
		var q question
		if err := json.Unmarshal(text, &q); err != nil {
			return err
		}
		a := answered{ID: q.ID}
		if q.Kind == "select" || q.Kind == "refusal" {
			a.Answer, err = parity.Answer(whole, text)
		} else {
			a.Answer, err = q.answer()
		}
		if err != nil {
			return fmt.Errorf("%s: %w", q.ID, err)
		}
		out.Answers = append(out.Answers, a)
	}
	return json.NewEncoder(os.Stdout).Encode(out)
}

type question struct {
	ID, Kind, Operation, Row, Name, At, Purpose, Provider, Meter string

	InputTokens int64 `json:"input_tokens"`
	Usage       struct {
		Lines []struct {
			Meter, Tool   string
			CacheLifetime string `json:"cache_lifetime"`
			Count         int64
		}
		Unknown []string
	}
	Call struct {
		At            flat.Date
		ServiceTier   string `json:"service_tier"`
		Region        string
		CacheLifetime string `json:"cache_lifetime"`
		Variant       string
	}
}

// answer asks by the operation's type. A question that names none is of no operation.
func (q *question) answer() (any, error) {
	row, found := opcatalog.FindRow(q.Row)
	switch q.Kind {
	case "catalog":
		return catalogSays(q.Name), nil
	case "operations":
		if !found {
			return nil, nil
		}
		return serving(q.Row), nil
	case "fact":
		return fact(row, q.Name), nil
	case "state":
		at, ok := flat.Date(q.At).Time()
		if !found || !ok {
			return nil, nil
		}
		return row.Lifecycle().State(at).String(), nil
	}
	switch q.Operation {
	case "text_generation":
		return ask(q, func(op.TextGeneration, string) any { return nil })
	case "embedding":
		return ask(q, func(c op.Embedding, name string) any {
			if name == "dimensions" && c.Dimensions().IsKnown() {
				return c.Dimensions().Default()
			}
			return nil
		})
	case "decision_evaluation":
		return ask(q, func(c op.DecisionEvaluation, name string) any {
			if name == "question_kinds" {
				return list(c.QuestionKinds())
			}
			return nil
		})
	case "reranking":
		return ask(q, func(op.Reranking, string) any { return nil })
	case "moderation":
		return ask(q, func(op.Moderation, string) any { return nil })
	}
	if q.Kind == "serves" {
		return false, nil
	}
	return nil, nil
}

func catalogSays(name string) any {
	switch name {
	case "rows":
		return opcatalog.Catalog().Len()
	case "providers":
		n := 0
		for range opcatalog.Providers() {
			n++
		}
		return n
	}
	return opcatalog.AsOf()
}

// serving are the operations of a row, in the registry's order.
func serving(row string) []string {
	names := []string{}
	add := func(name string, ok bool) {
		if ok {
			names = append(names, name)
		}
	}
	add(serves[op.TextGeneration](row))
	add(serves[op.Embedding](row))
	add(serves[op.DecisionEvaluation](row))
	add(serves[op.Reranking](row))
	add(serves[op.Moderation](row))
	return names
}

func serves[O opcatalog.Operation](row string) (name string, ok bool) {
	r, ok := opcatalog.Lookup[O](row)
	return r.Operation(), ok
}

func fact(r opcatalog.Row, name string) any {
	switch l, life := r.Limits(), r.Lifecycle(); name {
	case "provider":
		return text(r.Provider())
	case "wire_model":
		return text(r.WireModel())
	case "logical_model":
		return text(r.LogicalModel())
	case "snapshot":
		return text(r.Snapshot())
	case "selects":
		return text(r.Selects())
	case "successor":
		return text(life.Successor())
	case "ends_on":
		return text(string(life.EndsOn()))
	case "announced_end":
		return text(string(life.AnnouncedEnd()))
	case "context_tokens":
		return count(l.ContextTokens())
	case "input_tokens":
		return count(l.InputTokens())
	case "output_tokens":
		return count(l.OutputTokens())
	}
	return nil
}

// text, count and list give null for what nobody stated.
func text(s string) any {
	if s == "" {
		return nil
	}
	return s
}

func count(n int64, known bool) any {
	if !known {
		return nil
	}
	return n
}

func list(l flat.Texts[string]) any {
	if !l.IsKnown() {
		return nil
	}
	return l.Slice()
}

// A contract is what those of all operations have.
type contract interface {
	flat.Operation
	OutputKinds() flat.Texts[string]
}

// ask answers a question about an operation's routes; own reads what its contracts alone have.
func ask[O contract](q *question, own func(c O, name string) any) (any, error) {
	switch q.Kind {
	case "routes":
		ids := []string{}
		for r := range opcatalog.Routes[O](opcatalog.Filter{}) {
			ids = append(ids, r.ID())
		}
		return ids, nil
	case "alias":
		r, _ := opcatalog.ByAlias[O](q.Name)
		return text(r.ID()), nil
	case "default":
		if q.Provider == "" {
			q.Provider = "any"
		}
		r, _ := opcatalog.ByDefault[O](q.Purpose, q.Provider)
		return text(r.ID()), nil
	}
	r, ok := opcatalog.Lookup[O](q.Row)
	switch {
	case q.Kind == "serves":
		return ok, nil
	case !ok:
		return nil, nil
	}
	switch c := r.Contract(); q.Kind {
	case "contract":
		switch q.Name {
		case "protocols":
			names := []string{}
			for p := range c.Protocol().All() {
				names = append(names, p.Name())
			}
			return names, nil
		case "input_kinds":
			return list(c.InputKinds()), nil
		case "output_kinds":
			return list(c.OutputKinds()), nil
		case "support":
			return text(c.Evidence().Support()), nil
		}
		return own(c, q.Name), nil
	case "setting":
		return setting(c, q.Name), nil
	case "price":
		return priceOf(r, q), nil
	case "cost":
		return costOf(r, q), nil
	}
	return nil, fmt.Errorf("a question of kind %q", q.Kind)
}

func setting(c any, name string) string {
	speaks, ok := c.(interface{ Settings() flat.Settings })
	if !ok { // an operation without any
		return "unknown"
	}
	s, ok := speaks.Settings().Setting(name)
	switch {
	case !ok:
		return "unknown"
	case s.Rules().IsKnown():
		return "ruled"
	}
	return s.Word()
}

func (q *question) call() price.Call {
	c := price.Call{ServiceTier: q.Call.ServiceTier, Region: q.Call.Region, CacheLifetime: q.Call.CacheLifetime, Variant: q.Call.Variant}
	c.At, _ = q.Call.At.Time()
	return c
}

func priceOf[O flat.Operation](r opcatalog.Route[O], q *question) any {
	c := q.call() // whose cache lifetime is not the protocol's: a price is asked for, and no cost
	c.Operation = r.Operation()
	rate, why := cost.Sheet(r).Rate(q.Meter, "", &c, q.InputTokens)
	switch {
	case why != "":
		return map[string]any{"unknown": why}
	case rate.Price.USDPerMillion.IsKnown():
		return map[string]any{"usd_per_million": rate.Price.USDPerMillion}
	}
	return map[string]any{"usd_per_unit": rate.Price.USDPerUnit}
}

func costOf[O flat.Operation](r opcatalog.Route[O], q *question) any {
	u := price.Usage{Unknown: q.Usage.Unknown}
	for _, l := range q.Usage.Lines {
		u.Lines = append(u.Lines, price.Line{Meter: l.Meter, Tool: l.Tool, CacheLifetime: l.CacheLifetime, Count: l.Count})
	}
	receipt := cost.Of(r, u, q.call())
	if receipt.USD.IsKnown() {
		return map[string]any{"usd": receipt.USD}
	}
	unknown := map[string]any{}
	for _, l := range receipt.Lines {
		if l.Unknown != "" {
			unknown[l.Meter] = l.Unknown
		}
	}
	return map[string]any{"stated_usd": receipt.StatedUSD, "unknown": unknown}
}
