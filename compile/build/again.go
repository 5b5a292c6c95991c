package build

import (
	"fmt"

	"github.com/opcat/opcat/catalog"
	"github.com/opcat/opcat/compile/resolve"
	"github.com/opcat/opcat/compile/tree"
)

// An Edition is a catalog and what was learnt while it was written, so that the
// next one need not write again what stands in it.
type Edition struct {
	Catalog *catalog.Catalog

	x     *catalog.Indexer
	spans map[string]span // by provider: the changes nearest to the date
}

// Write makes the catalog of a draft. What providers say that stand in the edition
// before, with all of their rows as they are in the draft, is taken from there; nil
// for none.
func Write(d *resolve.Draft, before *Edition, stand func(provider string) bool) (Edition, error) {
	w := &writer{spans: map[string]span{}, written: map[*tree.Node][2]int{}, before: before, standing: stand}
	if before == nil {
		w.x = catalog.NewIndexer(len(d.Rows))
	} else {
		w.x = before.x.Next(len(d.Rows))
	}
	text, err := w.document(d)
	if err != nil {
		return Edition{}, fmt.Errorf("build: %w", err)
	}
	c, err := w.x.Catalog(text)
	if err != nil {
		return Edition{}, fmt.Errorf("build: %w", err)
	}
	return Edition{c, w.x, w.spans}, nil
}

// grown is how much longer than the edition before a catalog may be without being
// moved while it is written.
const grown = 64 << 10

// stands reports whether a provider is taken from the edition before.
func (w *writer) stands(provider string) bool { return w.before != nil && w.standing(provider) }

func (w *writer) takeProvider(b []byte, id string) []byte {
	b, err := w.x.TakeProvider(b, id)
	w.keep(err)
	w.spans[id] = w.before.spans[id]
	return b
}

func (w *writer) takeRows(b []byte, provider string) ([]byte, int) {
	b, n, err := w.x.TakeRows(b, provider)
	w.keep(err)
	return b, n
}
