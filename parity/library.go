package parity

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/opcat/opcat/catalog"
	"github.com/opcat/opcat/operations"
	"github.com/opcat/opcat/operations/op"
	"github.com/opcat/opcat/operations/price"
)

// An ask is what a question asks: the members that its kind has.
type ask struct {
	ID, Kind             string
	Operation, Row       string
	Name, At             string
	Purpose, Provider    string
	Meter                string
	InputTokens          int64 `json:"input_tokens"`
	Usage                *usage
	Call                 call
	Inputs, Outputs      []string
	Questions            []string
	Settings             []setting
	Tools, Structured    bool
	Dimensions           int64
	MinContext           int64 `json:"min_context"`
	MinOutput            int64 `json:"min_output"`
	Providers            []string
	Region, Support      string
	Lifecycle, Retention string
	NoTraining           bool   `json:"no_training"`
	MaxUSD               string `json:"max_usd"`
	Prefer               []string
	ProviderOrder        []string `json:"provider_order"`
	Limit                int
}

type usage struct {
	Lines []struct {
		Meter, Tool   string
		CacheLifetime string `json:"cache_lifetime"`
		Count         int64
	}
	Unknown []string
}

func (u *usage) read() price.Usage {
	var out price.Usage
	if u == nil {
		return out
	}
	for _, l := range u.Lines {
		out.Lines = append(out.Lines, price.Line{Meter: l.Meter, Tool: l.Tool, CacheLifetime: l.CacheLifetime, Count: l.Count})
	}
	out.Unknown = u.Unknown
	return out
}

type call struct {
	At            string
	ServiceTier   string `json:"service_tier"`
	Region        string
	CacheLifetime string `json:"cache_lifetime"`
	Variant       string
}

type setting struct {
	Name  string
	Value any
}

// library answers a question with the Go library.
func library(c *catalog.Catalog, asked json.RawMessage) (answer any, err error) {
	var a ask
	if err := strict(asked, &a); err != nil {
		return nil, err
	}
	ref, found := c.Find(a.Row)
	switch a.Kind {
	case "catalog":
		return map[string]any{"as_of": catalog.DateOf(c.AsOf()), "rows": c.Len(), "providers": len(c.ProviderIDs())}[a.Name], nil
	case "routes":
		ids := []string{}
		for r := range c.Routes(a.Operation) {
			ids = append(ids, r.ID())
		}
		return ids, nil
	case "serves":
		return found && ref.Has(a.Operation), nil
	case "operations":
		if !found {
			return nil, nil
		}
		return append([]string{}, ref.Operations()...), nil
	case "alias":
		return named(c.Alias(a.Name, a.Operation)), nil
	case "default":
		p, err := operations.PickDefault(c, a.Purpose, a.Provider, operations.Query{Operation: a.Operation})
		if err != nil || p.Refusal != nil {
			return nil, err
		}
		return p.Row.ID(), nil
	case "state":
		at, err := catalog.ParseDate(a.At)
		if err != nil || !found {
			return nil, err
		}
		return ref.State(at).String(), nil
	case "select":
		return selected(c, &a)
	case "refusal":
		return picked(c, &a)
	}
	if !found {
		return nil, nil
	}
	row := ref.Row()
	if a.Kind == "fact" {
		return fact(&row, a.Name), nil
	}
	contract, serves := row.Contract(a.Operation)
	if !serves {
		return nil, nil
	}
	switch a.Kind {
	case "contract":
		return promised(&contract, a.Name), nil
	case "setting":
		return said(&contract, a.Name), nil
	case "price":
		return priced(&row, &a)
	case "cost":
		return costs(&row, &contract, &a)
	}
	return nil, fmt.Errorf("a question of kind %q", a.Kind)
}

func named(t catalog.AliasTarget, ok bool) any {
	if !ok {
		return nil
	}
	return t.Row
}

// stated is a text or a count, or null where nobody stated it.
func stated(v any) any {
	switch v := v.(type) {
	case string:
		if v != "" {
			return v
		}
	case catalog.Date:
		return stated(string(v))
	case catalog.Opt[int64]:
		if n, ok := v.Get(); ok {
			return n
		}
	case []string:
		if v != nil {
			return v
		}
	}
	return nil
}

func fact(r *catalog.Row, name string) any {
	l, life := r.Limits, r.Lifecycle
	if l == nil {
		l = &catalog.Limits{}
	}
	if life == nil {
		life = &catalog.Lifecycle{}
	}
	return stated(map[string]any{
		"provider": r.Provider, "wire_model": r.WireModel, "logical_model": r.LogicalModel, "snapshot": r.Snapshot, "selects": r.Selects,
		"successor": life.Successor, "ends_on": life.EndsOn, "announced_end": life.AnnouncedEnd,
		"context_tokens": l.ContextTokens, "input_tokens": l.InputTokens, "output_tokens": l.OutputTokens,
	}[name])
}

func promised(c *catalog.Contract, name string) any {
	switch name {
	case "protocols":
		names := []string{}
		for _, p := range c.Protocol {
			names = append(names, p.Name)
		}
		return names
	case "input_kinds":
		return stated(c.InputKinds)
	case "output_kinds":
		return stated(c.OutputKinds)
	case "question_kinds":
		if c.DecisionEvaluation != nil {
			return stated(c.DecisionEvaluation.QuestionKinds)
		}
	case "dimensions":
		if c.Embedding != nil && c.Embedding.Dimensions != nil {
			return c.Embedding.Dimensions.Default
		}
	case "support":
		if c.Evidence != nil {
			return stated(c.Evidence.Support)
		}
	}
	return nil
}

func said(c *catalog.Contract, name string) string {
	if c.Settings == nil {
		return "unknown"
	}
	s, ok := c.Settings.Setting(name)
	switch {
	case !ok:
		return "unknown"
	case len(s.Rules) > 0:
		return "ruled"
	}
	return s.Word
}

func (a *ask) call() (price.Call, error) {
	c := price.Call{Operation: a.Operation, ServiceTier: a.Call.ServiceTier, Region: a.Call.Region, CacheLifetime: a.Call.CacheLifetime, Variant: a.Call.Variant}
	at, err := moment(a.Call.At)
	c.At = at
	return c, err
}

func moment(s string) (time.Time, error) {
	if s == "" {
		return time.Time{}, nil
	}
	return catalog.ParseDate(s)
}

func priced(r *catalog.Row, a *ask) (any, error) {
	call, err := a.call()
	if err != nil {
		return nil, err
	}
	rate, why := price.Compile(r.Price).Rate(a.Meter, "", &call, a.InputTokens)
	switch {
	case why != "":
		return map[string]any{"unknown": why}, nil
	case rate.Price.USDPerMillion.IsKnown():
		return map[string]any{"usd_per_million": rate.Price.USDPerMillion}, nil
	}
	return map[string]any{"usd_per_unit": rate.Price.USDPerUnit}, nil
}

func costs(r *catalog.Row, contract *catalog.Contract, a *ask) (any, error) {
	call, err := a.call()
	if err != nil {
		return nil, err
	}
	if call.CacheLifetime == "" {
		for _, p := range operations.Lookup(a.Operation).Protocols {
			if p.Name == contract.Protocol[0].Name {
				call.CacheLifetime = p.CacheLifetime
			}
		}
	}
	receipt := price.Compile(r.Price).Cost(a.Usage.read(), call)
	if receipt.USD.IsKnown() {
		return map[string]any{"usd": receipt.USD}, nil
	}
	unknown := map[string]any{}
	for _, l := range receipt.Lines {
		if l.Unknown != "" {
			unknown[l.Meter] = l.Unknown
		}
	}
	return map[string]any{"stated_usd": receipt.StatedUSD, "unknown": unknown}, nil
}

var preferences = []string{"price", "context", "tier", "providers"}

func (a *ask) query() (operations.Query, error) {
	q := operations.Query{Operation: a.Operation, Inputs: a.Inputs, Outputs: a.Outputs, Questions: a.Questions, Tools: a.Tools, Structured: a.Structured,
		Dimensions: a.Dimensions, MinContext: a.MinContext, MinOutput: a.MinOutput, Providers: a.Providers, Region: a.Region, Support: a.Support,
		Lifecycle: a.Lifecycle, NoTraining: a.NoTraining, Retention: a.Retention, Usage: a.Usage.read(), MaxUSD: catalog.Decimal(a.MaxUSD),
		ProviderOrder: a.ProviderOrder, Limit: a.Limit}
	for _, s := range a.Settings {
		v := op.SettingValue{Name: s.Name}
		switch is := s.Value.(type) {
		case string:
			v.Value = catalog.TextValue(is)
		case bool:
			v.Value = catalog.BoolValue(is)
		}
		q.Settings = append(q.Settings, v)
	}
	for _, p := range a.Prefer { // one that is none comes to one past the last
		i := slices.Index(preferences, p)
		if i < 0 {
			i = len(preferences)
		}
		q.Prefer = append(q.Prefer, operations.PreferPrice+operations.Preference(i))
	}
	at, err := moment(a.At)
	q.At = at
	return q, err
}

func selected(c *catalog.Catalog, a *ask) (any, error) {
	q, err := a.query()
	if err != nil {
		return nil, err
	}
	s := operations.Select(c, q)
	if s.Err() != nil {
		return wrong(s.Err())
	}
	ids := []string{}
	for r := range s.Rows() {
		ids = append(ids, r.ID())
	}
	return ids, nil
}

func wrong(err error) (any, error) {
	var e *operations.QueryError
	if errors.As(err, &e) {
		return map[string]any{"wrong": e.Code}, nil
	}
	return nil, err
}

// fieldOf are the codes whose field is a part of the answer.
var fieldOf = []operations.Code{operations.ConstraintUnmet, operations.UnsupportedOptions, operations.LimitExceeded}

func picked(c *catalog.Catalog, a *ask) (any, error) {
	q, err := a.query()
	if err != nil {
		return nil, err
	}
	p, err := operations.PickOne(c, a.Name, q)
	if err != nil {
		return wrong(err)
	}
	if p.Refusal == nil {
		return map[string]any{"row": p.Row.ID()}, nil
	}
	out := map[string]any{"code": p.Refusal.Code}
	if slices.Contains(fieldOf, p.Refusal.Code) {
		out["field"] = p.Refusal.Field
	}
	return out, nil
}
