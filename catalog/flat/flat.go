// Package flat reads a compiled catalog out of one flat blob, in place.
//
// The blob is what the Go projection writes (gen/go/opcatalog): pointer-free bytes that
// a program embeds. Nothing is decoded: a row, a contract or a price is a place in the
// blob, an accessor reads a word or hands out a view of a text. So a program starts as fast
// with 500,000 rows as with none, a look-up allocates nothing, and the collector never
// sees the catalog. Values are safe to share and cannot be changed.
//
// What nobody stated stays unknown: an accessor of a count or a yes-or-no says with its
// second result whether it is known, a text is "", and a record answers IsKnown with false. Unknown is
// never zero.
//
// The accessors follow the shapes of the format (internal/typegen). The package needs the
// standard library alone and links no TOML, no JSON and no registry; package cost (operations/cost)
// computes what a usage costs, and package operations selects and admits.
package flat

import (
	"errors"
	"iter"
	"strconv"
	"unsafe"

	"github.com/opcat/opcat/internal/blob"
)

// A Catalog is a blob. The zero Catalog is empty.
type Catalog struct{ s string }

// Embedded is the catalog of a blob that was compiled into the program. It does
// nothing; Verify checks the bytes, and until then damaged ones read as if nothing were stated.
func Embedded(s string) Catalog { return Catalog{s} }

// Open is the catalog of a blob from elsewhere, such as one that was fetched. It
// checks what Verify checks.
func Open(s string, sum256 func([]byte) [32]byte) (Catalog, error) {
	c := Catalog{s}
	if err := c.Verify(sum256); err != nil {
		return Catalog{}, err
	}
	return c, nil
}

// Verify checks that this program can read the blob, and that the blob is as it was
// written: its sha256 stands in its header. The caller hands in sha256.Sum256, so that a program which
// does not verify does not link crypto, whose start takes longer than everything here.
func (c Catalog) Verify(sum256 func([]byte) [32]byte) error {
	if err := c.readable(); err != nil {
		return err
	}
	if sum256 == nil {
		return errors.New("flat: Verify needs a function that computes SHA-256: pass Sum256 of crypto/sha256")
	}
	sum := sum256(unsafe.Slice(unsafe.StringData(c.s), len(c.s))[blob.Summed:]) // which reads alone
	if c.s[blob.AtSum:blob.Summed] != string(sum[:]) {
		return errors.New("flat: the catalog is damaged: its sha256 is not the one in its header; take it from its source again")
	}
	return nil
}

// readable checks the header.
func (c Catalog) readable() error {
	s := c.s
	if len(s) < blob.HeaderSize || s[:len(blob.Magic)] != blob.Magic {
		return errors.New("flat: no catalog: it does not start with " + strconv.Quote(blob.Magic) + " and a header of " + strconv.Itoa(blob.HeaderSize) + " bytes")
	}
	format, layout := word(s, blob.AtVersion), word(s, blob.AtLayout)
	switch {
	case format > blob.Version:
		return errors.New("flat: the catalog has format " + digits(format, 10) + ", and this program reads format " + digits(blob.Version, 10) +
			": update github.com/opcat/opcat")
	case format != blob.Version || layout != Layout:
		return errors.New("flat: the catalog has format " + digits(format, 10) + " with layout " + digits(layout, 16) + ", and this program reads format " +
			digits(blob.Version, 10) + " with layout " + digits(Layout, 16) + ": write the catalog again with the opcat of the version that go.mod names")
	case pair(s, blob.AtSize) != uint64(len(s)):
		return errors.New("flat: the catalog is damaged: it has " + strconv.Itoa(len(s)) + " bytes of " + strconv.FormatUint(pair(s, blob.AtSize), 10) +
			"; take it from its source again")
	}
	return nil
}

func digits(n uint32, base int) string { return strconv.FormatUint(uint64(n), base) }

// Blob is the blob itself.
func (c Catalog) Blob() string { return c.s }

// Digest names the content: "sha256:" and the sum of the catalog's canonical JSON.
func (c Catalog) Digest() string { return textAt(c.s, word(c.s, blob.AtDigest)) }

// document is what the catalog says beside its rows and providers.
func (c Catalog) document() document {
	return document{view{c.s, word(c.s, blob.AtRoot)}}
}

// Schema is the name and version of the catalog's form.
func (c Catalog) Schema() string { return c.document().Schema() }

// AsOf is the date that the catalog was compiled for.
func (c Catalog) AsOf() Date { return c.document().AsOf() }

// Holds is the time for which what was computed at that date stays true.
func (c Catalog) Holds() Holds { return c.document().Holds() }

// Aliases are all aliases by name.
func (c Catalog) Aliases() Map[Alias] { return c.document().Aliases() }

// Defaults are the rows that serve who names none.
func (c Catalog) Defaults() Defaults { return c.document().Defaults() }

// Ladders are all ladders by name.
func (c Catalog) Ladders() Map[Ladder] { return c.document().Ladders() }

// GenerationDefaults are free-form settings by name.
func (c Catalog) GenerationDefaults() Map[TextMap[JSON]] { return c.document().GenerationDefaults() }

// Roles are free-form tables by name.
func (c Catalog) Roles() Map[TextMap[JSON]] { return c.document().Roles() }

// Suggest says, for messages only, which provider a pattern of ids makes think of.
func (c Catalog) Suggest() TextMap[string] { return c.document().Suggest() }

// DataControlsPolicy is what is asked of providers when a caller asks nothing.
func (c Catalog) DataControlsPolicy() DataControlsPolicy { return c.document().DataControlsPolicy() }

// Presentation is what pickers show. Admission never reads it.
func (c Catalog) Presentation() Presentation { return c.document().Presentation() }

// Removed are the rows that a layer took away.
func (c Catalog) Removed() List[Removal] { return c.document().Removed() }

// Len is the number of rows.
func (c Catalog) Len() int { return lengthAt(c.s, word(c.s, blob.AtRows), 4) }

// Row finds a row by its id.
func (c Catalog) Row(id string) (Row, bool) {
	entry := c.find(id)
	return c.row(entry), entry != 0
}

// find is the place of a row's entry; 0 if there is no row of that id.
func (c Catalog) find(id string) uint32 {
	s := c.s
	table := word(s, blob.AtHash)
	slots := uint32(lengthAt(s, table, blob.SlotSize))
	if slots == 0 || slots&(slots-1) != 0 {
		return 0
	}
	hash := blob.Hash(id)
	for i, n := blob.Slot(hash, slots), uint32(0); n < slots; i, n = (i+1)&(slots-1), n+1 {
		slot := pair(s, table+4+blob.SlotSize*i)
		entry := uint32(slot >> 32)
		if entry == 0 {
			break
		}
		if uint32(slot) == blob.Mark(hash) && isAt(s, entry+blob.RowID, id) {
			return entry
		}
	}
	return 0
}

// entry is that of the row at a place in the order of ids.
func (c Catalog) entry(n int) uint32 { return word(c.s, word(c.s, blob.AtRows)+4+4*uint32(n)) }

// row is the row of an entry.
func (c Catalog) row(entry uint32) Row {
	if entry == 0 {
		return Row{}
	}
	return Row{view{c.s, word(c.s, entry+blob.RowRecord)}}
}

// Rows are all rows, also those that nobody may use for anything, in the order of their ids.
func (c Catalog) Rows() iter.Seq[Row] {
	return func(yield func(Row) bool) {
		for i := range c.Len() {
			if !yield(c.row(c.entry(i))) {
				return
			}
		}
	}
}

// Provider finds a provider by its id.
func (c Catalog) Provider(id string) (Provider, bool) {
	table := word(c.s, blob.AtProviders)
	lo, hi := 0, lengthAt(c.s, table, blob.ProviderSize)
	for lo < hi {
		mid := int(uint(lo+hi) >> 1)
		at := table + 4 + blob.ProviderSize*uint32(mid)
		switch k := textAt(c.s, word(c.s, at)); {
		case k == id:
			return Provider{view{c.s, word(c.s, at+4)}}, true
		case k < id:
			lo = mid + 1
		default:
			hi = mid
		}
	}
	return Provider{}, false
}

// Providers are all providers, each with its id, in the order of ids.
func (c Catalog) Providers() iter.Seq2[string, Provider] {
	return func(yield func(string, Provider) bool) {
		table := word(c.s, blob.AtProviders)
		for i := range lengthAt(c.s, table, blob.ProviderSize) {
			at := table + 4 + blob.ProviderSize*uint32(i)
			if !yield(textAt(c.s, word(c.s, at)), Provider{view{c.s, word(c.s, at+4)}}) {
				return
			}
		}
	}
}

// RowsOf are the rows of a provider in the order of ids.
func (c Catalog) RowsOf(provider string) iter.Seq[Row] {
	return func(yield func(Row) bool) {
		table := word(c.s, blob.AtProviders)
		for i := range lengthAt(c.s, table, blob.ProviderSize) {
			at := table + 4 + blob.ProviderSize*uint32(i)
			if textAt(c.s, word(c.s, at)) != provider {
				continue
			}
			first, n := int(word(c.s, at+8)), int(word(c.s, at+12))
			for row := first; row < min(first+n, c.Len()); row++ {
				if !yield(c.row(c.entry(row))) {
					return
				}
			}
			return
		}
	}
}

// Operations are the names of the registry's operations, in its order.
func (c Catalog) Operations() iter.Seq[string] {
	return func(yield func(string) bool) {
		table := word(c.s, blob.AtOperations)
		for i := range lengthAt(c.s, table, blob.OperationSize) {
			if !yield(textAt(c.s, word(c.s, table+4+blob.OperationSize*uint32(i)+blob.OpName))) {
				return
			}
		}
	}
}

// speaks reports whether one of a contract's protocols is of that name.
func speaks(l List[Protocol], name string) bool {
	for p := range l.All() {
		if p.Name() == name {
			return true
		}
	}
	return false
}
