package post

import (
	"errors"
	"sync"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/opcat/opcat/internal/canon"
)

// A Text is a text of a body that may be long: a prompt, or an image in base64. The
// JSON library writes another in its place, and the text itself is put there when the
// rest is written: the library looks at texts byte by byte, and moves them twice.
type Text string

// place is what stands for a text until then. It is known by where it was written, so
// what a caller writes is never taken for it.
const place = `"."`

// A writer writes one body at a time.
type writer struct {
	options json.Options
	texts   []placed
}

type placed struct {
	text Text
	at   int // its place in the rest
}

// writers are kept, since the library finds out anew for each set of options which
// types they are for.
var writers = sync.Pool{New: func() any {
	w := new(writer)
	w.options = json.JoinOptions(json.Deterministic(true), jsontext.PreserveRawStrings(true), json.WithMarshalers(json.MarshalToFunc(w.leave)))
	return w
}}

var errNotUTF8 = errors.New("a text is not valid UTF-8")

// leave writes a text's place, and an empty one as it is: a member may be left out for it.
func (w *writer) leave(e *jsontext.Encoder, t Text) error {
	if t == "" {
		return e.WriteToken(jsontext.String(""))
	}
	if !utf8.ValidString(string(t)) {
		return errNotUTF8
	}
	err := e.WriteValue(jsontext.Value(place))
	w.texts = append(w.texts, placed{t, int(e.OutputOffset()) - len(place)})
	return err
}

func (w *writer) write(body any) ([]byte, error) {
	rest, err := json.Marshal(body, w.options)
	if err != nil || len(w.texts) == 0 {
		return rest, err
	}
	n := len(rest)
	for _, t := range w.texts {
		n += len(t.text) + len(t.text)/32 // with room for what is escaped
	}
	b, from := make([]byte, 0, n), 0
	for _, t := range w.texts {
		b = append(b, rest[from:t.at]...)
		b = canon.AppendString(b, string(t.text))
		from = t.at + len(place)
	}
	return append(b, rest[from:]...), nil
}

// forget makes room for the next body.
func (w *writer) forget() {
	clear(w.texts)
	w.texts = w.texts[:0]
}
