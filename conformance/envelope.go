package conformance

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// EnvelopeSchema is opcat.envelope@0, the JSON Schema of every envelope.
//
//go:embed envelope.schema.json
var EnvelopeSchema []byte

// An envelope is what a tool printed, as far as it can be understood, and what is
// wrong with it as text.
type envelope struct {
	frame   error    // why it is not one object and a newline
	hygiene []string // what no reader should have to bear

	top map[string]jsontext.Value

	OK              bool           `json:"ok"`
	ContractVersion int            `json:"contract_version"`
	Tool            string         `json:"tool"`
	Command         string         `json:"command"`
	Data            jsontext.Value `json:"data"`
	Error           *errorObject   `json:"error"`
	Meta            envelopeMeta   `json:"meta"`
}

type errorObject struct {
	Code      string         `json:"code"`
	Message   string         `json:"message"`
	Retryable bool           `json:"retryable"`
	Allowed   []string       `json:"allowed"`
	Got       *string        `json:"got"`
	At        jsontext.Value `json:"at"`
	Hint      string         `json:"hint"`
}

type envelopeMeta struct {
	Schema        string         `json:"schema"`
	CostUSD       jsontext.Value `json:"cost_usd"`
	CostUncertain jsontext.Value `json:"cost_uncertain_usd"`
	LLMTokens     jsontext.Value `json:"llm_tokens"`
	Truncated     *bool          `json:"truncated"`
	Hint          string         `json:"truncation_hint"`
	RunDir        string         `json:"run_dir"`
	Pagination    *pagination    `json:"pagination"`
}

type pagination struct {
	Limit      int     `json:"limit"`
	Returned   int     `json:"returned"`
	Total      *int    `json:"total"`
	NextCursor *string `json:"next_cursor"`
}

// lenient reads what can be read: what is wrong is another check's to say.
var lenient = jsonv2.JoinOptions(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))

// readEnvelope never fails: what it cannot read stays empty and is said.
func readEnvelope(stdout []byte) *envelope {
	e := new(envelope)
	e.frame = oneObject(stdout)
	if e.frame != nil {
		return e
	}
	e.hygiene = hygiene(stdout)
	if err := jsonv2.Unmarshal(stdout, &e.top, lenient); err != nil {
		e.frame = errors.New(oneLine(err.Error(), 200))
		return e
	}
	// Member by member, so that one of a wrong type does not hide the others.
	for name, to := range map[string]any{"ok": &e.OK, "contract_version": &e.ContractVersion, "tool": &e.Tool, "command": &e.Command,
		"data": &e.Data, "error": &e.Error} {
		if v, there := e.top[name]; there {
			_ = jsonv2.Unmarshal(v, to, lenient)
		}
	}
	var meta map[string]jsontext.Value
	_ = jsonv2.Unmarshal(e.top["meta"], &meta, lenient)
	for name, to := range map[string]any{"schema": &e.Meta.Schema, "cost_usd": &e.Meta.CostUSD, "cost_uncertain_usd": &e.Meta.CostUncertain,
		"llm_tokens": &e.Meta.LLMTokens, "truncated": &e.Meta.Truncated, "truncation_hint": &e.Meta.Hint, "run_dir": &e.Meta.RunDir,
		"pagination": &e.Meta.Pagination} {
		if v, there := meta[name]; there {
			_ = jsonv2.Unmarshal(v, to, lenient)
		}
	}
	return e
}

// oneObject says why stdout is not one JSON object and a newline.
func oneObject(stdout []byte) error {
	line, ended := bytes.CutSuffix(stdout, []byte("\n"))
	switch {
	case len(stdout) == 0:
		return errors.New("stdout is empty")
	case !ended:
		return errors.New("stdout does not end in a newline")
	case len(line) == 0:
		return errors.New("stdout is one newline and nothing before it")
	case bytes.HasSuffix(line, []byte("\n")):
		return errors.New("stdout ends in more than one newline")
	case line[0] != '{':
		return fmt.Errorf("stdout does not begin with an object: %s", oneLine(string(line), 80))
	}
	d := jsontext.NewDecoder(bytes.NewReader(line), lenient)
	if err := d.SkipValue(); err != nil {
		return fmt.Errorf("stdout is not JSON: %s", oneLine(err.Error(), 200))
	}
	if _, err := d.ReadToken(); err != io.EOF {
		return errors.New("something follows the object")
	}
	return nil
}

// hygiene lists what JSON lets pass and a reader should not have to bear.
func hygiene(text []byte) []string {
	var out []string
	bad := func(format string, args ...any) {
		if len(out) < 5 {
			out = append(out, fmt.Sprintf(format, args...))
		}
	}
	if !utf8.Valid(text) {
		bad("it is not UTF-8")
	}
	if bytes.ContainsFunc(bytes.TrimSuffix(text, []byte("\n")), unicode.IsControl) {
		bad("it holds a control character as it is, not escaped")
	}
	plain := jsontext.Value(bytes.TrimSpace(text)).Clone()
	if err := plain.Compact(jsontext.AllowDuplicateNames(false), jsontext.AllowInvalidUTF8(true)); err != nil {
		bad("%s", oneLine(err.Error(), 200)) // a name twice; for the rest it was read before
	}
	d := jsontext.NewDecoder(bytes.NewReader(text), lenient)
	for {
		tok, err := d.ReadToken()
		if err != nil {
			return out
		}
		if tok.Kind() != '0' {
			continue
		}
		if n := tok.String(); !strings.ContainsAny(n, ".eE") && unsafeInteger(n) {
			bad("%s is an integer above 2^53-1 and not a string, at %s", n, d.StackPointer())
		}
	}
}

// unsafeInteger reports whether a reader with binary floats would lose digits.
func unsafeInteger(digits string) bool {
	digits = strings.TrimPrefix(digits, "-")
	return len(digits) > 16 || len(digits) == 16 && digits > "9007199254740991"
}

// items are the items of list data; false where it has none.
func (e *envelope) items() ([]jsontext.Value, bool) {
	var data struct {
		Items *[]jsontext.Value `json:"items"`
	}
	if jsonv2.Unmarshal(e.Data, &data, lenient) != nil || data.Items == nil {
		return nil, false
	}
	return *data.Items, true
}

// members are the names of data, in their order.
func members(v jsontext.Value) []string {
	var out []string
	d := jsontext.NewDecoder(bytes.NewReader(v), lenient)
	if tok, err := d.ReadToken(); err != nil || tok.Kind() != '{' {
		return nil
	}
	for d.PeekKind() == '"' {
		name, err := d.ReadToken()
		if err != nil {
			return out
		}
		out = append(out, name.String())
		if d.SkipValue() != nil {
			return out
		}
	}
	return out
}

// member is a member of an object; nil where it has none.
func member(v jsontext.Value, name string) jsontext.Value {
	var o map[string]jsontext.Value
	if jsonv2.Unmarshal(v, &o, lenient) != nil {
		return nil
	}
	return o[name]
}

// generic is a value as a schema library takes it.
func generic(v []byte) (any, error) {
	var out any
	err := json.Unmarshal(v, &out)
	return out, err
}

func unmarshal(v []byte, to any) error { return jsonv2.Unmarshal(v, to, lenient) }
