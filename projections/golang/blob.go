package golang

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"maps"
	"math"
	"slices"
	"time"

	"github.com/opcat/opcat/catalog"
	"github.com/opcat/opcat/compile/form"
	"github.com/opcat/opcat/internal/blob"
	"github.com/opcat/opcat/internal/hugepage"
	"github.com/opcat/opcat/operations"
	"github.com/opcat/opcat/operations/op"
	"github.com/opcat/opcat/projections/emit"
	"github.com/opcat/opcat/projections/selection"
	"github.com/opcat/opcat/shape"
)

// Blob writes a catalog as the flat blob that package flat reads.
func Blob(c *catalog.Catalog) ([]byte, error) { return blobOf(emit.NewWork(c)) }

func blobOf(work *emit.Work) ([]byte, error) {
	selection.Ready(work)
	c := work.Catalog
	w := &writer{b: hugepage.Make[byte](blob.HeaderSize + len(c.JSON())/2)[:blob.HeaderSize]}
	copy(w.b, blob.Magic)
	document := form.Document()
	set := func(at int, v uint32) { store(w.b, at, v) }
	w.entriesOf(c) // before any other text, so that each id stands in its row's
	set(blob.AtVersion, blob.Version)
	set(blob.AtLayout, layoutOf())
	set(blob.AtDigest, w.text(c.Digest()))
	set(blob.AtRoot, w.root(c, document))
	set(blob.AtProviders, w.providers(c, document.Must("providers").Type.Elem))
	set(blob.AtRows, w.rows(work, document.Must("models").Type.Elem))
	set(blob.AtHash, w.hash(c))
	set(blob.AtOperations, w.operations(c))
	set(blob.AtLifetimes, w.lifetimes())
	if w.err != nil {
		return nil, fmt.Errorf("golang: %w", w.err)
	}
	set(blob.AtSize, uint32(len(w.b)))
	sum := sha256.Sum256(w.b[blob.Summed:])
	copy(w.b[blob.AtSum:], sum[:])
	return w.b, nil
}

// root writes the document but for its providers and rows.
func (w *writer) root(c *catalog.Catalog, t *shape.Table) uint32 {
	var r reader
	base := r.push(len(t.Keys))
	for i, k := range t.Keys {
		if k.Name == "providers" || k.Name == "models" {
			continue
		}
		if s := c.SectionJSON(k.Name); s != "" {
			v := r.read(s, k.Type)
			r.stack[base+i] = v
		}
	}
	root := r.popRecord(base)
	w.chunk(r.take())
	return w.of(root)
}

// table starts a table of entries of one size, zeros so far, and gives its place.
func (w *writer) table(n, size int) uint32 {
	at := w.append(uint32(n))
	w.b = append(w.b, make([]byte, n*size)...)
	return at
}

func (w *writer) providers(c *catalog.Catalog, t *shape.Type) uint32 {
	ids := c.ProviderIDs()
	first, count := make([]int, len(ids)), make([]int, len(ids))
	for r := range c.Refs() {
		p := r.ProviderNumber()
		if count[p] == 0 {
			first[p] = r.Number()
		}
		count[p]++
	}
	var r reader
	said := make([]word, 0, 2*len(ids))
	for _, id := range ids {
		said = append(said, r.word(id), r.read(c.ProviderJSON(id), t))
	}
	w.chunk(r.take())
	entries := make([]uint32, 0, 4*len(ids))
	for i := range ids {
		entries = append(entries, w.of(said[2*i]), w.of(said[2*i+1]), uint32(first[i]), uint32(count[i]))
	}
	at := w.append(uint32(len(ids)))
	w.append(entries...)
	return at
}

// entriesOf makes room for the entries of the rows, each with its id.
func (w *writer) entriesOf(c *catalog.Catalog) {
	w.entries = make([]uint32, 0, c.Len())
	var room [blob.RowID / 4]uint32
	for r := range c.Refs() {
		w.entries = append(w.entries, w.append(room[:]...))
		w.text(r.ID())
	}
}

// A shelf is the rows of a provider as a chunk.
type shelf struct {
	chunk chunk
	rows  []row
}

type row struct {
	record word
	tokens int64 // that it holds at once; -1 if that is unknown
}

// rows writes the records of the rows, fills the entries and gives the list of these.
func (w *writer) rows(work *emit.Work, t *shape.Type) uint32 {
	c, ids := work.Catalog, work.ProviderIDs()
	r, names := reader{granted: t.Table.Must("operations").Type.Table, known: map[string]word{}}, operations.Names()
	var contracts []string
	shelves := emit.OfProviders(work, "go", nil, func(provider int) shelf {
		var rows []row
		for ref := range c.RefsOf(ids[provider]) {
			contracts = contracts[:0]
			for _, name := range names {
				if text := ref.ContractJSON(name); text != "" {
					contracts = append(contracts, text)
				}
			}
			limits := ref.Limits()
			r.contracts = contracts
			rows = append(rows, row{r.read(ref.JSON(), t), window(&limits)})
		}
		return shelf{r.take(), rows}
	})
	for _, provider := range work.ByRows() {
		w.chunk(shelves[provider].chunk)
		for _, row := range shelves[provider].rows {
			store(w.b, int(w.entries[len(w.tokens)])+blob.RowRecord, w.of(row.record))
			w.tokens = append(w.tokens, row.tokens)
		}
	}
	for r := range c.Refs() {
		at := int(w.entries[r.Number()])
		mask := uint32(0)
		for i, name := range names {
			if r.Has(name) {
				mask |= 1 << i
			}
		}
		store(w.b, at+blob.RowMask, mask)
		store(w.b, at+blob.RowLife, w.life(r))
	}
	at := w.append(uint32(len(w.entries)))
	w.append(w.entries...)
	return at
}

// before is a moment before any end: a row that is deprecated then is so by its provider's word.
var before = time.Unix(math.MinInt64>>1, 0)

// life gives the place of what is stated of a row's life; 0 if nothing is.
func (w *writer) life(r catalog.Ref) uint32 {
	flags := uint32(0)
	if r.State(before) == catalog.Deprecated {
		flags = blob.Deprecated
	}
	ends, announced := r.Ends()
	if flags == 0 && ends == math.MaxInt64 && announced == math.MaxInt64 {
		return 0
	}
	return w.put(flags, uint32(ends), uint32(uint64(ends)>>32), uint32(announced), uint32(uint64(announced)>>32))
}

// hash writes the table that finds a row by its id.
func (w *writer) hash(c *catalog.Catalog) uint32 {
	slots := uint32(blob.Slots(c.Len()))
	table := w.table(int(slots), blob.SlotSize)
	for r := range c.Refs() {
		h := blob.Hash(r.ID())
		at := func(i uint32) int { return int(table + 4 + blob.SlotSize*i) }
		i := blob.Slot(h, slots)
		for load(w.b, at(i)+4) != 0 {
			i = (i + 1) & (slots - 1)
		}
		store(w.b, at(i), blob.Mark(h))
		store(w.b, at(i)+4, w.entries[r.Number()])
	}
	return table
}

func (w *writer) operations(c *catalog.Catalog) uint32 {
	entries := make([]uint32, 0, 6*len(operations.Names()))
	for _, o := range operations.All() {
		entries = append(entries, w.text(o.Name))
		entries = append(entries, w.operation(c, o)...)
	}
	at := w.append(uint32(len(operations.Names())))
	w.append(entries...)
	return at
}

// operation writes what finds and ranks the routes of an operation, and gives the words
// of its entry behind the name.
func (w *writer) operation(c *catalog.Catalog, o *op.Operation) []uint32 {
	n := c.RouteCount(o.Name)
	number := make(map[int]uint32, n) // of a row's route
	routes := w.table(n, blob.RouteSize)
	for r := range c.Routes(o.Name) {
		i := len(number)
		number[r.Number()] = uint32(i)
		store(w.b, int(routes)+4+blob.RouteSize*i, w.entries[r.Number()])
	}
	ranked := operations.Ranked(c, o.Name)
	order := w.table(len(ranked), 4)
	for i, row := range ranked {
		store(w.b, int(order)+4+4*i, number[row])
	}
	s := newSets(len(ranked))
	for i, row := range ranked {
		r := c.RefAt(row)
		for _, kind := range r.InputKinds(o.Name) {
			s.inputs.add(kind, i)
		}
		for _, support := range op.Supports[:slices.Index(op.Supports, r.Support(o.Name))+1] {
			s.supports.add(support, i)
		}
		if tokens := w.tokens[row]; tokens >= 0 {
			s.windows = append(s.windows, holding{i, tokens})
		}
	}
	return []uint32{routes, order, s.named(w, s.inputs), s.named(w, s.supports), s.cuts(w)}
}

// window is how many tokens a row holds at once; -1 if that is unknown.
func window(l *catalog.Limits) int64 {
	context, known := l.ContextTokens.Get()
	if local, also := l.RuntimeContextTokens.Get(); also && (!known || local < context) {
		return local
	} else if !known {
		return -1
	}
	return context
}

// A set is the places of routes, in the order of their price.
type set []int

type named map[string]set

func (n named) add(name string, i int) { n[name] = append(n[name], i) }

// sets are what an operation's routes are filed by.
type sets struct {
	n                int // routes
	inputs, supports named
	windows          []holding // of the routes whose context is known
}

// A holding is how many tokens a route holds.
type holding struct {
	route  int
	tokens int64
}

func newSets(n int) *sets { return &sets{n: n, inputs: named{}, supports: named{}} }

// A room is a set as it is written: its bits, then those of the pairs that are not zero.
type room struct {
	pairs int
	bits  []uint64
}

func (s *sets) room() room {
	pairs := (s.n + blob.SetBits - 1) / blob.SetBits
	return room{pairs, make([]uint64, pairs+(pairs+blob.SetBits-1)/blob.SetBits)}
}

func (r room) add(i int) {
	p := i / blob.SetBits
	r.bits[p] |= 1 << (i % blob.SetBits)
	r.bits[r.pairs+p/blob.SetBits] |= 1 << (p % blob.SetBits)
}

func (w *writer) set(r room) uint32 {
	at := w.place()
	for _, x := range r.bits {
		w.b = binary.LittleEndian.AppendUint64(w.b, x)
	}
	return at
}

func (s *sets) named(w *writer, all named) uint32 {
	words := []uint32{uint32(len(all))}
	for _, name := range slices.Sorted(maps.Keys(all)) {
		room := s.room()
		for _, i := range all[name] {
			room.add(i)
		}
		v := w.set(room)
		words = append(words, w.text(name), v)
	}
	return w.put(words...)
}

// maxCuts keeps the sets of contexts small where nearly every route has one of its own.
const maxCuts = 256

// cuts writes, for the numbers of tokens that routes' contexts have, the set of the routes that
// hold so many. The smallest number is always among them.
func (s *sets) cuts(w *writer) uint32 {
	slices.SortFunc(s.windows, func(a, b holding) int { return cmp.Compare(b.tokens, a.tokens) })             // the largest first
	last := func(i int) bool { return i+1 == len(s.windows) || s.windows[i+1].tokens != s.windows[i].tokens } // of its number
	distinct := 0
	for i := range s.windows {
		if last(i) {
			distinct++
		}
	}
	every, seen := (distinct+maxCuts-1)/maxCuts, 0
	var words []uint32 // of the cuts, the largest first
	room := s.room()
	for i, h := range s.windows {
		if room.add(h.route); !last(i) {
			continue
		}
		if seen++; seen%every != 0 && i+1 < len(s.windows) {
			continue
		}
		words = append(words, uint32(h.tokens), uint32(uint64(h.tokens)>>32), w.set(room))
	}
	at := w.append(uint32(len(words) / 3))
	for i := len(words) - 3; i >= 0; i -= 3 {
		w.append(words[i : i+3]...)
	}
	return at
}

// lifetimes writes the cache lifetime that a protocol has where a call names none.
func (w *writer) lifetimes() uint32 {
	all := map[string]string{}
	for _, o := range operations.All() {
		for _, p := range o.Protocols {
			if p.CacheLifetime != "" {
				all[p.Name] = p.CacheLifetime
			}
		}
	}
	words := []uint32{uint32(len(all))}
	for _, name := range slices.Sorted(maps.Keys(all)) {
		words = append(words, w.text(name), w.text(all[name]))
	}
	return w.put(words...)
}
