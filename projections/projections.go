// Package projections lists the emitters: each renders the compiled catalog for
// one kind of reader, as a pure function of it.
package projections

import (
	"fmt"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/opcat/opcat/catalog"
	"github.com/opcat/opcat/projections/docs"
	"github.com/opcat/opcat/projections/emit"
	"github.com/opcat/opcat/projections/golang"
	"github.com/opcat/opcat/projections/json"
	"github.com/opcat/opcat/projections/picker"
	"github.com/opcat/opcat/projections/schema"
	"github.com/opcat/opcat/projections/selection"
	"github.com/opcat/opcat/projections/swift"
	"github.com/opcat/opcat/projections/ts"
)

var emitters = []emit.Emitter{
	golang.Emitter,
	json.Emitter,
	picker.Emitter,
	schema.Emitter,
	selection.Emitter,
	swift.Emitter,
	ts.Emitter,
	docs.Emitter,
}

// All lists the emitters. The slice is the caller's.
func All() []emit.Emitter { return slices.Clone(emitters) }

// A Made is what one emitter made of a catalog, within its folder.
type Made struct {
	Name  string
	Files []emit.File
}

// Emit runs the emitters, or those that only names, beside each other, and gives what
// they made in the order of All. Of several that fail the first is the error.
func Emit(c *catalog.Catalog, only []string) ([]Made, error) { return new(Session).Emit(c, only) }

// A Session emits one catalog after another. Each time it gives what Emit would give,
// and makes again only what follows from the providers that are new or different. The
// zero Session has made nothing yet.
type Session struct{ last *emit.Work }

// Emit is Emit of a catalog after those before it.
func (s *Session) Emit(c *catalog.Catalog, only []string) ([]Made, error) {
	var wanted []emit.Emitter
	for _, e := range emitters {
		if only == nil || slices.Contains(only, e.Name) {
			wanted = append(wanted, e)
		}
	}
	s.last = s.last.Next(c)
	defer s.last.Done()
	return run(wanted, s.last, runtime.GOMAXPROCS(0))
}

func run(emitters []emit.Emitter, w *emit.Work, workers int) ([]Made, error) {
	made, failed := make([]Made, len(emitters)), make([]error, len(emitters))
	var next atomic.Int64
	var wg sync.WaitGroup
	for range min(workers, len(emitters)) {
		wg.Go(func() {
			for i := int(next.Add(1)) - 1; i < len(emitters); i = int(next.Add(1)) - 1 {
				e := emitters[i]
				files, err := e.Make(w)
				if err != nil {
					failed[i] = fmt.Errorf("projection %s: %w", e.Name, err)
				}
				made[i] = Made{e.Name, files}
			}
		})
	}
	wg.Wait()
	for _, err := range failed {
		if err != nil {
			return nil, err
		}
	}
	return made, nil
}

// Names lists their names, in the same order.
func Names() []string {
	names := make([]string, len(emitters))
	for i, e := range emitters {
		names[i] = e.Name
	}
	return names
}

// Lookup finds an emitter by its name.
func Lookup(name string) (emit.Emitter, bool) {
	i := slices.IndexFunc(emitters, func(e emit.Emitter) bool { return e.Name == name })
	if i < 0 {
		return emit.Emitter{}, false
	}
	return emitters[i], true
}
