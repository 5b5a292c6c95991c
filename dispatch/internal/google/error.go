// Package google reads the errors that Google's APIs have in common.
package google

import (
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/opcat/opcat/dispatch/wire"
)

// body is {"error":{"code","message","status","details"}}.
type body struct {
	Error jsontext.Value `json:"error"`
}

type object struct {
	Status  string   `json:"status"`
	Details []detail `json:"details"`
}

type detail struct {
	Type       string `json:"@type"`
	RetryDelay string `json:"retryDelay"` // of google.rpc.RetryInfo: "12s", "0.5s"
	Reason     string `json:"reason"`     // of google.rpc.ErrorInfo
}

// reasons are those that say more than the status does.
var reasons = map[string]wire.Kind{
	"API_KEY_INVALID": wire.Unauthorized, // with HTTP 400
	"API_KEY_EXPIRED": wire.Unauthorized,
}

var statuses = map[string]wire.Kind{
	"RESOURCE_EXHAUSTED":  wire.RateLimited,
	"UNAVAILABLE":         wire.Overloaded,
	"INVALID_ARGUMENT":    wire.BadRequest,
	"FAILED_PRECONDITION": wire.BadRequest,
	"NOT_FOUND":           wire.ModelMissing,
	"UNAUTHENTICATED":     wire.Unauthorized,
	"PERMISSION_DENIED":   wire.Unauthorized,
	"INTERNAL":            wire.ServerError,
	"DEADLINE_EXCEEDED":   wire.ServerError,
}

// Failure is what a response outside 2xx means, or one with an error where an
// answer belongs; nil if it is neither. What a message says is not kept: it may
// repeat what the caller sent.
func Failure(r wire.Response) *wire.Failure {
	b := read(r.Body)
	isError := len(b.Error) > 0 && b.Error.Kind() != 'n'
	success := r.Status >= 200 && r.Status < 300
	if success && !isError {
		return nil
	}
	var o object
	if isError {
		_ = json.Unmarshal(b.Error, &o) // what it does not say stays unknown
	}
	f := wire.StatusFailure(r, o.Status)
	if success {
		f.Kind, f.Message = wire.ServerError, "an error in an answer with a status of success"
	}
	if k, ok := statuses[o.Status]; ok {
		f.Kind = k
	}
	for _, d := range o.Details {
		if after := wire.Seconds(d.RetryDelay); after.IsKnown() {
			f.RetryAfterMS = after
		}
		if k, ok := reasons[d.Reason]; ok {
			f.Kind, f.Vendor = k, wire.Bounded(d.Reason)
		}
	}
	return f
}

// read reads a body, which may be wrapped in a list of one. What cannot be read
// says nothing.
func read(data []byte) (b body) {
	if jsontext.Value(data).Kind() != '[' {
		_ = json.Unmarshal(data, &b)
		return b
	}
	var list []body
	if json.Unmarshal(data, &list) == nil && len(list) == 1 {
		b = list[0]
	}
	return b
}
