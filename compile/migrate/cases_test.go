package migrate_test

import (
	"fmt"
	"io/fs"
	"strings"
	"testing"

	"github.com/opcat/opcat/compile/migrate"
	"github.com/opcat/opcat/compile/tree"
	"github.com/opcat/opcat/internal/golden"
	"github.com/opcat/opcat/shape"
	"github.com/rogpeppe/go-internal/txtar"
)

// TestCases: each case is a small tree of format 0, and what comes of it: what is
// found, or today's fragments and the moves that made them.
func TestCases(t *testing.T) {
	golden.Cases(t, "testdata", func(t *testing.T, in fs.FS) map[string][]byte {
		var files []txtar.File
		err := fs.WalkDir(in, ".", func(name string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			data, err := fs.ReadFile(in, name)
			files = append(files, txtar.File{Name: name, Data: data})
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		res, found := migrated(t, files)
		out := map[string][]byte{}
		if len(found) > 0 {
			out["findings"] = []byte(found.String())
		}
		if !found.HasErrors() {
			out["fragments"] = []byte(fragments(res))
			out["moves"] = []byte(moves(res))
		}
		return out
	})
}

// fragments prints what was made, a line for each fact of the first two levels.
func fragments(res migrate.Result) string {
	var b strings.Builder
	for _, f := range res.Fragments {
		place := f.File.Path
		if f.File.Layer != "bundled" {
			place = f.File.Layer + ":" + place
		}
		fmt.Fprintf(&b, "# %s\n", place)
		for section := range f.Table.Each() {
			if section.Form == shape.FormString {
				fmt.Fprintf(&b, "%s = %s\n", section.Name(), inline(section))
				continue
			}
			for n := range section.Each() {
				if n.Form != shape.FormTable {
					fmt.Fprintf(&b, "%s.%s = %s\n", section.Name(), n.Name(), inline(n))
					continue
				}
				head := "[[" + section.Name() + "]]"
				if n.Name() != "" {
					head = "[" + section.Name() + "." + n.Name() + "]"
				}
				b.WriteString(head + "\n")
				for fact := range n.Each() {
					fmt.Fprintf(&b, "%s = %s\n", fact.Name(), inline(fact))
				}
			}
			if section.Form == shape.FormTable && f.Root.Name == "capability_sources" {
				continue
			}
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// inline prints a value as TOML does; the entries of a list of tables stand below
// each other.
func inline(n *tree.Node) string {
	var parts []string
	for c := range n.Each() {
		s := inline(c)
		if n.Form == shape.FormTable {
			s = c.Name() + " = " + s
		}
		parts = append(parts, s)
	}
	switch n.Form {
	case shape.FormTable:
		return "{ " + strings.Join(parts, ", ") + " }"
	case shape.FormList:
		if first := n.First(); first != nil && first.Form == shape.FormTable {
			return "[\n  " + strings.Join(parts, ",\n  ") + ",\n]"
		}
		return "[" + strings.Join(parts, ", ") + "]"
	case shape.FormString:
		return fmt.Sprintf("%q", n.Str())
	}
	return n.Str()
}

// moves prints the report; what changes or loses a fact is marked.
func moves(res migrate.Result) string {
	var b strings.Builder
	for _, m := range res.Moves {
		mark := " "
		if m.Named {
			mark = "!"
		}
		fmt.Fprintf(&b, "%s%s %s", mark, m.Rule, m.At)
		if m.Row != "" {
			b.WriteString(" " + m.Row)
		}
		fmt.Fprintf(&b, ": %s -> %s", m.From, m.To)
		if m.Note != "" {
			b.WriteString(" (" + m.Note + ")")
		}
		b.WriteByte('\n')
	}
	return b.String()
}
