package operations

import (
	"encoding/binary"
	"encoding/hex"
	"errors"
	"hash/crc32"
	"math"
	"slices"
	"strings"
	"time"
	memory "unsafe" // a function of this package has the plain name

	"github.com/opcat/opcat/catalog"
	"github.com/opcat/opcat/operations/op"
)

// The selection table answers most queries without decoding a row. It is derived
// from a catalog and the registry, for one moment, and holds until a lifecycle or
// a dated price changes. It has no pointers: it is a list of 64-bit words, little
// endian where it is stored, read in place.
//
//	header  magic, words of all, checksum of what follows it, version, digest of the
//	        catalog (4), moment, from, until (Unix seconds, until exclusive), number
//	        of operations, the place of each one's space or 0
//	space   lists, each its length and then its words; see openSpace for the order
//
// The routes of a space stand in the order of what a usual call costs: known prices
// first, the lowest first, equal ones by id. A set is one bit a route in that order
// and, in a large space, then one bit for each of these words that is not 0. The
// place of an empty set is 0.
//
// A place is the number of a word, from the start of the table.
const (
	tableMagic   = "opcatsl1"
	tableDigest  = 4
	tableMoment  = 8
	tableSpaces  = 11
	tableSummed  = 3 // the checksum is of the words from here on
	tableVersion = 2 // of the layout and of what is asked of contracts
)

// summedAbove is how many routes a space has before its sets get summaries: below
// it, looking at every word is faster. Tests lower it.
var summedAbove = 50_000

// A table is an opened selection table.
type table struct {
	w               []uint64
	at, from, until int64   // the moment it was made for, and between which it holds
	spaces          []space // in the registry's order
}

// A space is the part of one operation. Its slices are views of the table.
type space struct {
	o       *op.Operation
	v       *vocabulary
	w       []uint64 // the whole table
	routes  int
	words   int // of a set
	sums    int // words of a set's summary; 0 where sets have none
	feature []uint64

	rows, providers, contexts, outputs, tiers []uint64 // by route
	served                                    []uint64 // by provider: where its routes start in the next; one more for the end
	serves                                    []uint64 // routes, by provider
	windows, answers                          cuts
	widths                                    widths
	ranged                                    uint64 // set: vectors of a range of widths
	meters, rates                             []uint64
}

// cuts are the distinct values of a column in ascending order, and for each the
// set of the routes that have at least so much.
type cuts struct{ values, sets []uint64 }

// widths are the distinct widths of vectors, and for each the sets of the routes
// that may give it and of those that give it unasked.
type widths struct{ values, may, unasked []uint64 }

var errTable = errors.New("the selection table is damaged, of another version or of another catalog")

// openTable reads a table in place, if it belongs to the catalog and to this
// program's registry.
func openTable(c *catalog.Catalog, s string) (*table, error) {
	if len(s)%8 != 0 || !strings.HasPrefix(s, tableMagic) {
		return nil, errTable
	}
	return openWords(c, wordsOf(s))
}

func openWords(c *catalog.Catalog, w []uint64) (*table, error) {
	if len(w) < tableSpaces+1 || w[1] != uint64(len(w)) || w[3] != tableKey() || w[2] != sumWords(w[tableSummed:]) {
		return nil, errTable
	}
	digest, err := digestWords(c)
	if err != nil || !slices.Equal(w[tableDigest:tableMoment], digest[:]) {
		return nil, errTable
	}
	t := &table{w: w, at: int64(w[tableMoment]), from: int64(w[tableMoment+1]), until: int64(w[tableMoment+2])}
	if int(w[tableSpaces]) != len(registry) || len(w) < tableSpaces+1+len(registry) {
		return nil, errTable
	}
	t.spaces = make([]space, len(registry))
	for i, o := range registry {
		s := &t.spaces[i]
		s.o, s.v, s.w = o, vocabularyOf(i), w
		if at := w[tableSpaces+1+i]; at != 0 && !openSpace(s, int(at)) {
			return nil, errTable
		}
	}
	return t, nil
}

// openSpace finds the lists of a space.
func openSpace(s *space, at int) bool {
	ok := true
	list := func() []uint64 {
		if !ok || at >= len(s.w) || s.w[at] > uint64(len(s.w)-at-1) {
			ok = false
			return nil
		}
		end := at + 1 + int(s.w[at])
		l := s.w[at+1 : end : end]
		at = end
		return l
	}
	s.rows = list()
	s.routes = len(s.rows)
	s.words = (s.routes + 63) / 64
	if s.routes > summedAbove {
		s.sums = (s.words + 63) / 64
	}
	for _, l := range []*[]uint64{
		&s.providers, &s.contexts, &s.outputs, &s.tiers, &s.served, &s.serves,
		&s.windows.values, &s.windows.sets, &s.answers.values, &s.answers.sets,
		&s.widths.values, &s.widths.may, &s.widths.unasked, &s.meters, &s.rates, &s.feature,
	} {
		*l = list()
	}
	ranged := list()
	if !ok || len(ranged) != 1 || len(s.feature) != s.v.features {
		return false
	}
	s.ranged = ranged[0]
	return s.check()
}

// check makes sure that no place leads out of the table and no length differs, so
// that a scan need not look.
func (s *space) check() bool {
	for _, l := range [][]uint64{s.providers, s.contexts, s.outputs, s.tiers, s.serves} {
		if len(l) != s.routes {
			return false
		}
	}
	for _, l := range [][]uint64{s.windows.sets, s.answers.sets, s.widths.may, s.widths.unasked, s.feature, {s.ranged}} {
		for _, at := range l {
			if at > uint64(len(s.w)-s.words-s.sums) {
				return false
			}
		}
	}
	for _, at := range s.rates {
		if at > uint64(len(s.w)-s.routes) {
			return false
		}
	}
	last := uint64(0)
	for _, at := range s.served {
		if at < last || at > uint64(s.routes) {
			return false
		}
		last = at
	}
	for _, p := range s.serves {
		if p >= uint64(s.routes) {
			return false
		}
	}
	return len(s.windows.sets) == len(s.windows.values) && len(s.answers.sets) == len(s.answers.values) &&
		len(s.widths.may) == len(s.widths.values) && len(s.widths.unasked) == len(s.widths.values) && len(s.rates) == len(s.meters)
}

// has reports whether a route is in a set.
func (s *space) has(set uint64, route int) bool {
	return set != 0 && s.w[int(set)+route>>6]>>(route&63)&1 != 0
}

// holds reports whether the table answers for a moment.
func (t *table) holds(at int64) bool { return t.from <= at && at < t.until }

// Table is the selection table of a catalog as it is stored beside it.
func Table(c *catalog.Catalog) []byte {
	w := c.Derived(newTables).(*tables).own.w
	b := make([]byte, 8*len(w))
	for i, x := range w {
		binary.LittleEndian.PutUint64(b[8*i:], x)
	}
	return b
}

// Ranked are the rows that have a contract for an operation, each by its place in the
// order of ids: in the order of what a usual call costs at the catalog's date, known prices first,
// the lowest first, equal ones by id.
func Ranked(c *catalog.Catalog, operation string) []int {
	for _, s := range c.Derived(newTables).(*tables).own.spaces {
		if s.o.Name == operation {
			rows := make([]int, s.routes)
			for i := range rows {
				rows[i] = int(s.rows[i])
			}
			return rows
		}
	}
	return nil
}

// wordsOf is a stored table as words: in place where the machine reads words as
// they are stored.
func wordsOf(s string) []uint64 {
	start := memory.StringData(s)
	if littleEndian && uintptr(memory.Pointer(start))%8 == 0 {
		return memory.Slice((*uint64)(memory.Pointer(start)), len(s)/8)
	}
	w := make([]uint64, len(s)/8)
	for i := range w {
		w[i] = binary.LittleEndian.Uint64([]byte(s[8*i : 8*i+8]))
	}
	return w
}

var littleEndian = binary.NativeEndian.Uint16([]byte{1, 0}) == 1

// sumWords is the checksum of words as they are stored.
func sumWords(w []uint64) uint64 {
	var sum uint32
	var buf [4096]byte
	for len(w) > 0 {
		n := min(len(w), len(buf)/8)
		for i, x := range w[:n] {
			binary.LittleEndian.PutUint64(buf[8*i:], x)
		}
		sum = crc32.Update(sum, castagnoli, buf[:8*n])
		w = w[n:]
	}
	return uint64(sum)
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// tableKey tells tables of one layout and one registry from others.
func tableKey() uint64 {
	sum := uint32(0)
	word := func(s string) { sum = crc32.Update(sum, castagnoli, append([]byte(s), 0)) }
	for i, o := range registry {
		word(o.Name)
		for _, w := range vocabularyOf(i).wants {
			word(w.name)
		}
	}
	return tableVersion<<32 | uint64(sum)
}

// digestWords is the digest of a catalog as words.
func digestWords(c *catalog.Catalog) (w [4]uint64, err error) {
	b, err := hex.DecodeString(strings.TrimPrefix(c.Digest(), "sha256:"))
	if err != nil || len(b) != 32 {
		return w, errTable
	}
	for i := range w {
		w[i] = binary.LittleEndian.Uint64(b[8*i:])
	}
	return w, nil
}

// A tables is what a catalog keeps for selection: the table of its own date, and
// the last one that another date asked for.
type tables struct {
	own   *table
	other atomicTable
}

// tableAt gives the table that holds at a moment: the one that came with the
// catalog, or else one that is made now and kept.
func tableAt(c *catalog.Catalog, at int64) *table {
	all := c.Derived(newTables).(*tables)
	if all.own.holds(at) {
		return all.own
	}
	if t := all.other.Load(); t != nil && t.holds(at) {
		return t
	}
	t := made(c, buildTable(c, time.Unix(at, 0).UTC()))
	all.other.Store(t)
	return t
}

func newTables(c *catalog.Catalog) any {
	return ownTables(c, func() []uint64 { return buildTable(c, c.AsOf()) })
}

// ownTables are those of the catalog's own date, made unless one came with it.
func ownTables(c *catalog.Catalog, make func() []uint64) *tables {
	own, err := openTable(c, c.Selection())
	if err != nil {
		own = made(c, make())
	}
	return &tables{own: own}
}

// made opens a table that was just made.
func made(c *catalog.Catalog, words []uint64) *table {
	t, err := openWords(c, words)
	if err != nil {
		panic("operations: a selection table that was just made does not open")
	}
	return t
}

const forever = math.MaxInt64

// HasTable reports whether a catalog came with a selection table that this program
// reads. Without one, the first Select makes it.
func HasTable(c *catalog.Catalog) bool {
	_, err := openTable(c, c.Selection())
	return err == nil
}
