package tree

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/opcat/opcat/internal/canon"
	"github.com/opcat/opcat/shape"
)

// A node is one JSON array, so that a stage's result can lie in a file between
// two runs:
//
//	["limits","t",0,7,1,10,[["context_tokens","i",0,7,12,29,"65536"]]]
//
// which is name, form, file, line, column of the key, column of the value, and
// the text or the children. A file is told by its number in a list of its own, -1
// being none. What a node may hold is not written: the shape of the root says it.

// formLetters are the forms as a node spells them.
const formLetters = "?sifbdlt"

// An Encoder writes nodes. One serves all nodes of an artifact: it numbers the
// files that they stand in.
type Encoder struct {
	files   []*File
	numbers map[*File]int
	last    *File // neighbours mostly stand in one file
	lastNo  int
}

// Append appends a node, or null for none.
func (e *Encoder) Append(dst []byte, n *Node) []byte {
	if n == nil {
		return append(dst, "null"...)
	}
	dst = append(dst, '[')
	dst = canon.AppendString(dst, n.Key.Name)
	dst = append(dst, ',', '"', formLetters[n.Form], '"', ',')
	dst = strconv.AppendInt(dst, int64(e.Number(n.File)), 10)
	for _, i := range [...]uint32{n.line, uint32(n.keyCol), uint32(n.col)} {
		dst = append(dst, ',')
		dst = strconv.AppendUint(dst, uint64(i), 10)
	}
	dst = append(dst, ',')
	if n.Form != shape.FormList && n.Form != shape.FormTable {
		dst = canon.AppendString(dst, n.Str())
		return append(dst, ']')
	}
	dst = append(dst, '[')
	for c := n.First(); c != nil; c = c.Next() {
		if c != n.First() {
			dst = append(dst, ',')
		}
		dst = e.Append(dst, c)
	}
	return append(dst, "]]"...)
}

// Number is the number of a file in Files; -1 for none.
func (e *Encoder) Number(f *File) int {
	if f == nil {
		return -1
	}
	if f == e.last {
		return e.lastNo
	}
	if e.numbers == nil {
		e.numbers = map[*File]int{}
	}
	i, ok := e.numbers[f]
	if !ok {
		i = len(e.files)
		e.numbers[f] = i
		e.files = append(e.files, f)
	}
	e.last, e.lastNo = f, i
	return i
}

// Files are the files of what was written so far, in the order of their numbers.
func (e *Encoder) Files() []*File { return e.files }

// A Decoder reads nodes back. It is as strict as the decoder of fragments: what
// the root's shape does not allow, it does not read. No bytes make it panic.
type Decoder struct {
	Files []*File
	Extra []*shape.Key                        // keys that any closed table may hold besides its own
	Check func(k shape.Kind, s string) string // says why a text is none of its kind; "" if it is one

	arena Arena
	keys  map[madeKey]*shape.Key
	s     string
	i     int
}

// madeKey finds the key of an entry of a free table, which is made once.
type madeKey struct {
	of   *shape.Type
	name string
}

// Node reads one node that stands under root; null is no node.
func (d *Decoder) Node(data string, root *shape.Key) (*Node, error) {
	d.s, d.i = data, 0
	if data == "null" {
		return nil, nil
	}
	if d.keys == nil {
		d.keys = map[madeKey]*shape.Key{}
	}
	n, err := d.node(nil, root, 0)
	if err == nil && d.i != len(data) {
		err = errors.New("goes on after its end")
	}
	if err != nil {
		return nil, fmt.Errorf("byte %d of a node: %w", d.i, err)
	}
	return n, nil
}

// maxDepth bounds the nesting of nodes: a fragment has 64 levels, and what the
// stages put around it is few.
const maxDepth = 100

// node reads a node. Its key is root, or what its name means within a table or
// list of type in.
func (d *Decoder) node(in *shape.Type, root *shape.Key, depth int) (*Node, error) {
	if depth > maxDepth {
		return nil, errors.New("nests too deep")
	}
	if err := d.want('['); err != nil {
		return nil, err
	}
	name, err := d.word()
	if err != nil {
		return nil, err
	}
	key := root
	if in != nil {
		if key, err = d.child(in, name); err != nil {
			return nil, err
		}
	} else if name != root.Name {
		return nil, fmt.Errorf("is named %q, not %q", name, root.Name)
	}
	form, err := d.form()
	if err != nil {
		return nil, err
	}
	t := key.Type.Member(form)
	if t == nil {
		return nil, fmt.Errorf("%q is written as %s", name, form)
	}
	n := d.arena.New(key, form, "")
	if err := d.place(n); err != nil {
		return nil, err
	}
	switch form {
	case shape.FormList, shape.FormTable:
		err = d.children(n, t, depth)
	default:
		var text string
		if text, err = d.text(); err == nil {
			n.SetText(text)
			err = d.fits(t, n)
		}
	}
	if err != nil {
		return nil, err
	}
	return n, d.want(']')
}

// child is the key that a name means within a table or list.
func (d *Decoder) child(in *shape.Type, name string) (*shape.Key, error) {
	of := in
	switch in.Kind {
	case shape.List:
		if name != "" {
			return nil, fmt.Errorf("an item of a list is named %q", name)
		}
		return in.Item(), nil
	case shape.Record:
		if k := in.Table.Key(name); k != nil && k.Moved == "" {
			return k, nil
		}
		for _, k := range d.Extra {
			if k.Name == name {
				return k, nil
			}
		}
		return nil, fmt.Errorf("%q is not a key of %s", name, in.Table.Name)
	case shape.Map:
		of = in.Elem
		if d.Check != nil {
			if why := d.Check(in.KeyKind, name); why != "" {
				return nil, fmt.Errorf("the key %q %s", name, why)
			}
		}
	}
	at := madeKey{in, name}
	k := d.keys[at]
	if k == nil {
		k = &shape.Key{Name: name, Type: of, Index: -1}
		d.keys[at] = k
	}
	return k, nil
}

// children reads what a table or list holds.
func (d *Decoder) children(n *Node, t *shape.Type, depth int) error {
	if err := d.want('['); err != nil {
		return err
	}
	if d.peek(']') {
		d.i++
		return nil
	}
	var names names
	for {
		c, err := d.node(t, nil, depth+1)
		if err != nil {
			return err
		}
		if n.Form == shape.FormTable && names.seen(n, c.Key.Name) {
			return fmt.Errorf("%q stands twice in a table", c.Key.Name)
		}
		n.Append(c)
		if !d.peek(',') {
			return d.want(']')
		}
		d.i++
	}
}

// names tells a table's repeats. Only a wide table is worth a map.
type names struct {
	n   int
	all map[string]bool
}

func (s *names) seen(in *Node, name string) bool {
	const wide = 32
	s.n++
	switch {
	case s.n < wide:
		return in.Get(name) != nil
	case s.all == nil:
		s.all = make(map[string]bool, 2*wide)
		for c := range in.Each() {
			s.all[c.Key.Name] = true
		}
	}
	was := s.all[name]
	s.all[name] = true
	return was
}

// fits refuses a text that is none of its type. its text becomes the spelling of
// the closed set where there is one.
func (d *Decoder) fits(t *shape.Type, n *Node) error {
	switch {
	case n.Form == shape.FormDate:
		return errors.New("is a bare date")
	case t.Kind == shape.Enum:
		word, ok := t.Word(n.Str())
		if !ok {
			return fmt.Errorf("%q is no value of %q", n.Str(), n.Key.Name)
		}
		n.SetText(word)
	case n.Form == shape.FormBool:
		if n.Str() != "true" && n.Str() != "false" {
			return fmt.Errorf("%q is %q, neither true nor false", n.Key.Name, n.Str())
		}
	case n.Form == shape.FormInteger:
		i, err := strconv.ParseInt(n.Str(), 10, 64)
		if err != nil || strconv.FormatInt(i, 10) != n.Str() {
			return fmt.Errorf("%q is %q, no integer", n.Key.Name, n.Str())
		}
		if t.Kind == shape.Count && (i < t.Min || t.Max != 0 && i > t.Max) {
			return fmt.Errorf("%q is %s, out of range", n.Key.Name, n.Str())
		}
	case n.Form == shape.FormFloat:
		if !canon.IsDecimal(n.Str()) {
			return fmt.Errorf("%q is %q, no decimal", n.Key.Name, n.Str())
		}
	case d.Check != nil:
		if why := d.Check(t.Kind, n.Str()); why != "" {
			return fmt.Errorf("%q %s (got %q)", n.Key.Name, why, n.Str())
		}
	}
	return nil
}

func (d *Decoder) form() (shape.Form, error) {
	word, err := d.word()
	if err != nil {
		return 0, err
	}
	if f := strings.Index(formLetters, word); len(word) == 1 && f > 0 {
		return shape.Form(f), nil
	}
	return 0, fmt.Errorf("%q is no form", word)
}

// place reads the four numbers of a node's place.
func (d *Decoder) place(n *Node) error {
	file := -1
	if strings.HasPrefix(d.s[d.i:], "-1,") {
		d.i += len("-1,")
	} else {
		i, err := d.number(len(d.Files) - 1)
		if err != nil {
			return err
		}
		file = i
	}
	if file >= 0 {
		n.File = d.Files[file]
	}
	var at [3]int
	for i, most := range [...]int{1<<32 - 1, 1<<16 - 1, 1<<16 - 1} {
		var err error
		if at[i], err = d.number(most); err != nil {
			return err
		}
	}
	n.line, n.keyCol, n.col = uint32(at[0]), uint16(at[1]), uint16(at[2])
	return nil
}

// number reads an integer from 0 to most and the comma behind it.
func (d *Decoder) number(most int) (int, error) {
	n, start := 0, d.i
	for d.i < len(d.s) && '0' <= d.s[d.i] && d.s[d.i] <= '9' {
		n = n*10 + int(d.s[d.i]-'0')
		if d.i++; n > most {
			return 0, fmt.Errorf("a number above %d", most)
		}
	}
	if start == d.i || d.s[start] == '0' && d.i > start+1 {
		return 0, errors.New("no number")
	}
	return n, d.want(',')
}

// text reads a JSON string.
func (d *Decoder) text() (string, error) {
	if err := d.want('"'); err != nil {
		return "", err
	}
	start, plain := d.i, true
	for ; ; d.i++ {
		if d.i >= len(d.s) {
			return "", errors.New("ends within a text")
		}
		c := d.s[d.i]
		if c == '"' {
			break
		}
		if c < ' ' {
			return "", errors.New("a control character within a text")
		}
		if c == '\\' {
			plain = false
			d.i++
		}
	}
	raw := d.s[start:d.i]
	d.i++
	if !utf8.ValidString(raw) {
		return "", errors.New("a text that is not UTF-8")
	}
	if plain {
		return raw, nil
	}
	var s string
	if err := json.Unmarshal([]byte(`"`+raw+`"`), &s); err != nil {
		return "", fmt.Errorf("a text with a wrong escape: %q", raw)
	}
	return s, nil
}

// word reads a JSON string and the comma behind it.
func (d *Decoder) word() (string, error) {
	s, err := d.text()
	if err != nil {
		return "", err
	}
	return s, d.want(',')
}

func (d *Decoder) peek(c byte) bool { return d.i < len(d.s) && d.s[d.i] == c }

func (d *Decoder) want(c byte) error {
	if !d.peek(c) {
		return fmt.Errorf("no %q where one must stand", string(c))
	}
	d.i++
	return nil
}
