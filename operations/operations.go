// Package operations holds the closed registry of operations: what a model can
// do for a caller.
//
// A member is one folder with one value; adding one is a folder and a line in
// the list below. An operation outside the list is refused everywhere: nothing
// ever defaults to text generation.
package operations

import (
	"slices"

	"github.com/opcat/opcat/operations/decision"
	"github.com/opcat/opcat/operations/embedding"
	"github.com/opcat/opcat/operations/moderation"
	"github.com/opcat/opcat/operations/op"
	"github.com/opcat/opcat/operations/rerank"
	"github.com/opcat/opcat/operations/textgen"
)

var registry = []*op.Operation{
	&textgen.Operation,
	&embedding.Operation,
	&decision.Operation,
	&rerank.Operation,
	&moderation.Operation,
}

// All lists the members in their canonical order. The slice is the caller's;
// the members are not to be changed.
func All() []*op.Operation { return append([]*op.Operation(nil), registry...) }

// Lookup finds a member by name; nil if the registry has none. Legacy spellings
// are not names.
func Lookup(name string) *op.Operation {
	for _, o := range registry {
		if o.Name == name {
			return o
		}
	}
	return nil
}

// Names lists the members' names in canonical order.
func Names() []string {
	names := make([]string, len(registry))
	for i, o := range registry {
		names[i] = o.Name
	}
	return names
}

// Protocols lists the wire protocols of all members, each once, in canonical order.
func Protocols() []string {
	var names []string
	for _, o := range registry {
		for _, p := range o.ProtocolNames() {
			if !slices.Contains(names, p) {
				names = append(names, p)
			}
		}
	}
	return names
}
