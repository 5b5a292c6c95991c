package operations

import (
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/opcat/opcat/catalog"
	"github.com/opcat/opcat/internal/canon"
	"github.com/opcat/opcat/operations/op"
	"github.com/opcat/opcat/operations/price"
	"github.com/opcat/opcat/shape"
)

// A judging puts a query to routes one by one, in the words of admission, so that
// both refuse for the same reasons.
type judging struct {
	q     *Query
	needs op.Needs
	width op.SettingValue // asked for where the route does not give it anyway
	place int             // of the width among the settings, which stand in the registry's order
	terms Terms
	at    time.Time
	m     match

	costs         costs
	usage, billed price.Usage
	call          price.Call // but for the cache lifetime, which can be the route's
	lifetime      string     // that is asked for
	room          [maxLines]price.Line
	bound         price.Amount
	bounded       bool

	query Query // what q points to
	list  [8]op.SettingValue
}

var judgings = sync.Pool{New: func() any { return new(judging) }}

// newJudging prepares a query that was checked.
func newJudging(c *catalog.Catalog, o *op.Operation, q *Query) *judging {
	j := judgings.Get().(*judging)
	j.query = *q
	j.q = &j.query
	j.terms = Terms{At: q.At, Providers: q.Providers, Region: q.Region, Support: q.Support, NoTraining: q.NoTraining, Retention: q.Retention}
	j.at = j.terms.at(c)
	n := &j.needs
	n.Reset()
	n.Partial, n.Tools, n.Inputs, n.Outputs, n.Questions = true, q.Tools, q.Inputs, q.Outputs, q.Questions
	n.Settings = append(j.list[:0], q.Settings...)
	for i := range n.Settings { // a number has one spelling where it is compared
		if v := &n.Settings[i].Value; !v.IsZero() && o.Settings[settingPlace(o, n.Settings[i].Name)].Kind == shape.Number {
			*v = catalog.TextValue(canon.Decimal(v.String()))
		}
	}
	if q.Structured {
		n.Settings = slices.DeleteFunc(n.Settings, func(s op.SettingValue) bool { return s.Name == schemaSetting })
		n.Structured = true
		n.Settings = append(n.Settings, op.SettingValue{Name: schemaSetting, Value: catalog.BoolValue(true)})
	}
	if len(n.Settings) > 1 {
		slices.SortFunc(n.Settings, func(a, b op.SettingValue) int { return settingPlace(o, a.Name) - settingPlace(o, b.Name) })
	}
	if q.Dimensions > 0 {
		j.width = op.SettingValue{Name: dimensionsSetting, Value: catalog.TextValue(strconv.FormatInt(q.Dimensions, 10))}
		for j.place < len(n.Settings) && settingPlace(o, n.Settings[j.place].Name) < settingPlace(o, dimensionsSetting) {
			j.place++
		}
	}
	j.usage = q.Usage
	j.lifetime = n.Setting(cacheLifetime).String()
	j.call = price.Call{Operation: o.Name, ServiceTier: n.Setting(serviceTier).String(), Region: q.Region, At: j.at}
	if j.bounded = q.MaxUSD.IsKnown(); j.bounded {
		j.bound, _ = price.ParseAmount(q.MaxUSD)
	}
	return j
}

func (j *judging) release() {
	*j = judging{}
	judgings.Put(j)
}

func settingPlace(o *op.Operation, name string) int {
	for i := range o.Settings { // a setting is too large to be handed to a function
		if o.Settings[i].Name == name {
			return i
		}
	}
	return -1
}

// namesTier reports whether a setting chooses the service tier, and with it the
// prices.
func namesTier(s op.SettingValue) bool { return s.Name == serviceTier && !s.Value.IsZero() }

// serves reports whether a route serves the query, its bound apart.
func (j *judging) serves(r *route) bool { return j.fits(r, true).code == "" }

// judge says why a route does not serve the query. The order is that of admission.
func (j *judging) judge(r *route) reason {
	if why := j.fits(r, false); why.code != "" || !j.bounded {
		return why
	}
	total, known := j.cost(r)
	switch {
	case !known:
		return reason{PriceUnknown, op.Complaint{Why: op.Unknown, Field: "max_usd", Note: "the usage has no known cost on it"}}
	case total.Cmp(j.bound) > 0:
		return reason{PriceAboveBound, op.Complaint{Why: op.Refused, Field: "max_usd", Got: string(total.Decimal()), Allowed: []string{string(j.q.MaxUSD)}}}
	}
	return reason{}
}

// fits judges all but the bound.
func (j *judging) fits(r *route, quiet bool) reason {
	q := j.q
	j.m = match{quiet: quiet}
	if why := r.judgeRow(&j.terms, j.at, &j.m); why.code != "" {
		return why
	}
	if q.Lifecycle != "" && int(r.row.Lifecycle.State(j.at)) > slices.Index(lifecycles, q.Lifecycle) {
		return reason{ConstraintUnmet, op.Complaint{Why: op.Refused, Field: "lifecycle", Got: r.row.Lifecycle.State(j.at).String(), Allowed: lifecycles[:slices.Index(lifecycles, q.Lifecycle)+1]}}
	}
	n := &j.needs
	if q.Dimensions > 0 {
		if e := r.contract.Embedding; e == nil || e.Dimensions == nil || e.Dimensions.Default != q.Dimensions {
			n.Settings = slices.Insert(n.Settings, j.place, j.width)
			defer func() { n.Settings = slices.Delete(n.Settings, j.place, j.place+1) }()
		}
	}
	if why := r.promise.judge(n, &j.terms, &j.m); why.code != "" {
		return why
	}
	if c := r.judgeLimits(n, &j.terms, &j.m); c.Why != op.None {
		return reason{LimitExceeded, c}
	}
	context, output := r.context, r.writes
	if !output.IsKnown() {
		output = context
	}
	if c := atLeast("context_tokens", context, q.MinContext); c.Why != op.None {
		return reason{LimitExceeded, c}
	}
	return because(LimitExceeded, atLeast("output_tokens", output, q.MinOutput))
}

// atLeast compares a limit of a row with what is wanted. One that nobody stated is
// not enough.
func atLeast(field string, limit catalog.Opt[int64], least int64) op.Complaint {
	n, known := limit.Get()
	switch {
	case least <= 0 || known && n >= least:
		return op.Complaint{}
	case !known:
		return op.Complaint{Why: op.Unknown, Field: field, Got: strconv.FormatInt(least, 10)}
	}
	return op.Complaint{Why: op.TooMany, Field: field, Size: least, Limit: n}
}
