// Package operations holds the closed registry of operations: what a model can
// do for a caller.
//
// A member is one folder with one value; adding one is a folder and a line in
// the list below. An operation outside the list is refused everywhere: nothing
// ever defaults to text generation.
package operations

//go:generate go run ../internal/schemagen

import (
	"slices"

	"github.com/opcat/opcat/operations/decision"
	"github.com/opcat/opcat/operations/embedding"
	"github.com/opcat/opcat/operations/moderation"
	"github.com/opcat/opcat/operations/op"
	"github.com/opcat/opcat/operations/rerank"
	"github.com/opcat/opcat/operations/textgen"
)

// members is the registry, in its canonical order.
var members = []member{
	of[textgen.Request, textgen.Result](),
	of[embedding.Request, embedding.Result](),
	of[decision.Request, decision.Result](),
	of[rerank.Request, rerank.Result](),
	of[moderation.Request, moderation.Result](),
}

// All lists the members in their canonical order. The slice is the caller's;
// the members are not to be changed.
func All() []*op.Operation {
	all := make([]*op.Operation, len(members))
	for i := range members {
		all[i] = members[i].operation
	}
	return all
}

// Lookup finds a member by name; nil if the registry has none. Legacy spellings
// are not names.
func Lookup(name string) *op.Operation {
	for i := range members {
		if o := members[i].operation; o.Name == name {
			return o
		}
	}
	return nil
}

// Names lists the members' names in canonical order.
func Names() []string {
	names := make([]string, len(members))
	for i := range members {
		names[i] = members[i].operation.Name
	}
	return names
}

// Protocols lists the wire protocols of all members, each once, in canonical order.
func Protocols() []string {
	var names []string
	for i := range members {
		for _, p := range members[i].operation.ProtocolNames() {
			if !slices.Contains(names, p) {
				names = append(names, p)
			}
		}
	}
	return names
}

// Dialects lists the dialects that a protocol has beside its plain wire.
func Dialects(protocol string) []string {
	for _, o := range All() {
		for _, p := range o.Protocols {
			if p.Name == protocol && len(p.Dialects) > 0 {
				return slices.Clone(p.Dialects)
			}
		}
	}
	return nil
}
