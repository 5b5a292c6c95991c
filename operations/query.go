package operations

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/opcat/opcat/catalog"
	"github.com/opcat/opcat/internal/canon"
	"github.com/opcat/opcat/operations/op"
	"github.com/opcat/opcat/operations/price"
	"github.com/opcat/opcat/shape"
)

// A Query says what a route must do. The operation is what makes it one: there is
// no query for any operation, and the zero Query is refused. Everything else that
// is left out is not asked for.
type Query struct {
	Operation string // a member of the registry

	// What requests will ask of the route.
	Inputs     []string          // kinds of input
	Outputs    []string          // kinds of output
	Questions  []string          // decision_evaluation: kinds of questions
	Settings   []op.SettingValue // options to be honoured; one without a value, whatever its value
	Tools      bool
	Structured bool  // answers that fit a schema
	Dimensions int64 // embedding: the width of the vectors
	MinContext int64 // tokens of the window, at least
	MinOutput  int64 // tokens of an answer, at least

	// Who may serve them.
	Providers  []string // only these; none: any
	Region     string   // dialled in this region
	Support    string   // evidenced at least so well: declared, documented or probed
	Lifecycle  string   // at worst active, announced or deprecated; "": anything that has not ended
	NoTraining bool     // what is sent trains no model, and the provider says so
	Retention  string   // what is sent is kept no longer: not_retained or abuse_monitoring_only
	At         time.Time

	// What a call may cost. Usage is what one is metered at; of a route whose contract
	// names its meters, only the lines of these are billed.
	Usage  price.Usage
	MaxUSD catalog.Decimal // for the usage, at most; a route whose cost is unknown is refused

	// What is better, the first first. Without any, the lowest cost of the usage or,
	// without one, of a usual call of the operation. What is unknown comes last, and
	// what is equal by the cost of a usual call and then by id.
	Prefer        []Preference
	ProviderOrder []string // of PreferProviders: the first is the best

	Limit int // how many routes are wanted; 0: DefaultLimit
}

// A Preference is what makes one route better than another.
type Preference uint8

// The preferences.
const (
	PreferPrice     Preference = iota + 1 // the lowest cost
	PreferContext                         // the largest window
	PreferTier                            // the highest declared tier
	PreferProviders                       // the order of ProviderOrder
)

// Limits of a query.
const (
	DefaultLimit = 10
	MaxLimit     = 100_000
)

// lifecycles are the states that a query may still want, the best first.
var lifecycles = []string{catalog.Active.String(), catalog.Announced.String(), catalog.Deprecated.String()}

// InvalidQuery is the code of a query that is wrong by itself, whatever the
// catalog.
const InvalidQuery = "INVALID_QUERY"

// A QueryError says what is wrong with a query.
type QueryError struct {
	Code    Code // UNKNOWN_OPERATION or INVALID_QUERY
	Field   string
	Got     string
	Allowed []string // when that is a closed set
	Message string   // one line, lower case, no final period
}

func (e *QueryError) Error() string {
	s := string(e.Code) + " " + e.Field + ": " + e.Message
	if len(e.Allowed) > 0 {
		s += "; it may be: " + strings.Join(e.Allowed, ", ")
	}
	return s
}

func wrong(field, got, format string, args ...any) *QueryError {
	return &QueryError{Code: InvalidQuery, Field: field, Got: got, Message: fmt.Sprintf(format, args...)}
}

func notOneOf(field, got string, allowed []string) *QueryError {
	e := wrong(field, got, "%q is none", got)
	e.Allowed = slices.Clone(allowed)
	if len(allowed) == 0 {
		e.Message = fmt.Sprintf("%q is asked, and the operation has none", got)
	}
	return e
}

// noOperation is the refusal of every query without an operation.
func noOperation(name string) *QueryError {
	e := notOneOf("operation", name, Names())
	e.Code = UnknownOperation
	if name == "" {
		e.Message = "a query names its operation; none is taken for granted"
	}
	return e
}

// Check says what is wrong with a query by itself; nil if nothing is. Select checks
// too.
func (q *Query) Check() error {
	o := slices.IndexFunc(registry, func(o *op.Operation) bool { return o.Name == q.Operation })
	if o < 0 {
		return noOperation(q.Operation)
	}
	p := plan{o: registry[o], v: vocabularyOf(o)}
	if e := p.read(q); e != nil {
		return e
	}
	return nil
}

// checkRest checks what no set is looked up for.
func (q *Query) checkRest() *QueryError {
	if q.Dimensions|q.MinContext|q.MinOutput|int64(q.Limit) < 0 {
		return q.belowNone()
	}
	switch {
	case q.Limit > MaxLimit:
		return wrong("limit", strconv.Itoa(q.Limit), "at most %d routes can be asked for", MaxLimit)
	case q.Retention != "" && !slices.Contains(retentions, q.Retention):
		return notOneOf("retention", q.Retention, retentions)
	case len(q.Prefer) > 0:
		return q.checkPreferences()
	}
	return nil
}

// belowNone says which number is less than none.
func (q *Query) belowNone() *QueryError {
	for _, n := range [...]struct {
		field string
		value int64
	}{{"dimensions", q.Dimensions}, {"min_context", q.MinContext}, {"min_output", q.MinOutput}, {"limit", int64(q.Limit)}} {
		if n.value < 0 {
			return wrong(n.field, strconv.FormatInt(n.value, 10), "%d is less than none", n.value)
		}
	}
	return nil
}

func (q *Query) checkPreferences() *QueryError {
	for i, p := range q.Prefer {
		if p < PreferPrice || p > PreferProviders {
			return wrong("prefer", strconv.Itoa(int(p)), "there is no such preference")
		}
		if slices.Contains(q.Prefer[:i], p) {
			return wrong("prefer", strconv.Itoa(int(p)), "a preference stands twice")
		}
		if p == PreferProviders && len(q.ProviderOrder) == 0 {
			return wrong("provider_order", "", "the order of providers is preferred, and none is given")
		}
	}
	return nil
}

// checkUsage checks the usage, and that a bound has one.
func (q *Query) checkUsage(o *op.Operation) *QueryError {
	for i := range q.Usage.Lines {
		l := &q.Usage.Lines[i]
		switch {
		case !o.HasMeter(l.Meter):
			return notOneOf("usage", l.Meter, o.Meters)
		case l.Count < 0:
			return wrong("usage", strconv.FormatInt(l.Count, 10), "%s: a count below zero", l.Meter)
		}
		for j := range i {
			if other := &q.Usage.Lines[j]; other.Meter == l.Meter && other.Tool == l.Tool && other.CacheLifetime == l.CacheLifetime {
				return wrong("usage", l.Meter, "%s stands twice", l.Meter)
			}
		}
	}
	for _, name := range q.Usage.Unknown {
		if !o.HasMeter(name) {
			return notOneOf("usage", name, o.Meters)
		}
	}
	if !q.MaxUSD.IsKnown() {
		return nil
	}
	if _, err := price.ParseAmount(q.MaxUSD); err != nil {
		return wrong("max_usd", string(q.MaxUSD), "%v", err)
	}
	if len(q.Usage.Lines)+len(q.Usage.Unknown) == 0 {
		return wrong("max_usd", string(q.MaxUSD), "a bound is for a usage, and none is stated")
	}
	return nil
}

// checkValue checks the value that a setting is asked to have.
func checkValue(s *op.Setting, v catalog.Value) *QueryError {
	text := v.String()
	_, yesno := v.Bool()
	switch {
	case yesno != (s.Kind == shape.Bool):
		e := wrong("settings."+s.Name, text, "a value of another kind")
		e.Allowed = slices.Clone(wordsFor(*s))
		return e
	case s.Kind == shape.Enum && !slices.Contains(s.Values, text):
		return notOneOf("settings."+s.Name, text, s.Values)
	case s.Kind == shape.Number && !canon.IsDecimal(text):
		return wrong("settings."+s.Name, text, "%.80q is no decimal number", text)
	case s.Kind == shape.Count && !isCount(text):
		return wrong("settings."+s.Name, text, "%.80q is no count", text)
	case text == "":
		return wrong("settings."+s.Name, text, "an empty text")
	}
	return nil
}

func isCount(s string) bool {
	n, err := strconv.ParseInt(s, 10, 64)
	return err == nil && n >= 0 && strconv.FormatInt(n, 10) == s
}
