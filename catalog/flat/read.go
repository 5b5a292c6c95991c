package flat

import (
	"math/bits"

	"github.com/opcat/opcat/internal/blob"
)

// A view is a record, a list or a map in a blob; nothing if it stands at 0. No bytes
// make reading one panic: what lies outside the blob reads as nothing.
type view struct {
	s  string
	at uint32
}

// IsKnown reports whether anybody stated it.
func (v view) IsKnown() bool { return v.at != 0 }

// word is the word at a place; 0 outside the blob. Its checks and those of pair are all that
// the compiler asks for: it adds none.
func word(s string, at uint32) uint32 {
	if uint64(at) >= uint64(len(s)) {
		return 0
	}
	w := s[at:]
	if len(w) < 4 {
		return 0
	}
	return uint32(w[0]) | uint32(w[1])<<8 | uint32(w[2])<<16 | uint32(w[3])<<24
}

// pair is the two words at a place as one; 0 outside the blob.
func pair(s string, at uint32) uint64 {
	if uint64(at) >= uint64(len(s)) {
		return 0
	}
	w := s[at:]
	if len(w) < 8 {
		return 0
	}
	return uint64(w[0]) | uint64(w[1])<<8 | uint64(w[2])<<16 | uint64(w[3])<<24 | uint64(w[4])<<32 | uint64(w[5])<<40 | uint64(w[6])<<48 | uint64(w[7])<<56
}

// textAt is the text at a place; "" if none is there.
func textAt(s string, at uint32) string {
	if at == 0 {
		return ""
	}
	start, n := uint64(at)+4, uint64(word(s, at))
	if start+n > uint64(len(s)) {
		return ""
	}
	return s[start : start+n]
}

// isAt reports whether the text at a place is t.
func isAt(s string, at uint32, t string) bool {
	start := uint64(at) + 4
	return int(word(s, at)) == len(t) && start+uint64(len(t)) <= uint64(len(s)) && s[start:start+uint64(len(t))] == t
}

// lengthAt is how many entries of a size a list says to have, as far as the blob has
// room for them.
func lengthAt(s string, at uint32, size int) int {
	if at == 0 {
		return 0
	}
	room := (int64(len(s)) - int64(at) - 4) / int64(size)
	return int(max(0, min(int64(word(s, at)), room)))
}

func countAt(s string, w uint32) (n int64, known bool) {
	switch {
	case w == 0:
		return 0, false
	case w < blob.Far:
		return int64(w) - 1, true
	}
	return int64(pair(s, (w&^blob.Far)*4)), true
}

// fieldOf is the word of a record's key; 0 if the key is left out.
func fieldOf(v view, i uint32) uint32 {
	if v.at == 0 {
		return 0
	}
	mask, at := word(v.s, v.at), v.at+4
	if mask&blob.More != 0 {
		at += 4
	}
	if i >= blob.MaskKeys {
		if mask&blob.More == 0 {
			return 0
		}
		at += 4 * uint32(bits.OnesCount32(mask&^blob.More))
		mask, i = word(v.s, v.at+4), i-blob.MaskKeys
	}
	if mask>>i&1 == 0 {
		return 0
	}
	return word(v.s, at+4*uint32(bits.OnesCount32(mask&(1<<i-1))))
}

func subOf(v view, i uint32) view            { return view{v.s, fieldOf(v, i)} }
func textOf(v view, i uint32) string         { return textAt(v.s, fieldOf(v, i)) }
func countOf(v view, i uint32) (int64, bool) { return countAt(v.s, fieldOf(v, i)) }
func numberOf(v view, i uint32) int64        { n, _ := countOf(v, i); return n }
func yesnoOf(v view, i uint32) (is, known bool) {
	w := fieldOf(v, i)
	return w == blob.Yes, w == blob.Yes || w == blob.No
}
func yesOf(v view, i uint32) bool { return fieldOf(v, i) == blob.Yes }

func lengthOf(v view, size int) int { return lengthAt(v.s, v.at, size) }

// item is the word of a list's item; it panics like a slice if there is no such item.
func itemOf(v view, i int) uint32 {
	if n := lengthOf(v, 4); uint(i) >= uint(n) {
		panic(outOfRange(i, n))
	}
	return word(v.s, v.at+4+4*uint32(i))
}

// meant is a text that means something where it is left out.
func meantOf(v view, i uint32, left string) string {
	if s := textOf(v, i); s != "" || v.at == 0 {
		return s
	}
	return left
}
