package bring

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/opcat/opcat/catalog"
	"github.com/opcat/opcat/compile/form"
	"github.com/opcat/opcat/compile/spell"
	"github.com/opcat/opcat/compile/tree"
	"github.com/opcat/opcat/edit"
	"github.com/opcat/opcat/operations"
	"github.com/opcat/opcat/plan"
	"github.com/opcat/opcat/plan/files"
	upfact "github.com/opcat/opcat/upstream/fact"
)

// Why the plan leaves a fact as it is.
const (
	pinned  = "a person wrote or changed it"
	removed = "a person took it out"
)

// follow lets a row that was written before follow the upstreams.
func (b *bringing) follow(id string, there *place, r *row, e *entry) error {
	doc, err := b.g.doc(there.file)
	if err != nil {
		return err
	}
	table := doc.Root().Get("model").Items()[there.n]
	ed := &rowEdit{b: b, doc: doc, table: table, file: there.file, id: id, there: there, entry: e, row: r, now: factsOf(there.node)}
	for _, f := range r.facts {
		ed.fact(f)
	}
	ed.unsaid()
	if ed.changed {
		ed.recredit()
		if err := ed.source(); err != nil {
			return err
		}
	}
	return b.followContracts(id, r, e)
}

// A rowEdit is the edits of one row.
type rowEdit struct {
	b       *bringing
	doc     *edit.Doc
	table   *edit.Node
	file    string
	id      string
	there   *place
	entry   *entry
	row     *row
	now     []*fact
	changed bool
	made    map[string]bool // tables that the row lacked and that are written whole
	reused  map[*fact]bool  // disagreements whose place another one has taken
}

func (ed *rowEdit) find(key string) *fact {
	for _, f := range ed.now {
		if f.key == key {
			return f
		}
	}
	return nil
}

// fact settles one fact that the upstreams state.
func (ed *rowEdit) fact(f *fact) {
	own := ed.find(f.key)
	switch {
	case own == nil && ed.entry.wrote(f.key):
		ed.keep(f.key, "", f.short, removed)
	case own == nil:
		if ed.insert(f) {
			ed.say(f.key, "", f.short, ed.reason(f))
			ed.entry.note(f)
		}
	case own.value == f.value && credit(own, ed.there.node) != credit(f, ed.row.node) && ed.entry.ours(own):
		ed.replace(own, f)
		ed.say(f.key, own.short, f.short, "the same, and "+upstreamOf(credit(f, ed.row.node), ed.row)+" comes first of those who say it now")
		ed.entry.note(f)
	case own.value == f.value:
	case !ed.entry.ours(own):
		ed.keep(f.key, own.short, f.short, pinned)
	default:
		ed.replace(own, f)
		ed.say(f.key, own.short, f.short, ed.reason(f))
		ed.entry.note(f)
	}
}

// credit is the upstream that a price is from, whatever its version: the price's own
// source, or the first of its row. Of other facts no single one is told.
func credit(f *fact, row *tree.Node) string {
	if f.path[0] != "price" {
		return ""
	}
	if own := f.node.Get("source"); own != nil {
		return unversioned(own.Str())
	}
	return unversioned(row.Get("source").First().Get("url").Str())
}

// recredit writes the sources of prices that stay where the row's first source, which
// speaks for those without one of their own, does not.
func (ed *rowEdit) recredit() {
	for _, f := range ed.row.facts {
		own := ed.find(f.key)
		if own != nil && own.value == f.value && credit(own, ed.there.node) == credit(f, ed.row.node) && credit(own, ed.row.node) != credit(f, ed.row.node) && ed.entry.ours(own) {
			ed.replace(own, f)
			ed.entry.note(f)
		}
	}
}

// unversioned is a package's URL without its version.
func unversioned(url string) string { url, _, _ = strings.Cut(url, "@"); return url }

// upstreamOf names the upstream that a credit is to.
func upstreamOf(credit string, r *row) string {
	for _, s := range r.From {
		if unversioned(s.URL) == credit {
			return s.Name
		}
	}
	return credit
}

// unsaid takes out what the upstreams state no longer, where it was theirs.
func (ed *rowEdit) unsaid() {
	var out []*fact
	for _, own := range ed.now {
		if !ed.said(own.key) && ed.entry.ours(own) {
			out = append(out, own)
		}
	}
	for _, own := range out {
		ed.say(own.key, own.short, "", "no upstream that lists the row states it any more")
		delete(ed.entry.marks, mark(own.key))
		if ed.reused[own] {
			continue
		}
		list := ed.table.Get(own.path[0])
		whole := 0 // what of its table goes too
		for _, o := range out {
			if o.path[0] == own.path[0] && !ed.reused[o] {
				whole++
			}
		}
		if whole == facts(list) && !ed.made[own.path[0]] {
			if own == firstOf(out, own.path[0]) { // none is reused, or fewer would go than there are
				ed.doc.Remove(list)
			}
			continue
		}
		switch {
		case own.item >= 0:
			ed.doc.Remove(list.Items()[own.item])
		case len(own.path) == 2:
			ed.doc.Remove(list.Get(own.path[1]))
		default:
			ed.doc.Remove(list)
		}
	}
}

func firstOf(list []*fact, table string) *fact {
	for _, f := range list {
		if f.path[0] == table {
			return f
		}
	}
	return nil
}

// facts is how many facts a table or list of a row holds.
func facts(n *edit.Node) int {
	k := 0
	for _, c := range n.Items() {
		if !isSource(c.Name) {
			k++
		}
	}
	return k
}

// text is the wanted value of a fact as it is written.
func (ed *rowEdit) value(f *fact) spell.Value {
	v, _ := ed.row.value.Get(f.path[0])
	switch {
	case f.item >= 0:
		return v.Items[f.item]
	case len(f.path) == 2:
		v, _ = v.Get(f.path[1])
	}
	return v
}

// order is the order of the keys of a row, or of a table in it.
func order(path []string) []string {
	table := form.Model()
	for _, p := range path {
		k := table.Key(p)
		if k == nil || k.Type.Table == nil {
			return nil
		}
		table = k.Type.Table
	}
	return table.Names()
}

// insert writes a fact that the row lacks. It reports false where it can't.
func (ed *rowEdit) insert(f *fact) bool {
	v := ed.value(f)
	outer := ed.table.Get(f.path[0])
	switch {
	case f.item >= 0 && outer == nil && !ed.made[f.path[0]]:
		// The whole list is new: it is written once, with all its entries.
		all, _ := ed.row.value.Get(f.path[0])
		if f.path[0] == "disagreement" {
			ed.doc.Put(ed.table, f.path[0], all.Inline(), order(nil))
		} else {
			ed.doc.Put(ed.table, f.path[0], all.Lines(f.path[0]), order(nil))
		}
		ed.mark(f.path[0])
	case f.item >= 0 && outer == nil:
	case f.item >= 0 && outer.Headed():
		if spare := ed.spare(f); spare != nil { // it takes the lines of one that goes
			table(ed.doc, outer.Items()[spare.item], &v)
			break
		}
		ed.doc.AddTable(outer, v.Table())
	case f.item >= 0:
		ed.doc.Add(outer, v.Inline())
	case len(f.path) == 2 && outer == nil && !ed.made[f.path[0]]:
		all, _ := ed.row.value.Get(f.path[0])
		ed.doc.Put(ed.table, f.path[0], all.Inline(), order(nil))
		ed.mark(f.path[0])
	case len(f.path) == 2 && outer == nil:
	case len(f.path) == 2:
		ed.doc.Put(outer, f.path[1], v.Inline(), order(f.path[:1]))
	default:
		ed.doc.Put(ed.table, f.path[0], v.Lines(f.path[0]), order(nil))
	}
	return true
}

// spare finds an entry of a fact's list that no upstream states any more, and whose
// place is free.
func (ed *rowEdit) spare(f *fact) *fact {
	for _, own := range ed.now {
		if own.path[0] == f.path[0] && !ed.reused[own] && ed.entry.ours(own) && !ed.said(own.key) {
			if ed.reused == nil {
				ed.reused = map[*fact]bool{}
			}
			ed.reused[own] = true
			return own
		}
	}
	return nil
}

// said reports whether the upstreams state a fact.
func (ed *rowEdit) said(key string) bool {
	return slices.ContainsFunc(ed.row.facts, func(f *fact) bool { return f.key == key })
}

func (ed *rowEdit) mark(table string) {
	if ed.made == nil {
		ed.made = map[string]bool{}
	}
	ed.made[table] = true
}

// replace writes another value for a fact.
func (ed *rowEdit) replace(own, f *fact) {
	v := ed.value(f)
	n := ed.table.Get(own.path[0])
	switch {
	case own.item >= 0:
		table(ed.doc, n.Items()[own.item], &v)
	case len(own.path) == 2:
		if at := n.Get(own.path[1]); at.Headed() {
			table(ed.doc, at, &v)
		} else {
			ed.doc.Replace(at, v.Inline())
		}
	case n.Headed():
		table(ed.doc, n, &v)
	default:
		ed.doc.Replace(n, v.Lines(own.path[0]))
	}
}

// table changes a table key by key.
func table(doc *edit.Doc, n *edit.Node, v *spell.Value) {
	if n.Kind != edit.Table {
		return
	}
	for _, c := range n.Items() {
		if _, said := v.Get(c.Name); !said {
			doc.Remove(c)
		}
	}
	for i, k := range v.Keys {
		text := v.Items[i].Inline()
		switch at := n.Get(k); {
		case at == nil:
			doc.Put(n, k, text, v.Keys)
		case at.Headed() && at.Kind == edit.List:
			tables(doc, at, &v.Items[i])
		case at.Headed():
			table(doc, at, &v.Items[i])
		case doc.Text(at) != text:
			doc.Replace(at, text)
		}
	}
}

// tables changes a list whose items have headers, item by item.
func tables(doc *edit.Doc, n *edit.Node, v *spell.Value) {
	items := n.Items()
	for i := range v.Items {
		if i < len(items) {
			table(doc, items[i], &v.Items[i])
		} else {
			doc.AddTable(n, v.Items[i].Table())
		}
	}
	for _, it := range items[min(len(items), len(v.Items)):] {
		doc.Remove(it)
	}
}

// source writes where the row is from now. What a person added to the list stays,
// behind the upstreams.
func (ed *rowEdit) source() error {
	v, ok := ed.row.value.Get("source")
	if !ok {
		return nil
	}
	n := ed.table.Get("source")
	if n == nil {
		ed.doc.Put(ed.table, "source", v.Lines("source"), order(nil))
		return nil
	}
	all := slices.Clone(ed.row.Row.Row.Source)
	for s := range ed.there.node.Get("source").Each() {
		same := func(url string) bool { return unversioned(url) == unversioned(s.Get("url").Str()) }
		if !slices.ContainsFunc(ed.b.in.Read, func(u upfact.Source) bool { return same(u.URL) }) && !slices.ContainsFunc(all, func(have catalog.Source) bool { return same(have.URL) }) {
			all = append(all, catalog.Source{URL: s.Get("url").Str(), CheckedOn: catalog.Date(s.Get("checked_on").Str())})
		}
	}
	list, err := spell.RowValue(&catalog.Row{Source: all})
	if err != nil {
		return err
	}
	list, _ = list.Get("source")
	switch {
	case n.Headed():
		tables(ed.doc, n, &list)
	case ed.doc.Text(n) != list.Lines("source"):
		ed.doc.Replace(n, list.Lines("source"))
	}
	return nil
}

func (ed *rowEdit) say(field, from, to, reason string) {
	ed.changed = true
	ed.b.change(ed.file, files.Change{Resource: ed.id, Field: field, From: from, To: to, Reason: reason, Source: ed.sourceOf(field)})
}

func (ed *rowEdit) keep(field, ours, theirs, reason string) {
	ed.b.keep(plan.Kept{Resource: ed.id, Field: field, Ours: ours, Theirs: theirs, Reason: reason})
}

// why finds what the upstreams' side says of a field.
func (ed *rowEdit) why(field string) (reason, source string) {
	bare, _, _ := strings.Cut(field, "[")
	bare = strings.Replace(bare, "operations.", "contracts.", 1)
	for _, w := range ed.row.Why {
		if w.Field == bare || strings.HasPrefix(bare, w.Field+".") {
			return w.Reason, w.Source
		}
	}
	return "", ""
}

func (ed *rowEdit) reason(f *fact) string {
	if reason, _ := ed.why(f.key); reason != "" {
		return reason
	}
	return "as " + strings.Join(names(ed.row.Row), ", ") + " has it now"
}

func (ed *rowEdit) sourceOf(field string) string {
	_, source := ed.why(field)
	if source == "" && len(ed.row.From) > 0 {
		source = ed.row.From[0].URL
	}
	return source
}

// followContracts lets the contracts of a row follow.
func (b *bringing) followContracts(id string, r *row, e *entry) error {
	source := ""
	if len(r.From) > 0 {
		source = r.From[0].URL
	}
	for _, operation := range operations.Names() {
		var wanted *contract
		for i := range r.contracts {
			if r.contracts[i].operation == operation {
				wanted = &r.contracts[i]
			}
		}
		at := b.g.contracts[key(id, operation)]
		k := "operations." + operation
		var own *fact
		ours := false
		if len(at) > 0 {
			own = contractFact(operation, at[0].node)
			ours = len(at) == 1 && !at[0].shared && !at[0].legacy && e.ours(own)
		}
		switch {
		case wanted == nil && own == nil:
		case wanted == nil:
			if ours {
				if err := b.rules.revoke(id, r.wire, at[0], source, "no upstream that lists the row says so any more"); err != nil {
					return err
				}
				delete(e.marks, mark(k))
			}
		case own == nil && e.wrote(k):
			b.keep(plan.Kept{Resource: id, Field: k, Theirs: wanted.fact.short, Reason: removed})
		case own == nil:
			b.rules.grant(id, r.wire, wanted, source, "as "+strings.Join(e.catalogs, ", ")+" has it now")
			e.note(wanted.fact)
		case own.value == wanted.fact.value:
		case !ours:
			b.keep(plan.Kept{Resource: id, Field: k, Ours: own.short, Theirs: wanted.fact.short, Reason: pinned})
		default:
			if err := b.rules.revoke(id, r.wire, at[0], source, ""); err != nil {
				return err
			}
			b.rules.grant(id, r.wire, wanted, source, "as "+strings.Join(e.catalogs, ", ")+" has it now")
			e.note(wanted.fact)
		}
	}
	return nil
}

// gone marks the rows that were brought in and that no upstream lists any more.
func (b *bringing) gone(wanted map[string]bool) error {
	for _, wire := range slices.Sorted(maps.Keys(b.record)) {
		e, id := b.record[wire], b.id+"/"+wire
		there := b.g.rows[id]
		if wanted[wire] || there == nil || there.legacy || b.in.Hold[id] ||
			slices.ContainsFunc(e.catalogs, func(name string) bool { return !b.read(name) }) {
			continue
		}
		if err := b.deprecate(id, there, e); err != nil {
			return err
		}
	}
	return nil
}

// read reports whether an upstream was read.
func (b *bringing) read(name string) bool {
	return slices.ContainsFunc(b.in.Read, func(s upfact.Source) bool { return s.Name == name })
}

// deprecate says of a row that it is gone. Where its lifecycle says something already,
// that stands.
func (b *bringing) deprecate(id string, there *place, e *entry) error {
	if there.node.Get("lifecycle") != nil || e.wrote("lifecycle.deprecated") {
		return nil
	}
	doc, err := b.g.doc(there.file)
	if err != nil {
		return err
	}
	note := fmt.Sprintf("no longer in %s on %s", strings.Join(e.catalogs, ", "), b.in.Date)
	table := doc.Root().Get("model").Items()[there.n]
	doc.Put(table, "lifecycle", "{ deprecated = true, note = "+edit.String(note)+" }", order(nil))
	for _, f := range []*fact{{key: "lifecycle.deprecated", full: "4true" + emptyTail}, {key: "lifecycle.note", full: "1" + note + emptyTail}} {
		e.note(f)
	}
	b.change(there.file, files.Change{Resource: id, Field: "lifecycle.deprecated", To: "true", Reason: note})
	return nil
}

// emptyTail is what a fact of a table without sources ends with.
const emptyTail = "\x00\x00"
