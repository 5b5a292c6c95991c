package turn

import (
	"errors"
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/jsonschema-go/jsonschema"

	"github.com/opcat/opcat/catalog"
)

// Fit reads a text that has to be JSON and nothing else, each name once, and has
// to fit a schema. Nothing is repaired: a fence around it, a second value or a
// number in quotes is an error.
func Fit(schema catalog.JSON, text string) (catalog.JSON, error) {
	s, err := Schema(schema)
	if err != nil {
		return "", err
	}
	compact, err := compacted(text)
	if err != nil {
		return "", err
	}
	var value any
	if err := json.Unmarshal(compact, &value); err != nil {
		return "", errors.New("the text is not JSON")
	}
	if err := s.Validate(value); err != nil { // its words repeat the value, so they are not kept
		return "", errors.New("the text is JSON and does not fit the response schema")
	}
	return catalog.JSON(compact), nil
}

// Object reads a text that has to be one JSON object, each name once.
func Object(text string) (catalog.JSON, error) {
	compact, err := compacted(text)
	if err != nil {
		return "", err
	}
	if compact.Kind() != '{' {
		return "", errors.New("the text is not a JSON object")
	}
	return catalog.JSON(compact), nil
}

func compacted(text string) (jsontext.Value, error) {
	v := jsontext.Value(text)
	if err := v.Compact(jsontext.AllowDuplicateNames(false), jsontext.AllowInvalidUTF8(false)); err != nil {
		return nil, errors.New("the text is not JSON")
	}
	return v, nil
}

// compiled are the schemas of this process, by their text. A process asks with
// few; beyond maxSchemas one is compiled each time.
var (
	compiled   sync.Map
	compiledNo atomic.Int64
)

const maxSchemas = 256

// Schema compiles a response schema, of draft 2020-12 where it names none. What
// it refers to has to be in it: nothing is fetched.
func Schema(text catalog.JSON) (*jsonschema.Resolved, error) {
	if s, ok := compiled.Load(text); ok {
		return s.(*jsonschema.Resolved), nil
	}
	var schema jsonschema.Schema
	if err := schema.UnmarshalJSON([]byte(text)); err != nil {
		return nil, fmt.Errorf("the response schema: %w", err)
	}
	s, err := schema.Resolve(nil)
	if err != nil {
		return nil, fmt.Errorf("the response schema: %w", err)
	}
	if compiledNo.Add(1) <= maxSchemas {
		compiled.Store(text, s)
	}
	return s, nil
}
