package cli

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/opcat/opcat/compile"
	"github.com/opcat/opcat/compile/accept"
	"github.com/opcat/opcat/compile/artifact"
	"github.com/opcat/opcat/compile/fragment"
	"github.com/opcat/opcat/compile/migrate"
	"github.com/opcat/opcat/compile/rewrite"
	"github.com/opcat/opcat/diag"
	"github.com/opcat/opcat/edit"
	"github.com/opcat/opcat/plan"
	"github.com/opcat/opcat/plan/files"
)

func fragmentPlan() Command {
	return fragmentPlanner().planCommand("rewrite legacy fragments in today's form, in place",
		"Each legacy file is written anew with the facts that it had, in today's words; comments stay with what they speak of, and files\n"+
			"of today's form stay as they are. The rules of rows go to a file beside, under capability_sources.",
		[]string{"fragment", "plan", "--sources", ".", "--json"})
}

func fragmentApply() Command {
	return fragmentPlanner().applyCommand("rewrite legacy fragments as a plan says")
}

func fragmentPlanner() *planner {
	var known string
	return &planner{
		resource: "fragment",
		flags:    []Flag{PathFlag(&known, "accept", "file that names known contradictions")},
		options: func(*Invocation) (map[string]string, error) {
			if known == "" {
				return map[string]string{}, nil
			}
			src, err := readInput("--accept", known)
			return map[string]string{"accept_file": known, "accept": string(src)}, err
		},
		draft: draftFragments,
	}
}

// draftFragments plans the rewrite of what is written in format 0.
func draftFragments(_ context.Context, inv *Invocation, tree *files.Snapshot, options map[string]string, again bool) (*draft, error) {
	var known *accept.File
	if text, ok := options["accept"]; ok {
		var err error
		if known, err = readAccept(&artifact.Accept{Name: options["accept_file"], Text: text}); err != nil {
			return nil, err
		}
	}
	old, found := fragment.Dir(fragment.Tree{FS: tree, Layer: "bundled"})
	if found.HasErrors() {
		return nil, failure("decode", found)
	}
	d := &draft{}
	if !slices.ContainsFunc(old, func(f fragment.Fragment) bool { return f.Legacy && !f.Cache }) {
		return d, nil
	}
	moved, found := migrate.Fields(old, known.Keep)
	if known != nil {
		for i, f := range found {
			if _, ok := known.Keep(f); ok && f.IsError() {
				found[i].Accepted = "named in " + options["accept_file"]
			}
		}
	}
	if found.HasErrors() {
		return nil, failure("migrate", found)
	}
	out, err := rewrite.Legacy(old, moved.Fragments, func(p string) bool { _, there := tree.File(p); return there })
	if err != nil {
		return nil, err
	}
	for _, f := range out {
		src, there := tree.File(f.Path)
		if there && tree.Linked(f.Path) {
			d.kept = append(d.kept, plan.Kept{Resource: f.Path, Reason: "it is a link, which is not edited"})
			continue
		}
		reason, changes := "rules of the rows in "+f.From, movesOf(moved.Moves, f.Path)
		if there {
			reason = count(len(changes), "legacy fact") + " in today's words"
		} else {
			src = nil
			changes = []files.Change{{Resource: f.Path, Reason: reason}}
		}
		it, err := files.Edit(f.Path, src, edit.Diff(src, f.Text), changes, reason)
		if err != nil {
			return nil, err
		}
		if it != nil {
			d.items = append(d.items, *it)
		}
	}
	d.kept = append(d.kept, caches(old)...)
	if again { // what is left to mend changes nothing of what is done
		return d, nil
	}
	left, err := leftToMend(inv, tree, d.items)
	for _, w := range left {
		inv.report.warn(w)
	}
	return d, err
}

// movesOf are the rewrites of one file.
func movesOf(moves []migrate.Move, file string) (out []files.Change) {
	for _, m := range moves {
		if m.At.File != file {
			continue
		}
		reason := m.Rule
		if m.Note != "" {
			reason += ": " + m.Note
		}
		resource := m.Row
		if resource == "" {
			resource = fmt.Sprintf("%s:%d", file, m.At.Line)
		}
		out = append(out, files.Change{Resource: resource, From: m.From, To: m.To, Reason: reason})
	}
	return out
}

// caches are what only legacy fragments read.
func caches(old []fragment.Fragment) (out []plan.Kept) {
	for i := range old {
		if old[i].Cache {
			out = append(out, plan.Kept{Resource: old[i].File.Path, Reason: "its facts stand in the rows then, and nothing reads it any more: remove it"})
		}
	}
	return out
}

// leftToMend says what today's form refuses and format 0 let pass.
func leftToMend(inv *Invocation, tree *files.Snapshot, items []plan.Item) ([]Warning, error) {
	after, err := tree.After(items)
	if err != nil {
		return nil, err
	}
	var flags CatalogFlags
	r := compile.Check(compile.Input{Trees: []fragment.Tree{{FS: after, Layer: "bundled"}}, AsOf: flags.asOf(inv)})
	counts, first := map[diag.Code]int{}, map[diag.Code]diag.Diagnostic{}
	for _, f := range r.Diags {
		if !f.IsError() {
			continue
		}
		if counts[f.Code] == 0 {
			first[f.Code] = f
		}
		counts[f.Code]++
	}
	var out []Warning
	for _, code := range slices.Sorted(maps.Keys(counts)) {
		f := first[code]
		message := fmt.Sprintf("%s of the rewritten sources: %s", count(counts[code], "finding"), f.Message)
		out = append(out, Warning{Code: string(code), Message: oneLine(message, maxMessage), At: atOf(f.At), Hint: strings.TrimSpace(inv.app.Tool + " diagnostic get " + string(code))})
	}
	return out, nil
}
