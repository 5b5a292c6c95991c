package check

import (
	"io/fs"
	"slices"
	"strings"
	"testing"

	"github.com/opcat/opcat/compile/fragment"
	"github.com/opcat/opcat/compile/resolve"
	"github.com/opcat/opcat/compile/tree"
	"github.com/opcat/opcat/diag"
	"github.com/opcat/opcat/internal/golden"
	"github.com/opcat/opcat/operations"
)

// TestCases: each case is a small tree and what is said of it.
func TestCases(t *testing.T) {
	golden.Cases(t, "testdata", func(t *testing.T, in fs.FS) map[string][]byte {
		return map[string][]byte{"findings": []byte(compiled(t, in).String())}
	})
}

const asOf = "2026-11-30"

// compiled runs a tree through the stages up to this one. Findings of the earlier
// ones are part of the answer: a case that has one is not about this package.
func compiled(t *testing.T, fsys fs.FS) diag.List {
	t.Helper()
	frags, d1 := fragment.Dir(fragment.Tree{FS: fsys, Layer: "bundled"})
	return diag.Join(d1, Rules(naive(frags)))
}

func naive(frags []fragment.Fragment) *resolve.Draft {
	d := &resolve.Draft{AsOf: asOf}
	var a tree.Arena
	byID := map[string]*resolve.Provider{}
	rows := map[string]*resolve.Row{}
	for _, f := range frags {
		if f.Root.Name != "catalog_sources" {
			continue
		}
		for p := range f.Table.Get("provider").Each() {
			byID[p.Name()] = &resolve.Provider{ID: p.Name(), Table: p, Broken: f.Broken}
		}
		for m := range f.Table.Get("model").Each() {
			id := m.Get("provider").Str() + "/" + m.Get("wire_model").Str()
			rows[id] = &resolve.Row{ID: id, Wire: m.Get("wire_model").Str(), Table: m, Broken: f.Broken}
		}
		if f.Table.Get("presentation") != nil {
			d.Root = f.Table
		}
	}
	for _, f := range frags {
		if f.Root.Name != "capability_sources" {
			continue
		}
		for p := range f.Table.Get("provider").Each() {
			for rule := range p.Each() {
				for m := range rule.Get("models").Each() {
					r := rows[p.Name()+"/"+m.Text]
					if r == nil {
						continue
					}
					for _, o := range operations.All() {
						c := rule.Get("operations").Get(o.Name)
						if c == nil {
							continue
						}
						if have := r.Contract(o.Name); have != nil {
							t := a.Copy(have.Table, nil)
							for k := range c.Each() {
								t.Set(a.Copy(k, nil))
							}
							have.Table = t
							continue
						}
						r.Contracts = append(r.Contracts, &resolve.Contract{Op: o, Table: c, Grant: rule})
					}
				}
			}
		}
	}
	for _, p := range byID {
		d.Providers = append(d.Providers, p)
	}
	for _, r := range rows {
		r.Provider = byID[strings.SplitN(r.ID, "/", 2)[0]]
		d.Rows = append(d.Rows, r)
	}
	slices.SortFunc(d.Providers, func(a, b *resolve.Provider) int { return strings.Compare(a.ID, b.ID) })
	slices.SortFunc(d.Rows, func(a, b *resolve.Row) int { return strings.Compare(a.ID, b.ID) })
	for _, r := range d.Rows {
		if r.Provider != nil {
			r.Provider.Rows = append(r.Provider.Rows, r)
		}
	}
	return d
}
