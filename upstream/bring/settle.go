package bring

import (
	"maps"
	"slices"
	"strings"

	"github.com/opcat/opcat/compile"
	"github.com/opcat/opcat/compile/fragment"
	"github.com/opcat/opcat/diag"
	"github.com/opcat/opcat/edit"
	"github.com/opcat/opcat/plan"
	"github.com/opcat/opcat/plan/files"
)

// rounds bounds how often rows are kept out and the rest is looked at again.
const rounds = 12

// Settle proposes what the sources compile with: a row that they would not compile
// with is kept out, with the finding as the reason, and costs no other its place. It
// gives what was kept out, so that Propose alone gives the same again.
func Settle(in Input, asOf string) (*Proposal, map[string]bool, diag.List, error) {
	if found := compiles(in.Tree, asOf); found.HasErrors() {
		return nil, nil, found, nil // nothing is brought into sources that are broken
	}
	hold := maps.Clone(in.Hold)
	if hold == nil {
		hold = map[string]bool{}
	}
	reasons := map[string]string{}
	var errors diag.List
	for range rounds {
		in.Hold = hold
		p, found, err := Propose(in)
		if err != nil || found != nil {
			return nil, nil, found, err
		}
		after, err := in.Tree.After(p.Items)
		if err != nil {
			return nil, nil, nil, err
		}
		found = compiles(after, asOf)
		if errors = onlyErrors(found); len(errors) == 0 {
			for _, id := range slices.Sorted(maps.Keys(reasons)) {
				p.Kept = append(p.Kept, plan.Kept{Resource: strings.TrimSuffix(id, "/"), Reason: reasons[id]})
			}
			return p, hold, nil, nil
		}
		if !suspect(in, after, errors, hold, reasons) {
			break
		}
	}
	return nil, nil, errors, nil
}

// compiles says what is wrong with sources. That they are empty is not.
func compiles(tree *files.Snapshot, asOf string) diag.List {
	r := compile.Check(compile.Input{Trees: []fragment.Tree{{FS: tree, Layer: "bundled"}}, AsOf: asOf})
	return slices.DeleteFunc(r.Diags, func(d diag.Diagnostic) bool { return d.Code == diag.EmptyTree })
}

func onlyErrors(found diag.List) diag.List {
	return slices.DeleteFunc(slices.Clone(found), func(d diag.Diagnostic) bool { return !d.IsError() })
}

// suspect finds the rows that findings are about and keeps them out. It reports false
// where a finding is about nothing that was brought in.
func suspect(in Input, after *files.Snapshot, found diag.List, hold map[string]bool, reasons map[string]string) bool {
	asked := map[string]bool{}
	for _, p := range in.Want.Providers {
		for _, r := range p.Rows {
			asked[p.ID+"/"+r.Row.WireModel] = true
		}
	}
	byPlace := newPlaces(after)
	grew := false
	out := map[string]bool{} // what goes in this round: other findings about it go with it
	for _, d := range found {
		ids := []string{d.Row}
		for _, at := range places(d) {
			if goes(ids, out) {
				break
			}
			if ids = slices.DeleteFunc(ids, func(id string) bool { return !asked[id] || hold[id] }); len(ids) == 0 {
				ids = slices.Clone(byPlace.rows(at))
			}
		}
		if goes(ids, out) {
			continue
		}
		ids = slices.DeleteFunc(ids, func(id string) bool { return !asked[id] || hold[id] })
		if len(ids) == 0 && d.Provider != "" {
			ids = []string{d.Provider + "/"}
		} else if p := providerOf(d.At.File); len(ids) == 0 && p != "" {
			ids = []string{p + "/"}
		}
		for _, id := range ids {
			if !hold[id] {
				hold[id], out[id], grew = true, true, true
				reasons[id] = "the sources would not compile with it: " + string(d.Code) + ": " + d.Message
			}
		}
	}
	return grew
}

func goes(ids []string, out map[string]bool) bool {
	return slices.ContainsFunc(ids, func(id string) bool { return out[id] })
}

func places(d diag.Diagnostic) []diag.Pos {
	out := []diag.Pos{d.At}
	for _, n := range d.Notes {
		out = append(out, n.At)
	}
	return append(out, diag.Pos{})
}

// providerOf is the provider whose folder a file of ours lies in.
func providerOf(file string) string {
	parts := strings.Split(file, "/")
	if len(parts) != 3 || parts[2] != FileName && !strings.HasSuffix(parts[2], "provider.toml") {
		return ""
	}
	return parts[1]
}

// placed finds rows by place.
type placed struct {
	tree *files.Snapshot
	docs map[string][]block
}

// A block is the lines of a row or a rule.
type block struct {
	line int
	rows []string
}

func newPlaces(tree *files.Snapshot) *placed {
	return &placed{tree: tree, docs: map[string][]block{}}
}

// rows are those that the table around a place speaks about.
func (p *placed) rows(at diag.Pos) []string {
	blocks, known := p.docs[at.File]
	if !known {
		blocks = p.read(at.File)
		p.docs[at.File] = blocks
	}
	var out []string
	for _, b := range blocks {
		if b.line > at.Line {
			break
		}
		out = b.rows
	}
	return out
}

func (p *placed) read(file string) (out []block) {
	src, ok := p.tree.File(file)
	if !ok || !strings.HasSuffix(file, ".toml") {
		return nil
	}
	doc, err := edit.Parse(src)
	if err != nil {
		return nil
	}
	for _, m := range doc.Root().Get("model").Items() {
		out = append(out, block{doc.Line(m), []string{m.Get("provider").Str() + "/" + m.Get("wire_model").Str()}})
	}
	for _, provider := range doc.Root().Get("provider").Items() {
		if provider.Kind != edit.List {
			continue
		}
		for _, rule := range provider.Items() {
			b := block{line: doc.Line(rule)}
			for _, wire := range rule.Get("models").Items() {
				b.rows = append(b.rows, provider.Name+"/"+wire.Str())
			}
			out = append(out, b)
		}
	}
	slices.SortFunc(out, func(a, b block) int { return a.line - b.line })
	return out
}
