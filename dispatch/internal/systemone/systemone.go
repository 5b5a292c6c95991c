// Package systemone is what the protocols with the System One body have in
// common: state and questions in, a map of answers and a usage out.
package systemone

import (
	"github.com/go-json-experiment/json/jsontext"

	"github.com/opcat/opcat/dispatch/internal/questions"
	"github.com/opcat/opcat/dispatch/wire"
	"github.com/opcat/opcat/internal/lent"
	"github.com/opcat/opcat/operations"
	"github.com/opcat/opcat/operations/decision"
)

// A Body is the part of a request that all of them have.
type Body struct {
	State     jsontext.Value `json:"state"`
	Questions jsontext.Value `json:"questions"`
}

// Encode writes the state and the questions of a request.
func Encode(f questions.Form, r decision.Request) (Body, error) {
	state, err := questions.State(r.State)
	if err != nil {
		return Body{}, err
	}
	list, err := f.Write(r.Questions)
	return Body{state, list}, err
}

// An Answer is the part of an answer that all of them have.
type Answer struct {
	Answers map[string]jsontext.Value `json:"answers"`
	Usage   Usage                     `json:"usage"`
}

// Members are the names in an answer that no other spelling may stand for.
var Members = []string{"model", "answers", "usage", "error"}

// Usage is what an answer counted.
type Usage struct {
	InputTokens  jsontext.Value `json:"input_tokens"`
	OutputTokens jsontext.Value `json:"output_tokens"`
	Cached       jsontext.Value `json:"cached_input_tokens"` // inside input_tokens
	ImageTokens  jsontext.Value `json:"image_tokens"`        // beside input_tokens
}

// Count states the usage on its own lines.
func (u Usage) Count(m *wire.Meta) {
	var t wire.Tally
	input, counted := t.Count("usage.input_tokens", u.InputTokens)
	if cached, ok := t.Count("usage.cached_input_tokens", u.Cached); ok && counted {
		m.Usage.Add("cache_read_token", cached)
		input = t.Inside("usage.input_tokens", input, cached)
	}
	if counted {
		m.Usage.Add("input_token", input)
	} else {
		m.Usage.Unknown = append(m.Usage.Unknown, "input_token")
	}
	if n, ok := t.Count("usage.image_tokens", u.ImageTokens); ok {
		m.Usage.Add("input_image_token", n)
	}
	if n, ok := t.Count("usage.output_tokens", u.OutputTokens); ok {
		m.Usage.Add("output_token", n)
	} else if counted { // it counts, and not this
		m.Usage.Unknown = append(m.Usage.Unknown, "output_token")
	}
	if t.Err != "" { // what could be read of it is not to be believed either
		m.UsageError = t.Err
		m.Usage.Lines, m.Usage.Unknown = nil, []string{"input_token"}
	}
}

// Read reads the answers and counts the usage, which stands beside a failure too:
// an answer that cannot be used is billed.
func Read(a operations.Admitted[decision.Request], f questions.Form, r wire.Response, m wire.Meta, body Answer) (wire.Answer[decision.Result], *wire.Failure) {
	body.Usage.Count(&m)
	result, err := f.Read(a.Lent(lent.Own()).Questions, body.Answers, a.Contract().DecisionEvaluation.ProbabilityDecimals)
	if err != nil {
		return Bad(r, m, err)
	}
	return wire.Answer[decision.Result]{Result: result, Meta: m}, nil
}

// Bad is an answer that cannot be used.
func Bad(r wire.Response, m wire.Meta, err error) (wire.Answer[decision.Result], *wire.Failure) {
	f := wire.BadAnswer(r, err)
	f.Meta = m
	return wire.Answer[decision.Result]{}, f
}
