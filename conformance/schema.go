package conformance

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
)

// compileSchema reads a JSON Schema. One that refers to itself without looking
// further into the value would never end; it is refused.
func compileSchema(text []byte) (*jsonschema.Resolved, error) {
	doc, err := generic(text)
	if err != nil {
		return nil, err
	}
	if err := (&loops{root: doc}).look(doc, 0); err != nil {
		return nil, err
	}
	var s jsonschema.Schema
	if err := s.UnmarshalJSON(text); err != nil {
		return nil, errors.New(oneLine(err.Error(), 200))
	}
	r, err := s.Resolve(nil)
	if err != nil {
		return nil, errors.New(oneLine(err.Error(), 200))
	}
	return r, nil
}

// validate says why a value does not fit.
func validate(s *jsonschema.Resolved, value []byte) error {
	v, err := generic(value)
	if err != nil {
		return err
	}
	if err := s.Validate(v); err != nil {
		return errors.New(oneLine(err.Error(), 400))
	}
	return nil
}

// loops finds a schema that validation would not come out of.
type loops struct {
	root any
	open map[string]bool
	seen int
}

// inPlace are the keywords whose schemas look at the same value.
var inPlace = []string{"allOf", "anyOf", "oneOf", "not", "if", "then", "else", "dependentSchemas"}

func (l *loops) look(schema any, depth int) error {
	if l.seen++; l.seen > 200_000 || depth > 500 {
		return errors.New("the schema is too large or too deep")
	}
	switch s := schema.(type) {
	case []any:
		for _, item := range s {
			if err := l.look(item, depth+1); err != nil {
				return err
			}
		}
	case map[string]any:
		for _, word := range []string{"$dynamicRef", "$recursiveRef"} {
			if _, ok := s[word]; ok {
				return fmt.Errorf("%s is not supported", word)
			}
		}
		l.open = map[string]bool{}
		if err := l.inPlace(s, 0); err != nil {
			return err
		}
		for word, sub := range s {
			if word == "enum" || word == "const" || word == "default" || word == "examples" {
				continue // data, not schemas
			}
			if err := l.look(sub, depth+1); err != nil {
				return err
			}
		}
	}
	return nil
}

// inPlace follows what looks at the same value.
func (l *loops) inPlace(schema any, depth int) error {
	if l.seen++; l.seen > 200_000 || depth > 500 {
		return errors.New("the schema is too large or too deep")
	}
	switch s := schema.(type) {
	case []any:
		for _, item := range s {
			if err := l.inPlace(item, depth+1); err != nil {
				return err
			}
		}
	case map[string]any:
		if ref, ok := s["$ref"].(string); ok {
			if !strings.HasPrefix(ref, "#") {
				return fmt.Errorf("$ref %q leaves the document", cut(ref, 80))
			}
			if l.open[ref] {
				return fmt.Errorf("$ref %q comes back to itself", cut(ref, 80))
			}
			l.open[ref] = true
			if err := l.inPlace(pointer(l.root, ref), depth+1); err != nil {
				return err
			}
			delete(l.open, ref)
		}
		for _, word := range inPlace {
			if sub, ok := s[word]; ok {
				if err := l.inPlace(sub, depth+1); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// pointer follows a reference within a document; nil where it leads nowhere.
func pointer(root any, ref string) any {
	at := root
	for _, step := range strings.Split(strings.TrimPrefix(ref, "#"), "/")[1:] {
		switch v := at.(type) {
		case map[string]any:
			at = v[strings.NewReplacer("~1", "/", "~0", "~").Replace(step)]
		case []any:
			i, err := strconv.Atoi(step)
			if err != nil || i < 0 || i >= len(v) {
				return nil
			}
			at = v[i]
		default:
			return nil
		}
	}
	return at
}
