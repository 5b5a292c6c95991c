package fragment

import (
	"bytes"
	"strings"
	"unicode/utf8"
	"unsafe"

	"github.com/opcat/opcat/compile/form"
	"github.com/opcat/opcat/compile/tree"
	"github.com/opcat/opcat/diag"
	"github.com/opcat/opcat/shape"
	"github.com/pelletier/go-toml/v2/unstable"
)

// maxDepth bounds how deep tables and arrays may nest.
const maxDepth = 64

// What the decoder notes on a node while it builds a file's tree. TOML closes
// tables in ways that the syntax tree does not show: a table may have one header,
// an inline table may not be extended, a dotted key may not enter a headed table.
const (
	markHeader uint8 = 1 << iota // the table has a header of its own
	markDotted                   // the table was made by a dotted key
	markClosed                   // an inline table or a literal array: complete as written
	markTables                   // the list is an array of tables
	markBad                      // a finding was made: the value goes no further
	markNeedy                    // the table is among the decoder's needy
)

// A decoder turns one file after the other into trees. One parser and one arena
// serve all files of a worker: a fresh parser for each costs four times as much.
type decoder struct {
	parser  unstable.Parser
	arena   tree.Arena
	keys    map[mapKey]*shape.Key // keys of Map and Any tables, made once each
	last    mapKey                // the key of a Map that was asked for last: a file names its provider all over
	lastKey *shape.Key
	said    map[*shape.Key]*said  // what was written last of each key of a closed table
	heads   map[*shape.Type]*said // the last header that led to a table of each type
	roots   map[*form.Root]*shape.Key
	good    [shape.Union + 1]string // the last valid text of each kind
	pool    pool                    // what files are read into

	// of the current file
	file   *tree.File
	whole  []byte
	base   int    // where in whole the parser was set going
	src    []byte // whole from there on: the parser's offsets count from its start
	lines  lineCursor
	latest *said  // of the expression that was read last
	after  int    // the offset of the line behind it; -1 where it is not known
	path   []part // of a header
	placed uint32 // the offset of the last node's key
	diags  diag.List
	stray  []diag.Diagnostic                    // tables that belong under the other root
	unsaid *diag.Diagnostic                     // that it is of today's format, and does not say so
	needy  []*tree.Node                         // tables that seem to lack a required key, to be looked at when the file is read
	wide   map[*tree.Node]map[string]*tree.Node // children of large free tables by name
	bad    bool
}

type mapKey struct {
	of   *shape.Type
	name string
}

// tree decodes the file as a table of the root key.
func (d *decoder) tree(root *shape.Key) *tree.Node {
	top := d.arena.New(root, shape.FormTable, "")
	top.File = d.file
	top.SetPlace(tree.Place{Line: 1, KeyCol: 1, Col: 1})
	d.needy = d.needy[:0]
	clear(d.wide)
	d.bad, d.placed = false, 0

	current, depth := d.enter(top), 0
	d.latest, d.after = nil, -1
	d.parser.Reset(d.src)
	for {
		depth = d.follow(top, &current, depth)
		if !d.parser.NextExpression() {
			break
		}
		e := d.parser.Expression()
		switch e.Kind {
		case unstable.Table, unstable.ArrayTable:
			depth = d.header(top, &current, e)
		case unstable.KeyValue:
			before := d.latest
			if d.keyValue(&current, e, depth); d.latest == before {
				d.latest = nil
			}
			d.after = d.behind(e.Raw.Offset + e.Raw.Length)
		}
	}
	d.leave(&current)
	if err := d.parser.Error(); err != nil {
		d.syntax(err) // what seems missing may stand behind the place where reading ended
	} else {
		for _, t := range d.needy {
			d.required(t)
		}
	}
	if d.bad {
		prune(top)
	}
	return top
}

// A part is a key of a path.
type part struct {
	name string
	off  uint32
	last bool
	of   *shape.Type // where it was looked up before, and
	key  *shape.Key  // what was found; nil for nothing yet
}

func partOf(n *unstable.Node) part {
	return part{name: alias(n.Data), off: n.Raw.Offset, last: n.Next() == nil}
}

// turn goes from the table in hand to the one of a header, and gives its depth.
func (d *decoder) turn(top *tree.Node, current *table, path []part, array bool) int {
	d.leave(current)
	at, depth := d.reach(top, path, array)
	*current = d.enter(at)
	return depth
}

// reach opens the table of `[a.b]`, or a new one of `[[a.b]]`.
func (d *decoder) reach(top *tree.Node, path []part, array bool) (*tree.Node, int) {
	at, depth := top, 0
	for i := range path {
		part := &path[i]
		if depth++; depth > maxDepth {
			d.tooDeep(part.off)
			return d.discard(), 0 // what the table holds is no further mistake
		}
		if at.Form == shape.FormList { // the path goes through the newest table of an array
			if at.Mark&markTables == 0 || at.Last() == nil {
				d.twice(at, *part, "is a literal array and can't be extended by a header")
				return d.discard(), depth
			}
			at = at.Last()
		}
		if t := at.Type(); part.key == nil || part.of != t {
			part.key, part.of = d.child(at, t, *part), t
		}
		key := part.key
		next := d.find(at, key)
		final := part.last
		switch {
		case next == nil && final && array:
			at = d.appendTable(d.open(at, key, *part, shape.FormList, markTables), *part)
		case next == nil:
			mark := uint8(0)
			if final {
				mark = markHeader
			}
			if key.Type.Member(shape.FormTable) == nil && key.Type.Member(shape.FormList) != nil && key.Type.Kind != shape.Any {
				// a single-bracket header where [[...]] is meant
				d.wrongForm(key, at, *part, shape.FormTable)
				return d.discard(), depth
			}
			at = d.open(at, key, *part, shape.FormTable, mark)
		case next.Mark&markClosed != 0 || next.Form != shape.FormTable && next.Form != shape.FormList:
			d.twice(next, *part, "is already written here")
			return d.discard(), depth
		case !final:
			at = next
		case array:
			if next.Mark&markTables == 0 {
				d.twice(next, *part, "is already a single table")
				return d.discard(), depth
			}
			at = d.appendTable(next, *part)
		case next.Form == shape.FormList:
			d.twice(next, *part, "is already an array of tables")
			return d.discard(), depth
		case next.Mark&(markHeader|markDotted) != 0:
			d.twice(next, *part, "is already written here")
			return d.discard(), depth
		default:
			next.Mark |= markHeader
			at = next
			d.place(at, part.off, part.off)
		}
	}
	if at.Form == shape.FormList {
		at = at.Last()
	}
	return at, depth
}

// open makes a table or list under at.
func (d *decoder) open(at *tree.Node, key *shape.Key, part part, form shape.Form, mark uint8) *tree.Node {
	n := d.node(key, form, part.off, part.off)
	n.Mark = mark
	if key.Type.Member(form) == nil {
		d.wrongForm(key, at, part, form)
		n.Mark |= markBad
	}
	if key.Index == unknownIndex {
		n.Mark |= markBad
	}
	d.add(at, n)
	if mark&markHeader == 0 { // of the others, leave sees what they lack
		d.needs(n)
	}
	return n
}

// appendTable adds the table of a `[[...]]` header to its array.
func (d *decoder) appendTable(list *tree.Node, part part) *tree.Node {
	t := list.Type()
	key := anyItem
	if t != nil && t.Kind == shape.List {
		key = t.Item()
	}
	n := d.node(key, shape.FormTable, part.off, part.off)
	n.Mark = markHeader
	if key.Type.Member(shape.FormTable) == nil {
		d.wrongForm(key, list, part, shape.FormTable)
		n.Mark |= markBad
	}
	list.Append(n)
	return n
}

// discard is a table that takes what follows a header that could not be
// followed, so that its keys are not reported against another table.
func (d *decoder) discard() *tree.Node {
	return d.arena.New(anyItem, shape.FormTable, "")
}

// A table is one that keys are being read into. seen has a bit for each key of
// a closed table that is there already, which saves the search for repeats.
type table struct {
	node *tree.Node
	typ  *shape.Type
	seen uint64
	next int  // where the key after the last one is declared: keys are mostly written in that order
	over bool // its first key came again: what follows is another's, whose header is missing

	inline bool // its keys have no lines of their own
}

// enter gives the table of a node, which may hold keys already.
func (d *decoder) enter(n *tree.Node) table {
	t := table{node: n, typ: n.Type()}
	if t.typ == nil {
		t.typ = anyType
	}
	for c := n.First(); c != nil; c = c.Next() {
		t.seen |= bit(c.Key)
	}
	return t
}

// bit is the key's bit in a table's seen; 0 for a key without one.
func bit(k *shape.Key) uint64 {
	if k.Index < 0 || k.Within == nil {
		return 0
	}
	return 1 << uint(k.Index) // 0 from 64 on: such a key is searched for
}

// leave remembers a table that seems to lack a key: a later header may add it.
func (d *decoder) leave(t *table) {
	if t.typ.Kind == shape.Record && t.typ.Table.Needs&^t.seen != 0 {
		d.needs(t.node)
	}
}

// keyValue reads `a.b = value` into a table.
func (d *decoder) keyValue(t *table, e *unstable.Node, depth int) {
	v := e.Value()
	name := v.Next()
	part := partOf(name)
	depth++
	key := t.neighbour(part.name)
	if key == nil {
		key = d.child(t.node, t.typ, part)
	}
	t.next = key.Index + 1
	if b := bit(key); part.last && b != 0 && t.seen&b == 0 { // nearly always
		t.seen |= b
		if !t.inline || v.Kind == unstable.Array || v.Kind == unstable.InlineTable {
			t.node.Append(d.again(key, t, e, name, depth))
		} else {
			t.node.Append(d.value(key, t.node, v, name, depth))
		}
		return
	}
	t.seen |= bit(key)
	for at := t.node; ; {
		if depth > maxDepth {
			d.tooDeep(part.off)
			return
		}
		there := d.find(at, key)
		if part.last {
			n := d.value(key, at, v, name, depth)
			if there != nil {
				d.repeated(t, there, part)
				return
			}
			if key.Index == unknownIndex {
				n.Mark |= markBad
			}
			d.add(at, n)
			return
		}
		switch {
		case there == nil:
			at = d.open(at, key, part, shape.FormTable, markDotted)
		case there.Form != shape.FormTable || there.Mark&markDotted == 0 || there.Mark&(markClosed|markHeader) != 0:
			d.twice(there, part, "is already written here and can't be extended by a dotted key")
			return
		default:
			at = there
		}
		name = name.Next()
		part = partOf(name)
		depth++
		key = d.child(at, at.Type(), part)
	}
}

// value reads one value. It always gives a node, marked bad where a finding was
// made, so that what follows in the file is still read.
func (d *decoder) value(key *shape.Key, in *tree.Node, v, part *unstable.Node, depth int) *tree.Node {
	form := formOf(v.Kind)
	t := key.Type.Member(form)
	keyOff, off := d.offsets(v, part)
	n := d.node(key, form, keyOff, off)
	if depth > maxDepth {
		d.tooDeep(off)
		n.Mark |= markBad
		return n
	}
	if t == nil || form == shape.FormDate {
		d.wrongValue(key, in, n, v)
		t = anyType
		if form != shape.FormList && form != shape.FormTable {
			return n
		}
	}
	switch form {
	case shape.FormList:
		n.Mark |= markClosed
		d.list(n, t, v, part, depth)
		d.measure(n)
	case shape.FormTable:
		n.Mark |= markClosed
		d.inline(n, t, v, depth)
		d.measure(n)
	default:
		d.scalar(n, t, in, v)
	}
	return n
}

// measure tells whether all of a value that was just read stands on its line.
func (d *decoder) measure(n *tree.Node) {
	if d.lines.line == n.Place().Line && !d.file.Legacy {
		n.SetOnOneLine()
	}
}

func (d *decoder) list(n *tree.Node, t *shape.Type, v, part *unstable.Node, depth int) {
	item := anyItem
	if t.Kind == shape.List {
		item = t.Item()
	}
	for c := v.Child(); c != nil; c = c.Next() {
		if c.Kind != unstable.Comment {
			n.Append(d.value(item, n, c, nil, depth+1))
		}
	}
	if t.Kind != shape.List {
		return
	}
	if t.NonEmpty && n.First() == nil {
		remedy := "leave it out, or name at least one"
		if n.Key.Need != shape.Optional {
			remedy = "name at least one"
		}
		d.report(n, diag.Diagnostic{Code: diag.EmptyList, At: n.At(), Message: d.nameOf(n.Key) + " is an empty list; " + remedy,
			Got: "[]", Allowed: t.Elem.Values})
	}
	if t.Set {
		d.set(n, t)
	}
}

// inline reads `{ ... }` and refuses what only TOML 1.1 allows in it. The syntax
// tree has no place for commas, so the bytes between its parts are looked at.
func (d *decoder) inline(n *tree.Node, typ *shape.Type, v *unstable.Node, depth int) {
	in := table{node: n, typ: typ, inline: true}
	end := v.Raw.Offset + 1
	for kv := v.Child(); kv != nil; kv = kv.Next() {
		if kv.Kind != unstable.KeyValue {
			continue
		}
		d.gap(n, end, kv.Raw.Offset)
		d.keyValue(&in, kv, depth)
		end = kv.Raw.Offset + kv.Raw.Length
	}
	d.leave(&in)
	for int(end) < len(d.src) && (d.src[end] == ' ' || d.src[end] == '\t') {
		end++
	}
	if int(end) < len(d.src) && d.src[end] != '}' {
		d.newerTOML(n, end)
	}
}

// gap checks the bytes between two parts of an inline table: blanks and one comma.
func (d *decoder) gap(n *tree.Node, from, to uint32) {
	for i := from; i < to; i++ {
		if c := d.src[i]; c != ' ' && c != '\t' && c != ',' {
			d.newerTOML(n, i)
			return
		}
	}
}

// child finds the key that a part of a path names within a table.
func (d *decoder) child(at *tree.Node, t *shape.Type, part part) *shape.Key {
	if t == nil {
		t = anyType
	}
	switch t.Kind {
	case shape.Record:
		if k := t.Table.Key(part.name); k != nil && k.Moved == "" {
			return k
		}
		d.unknown(at, t.Table, part)
		return &shape.Key{Name: strings.Clone(part.name), Type: anyType, Index: unknownIndex}
	case shape.Map:
		if d.last.of == t && d.last.name == part.name {
			return d.lastKey
		}
		if k := d.keys[mapKey{t, part.name}]; k != nil {
			d.last, d.lastKey = mapKey{t, k.Name}, k
			return k
		}
		k := &shape.Key{Name: strings.Clone(part.name), Type: t.Elem, Index: -1}
		if why := badText(t.KeyKind, k.Name); why != "" {
			d.badKey(t, part, why)
			k.Type, k.Index = anyType, unknownIndex
			return k
		}
		d.keys[mapKey{t, k.Name}] = k
		return k
	}
	k := d.keys[mapKey{anyType, part.name}]
	if k == nil {
		k = &shape.Key{Name: strings.Clone(part.name), Type: anyType, Index: -1}
		d.keys[mapKey{anyType, k.Name}] = k
	}
	return k
}

// neighbour tries the few keys declared after the last one, which saves a lookup.
func (t *table) neighbour(name string) *shape.Key {
	if t.typ.Kind != shape.Record {
		return nil
	}
	keys := t.typ.Table.Keys
	for i := max(t.next, 0); i < len(keys) && i < t.next+3; i++ {
		if keys[i].Name == name {
			return keys[i]
		}
	}
	return nil
}

// unknownIndex marks a key that its table does not have.
const unknownIndex = -2

var (
	anyType = shape.Of(shape.Any)
	anyItem = &shape.Key{Type: anyType, Index: -1}
)

// wide is how many children a table may have before they are indexed: a closed
// table never has more, a free one may have thousands.
const wide = 32

// find looks for a child that is already there under the key.
func (d *decoder) find(at *tree.Node, key *shape.Key) *tree.Node {
	if index := d.wide[at]; index != nil {
		return index[key.Name]
	}
	n := 0
	for c := at.First(); c != nil; c = c.Next() {
		if c.Key == key || c.Key.Name == key.Name && key.Within == nil {
			return c
		}
		n++
	}
	if n > wide && key.Within == nil {
		index := make(map[string]*tree.Node, 2*n)
		for c := range at.Each() {
			index[c.Key.Name] = c
		}
		d.wide[at] = index
	}
	return nil
}

// add appends a child that find did not find.
func (d *decoder) add(at, n *tree.Node) {
	at.Append(n)
	if len(d.wide) > 0 {
		if index := d.wide[at]; index != nil {
			index[n.Key.Name] = n
		}
	}
}

func formOf(k unstable.Kind) shape.Form {
	switch k {
	case unstable.String:
		return shape.FormString
	case unstable.Integer:
		return shape.FormInteger
	case unstable.Float:
		return shape.FormFloat
	case unstable.Bool:
		return shape.FormBool
	case unstable.Array:
		return shape.FormList
	case unstable.InlineTable:
		return shape.FormTable
	}
	return shape.FormDate
}

// needs remembers a table that has required keys, once.
func (d *decoder) needs(n *tree.Node) {
	if t := n.Type(); n.Mark&markNeedy == 0 && t != nil && t.Kind == shape.Record && t.Table.Needs != 0 {
		n.Mark |= markNeedy
		d.needy = append(d.needy, n)
	}
}

// offsets tells where a value's key and the value itself start. An array has no
// range of its own: it starts after the equals sign, or where its first item does.
func (d *decoder) offsets(v, part *unstable.Node) (key, value uint32) {
	value = v.Raw.Offset
	if v.Kind == unstable.Array {
		switch first := v.Child(); {
		case part != nil:
			value = part.Raw.Offset + part.Raw.Length
			for int(value) < len(d.src) && (d.src[value] == ' ' || d.src[value] == '\t' || d.src[value] == '=') {
				value++
			}
		case first != nil:
			value = first.Raw.Offset
		default:
			value = d.placed
		}
	}
	if part == nil {
		return value, value
	}
	return part.Raw.Offset, value
}

// node makes a node of the current file whose key and value stand at the offsets.
func (d *decoder) node(key *shape.Key, form shape.Form, keyOff, off uint32) *tree.Node {
	n := d.arena.New(key, form, "")
	n.File = d.file
	if key.Layers {
		d.file.Speaks = true
	}
	d.place(n, keyOff, off)
	return n
}

// lineAt is the line and the column of an offset.
func (d *decoder) lineAt(off uint32) (line, col int) {
	return d.lines.at(d.whole, d.base+int(off))
}

func (d *decoder) place(n *tree.Node, key, value uint32) {
	d.placed = key
	line, col := d.lineAt(key)
	n.SetPlace(tree.Place{Line: line, KeyCol: col, Col: col + int(value-key)})
}

// prune takes out of a tree what a finding was made about.
func prune(n *tree.Node) {
	n.Filter(func(c *tree.Node) bool {
		if c.Mark&markBad != 0 {
			return false
		}
		prune(c)
		return true
	})
}

// A lineCursor turns offsets into lines and columns. Offsets mostly rise, so it
// walks along with them; a step back starts over.
type lineCursor struct {
	line, start, end int // the current line, its first offset, the offset of its newline
}

func (c *lineCursor) reset() { *c = lineCursor{line: 0, start: 0, end: -1} }

func (c *lineCursor) at(src []byte, off int) (line, col int) {
	if off < c.start || off > c.end {
		c.seek(src, off)
	}
	return c.line, off - c.start + 1
}

// seek goes to the line of an offset.
func (c *lineCursor) seek(src []byte, off int) {
	if off < c.start {
		c.reset()
	}
	for off > c.end {
		c.line++
		c.start = c.end + 1
		if i := bytes.IndexByte(src[min(c.start, len(src)):], '\n'); i >= 0 {
			c.end = c.start + i
		} else {
			c.end = len(src)
			break
		}
	}
}

// alias reads bytes of a file as a string without copying: a file's bytes are
// never changed once they are read.
func alias(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }

// firstInvalid is the offset of the first byte that is not UTF-8.
func firstInvalid(src []byte) int {
	for i := 0; i < len(src); {
		r, n := utf8.DecodeRune(src[i:])
		if r == utf8.RuneError && n <= 1 {
			return i
		}
		i += n
	}
	return len(src)
}
