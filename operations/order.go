package operations

import (
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/opcat/opcat/catalog"
	"github.com/opcat/opcat/operations/op"
	"github.com/opcat/opcat/operations/typed"
)

// An Order is one request for one route, as a file says it.
type Order struct {
	Operation string
	Route     string // a row's id, operation:id, or an alias
	Request   any    // of the operation's own type
	Terms     Terms
}

// OrderSchema names the form of an order's JSON.
const OrderSchema = "opcat.request@1"

// orderForm is the JSON of an order.
type orderForm struct {
	Schema    string       `json:"schema,omitempty" is:"one of opcat.request@1"`
	Operation string       `json:"operation"`
	Route     string       `json:"route"`
	Request   catalog.JSON `json:"request" is:"object"`
	Terms     termsForm    `json:"terms,omitzero"`
}

type termsForm struct {
	At            string             `json:"at,omitempty"`
	MaxUSD        catalog.Decimal    `json:"max_usd,omitempty"`
	Providers     []string           `json:"providers,omitempty"`
	Region        string             `json:"region,omitempty"`
	Support       string             `json:"support,omitempty" is:"one of declared documented probed"`
	NoTraining    catalog.Opt[bool]  `json:"no_training,omitzero"`
	Retention     string             `json:"retention,omitempty" is:"one of not_retained abuse_monitoring_only"`
	MaxAgeSeconds catalog.Opt[int64] `json:"max_age_seconds,omitzero" is:"0.."`
	Protocol      string             `json:"protocol,omitempty"`
	Variables     map[string]string  `json:"variables,omitempty"`
}

// orderType describes the JSON of an order. No operation narrows it.
var orderType = sync.OnceValue(func() *typed.Type {
	return typed.Of[orderForm](&op.Operation{Name: "admission"}, "request")
})

// DecodeOrder reads an order, as strictly as a request. The error is of type
// typed.Errors, or a *Refusal if the operation is none of the registry.
func DecodeOrder(data []byte) (Order, error) {
	var f orderForm
	if err := orderType().Decode(data, &f); err != nil {
		return Order{}, err
	}
	terms, err := f.Terms.terms()
	if err != nil {
		return Order{}, err
	}
	request, err := DecodeNamed(f.Operation, []byte(f.Request))
	if err != nil {
		return Order{}, within("/request", err)
	}
	return Order{Operation: f.Operation, Route: f.Route, Request: request, Terms: terms}, nil
}

func (f *termsForm) terms() (Terms, error) {
	t := Terms{MaxUSD: f.MaxUSD, Providers: f.Providers, Region: f.Region, Support: f.Support, NoTraining: f.NoTraining.Or(false),
		Retention: f.Retention, MaxAge: f.MaxAgeSeconds, Protocol: f.Protocol, Variables: f.Variables}
	if f.At != "" {
		at, err := catalog.ParseDate(f.At)
		if err != nil {
			return t, typed.Errors{{Pointer: "/terms/at", Message: err.Error()}}
		}
		t.At = at
	}
	return t, nil
}

// within says where in the order a mistake of the request is.
func within(pointer string, err error) error {
	var list typed.Errors
	if !errors.As(err, &list) {
		return err
	}
	out := make(typed.Errors, len(list))
	for i, e := range list {
		moved := *e
		moved.Pointer = pointer + e.Pointer
		out[i] = &moved
	}
	return out
}

// An Admission says what admission found, for people and in JSON. It lets nothing
// go: only an Admitted can be dispatched.
type Admission struct {
	Admitted  bool     `json:"admitted"`
	Operation string   `json:"operation"`
	Route     string   `json:"route"` // as it was asked for
	Refusal   *Refusal `json:"refusal,omitempty"`
	Grant     *Grant   `json:"grant,omitempty"`
}

// A Grant is what was admitted.
type Grant struct {
	Row            string             `json:"row"`
	Chain          []string           `json:"chain"` // how the name led to the model
	WireModel      string             `json:"wire_model"`
	Region         string             `json:"region,omitempty"`
	Protocol       string             `json:"protocol"`
	APIVersion     string             `json:"api_version,omitempty"`
	Dialect        string             `json:"dialect,omitempty"`
	URL            string             `json:"url"`
	Credential     Credential         `json:"credential"`
	Settings       []Honoured         `json:"settings"`
	OutputMost     catalog.Opt[int64] `json:"output_tokens_at_most,omitzero"`
	Price          Worst              `json:"price"`
	Support        string             `json:"support,omitempty"`
	At             time.Time          `json:"at"`
	Catalog        string             `json:"catalog_digest"`
	ContractDigest string             `json:"contract_digest"`
}

// An Honoured is a setting that the route takes as it was asked for, or that
// admission fills in.
type Honoured struct {
	Name   string `json:"name"`
	Value  string `json:"value"`
	Filled bool   `json:"filled,omitempty"` // admission computed it
}

// A Worst is the most that a call can cost, or why nobody can say.
type Worst struct {
	USD     catalog.Decimal `json:"usd,omitempty"`
	Unknown string          `json:"unknown,omitempty"`
	Lines   []WorstLine     `json:"lines"`
	// FundingFeePercent is what the provider takes when credit is bought: beside the
	// bound, for no call is charged with it.
	FundingFeePercent catalog.Decimal `json:"funding_fee_percent,omitempty"`
}

// A WorstLine is a count that bounds the cost, and what each of it may be billed
// as; the dearest counts.
type WorstLine struct {
	Meters []string           `json:"meters"`
	AtMost catalog.Opt[int64] `json:"at_most,omitzero"` // unknown: nothing caps it
}

// asking is what every request can do, whatever its type.
type asking interface {
	Operation() *op.Operation
	Needs(*op.Needs) error
}

// Try tells whether an order would be admitted. A refusal is an answer; the error
// is one of the request or the terms themselves.
func (o Order) Try(c *catalog.Catalog) (Admission, error) {
	a := Admission{Operation: o.Operation, Route: o.Route}
	request, ok := o.Request.(asking)
	if !ok {
		return a, errNoMember
	}
	var n op.Needs
	if err := request.Needs(&n); err != nil {
		return a, err
	}
	var g grant
	asked := slices.Clone(n.Settings)
	switch err := admit(c, o.Route, request.Operation(), &n, &o.Terms, &g); {
	case err == nil:
	case errors.As(err, &a.Refusal):
		return a, nil
	default:
		return a, err
	}
	a.Admitted, a.Grant = true, g.report(&n, asked)
	return a, nil
}

func (g *grant) report(n *op.Needs, asked []op.SettingValue) *Grant {
	g.fill(n)
	r, w := g.route, &g.route.wires[g.match.wire]
	out := &Grant{Row: r.row.ID, Chain: g.names(), WireModel: g.model, Region: g.match.region, Protocol: w.name, APIVersion: w.version,
		Dialect: w.dialect, URL: g.url, Credential: g.credential(), Settings: []Honoured{}, OutputMost: g.match.outputMost,
		Price: r.worstOf(n, g), At: g.at, Catalog: g.digest, ContractDigest: r.digest}
	if e := r.contract.Evidence; e != nil {
		out.Support = e.Support
	}
	for _, s := range n.Settings {
		out.Settings = append(out.Settings, Honoured{s.Name, s.Value.String(), !slices.Contains(asked, s)})
	}
	return out
}

// worstOf bounds the cost whether or not a bound was asked for.
func (r *route) worstOf(n *op.Needs, g *grant) Worst {
	most := r.most(n, &g.match)
	out := Worst{Lines: []WorstLine{}, FundingFeePercent: r.provider.PlatformFeePercent}
	line := func(count int64, meters ...string) {
		if len(meters) == 0 || count == 0 {
			return
		}
		l := WorstLine{Meters: meters}
		if count > 0 {
			l.AtMost = catalog.Known(count)
		}
		out.Lines = append(out.Lines, l)
	}
	line(most.Input, most.InputMeters...)
	line(most.Output, most.OutputMeters...)
	for _, o := range most.Others {
		line(o.Count, o.Meter)
	}
	if r.bills("request") {
		line(1, "request")
	}
	worst, gap := r.bound(n, g.at, &g.match)
	if gap != nil {
		out.Unknown = gap.Error()
		return out
	}
	out.USD = worst.Decimal()
	return out
}

// Environment names the environment variables that fill the holes of the route's
// endpoints, by hole. A host reads those that it lets a request read, and puts what
// they hold into Terms.Variables; admission itself reads none.
func (o Order) Environment(c *catalog.Catalog) map[string]string {
	operation := Lookup(o.Operation)
	if operation == nil {
		return nil
	}
	r, refusal := find(c, o.Route, operation, &chain{})
	if refusal != nil {
		return nil
	}
	names := map[string]string{}
	for i := range r.wires {
		if e := r.wires[i].endpoint; e != nil {
			for hole, v := range e.Variable {
				if v.Env != "" {
					names[hole] = v.Env
				}
			}
		}
	}
	return names
}
