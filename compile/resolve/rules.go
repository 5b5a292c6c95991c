package resolve

import (
	"slices"
	"strconv"

	"github.com/Masterminds/semver/v3"
	"github.com/opcat/opcat/compile/layer"
	"github.com/opcat/opcat/compile/tree"
	"github.com/opcat/opcat/diag"
)

// A rule is one rule with what decides how it meets rows.
type rule struct {
	specificity
	*layer.Rule
	provider *Provider           // nil if it is not declared
	pattern  string              // "" for a rule that names its rows
	versions *semver.Constraints // nil without model_version
	trusted  bool                // its layer may widen
}

// A meeting is what one rule says of one row for one operation.
type meeting struct {
	rule  *rule
	table *tree.Node // the contract as the rule writes it
	op    int
	next  int32
}

// patterns are the pattern rules of one provider.
type patterns struct {
	rules []*rule
	met   []bool // by rule: it covers some row
}

// rules lets every exact rule meet the rows that it names, through one map, and
// keeps the pattern rules by provider.
func (r *resolver) rules() {
	made := make([]rule, len(r.in.Rules))
	r.met = make([]meeting, 0, len(r.in.Rows)+len(r.in.Rows)/4)
	var provider *Provider
	// The last rule of an undeclared provider: one finding a file. Format 0 grants what
	// its rows say, and its rows are reported.
	var unknown *layer.Rule
	for i, from := range r.in.Rules {
		u := &made[i]
		u.Rule = from
		u.trusted = layer.Trusted(from.Table)
		legacy := false
		if f := from.Table.File; f != nil {
			u.rank, legacy = f.Rank, f.Legacy
		}
		if i == 0 || from.Provider != r.in.Rules[i-1].Provider {
			provider = r.declared(from.Provider)
		}
		if u.provider = provider; provider == nil && !legacy && (unknown == nil || unknown.Provider != from.Provider || unknown.Table.File != from.Table.File) {
			unknown = from
			r.unknownProvider(from.Table.KeyAt(), from.Provider, "")
		}
		if provider == nil {
			r.draft.Astray = append(r.draft.Astray, from.Table)
		}
		r.rule(u)
	}
	for _, id := range r.patternProviders() {
		r.meetPatterns(id)
	}
}

func (r *resolver) rule(u *rule) {
	match, models := u.Table.Get("model_match"), u.Table.Get("models")
	if v := u.Table.Get("model_version"); v != nil {
		c, err := semver.NewConstraint(v.Str())
		if err != nil {
			return // the decoder says so
		}
		u.versions, u.versioned = c, true
	}
	pattern := match != nil && layer.IsPattern(match.Str())
	switch {
	case match == nil && models == nil:
		r.in.RulesBroken, r.draft.RulesBroken = true, true // whatever it grants is missed somewhere
		if !u.Broken {
			r.add(diag.Diagnostic{Code: diag.RuleTarget, At: u.Table.KeyAt(), Provider: u.Provider, Message: "the rule names no rows", Allowed: []string{"models", "model_match"},
				Help: "name the rows: models = [...]"})
		}
	case match != nil && models != nil:
		r.add(diag.Diagnostic{Code: diag.RuleTarget, At: match.KeyAt(), Provider: u.Provider, Message: "the rule names rows by models and by model_match",
			Notes: []diag.Note{{At: models.KeyAt(), Message: "models"}}, Help: "split it in two: only the one with models grants"})
	}
	if pattern && models == nil {
		u.pattern, u.literals = match.Str(), literals(match.Str())
		r.globGrants(u)
		p := r.byProvider[u.Provider]
		if p == nil {
			if r.byProvider == nil {
				r.byProvider = map[string]*patterns{}
			}
			p = &patterns{}
			r.byProvider[u.Provider] = p
		}
		p.rules, p.met = append(p.rules, u), append(p.met, false)
		return
	}
	u.exact = true
	for n := models.First(); n != nil; n = n.Next() {
		r.name(u, n)
	}
	if match != nil && !pattern && !models.Has(match.Str()) {
		r.name(u, match)
	}
}

// name lets a rule meet the row that one of its names means.
func (r *resolver) name(u *rule, n *tree.Node) {
	row := r.named(u, n.Str())
	if row == nil {
		r.matchesNothing(u, n)
		return
	}
	if u.versions != nil {
		v := version(row)
		if v == nil || !u.versions.Check(v) {
			d := diag.Diagnostic{Code: diag.RuleMatchesNothing, Warning: true, At: n.At(), Got: n.Str(), Row: row.ID, Provider: u.Provider,
				Message: "the rule names " + strconv.Quote(n.Str()) + ", whose version its model_version leaves out", Notes: []diag.Note{{At: place(row), Message: "the row states no version"}}}
			if v != nil {
				d.Notes[0].Message = "the row is version " + v.String()
			}
			r.add(d)
			return
		}
	}
	for c := u.Table.Get("operations").First(); c != nil; c = c.Next() {
		op := r.op(c)
		if op < 0 {
			continue
		}
		r.met = append(r.met, meeting{rule: u, table: c, op: op, next: r.heads[row.index]})
		r.heads[row.index] = int32(len(r.met))
	}
}

// named is the row that a rule means by a wire id; nil if there is none.
func (r *resolver) named(u *rule, wire string) *Row {
	if u.provider == nil {
		return r.find(u.Provider + "/" + wire)
	}
	return search(u.provider.Rows, wire, func(row *Row) string { return row.Wire })
}

// op is the operation of a contract table by its place in the registry.
func (r *resolver) op(c *tree.Node) int {
	if i := c.Key.Index; i >= 0 && i < len(r.ops) && r.ops[i].Name == c.Key.Name {
		return i
	}
	for i, o := range r.ops {
		if o.Name == c.Key.Name {
			return i
		}
	}
	return -1
}

func (r *resolver) matchesNothing(u *rule, n *tree.Node) {
	id := u.Provider + "/" + n.Str()
	if !r.hasRows(u.provider) || r.astray(func(row *Row) bool { return row.Wire == n.Str() }) || slices.ContainsFunc(r.draft.Removed, func(g layer.Removal) bool { return g.Row == id }) {
		return
	}
	d := diag.Diagnostic{Code: diag.RuleMatchesNothing, Warning: true, At: n.At(), Got: n.Str(), Provider: u.Provider,
		Message: "the rule names " + strconv.Quote(n.Str()) + ", which is no row of " + u.Provider}
	if r.near++; r.near <= mostNear {
		var wires []string
		for _, row := range u.provider.Rows {
			wires = append(wires, row.Wire)
		}
		if near, ok := diag.Nearest(n.Str(), wires); ok {
			d.Allowed = []string{near}
			d.Help = "did you mean " + strconv.Quote(near) + "?"
		}
	}
	r.add(d)
}

// hasRows reports whether a rule of a provider could have met a row: one that has none,
// or is not declared, is a mistake of its own.
func (r *resolver) hasRows(p *Provider) bool {
	return !r.draft.CatalogBroken && p != nil && len(p.Rows) > 0
}

func (r *resolver) patternProviders() []string {
	ids := make([]string, 0, len(r.byProvider))
	for id := range r.byProvider {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	return ids
}

// meetPatterns finds what the patterns of a provider say of the contracts that its
// rows were granted. A row that no rule names has none, whatever matches it.
func (r *resolver) meetPatterns(id string) {
	p := r.byProvider[id]
	var rows []*Row
	if provider := r.declared(id); provider != nil {
		rows = provider.Rows
	}
	for _, row := range rows {
		granted := r.heads[row.index]
		var v *semver.Version
		read := false
		for i, u := range p.rules {
			if !matches(u.pattern, row.Wire) {
				continue
			}
			p.met[i] = true
			if granted == 0 {
				continue
			}
			if u.versions != nil {
				if !read {
					v, read = version(row), true
				}
				if v == nil || !u.versions.Check(v) {
					continue
				}
			}
			for c := range u.Table.Get("operations").Each() {
				if op := r.op(c); op >= 0 {
					r.met = append(r.met, meeting{rule: u, table: c, op: op, next: r.heads[row.index]})
					r.heads[row.index] = int32(len(r.met))
				}
			}
		}
	}
	for i, u := range p.rules {
		if !p.met[i] && r.hasRows(r.declared(id)) && !r.astray(func(row *Row) bool { return matches(u.pattern, row.Wire) }) {
			match := u.Table.Get("model_match")
			r.add(diag.Diagnostic{Code: diag.RuleMatchesNothing, Warning: true, At: match.At(), Got: match.Str(), Provider: id,
				Message: "the pattern " + strconv.Quote(match.Str()) + " covers no row of " + id, Help: "only * and ? are special, and the whole wire id must fit"})
		}
	}
}
