package doc

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"
	"unsafe"

	"github.com/pelletier/go-toml/v2/unstable"
)

// A TOML reads one TOML document after the other; a parser of its own for each
// would cost four times as much. A value holds until the next document is read, since
// its tables lie in room that is used again, unless Keep says that values are kept. Its
// texts are the document's own bytes, which nobody may write again; those of a long
// document are copied, or a name would keep all of it.
type TOML struct {
	Keep   bool
	parser unstable.Parser
	copies bool
	room   []Value
	used   int
}

// Long is the size above which a document is not kept for the sake of its texts.
const Long = 64 << 10

// tableRoom is how many keys most tables have at most.
const tableRoom = 8

// table gives room for the keys of a table.
func (t *TOML) table(keys int) []Value {
	if t.used+keys > len(t.room) {
		t.room, t.used = make([]Value, max(512, keys)), 0
	}
	t.used += keys
	return t.room[t.used-keys : t.used-keys : t.used]
}

// Read reads a document. A document with a mistake in it has no value: which of its
// tables are whole, nobody knows.
func (t *TOML) Read(src []byte) (v Value, err error) {
	if !utf8.Valid(src) {
		return v, fmt.Errorf("it is not UTF-8")
	}
	t.copies = len(src) > Long
	if !t.Keep {
		t.used = 0
	}
	root := Value{Kind: Map, Kids: t.table(3 * tableRoom)}
	at := &root
	t.parser.Reset(bytes.TrimPrefix(src, []byte("\xef\xbb\xbf")))
	for t.parser.NextExpression() {
		e := t.parser.Expression()
		switch e.Kind {
		case unstable.Table, unstable.ArrayTable:
			if at, err = t.enter(&root, e); err != nil {
				return Value{}, err
			}
		case unstable.KeyValue:
			if err := t.put(at, e, 0); err != nil {
				return Value{}, err
			}
		}
	}
	if err := t.parser.Error(); err != nil {
		return Value{}, fmt.Errorf("no TOML: %w", err)
	}
	return root, nil
}

// enter finds or makes the table of a header.
func (t *TOML) enter(root *Value, e *unstable.Node) (*Value, error) {
	at, depth := root, 0
	it := e.Key()
	for it.Next() {
		if depth++; depth > MaxDepth {
			return nil, fmt.Errorf("tables nest deeper than %d", MaxDepth)
		}
		name := t.text(it.Node().Data)
		next, ok := at.Get(name)
		last := it.IsLast()
		switch {
		case last && e.Kind == unstable.ArrayTable:
			if !ok {
				next = at.add(name, Value{Kind: List})
			}
			if next.Kind != List {
				return nil, fmt.Errorf("%s is %s and a list of tables", name, next.Kind)
			}
			next.Kids = append(next.Kids, t.newMap())
			at = &next.Kids[len(next.Kids)-1]
		case !ok:
			at = at.add(name, t.newMap())
		case next.Kind == List && len(next.Kids) > 0 && next.Kids[len(next.Kids)-1].Kind == Map:
			at = &next.Kids[len(next.Kids)-1]
		case next.Kind == Map:
			at = next
		default:
			return nil, fmt.Errorf("%s is %s and a table", name, next.Kind)
		}
	}
	return at, nil
}

func (t *TOML) newMap() Value { return Value{Kind: Map, Kids: t.table(tableRoom)} }

func (v *Value) add(name string, kid Value) *Value {
	kid.Name = name
	v.Kids = append(v.Kids, kid)
	return &v.Kids[len(v.Kids)-1]
}

// put adds a key and its value to a table; a key that is there is a mistake of TOML.
func (t *TOML) put(at *Value, e *unstable.Node, depth int) error {
	it := e.Key()
	for it.Next() {
		name := t.text(it.Node().Data)
		next, ok := at.Get(name)
		if !it.IsLast() {
			if depth++; depth > MaxDepth {
				return fmt.Errorf("tables nest deeper than %d", MaxDepth)
			}
			switch {
			case !ok:
				next = at.add(name, t.newMap())
			case next.Kind != Map:
				return fmt.Errorf("%s is %s and a table", name, next.Kind)
			}
			at = next
			continue
		}
		if ok {
			return fmt.Errorf("%s is written twice", name)
		}
		kid, err := t.value(e.Value(), depth+1)
		if err != nil {
			return err
		}
		at.add(name, kid)
	}
	return nil
}

func (t *TOML) value(n *unstable.Node, depth int) (Value, error) {
	if depth > MaxDepth {
		return Value{Kind: TooMuch}, nil
	}
	switch n.Kind {
	case unstable.InlineTable:
		v := t.newMap()
		for it := n.Children(); it.Next(); {
			if err := t.put(&v, it.Node(), depth); err != nil {
				return v, err
			}
		}
		return v, nil
	case unstable.Array:
		v := Value{Kind: List, Kids: t.table(tableRoom / 2)}
		for it := n.Children(); it.Next(); {
			kid, err := t.value(it.Node(), depth+1)
			if err != nil {
				return v, err
			}
			v.Kids = append(v.Kids, kid)
		}
		return v, nil
	case unstable.Bool:
		return Value{Kind: Bool, Text: t.text(n.Data)}, nil
	case unstable.Integer, unstable.Float:
		return Value{Kind: Number, Text: strings.ReplaceAll(t.text(n.Data), "_", "")}, nil
	}
	if len(n.Data) > MaxText {
		return Value{Kind: TooMuch}, nil
	}
	return Value{Kind: Text, Text: t.text(n.Data)}, nil // a bare date is a text to us
}

// text is what some bytes of the document say.
func (t *TOML) text(b []byte) string {
	if t.copies {
		return string(b)
	}
	return unsafe.String(unsafe.SliceData(b), len(b))
}
