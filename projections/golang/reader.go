package golang

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/opcat/opcat/internal/blob"
	"github.com/opcat/opcat/shape"
)

// A reader reads the catalog's canonical text as words; see package blob for how. It follows
// the shapes, so that no fact is named here and none can be forgotten: a member that
// its table does not have is an error.
//
// What it reads becomes a chunk, which knows no places: so the same text gives the same
// chunk in any catalog, and a writer puts it into a blob without reading it again.
type reader struct {
	items  []item
	text   []byte
	groups []word
	texts  interned
	words  interned // records, lists and maps
	stack  []word   // of records, lists and maps that are being read
	packed []word   // of the record that is being put

	granted   *shape.Table    // that of a row's contracts
	contracts []string        // of the row that is being read, those to come
	known     map[string]word // and what those before it became

	s   string // what is being read
	i   int
	err error
}

// A word of a chunk is one of the blob, or the number of an item whose place will stand
// there.
type word uint64

const (
	ref word = 1 << 32 // the lower half is the number of an item
	far word = 1 << 33 // the place stands for a count that is too large for a word
)

// A chunk is the texts and the groups of words that some text consists of, each once and behind
// those that it refers to. A writer that puts one after the other into a blob puts
// them where they would stand if it had read the text itself.
type chunk struct {
	items  []item
	text   string // of the items that are texts
	groups []word // of the others
	err    error
}

// An item is a text, or a group of words.
type item struct {
	hash, at, end uint32 // where it is in its chunk
	isText        bool
}

// take gives what was read since the chunk before, and starts the next one.
func (r *reader) take() chunk {
	c := chunk{slices.Clone(r.items), string(r.text), slices.Clone(r.groups), r.err}
	r.items, r.text, r.groups = r.items[:0], r.text[:0], r.groups[:0]
	r.texts.clear()
	r.words.clear()
	clear(r.known)
	r.err = nil
	return c
}

// fail keeps the first error; what follows reads nothing.
func (r *reader) fail(what string) {
	if r.err == nil {
		r.err = fmt.Errorf("%s at %.60q", what, r.s[min(r.i, len(r.s)):])
	}
}

// read reads a text of one value.
func (r *reader) read(s string, t *shape.Type) word {
	r.s, r.i = s, 0
	v := r.value(t)
	if r.err == nil && r.i != len(s) {
		r.fail("more text after a value")
	}
	return v
}

func (r *reader) at(c byte) bool { return r.i < len(r.s) && r.s[r.i] == c }

// eat steps over a character that may stand here; want, over one that must.
func (r *reader) eat(c byte) bool {
	if r.at(c) {
		r.i++
		return true
	}
	return false
}

func (r *reader) want(c byte) {
	if !r.eat(c) {
		r.fail("no " + strconv.QuoteRune(rune(c)))
	}
}

// value reads a value and gives its word.
func (r *reader) value(t *shape.Type) word {
	switch t.Kind {
	case shape.Bool:
		return r.yesno()
	case shape.Count:
		return r.count()
	case shape.Any:
		return r.any()
	case shape.List:
		return r.list(func() word { return r.value(t.Elem) })
	case shape.Map:
		return r.members(func(string) word { return r.value(t.Elem) })
	case shape.Union:
		return r.union()
	case shape.Record:
		switch {
		case IsSettings(t.Table):
			return r.settings(t.Table)
		case IsCondition(t.Table):
			return r.members(func(string) word { return r.list(r.union) })
		}
		return r.record(t.Table)
	}
	return r.word(r.quoted())
}

// quoted reads a JSON string.
func (r *reader) quoted() string {
	if !r.eat('"') {
		r.fail("no string")
		return ""
	}
	start := r.i
	n := strings.IndexByte(r.s[start:], '"')
	if n < 0 {
		r.fail("an open string")
		return ""
	}
	if s := r.s[start : start+n]; strings.IndexByte(s, '\\') < 0 {
		r.i += n + 1
		return s
	}
	for r.i < len(r.s) && r.s[r.i] != '"' {
		if r.s[r.i] == '\\' {
			r.i++
		}
		r.i++
	}
	var s string
	if r.i >= len(r.s) || json.Unmarshal([]byte(r.s[start-1:r.i+1]), &s) != nil {
		r.fail("no string")
		return ""
	}
	r.i++
	return s
}

func (r *reader) yesno() word {
	switch {
	case strings.HasPrefix(r.s[r.i:], "true"):
		r.i += len("true")
		return blob.Yes
	case strings.HasPrefix(r.s[r.i:], "false"):
		r.i += len("false")
		return blob.No
	}
	r.fail("neither true nor false")
	return 0
}

// count reads a whole number; one that binary floats cannot hold stands in quotes.
func (r *reader) count() word {
	quoted := r.eat('"')
	start := r.i
	r.eat('-')
	for r.i < len(r.s) && '0' <= r.s[r.i] && r.s[r.i] <= '9' {
		r.i++
	}
	n, err := strconv.ParseInt(r.s[start:r.i], 10, 64)
	if err != nil {
		r.fail("no count")
	}
	if quoted {
		r.want('"')
	}
	if 0 <= n && n < blob.Far-1 {
		return word(n) + 1
	}
	return r.put(word(uint32(n)), word(uint64(n)>>32)) | far
}

// any takes a value as it stands.
func (r *reader) any() word {
	start, depth := r.i, 0
	for r.i < len(r.s) {
		switch c := r.s[r.i]; c {
		case '"':
			r.quoted()
			if depth == 0 {
				return r.word(r.s[start:r.i])
			}
			continue
		case '{', '[':
			depth++
		case '}', ']':
			if depth == 0 {
				return r.word(r.s[start:r.i])
			}
			if depth--; depth == 0 {
				r.i++
				return r.word(r.s[start:r.i])
			}
		case ',':
			if depth == 0 {
				return r.word(r.s[start:r.i])
			}
		}
		r.i++
	}
	return r.word(r.s[start:r.i])
}

// union reads a word, a number or a yes or no.
func (r *reader) union() word {
	if r.at('"') {
		return r.putRecord(blob.TextValue, r.word(r.quoted()))
	}
	return r.putRecord(blob.BoolValue, r.yesno())
}

func (r *reader) list(item func() word) word {
	base := r.push(1)
	r.want('[')
	for !r.at(']') && r.err == nil {
		if len(r.stack) > base+1 {
			r.want(',')
		}
		v := item()
		r.stack = append(r.stack, v)
	}
	r.want(']')
	r.stack[base] = word(len(r.stack) - base - 1)
	return r.pop(base)
}

// members reads an object whose members are no keys of a table: a map. Those of a catalog's
// text stand by name, but for conditions, whose readers go through all.
func (r *reader) members(value func(name string) word) word {
	base := r.push(1)
	r.want('{')
	for !r.at('}') && r.err == nil {
		if len(r.stack) > base+1 {
			r.want(',')
		}
		name := r.quoted()
		r.want(':')
		v := value(name)
		r.stack = append(r.stack, r.word(name), v)
	}
	r.want('}')
	r.stack[base] = word(len(r.stack)-base-1) / 2
	return r.pop(base)
}

// record reads a table's object. Its members stand in the order of the table's keys.
func (r *reader) record(t *shape.Table) word {
	base := r.push(len(t.Keys))
	r.want('{')
	next := 0
	for !r.at('}') && r.err == nil {
		if next > 0 {
			r.want(',')
		}
		k := r.key(t, &next)
		if k == nil {
			r.fail("no key of " + t.Name)
			break
		}
		var v word
		switch {
		case t == r.granted:
			v = r.contract(k.Type)
		case IsProtocols(k):
			v = r.list(func() word { return r.protocol(k.Type.Elem.Member(shape.FormTable)) })
		default:
			v = r.value(k.Type)
		}
		r.stack[base+k.Index] = v
	}
	r.want('}')
	return r.popRecord(base)
}

// contract reads the next contract of a row, unless one with the same text was read before:
// most rows of a provider share theirs.
func (r *reader) contract(t *shape.Type) word {
	text := r.contracts[0]
	r.contracts = r.contracts[1:]
	if v, ok := r.known[text]; ok {
		r.i += len(text)
		return v
	}
	v := r.value(t)
	r.known[text] = v
	return v
}

// key reads the name of a member that stands after the keys before next.
func (r *reader) key(t *shape.Table, next *int) *shape.Key {
	rest := r.s[r.i:]
	for _, k := range t.Keys[*next:] {
		if start := k.JSON[1:]; strings.HasPrefix(rest, start) { // but for the comma
			r.i += len(start)
			*next = k.Index + 1
			return k
		}
	}
	return nil
}

// protocol reads a name, or a name with its condition where the operation has those.
func (r *reader) protocol(t *shape.Type) word {
	if t == nil || r.at('"') {
		return r.putRecord(r.word(r.quoted()), 0)
	}
	return r.record(t.Table)
}

// settings reads the options of a contract: groups that exclude each other, then each
// option by its name.
func (r *reader) settings(t *shape.Table) word {
	exclusive := word(0)
	base := r.push(1)
	r.want('{')
	for first := true; !r.at('}') && r.err == nil; first = false {
		if !first {
			r.want(',')
		}
		name := r.quoted()
		r.want(':')
		k := t.Key(name)
		switch {
		case k == nil:
			r.fail("no setting: " + name)
		case name == "exclusive":
			exclusive = r.value(k.Type)
		default:
			v := r.setting(name, k)
			r.stack = append(r.stack, v)
		}
	}
	r.want('}')
	r.stack[base] = word(len(r.stack) - base - 1)
	return r.putRecord(exclusive, r.pop(base))
}

func (r *reader) setting(name string, k *shape.Key) word {
	if r.at('"') {
		return r.putRecord(r.word(name), r.word(r.quoted()), 0)
	}
	rule := k.Type.Member(shape.FormList).Elem.Table
	rules := r.list(func() word { return r.rule(rule) })
	return r.putRecord(r.word(name), 0, rules)
}

// rule reads a rule of a setting. Its keys are those of every setting's rules, and its
// values are of whatever kind the setting has.
func (r *reader) rule(t *shape.Table) word {
	base := r.push(len(ruleKeys))
	r.want('{')
	for first := true; !r.at('}') && r.err == nil; first = false {
		if !first {
			r.want(',')
		}
		name := r.quoted()
		r.want(':')
		k := t.Key(name)
		if k == nil {
			r.fail("no key of " + t.Name)
			break
		}
		var v word
		switch name {
		case "values":
			v = r.list(r.union)
		case "default":
			v = r.union()
		default:
			v = r.value(k.Type)
		}
		r.stack[base+ruleKeys[name]] = v
	}
	r.want('}')
	return r.popRecord(base)
}

// ruleKeys are the places of a rule's keys, as flat.SettingRule reads them.
var ruleKeys = map[string]int{"values": 0, "min": 1, "max": 2, "default": 3, "required": 4, "when": 5}

// push makes room for words on the stack, and pop makes a group of all from there on.
func (r *reader) push(n int) (base int) {
	base = len(r.stack)
	for range n {
		r.stack = append(r.stack, 0)
	}
	return base
}

func (r *reader) pop(base int) word {
	v := r.put(r.stack[base:]...)
	r.stack = r.stack[:base]
	return v
}

// popRecord makes a record of all from there on, a word for each key.
func (r *reader) popRecord(base int) word {
	v := r.putRecord(r.stack[base:]...)
	r.stack = r.stack[:base]
	return v
}

// putRecord gives the item of a record that has a word for each key, 0 where it is left
// out.
func (r *reader) putRecord(words ...word) word {
	if len(words) > 2*blob.MaskKeys {
		r.fail("a record of more keys than bits")
		return 0
	}
	packed := append(r.packed[:0], 0)
	if len(words) > blob.MaskKeys {
		packed = append(packed, 0)
		packed[0] = blob.More
	}
	for i, x := range words {
		if x != 0 {
			packed[i/blob.MaskKeys] |= 1 << (i % blob.MaskKeys)
			packed = append(packed, x)
		}
	}
	r.packed = packed
	return r.put(packed...)
}

// put gives the item of words.
func (r *reader) put(words ...word) word {
	hash := hashOf(words)
	slot, n := r.words.find(hash, func(n uint32) bool {
		i := &r.items[n-1]
		return slices.Equal(r.groups[i.at:i.end], words)
	})
	if n == 0 {
		r.items = append(r.items, item{hash: hash, at: uint32(len(r.groups)), end: uint32(len(r.groups) + len(words))})
		r.groups = append(r.groups, words...)
		n = uint32(len(r.items))
		r.words.add(slot, hash, n)
	}
	return ref | word(n-1)
}

// word gives the item of a text.
func (r *reader) word(s string) word {
	hash := hashOfText(s)
	slot, n := r.texts.find(hash, func(n uint32) bool {
		i := &r.items[n-1]
		return string(r.text[i.at:i.end]) == s
	})
	if n == 0 {
		r.items = append(r.items, item{hash: hash, at: uint32(len(r.text)), end: uint32(len(r.text) + len(s)), isText: true})
		r.text = append(r.text, s...)
		n = uint32(len(r.items))
		r.texts.add(slot, hash, n)
	}
	return ref | word(n-1)
}
