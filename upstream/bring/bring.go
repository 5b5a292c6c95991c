// Package bring turns what the upstreams ask for into a plan of edits.
//
// A row that no source has is added, with its contracts. A row that a plan of ours has
// written before follows the upstreams, fact by fact, for as long as a fact is as it
// was written. What people write or touch is pinned: it stays, and the plan says so.
// A row that no upstream lists any more is marked as deprecated and stays too.
//
// Package bring does not know where an upstream's facts come from, and writes no file.
package bring

import (
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/opcat/opcat/compile/fragment"
	"github.com/opcat/opcat/compile/spell"
	"github.com/opcat/opcat/compile/tree"
	"github.com/opcat/opcat/diag"
	"github.com/opcat/opcat/edit"
	"github.com/opcat/opcat/operations"
	"github.com/opcat/opcat/plan"
	"github.com/opcat/opcat/plan/files"
	upfact "github.com/opcat/opcat/upstream/fact"
	"github.com/opcat/opcat/upstream/want"
)

// An Input is all that a plan depends on.
type Input struct {
	Tree  *files.Snapshot
	Want  *want.Set
	Read  []upfact.Source // the upstreams that were read
	Adopt []string        // rows of people's that are handed to the upstreams, and providers by their id
	Hold  map[string]bool // rows, and providers as "id/", that are kept out, since the sources would not compile with them
	Date  string          // of what is noted on a row that is gone
}

// A Proposal is what the sources would become.
type Proposal struct {
	Items []plan.Item
	Kept  []plan.Kept
}

// FileName is the fragment that new rows and rules of a provider are written to.
const FileName = "upstream.toml"

// Propose compares what is wanted with the sources. Its findings are those of sources
// that cannot be read.
func Propose(in Input) (*Proposal, diag.List, error) {
	g, found, err := survey(in.Tree)
	if err != nil || found != nil {
		return nil, found, err
	}
	b := &bringing{in: in, g: g, out: &Proposal{}, tree: in.Tree}
	ids := map[string]*want.Provider{}
	for i := range in.Want.Providers {
		ids[in.Want.Providers[i].ID] = &in.Want.Providers[i]
	}
	for id := range g.records { // of providers that no upstream names any more, too
		if ids[id] == nil {
			ids[id] = &want.Provider{ID: id}
		}
	}
	for _, h := range in.Want.Held {
		b.keep(plan.Kept{Resource: rowOf(h), Field: h.Field, Reason: h.Why})
	}
	for _, id := range slices.Sorted(maps.Keys(ids)) {
		if in.Hold[id+"/"] {
			continue
		}
		if err := b.provider(ids[id]); err != nil {
			return nil, nil, err
		}
	}
	return b.out, nil, nil
}

func rowOf(h want.Held) string {
	if h.Row == "" || strings.HasPrefix(h.Row, h.Provider+"/") {
		return cmpOr(h.Row, h.Provider)
	}
	return h.Provider + "/" + h.Row
}

func cmpOr(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

// bringing is one proposal being made.
type bringing struct {
	in   Input
	g    *ground
	tree *files.Snapshot
	out  *Proposal

	// of the provider under way
	id      string
	record  record
	changes map[string][]files.Change // by file
	added   map[string]int            // rows, by file
	texts   map[string]*strings.Builder
	rules   *ruleBook
}

func (b *bringing) keep(k plan.Kept) { b.out.Kept = append(b.out.Kept, k) }

func (b *bringing) change(file string, c files.Change) {
	b.changes[file] = append(b.changes[file], c)
}

// provider brings in one provider with its rows.
func (b *bringing) provider(p *want.Provider) error {
	b.id, b.changes, b.added, b.texts = p.ID, map[string][]files.Change{}, map[string]int{}, map[string]*strings.Builder{}
	b.record = b.copyRecord(p.ID)
	b.rules = newRuleBook(b)
	fresh := len(b.g.providers[p.ID]) == 0 && len(p.Rows) > 0
	rows, err := b.decode(p)
	if err != nil {
		return err
	}
	wanted := map[string]bool{}
	for i := range rows {
		r := &rows[i]
		wanted[r.wire] = true
		id := p.ID + "/" + r.wire
		if b.in.Hold[id] {
			continue
		}
		if err := b.row(id, r); err != nil {
			return err
		}
	}
	for _, h := range b.in.Want.Held { // what is kept back is not gone
		if h.Provider == p.ID {
			wanted[strings.TrimPrefix(h.Row, p.ID+"/")] = true
		}
	}
	if err := b.gone(wanted); err != nil {
		return err
	}
	if err := b.rules.write(); err != nil {
		return err
	}
	switch {
	case fresh && len(b.changes) > 0:
		err = b.addProvider(p)
	case !fresh && len(p.Rows) > 0:
		err = b.followProvider(p)
	}
	if err != nil {
		return err
	}
	return b.items()
}

func (b *bringing) copyRecord(id string) record {
	out := record{}
	for wire, e := range b.g.records[id] {
		out[wire] = &entry{catalogs: e.catalogs, marks: maps.Clone(e.marks)}
	}
	return out
}

// text is what is to be added to the end of a file.
func (b *bringing) text(file string) *strings.Builder {
	if b.texts[file] == nil {
		b.texts[file] = &strings.Builder{}
	}
	return b.texts[file]
}

// A row is one that is wanted, in the same form as those that are there.
type row struct {
	*want.Row
	wire      string
	value     spell.Value
	text      string // the same, as it is written
	node      *tree.Node
	facts     []*fact
	contracts []contract
}

// A contract is one that is wanted.
type contract struct {
	operation string
	value     spell.Value
	fact      *fact
}

// decode writes the wanted rows as fragments and reads those, so that both sides of a
// comparison come from one decoder. A row that is no fragment is kept out.
func (b *bringing) decode(p *want.Provider) ([]row, error) {
	rows := make([]row, 0, len(p.Rows))
	for i := range p.Rows {
		if b.in.Hold[p.ID+"/"+p.Rows[i].Row.WireModel] {
			continue
		}
		r, err := spelled(&p.Rows[i])
		if err != nil {
			return nil, err
		}
		rows = append(rows, *r)
	}
	slices.SortFunc(rows, func(a, b row) int { return strings.Compare(a.wire, b.wire) })
	if readRows(p.ID, rows) == "" {
		return rows, nil
	}
	var good []row
	for i := range rows { // one by one, to find those that are none
		if why := readRows(p.ID, rows[i:i+1]); why != "" {
			b.keep(plan.Kept{Resource: p.ID + "/" + rows[i].wire, Reason: why})
			continue
		}
		good = append(good, rows[i])
	}
	return good, nil
}

// readRows reads rows of a provider as a fragment has them. It says why they are none;
// "" if they are.
func readRows(provider string, rows []row) string {
	var models, rules strings.Builder
	models.WriteString(spell.Head)
	rules.WriteString(spell.Head)
	for i := range rows {
		models.WriteString("\n")
		models.WriteString(rows[i].text)
		if cs := rows[i].contracts; len(cs) > 0 {
			names, values := make([]string, len(cs)), make([]spell.Value, len(cs))
			for j := range cs {
				names[j], values[j] = cs[j].operation, cs[j].value
			}
			rules.WriteString("\n" + spell.Rule(provider, []string{rows[i].wire}, names, values))
		}
	}
	tables := [2]*tree.Node{}
	for i, text := range []string{models.String(), rules.String()} {
		f, found := fragment.File(&tree.File{Path: files.Roots[i] + "/" + provider + "/" + FileName, Layer: "bundled"}, []byte(text))
		if why := firstError(found); why != "" {
			return why
		}
		tables[i] = f.Table
	}
	model, rule := tables[0].Get("model").First(), tables[1].Path("provider", provider).First()
	for i := range rows {
		rows[i].node, rows[i].facts = model, factsOf(model)
		model = model.Next()
		if len(rows[i].contracts) == 0 {
			continue
		}
		for j := range rows[i].contracts {
			c := &rows[i].contracts[j]
			c.fact = contractFact(c.operation, rule.Path("operations", c.operation))
		}
		rule = rule.Next()
	}
	return ""
}

// spelled is a row in the words of a fragment.
func spelled(r *want.Row) (*row, error) {
	out := &row{Row: r, wire: r.Row.WireModel}
	var err error
	if out.value, err = spell.RowValue(&r.Row); err != nil {
		return nil, err
	}
	out.text = spell.Row(out.value)
	for i := range r.Row.Contracts {
		v, err := spell.ContractValue(&r.Row.Contracts[i])
		if err != nil {
			return nil, err
		}
		out.contracts = append(out.contracts, contract{operation: r.Row.Contracts[i].Operation, value: v})
	}
	return out, nil
}

func contractFact(operation string, n *tree.Node) *fact {
	return &fact{key: "operations." + operation, path: []string{"operations", operation}, item: -1,
		full: spelt(n, false), value: spelt(n, true), short: brief(n), node: n}
}

func firstError(found diag.List) string {
	for _, d := range found {
		if d.IsError() {
			return string(d.Code) + ": " + d.Message
		}
	}
	return ""
}

// row brings in one row.
func (b *bringing) row(id string, r *row) error {
	there, e := b.g.rows[id], b.record[r.wire]
	adopted := slices.Contains(b.in.Adopt, id)
	switch {
	case there == nil && e != nil && !adopted:
		b.keep(plan.Kept{Resource: id, Reason: "a person took the row out; --adopt brings it back"})
		return nil
	case there == nil:
		return b.add(id, r)
	case there.legacy:
		b.keep(plan.Kept{Resource: id, Reason: "it stands in a legacy fragment or behind a link, which is not edited; `fragment plan` rewrites the former"})
		return nil
	case e == nil && !adopted:
		b.differs(id, there, r)
		return nil
	case e == nil:
		e = &entry{marks: map[string]string{}}
		b.record[r.wire] = e
	}
	if adopted {
		e.marks = map[string]string{} // only what stands there now is the upstreams' to change
		for _, f := range factsOf(there.node) {
			e.note(f)
		}
		for _, c := range b.contractsOf(id) {
			e.note(contractFact(c.Name(), c))
		}
	}
	e.catalogs = names(r.Row)
	return b.follow(id, there, r, e)
}

// contractsOf lists the contracts of a row that stand in a rule of their own.
func (b *bringing) contractsOf(id string) (out []*tree.Node) {
	for _, operation := range operations.Names() {
		if at := b.g.contracts[key(id, operation)]; len(at) == 1 && !at[0].shared {
			out = append(out, at[0].node)
		}
	}
	return out
}

func names(r *want.Row) []string {
	var out []string
	for _, s := range r.From {
		out = append(out, s.Name)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// add adds a row that the sources do not have.
func (b *bringing) add(id string, r *row) error {
	e := &entry{catalogs: names(r.Row), marks: map[string]string{}}
	b.record[r.wire] = e
	file := "catalog_sources/" + b.id + "/" + FileName
	b.text(file).WriteString("\n" + r.text)
	b.added[file]++
	for _, f := range r.facts {
		e.note(f)
	}
	c := files.Change{Resource: id, To: cmpOr(r.Row.Row.Name, r.wire), Reason: "in " + strings.Join(e.catalogs, ", ") + ", and not in the sources"}
	if len(r.Doubts) > 0 {
		c.Reason += "; " + strings.Join(r.Doubts, "; ")
	}
	if len(r.From) > 0 {
		c.Source = r.From[0].URL
	}
	b.change(file, c)
	for i := range r.contracts {
		b.rules.grant(id, r.wire, &r.contracts[i], c.Source, "the row is new")
		e.note(r.contracts[i].fact)
	}
	return nil
}

// differs notes what the upstreams say otherwise of a row that a person wrote.
func (b *bringing) differs(id string, there *place, r *row) {
	mine := map[string]*fact{}
	for _, f := range factsOf(there.node) {
		mine[f.key] = f
	}
	for _, f := range r.facts {
		if f.path[0] == "disagreement" {
			continue
		}
		if own := mine[f.key]; own != nil && own.value != f.value {
			b.keep(plan.Kept{Resource: id, Field: f.key, Ours: own.short, Theirs: f.short, Reason: "a person wrote the row"})
		}
	}
}

// items makes an item of each file that changes.
func (b *bringing) items() error {
	var catalogs, capabilities []string
	for file := range b.changes {
		if strings.HasPrefix(file, files.Roots[0]+"/") {
			catalogs = append(catalogs, file)
		} else {
			capabilities = append(capabilities, file)
		}
	}
	slices.SortFunc(catalogs, func(a, b string) int { // the provider before its rows
		pa, pb := strings.HasSuffix(a, "provider.toml"), strings.HasSuffix(b, "provider.toml")
		if pa != pb {
			return map[bool]int{true: -1, false: 1}[pa]
		}
		return strings.Compare(a, b)
	})
	slices.Sort(capabilities)
	var done []string
	for _, file := range append(catalogs, capabilities...) {
		var after []string
		if !strings.HasPrefix(file, files.Roots[0]+"/") {
			after = landed(done, files.Roots[0])
		}
		ok, err := b.item(file, after)
		if err != nil {
			return err
		}
		if ok {
			done = append(done, file)
		}
	}
	return b.recordItem(done)
}

// landed are the items of a root.
func landed(done []string, root string) (out []string) {
	for _, id := range done {
		if strings.HasPrefix(id, root+"/") {
			out = append(out, id)
		}
	}
	return out
}

func (b *bringing) item(file string, after []string) (bool, error) {
	old, there := b.tree.File(file)
	doc, err := b.g.doc(file)
	if err != nil {
		return false, err
	}
	if t := b.texts[file]; t != nil {
		if !there {
			doc.Append(spell.Head + t.String())
		} else {
			doc.Append(t.String())
		}
	}
	if !there {
		old = nil
	}
	delete(b.g.docs, file) // nothing else edits it
	it, err := files.Edit(file, old, doc.Splices(), b.changes[file], b.reason(file), after...)
	if err != nil || it == nil {
		return false, err
	}
	b.out.Items = append(b.out.Items, *it)
	return true, nil
}

// reason sums the changes of a file up.
func (b *bringing) reason(file string) string {
	added := b.added[file]
	changed := len(b.changes[file]) - added
	var parts []string
	if added > 0 {
		parts = append(parts, count(added, "row")+" added")
	}
	if changed > 0 {
		parts = append(parts, count(changed, "change"))
	}
	return strings.Join(parts, ", ")
}

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// recordItem writes down what the items before it write.
func (b *bringing) recordItem(after []string) error {
	file := path.Join(files.Roots[0], b.id, files.RecordName)
	old, there := b.tree.File(file)
	text := b.record.write()
	if !there {
		old = nil
	}
	if string(text) == string(old) {
		return nil
	}
	it, err := files.Edit(file, old, lineEdits(old, text), nil, "what was written by these changes", after...)
	if err != nil || it == nil {
		return err
	}
	b.out.Items = append(b.out.Items, *it)
	return nil
}

// lineEdits turns one sorted file of lines into another.
func lineEdits(old, wanted []byte) []edit.Splice {
	if len(old) == 0 {
		return []edit.Splice{{At: 0, New: string(wanted)}}
	}
	out := mergeLines(old, wanted)
	if got, err := edit.Apply(old, out); err != nil || string(got) != string(wanted) { // somebody changed its order
		return []edit.Splice{{At: 0, Old: string(old), New: string(wanted)}}
	}
	return out
}

func mergeLines(old, wanted []byte) []edit.Splice {
	a, b := strings.SplitAfter(string(old), "\n"), strings.SplitAfter(string(wanted), "\n")
	var out []edit.Splice
	at := 0
	for len(a) > 0 || len(b) > 0 {
		switch {
		case len(a) > 0 && len(b) > 0 && a[0] == b[0]:
			at += len(a[0])
			a, b = a[1:], b[1:]
		case len(b) == 0 || len(a) > 0 && a[0] != "" && wireOf(a[0]) < wireOf(b[0]):
			out = append(out, edit.Splice{At: at, Old: a[0]})
			at += len(a[0])
			a = a[1:]
		case len(a) > 0 && wireOf(a[0]) == wireOf(b[0]):
			out = append(out, edit.Splice{At: at, Old: a[0], New: b[0]})
			at += len(a[0])
			a, b = a[1:], b[1:]
		default:
			out = append(out, edit.Splice{At: at, New: b[0]})
			b = b[1:]
		}
	}
	return out
}

func wireOf(line string) string { wire, _, _ := strings.Cut(line, "\t"); return wire }
