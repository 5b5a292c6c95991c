// Package contract holds one answer of a tool against the tool contract: what a
// single run printed against what --describe says that it may print.
//
// It is a black box: argv, stdout and exit in, one error out. Tests wrap every run
// of the tool in it, so that each script is also a test of the contract. What
// needs more than one run is `opcat verify`'s question.
package contract

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// A Checker knows what a tool says of itself.
type Checker struct {
	describe describe
	envelope *jsonschema.Schema

	mu   sync.Mutex
	data map[string]*jsonschema.Schema // by name, closed; compiled when one is needed
}

type describe struct {
	Tool            string
	ContractVersion int `json:"contract_version"`
	Commands        []struct {
		Name         string
		ResultSchema string `json:"result_schema"`
		Errors       []string
		Bounded      *struct{}
	}
	ErrorCodes []struct {
		Code      string
		Exit      int
		Retryable bool
	} `json:"error_codes"`
	Schemas map[string]any
}

// New makes a checker from a describe document and the schema of the envelope.
func New(describeDoc, envelopeSchema []byte) (*Checker, error) {
	c := &Checker{data: map[string]*jsonschema.Schema{}}
	if err := json.Unmarshal(describeDoc, &c.describe); err != nil {
		return nil, fmt.Errorf("describe: %w", err)
	}
	var doc any
	if err := json.Unmarshal(envelopeSchema, &doc); err != nil {
		return nil, fmt.Errorf("envelope schema: %w", err)
	}
	var err error
	if c.envelope, err = compile("envelope.json", doc); err != nil {
		return nil, err
	}
	return c, nil
}

// Compile says which schema of a result is no schema, if one is not.
func (c *Checker) Compile() error {
	for name := range c.describe.Schemas {
		if _, err := c.schema(name); err != nil {
			return err
		}
	}
	return nil
}

// schema gives the closed schema of a result. Compiling all of them takes longer than
// most runs that are checked.
func (c *Checker) schema(name string) (*jsonschema.Schema, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if s := c.data[name]; s != nil {
		return s, nil
	}
	doc, known := c.describe.Schemas[name]
	if !known {
		return nil, fmt.Errorf("--describe has no schema %q", name)
	}
	s, err := compile("data.json", closed(doc))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	c.data[name] = s
	return s, nil
}

func compile(name string, doc any) (*jsonschema.Schema, error) {
	compiler := jsonschema.NewCompiler()
	if err := compiler.AddResource(name, doc); err != nil {
		return nil, err
	}
	return compiler.Compile(name)
}

// closed gives a schema that refuses members it does not name. Published schemas
// are open, so that a later version may add to them; for its own version a field
// that nobody declared is a mistake.
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

type envelope struct {
	OK      bool
	Tool    string
	Command string
	Data    json.RawMessage
	Error   *struct {
		Code      string
		Message   string
		Retryable bool
	}
	Meta struct {
		Schema     string
		Pagination json.RawMessage
		Truncated  *bool
	}
}

// Check says what is wrong with one run with --json; nil when nothing is. A run
// without --json is only held to its exit.
func (c *Checker) Check(argv []string, exit int, stdout []byte) error {
	if exit < 0 || exit > 5 {
		return fmt.Errorf("exit %d is not of the contract", exit)
	}
	if !Envelope(argv) {
		return nil
	}
	doc, err := oneObject(stdout)
	if err != nil {
		return err
	}
	if err := c.envelope.Validate(doc); err != nil {
		return fmt.Errorf("the envelope does not fit its schema: %w", err)
	}
	var e envelope
	if err := json.Unmarshal(stdout, &e); err != nil {
		return err
	}
	if e.Tool != c.describe.Tool {
		return fmt.Errorf("tool is %q, --describe says %q", e.Tool, c.describe.Tool)
	}
	if e.OK {
		return c.checkData(argv, exit, e, len(stdout))
	}
	return c.checkError(exit, e)
}

// Envelope reports whether a run is to print an envelope. Of any other run the
// contract says no more than which exits there are.
func Envelope(argv []string) bool { return asks(argv, "--json") && !asks(argv, "--describe") }

func asks(argv []string, flag string) bool {
	if end := slices.Index(argv, "--"); end >= 0 {
		argv = argv[:end]
	}
	return slices.Contains(argv, flag) || slices.Contains(argv, flag+"=true")
}

// oneObject reads stdout as one JSON object on one line and nothing else.
func oneObject(stdout []byte) (any, error) {
	if !utf8.Valid(stdout) {
		return nil, errors.New("stdout is not UTF-8")
	}
	line, ended := bytes.CutSuffix(stdout, []byte("\n"))
	if !ended || bytes.ContainsFunc(line, unicode.IsControl) {
		return nil, errors.New("stdout is not one line without control characters")
	}
	if err := uniqueKeys(json.NewDecoder(bytes.NewReader(line))); err != nil {
		return nil, fmt.Errorf("stdout: %w", err)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(line))
	if err != nil {
		return nil, fmt.Errorf("stdout is not one JSON value: %w", err)
	}
	return doc, nil
}

// uniqueKeys reads one value and refuses a key given twice.
func uniqueKeys(d *json.Decoder) error {
	d.UseNumber()
	var value func() error
	value = func() error {
		tok, err := d.Token()
		if err != nil {
			return err
		}
		open, nested := tok.(json.Delim)
		if !nested {
			return nil
		}
		keys := map[string]bool{}
		for d.More() {
			if open == '{' {
				key, err := d.Token()
				if err != nil {
					return err
				}
				if keys[key.(string)] {
					return fmt.Errorf("the key %q is given twice", key)
				}
				keys[key.(string)] = true
			}
			if err := value(); err != nil {
				return err
			}
		}
		_, err = d.Token()
		return err
	}
	if err := value(); err != nil {
		return err
	}
	if _, err := d.Token(); err != io.EOF {
		return errors.New("something follows the object")
	}
	return nil
}

func (c *Checker) checkData(argv []string, exit int, e envelope, size int) error {
	schema, err := c.schema(e.Meta.Schema)
	if err != nil {
		return err
	}
	if exit != 0 {
		return fmt.Errorf("ok with exit %d", exit)
	}
	data, err := jsonschema.UnmarshalJSON(bytes.NewReader(e.Data))
	if err != nil {
		return err
	}
	fields := slices.ContainsFunc(argv, func(w string) bool { return strings.HasPrefix(w, "--fields") })
	if err := schema.Validate(data); err != nil && !fields {
		return fmt.Errorf("data does not fit %s: %w", e.Meta.Schema, err)
	}
	if asks(argv, "--help") || asks(argv, "--version") || slices.Contains(argv, "-h") {
		return nil
	}
	for _, command := range c.describe.Commands {
		if command.Name != e.Command {
			continue
		}
		if command.ResultSchema != e.Meta.Schema {
			return fmt.Errorf("%s printed %s, --describe says %s", e.Command, e.Meta.Schema, command.ResultSchema)
		}
		if list := command.Bounded != nil; list != (e.Meta.Truncated != nil) || list && e.Meta.Pagination == nil {
			return fmt.Errorf("%s: a list, and nothing else, says where it was cut", e.Command)
		}
		limit := slices.ContainsFunc(argv, func(w string) bool { return strings.HasPrefix(w, "--limit") })
		if command.Bounded != nil && !limit && size > maxEnvelope {
			return fmt.Errorf("%s: an envelope of %d bytes at the default limit", e.Command, size)
		}
		return nil
	}
	return fmt.Errorf("--describe has no command %q", e.Command)
}

func (c *Checker) checkError(exit int, e envelope) error {
	for _, known := range c.describe.ErrorCodes {
		if known.Code != e.Error.Code {
			continue
		}
		if known.Exit != exit {
			return fmt.Errorf("%s with exit %d, not %d", known.Code, exit, known.Exit)
		}
		if known.Retryable != e.Error.Retryable || known.Retryable != (exit == 4) {
			return fmt.Errorf("%s: retryable is %v", known.Code, e.Error.Retryable)
		}
		if len(e.Error.Message) > 500 {
			return fmt.Errorf("a message of %d bytes", len(e.Error.Message))
		}
		return c.declared(e)
	}
	return fmt.Errorf("the code %q is not registered", e.Error.Code)
}

// declared checks that the command says that it can fail like this.
func (c *Checker) declared(e envelope) error {
	for _, command := range c.describe.Commands {
		if command.Name == e.Command && !slices.Contains(command.Errors, e.Error.Code) {
			return fmt.Errorf("%s failed with %s, which --describe does not list for it", e.Command, e.Error.Code)
		}
	}
	return nil
}
