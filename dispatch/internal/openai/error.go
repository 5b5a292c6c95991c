// Package openai reads what the protocols that follow OpenAI's have in common.
package openai

import (
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/opcat/opcat/dispatch/wire"
)

// errorBody is {"error":{"message","type","param","code"}}; some servers write a
// number as the code, or a string in place of the object.
type errorBody struct {
	Error jsontext.Value `json:"error"`
}

type errorObject struct {
	Type string         `json:"type"`
	Code jsontext.Value `json:"code"`
}

// codes are the vendor's codes and types that say more than the status does. A
// 429 has two meanings: a later request may do, or none will.
var codes = map[string]wire.Kind{
	"rate_limit_exceeded":           wire.RateLimited,
	"insufficient_quota":            wire.QuotaExhausted,
	"credit_balance_exhausted":      wire.QuotaExhausted,
	"billing_hard_limit_reached":    wire.QuotaExhausted,
	"server_is_overloaded":          wire.Overloaded,
	"slow_down":                     wire.Overloaded,
	"service_unavailable_error":     wire.Overloaded,
	"context_length_exceeded":       wire.InputTooLong,
	"string_above_max_length":       wire.InputTooLong,
	"content_filter":                wire.Filtered,
	"content_policy_violation":      wire.Filtered,
	"model_not_found":               wire.ModelMissing,
	"invalid_api_key":               wire.Unauthorized,
	"authentication_error":          wire.Unauthorized,
	"server_error":                  wire.ServerError,
	"invalid_prompt":                wire.BadRequest,
	"bio_policy":                    wire.Filtered,
	"misalignment_policy_violation": wire.Filtered,
}

// ErrorCode is the code of an error body, or its type; "" if the body holds no
// error.
func ErrorCode(body []byte) (code string, ok bool) {
	var b errorBody
	if json.Unmarshal(body, &b) != nil || len(b.Error) == 0 || b.Error.Kind() == 'n' {
		return "", false
	}
	var o errorObject
	if json.Unmarshal(b.Error, &o) != nil {
		return "", true
	}
	switch o.Code.Kind() {
	case '"':
		_ = json.Unmarshal(o.Code, &code) // a JSON string decodes into a string
	case '0':
		code = string(o.Code)
	}
	if code == "" {
		code = o.Type
	}
	return code, true
}

// Failure is what a response without a result means: one outside 2xx, or one
// with an error member where an answer belongs. It is nil if the response is
// neither.
func Failure(r wire.Response) *wire.Failure {
	code, isError := ErrorCode(r.Body)
	if r.Status >= 200 && r.Status < 300 {
		if !isError {
			return nil
		}
		f := wire.StatusFailure(r, code)
		f.Kind, f.Message = wire.ErrorInside(code), "an error in an answer with a status of success"
		if k, ok := codes[code]; ok {
			f.Kind = k
		}
		return f
	}
	f := wire.StatusFailure(r, code)
	if !isError && !jsontext.Value(r.Body).IsValid() {
		f.Message += ", and its body is not JSON"
	}
	if k, ok := codes[code]; ok {
		f.Kind = k
	}
	f.RequestID = r.Header.Get("X-Request-Id")
	return f
}
