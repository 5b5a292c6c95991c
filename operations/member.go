package operations

import (
	"errors"
	"strconv"
	"sync"

	"github.com/go-json-experiment/json"

	"github.com/opcat/opcat/diag"
	"github.com/opcat/opcat/operations/op"
	"github.com/opcat/opcat/operations/typed"
)

// A member is one operation with the Go types of its request and its result.
type member struct {
	operation *op.Operation
	of        any // a nil pointer to a request, for its type
	request   func() *typed.Type
	result    func() *typed.Type
	decode    func([]byte) (any, error) // a request, R
}

// of makes the member whose request is R and whose result is A.
func of[R op.Request[R], A any]() member {
	var r R
	o := r.Operation()
	m := member{
		operation: o,
		of:        (*R)(nil),
		request:   sync.OnceValue(func() *typed.Type { return typed.Of[R](o, "request") }),
		result:    sync.OnceValue(func() *typed.Type { return typed.Of[A](o, "result") }),
	}
	m.decode = func(data []byte) (any, error) { return decode[R](m.request(), data) }
	return m
}

func decode[T any](t *typed.Type, data []byte) (T, error) {
	var v, none T
	if err := t.Decode(data, &v); err != nil {
		return none, err
	}
	return v, nil
}

// memberFor gives a member by the type of its requests; nil if they are none of the
// registry's, whatever operation they name. It looks at no request: one is long.
func memberFor[R any]() *member {
	t := any((*R)(nil))
	for i := range members {
		if members[i].of == t {
			return &members[i]
		}
	}
	return nil
}

// memberOf gives a member by its operation; nil if it is none of the registry.
func memberOf(o *op.Operation) *member {
	for i := range members {
		if members[i].operation == o {
			return &members[i]
		}
	}
	return nil
}

// errNoMember refuses types that stand for no operation of the registry.
var errNoMember = errors.New("the type stands for no operation of the registry")

// DecodeRequest reads the JSON of a request, as its operation's request.schema.json
// says it: a name that is unknown, twice there or in the wrong case, a value of the
// wrong type, a word outside its set and null are errors. The error is of type
// typed.Errors, one for each mistake with its JSON pointer.
func DecodeRequest[R op.Request[R]](data []byte) (R, error) {
	var none R
	m := memberOf(none.Operation())
	if m == nil {
		return none, errNoMember
	}
	return decode[R](m.request(), data)
}

// DecodeResult reads the JSON of a result of R's operation, as strictly.
func DecodeResult[R op.Request[R], A any](data []byte) (A, error) {
	var r R
	m := memberOf(r.Operation())
	if m == nil {
		var none A
		return none, errNoMember
	}
	return decode[A](m.result(), data)
}

// DecodeNamed reads the JSON of a request for an operation that is named by data. An
// operation that the registry does not have is a *Refusal: there is none that would
// be taken in its place.
func DecodeNamed(operation string, data []byte) (any, error) {
	o := Lookup(operation)
	if o == nil {
		return nil, unknownOperation(operation)
	}
	return memberOf(o).decode(data)
}

// unknownOperation refuses what is no operation of the registry.
func unknownOperation(name string) *Refusal {
	r := &Refusal{Code: UnknownOperation, Operation: name, Field: "operation", Got: name, Allowed: Names(),
		Message: "is no operation of the registry, and no other is taken in its place", Help: "name one of the registry's"}
	if near, ok := diag.Nearest(name, Names()); ok {
		r.Help = "did you mean " + strconv.Quote(near) + "?"
	}
	return r
}

// Encode writes the JSON of a request or a result: what the Decode of its
// operation reads back as the same value.
func Encode(v any) ([]byte, error) { return json.Marshal(v, json.Deterministic(true)) }

// Types are the descriptions of an operation's request and result; nil if the
// registry does not have it.
func Types(o *op.Operation) (request, result *typed.Type) {
	m := memberOf(o)
	if m == nil {
		return nil, nil
	}
	return m.request(), m.result()
}
