package schema

import (
	"fmt"

	"github.com/go-json-experiment/json/jsontext"
)

// member prints a member of the object in hand: a text, a list of texts, an integer or
// a boolean.
func (w *writer) member(name string, value any) {
	w.name(name)
	switch v := value.(type) {
	case string:
		w.keep(w.enc.WriteValue(jsontext.Value(quoted(v))))
	case []string:
		w.array(func() {
			for _, s := range v {
				w.keep(w.enc.WriteValue(jsontext.Value(quoted(s))))
			}
		})
	case int64:
		w.token(jsontext.Int(v))
	case bool:
		w.token(jsontext.Bool(v))
	default:
		w.fail(fmt.Errorf("no JSON for %s of type %T", name, value))
	}
}

func (w *writer) name(name string) { w.token(jsontext.String(name)) }

func (w *writer) object(members func()) {
	w.token(jsontext.BeginObject)
	members()
	w.token(jsontext.EndObject)
}

func (w *writer) array(items func()) {
	w.token(jsontext.BeginArray)
	items()
	w.token(jsontext.EndArray)
}

func (w *writer) token(t jsontext.Token) { w.keep(w.enc.WriteToken(t)) }

// keep remembers the first error.
func (w *writer) keep(err error) {
	if err != nil {
		w.fail(err)
	}
}

func (w *writer) fail(err error) {
	if w.err == nil {
		w.err = err
	}
}
