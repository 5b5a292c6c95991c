package operations

import (
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/opcat/opcat/catalog"
	"github.com/opcat/opcat/operations/op"
)

// Terms are what a caller demands of a route beside the request itself. The zero
// Terms demand nothing and judge at the catalog's own date.
type Terms struct {
	At        time.Time          // lifecycle and prices are judged at it; zero: the catalog's as-of date
	MaxUSD    catalog.Decimal    // the worst case may cost no more; unknown: no bound is asked
	Region    string             // dial this region of the row
	Support   string             // a contract at least as well evidenced: declared, documented or probed
	Variables map[string]string  // values of the endpoint's variables, by name
	MaxAge    catalog.Opt[int64] // seconds between the catalog's as-of date and At
	Protocol  string             // of a contract with several protocols, only this one
}

// An Admitted is a request that a route may serve. Only Admit makes one, and only
// an Admitted can be dispatched. It never changes: what the caller does to the
// request afterwards does not reach it.
type Admitted[R op.Request[R]] struct {
	a *admission[R]
}

type admission[R op.Request[R]] struct {
	request  R
	settings []op.SettingValue
	row      *catalog.Row
	contract *catalog.Contract
	provider *catalog.Provider
	protocol string
	url      string
	model    string
	version  string
	dialect  string
	digest   string
}

// Admit decides whether a route may serve a request. It opens no connection and
// reads no clock and no environment. The error is a *Refusal, or an error of the
// request itself.
func Admit[R op.Request[R]](c *catalog.Catalog, route string, request R, t Terms) (Admitted[R], error) {
	operation := request.Operation()
	row, ok := c.Row(route)
	if !ok {
		return Admitted[R]{}, &Refusal{Code: UnknownRoute, Route: route, Operation: operation.Name, Message: "the catalog has no such row"}
	}
	contract, ok := row.Contract(operation.Name)
	if !ok {
		return Admitted[R]{}, &Refusal{Code: OperationUnsupported, Route: route, Operation: operation.Name, Message: "the row has no contract for it"}
	}
	provider, _ := c.Provider(row.Provider)
	kept := request.Keep()
	if err := kept.Request.Needs(&kept.Needs); err != nil {
		return Admitted[R]{}, err
	}
	a := &admission[R]{request: kept.Request, settings: kept.Needs.Settings, row: &row, contract: &contract, provider: &provider, model: row.WireModel, digest: c.Digest()}
	for _, p := range contract.Protocol {
		i := slices.IndexFunc(operation.Protocols, func(q op.Protocol) bool { return q.Name == p.Name && q.Codec })
		if e, ok := provider.Endpoint[p.Name]; ok && i >= 0 && (t.Protocol == "" || t.Protocol == p.Name) {
			a.protocol, a.url, a.version, a.dialect = p.Name, strings.ReplaceAll(e.URL, "{model}", url.PathEscape(a.model)), e.APIVersion, e.Dialect
			break
		}
	}
	if a.protocol == "" {
		return Admitted[R]{}, &Refusal{Code: NoProtocol, Route: route, Operation: operation.Name, Message: "no protocol of the contract has an endpoint and a codec"}
	}
	if contract.APIVersion != "" {
		a.version = contract.APIVersion
	}
	if contract.Dialect != "" {
		a.dialect = contract.Dialect
	}
	return Admitted[R]{a}, nil
}
