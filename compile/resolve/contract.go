package resolve

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/opcat/opcat/compile/tree"
	"github.com/opcat/opcat/diag"
	"github.com/opcat/opcat/shape"
)

// contracts makes each row's contracts of what met it.
func (r *resolver) contracts() {
	made := make([]Contract, 0, len(r.met))
	list := make([]*Contract, 0, len(r.met))
	var parts []part
	for _, row := range r.draft.Rows {
		head := r.heads[row.index]
		if head == 0 {
			continue
		}
		start := len(list)
		kept := r.kept(row)
		for op, o := range r.ops {
			parts = parts[:0]
			for i := head; i != 0; i = r.met[i-1].next {
				if m := &r.met[i-1]; m.op == op {
					parts = append(parts, part{m.rule, m.table})
				}
			}
			if len(parts) == 0 || kept != nil && !kept.Has(o.Name) {
				continue
			}
			c := Contract{Op: o}
			if len(parts) == 1 && parts[0].rule.exact { // nearly all: one rule, handed on as it stands
				c.Table, c.Grant = r.plain(parts[0].table), parts[0].rule.Table
				if r.moved != nil {
					c.Table = r.resupport(row, c.Table, parts)
				}
			} else {
				sortParts(parts)
				c.Table, c.Grant = r.contract(row, parts)
			}
			if c.Table != nil {
				made = append(made, c)
				list = append(list, &made[len(made)-1])
			}
		}
		if len(list) > start {
			row.Contracts = list[start:len(list):len(list)]
		}
	}
}

// kept is the set of operations that a higher layer left a row; nil if none
// changed it.
func (r *resolver) kept(row *Row) *tree.Node {
	if n := len(row.merged.Changes); n > 0 {
		return row.merged.Changes[n-1].Get("to")
	}
	return nil
}

// A part is what one rule says of a contract.
type part struct {
	rule  *rule
	table *tree.Node
}

// sortParts puts the most specific first; equal ones by place, so that a finding
// about them reads the same whatever the order of files.
func sortParts(parts []part) {
	slices.SortStableFunc(parts, func(a, b part) int {
		return cmp.Or(b.rule.compare(a.rule.specificity), a.table.KeyAt().Compare(b.table.KeyAt()))
	})
}

// contract merges what rules say of one row and operation. The layers that may
// widen are merged first; what a project or run layer says then only narrows.
func (r *resolver) contract(row *Row, parts []part) (table, grant *tree.Node) {
	var trusted, free []part
	for _, p := range parts {
		if p.rule.trusted {
			trusted = append(trusted, p)
		} else {
			free = append(free, p)
		}
	}
	m := merge{r: r, row: row}
	switch {
	case granting(trusted) != nil:
		grant = granting(trusted)
		r.clearUnset(trusted)
		table = r.resupport(row, m.tables("", trusted), trusted)
	case granting(free) != nil:
		// The layer brings the row or its contract. The patterns of trusted layers
		// hold it all the same, though they are wider than its names.
		own := free[:0:0]
		var rest []part
		lowest := rankOfGrant(free)
		for _, p := range free {
			if p.rule.rank <= lowest {
				own = append(own, p)
			} else {
				rest = append(rest, p)
			}
		}
		grant = granting(own)
		table = m.tables("", own)
		bounds := merge{r: r, row: row, patterned: map[*tree.Node]bool{}}
		table = bounds.narrowed(table, bounds.tables("", trusted))
		free = rest
	default:
		return nil, nil
	}
	r.refuseUnset(row, table, free)
	for len(free) > 0 {
		lowest := free[0].rule.rank
		for _, p := range free {
			lowest = min(lowest, p.rule.rank)
		}
		var same, rest []part
		for _, p := range free {
			if p.rule.rank == lowest {
				same = append(same, p)
			} else {
				rest = append(rest, p)
			}
		}
		bounds := merge{r: r, row: row, patterned: map[*tree.Node]bool{}}
		table = bounds.held(table, bounds.tables("", same))
		free = rest
	}
	return table, grant
}

// granting is the rule that grants: of several exact ones the weakest layer's,
// then the first by place.
func granting(parts []part) *tree.Node {
	var best *rule
	for _, p := range parts {
		if p.rule.exact && (best == nil || p.rule.rank < best.rank || p.rule.rank == best.rank && p.rule.Table.KeyAt().Compare(best.Table.KeyAt()) < 0) {
			best = p.rule
		}
	}
	if best == nil {
		return nil
	}
	return best.Table
}

func rankOfGrant(parts []part) int {
	rank := -1
	for _, p := range parts {
		if p.rule.exact && (rank < 0 || p.rule.rank < rank) {
			rank = p.rule.rank
		}
	}
	return rank
}

// A merge is under way for one row's contract.
type merge struct {
	r   *resolver
	row *Row

	// Not nil where the result is to hold a contract and is none itself: then it
	// keeps a pattern's values of options that nobody granted, and what is here
	// came from a pattern.
	patterned map[*tree.Node]bool
}

// A saying is one rule's value of a field.
type saying struct {
	part
	node *tree.Node
}

// tables merges tables field by field, the most specific part first. It is nil if
// nothing is said.
func (m *merge) tables(path string, parts []part) *tree.Node {
	if len(parts) == 0 {
		return nil
	}
	var all []saying
	for _, p := range parts {
		for c := range p.table.Each() {
			if !c.Key.Layers && !m.r.barred[c] {
				all = append(all, saying{p, c})
			}
		}
	}
	slices.SortStableFunc(all, func(a, b saying) int { return strings.Compare(a.node.Key.Name, b.node.Key.Name) })
	out := m.r.arena.Shallow(parts[0].table)
	for len(all) > 0 {
		n := 1
		for n < len(all) && all[n].node.Key.Name == all[0].node.Key.Name {
			n++
		}
		same := all[:n]
		all = all[n:]
		field := join(path, same[0].node.Key.Name)
		if field == "batch" && !same[0].rule.exact && m.patterned == nil {
			continue // bounds of an interface that nobody granted
		}
		if merges(field, same) {
			sub := make([]part, n)
			for i, s := range same {
				sub[i] = part{s.rule, s.node}
			}
			if t := m.tables(field, sub); t.First() != nil || same[0].node.First() == nil {
				out.Append(t)
			}
			continue
		}
		if v := m.field(field, same, parts); v != nil {
			v = m.r.arena.Share(v)
			out.Append(v)
			if m.patterned != nil && !same[0].rule.exact {
				m.patterned[v] = true
			}
		}
	}
	return out
}

func join(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}

// merges reports whether a field is a table whose keys are merged one by one. What
// is written in one of several ways, like a setting, and what belongs together,
// like evidence, is one fact.
func merges(field string, same []saying) bool {
	if field == "evidence" || field == "search_unit" {
		return false
	}
	for _, s := range same {
		if s.node.Form != shape.FormTable || s.node.Key.Type.Kind == shape.Union {
			return false
		}
	}
	return true
}

// field picks the value of one field: the most specific rule's, held by every
// pattern of a layer above it.
func (m *merge) field(path string, same []saying, parts []part) *tree.Node {
	if path == "protocol" {
		if same = m.grantedProtocols(same); len(same) == 0 {
			return nil
		}
	}
	win := same[0]
	m.ambiguous(path, same)
	value := win.node
	if m.patterned == nil && !win.rule.exact && isSetting(path) && value.Str() != "refused" {
		value = nil // values of an option that nobody granted
	}
	if strings.HasPrefix(path, "limits.") {
		m.widens(path, same, parts)
	}
	rank := win.rule.rank
	for {
		next := -1
		for i, s := range same[1:] { // the first of a rank is its most specific
			if !s.rule.exact && s.rule.rank > rank && (next < 0 || s.rule.rank < same[next].rule.rank) {
				next = i + 1
			}
		}
		if next < 0 {
			return value
		}
		rank = same[next].rule.rank
		was, fits := value, false
		value, fits = m.narrow(path, was, same[next].node)
		m.note(path, was, same[next].node, value, fits)
	}
}

// ambiguous reports rules of one layer that are equally specific and differ. Only
// those that could decide are compared: the winner's and, above it, each layer's
// closest patterns.
func (m *merge) ambiguous(path string, same []saying) {
	for i := 0; i < len(same); {
		j := i + 1
		for j < len(same) && same[j].rule.specificity == same[i].rule.specificity {
			if i == 0 || !same[i].rule.exact && same[i].rule.rank > same[0].rule.rank {
				m.differ(path, same[i], same[j])
			}
			j++
		}
		i = j
	}
}

func (m *merge) differ(path string, a, b saying) {
	if tree.Equal(a.node, b.node) {
		return
	}
	if m.r.quarrels == nil {
		m.r.quarrels = map[[2]*tree.Node]bool{}
	}
	if m.r.quarrels[[2]*tree.Node{a.node, b.node}] {
		return // one finding for all rows that the two rules share
	}
	m.r.quarrels[[2]*tree.Node{a.node, b.node}] = true
	d := diag.Diagnostic{Code: diag.RuleAmbiguous, At: b.node.KeyAt(), Got: show(a.node) + " and " + show(b.node), Row: m.row.ID, Fields: []string{path},
		Message: "two rules are equally specific for " + strconv.Quote(m.row.ID) + " and give " + path + " two values",
		Notes:   []diag.Note{{At: a.node.KeyAt(), Message: "the other value: " + show(a.node)}}}
	if a.rule.exact {
		d.Help = "both name the row; keep one"
	} else {
		d.Message += ": " + strconv.Quote(a.rule.pattern) + " and " + strconv.Quote(b.rule.pattern) + ", " + strconv.Itoa(a.rule.literals) + " literal characters each"
		d.Help = "write one more specific pattern, or name the row"
	}
	if m.row.Provider != nil {
		d.Provider = m.row.Provider.ID
	}
	m.r.add(d)
}

// show is a value in a message.
func show(n *tree.Node) string {
	switch {
	case n == nil:
		return "absent"
	case n.Form == shape.FormList:
		items := make([]string, 0, 8)
		for c := range n.Each() {
			items = append(items, show(c))
		}
		return "[" + strings.Join(items, ", ") + "]"
	case n.Form == shape.FormTable:
		items := make([]string, 0, 8)
		for c := range n.Each() {
			items = append(items, c.Key.Name+" = "+show(c))
		}
		slices.Sort(items)
		return "{ " + strings.Join(items, ", ") + " }"
	}
	return n.Str()
}

// plain gives a contract without the keys of an overlay; nearly always it has none,
// and its file knows.
func (r *resolver) plain(table *tree.Node) *tree.Node {
	if table.File != nil && !table.File.Speaks {
		return table
	}
	clean := true
	for c := table.First(); c != nil; c = c.Next() {
		clean = clean && !c.Key.Layers
	}
	if clean {
		return table
	}
	if was := r.plains[table]; was != nil {
		return was
	}
	if r.plains == nil {
		r.plains = map[*tree.Node]*tree.Node{}
	}
	out := r.arena.Open(table)
	out.Filter(func(c *tree.Node) bool { return !c.Key.Layers })
	r.plains[table] = out
	return out
}

// clearUnset takes what a rule unsets out of the rules that it restates: exact
// ones of lower layers, and for a pattern the same pattern.
func (r *resolver) clearUnset(parts []part) {
	for _, p := range parts {
		unset := p.table.Get("unset")
		if unset == nil || !unset.Key.Layers {
			continue
		}
		for item := range unset.Each() {
			met := false
			for i := range parts {
				q := &parts[i]
				if q.rule.rank >= p.rule.rank || q.rule.exact != p.rule.exact || q.rule.pattern != p.rule.pattern ||
					q.rule.Table.Get("model_version").Str() != p.rule.Table.Get("model_version").Str() && !p.rule.exact {
					continue
				}
				if names, found := tree.Find(q.table, item.Str()); found != nil {
					q.table, met = r.arena.Without(q.table, names), true
				}
			}
			if !met && !r.draft.RulesBroken && !r.seen(item) {
				r.add(diag.Diagnostic{Code: diag.UnsetMatchesNothing, Warning: true, At: item.At(), Got: item.Str(), Provider: p.rule.Provider,
					Message: "no rule of a lower layer states " + strconv.Quote(item.Str()), Help: "leave it out, or name the field that is meant"})
			}
		}
	}
}

// refuseUnset reports what a layer that may only narrow would take away from a
// contract: what goes could be a bound.
func (r *resolver) refuseUnset(row *Row, contract *tree.Node, free []part) {
	for _, p := range free {
		for item := range p.table.Get("unset").Each() {
			_, below := tree.Find(contract, item.Str())
			if below == nil || r.seen(item) {
				continue
			}
			r.add(diag.Diagnostic{Code: diag.LayerRight, At: item.At(), Got: item.Str(), Row: row.ID, Provider: p.rule.Provider, Fields: []string{item.Str()},
				Message: "a " + item.File.Layer + " layer may only narrow a contract of a lower layer, not take " + strconv.Quote(item.Str()) + " away",
				Notes:   []diag.Note{{At: below.KeyAt(), Message: "the lower layer says " + show(below)}}, Help: "move it to the user layer"})
		}
	}
}

// seen notes that a finding was made about a value; it reports whether there was
// one. The same value meets many rows, each time as another node.
func (r *resolver) seen(n *tree.Node) bool {
	at := n.KeyAt()
	if r.reported[at] {
		return true
	}
	if r.reported == nil {
		r.reported = map[diag.Pos]bool{}
	}
	r.reported[at] = true
	return false
}
