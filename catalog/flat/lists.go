package flat

import (
	"iter"
	"slices"
	"strconv"
)

func outOfRange(i, n int) string {
	return "flat: item " + strconv.Itoa(i) + " of a list of " + strconv.Itoa(n)
}

// Texts is a list of texts.
type Texts[T ~string] struct{ view }

// Len is how many there are.
func (l Texts[T]) Len() int { return lengthOf(l.view, 4) }

// At is one of them; it panics like a slice if i is out of range.
func (l Texts[T]) At(i int) T { return T(textAt(l.s, itemOf(l.view, i))) }

// All are all of them in their order.
func (l Texts[T]) All() iter.Seq[T] {
	return func(yield func(T) bool) {
		for i := range l.Len() {
			if !yield(l.At(i)) {
				return
			}
		}
	}
}

// Has reports whether one of them is t.
func (l Texts[T]) Has(t T) bool {
	for i := range l.Len() {
		if l.At(i) == t {
			return true
		}
	}
	return false
}

// Slice copies them into a slice of the caller's; nil if the list was left out.
func (l Texts[T]) Slice() []T {
	if !l.IsKnown() {
		return nil
	}
	return slices.AppendSeq(make([]T, 0, l.Len()), l.All())
}

// Counts is a list of counts.
type Counts struct{ view }

// Len is how many there are.
func (l Counts) Len() int { return lengthOf(l.view, 4) }

// At is one of them; it panics like a slice if i is out of range.
func (l Counts) At(i int) int64 { n, _ := countAt(l.s, itemOf(l.view, i)); return n }

// All are all of them in their order.
func (l Counts) All() iter.Seq[int64] {
	return func(yield func(int64) bool) {
		for i := range l.Len() {
			if !yield(l.At(i)) {
				return
			}
		}
	}
}

// List is a list of records, or of lists.
type List[T ~struct{ view }] struct{ view }

// Len is how many there are.
func (l List[T]) Len() int { return lengthOf(l.view, 4) }

// At is one of them; it panics like a slice if i is out of range.
func (l List[T]) At(i int) T { return T(struct{ view }{view{l.s, itemOf(l.view, i)}}) }

// All are all of them in their order.
func (l List[T]) All() iter.Seq[T] {
	return func(yield func(T) bool) {
		for i := range l.Len() {
			if !yield(l.At(i)) {
				return
			}
		}
	}
}

// find gives the word of a map's member; 0 if it has none.
func findOf(v view, key string) uint32 {
	lo, hi := 0, lengthOf(v, 8)
	for lo < hi {
		mid := int(uint(lo+hi) >> 1)
		at := v.at + 4 + 8*uint32(mid)
		switch k := textAt(v.s, word(v.s, at)); {
		case k == key:
			return word(v.s, at+4)
		case k < key:
			lo = mid + 1
		default:
			hi = mid
		}
	}
	return 0
}

// members are a map's keys and words, by key.
func membersOf(v view, yield func(string, uint32) bool) {
	for i := range lengthOf(v, 8) {
		at := v.at + 4 + 8*uint32(i)
		if !yield(textAt(v.s, word(v.s, at)), word(v.s, at+4)) {
			return
		}
	}
}

// TextMap is texts by name.
type TextMap[T ~string] struct{ view }

// Len is how many there are.
func (m TextMap[T]) Len() int { return lengthOf(m.view, 8) }

// Get finds one by its name.
func (m TextMap[T]) Get(name string) (T, bool) {
	w := findOf(m.view, name)
	return T(textAt(m.s, w)), w != 0
}

// All are all of them, by name.
func (m TextMap[T]) All() iter.Seq2[string, T] {
	return func(yield func(string, T) bool) {
		membersOf(m.view, func(name string, w uint32) bool { return yield(name, T(textAt(m.s, w))) })
	}
}

// Map is records by name.
type Map[T ~struct{ view }] struct{ view }

// Len is how many there are.
func (m Map[T]) Len() int { return lengthOf(m.view, 8) }

// Get finds one by its name.
func (m Map[T]) Get(name string) (T, bool) {
	w := findOf(m.view, name)
	return T(struct{ view }{view{m.s, w}}), w != 0
}

// All are all of them, by name.
func (m Map[T]) All() iter.Seq2[string, T] {
	return func(yield func(string, T) bool) {
		membersOf(m.view, func(name string, w uint32) bool { return yield(name, T(struct{ view }{view{m.s, w}})) })
	}
}
