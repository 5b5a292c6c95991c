package wire

import (
	"errors"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// BadAnswer is a response that is not what its protocol or its request promises.
// The error says where and what; it must not repeat what the caller sent.
func BadAnswer(r Response, err error) *Failure {
	return &Failure{Kind: Invalid, Message: bounded(words(err), maxMessage), Status: r.Status}
}

// words says an error of the JSON packages without their names for our types.
func words(err error) string {
	if syntax, ok := errors.AsType[*jsontext.SyntacticError](err); ok {
		if syntax.JSONPointer == "" {
			return "not JSON: " + syntax.Err.Error()
		}
		return "not JSON at " + string(syntax.JSONPointer) + ": " + syntax.Err.Error()
	}
	semantic, ok := errors.AsType[*json.SemanticError](err)
	if !ok {
		return err.Error()
	}
	what := "a value of another type"
	switch {
	case semantic.Err != nil:
		what = semantic.Err.Error()
	case semantic.JSONKind != 0:
		what = "got " + kindWord(semantic.JSONKind) + ", which is not what belongs there"
	}
	if semantic.JSONPointer == "" {
		return what
	}
	return string(semantic.JSONPointer) + ": " + what
}
