// Package turn is what the codecs of text generation have in common: what was
// admitted, and whether a turn that ended whole is what was asked for.
//
// It knows no wire. A codec looks at the status, the error, the stop word and the
// refusal first; only then does it give what it found to Answer.
package turn

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/opcat/opcat/catalog"
	"github.com/opcat/opcat/dispatch/wire"
	"github.com/opcat/opcat/internal/lent"
	"github.com/opcat/opcat/operations"
	"github.com/opcat/opcat/operations/textgen"
)

// An Admitted is what the codecs of text generation encode.
type Admitted = operations.Admitted[textgen.Request]

// An Answer is what they decode.
type Answer = wire.Answer[textgen.Result]

// A Codec is one of them.
type Codec = wire.Codec[textgen.Request, textgen.Result]

// An Ask is an admitted request with what its contract says of text generation.
type Ask struct {
	textgen.Request
	Contract *catalog.Contract
	Text     *catalog.TextGeneration
	Cap      catalog.Opt[int64] // of the tokens of the answer, as it is sent; unknown: none is
	own      string             // how the wire takes a response schema where the contract does not say
}

// Of reads what was admitted. own is the transport of a response schema that a
// contract means by leaving it unsaid.
func Of(a Admitted, own string) Ask {
	c := a.Contract()
	return Ask{Request: a.Lent(lent.Own()), Contract: c, Text: c.TextGeneration, Cap: a.OutputCap(), own: own}
}

// Quirks are the contract's; none are all unknown.
func (a *Ask) Quirks() *catalog.Quirks {
	if a.Text.Quirks == nil {
		return &catalog.Quirks{}
	}
	return a.Text.Quirks
}

// Reasoning is the contract's; none is all unknown.
func (a *Ask) Reasoning() *catalog.Reasoning {
	if a.Text.Reasoning == nil {
		return &catalog.Reasoning{}
	}
	return a.Text.Reasoning
}

// Transport is how a response schema is sent; "" if none was asked for.
func (a *Ask) Transport() string {
	if a.ResponseSchema == nil {
		return ""
	}
	return textgen.Transport(a.Contract, a.own)
}

// SchemaTool is the response schema as the parameters of a tool, where that is
// how the contract takes it.
func (a *Ask) SchemaTool() (textgen.Tool, bool) {
	if a.Transport() != "tool_schema" {
		return textgen.Tool{}, false
	}
	return textgen.Tool{Name: a.ResponseSchema.Name, Parameters: a.ResponseSchema.Schema}, true
}

// A Turn is what a codec found in an answer whose stop word says that it is whole.
type Turn struct {
	Stop     string // of textgen.Stops
	Parts    []textgen.Part
	Calls    []textgen.ToolCall
	Logprobs []textgen.TokenProb
	Thoughts []textgen.Thought
}

// Answer makes the result of a turn, or says how it is not what was asked for.
func (a *Ask) Answer(r wire.Response, m wire.Meta, t Turn) (Answer, *wire.Failure) {
	result := textgen.Result{Stop: t.Stop, Parts: t.Parts, ToolCalls: t.Calls, Logprobs: t.Logprobs, Thoughts: t.Thoughts}
	if err := a.settle(&result); err != nil {
		return Answer{}, Invalid(r, m, err)
	}
	return Answer{Result: result, Meta: m}, nil
}

func (a *Ask) settle(result *textgen.Result) (err error) {
	if tool, ok := a.SchemaTool(); ok {
		if len(result.ToolCalls) != 1 || result.ToolCalls[0].Name != tool.Name {
			return errors.New("the answer does not call the one tool that was to hold it")
		}
		result.JSON, err = Fit(a.ResponseSchema.Schema, string(result.ToolCalls[0].Arguments))
		result.Stop, result.ToolCalls, result.Thoughts = "end", nil, nil // without its call the turn is none to send again
		return err
	}
	for _, call := range result.ToolCalls {
		if !slices.ContainsFunc(a.Tools, func(t textgen.Tool) bool { return t.Name == call.Name }) {
			return fmt.Errorf("a call of %.40q, which was not among the tools", call.Name)
		}
	}
	if calls := len(result.ToolCalls) > 0; calls != (result.Stop == "tool_calls") {
		return fmt.Errorf("the turn ended as %s with %d tool calls", result.Stop, len(result.ToolCalls))
	}
	if a.ResponseSchema != nil && result.Stop != "tool_calls" {
		result.JSON, err = Fit(a.ResponseSchema.Schema, result.Text())
	}
	return err
}

// Invalid is an answer that is not what its protocol or its request promises. It
// was billed all the same.
func Invalid(r wire.Response, m wire.Meta, err error) *wire.Failure {
	f := wire.BadAnswer(r, err)
	f.Meta = m
	return f
}

// Fail is an answer without a result, with the vendor's word for why.
func Fail(r wire.Response, m wire.Meta, kind wire.Kind, message, vendor string) *wire.Failure {
	return &wire.Failure{Kind: kind, Message: message, Vendor: wire.Bounded(vendor), Status: r.Status, Meta: m}
}

// Texts joins the text parts of a message whose wire takes one text.
func Texts(m *textgen.Message) (string, error) {
	if len(m.Parts) == 1 && m.Parts[0].Kind == "text" {
		return m.Parts[0].Text, nil
	}
	var b strings.Builder
	for i := range m.Parts {
		if m.Parts[i].Kind != "text" {
			return "", NoPlace(m, &m.Parts[i])
		}
		b.WriteString(m.Parts[i].Text)
	}
	return b.String(), nil
}

// NoPlace is a part that the wire cannot carry, which admission refuses.
func NoPlace(m *textgen.Message, p *textgen.Part) error {
	return fmt.Errorf("the protocol has no place for a part of kind %q in a message of role %q", p.Kind, m.Role)
}

// DataURL is a part's bytes, or its address, as a URL.
func DataURL(p *textgen.Part) string {
	if p.URL != "" {
		return p.URL
	}
	return "data:" + p.MediaType + ";base64," + p.Data
}

// Unwritten is a setting that the wire cannot say, which admission refuses.
func Unwritten(setting, value string) error {
	return fmt.Errorf("the protocol has no place for %s %q", setting, value)
}
