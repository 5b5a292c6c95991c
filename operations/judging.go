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
	width catalog.Value // asked for where the route does not give it anyway
	place int           // of the setting that asks for it
	terms Terms
	at    time.Time
	scene scene // of the route that is looked at

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
	n.For(o)
	n.Settings = j.list[:0]
	for i := range q.Settings {
		at, v := settingPlace(o, q.Settings[i].Name), q.Settings[i].Value
		if !v.IsZero() && o.Settings[at].Kind == shape.Number { // which has one spelling where it is compared
			v = catalog.TextValue(canon.Decimal(v.String()))
		}
		n.Ask(at, v)
	}
	if q.Structured {
		n.Structured = true
		n.Ask(settingPlace(o, schemaSetting), catalog.BoolValue(true))
	}
	if q.Dimensions > 0 {
		j.place, j.width = settingPlace(o, dimensionsSetting), catalog.TextValue(strconv.FormatInt(q.Dimensions, 10))
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
func (j *judging) serves(r *route) bool { return j.fits(r, true) }

// judge says why a route does not serve the query. The order is that of admission.
func (j *judging) judge(r *route) reason {
	switch {
	case !j.fits(r, false):
		return j.scene.why
	case !j.bounded:
		return reason{}
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
func (j *judging) fits(r *route, quiet bool) bool {
	q, n, s := j.q, &j.needs, &j.scene
	*s = scene{p: r.promise, n: n, at: j.at, quiet: quiet}
	if !r.judgeRow(s, &j.terms) {
		return false
	}
	if q.Lifecycle != "" && int(r.row.Lifecycle.State(j.at)) > slices.Index(lifecycles, q.Lifecycle) {
		return s.refuse(ConstraintUnmet, op.Complaint{Why: op.Refused, Field: "lifecycle", Got: r.row.Lifecycle.State(j.at).String(), Allowed: lifecycles[:slices.Index(lifecycles, q.Lifecycle)+1]})
	}
	if q.Dimensions > 0 {
		if e := r.contract.Embedding; e == nil || e.Dimensions == nil || e.Dimensions.Default != q.Dimensions {
			n.Ask(j.place, j.width)
			defer n.Drop(j.place)
		}
	}
	if !r.promise.judge(s, &j.terms) || !r.judgeLimits(s, &j.terms) {
		return false
	}
	context, output := r.context, r.writes
	if !output.IsKnown() {
		output = context
	}
	return s.atLeast("context_tokens", context, q.MinContext) && s.atLeast("output_tokens", output, q.MinOutput)
}

// atLeast compares a limit of a row with what is wanted. One that nobody stated is
// not enough.
func (s *scene) atLeast(field string, limit catalog.Opt[int64], least int64) bool {
	n, known := limit.Get()
	switch {
	case least <= 0 || known && n >= least:
		return true
	case !known:
		return s.refuse(LimitExceeded, op.Complaint{Why: op.Unknown, Field: field, Got: strconv.FormatInt(least, 10)})
	}
	return s.refuse(LimitExceeded, op.Complaint{Why: op.TooMany, Field: field, Size: least, Limit: n})
}
