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

// Word notes a setting that is a word or a text; the empty one was left out.
func (n *Needs) Word(name, value string) {
	if value != "" {
		n.set(name, catalog.TextValue(value))
	}
}

// OneOf notes a setting that is a word of a closed set; the empty one was left
// out.
func (n *Needs) OneOf(name, value string, words []string) {
	if value == "" {
		return
	}
	if !contains(words, value) {
		n.Fail("%s: %q is not one of %v", name, value, words)
		return
	}
	n.set(name, catalog.TextValue(value))
}

// Number notes a setting that is a decimal number; the unknown one was left out.
func (n *Needs) Number(name string, value catalog.Decimal) {
	if value == "" {
		return
	}
	if !n.Decimal(name, value) {
		return
	}
	n.set(name, catalog.TextValue(string(value)))
}

// Decimal checks that a number is one, in its one spelling: so codecs write it as
// it stands.
func (n *Needs) Decimal(name string, value catalog.Decimal) bool {
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
func (n *Needs) Count(name string, value catalog.Opt[int64], min int64) {
	v, ok := value.Get()
	if !ok {
		return
	}
	if v < min {
		n.Fail("%s: %d is less than %d", name, v, min)
		return
	}
	n.set(name, catalog.TextValue(n.integer(v)))
}

// YesNo notes a setting that is a yes or a no.
func (n *Needs) YesNo(name string, value catalog.Opt[bool]) {
	if v, ok := value.Get(); ok {
		n.set(name, catalog.BoolValue(v))
	}
}

// Replace changes what a setting is asked to be, or adds it in front: what
// admission fills in.
func (n *Needs) Replace(name string, value int64) {
	v := SettingValue{name, catalog.TextValue(n.integer(value))}
	for i := range n.Settings {
		if n.Settings[i].Name == name {
			n.Settings[i] = v
			return
		}
	}
	n.set("", catalog.Value{})
	copy(n.Settings[1:], n.Settings)
	n.Settings[0] = v
}

func (n *Needs) set(name string, value catalog.Value) {
	if n.Settings == nil {
		n.Settings = n.settings[:0]
	}
	n.Settings = append(n.Settings, SettingValue{name, value})
}

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
	if list == nil || len(list) > cap(room) {
		return append([]T(nil), list...)
	}
	return append(room[:0:len(list)], list...)
}
