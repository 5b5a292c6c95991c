package testcat

import (
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/opcat/opcat/compile/fragment"
	"github.com/opcat/opcat/compile/tree"
	"github.com/opcat/opcat/diag"
	"github.com/opcat/opcat/shape"
)

// Layers are the layers' names, weakest first.
var Layers = []string{"bundled", "host", "user", "project", "run"}

// Fragments decodes a tree whose layers lie in folders of their names
// ("user/catalog_sources/a.toml"). What lies outside of them is bundled.
func Fragments(fsys fs.FS) ([]fragment.Fragment, diag.List) {
	all, diags := fragment.Dir(fragment.Tree{FS: fsys, Layer: "bundled"})
	if len(all) == 0 {
		diags = nil // the bundled layer has a folder too, or is empty on purpose
	}
	for rank, name := range Layers {
		if _, err := fs.Stat(fsys, name); err != nil {
			continue
		}
		sub, err := fs.Sub(fsys, name)
		if err != nil {
			panic(err)
		}
		frags, found := fragment.Dir(fragment.Tree{FS: sub, Layer: name, Rank: rank})
		all = append(all, frags...)
		diags = append(diags, found...)
	}
	return all, diag.Join(diags)
}

// Lines prints a value, one line for each scalar and list, by path, with the place
// that it was stated at.
func Lines(path string, n *tree.Node) string {
	var b strings.Builder
	lines(&b, path, n)
	return b.String()
}

func lines(b *strings.Builder, path string, n *tree.Node) {
	if n.Form != shape.FormTable {
		fmt.Fprintf(b, "%s = %s\t# %s:%d\n", path, inline(n), where(n), n.At().Line)
		return
	}
	var kids []*tree.Node
	for c := range n.Each() {
		kids = append(kids, c)
	}
	slices.SortFunc(kids, func(a, b *tree.Node) int { return strings.Compare(a.Key.Name, b.Key.Name) })
	for _, c := range kids {
		if c.Form == shape.FormList && c.Last() != nil && c.Last().Form == shape.FormTable {
			i := 0
			for item := range c.Each() {
				fmt.Fprintf(b, "%s.%s[%d] = %s\t# %s:%d\n", path, c.Key.Name, i, inline(item), where(item), item.At().Line)
				i++
			}
			continue
		}
		lines(b, path+"."+c.Key.Name, c)
	}
}

func where(n *tree.Node) string {
	if n.File == nil {
		return ""
	}
	return n.File.Layer + ":" + n.File.Path
}

func inline(n *tree.Node) string {
	var parts []string
	for c := range n.Each() {
		if n.Form == shape.FormTable {
			parts = append(parts, c.Key.Name+" = "+inline(c))
		} else {
			parts = append(parts, inline(c))
		}
	}
	switch n.Form {
	case shape.FormTable:
		slices.Sort(parts)
		return "{ " + strings.Join(parts, ", ") + " }"
	case shape.FormList:
		return "[" + strings.Join(parts, ", ") + "]"
	}
	return n.Str()
}
