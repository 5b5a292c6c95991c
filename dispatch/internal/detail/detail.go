// Package detail reads the errors of servers that say what is wrong under one of
// a few names at the top of the body: "detail", a text or a list as FastAPI
// writes it, "message", or "error" with "error_type".
package detail

import (
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/opcat/opcat/dispatch/wire"
)

type body struct {
	Detail    jsontext.Value `json:"detail"`
	Error     jsontext.Value `json:"error"`
	ErrorType jsontext.Value `json:"error_type"`
	Type      jsontext.Value `json:"type"`
}

// types are the words that say more than the status does, in lower case: servers
// write them in both.
var types = map[string]wire.Kind{
	"overloaded": wire.Overloaded,
	"unhealthy":  wire.Overloaded,
	"tokenizer":  wire.BadRequest,
	"backend":    wire.ServerError,
}

// statuses are those that mean something of their own beside what they always do.
var statuses = map[int]wire.Kind{
	424: wire.ServerError,  // the model failed, or is of another kind than the route needs
	498: wire.Unauthorized, // an invalid token
	502: wire.Overloaded,
	504: wire.Overloaded,
}

// Failure is what a response outside 2xx means, or one with an error where an
// answer belongs; nil if it is neither. What the server echoes of the request is
// never kept: of a list of details only the kind of each is.
func Failure(r wire.Response) *wire.Failure {
	var b body
	_ = json.Unmarshal(r.Body, &b) // a body that cannot be read says nothing
	word := text(b.ErrorType)
	if word == "" {
		word = text(b.Type)
	}
	if r.Status >= 200 && r.Status < 300 {
		if len(b.Error) == 0 || b.Error.Kind() == 'n' {
			return nil
		}
		f := wire.StatusFailure(r, word)
		f.Kind, f.Message = wire.ServerError, "an error in an answer with a status of success"
		return f
	}
	f := wire.StatusFailure(r, word)
	if k, ok := statuses[r.Status]; ok {
		f.Kind = k
	}
	if k, ok := types[strings.ToLower(word)]; ok {
		f.Kind = k
	}
	if f.Vendor == "" {
		f.Vendor = wire.Bounded(kinds(b.Detail))
	}
	return f
}

// text is a word of the body; "" if there is something else in its place, which
// must not hide an error beside it.
func text(v jsontext.Value) (s string) {
	if v.Kind() == '"' {
		_ = json.Unmarshal(v, &s) // a JSON string decodes into a string
	}
	return s
}

// kinds are the types of a list of details.
func kinds(v jsontext.Value) string {
	var list []struct {
		Type string `json:"type"`
	}
	if v.Kind() != '[' || json.Unmarshal(v, &list) != nil {
		return ""
	}
	words := make([]string, len(list))
	for i, d := range list {
		words[i] = d.Type
	}
	return strings.Join(words, ",")
}
