package systemone

import (
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/opcat/opcat/dispatch/wire"
)

// tooLong is what servers call an over-long request, at one of three places.
const tooLong = "max_tokens_exceeded"

type errorBody struct {
	Detail jsontext.Value `json:"detail"` // a text, a list as FastAPI writes it, or an object with error_type
	Error  jsontext.Value `json:"error"`  // a text, or an object with code and type
}

type errorWords struct {
	ErrorType string         `json:"error_type"`
	Type      string         `json:"type"`
	Code      jsontext.Value `json:"code"` // a text or a number
}

var kinds = map[string]wire.Kind{
	tooLong:             wire.InputTooLong,
	"request_too_large": wire.InputTooLong,
	"unauthorized":      wire.Unauthorized,
	"model_not_found":   wire.ModelMissing,
	"model_not_ready":   wire.Overloaded,
	"loading":           wire.Overloaded,
	"request_refused":   wire.Refused,
	"invalid_request":   wire.BadRequest,
	"bad_request":       wire.BadRequest,
	"internal_error":    wire.ServerError,
}

// Failure is what a response outside 2xx means, or one with an error member; nil
// if it is neither. Details repeat what the caller sent, so of a list only the
// kinds are kept.
func Failure(r wire.Response) *wire.Failure {
	var b errorBody
	_ = json.Unmarshal(r.Body, &b) // a body that cannot be read says nothing
	word := said(b.Error)
	if word == "" {
		word = said(b.Detail)
	}
	success := r.Status >= 200 && r.Status < 300
	if success && (len(b.Error) == 0 || b.Error.Kind() == 'n') {
		return nil
	}
	f := wire.StatusFailure(r, word)
	if success {
		f.Kind, f.Message = wire.ErrorInside(word), "an error in an answer with a status of success"
	}
	if k, ok := kinds[word]; ok {
		f.Kind = k
	}
	return f
}

// said is the word that an error says for machines.
func said(v jsontext.Value) string {
	var s string
	var o errorWords
	var list []errorWords
	switch v.Kind() {
	case '"':
		if json.Unmarshal(v, &s) != nil || kinds[s] == "" {
			return "" // a sentence, which may repeat the request
		}
		return s
	case '[':
		if json.Unmarshal(v, &list) == nil && len(list) > 0 {
			return list[0].Type
		}
	case '{':
		if json.Unmarshal(v, &o) != nil {
			return ""
		}
		if o.Code.Kind() == '"' {
			_ = json.Unmarshal(o.Code, &s) // a JSON string decodes into a string
		} else if o.Code.Kind() == '0' {
			s = string(o.Code)
		}
		for _, word := range []string{s, o.ErrorType, o.Type} {
			if word != "" {
				return word
			}
		}
	}
	return ""
}
