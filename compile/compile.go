// Package compile turns source trees into one catalog, or into the full list of
// what is wrong with them. This file is its table of contents.
//
// A compile is a pure function of its Input: it reads no clock, no environment
// and nothing outside the trees, and the order of files, tables and rules changes
// no byte of what it gives.
package compile

import (
	"github.com/opcat/opcat/catalog"
	"github.com/opcat/opcat/compile/accept"
	"github.com/opcat/opcat/compile/build"
	"github.com/opcat/opcat/compile/check"
	"github.com/opcat/opcat/compile/fragment"
	"github.com/opcat/opcat/compile/layer"
	"github.com/opcat/opcat/compile/migrate"
	"github.com/opcat/opcat/compile/resolve"
	"github.com/opcat/opcat/diag"
)

// Stages names the stages in their order. The last one makes the catalog.
var Stages = []string{"decode", "migrate", "layer", "resolve", "check", "project"}

// An Input is everything that a compile depends on.
type Input struct {
	Trees    []fragment.Tree     // one for each layer
	Overlays []fragment.Overlaid // single files of the run layer
	AsOf     string              // the date that lifecycle and references are judged at, "2026-11-30"
	Accept   *accept.File        // contradictions of a foreign tree that are known; nil for none
}

// A Result is what a compile gives: the catalog, unless there is an error, and
// what each stage made on the way.
type Result struct {
	Fragments []fragment.Fragment
	Migrated  migrate.Result // without the moves: package migrate says them to who asks
	Moves     int            // how many there are
	Layered   layer.Layered
	Draft     *resolve.Draft
	Catalog   *catalog.Catalog // nil if there is an error
	Diags     diag.List        // every finding, in canonical order
	Failed    string           // the first stage with an error; "" if none has one
	Err       error            // a fault of this program, which no author can mend

	speaking []*resolve.Row // see check.Alone
	edition  build.Edition  // how Catalog was written
}

// Run compiles. After a failing stage the later ones still look, so that one run
// reports all that can be seen; a finding that rests on a fact of a file that
// could not be read is held back.
func Run(in Input) Result {
	r := Check(in)
	r.project()
	return r
}

// Check is Run without the last stage: it finds what is wrong and makes no catalog.
func Check(in Input) Result {
	fragments, diags := decode(in)
	return look(in, fragments, diags)
}

// look takes a compile from the decoded fragments to the last check.
func look(in Input, fragments []fragment.Fragment, decoded diag.List) Result {
	r := Result{Fragments: fragments}
	found := make([]diag.List, len(Stages)-1)
	found[0] = decoded                                                       // bytes  -> Fragments: strict, every value has a place
	r.Migrated, r.Moves, found[1] = migrate.Count(fragments, in.Accept.Keep) // legacy -> today's fields, each move counted
	r.Layered, found[2] = layer.Merge(r.Migrated.Fragments)                  // layers -> one set, rights checked, places kept
	r.Draft, found[3] = resolve.Rows(r.Layered, in.AsOf)                     // rules meet rows -> Draft
	r.speaking, found[4] = check.Alone(r.Draft)                              // contradictions of a provider and its rows
	found[4] = diag.Join(found[4], check.Among(r.Draft, r.speaking))         // and among them
	r.Diags = in.Accept.Apply(diag.Join(found...))                           // what is known is marked; what no longer fits is an error
	r.Failed = firstFailing(found, r.Diags)
	return r
}

// project makes the catalog of a draft without errors: the only place where one
// is made.
func (r *Result) project() {
	if r.Failed == "" {
		r.edition, r.Err = build.Write(r.Draft, nil, nil)
		r.Catalog = r.edition.Catalog
	}
}

// decode reads every layer.
func decode(in Input) ([]fragment.Fragment, diag.List) {
	fragments, diags := read(in)
	return fragments, orNothing(fragments, diags)
}

func read(in Input) (fragments []fragment.Fragment, diags diag.List) {
	for _, t := range in.Trees {
		f, d := fragment.Dir(t)
		fragments, diags = append(fragments, f...), append(diags, d...)
	}
	for _, o := range in.Overlays {
		f, d := fragment.Overlay(o, RunLayer, RunRank)
		fragments, diags = append(fragments, f), append(diags, d...)
	}
	return fragments, diags
}

// orNothing adds that nothing was read. A compile of nothing is a mistake: an empty
// catalog in place of a good one refuses every model.
func orNothing(fragments []fragment.Fragment, diags diag.List) diag.List {
	if len(fragments) == 0 && len(diags) == 0 {
		return diag.List{check.EmptyTree()}
	}
	return diags
}

// firstFailing names the first stage that found something which is still an
// error in all.
func firstFailing(found []diag.List, all diag.List) string {
	if !all.HasErrors() {
		return ""
	}
	type key struct {
		code diag.Code
		at   diag.Pos
		msg  string
	}
	errors := map[key]bool{}
	for _, d := range all {
		if d.IsError() {
			errors[key{d.Code, d.At, d.Message}] = true
		}
	}
	for i, list := range found {
		for _, d := range list {
			if errors[key{d.Code, d.At, d.Message}] {
				return Stages[i]
			}
		}
	}
	return Stages[1] // an accept entry that no longer fits: it speaks of a foreign tree
}
