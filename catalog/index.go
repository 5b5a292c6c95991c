package catalog

import (
	"encoding/hex"
	"errors"
	"hash/crc32"
	"math/bits"
	"slices"
	"time"
	"unsafe"

	"github.com/opcat/opcat/catalog/flat"
	"github.com/opcat/opcat/internal/blob"
)

// An index is read in place: nothing of it is copied or converted.
type index struct {
	s string

	sections, providers, rows, routes, operations, kinds, texts                              int // counts
	sectionAt, providerAt, rowAt, idAt, startAt, routeAt, ofRowAt, hashAt, nameAt, textStart int // places

	slots int // of hashes
	names []string
}

var errIndex = errors.New("the catalog's index is damaged or of another version")

// openIndex checks that an index is whole and belongs to the text, that every
// place in it lies within the two, and that what must be in order is.
func openIndex(text, s string) (*index, error) {
	x := &index{s: s}
	if len(s) < headerSize || uint32(x.u32(12)) != checksum(s[16:]) {
		return nil, errIndex
	}
	if x.u32(20) != len(text) || uint32(x.u32(16)) != checksum(text) {
		return nil, errors.New("the index belongs to another catalog")
	}
	x, err := newIndex(s)
	if err != nil {
		return nil, err
	}
	return x, x.check(text)
}

// newIndex finds the parts of an index.
func newIndex(s string) (*index, error) {
	x := &index{s: s}
	if len(s) < headerSize || s[:len(indexMagic)] != indexMagic || x.u32(8) != len(s) {
		return nil, errIndex
	}
	counts := []*int{&x.sections, &x.providers, &x.rows, &x.routes, &x.operations, &x.kinds, &x.texts}
	for i, n := range counts {
		if *n = x.u32(56 + 4*i); *n > len(s) {
			return nil, errIndex
		}
	}
	at := headerSize
	place := func(p *int, n, size int) {
		*p = at
		at += n * size
	}
	place(&x.sectionAt, x.sections, sectionSize)
	place(&x.providerAt, x.providers, providerSize)
	place(&x.rowAt, x.rows, rowSize)
	place(&x.idAt, x.rows+1, 4)
	place(&x.startAt, x.operations+1, 4)
	place(&x.routeAt, x.routes, routeSize)
	place(&x.ofRowAt, x.routes, 4)
	x.slots = blob.Slots(x.rows)
	place(&x.hashAt, x.slots, 4)
	place(&x.nameAt, x.operations+x.kinds+1, 4)
	place(&x.textStart, x.texts, 1)
	if at != len(s) || x.sections != len(sectionNames) || x.operations > 32 || x.kinds > 16 || x.rows > rowMask-1 {
		return nil, errIndex
	}
	return x, x.readNames()
}

func checksum(s string) uint32 {
	return crc32.Checksum(unsafe.Slice(unsafe.StringData(s), len(s)), castagnoli) // reads it where it lies: a catalog has megabytes
}

func (x *index) check(text string) error {
	within := func(off, length int) bool { return off <= len(text) && length <= len(text)-off }
	for i := range x.sections {
		if !within(x.section(i)) {
			return errIndex
		}
	}
	row, name := 0, x.u32(x.nameAt+4*(x.operations+x.kinds))
	for i := range x.providers {
		p := x.providerAt + i*providerSize
		first, n := x.u32(p+12), x.u32(p+16)
		if x.u32(p) < name || x.u32(p) > x.texts || !within(x.u32(p+4), x.u32(p+8)) || n > x.rows || first > x.rows-n {
			return errIndex
		}
		name = x.u32(p)
	}
	for i := range x.rows {
		r := x.rowAt + i*rowSize
		id := x.u32(x.idAt + 4*i)
		if id < name || id > x.texts || !within(x.u32(r), x.u32(r+4)) || x.u32(r+8) >= x.providers ||
			x.u32(r+20) > x.u32(r+4) || x.u32(r) < row {
			return errIndex
		}
		name, row = id, x.u32(r)
	}
	if x.u32(x.idAt+4*x.rows) != x.texts {
		return errIndex
	}
	for i := 1; i < x.rows; i++ { // an id ends where the next one starts, so all places come first
		if x.rowID(i-1) >= x.rowID(i) {
			return errIndex
		}
	}
	start := 0
	for i := range x.operations + 1 {
		if at := x.u32(x.startAt + 4*i); at < start || at > x.routes {
			return errIndex
		} else {
			start = at
		}
	}
	if start != x.routes {
		return errIndex
	}
	if err := x.checkRoutesOfRows(); err != nil {
		return err
	}
	for i := range x.routes {
		r := x.routeAt + i*routeSize
		if x.u32(r) >= x.rows {
			return errIndex
		}
		if off, n, row := x.u32(r+4), x.u32(r+8), x.rowAt+x.u32(r)*rowSize; off > x.u32(row+4) || n > x.u32(row+4)-off {
			return errIndex
		}
	}
	return nil
}

// checkRoutesOfRows checks that each row leads to routes of its own, and that a free
// place ends every search for an id.
func (x *index) checkRoutesOfRows() error {
	nth := 0
	for row := range x.rows {
		r := x.rowAt + row*rowSize
		operations := uint32(x.u32(r + 12))
		if x.u32(r+24) != nth || operations>>x.operations != 0 || bits.OnesCount32(operations) > x.routes-nth {
			return errIndex
		}
		for ; operations != 0; operations &= operations - 1 {
			o, route := bits.TrailingZeros32(operations), x.u32(x.ofRowAt+4*nth)
			if route < x.u32(x.startAt+4*o) || route >= x.u32(x.startAt+4*o+4) || x.u32(x.routeAt+route*routeSize) != row {
				return errIndex
			}
			nth++
		}
	}
	free := false
	for i := range x.slots {
		slot := x.u32(x.hashAt + 4*i)
		if row := slot & rowMask; row > x.rows || (row == 0) != (slot == 0) {
			return errIndex
		}
		free = free || slot == 0
	}
	if nth != x.routes || !free {
		return errIndex
	}
	return nil
}

func (x *index) u32(at int) int {
	s := x.s[at : at+4]
	return int(uint32(s[0]) | uint32(s[1])<<8 | uint32(s[2])<<16 | uint32(s[3])<<24)
}

func (x *index) i64(at int) int64 {
	return int64(uint64(x.u32(at)) | uint64(x.u32(at+4))<<32)
}

func (x *index) section(i int) (off, length int) {
	at := x.sectionAt + i*sectionSize
	return x.u32(at), x.u32(at + 4)
}

// text is what lies between two places of the texts.
func (x *index) text(from, to int) string { return x.s[x.textStart+from : x.textStart+to] }

// readNames cuts out the names of operations, then of kinds, which are asked for most.
func (x *index) readNames() error {
	x.names = make([]string, x.operations+x.kinds)
	from := x.u32(x.nameAt)
	for i := range x.names {
		to := x.u32(x.nameAt + 4*i + 4)
		if from > to || to > x.texts {
			return errIndex
		}
		x.names[i] = x.text(from, to)
		from = to
	}
	return nil
}

func (x *index) providerID(i int) string {
	at := x.providerAt + i*providerSize
	end := x.u32(x.idAt) // the texts of the last provider end where those of rows begin
	if i+1 < x.providers {
		end = x.u32(at + providerSize)
	}
	return x.text(x.u32(at), end)
}

func (x *index) rowID(i int) string {
	at := x.idAt + 4*i
	return x.text(x.u32(at), x.u32(at+4))
}

func (x *index) state(row int, at time.Time) State {
	r := x.rowAt + row*rowSize
	return flat.StateAt(x.u32(r+16)&flagDeprecated != 0, x.i64(r+28), x.i64(r+36), at)
}

// findRow finds a row by its id.
func (x *index) findRow(id string) (int, bool) {
	hash := blob.Hash(id)
	mark := int(blob.Mark(hash) &^ rowMask)
	for place := int(blob.Slot(hash, uint32(x.slots))); ; place = (place + 1) & (x.slots - 1) {
		slot := x.u32(x.hashAt + 4*place)
		if slot == 0 {
			return -1, false
		}
		if slot&^rowMask != mark {
			continue
		}
		if row := slot&rowMask - 1; x.rowID(row) == id {
			return row, true
		}
	}
}

func (x *index) findProvider(id string) (int, bool) {
	lo, hi := 0, x.providers
	for lo < hi {
		mid := int(uint(lo+hi) >> 1)
		if x.providerID(mid) < id {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo, lo < x.providers && x.providerID(lo) == id
}

// operation is the number of an operation in this index; -1 if it has none.
func (x *index) operation(name string) int {
	return slices.Index(x.names[:x.operations], name)
}

// route is the place of a row's route for an operation in the index; -1 if it has
// none.
func (x *index) route(operation, row int) int {
	r := x.rowAt + row*rowSize
	operations := uint32(x.u32(r + 12))
	if operations&(1<<operation) == 0 {
		return -1
	}
	nth := x.u32(r+24) + bits.OnesCount32(operations&(1<<operation-1))
	return x.routeAt + x.u32(x.ofRowAt+4*nth)*routeSize
}

// routeOf is route for an operation's name.
func (x *index) routeOf(operation string, row int) int {
	o := x.operation(operation)
	if o < 0 {
		return -1
	}
	return x.route(o, row)
}

// inputs are the bits of the kinds that a route takes.
func (x *index) inputs(route int) int { return x.u32(route+12) & 0xffff }

func (x *index) support(route int) int { return x.u32(route+12) >> 16 & 0xff }

func (x *index) digest() string {
	return "sha256:" + hex.EncodeToString([]byte(x.s[24:56]))
}

// kindNames spells the set bits of a mask, lowest first.
func (x *index) kindNames(bits int) []string {
	names := []string{}
	for i := range x.kinds {
		if bits&(1<<i) != 0 {
			names = append(names, x.names[x.operations+i])
		}
	}
	return names
}
