package golang

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/opcat/opcat/internal/blob"
	"github.com/opcat/opcat/shape"
)

// A writer writes what a catalog's canonical text says as words; see package blob for
// how. It follows the shapes, so that no fact is named here and none can be forgotten: a member that
// its table does not have is an error.
type writer struct {
	b     []byte
	texts interned
	words interned // records, lists and maps
	stack []uint32 // of records, lists and maps that are being read

	s   string // what is being read
	i   int
	err error
}

// fail keeps the first error; what follows reads nothing.
func (w *writer) fail(what string) {
	if w.err == nil {
		w.err = fmt.Errorf("%s at %.60q", what, w.s[min(w.i, len(w.s)):])
	}
}

// read reads a text of one value.
func (w *writer) read(s string, t *shape.Type) uint32 {
	w.s, w.i = s, 0
	v := w.value(t)
	if w.err == nil && w.i != len(s) {
		w.fail("more text after a value")
	}
	return v
}

func (w *writer) at(c byte) bool { return w.i < len(w.s) && w.s[w.i] == c }

// eat steps over a character that may stand here; want, over one that must.
func (w *writer) eat(c byte) bool {
	if w.at(c) {
		w.i++
		return true
	}
	return false
}

func (w *writer) want(c byte) {
	if !w.eat(c) {
		w.fail("no " + strconv.QuoteRune(rune(c)))
	}
}

// value reads a value and gives its word.
func (w *writer) value(t *shape.Type) uint32 {
	switch t.Kind {
	case shape.Bool:
		return w.yesno()
	case shape.Count:
		return w.count()
	case shape.Any:
		return w.any()
	case shape.List:
		return w.list(func() uint32 { return w.value(t.Elem) })
	case shape.Map:
		return w.members(func(string) uint32 { return w.value(t.Elem) })
	case shape.Union:
		return w.union()
	case shape.Record:
		switch {
		case IsSettings(t.Table):
			return w.settings(t.Table)
		case IsCondition(t.Table):
			return w.members(func(string) uint32 { return w.list(w.union) })
		}
		return w.record(t.Table)
	}
	return w.text(w.quoted())
}

// quoted reads a JSON string.
func (w *writer) quoted() string {
	if !w.eat('"') {
		w.fail("no string")
		return ""
	}
	start := w.i
	n := strings.IndexByte(w.s[start:], '"')
	if n < 0 {
		w.fail("an open string")
		return ""
	}
	if s := w.s[start : start+n]; strings.IndexByte(s, '\\') < 0 {
		w.i += n + 1
		return s
	}
	for w.i < len(w.s) && w.s[w.i] != '"' {
		if w.s[w.i] == '\\' {
			w.i++
		}
		w.i++
	}
	var s string
	if w.i >= len(w.s) || json.Unmarshal([]byte(w.s[start-1:w.i+1]), &s) != nil {
		w.fail("no string")
		return ""
	}
	w.i++
	return s
}

func (w *writer) yesno() uint32 {
	switch {
	case strings.HasPrefix(w.s[w.i:], "true"):
		w.i += len("true")
		return blob.Yes
	case strings.HasPrefix(w.s[w.i:], "false"):
		w.i += len("false")
		return blob.No
	}
	w.fail("neither true nor false")
	return 0
}

// count reads a whole number; one that binary floats cannot hold stands in quotes.
func (w *writer) count() uint32 {
	quoted := w.eat('"')
	start := w.i
	w.eat('-')
	for w.i < len(w.s) && '0' <= w.s[w.i] && w.s[w.i] <= '9' {
		w.i++
	}
	n, err := strconv.ParseInt(w.s[start:w.i], 10, 64)
	if err != nil {
		w.fail("no count")
	}
	if quoted {
		w.want('"')
	}
	if 0 <= n && n < blob.Far-1 {
		return uint32(n) + 1
	}
	return blob.Far | w.put(uint32(n), uint32(uint64(n)>>32))/4
}

// any takes a value as it stands.
func (w *writer) any() uint32 {
	start, depth := w.i, 0
	for w.i < len(w.s) {
		switch c := w.s[w.i]; c {
		case '"':
			w.quoted()
			if depth == 0 {
				return w.text(w.s[start:w.i])
			}
			continue
		case '{', '[':
			depth++
		case '}', ']':
			if depth == 0 {
				return w.text(w.s[start:w.i])
			}
			if depth--; depth == 0 {
				w.i++
				return w.text(w.s[start:w.i])
			}
		case ',':
			if depth == 0 {
				return w.text(w.s[start:w.i])
			}
		}
		w.i++
	}
	return w.text(w.s[start:w.i])
}

// union reads a word, a number or a yes or no.
func (w *writer) union() uint32 {
	if w.at('"') {
		return w.put(blob.TextValue, w.text(w.quoted()))
	}
	return w.put(blob.BoolValue, w.yesno())
}

func (w *writer) list(item func() uint32) uint32 {
	base := w.push(1)
	w.want('[')
	for !w.at(']') && w.err == nil {
		if len(w.stack) > base+1 {
			w.want(',')
		}
		v := item()
		w.stack = append(w.stack, v)
	}
	w.want(']')
	w.stack[base] = uint32(len(w.stack) - base - 1)
	return w.pop(base)
}

// members reads an object whose members are no keys of a table: a map. Those of a catalog's
// text stand by name, but for conditions, whose readers go through all.
func (w *writer) members(value func(name string) uint32) uint32 {
	base := w.push(1)
	w.want('{')
	for !w.at('}') && w.err == nil {
		if len(w.stack) > base+1 {
			w.want(',')
		}
		name := w.quoted()
		w.want(':')
		v := value(name)
		w.stack = append(w.stack, w.text(name), v)
	}
	w.want('}')
	w.stack[base] = uint32(len(w.stack)-base-1) / 2
	return w.pop(base)
}

// record reads a table's object. Its members stand in the order of the table's keys.
func (w *writer) record(t *shape.Table) uint32 {
	base := w.push(len(t.Keys))
	w.want('{')
	next := 0
	for !w.at('}') && w.err == nil {
		if next > 0 {
			w.want(',')
		}
		k := w.key(t, &next)
		if k == nil {
			w.fail("no key of " + t.Name)
			break
		}
		var v uint32
		if IsProtocols(k) {
			v = w.list(func() uint32 { return w.protocol(k.Type.Elem.Member(shape.FormTable)) })
		} else {
			v = w.value(k.Type)
		}
		w.stack[base+k.Index] = v
	}
	w.want('}')
	return w.pop(base)
}

// key reads the name of a member that stands after the keys before next.
func (w *writer) key(t *shape.Table, next *int) *shape.Key {
	rest := w.s[w.i:]
	for _, k := range t.Keys[*next:] {
		if start := k.JSON[1:]; strings.HasPrefix(rest, start) { // but for the comma
			w.i += len(start)
			*next = k.Index + 1
			return k
		}
	}
	return nil
}

// protocol reads a name, or a name with its condition where the operation has those.
func (w *writer) protocol(t *shape.Type) uint32 {
	if t == nil || w.at('"') {
		return w.put(w.text(w.quoted()), 0)
	}
	return w.record(t.Table)
}

// settings reads the options of a contract: groups that exclude each other, then each
// option by its name.
func (w *writer) settings(t *shape.Table) uint32 {
	exclusive := uint32(0)
	base := w.push(1)
	w.want('{')
	for first := true; !w.at('}') && w.err == nil; first = false {
		if !first {
			w.want(',')
		}
		name := w.quoted()
		w.want(':')
		k := t.Key(name)
		switch {
		case k == nil:
			w.fail("no setting: " + name)
		case name == "exclusive":
			exclusive = w.value(k.Type)
		default:
			v := w.setting(name, k)
			w.stack = append(w.stack, v)
		}
	}
	w.want('}')
	w.stack[base] = uint32(len(w.stack) - base - 1)
	return w.put(exclusive, w.pop(base))
}

func (w *writer) setting(name string, k *shape.Key) uint32 {
	if w.at('"') {
		return w.put(w.text(name), w.text(w.quoted()), 0)
	}
	rule := k.Type.Member(shape.FormList).Elem.Table
	rules := w.list(func() uint32 { return w.rule(rule) })
	return w.put(w.text(name), 0, rules)
}

// rule reads a rule of a setting. Its keys are those of every setting's rules, and its
// values are of whatever kind the setting has.
func (w *writer) rule(t *shape.Table) uint32 {
	base := w.push(len(ruleKeys))
	w.want('{')
	for first := true; !w.at('}') && w.err == nil; first = false {
		if !first {
			w.want(',')
		}
		name := w.quoted()
		w.want(':')
		k := t.Key(name)
		if k == nil {
			w.fail("no key of " + t.Name)
			break
		}
		var v uint32
		switch name {
		case "values":
			v = w.list(w.union)
		case "default":
			v = w.union()
		default:
			v = w.value(k.Type)
		}
		w.stack[base+ruleKeys[name]] = v
	}
	w.want('}')
	return w.pop(base)
}

// ruleKeys are the places of a rule's keys, as flat.SettingRule reads them.
var ruleKeys = map[string]int{"values": 0, "min": 1, "max": 2, "default": 3, "required": 4, "when": 5}

// push makes room for words on the stack, and pop puts all from there on into the blob.
func (w *writer) push(n int) (base int) {
	base = len(w.stack)
	for range n {
		w.stack = append(w.stack, 0)
	}
	return base
}

func (w *writer) pop(base int) uint32 {
	at := w.put(w.stack[base:]...)
	w.stack = w.stack[:base]
	return at
}

// put gives the place of words, which are written if they do not stand there yet.
func (w *writer) put(words ...uint32) uint32 {
	hash := uint64(len(words))
	for _, x := range words {
		hash = (hash ^ uint64(x)) * 0x9e3779b97f4a7c15
		hash ^= hash >> 29
	}
	slot, at := w.words.find(w.b, hash, func(b []byte, at uint32) bool {
		if int(at)+4*len(words) > len(b) {
			return false
		}
		for i, x := range words {
			if load(b, int(at)+4*i) != x {
				return false
			}
		}
		return true
	})
	if at == 0 {
		at = w.append(words...)
		w.words.add(slot, hash, at)
	}
	return at
}

// append writes words.
func (w *writer) append(words ...uint32) uint32 {
	at := w.place()
	for _, x := range words {
		w.b = append(w.b, byte(x), byte(x>>8), byte(x>>16), byte(x>>24))
	}
	return at
}

// text gives the place of a text.
func (w *writer) text(s string) uint32 {
	hash := blob.Hash(s)
	slot, at := w.texts.find(w.b, hash, func(b []byte, at uint32) bool {
		return int(load(b, int(at))) == len(s) && string(b[at+4:int(at)+4+len(s)]) == s
	})
	if at == 0 {
		at = w.append(uint32(len(s)))
		w.b = append(w.b, s...)
		for len(w.b)%4 != 0 {
			w.b = append(w.b, 0)
		}
		w.texts.add(slot, hash, at)
	}
	return at
}

var errTooLarge = errors.New("the blob has more than 4 GiB, which is the most that its places can say")

// place is where the next words go.
func (w *writer) place() uint32 {
	if len(w.b) > math.MaxUint32-1<<20 && w.err == nil {
		w.err = errTooLarge
	}
	return uint32(len(w.b))
}

func load(b []byte, at int) uint32 {
	_ = b[at+3]
	return uint32(b[at]) | uint32(b[at+1])<<8 | uint32(b[at+2])<<16 | uint32(b[at+3])<<24
}

func store(b []byte, at int, x uint32) {
	b[at], b[at+1], b[at+2], b[at+3] = byte(x), byte(x>>8), byte(x>>16), byte(x>>24)
}

// interned finds what stands in the blob already: places by hash.
type interned struct {
	slots []stored
	n     int
}

type stored struct {
	hash uint64
	at   uint32 // 0: the slot is free
}

// find gives the place of what is, or 0 and the slot that is its.
func (t *interned) find(b []byte, hash uint64, is func([]byte, uint32) bool) (slot int, at uint32) {
	if 2*t.n >= len(t.slots) {
		t.grow()
	}
	for i := int(hash>>32) & (len(t.slots) - 1); ; i = (i + 1) & (len(t.slots) - 1) {
		p := t.slots[i]
		if p.at == 0 {
			return i, 0
		}
		if p.hash == hash && is(b, p.at) {
			return i, p.at
		}
	}
}

func (t *interned) add(slot int, hash uint64, at uint32) {
	t.slots[slot] = stored{hash, at}
	t.n++
}

func (t *interned) grow() {
	old := t.slots
	t.slots = make([]stored, max(1<<12, 4*len(old)))
	for _, p := range old {
		if p.at == 0 {
			continue
		}
		i := int(p.hash>>32) & (len(t.slots) - 1)
		for t.slots[i].at != 0 {
			i = (i + 1) & (len(t.slots) - 1)
		}
		t.slots[i] = p
	}
}
