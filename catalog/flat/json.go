package flat

import (
	"strconv"
	"unicode/utf8"

	"github.com/opcat/opcat/internal/blob"
)

// AppendJSON appends the whole catalog as JSON: what gen/json/catalog.json says, without its
// line breaks. Package catalog opens it, and checks that it is the text that Digest names.
func (c Catalog) AppendJSON(dst []byte) []byte {
	w := jsonWriter{s: c.s, b: dst, most: len(dst) + 256*len(c.s)}
	providers := word(c.s, blob.AtProviders)
	root := c.document()
	w.b = append(w.b, '{')
	for i, k := range nodes[documentNode].keys {
		switch k.name {
		case "providers":
			w.key(k.name)
			w.b = append(w.b, '{')
			for i := range lengthAt(c.s, providers, blob.ProviderSize) {
				at := providers + 4 + blob.ProviderSize*uint32(i)
				w.key(textAt(c.s, word(c.s, at)))
				w.value(nodes[k.of].of, word(c.s, at+4))
			}
			w.b = append(w.b, '}')
		case "models":
			w.key(k.name)
			w.b = append(w.b, '[')
			for i := range c.Len() {
				w.comma(i)
				w.value(nodes[k.of].of, c.row(c.entry(i)).at)
			}
			w.b = append(w.b, ']')
		default:
			w.member(k, fieldOf(root.view, uint32(i)))
		}
	}
	return append(w.b, '}')
}

// JSON is the row as one line of the catalog's text.
func (v Row) JSON() string {
	w := jsonWriter{s: v.s, most: 64<<10 + 16*len(v.s)}
	w.value(nodes[rowsNode].of, v.at)
	return string(w.b)
}

// A node says how a value is written; see views_gen.go for all of them.
type node struct {
	form form
	of   int     // of lists, maps, protocols and settings: the node of what is in them
	keys []field // of records
}

type field struct {
	name string
	of   int
}

type form uint8

const (
	textForm form = iota
	yesForm
	countForm
	anyForm
	valueForm
	recordForm
	listForm
	mapForm
	protocolForm
	settingsForm
)

// A jsonWriter appends canonical JSON.
type jsonWriter struct {
	s    string
	b    []byte
	most int // bytes: the lists of a damaged blob can hold one another
}

func (w *jsonWriter) comma(i int) {
	if i > 0 {
		w.b = append(w.b, ',')
	}
}

// key starts a member. No value ends with an opening brace, so that the byte before tells
// whether a comma is due.
func (w *jsonWriter) key(name string) {
	if w.b[len(w.b)-1] != '{' {
		w.b = append(w.b, ',')
	}
	w.quote(name)
	w.b = append(w.b, ':')
}

// member writes a member that is stated.
func (w *jsonWriter) member(f field, v uint32) {
	if v != 0 {
		w.key(f.name)
		w.value(f.of, v)
	}
}

func (w *jsonWriter) value(of int, v uint32) {
	if v == 0 || len(w.b) > w.most { // only where the blob is damaged
		w.b = append(w.b, "null"...)
		return
	}
	switch n := &nodes[of]; n.form {
	case yesForm:
		w.b = strconv.AppendBool(w.b, v == blob.Yes)
	case countForm:
		w.count(v)
	case anyForm:
		w.b = append(w.b, textAt(w.s, v)...)
	case valueForm:
		x := Value{view{w.s, v}}
		if is, ok := x.Bool(); ok {
			w.b = strconv.AppendBool(w.b, is)
		} else {
			w.quote(x.String())
		}
	case recordForm:
		w.record(view{w.s, v}, n.keys)
	case listForm:
		w.list(view{w.s, v}, n.of)
	case mapForm:
		w.b = append(w.b, '{')
		membersOf(view{w.s, v}, func(name string, v uint32) bool {
			w.key(name)
			w.value(n.of, v)
			return true
		})
		w.b = append(w.b, '}')
	case protocolForm:
		w.protocol(Protocol{view{w.s, v}}, n.of)
	case settingsForm:
		w.settings(Settings{view{w.s, v}}, n.of)
	default:
		w.quote(textAt(w.s, v))
	}
}

func (w *jsonWriter) record(v view, keys []field) {
	w.b = append(w.b, '{')
	for i, k := range keys {
		w.member(k, fieldOf(v, uint32(i)))
	}
	w.b = append(w.b, '}')
}

func (w *jsonWriter) list(v view, of int) {
	w.b = append(w.b, '[')
	for i := range lengthOf(v, 4) {
		w.comma(i)
		w.value(of, itemOf(v, i))
	}
	w.b = append(w.b, ']')
}

// protocol writes a name, or a name with its condition.
func (w *jsonWriter) protocol(p Protocol, condition int) {
	if !p.When().IsKnown() {
		w.quote(p.Name())
		return
	}
	w.record(p.view, []field{{"protocol", plainNode}, {"when", condition}})
}

// settings writes the options by name, and behind them the groups that exclude each other.
func (w *jsonWriter) settings(s Settings, rules int) {
	w.b = append(w.b, '{')
	for x := range s.Named().All() {
		w.key(x.Name())
		if word := x.Word(); word != "" {
			w.quote(word)
		} else {
			w.list(x.Rules().view, rules)
		}
	}
	if s.Exclusive().IsKnown() {
		w.key("exclusive")
		w.b = append(w.b, '[')
		for i := range s.Exclusive().Len() {
			w.comma(i)
			w.list(s.Exclusive().At(i).view, plainNode)
		}
		w.b = append(w.b, ']')
	}
	w.b = append(w.b, '}')
}

// maxInteger is the largest integer that stands as a JSON number: readers with binary
// floats would lose digits of more.
const maxInteger = 1<<53 - 1

func (w *jsonWriter) count(v uint32) {
	n, _ := countAt(w.s, v)
	if n > maxInteger {
		w.b = append(w.b, '"')
		w.b = strconv.AppendInt(w.b, n, 10)
		w.b = append(w.b, '"')
		return
	}
	w.b = strconv.AppendInt(w.b, n, 10)
}

// quote writes a string, escaping what JSON demands and nothing else.
func (w *jsonWriter) quote(s string) {
	const hex = "0123456789abcdef"
	w.b = append(w.b, '"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			w.b = append(w.b, '\\', byte(r))
		case r < ' ' && short[r] != 0:
			w.b = append(w.b, '\\', short[r])
		case r < ' ':
			w.b = append(w.b, '\\', 'u', '0', '0', hex[r>>4], hex[r&15])
		default:
			w.b = utf8.AppendRune(w.b, r)
		}
	}
	w.b = append(w.b, '"')
}

// short are the control characters that have an escape of one letter.
var short = [' ']byte{'\b': 'b', '\t': 't', '\n': 'n', '\f': 'f', '\r': 'r'}
