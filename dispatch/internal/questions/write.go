// Package questions is what the decision protocols have in common: how questions
// are written, and whether an answer is one that its question allows.
//
// Nothing is repaired. A probability outside 0 to 1, a distribution that no
// rounding explains, a choice that is not the likeliest option, a missing answer
// or one too many spoil the whole answer, and none of it becomes a verdict.
package questions

import (
	"bytes"
	"fmt"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/opcat/opcat/operations/decision"
)

// A Form is how one protocol writes questions and reads answers.
type Form struct {
	Boolean     string // the type of a yes-or-no question: noul, boolean
	True, False string // the members of its criteria
	Probability string // the member of its answer: noul, probability

	NullInstructions bool // instructions are always there, null where there are none
	Loose            bool // an answer may leave out its distribution
	LegendList       bool // a score's legend is a list, not a map from numbers
	BooleanSure      bool // a yes-or-no answer states its confidence, which has to be that of its probability
}

// SystemOne is the form of the System One family.
var SystemOne = Form{Boolean: "noul", True: "true", False: "false", Probability: "noul"}

// Write writes questions as a map from their ids, in the order of the request.
func (f Form) Write(list []decision.Question) (jsontext.Value, error) {
	var b bytes.Buffer
	w := writer{jsontext.NewEncoder(&b), nil}
	w.token(jsontext.BeginObject)
	for _, q := range list {
		w.text(q.ID)
		f.question(&w, q)
	}
	w.token(jsontext.EndObject)
	return b.Bytes(), w.err
}

func (f Form) question(w *writer, q decision.Question) {
	w.token(jsontext.BeginObject)
	switch q.Kind {
	case "boolean":
		w.member("type", f.Boolean)
		f.instructions(w, q)
		if q.True != "" || q.False != "" {
			w.text("criteria")
			w.token(jsontext.BeginObject)
			if q.True != "" {
				w.member(f.True, q.True)
			}
			if q.False != "" {
				w.member(f.False, q.False)
			}
			w.token(jsontext.EndObject)
		}
	case "choice":
		w.member("type", "choice")
		f.instructions(w, q)
		w.text("criteria")
		w.token(jsontext.BeginObject)
		for _, o := range q.Options {
			if o.Yes.IsKnown() {
				w.fail(fmt.Errorf("option %q of question %q is a yes or no, and the protocol has texts", o.Label, q.ID))
			}
			w.text(o.Label)
			if o.Description == "" {
				w.token(jsontext.Null)
			} else {
				w.text(o.Description)
			}
		}
		w.token(jsontext.EndObject)
	case "score":
		w.member("type", "score")
		f.instructions(w, q)
		w.text("criteria")
		w.token(jsontext.BeginArray)
		for _, level := range q.Levels {
			w.text(level)
		}
		w.token(jsontext.EndArray)
	case "box":
		w.member("type", "box")
		f.instructions(w, q)
	default:
		w.fail(fmt.Errorf("question %q is of kind %q", q.ID, q.Kind))
	}
	w.token(jsontext.EndObject)
}

func (f Form) instructions(w *writer, q decision.Question) {
	switch {
	case q.Structured != "":
		w.text("instructions")
		w.value(jsontext.Value(q.Structured))
	case q.Instructions != "":
		w.member("instructions", q.Instructions)
	case f.NullInstructions:
		w.text("instructions")
		w.token(jsontext.Null)
	}
}

// State is the state as one text, one value, or a list of both.
func State(parts []decision.Part) (jsontext.Value, error) {
	if len(parts) == 1 {
		return part(parts[0])
	}
	var b bytes.Buffer
	w := writer{jsontext.NewEncoder(&b), nil}
	w.token(jsontext.BeginArray)
	for _, p := range parts {
		v, err := part(p)
		w.fail(err)
		w.value(v)
	}
	w.token(jsontext.EndArray)
	return b.Bytes(), w.err
}

func part(p decision.Part) (jsontext.Value, error) {
	switch p.Kind {
	case "text":
		return jsontext.AppendQuote(nil, p.Text)
	case "json":
		return jsontext.Value(p.JSON), nil
	}
	return nil, fmt.Errorf("the state has a part that is %s, and the protocol takes text and JSON", p.Kind)
}

// A writer writes JSON and keeps the first thing that went wrong.
type writer struct {
	enc *jsontext.Encoder
	err error
}

func (w *writer) fail(err error) {
	if w.err == nil {
		w.err = err
	}
}

func (w *writer) token(t jsontext.Token) {
	if w.err == nil {
		w.err = w.enc.WriteToken(t)
	}
}

func (w *writer) value(v jsontext.Value) {
	if w.err == nil {
		w.err = w.enc.WriteValue(v)
	}
}

func (w *writer) text(s string) { w.token(jsontext.String(s)) }

func (w *writer) member(name, value string) {
	w.text(name)
	w.text(value)
}
