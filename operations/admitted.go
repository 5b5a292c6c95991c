package operations

import (
	"maps"
	"slices"
	"time"

	"github.com/opcat/opcat/catalog"
	"github.com/opcat/opcat/internal/lent"
	"github.com/opcat/opcat/operations/op"
	"github.com/opcat/opcat/operations/price"
)

// IsZero reports whether nothing was admitted: a value that Admit did not make,
// which dispatch refuses.
func (a Admitted[R]) IsZero() bool { return a.grant.token != minted }

// Request is a copy of what was admitted.
func (a Admitted[R]) Request() (r R) {
	if a.IsZero() {
		return r
	}
	return a.request.Keep()
}

// Lent is what was admitted itself, for codecs, which only read it: nothing that its
// lists, maps and pointers hold may be changed. Without a valid pass it is a copy.
func (a Admitted[R]) Lent(p lent.Pass) (r R) {
	if a.IsZero() || !p.Valid() {
		return a.Request()
	}
	return a.request
}

// Settings are the options that the route will honour, in the registry's order:
// what the caller asked for and, where it has to be sent, the cap on the output
// that admission computed.
func (a Admitted[R]) Settings() []op.SettingValue {
	if a.IsZero() {
		return nil
	}
	var n op.Needs
	_ = a.request.Needs(&n) // it was admitted
	a.grant.fill(&n)
	return n.Settings
}

// OutputCap is how many output tokens are to be sent as the cap: as asked for,
// lowered or computed. Unknown: none is sent.
func (a Admitted[R]) OutputCap() (n catalog.Opt[int64]) {
	if a.grant.match.send {
		return a.grant.match.outputMost
	}
	return n
}

// OutputMost is how many output tokens can come, whether by a cap that is sent or
// by what the row writes and its context has room for; unknown if nothing says so.
func (a Admitted[R]) OutputMost() catalog.Opt[int64] { return a.grant.match.outputMost }

// RowID is the id of the row: provider/wire_model.
func (a Admitted[R]) RowID() string {
	if a.IsZero() {
		return ""
	}
	return a.grant.route.row.ID
}

// Chain is how the name that was asked for led to the model: the name, an alias
// that it stands for, the row, and the row seen behind a selector. Each stands
// once.
func (a Admitted[R]) Chain() []string {
	if a.IsZero() {
		return nil
	}
	return a.grant.names()
}

func (g *grant) names() []string {
	row := g.route.row
	var names []string
	for _, name := range []string{g.chain.asked, g.chain.alias.Through, row.ID, row.Current} {
		if name != "" && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// WireModel is the model as it is dialled, in the region that serves.
func (a Admitted[R]) WireModel() string { return a.grant.model }

// Region is the region that serves; "" if nothing names one.
func (a Admitted[R]) Region() string { return a.grant.match.region }

// Protocol is the wire encoding.
func (a Admitted[R]) Protocol() string {
	if a.IsZero() {
		return ""
	}
	return a.wire().name
}

func (a *Admitted[R]) wire() *wire { return &a.grant.route.wires[a.grant.match.wire] }

// URL is the endpoint with its holes filled, the model's too.
func (a Admitted[R]) URL() string { return a.grant.url }

// APIVersion is the version of the protocol that the contract or its endpoint
// names; "" if neither does.
func (a Admitted[R]) APIVersion() string {
	if a.IsZero() {
		return ""
	}
	return a.wire().version
}

// Dialect is the dialect of the protocol; "" for the plain wire.
func (a Admitted[R]) Dialect() string {
	if a.IsZero() {
		return ""
	}
	return a.wire().dialect
}

// A Credential says which secret a request needs and where it may go. It holds no
// secret.
type Credential struct {
	Scheme  string   `json:"scheme"`            // bearer, header, query, aws_sigv4, gcp_adc or none
	Env     []string `json:"env,omitempty"`     // the variables that hold it; the first that is set wins
	Header  string   `json:"header,omitempty"`  // the header's name, of scheme header
	Query   string   `json:"query,omitempty"`   // the parameter's name, of scheme query
	Origins []string `json:"origins,omitempty"` // the only origins it may be sent to
}

// Credential is what the request is sent with.
func (a Admitted[R]) Credential() Credential {
	if a.IsZero() {
		return Credential{}
	}
	return a.grant.credential()
}

func (g *grant) credential() Credential {
	c := g.route.provider.Credential
	if c == nil {
		return Credential{Scheme: "none"}
	}
	return Credential{Scheme: c.Scheme, Env: slices.Clone(c.Env), Header: c.Header, Query: c.Query, Origins: slices.Clone(g.origin)}
}

// Headers are the provider's fixed headers.
func (a Admitted[R]) Headers() map[string]string {
	if a.IsZero() {
		return nil
	}
	return maps.Clone(a.grant.route.provider.Headers)
}

// Contract is the row's promise. It is not to be changed.
func (a Admitted[R]) Contract() *catalog.Contract {
	if a.IsZero() {
		return nil
	}
	return a.grant.route.contract
}

// Row is what serves. It is not to be changed.
func (a Admitted[R]) Row() *catalog.Row {
	if a.IsZero() {
		return nil
	}
	return a.grant.route.row
}

// Provider is who serves. It is not to be changed.
func (a Admitted[R]) Provider() *catalog.Provider {
	if a.IsZero() {
		return nil
	}
	return a.grant.route.provider
}

// Digest is the digest of the catalog that admitted it.
func (a Admitted[R]) Digest() string { return a.grant.digest }

// ContractDigest is the digest of the contract's text.
func (a Admitted[R]) ContractDigest() string {
	if a.IsZero() {
		return ""
	}
	return a.grant.route.digest
}

// At is the date at which it was judged.
func (a Admitted[R]) At() time.Time { return a.grant.at }

// PriceBound is the most that the call can cost, exactly; false if no bound was
// asked for.
func (a Admitted[R]) PriceBound() (price.Amount, bool) {
	return a.grant.worst, a.grant.bound && !a.IsZero()
}

// Prices are the row's prices, and Call what they depend on in this request.
func (a Admitted[R]) Prices() *price.Sheet {
	if a.IsZero() {
		return nil
	}
	return a.grant.route.sheet
}

// PricesOf are the prices of the row that serves a model by its wire id, at the same
// provider; false if the catalog has none.
func (a Admitted[R]) PricesOf(wireModel string) (*price.Sheet, bool) {
	if a.IsZero() {
		return nil, false
	}
	from := a.grant.route
	ref, ok := from.ref.Sibling(wireModel)
	if !ok {
		return nil, false
	}
	if r := routeOf(from.catalog, ref, from.op); r != nil {
		return r.sheet, true
	}
	return price.Compile(ref.Row().Price), true
}

// Call is what prices depend on beside usage.
func (a Admitted[R]) Call() price.Call {
	if a.IsZero() {
		return price.Call{}
	}
	g := &a.grant
	return g.route.call(g.tier, g.life, g.at, &g.match)
}
