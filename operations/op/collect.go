package op

import (
	"fmt"
	"math/bits"
	"slices"
	"strconv"
	"unsafe"

	"github.com/opcat/opcat/catalog"
)

// Reset forgets everything that was collected.
func (n *Needs) Reset() { *n = Needs{} }

// Err is the first thing that was wrong with what was collected.
func (n *Needs) Err() error { return n.err }

// Fail notes that the request is wrong by itself; the first note stands.
func (n *Needs) Fail(format string, args ...any) {
	if n.err == nil {
		n.err = fmt.Errorf(format, args...)
	}
}

// Settings are named by their place among those of the operation, which each member
// has as constants: what the registry calls them stands in one place. Most requests
// leave most of them out, so what is small enough to be inlined asks for that first.

// For says which operation's settings are noted. It comes before the first of them.
func (n *Needs) For(o *Operation) { n.of = o }

// Word notes a setting that is a word or a text; the empty one was left out.
func (n *Needs) Word(at int, value string) {
	if value != "" {
		n.Ask(at, catalog.TextValue(value))
	}
}

// Text is Word for a text that is to be checked.
func (n *Needs) Text(at int, value string) {
	if value != "" {
		n.text(at, value)
	}
}

func (n *Needs) text(at int, value string) {
	n.Texts(n.Name(at), value)
	n.Ask(at, catalog.TextValue(value))
}

// OneOf notes a setting that is a word of a closed set; the empty one was left
// out.
func (n *Needs) OneOf(at int, value string, words []string) {
	if value != "" {
		n.oneOf(at, value, words)
	}
}

func (n *Needs) oneOf(at int, value string, words []string) {
	if !contains(words, value) {
		n.Fail("%s: %q is not one of %v", n.Name(at), value, words)
		return
	}
	n.Ask(at, catalog.TextValue(value))
}

// Number notes a setting that is a decimal number; the unknown one was left out.
func (n *Needs) Number(at int, value catalog.Decimal) {
	if value != "" {
		n.number(at, value)
	}
}

func (n *Needs) number(at int, value catalog.Decimal) {
	if n.Decimal(n.Name(at), value) {
		n.Ask(at, catalog.TextValue(string(value)))
	}
}

// Decimal checks that a number is one, in its one spelling: so codecs write it as
// it stands.
func (n *Needs) Decimal(name string, value catalog.Decimal) bool {
	if _, ok := value.Micros(); ok { // which has no other spelling
		return true
	}
	switch own, err := catalog.ParseDecimal(string(value)); {
	case err != nil:
		n.Fail("%s: %w", name, err)
	case own != value:
		n.Fail("%s: write %q for %q", name, own, value)
	default:
		return true
	}
	return false
}

// Count notes a setting that is a whole number of at least min.
func (n *Needs) Count(at int, value catalog.Opt[int64], min int64) {
	if v, ok := value.Get(); ok {
		n.count(at, v, min)
	}
}

func (n *Needs) count(at int, v, min int64) {
	if v < min {
		n.Fail("%s: %d is less than %d", n.Name(at), v, min)
		return
	}
	n.Ask(at, catalog.TextValue(n.integer(v)))
}

// YesNo notes a setting that is a yes or a no.
func (n *Needs) YesNo(at int, value catalog.Opt[bool]) {
	if v, ok := value.Get(); ok {
		n.Ask(at, catalog.BoolValue(v))
	}
}

// Cap sets a count, whatever was asked: what admission fills in.
func (n *Needs) Cap(at int, value int64) { n.Ask(at, catalog.TextValue(n.integer(value))) }

// Ask notes what a setting is asked to be, in place of what it was.
func (n *Needs) Ask(at int, value catalog.Value) {
	if n.Settings == nil {
		n.Settings = n.settings[:0]
	}
	s := SettingValue{n.Name(at), value}
	switch i := n.index(at); {
	case n.Asked>>at == 0: // members note them in their order
		n.Settings = append(n.Settings, s)
	case n.Asks(at):
		n.Settings[i] = s
	default:
		n.Settings = slices.Insert(n.Settings, i, s)
	}
	n.Asked |= 1 << at
}

// Drop forgets a setting that is asked for.
func (n *Needs) Drop(at int) {
	i := n.index(at)
	n.Settings = slices.Delete(n.Settings, i, i+1)
	n.Asked &^= 1 << at
}

// Name is what the registry calls the setting at a place.
func (n *Needs) Name(at int) string { return n.of.Settings[at].Name }

// Form notes a shape of the request that not everybody has a place for, once.
func (n *Needs) Form(name string) {
	if contains(n.Forms, name) {
		return
	}
	if n.Forms == nil {
		n.Forms = n.forms[:0]
	}
	n.Forms = append(n.Forms, name)
}

// From notes where something comes from that is sent again, once.
func (n *Needs) From(route, protocol string) {
	from := Origin{route, protocol}
	if !slices.Contains(n.Origins, from) {
		n.Origins = append(n.Origins, from)
	}
}

// Has reports whether the request has a form.
func (n *Needs) Has(form string) bool { return contains(n.Forms, form) }

// Measure notes a size.
func (n *Needs) Measure(s Size) {
	if n.Sizes == nil {
		n.Sizes = n.sizes[:0]
	}
	n.Sizes = append(n.Sizes, s)
}

// integer spells a number in room of the object's own: the bytes are written once
// and never again, so the text that looks at them never changes.
func (n *Needs) integer(v int64) string {
	room := n.digits[n.used:]
	size := 1 // of the digits
	for most := int64(10); v >= most && size < 18; most *= 10 {
		size++
	}
	if v >= 0 && size < 18 && size <= len(room) {
		rest := uint64(v)
		for i := size - 1; i >= 0; i-- {
			room[i] = byte('0' + rest%10)
			rest /= 10
		}
		n.used += size
		return unsafe.String(&room[0], size)
	}
	b := strconv.AppendInt(room[:0:len(room)], v, 10)
	if len(b) <= len(room) {
		n.used += len(b)
	}
	return unsafe.String(unsafe.SliceData(b), len(b))
}

// Words are the words of a closed set that a set of bits names, in its order.
// Neighbours are a part of the list itself, which nobody may change.
func Words(words []string, set uint) []string {
	low, high := bits.TrailingZeros(set), bits.Len(set)
	if set != 0 && bits.OnesCount(set) == high-low {
		return words[low:high:high]
	}
	var some []string
	for i, w := range words {
		if set&(1<<i) != 0 {
			some = append(some, w)
		}
	}
	return some
}

// Bit is the bit of a word in a closed set; 0 if it is none of it.
func Bit(words []string, word string) uint {
	for i, w := range words {
		if w == word {
			return 1 << i
		}
	}
	return 0
}

func contains(words []string, word string) bool { return Bit(words, word) != 0 }

// Into copies a list into room that has the space for it, or else into a list of
// its own. A list that is nil stays nil.
func Into[T any](room, list []T) []T {
	switch {
	case list == nil:
		return nil
	case len(list) > cap(room):
		return slices.Clone(list)
	}
	copied := room[:len(list):len(list)]
	//lint:ignore S1001 there are few, and the runtime's copy takes as long before it begins
	for i := range list {
		copied[i] = list[i]
	}
	return copied
}
