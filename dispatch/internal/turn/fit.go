package turn

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/santhosh-tekuri/jsonschema/v6"

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
	value, err := jsonschema.UnmarshalJSON(strings.NewReader(string(compact)))
	if err != nil {
		return "", errors.New("the text is not JSON")
	}
	if err := s.Validate(value); err != nil {
		return "", errors.New("the text is JSON and does not fit the response schema" + where(err))
	}
	return catalog.JSON(compact), nil
}

// where gives the place in the answer of the first thing that does not fit; the
// value itself is not repeated.
func where(err error) string {
	var v *jsonschema.ValidationError
	if !errors.As(err, &v) {
		return ""
	}
	for len(v.Causes) > 0 {
		v = v.Causes[0]
	}
	return " at /" + strings.Join(v.InstanceLocation, "/") + " (" + strings.Join(v.ErrorKind.KeywordPath(), "/") + ")"
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
func Schema(text catalog.JSON) (*jsonschema.Schema, error) {
	if s, ok := compiled.Load(text); ok {
		return s.(*jsonschema.Schema), nil
	}
	doc, err := jsonschema.UnmarshalJSON(strings.NewReader(string(text)))
	if err != nil {
		return nil, errors.New("the response schema is not JSON")
	}
	c := jsonschema.NewCompiler()
	c.UseLoader(nothing{})
	if err := c.AddResource(schemaURL, doc); err != nil {
		return nil, fmt.Errorf("the response schema: %w", err)
	}
	s, err := c.Compile(schemaURL)
	if err != nil {
		return nil, fmt.Errorf("the response schema: %w", err)
	}
	if compiledNo.Add(1) <= maxSchemas {
		compiled.Store(text, s)
	}
	return s, nil
}

const schemaURL = "response:schema"

type nothing struct{}

func (nothing) Load(string) (any, error) {
	return nil, errors.New("it refers to a document outside of it, and none is fetched")
}
