// Package ollama reads the errors of Ollama's own protocols.
package ollama

import (
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/opcat/opcat/dispatch/wire"
)

// Failure is what a response outside 2xx means, or one with {"error":"..."} where
// an answer belongs; nil if it is neither. The text of an error is not kept: it
// may hold what the caller sent.
func Failure(r wire.Response) *wire.Failure {
	if r.Status < 200 || r.Status >= 300 {
		return wire.StatusFailure(r, "")
	}
	var b struct {
		Error jsontext.Value `json:"error"`
	}
	if json.Unmarshal(r.Body, &b) != nil || len(b.Error) == 0 || b.Error.Kind() == 'n' {
		return nil
	}
	f := wire.StatusFailure(r, "")
	f.Kind, f.Message = wire.ServerError, "an error in an answer with a status of success"
	return f
}
