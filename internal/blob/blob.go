// Package blob is what the writer and the reader of the flat catalog share: where
// things stand in it, and how a key is hashed.
//
// The blob is a list of 32-bit little-endian words, read in place. A place is a number
// of bytes from its start, always a multiple of four; place 0 is the header, so 0 stands for nothing.
//
//	text    its length, then its bytes, then zeros up to a whole word
//	list    its length, then a word for each item
//	map     its length, then two words for each member, by key: the key's text, the value
//	record  which keys of its table are stated, a bit each, then a word for each of these
//
// A word says a text, a list, a map or a record by its place, a yes or no as Yes and No, and a count
// as one more than it, or, from Far on, by the place of its two words. Equal values stand once.
package blob

import "math/bits"

// The header. What Sum covers begins at Summed and goes to the end.
const (
	Magic   = "opcatflt"
	Version = 3 // of all that is said here

	AtVersion    = 8
	AtLayout     = 12 // which tables there are with which keys; see package golang
	AtSize       = 16 // bytes of the blob
	AtSum        = 24 // SHA-256
	Summed       = 56
	AtDigest     = 56 // text: the catalog's
	AtRoot       = 60 // record: the document but for its providers and rows
	AtProviders  = 64 // table of providers, by id
	AtRows       = 68 // list: the entries of rows, by id
	AtHash       = 72 // table of slots: entries of rows by the hash of their ids
	AtOperations = 76 // table of operations, in the registry's order
	AtLifetimes  = 80 // map: the cache lifetime that a protocol has where a call names none
	HeaderSize   = 84
)

// A table is its length, then so many entries of one size.
const (
	ProviderSize = 16 // id, record, first row, number of rows

	SlotSize = 8 // a mark of the id, the place of the row's entry; 0 where the slot is free

	OperationSize = 24 // and within it:
	OpName        = 0
	OpRoutes      = 4  // table of routes, by id
	OpOrder       = 8  // list: routes in the order of what a usual call costs
	OpInputs      = 12 // map: kind of input to a set of routes
	OpSupports    = 16 // map: degree of evidence to the set of routes that have it, or a stronger one
	OpContexts    = 20 // table of cuts, ascending

	RouteSize = 4  // the row's entry
	CutSize   = 12 // two words of tokens, the set of routes that hold so many
)

// The entry of a row. Its id stands in it and not somewhere else, so that a look-up reads a
// slot and an entry: of a large catalog each of them is a miss of the cache. So what few rows
// have stands elsewhere.
const (
	RowRecord = 0
	RowLife   = 4  // the words of its life; 0 if none of it is stated
	RowMask   = 8  // its operations, one bit each
	RowID     = 12 // text
)

// The life of a row.
const (
	LifeFlags     = 0 // Deprecated
	LifeEnds      = 4 // when it ends, in seconds of Unix time: two words
	LifeAnnounced = 12
)

// A record has a bit for each of its first MaskKeys keys in its first word. Where More is
// set too, a second word has the bits of so many further ones.
const (
	MaskKeys = 31
	More     = 1 << MaskKeys
)

// A set is one bit for each route in the order of OpOrder, in pairs of words, and behind
// them one bit for each pair that is not zero.
const SetBits = 64

// The words of a yes and a no; 0 is neither.
const (
	No  = 1
	Yes = 2
)

// Far marks the place of a count, in words, that is too large to stand in a word.
const Far = 1 << 31

// Flags of a row.
const Deprecated = 1

// Kinds of a Value's second word.
const (
	TextValue = 1
	BoolValue = 2
)

// Slots is how many slots the ids of so many rows have: a power of two, a quarter of
// them free at least.
func Slots(rows int) int {
	n := 4
	for 7*n < 8*rows {
		n *= 2
	}
	return n
}

// Slot is where the hash of an id starts to look in a table of so many slots; Mark
// tells nearly all other ids apart without reading them.
func Slot(hash uint64, slots uint32) uint32 { return uint32(hash) & (slots - 1) }
func Mark(hash uint64) uint32               { return uint32(hash >> 32) }

// Hash hashes an id, the same on every machine. It takes sixteen bytes a step; the last
// sixteen, and of a short id the halves, may overlap what was taken before.
func Hash(s string) uint64 {
	const a, b = 0xa0761d6478bd642f, 0xe7037ed1a0b428db
	n := len(s)
	h := uint64(n) * 0x9e3779b97f4a7c15
	switch {
	case n > 16:
		for rest := s; len(rest) > 16; rest = rest[16:] {
			h = mix(load(rest)^a, load(rest[8:])^h)
		}
		s = s[n-16:]
		fallthrough
	case n >= 8:
		return mix(load(s)^b, load(s[len(s)-8:])^h)
	}
	short := uint64(0)
	for i := range n {
		short = short<<8 | uint64(s[i])
	}
	return mix(short^b, h)
}

func load(s string) uint64 {
	_ = s[7]
	return uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 | uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
}

func mix(a, b uint64) uint64 {
	hi, lo := bits.Mul64(a, b)
	return hi ^ lo
}
