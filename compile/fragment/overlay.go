package fragment

import (
	"path"

	"github.com/opcat/opcat/compile/form"
	"github.com/opcat/opcat/compile/tree"
	"github.com/opcat/opcat/diag"
	"github.com/pelletier/go-toml/v2/unstable"
)

// An Overlaid is a file of the run layer that lies under no root.
type Overlaid struct {
	Name string // as the user names it
	Src  []byte
}

// Overlay decodes one file that lies under no root, as the run layer takes it.
// Rules ([[provider.<id>]]) make it a capability fragment; a file with facts of
// both roots is two files.
func Overlay(o Overlaid, layer string, rank int) (Fragment, diag.List) {
	name, root := o.Name, form.Catalog.Name
	if holdsRules(o.Src) {
		root = form.Capabilities.Name
	}
	f, diags := File(&tree.File{Path: root + "/" + path.Base(name), Layer: layer, Rank: rank}, o.Src)
	f.File.Path = name
	for i := range diags {
		diags[i].At.File = name
		for j := range diags[i].Notes {
			diags[i].Notes[j].At.File = name
		}
	}
	return f, diags
}

// holdsRules looks for a header of two parts in double brackets that starts with
// provider: a rule, in either format.
func holdsRules(src []byte) bool {
	var p unstable.Parser
	p.Reset(src)
	for p.NextExpression() {
		e := p.Expression()
		if e.Kind != unstable.ArrayTable {
			continue
		}
		it := e.Key()
		if it.Next() && string(it.Node().Data) == "provider" && it.Next() && it.IsLast() {
			return true
		}
	}
	return false
}
