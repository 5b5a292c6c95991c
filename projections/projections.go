// Package projections lists the emitters: each renders the compiled catalog for
// one kind of reader, as a pure function of it.
package projections

import (
	"slices"

	"github.com/opcat/opcat/projections/docs"
	"github.com/opcat/opcat/projections/emit"
	"github.com/opcat/opcat/projections/golang"
	"github.com/opcat/opcat/projections/json"
	"github.com/opcat/opcat/projections/picker"
	"github.com/opcat/opcat/projections/schema"
	"github.com/opcat/opcat/projections/selection"
	"github.com/opcat/opcat/projections/ts"
)

var emitters = []emit.Emitter{
	golang.Emitter,
	json.Emitter,
	picker.Emitter,
	schema.Emitter,
	selection.Emitter,
	ts.Emitter,
	docs.Emitter,
}

// All lists the emitters. The slice is the caller's.
func All() []emit.Emitter { return slices.Clone(emitters) }

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
