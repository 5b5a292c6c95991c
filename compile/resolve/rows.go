package resolve

import (
	"strings"
	"time"

	"github.com/opcat/opcat/compile/layer"
	"github.com/opcat/opcat/compile/tree"
	"github.com/opcat/opcat/diag"
	"github.com/opcat/opcat/operations"
	"github.com/opcat/opcat/operations/op"
)

// Rows lets the rules meet the rows and follows every reference. The date is the
// only clock. It only reads in.
func Rows(in layer.Layered, asOf string) (*Draft, diag.List) {
	d, met := Meet(in, asOf)
	return d, diag.Join(met, Refer(d))
}

// Meet is the first half of Rows: rules meet rows, and rows take over what they
// leave unsaid. A provider whose rows take nothing over from another's, nor give it
// anything, gets the same rows here as it does among all.
func Meet(in layer.Layered, asOf string) (*Draft, diag.List) {
	r := newResolver(in, asOf)
	r.rules()
	r.contracts()
	r.idle()
	r.follow()
	return r.draft, diag.Join(r.diags)
}

// Refer is the second half of Rows, for a draft whose rows have met their rules: it
// judges every reference and sets the draft's aliases.
func Refer(d *Draft) diag.List {
	r := &resolver{draft: d, ops: operations.All()}
	r.now, _ = instant(d.AsOf)
	r.aliases()
	r.defaults()
	r.ladders()
	r.presentation()
	r.suggestions()
	r.successors()
	r.equivalence()
	return diag.Join(r.diags)
}

type resolver struct {
	in    layer.Layered
	draft *Draft
	diags diag.List
	arena tree.Arena

	ops        []*op.Operation
	now        time.Time // zero if the date can't be read
	byProvider map[string]*patterns

	met   []meeting // what rules say of rows, chained by row
	heads []int32   // by row: its first meeting, plus one

	near  int                     // how many findings have looked for the nearest name
	moved map[string][]*tree.Node // by provider: endpoints that a higher layer moved

	barred   map[*tree.Node]bool       // what a pattern may not say
	plains   map[*tree.Node]*tree.Node // contracts without the keys of an overlay
	reported map[diag.Pos]bool         // values of rules that a finding was made about
	quarrels map[[2]*tree.Node]bool

	narrowings  []narrowing // by patterns of higher layers
	narrowingAt map[saidAt]int
}

func newResolver(in layer.Layered, asOf string) *resolver {
	r := &resolver{
		in: in, ops: operations.All(),
		heads: make([]int32, len(in.Rows)),
		draft: &Draft{AsOf: asOf, Root: in.Root, Removed: in.Removed, CatalogBroken: in.CatalogBroken, RulesBroken: in.RulesBroken,
			Providers: make([]*Provider, len(in.Providers)), Rows: make([]*Row, len(in.Rows))},
	}
	providers := make([]Provider, len(in.Providers))
	for i, p := range in.Providers {
		providers[i] = Provider{ID: p.ID, Table: p.Table, Broken: p.Broken}
		r.draft.Providers[i] = &providers[i]
		if len(p.Moved) > 0 {
			if r.moved == nil {
				r.moved = map[string][]*tree.Node{}
			}
			r.moved[p.ID] = p.Moved
		}
	}
	rows := make([]Row, len(in.Rows))
	var last *Provider
	for i, from := range in.Rows {
		row := &rows[i]
		id, wire, _ := strings.Cut(from.ID, "/")
		if last == nil || last.ID != id {
			last = r.declared(id)
		}
		*row = Row{ID: from.ID, Provider: last, Wire: wire, Table: from.Table, Changes: from.Changes, Broken: from.Broken, index: i, merged: from, says: read(from.Table)}
		r.draft.Rows[i] = row
		if last == nil {
			at := from.Table.Get("provider")
			r.unknownProvider(or(at, from.Table).At(), id, row.ID)
			continue
		}
		if len(last.Rows) == 0 {
			last.Rows = r.draft.Rows[i:i:len(in.Rows)] // rows are in ID order, so a provider's stand together
		}
		last.Rows = last.Rows[:len(last.Rows)+1]
	}
	for _, p := range r.draft.Providers {
		p.Rows = p.Rows[:len(p.Rows):len(p.Rows)]
	}
	return r
}

// What a row's table can say that leads elsewhere. It is looked for once: most
// rows say none of it.
const (
	saysCurrent uint8 = 1 << iota
	saysInherits
	saysGroup
	saysSuccessor
)

func read(table *tree.Node) (says uint8) {
	for c := table.First(); c != nil; c = c.Next() {
		switch c.Key.Name {
		case "current":
			says |= saysCurrent
		case "inherits":
			says |= saysInherits
		case "equivalence_group":
			says |= saysGroup
		case "lifecycle":
			if c.Said().Get("successor") != nil {
				says |= saysSuccessor
			}
		}
	}
	return says
}

func (r *resolver) add(d diag.Diagnostic) { r.diags = append(r.diags, d.OneLine()) }

// instant reads a date (its midnight in UTC) or a time with an offset.
func instant(s string) (time.Time, bool) {
	for _, layout := range []string{time.DateOnly, time.RFC3339Nano} {
		if t, err := time.Parse(layout, s); err == nil {
			return t, true
		}
	}
	return time.Time{}, false
}

// or gives the value, or what it is a part of if there is none.
func or(n, whole *tree.Node) *tree.Node {
	if n != nil {
		return n
	}
	return whole
}

// does lists what a row does, in the registry's order.
func (r *Row) does() []string {
	names := make([]string, len(r.Contracts))
	for i, c := range r.Contracts {
		names[i] = c.Op.Name
	}
	return names
}

// listed spells a set as TOML does.
func listed(names []string) string { return "[" + strings.Join(names, ", ") + "]" }

// place is where a row stands.
func place(row *Row) diag.Pos { return or(row.merged.Table.Get("wire_model"), row.merged.Table).At() }
