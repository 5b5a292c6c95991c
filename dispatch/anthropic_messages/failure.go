package anthropic_messages

import (
	"strings"

	"github.com/go-json-experiment/json"

	"github.com/opcat/opcat/dispatch/wire"
)

// errorBody is {"type":"error","error":{"type","message"},"request_id"}.
type errorBody struct {
	Type  string `json:"type"`
	Error *struct {
		Type string `json:"type"`
		Code string `json:"error_code"`
	} `json:"error"`
	RequestID string `json:"request_id"`
}

// types are the error types that say more than the status does.
var types = map[string]wire.Kind{
	"invalid_request_error": wire.BadRequest,
	"authentication_error":  wire.Unauthorized,
	"billing_error":         wire.QuotaExhausted,
	"permission_error":      wire.Unauthorized,
	"not_found_error":       wire.ModelMissing,
	"request_too_large":     wire.InputTooLong,
	"rate_limit_error":      wire.RateLimited,
	"timeout_error":         wire.ServerError,
	"api_error":             wire.ServerError,
	"overloaded_error":      wire.Overloaded,
	"conflict_error":        wire.BadRequest,
}

// failure is what a response outside 2xx means, or one with an error where an
// answer belongs; nil if it is neither. The message is not kept: it may repeat
// what the caller sent.
func failure(r wire.Response) *wire.Failure {
	var b errorBody
	_ = json.Unmarshal(r.Body, &b) // a body that cannot be read says nothing
	success := r.Status >= 200 && r.Status < 300
	if success && (b.Error == nil && b.Type != "error") {
		return nil
	}
	word := ""
	if b.Error != nil {
		word = b.Error.Type
	}
	f := wire.StatusFailure(r, word)
	if success {
		f.Kind, f.Message = wire.ServerError, "an error in an answer with a status of success"
	}
	if kind, ok := types[word]; ok {
		f.Kind = kind
	}
	if b.Error != nil && f.Kind == wire.RateLimited && limitOfSpend(b.Error.Code) {
		f.Kind, f.Vendor = wire.QuotaExhausted, wire.Bounded(b.Error.Code) // also a 429, and a later request will not do
	}
	if f.RequestID = r.Header.Get("Request-Id"); f.RequestID == "" {
		f.RequestID = b.RequestID
	}
	return f
}

func limitOfSpend(code string) bool {
	return strings.HasSuffix(code, "spend_limit_reached") || code == "ramp_limit_exceeded"
}
