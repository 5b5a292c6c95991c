// Package wire is what a codec and the transport hand each other: a request
// without credentials, a response, and the ways in which a call can fail.
//
// It opens no connection and knows no protocol.
package wire

import (
	"net/http"

	"github.com/opcat/opcat/catalog"
	"github.com/opcat/opcat/operations/price"
)

// A Request is one POST as a codec makes it. The transport adds the credential.
type Request struct {
	URL    string
	Header http.Header // content type and the protocol's own headers; never a credential
	Body   []byte
}

// A Response is one whole answer, bounded by the transport.
type Response struct {
	Status int
	Header http.Header
	Body   []byte
}

// An Answer is what a codec read from a response that holds a result.
type Answer[A any] struct {
	Result A `json:"result"`
	Meta
}

// Meta is what a response says beside its result. A Failure can carry it too: a
// refusal is billed.
type Meta struct {
	Usage       price.Usage     `json:"usage"`                  // canonical; empty lines: unknown
	UsageError  string          `json:"usage_error,omitempty"`  // why the usage could not be read; the result stands, the cost is unknown
	Served      string          `json:"served,omitempty"`       // the model as the answer names it, verbatim; empty: it does not say
	ServiceTier string          `json:"service_tier,omitempty"` // the tier that served, where the answer says so
	RequestID   string          `json:"request_id,omitempty"`   // the vendor's name for the call
	VendorUSD   catalog.Decimal `json:"vendor_usd,omitempty"`   // what the vendor says it cost, where it does
}

// A Kind tells failures apart. None of them is a result, and none becomes one by
// coercion.
type Kind string

// The kinds of failures.
const (
	Refused         Kind = "refused"               // the model declined
	Truncated       Kind = "output_truncated"      // cut off by a cap or the window
	Filtered        Kind = "filtered"              // stopped or blocked by a filter
	InputTruncated  Kind = "input_truncated"       // the server dropped a part of the input
	Invalid         Kind = "schema_invalid"        // the answer is not what the protocol or the request promises
	ModelMismatch   Kind = "served_model_mismatch" // another model served than the one admitted
	ModelUnnamed    Kind = "served_model_missing"  // the contract promises the model's name, and the answer has none
	HiddenAttempts  Kind = "hidden_attempts"       // a gateway made several requests behind one
	RateLimited     Kind = "rate_limited"          // too many requests; a later one may do
	QuotaExhausted  Kind = "quota_exhausted"       // no credit or allowance; a later one will not do
	Overloaded      Kind = "overloaded"            // the server has no room now
	Unauthorized    Kind = "unauthorized"          // the credential is missing, wrong or not allowed
	ModelMissing    Kind = "model_missing"         // the server does not know the model
	BadRequest      Kind = "bad_request"           // the server would not take the request
	InputTooLong    Kind = "input_too_long"        // the server measured more input than it takes
	ServerError     Kind = "server_error"          // the server failed
	RedirectRefused Kind = "redirect_refused"      // the server points elsewhere, and nothing was sent there
	TimedOut        Kind = "timeout"               // the deadline of the call passed
	Cancelled       Kind = "cancelled"             // the caller gave up
	BodyLimit       Kind = "body_limit"            // the answer is larger than the client takes
	EncodingRefused Kind = "encoding_refused"      // the answer is encoded in a way that nobody asked for
	TransportFailed Kind = "transport_failed"      // no whole answer arrived
)

// A Failure is a call without a result.
type Failure struct {
	Kind         Kind               `json:"kind"`
	Message      string             `json:"message"`                 // one line in our words; never what the caller sent
	Vendor       string             `json:"vendor,omitempty"`        // the vendor's own code or word, verbatim and bounded
	Status       int                `json:"status,omitzero"`         // of HTTP; 0: no response
	RetryAfterMS catalog.Opt[int64] `json:"retry_after_ms,omitzero"` // when to try again, as the response says; absent is not zero
	Withheld     any                `json:"withheld,omitempty"`      // what was read and is no result, of the operation's own type: to find out why, not to act on
	Meta
}

func (f *Failure) Error() string {
	s := string(f.Kind) + ": " + f.Message
	if f.Vendor != "" {
		s += " (" + f.Vendor + ")"
	}
	return s
}
