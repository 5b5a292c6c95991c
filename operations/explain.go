package operations

import (
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"

	"github.com/opcat/opcat/catalog"
	"github.com/opcat/opcat/operations/op"
)

// A Step is one constraint of a query, and how many of the operation's routes meet
// it together with all the constraints before it.
type Step struct {
	Constraint string // the field of the query: inputs, min_context ...
	Asked      string // what it asks for
	Left       int
}

// An Explanation says how a query's constraints narrow an operation's routes down.
type Explanation struct {
	Routes  int    // with a contract for the operation
	Steps   []Step // the constraints in the order in which routes are judged
	Emptied int    // the place of the first step from which on none is left; -1 if some are
}

// Explain says what each constraint of a query costs. A wrong query is a
// *QueryError.
func Explain(c *catalog.Catalog, q Query) (Explanation, error) {
	e := Explanation{Emptied: -1}
	if err := q.Check(); err != nil {
		return e, err
	}
	e.Routes = c.RouteCount(q.Operation)
	if q.At.IsZero() {
		q.At = c.AsOf()
	}
	for part, asked := range q.parts() {
		left, err := Count(c, part)
		if err != nil {
			return e, err
		}
		if asked[0] == "served" && q.Region != "" {
			left = anywhere(c, part, left)
		}
		switch {
		case left > 0:
			e.Emptied = -1 // a setting can be honoured with another alone, so a step can bring routes back
		case e.Emptied < 0:
			e.Emptied = len(e.Steps)
		}
		e.Steps = append(e.Steps, Step{asked[0], asked[1], left})
	}
	return e, nil
}

// anywhere counts the routes that serve in the region of a query, which are so many,
// and those that serve where none is asked for: some do the one alone.
func anywhere(c *catalog.Catalog, there Query, n int) int {
	everywhere := there
	everywhere.Region = ""
	o := Lookup(there.Operation)
	in, out := newJudging(c, o, &there), newJudging(c, o, &everywhere)
	defer in.release()
	defer out.release()
	for ref := range c.Routes(o.Name) {
		if r := routeOf(c, ref, o); out.judge(r).code == "" && in.judge(r).code != "" {
			n++
		}
	}
	return n
}

// parts are queries with one constraint after the other, in the order of judging,
// each with the constraint that came last: its field and what it asks for.
func (q *Query) parts() iter.Seq2[Query, [2]string] {
	return func(yield func(Query, [2]string) bool) {
		part := Query{Operation: q.Operation, At: q.At}
		on := true
		step := func(asks bool, field, asked string, add func()) {
			if asks && on {
				add()
				on = yield(part, [2]string{field, asked})
			}
		}
		region := "none"
		if q.Region != "" {
			region = q.Region
		}
		step(true, "served", "at "+string(catalog.DateOf(q.At)), func() { part.Region = q.Region })
		step(q.Region != "", "region", region, func() {})
		step(len(q.Providers) > 0, "providers", strings.Join(q.Providers, ", "), func() { part.Providers = q.Providers })
		step(q.Support != "", "support", q.Support, func() { part.Support = q.Support })
		step(q.NoTraining, "no_training", "true", func() { part.NoTraining = true })
		step(q.Retention != "", "retention", q.Retention, func() { part.Retention = q.Retention })
		step(q.Lifecycle != "", "lifecycle", q.Lifecycle, func() { part.Lifecycle = q.Lifecycle })
		for i, kind := range q.Inputs {
			step(true, "inputs", kind, func() { part.Inputs = q.Inputs[:i+1] })
		}
		for i, kind := range q.Outputs {
			step(true, "outputs", kind, func() { part.Outputs = q.Outputs[:i+1] })
		}
		for i, kind := range q.Questions {
			step(true, "questions", kind, func() { part.Questions = q.Questions[:i+1] })
		}
		step(q.Tools, "tools", "true", func() { part.Tools = true })
		step(q.Structured, "structured", "true", func() { part.Structured = true })
		for i, s := range q.Settings {
			asked := s.Name
			if !s.Value.IsZero() {
				asked += "=" + s.Value.String()
			}
			step(true, "settings", asked, func() { part.Settings = q.Settings[:i+1] })
		}
		step(q.Dimensions > 0, "dimensions", strconv.FormatInt(q.Dimensions, 10), func() { part.Dimensions = q.Dimensions })
		step(q.MinContext > 0, "min_context", strconv.FormatInt(q.MinContext, 10), func() { part.MinContext = q.MinContext })
		step(q.MinOutput > 0, "min_output", strconv.FormatInt(q.MinOutput, 10), func() { part.MinOutput = q.MinOutput })
		step(q.MaxUSD.IsKnown(), "max_usd", string(q.MaxUSD), func() { part.MaxUSD, part.Usage = q.MaxUSD, q.Usage })
	}
}

// Reject says why the route that a name stands for, a row's id or an alias, does
// not serve a query: in the words, and with the code, of admission. Nil if it
// serves.
func Reject(c *catalog.Catalog, name string, q Query) (*Refusal, error) {
	if err := q.Check(); err != nil {
		return nil, err
	}
	o := Lookup(q.Operation)
	r, refusal := find(c, name, o, new(chain))
	if refusal != nil {
		return refusal, nil
	}
	j := newJudging(c, o, &q)
	defer j.release()
	return j.reject(name, r), nil
}

// Rejections are the refusals of the operation's routes that do not serve a query, by
// the ids of their rows.
func Rejections(c *catalog.Catalog, q Query) (iter.Seq[*Refusal], error) {
	if err := q.Check(); err != nil {
		return nil, err
	}
	o := Lookup(q.Operation)
	return func(yield func(*Refusal) bool) {
		j := newJudging(c, o, &q)
		defer j.release()
		for ref := range c.Routes(o.Name) {
			if f := j.reject(ref.ID(), routeOf(c, ref, o)); f != nil && !yield(f) {
				return
			}
		}
	}, nil
}

// reject puts into words why a route does not serve; nil if it does.
func (j *judging) reject(name string, r *route) *Refusal {
	why := j.judge(r)
	if why.code == "" {
		return nil
	}
	f := r.refuse(name, why)
	switch {
	case why.Field == "max_usd" && why.code == PriceUnknown:
		f.Message = "a bound is asked, and nobody knows what the usage costs: " + j.unpriced(r)
	case why.Field == "max_usd":
		f.Message = fmt.Sprintf("the usage costs %s USD, and %s is the most", why.Got, j.q.MaxUSD)
		f.Help = ""
	}
	return f
}

// unpriced names the meters whose cost is unknown, each with the reason.
func (j *judging) unpriced(r *route) string {
	usage := j.usage
	if r.contract.Meters != nil {
		usage = billedUsage(&j.usage, r.bills, nil)
	}
	var parts []string
	for _, l := range r.sheet.Cost(usage, *j.callOf(r)).Lines {
		if l.Unknown != "" {
			parts = append(parts, l.Meter+" ("+string(l.Unknown)+")")
		}
	}
	if parts == nil {
		return "the route bills none of its meters"
	}
	return strings.Join(parts, ", ")
}

// Cost is what the usage of a query costs on a row's route, exactly; unknown if any
// part of it is. Without a usage it is what a usual call of the operation costs.
func Cost(c *catalog.Catalog, ref catalog.Ref, q Query) catalog.Decimal {
	o := Lookup(q.Operation)
	if o == nil {
		return ""
	}
	r := routeOf(c, ref, o)
	if r == nil {
		return ""
	}
	if len(q.Usage.Lines)+len(q.Usage.Unknown) == 0 {
		q.Usage = o.Usual
	}
	j := newJudging(c, o, &q)
	defer j.release()
	total, known := j.cost(r)
	if !known {
		return ""
	}
	return total.Decimal()
}

// Window is how many tokens a row's route for an operation holds, and how many its
// answers may have; unknown where nobody stated it.
func Window(ref catalog.Ref) (context, output catalog.Opt[int64]) {
	l := ref.Limits()
	return least(l.ContextTokens, l.RuntimeContextTokens), l.OutputTokens
}

// EvaluatorQuery is the query for the routes that a structured evaluator may use: text
// generation whose answers fit a schema. Such a route stays a text route; it is no
// decision model, in any list.
func EvaluatorQuery(settings ...op.SettingValue) Query {
	return Query{Operation: "text_generation", Inputs: []string{"text"}, Structured: true, Settings: slices.Clone(settings)}
}
