package golang

import (
	"cmp"
	"errors"
	"math"

	"github.com/opcat/opcat/internal/blob"
)

// A writer puts texts and words into a blob, equal ones once.
type writer struct {
	b     []byte
	texts interned
	words interned // records, lists and maps

	entries []uint32 // of the rows, by id
	tokens  []int64  // the same: how many a row holds; -1 if that is unknown

	places []uint32 // of a chunk's items
	room   []uint32
	err    error
}

// chunk puts a chunk's items into the blob. Of gives the place of one of them until the
// next chunk.
func (w *writer) chunk(c chunk) {
	w.places, w.err = w.places[:0], cmp.Or(w.err, c.err)
	for _, i := range c.items {
		if i.isText {
			w.places = append(w.places, w.textOf(c.text[i.at:i.end], i.hash))
			continue
		}
		w.room = w.room[:0]
		for _, x := range c.groups[i.at:i.end] {
			w.room = append(w.room, w.of(x))
		}
		w.places = append(w.places, w.put(w.room...))
	}
}

// of is a word of the chunk that was put last.
func (w *writer) of(x word) uint32 {
	switch {
	case x&far != 0:
		return blob.Far | w.places[uint32(x)]/4
	case x&ref != 0:
		return w.places[uint32(x)]
	}
	return uint32(x)
}

// put gives the place of words, which are written if they do not stand there yet.
func (w *writer) put(words ...uint32) uint32 {
	hash := hashOf(words)
	slot, at := w.words.find(hash, func(at uint32) bool {
		if int(at)+4*len(words) > len(w.b) {
			return false
		}
		for i, x := range words {
			if load(w.b, int(at)+4*i) != x {
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
func (w *writer) text(s string) uint32 { return w.textOf(s, hashOfText(s)) }

func (w *writer) textOf(s string, hash uint32) uint32 {
	slot, at := w.texts.find(hash, func(at uint32) bool {
		return int(load(w.b, int(at))) == len(s) && string(w.b[at+4:int(at)+4+len(s)]) == s
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

// interned finds by its hash what is there already.
type interned struct {
	slots []stored
	n     int
}

type stored struct{ hash, at uint32 } // 0: the slot is free

// find gives where that stands which is the one, or 0 and the slot that is its.
func (t *interned) find(hash uint32, is func(at uint32) bool) (slot int, at uint32) {
	if 2*t.n >= len(t.slots) {
		t.grow()
	}
	for i := int(hash) & (len(t.slots) - 1); ; i = (i + 1) & (len(t.slots) - 1) {
		p := t.slots[i]
		if p.at == 0 || p.hash == hash && is(p.at) {
			return i, p.at
		}
	}
}

func (t *interned) add(slot int, hash, at uint32) {
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
		i := int(p.hash) & (len(t.slots) - 1)
		for t.slots[i].at != 0 {
			i = (i + 1) & (len(t.slots) - 1)
		}
		t.slots[i] = p
	}
}

func (t *interned) clear() {
	clear(t.slots)
	t.n = 0
}

// hashOf and hashOfText are hashes for interned.
func hashOf[T word | uint32](words []T) uint32 {
	hash := uint64(len(words))
	for _, x := range words {
		hash = (hash ^ uint64(x)) * 0x9e3779b97f4a7c15
		hash ^= hash >> 29
	}
	return uint32(hash >> 32)
}

func hashOfText(s string) uint32 { return uint32(blob.Hash(s) >> 32) }
