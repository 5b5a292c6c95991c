package dispatch

import "github.com/opcat/opcat/catalog"

// A Report is what is known of a call beside its answer. It holds no credential
// and nothing of the request's content.
type Report struct {
	Attempts     int                `json:"attempts"`                // requests that went out: 0 or 1
	Boundary     Boundary           `json:"boundary"`                // how far the request came
	Proof        NotDispatched      `json:"-"`                       // valid only where the boundary is NeverConnected
	Status       int                `json:"status,omitzero"`         // of HTTP; absent: no response
	Unbilled     bool               `json:"unbilled,omitzero"`       // the endpoint bills no answer of this status
	Served       Served             `json:"served"`                  // which model the answer says it is from
	RequestID    string             `json:"request_id,omitempty"`    // the vendor's name for the call; empty: it gave none
	RetryAfterMS catalog.Opt[int64] `json:"retry_after_ms,omitzero"` // when to try again, as the response says; absent is not zero
}

// A Boundary is how far a request came: what may have been billed.
type Boundary string

// The boundaries. Only the first proves that nothing was spent.
const (
	NeverConnected Boundary = "never_connected" // no connection was had, so not a byte was sent
	Sent           Boundary = "sent"            // it had a connection, and no whole answer arrived
	Complete       Boundary = "complete"        // a whole answer arrived
)

// NotDispatched proves that a request was not sent and never will be. Only this
// package makes a valid one: for a ticket that was abandoned, or that never got a
// connection. The zero value proves nothing.
type NotDispatched struct{ proven bool }

// Valid reports whether it proves anything.
func (n NotDispatched) Valid() bool { return n.proven }
