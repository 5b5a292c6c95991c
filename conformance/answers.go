package conformance

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/google/jsonschema-go/jsonschema"
)

// Answers holds single answers of a tool against its describe document: what a tool's
// own tests wrap each run in. It asks what one answer can tell; the rest is Run's.
//
// It is stricter than Run in one thing: a member of data that its schema does not
// name is a mistake. Published schemas are open, so that a later version may add to
// them; in its own version a tool declares what it prints.
type Answers struct {
	desc *Describe

	mu      sync.Mutex
	schemas map[string]*jsonschema.Resolved
}

// NewAnswers reads a describe document.
func NewAnswers(describe []byte) (*Answers, error) {
	d, err := ReadDescribe(describe)
	if err != nil {
		return nil, fmt.Errorf("describe: %w", err)
	}
	return &Answers{desc: d, schemas: map[string]*jsonschema.Resolved{}}, nil
}

// Compile says which schema of a result is no schema, if one is not.
func (s *Answers) Compile() error {
	for name := range s.desc.Schemas {
		if _, err := s.schema(name); err != nil {
			return err
		}
	}
	return nil
}

// schema gives the closed schema of a result.
func (s *Answers) schema(name string) (*jsonschema.Resolved, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if known := s.schemas[name]; known != nil {
		return known, nil
	}
	text, ok := s.desc.Schemas[name]
	if !ok {
		return nil, fmt.Errorf("describe has no schema %q", name)
	}
	doc, err := generic(text)
	if err != nil {
		return nil, err
	}
	strict, err := jsonv2.Marshal(closed(doc), jsonv2.Deterministic(true))
	if err != nil {
		return nil, err
	}
	r, err := compileSchema(strict)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	s.schemas[name] = r
	return r, nil
}

// closed gives a schema that refuses members it does not name.
func closed(schema any) any {
	switch schema := schema.(type) {
	case map[string]any:
		out := map[string]any{}
		for k, v := range schema {
			if k == "enum" || k == "const" || k == "default" || k == "examples" {
				out[k] = v // data, not schemas
				continue
			}
			out[k] = closed(v)
		}
		_, names := schema["properties"].(map[string]any)
		if _, said := schema["additionalProperties"]; names && !said {
			out["additionalProperties"] = false
		}
		return out
	case []any:
		out := make([]any, len(schema))
		for i := range schema {
			out[i] = closed(schema[i])
		}
		return out
	}
	return schema
}

// maxEnvelope bounds an envelope of a list at the default limit, in bytes.
const maxEnvelope = 256 << 10

// IsEnvelope reports whether a run is to print an envelope. Of any other run the
// contract says no more than which exits there are.
func IsEnvelope(argv []string) bool {
	if end := slices.Index(argv, "--"); end >= 0 {
		argv = argv[:end]
	}
	return (&answer{call: call{argv: argv}}).json()
}

// Check says what is wrong with one run; nil when nothing is.
func (s *Answers) Check(argv []string, exit int, stdout []byte) error {
	a := &answer{call: call{argv: argv}, exit: exit, stdout: stdout}
	// Which words of an argv are its path, the tool's tests know better than this.
	if a.command = a.envelope().Command; !s.desc.knows(a.command) {
		return fmt.Errorf("C014: describe has no command %q", oneLine(a.command, 100))
	}
	if exit < 0 || exit > 5 {
		return fmt.Errorf("exit %d is not of the contract", exit)
	}
	if !IsEnvelope(argv) {
		return nil
	}
	one := &suite{runner: &runner{}, desc: s.desc, captured: []*answer{a}, schemas: map[string]compiled{}}
	for i := range checks {
		c := &checks[i]
		if !c.passive || c.id == "C015" { // data is held to the closed schema, below
			continue
		}
		t := &trial{suite: one}
		if c.run(t); len(t.probes) > 0 {
			return fmt.Errorf("%s: %s", c.id, t.probes[0].Saw)
		}
	}
	return s.data(a)
}

// knows reports whether a path is the tool, a resource or a command.
func (d *Describe) knows(path string) bool {
	return path == "" || slices.ContainsFunc(d.Commands, func(c Command) bool { return c.Name == path || c.resource() == path })
}

// data holds the data of a success to the closed schema, and a list to its page.
func (s *Answers) data(a *answer) error {
	e := a.envelope()
	if !e.OK {
		return nil
	}
	has := func(flag string) bool {
		return slices.ContainsFunc(a.argv, func(w string) bool { return w == flag || strings.HasPrefix(w, flag+"=") })
	}
	schema, err := s.schema(e.Meta.Schema)
	if err != nil {
		return fmt.Errorf("C015: %w", err)
	}
	if err := validate(schema, e.Data); err != nil && !has("--fields") {
		return fmt.Errorf("C015: data does not fit %s: %w", e.Meta.Schema, err)
	}
	if has("--help") || has("--version") || has("-h") {
		return nil
	}
	c := s.desc.command(e.Command)
	if c == nil {
		return fmt.Errorf("C014: describe has no command %q", e.Command)
	}
	if c.ResultSchema != e.Meta.Schema {
		return fmt.Errorf("C015: %s printed %s, describe says %s", e.Command, e.Meta.Schema, c.ResultSchema)
	}
	if list := c.Bounded != nil; list != (e.Meta.Truncated != nil) || list && e.Meta.Pagination == nil {
		return fmt.Errorf("C031: %s: a list, and nothing else, says where it was cut", e.Command)
	}
	if c.Bounded != nil && !has("--limit") && len(a.stdout) > maxEnvelope {
		return fmt.Errorf("C061: %s: an envelope of %d bytes at the default limit", e.Command, len(a.stdout))
	}
	return nil
}
