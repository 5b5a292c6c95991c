package catalog

import (
	"cmp"
	"crypto/sha256"
	"encoding"
	"hash/crc32"
	"slices"
)

// Most of a catalog that is compiled again after an edit stands in the one before.
// What its indexer knows of a provider is taken over with the text, and the sums go
// on from where the two texts part.

// Next starts an index for about so many rows of a text of which much stands in the
// one that x has indexed.
func (x *Indexer) Next(rows int) *Indexer {
	next := NewIndexer(rows)
	next.before = x
	return next
}

// TakeProvider appends a provider as it stands in the text before, and records it.
func (x *Indexer) TakeProvider(b []byte, id string) ([]byte, error) {
	i, known := x.before.ids[id]
	if !known {
		return b, errUnknownProvider(id)
	}
	p := x.before.providers[i]
	return append(b, x.before.text[p.off:p.off+p.length]...), x.Provider(id, len(b), p.length)
}

// TakeRows appends the rows of a provider as they stand in the text before, and
// records them. It gives their number; where there is none, nothing is appended.
func (x *Indexer) TakeRows(b []byte, provider string) ([]byte, int, error) {
	i, known := x.before.ids[provider]
	into, here := x.ids[provider]
	if !known || !here {
		return b, 0, errUnknownProvider(provider)
	}
	first := x.before.providers[i].first
	end := first + x.before.providers[i].rows
	rows := x.before.rows[first:end]
	if len(rows) == 0 {
		return b, 0, nil
	}
	if n := len(x.rows); n > 0 && x.rows[n-1].id >= rows[0].id {
		return b, 0, errRowOrder(rows[0].id)
	}
	start, last := rows[0].off, rows[len(rows)-1]
	further, later := len(b)-start, len(x.rows)-first // by so many bytes and rows
	x.providers[into].first, x.providers[into].rows = len(x.rows), len(rows)
	for _, r := range rows {
		r.off += further
		r.provider = into
		x.rows = append(x.rows, r)
		x.idBytes += len(r.id)
	}
	byRow := func(r routeFacts, row int) int { return cmp.Compare(r.row, row) }
	for o, routes := range x.before.routes {
		lo, _ := slices.BinarySearchFunc(routes, first, byRow)
		hi, _ := slices.BinarySearchFunc(routes, end, byRow)
		for _, r := range routes[lo:hi] {
			r.row += later
			x.addRoute(o, r)
		}
	}
	return append(b, x.before.text[start:last.off+last.length]...), len(rows), nil
}

// A mark is a place in a text with the sums up to it.
type mark struct {
	at    int
	state []byte // of the SHA-256
	crc   uint32
}

// between is how far marks lie apart.
const between = 256 << 10

// sums gives the SHA-256 and the checksum of a text. It leaves marks for the next
// one, and goes on from the last mark up to which the text before was the same.
func (x *Indexer) sums(text []byte) (sum [sha256.Size]byte, crc uint32) {
	h, at := sha256.New(), 0
	if n := x.same(text); n > 0 {
		m := x.before.marks[n-1]
		if h.(encoding.BinaryUnmarshaler).UnmarshalBinary(m.state) == nil {
			at, crc, x.marks = m.at, m.crc, slices.Clone(x.before.marks[:n])
		}
	}
	for at < len(text) {
		part := text[at:min(at+between, len(text))]
		h.Write(part)
		crc = crc32.Update(crc, castagnoli, part)
		at += len(part)
		if state, err := h.(encoding.BinaryMarshaler).MarshalBinary(); err == nil {
			x.marks = append(x.marks, mark{at, state, crc})
		}
	}
	h.Sum(sum[:0])
	return sum, crc
}

// same counts the marks of the text before up to which this one is the same.
func (x *Indexer) same(text []byte) int {
	if x.before == nil {
		return 0
	}
	at := 0
	for n, m := range x.before.marks {
		if m.at > len(text) || string(text[at:m.at]) != x.before.text[at:m.at] {
			return n
		}
		at = m.at
	}
	return len(x.before.marks)
}
