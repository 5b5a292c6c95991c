package catalog

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"math/bits"
	"slices"
	"strings"
	"unsafe"

	"github.com/opcat/opcat/internal/blob"
)

// An index says where each row stands in the text of its catalog, and the few
// facts by which rows are listed and filtered, so that a program reads only the
// rows it asks for. It is derived: the same text gives the same index.
//
// All numbers are little-endian. After the header come, without gaps:
//
//	sections   {offset, length uint32}, one for each member of the document
//	providers  {name, offset, length, first row, rows uint32}
//	rows       {offset, length, provider, operations, flags, contracts, first route uint32, ends on, announced end int64}
//	ids        uint32: the names of the rows; one more for the end
//	starts     uint32: for each operation its first route; one more for the end
//	routes     {row, offset, length uint32, inputs uint16, support uint8, 0}, by operation and row
//	of rows    uint32: the numbers of the routes, by row and operation; a row says where its first one stands
//	hashes     uint32: a row's number plus one and a mark of its id, at the place that follows from the id, or at the next free one; 0 is free
//	names      uint32: where the names of operations, then of kinds, start in the texts; one more for the end
//	texts      names of operations and kinds, ids of providers, ids of rows
//
// A name is the place of a text; it ends where the next one starts. The places of
// a row's contracts, all together and each alone, count from the row's.
const (
	indexMagic   = "opcatix3"
	headerSize   = 96
	sectionSize  = 8
	providerSize = 20
	rowSize      = 44
	routeSize    = 16

	flagDeprecated = 1
)

// MaxSize is the largest catalog, in bytes of its text, that this package reads.
const MaxSize = 512 << 20

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// An Indexer makes an index while a catalog is written or read. Providers come in
// the order of their ids, then rows in the order of theirs, each row followed by
// its routes in the registry's order.
type Indexer struct {
	sections  [][2]int
	providers []providerFacts
	rows      []rowFacts
	routes    [][]routeFacts // by operation
	ids       map[string]int // provider -> its number
	idBytes   int

	before *Indexer // of a text in which much of this one stands; nil for none
	text   string   // once it is whole
	marks  []mark   // in it
}

type providerFacts struct {
	id          string
	off, length int
	first, rows int
}

type rowFacts struct {
	id                   string
	off, length          int
	provider             int
	contracts            int
	operations           uint32
	deprecated           bool
	endsOn, announcedEnd int64
}

type routeFacts struct {
	row, off, length int
	inputs           uint16
	support          uint8
}

// NewIndexer starts an index for about so many rows.
func NewIndexer(rows int) *Indexer {
	return &Indexer{
		sections: make([][2]int, len(sectionNames)),
		rows:     make([]rowFacts, 0, rows),
		routes:   make([][]routeFacts, len(operationNames)),
		ids:      map[string]int{},
	}
}

// Section records where the value of a member of the document stands.
func (x *Indexer) Section(name string, off, length int) {
	if i := slices.Index(sectionNames, name); i >= 0 {
		x.sections[i] = [2]int{off, length}
	}
}

// StartsAt says how far into the writer's buffer the text starts: all places that
// were recorded so far count from the start of the buffer.
func (x *Indexer) StartsAt(start int) {
	for i := range x.sections {
		if x.sections[i][1] > 0 {
			x.sections[i][0] -= start
		}
	}
	for i := range x.providers {
		x.providers[i].off -= start
	}
	for i := range x.rows {
		x.rows[i].off -= start
	}
}

// Provider records where a provider stands.
func (x *Indexer) Provider(id string, off, length int) error {
	if n := len(x.providers); n > 0 && x.providers[n-1].id >= id {
		return fmt.Errorf("provider %q is repeated or out of order", id)
	}
	x.ids[id] = len(x.providers)
	x.providers = append(x.providers, providerFacts{id: id, off: off, length: length})
	x.idBytes += len(id)
	return nil
}

func errRowOrder(id string) error { return fmt.Errorf("row %q is repeated or out of order", id) }

func errUnknownProvider(id string) error {
	return fmt.Errorf("provider %q is not in the catalog", id)
}

// Row records where a row and its contracts stand, and what its lifecycle says.
func (x *Indexer) Row(id string, off, length, contracts int, deprecated bool, endsOn, announcedEnd Date) error {
	if n := len(x.rows); n > 0 && x.rows[n-1].id >= id {
		return errRowOrder(id)
	}
	provider, _, _ := strings.Cut(id, "/")
	p, ok := x.ids[provider]
	if !ok {
		return fmt.Errorf("row %q has a provider that the catalog does not have", id)
	}
	if x.providers[p].rows == 0 {
		x.providers[p].first = len(x.rows)
	}
	x.providers[p].rows++
	x.rows = append(x.rows, rowFacts{id: id, off: off, length: length, contracts: contracts - off, provider: p,
		deprecated: deprecated, endsOn: unix(endsOn), announcedEnd: unix(announcedEnd)})
	x.idBytes += len(id)
	return nil
}

// Route records a contract of the row that was recorded last.
func (x *Indexer) Route(operation string, off, length int, inputs []string, support string) {
	o, row := slices.Index(operationNames, operation), len(x.rows)-1
	if o < 0 || row < 0 {
		return
	}
	x.rows[row].operations |= 1 << o
	x.addRoute(o, routeFacts{row, off - x.rows[row].off, length, inputBits(inputs), supportRank(support)})
}

func (x *Indexer) addRoute(o int, r routeFacts) {
	if x.routes[o] == nil { // most rows are of one operation: as many as there may be rows from here on
		x.routes[o] = make([]routeFacts, 0, cap(x.rows)-r.row)
	}
	x.routes[o] = append(x.routes[o], r)
}

func inputBits(kinds []string) (bits uint16) {
	for _, k := range kinds {
		if i := slices.Index(kindNames, k); i >= 0 {
			bits |= 1 << i
		}
	}
	return bits
}

// supportRank is 0 for unknown, then 1 for the weakest.
func supportRank(support string) uint8 { return uint8(slices.Index(supportNames, support) + 1) }

// Catalog makes the catalog of a text that was written while it was indexed. The
// text is the catalog's from now on: nobody may change it.
func (x *Indexer) Catalog(text []byte) (*Catalog, error) {
	if len(text) > MaxSize {
		return nil, fmt.Errorf("the catalog has %d bytes; the most is %d", len(text), MaxSize)
	}
	ix, err := newIndex(view(x.index(text)))
	if err != nil {
		return nil, err
	}
	x.before, x.text = nil, view(text)
	return newCatalog(view(text), ix)
}

// view is bytes that nobody changes any more as a string, without a copy.
func view(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }

// index writes the index of the text.
func (x *Indexer) index(text []byte) []byte {
	routes := 0
	for _, r := range x.routes {
		routes += len(r)
	}
	vocabulary := append(slices.Clone(operationNames), kindNames...)
	textBytes := x.idBytes
	for _, w := range vocabulary {
		textBytes += len(w)
	}
	size := headerSize + len(x.sections)*sectionSize + len(x.providers)*providerSize + len(x.rows)*rowSize + (len(x.rows)+1)*4 +
		(len(operationNames)+1)*4 + routes*(routeSize+4) + blob.Slots(len(x.rows))*4 + (len(vocabulary)+1)*4 + textBytes
	le := binary.LittleEndian
	b := make([]byte, headerSize, size)
	u32 := func(ns ...int) {
		for _, n := range ns {
			b = le.AppendUint32(b, uint32(n))
		}
	}
	for _, s := range x.sections {
		u32(s[0], s[1])
	}
	at := 0 // in the texts
	for _, w := range vocabulary {
		at += len(w)
	}
	for _, p := range x.providers {
		u32(at, p.off, p.length, p.first, p.rows)
		at += len(p.id)
	}
	first := 0 // of the row's routes
	for _, r := range x.rows {
		flags := 0
		if r.deprecated {
			flags = flagDeprecated
		}
		u32(r.off, r.length, r.provider, int(r.operations), flags, r.contracts, first)
		first += bits.OnesCount32(r.operations)
		b = le.AppendUint64(b, uint64(r.endsOn))
		b = le.AppendUint64(b, uint64(r.announcedEnd))
	}
	for _, r := range x.rows {
		u32(at)
		at += len(r.id)
	}
	u32(at)
	start := 0
	for _, rs := range x.routes {
		u32(start)
		start += len(rs)
	}
	u32(start)
	for _, rs := range x.routes {
		for _, r := range rs {
			u32(r.row, r.off, r.length)
			b = le.AppendUint16(b, r.inputs)
			b = append(b, r.support, 0)
		}
	}
	b = x.appendRoutesOfRows(b, routes)
	b = x.appendHashes(b)
	at = 0
	for _, w := range vocabulary {
		u32(at)
		at += len(w)
	}
	u32(at)
	for _, w := range vocabulary {
		b = append(b, w...)
	}
	for _, p := range x.providers {
		b = append(b, p.id...)
	}
	for _, r := range x.rows {
		b = append(b, r.id...)
	}

	sum, crc := x.sums(text)
	h := b[:headerSize]
	copy(h, indexMagic)
	le.PutUint32(h[8:], uint32(len(b)))
	le.PutUint32(h[16:], crc)
	le.PutUint32(h[20:], uint32(len(text)))
	copy(h[24:], sum[:])
	for i, n := range []int{len(x.sections), len(x.providers), len(x.rows), routes, len(operationNames), len(kindNames), textBytes} {
		le.PutUint32(h[56+4*i:], uint32(n))
	}
	le.PutUint32(h[12:], crc32.Checksum(b[16:], castagnoli))
	return b
}

func (x *Indexer) appendRoutesOfRows(b []byte, routes int) []byte {
	le, at := binary.LittleEndian, len(b)
	b = append(b, make([]byte, 4*routes)...)
	next, row := at, 0 // the place for the next route of a row is where those before it have put theirs
	places := make([]int, len(x.rows))
	for i, r := range x.rows {
		places[i] = next
		next += 4 * bits.OnesCount32(r.operations)
	}
	for _, rs := range x.routes {
		for _, r := range rs {
			le.PutUint32(b[places[r.row]:], uint32(row))
			places[r.row] += 4
			row++
		}
	}
	return b
}

func (x *Indexer) appendHashes(b []byte) []byte {
	le, at := binary.LittleEndian, len(b)
	slots := blob.Slots(len(x.rows))
	b = append(b, make([]byte, 4*slots)...)
	for i, r := range x.rows {
		hash := blob.Hash(r.id)
		place := int(blob.Slot(hash, uint32(slots)))
		for le.Uint32(b[at+4*place:]) != 0 {
			place = (place + 1) & (slots - 1)
		}
		le.PutUint32(b[at+4*place:], uint32(i+1)|blob.Mark(hash)&^rowMask)
	}
	return b
}

// rowMask is the part of a hash's place that says which row it is; the rest is the mark.
// A catalog of MaxSize has not so many rows.
const rowMask = 1<<24 - 1
