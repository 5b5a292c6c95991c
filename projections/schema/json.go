package schema

import (
	"fmt"
	"strconv"
)

// member prints a member of the object in hand: a text, a list of texts, an integer or
// a boolean.
func (w *writer) member(name string, value any) {
	w.name(name)
	switch v := value.(type) {
	case string:
		w.quote(v)
	case []string:
		w.array(func() {
			for _, s := range v {
				w.line()
				w.quote(s)
			}
		})
	case int64:
		w.b = strconv.AppendInt(w.b, v, 10)
	case bool:
		w.b = strconv.AppendBool(w.b, v)
	default:
		w.fail(fmt.Errorf("no JSON for %s of type %T", name, value))
	}
}

func (w *writer) name(name string) {
	w.line()
	w.quote(name)
	w.b = append(w.b, ": "...)
}

func (w *writer) object(members func()) { w.within('{', members, '}') }

func (w *writer) array(items func()) { w.within('[', items, ']') }

// within prints brackets and what stands between them, on lines of its own. What does
// not follow a name is an item.
func (w *writer) within(open byte, inner func(), closing byte) {
	if len(w.b) > 0 && w.b[len(w.b)-1] != ' ' {
		w.line()
	}
	w.b = append(w.b, open)
	w.depth++
	inner()
	w.depth--
	if w.b[len(w.b)-1] != open {
		w.indent()
	}
	w.b = append(w.b, closing)
}

// line begins a member or an item. No value ends with an opening bracket, so the byte
// before tells whether a comma is due.
func (w *writer) line() {
	if last := w.b[len(w.b)-1]; last != '{' && last != '[' {
		w.b = append(w.b, ',')
	}
	w.indent()
}

func (w *writer) indent() {
	w.b = append(w.b, '\n')
	for range w.depth {
		w.b = append(w.b, "  "...)
	}
}

// quote prints a text in ASCII: a pattern may hold blanks that nobody sees.
func (w *writer) quote(s string) {
	w.b = append(w.b, '"')
	for _, c := range s {
		switch {
		case c == '"' || c == '\\':
			w.b = append(w.b, '\\', byte(c))
		case c < ' ' || c >= 0x7f:
			const hex = "0123456789abcdef" // no text here needs more than four digits
			w.b = append(w.b, '\\', 'u', hex[c>>12&15], hex[c>>8&15], hex[c>>4&15], hex[c&15])
		default:
			w.b = append(w.b, byte(c))
		}
	}
	w.b = append(w.b, '"')
}

// fail remembers the first error.
func (w *writer) fail(err error) {
	if w.err == nil {
		w.err = err
	}
}
