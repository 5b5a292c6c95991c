package vectors

import (
	"slices"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/opcat/opcat/dispatch/wire"
	"github.com/opcat/opcat/operations/embedding"
)

// A List is the answer that most embedding protocols give. Usage counts tokens
// under one of the two names.
type List struct {
	Model string  `json:"model"`
	Data  []Entry `json:"data"`
	Usage *struct {
		PromptTokens jsontext.Value `json:"prompt_tokens"`
		TotalTokens  jsontext.Value `json:"total_tokens"`
	} `json:"usage"`
}

// Answer reads a list. Failures of the protocol are the caller's to look for
// first.
func (a Ask) Answer(r wire.Response) (wire.Answer[embedding.Result], *wire.Failure) {
	var list List
	if err := json.Unmarshal(r.Body, &list); err != nil {
		return wire.Answer[embedding.Result]{}, wire.BadAnswer(r, err)
	}
	meta := wire.Meta{Served: list.Model, RequestID: r.Header.Get("X-Request-Id")}
	var t wire.Tally
	if u := list.Usage; u != nil {
		n, ok := t.Count("usage.prompt_tokens", u.PromptTokens)
		if !ok {
			n, ok = t.Count("usage.total_tokens", u.TotalTokens)
		}
		a.Tokens(&meta, n, ok)
	} else {
		a.Tokens(&meta, 0, false)
	}
	meta.UsageError = t.Err
	values, err := Placed(len(a.Items), list.Data)
	return a.Result(r, meta, values, err)
}

// Tokens states what the answer counted. Where items are not all text, one count
// does not say how many tokens are of which kind.
func (a Ask) Tokens(m *wire.Meta, n int64, counted bool) {
	if counted && a.AllText() {
		m.Usage.Add("input_token", n)
		return
	}
	m.Usage.Unknown = append(m.Usage.Unknown, "input_token")
	for _, item := range a.Items {
		if item.Kind == "text" || item.Kind == "pdf" {
			continue
		}
		meter := "input_" + item.Kind + "_token"
		if !slices.Contains(m.Usage.Unknown, meter) {
			m.Usage.Unknown = append(m.Usage.Unknown, meter)
		}
	}
}

// Result reads the vectors, unless finding them has failed.
func (a Ask) Result(r wire.Response, m wire.Meta, values []jsontext.Value, err error) (wire.Answer[embedding.Result], *wire.Failure) {
	var result embedding.Result
	if err == nil {
		result, err = a.Read(values)
	}
	if err != nil {
		f := wire.BadAnswer(r, err)
		f.Meta = m
		return wire.Answer[embedding.Result]{}, f
	}
	return wire.Answer[embedding.Result]{Result: result, Meta: m}, nil
}
