package operations

import "fmt"

// A Code is why a route may not serve a request. The list is closed, and it is
// one list for selection, admission and the outcomes of predicates.
type Code string

// The codes of refusals.
const (
	UnknownRoute         Code = "UNKNOWN_ROUTE"         // no such row: an unserved sibling id, a removed row
	RouteEnded           Code = "ROUTE_ENDED"           // past its end at the date of the request
	UnknownOperation     Code = "UNKNOWN_OPERATION"     // not a member of the registry
	OperationUnsupported Code = "OPERATION_UNSUPPORTED" // the row has no contract for it
	NoProtocol           Code = "NO_PROTOCOL"           // no endpoint, or no codec, for any protocol of the contract
	UnsupportedOptions   Code = "UNSUPPORTED_OPTIONS"   // a setting, value, combination or kind that is refused, unmet or unknown
	LimitExceeded        Code = "LIMIT_EXCEEDED"        // a size, count or window of the route
	PriceUnknown         Code = "PRICE_UNKNOWN"         // a bound is asked and a meter has no fixed price
	BoundUnenforceable   Code = "BOUND_UNENFORCEABLE"   // nothing caps a billed meter
	PriceAboveBound      Code = "PRICE_ABOVE_BOUND"     // the worst case exceeds the bound
	OriginDenied         Code = "ORIGIN_DENIED"         // the credential may not go to that origin
	ConstraintUnmet      Code = "CONSTRAINT_UNMET"      // provider, region, data policy, support level
	SnapshotExpired      Code = "SNAPSHOT_EXPIRED"      // the catalog is older than the policy allows
)

// A Refusal says why a route may not serve a request, for a caller at run time.
type Refusal struct {
	Code      Code     `json:"code"`
	Route     string   `json:"route"` // the row's id as it was asked for
	Operation string   `json:"operation"`
	Message   string   `json:"message"`           // one line, lower case, no final period
	Field     string   `json:"field,omitempty"`   // the setting, limit, kind or constraint that is not met
	Got       string   `json:"got,omitempty"`     // what was asked
	Allowed   []string `json:"allowed,omitempty"` // what the route takes, when that is a closed set
	Help      string   `json:"help,omitempty"`    // how to mend the request; empty when it would be a guess
}

func (r *Refusal) Error() string {
	s := fmt.Sprintf("%s %s for %s: %s", r.Code, r.Route, r.Operation, r.Message)
	if r.Help != "" {
		s += "; " + r.Help
	}
	return s
}

// Codes lists the codes of refusals in the order in which they are judged.
func Codes() []Code {
	return []Code{UnknownOperation, SnapshotExpired, UnknownRoute, OperationUnsupported, RouteEnded, ConstraintUnmet, NoProtocol,
		UnsupportedOptions, LimitExceeded, OriginDenied, PriceUnknown, BoundUnenforceable, PriceAboveBound}
}
