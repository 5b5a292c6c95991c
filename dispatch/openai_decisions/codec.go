// Package openai_decisions is POST /v1/decisions of OpenAI.
//
// Questions and answers are lists: an answer has to agree with its question by
// its place and by its name. A refusal is of one question; the others stand. A
// choice's values are typed: the text "true" is not the boolean.
package openai_decisions

import (
	"fmt"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/opcat/opcat/catalog"
	"github.com/opcat/opcat/dispatch/internal/post"
	"github.com/opcat/opcat/dispatch/wire"
	"github.com/opcat/opcat/internal/lent"
	"github.com/opcat/opcat/operations"
	"github.com/opcat/opcat/operations/decision"
)

// Codec is the protocol.
var Codec = wire.Codec[decision.Request, decision.Result]{
	Protocol: "openai_decisions",
	Encode:   encode,
	Decode:   decode,
}

type request struct {
	Model            string     `json:"model"`
	Input            []message  `json:"input"`
	Questions        []question `json:"questions"`
	PromptCacheKey   string     `json:"prompt_cache_key,omitzero"`
	SafetyIdentifier string     `json:"safety_identifier,omitzero"`
}

type message struct {
	Role    string `json:"role"`
	Content []part `json:"content"`
}

type part struct {
	Type     string         `json:"type"`
	Text     string         `json:"text,omitzero"`
	Data     jsontext.Value `json:"data,omitzero"`
	ImageURL string         `json:"image_url,omitzero"`
}

type question struct {
	Type         string   `json:"type"`
	Name         string   `json:"name"`
	Instructions string   `json:"instructions"`
	Choices      []choice `json:"choices,omitzero"`
	Levels       []level  `json:"levels,omitzero"`
}

type choice struct {
	Value       value  `json:"value"`
	Description string `json:"description,omitzero"`
}

type level struct {
	Label string `json:"label"`
}

// A value is a text, or a yes or no.
type value struct {
	text string
	yes  catalog.Opt[bool]
}

// MarshalJSON writes the value with its type.
func (v value) MarshalJSON() ([]byte, error) {
	if v.yes.IsKnown() {
		return v.yes.MarshalJSON()
	}
	return jsontext.AppendQuote(nil, v.text)
}

func valueOf(o decision.Option) value {
	if o.Yes.IsKnown() {
		return value{yes: o.Yes}
	}
	return value{text: o.Label}
}

func encode(a operations.Admitted[decision.Request]) (wire.Request, error) {
	r := a.Lent(lent.Own())
	body := request{Model: a.WireModel(), PromptCacheKey: r.Settings.PromptCacheKey, SafetyIdentifier: r.Settings.SafetyIdentifier}
	user := message{Role: "user"}
	for _, p := range r.State {
		switch p.Kind {
		case "text":
			user.Content = append(user.Content, part{Type: "input_text", Text: p.Text})
		case "json":
			user.Content = append(user.Content, part{Type: "input_json", Data: jsontext.Value(p.JSON)})
		case "image":
			url := p.URL
			if url == "" {
				url = "data:" + p.MediaType + ";base64," + p.Data
			}
			user.Content = append(user.Content, part{Type: "input_image", ImageURL: url})
		default:
			return wire.Request{}, fmt.Errorf("the state has a part that is %s, and the protocol has no place for it", p.Kind)
		}
	}
	body.Input = []message{user}
	for _, q := range r.Questions {
		x, err := newQuestion(q)
		if err != nil {
			return wire.Request{}, err
		}
		body.Questions = append(body.Questions, x)
	}
	return post.JSON(a.URL(), body)
}

// types are the wire's words for kinds of questions.
var types = map[string]string{"boolean": "predicate", "choice": "choice", "score": "score"}

func newQuestion(q decision.Question) (question, error) {
	x := question{Type: types[q.Kind], Name: q.ID, Instructions: q.Instructions}
	switch {
	case x.Type == "":
		return question{}, fmt.Errorf("question %q is of kind %s, and the protocol has no such", q.ID, q.Kind)
	case q.Structured != "":
		return question{}, fmt.Errorf("question %q has structured instructions, and the protocol takes text", q.ID)
	case q.True != "" || q.False != "":
		return question{}, fmt.Errorf("question %q says when yes or no is right, and the protocol has no place for it beside its instructions", q.ID)
	}
	for _, o := range q.Options {
		x.Choices = append(x.Choices, choice{valueOf(o), o.Description})
	}
	for _, l := range q.Levels {
		x.Levels = append(x.Levels, level{l})
	}
	return x, nil
}
