package bring

import (
	"maps"
	"slices"

	"github.com/opcat/opcat/compile/spell"
	"github.com/opcat/opcat/edit"
	"github.com/opcat/opcat/plan/files"
)

// A ruleBook is the rules of one provider as they change. Rows with the same contract
// share a rule.
type ruleBook struct {
	b       *bringing
	file    string
	grants  map[string]*group // by operation and contract
	revoked map[string]*taken // by file and rule
}

type group struct {
	operation string
	value     spell.Value
	full      string
	models    []string
}

type taken struct {
	at     *place
	models []string
}

func newRuleBook(b *bringing) *ruleBook {
	return &ruleBook{b: b, file: "capability_sources/" + b.id + "/" + FileName, grants: map[string]*group{}, revoked: map[string]*taken{}}
}

// grant gives a row a contract.
func (rb *ruleBook) grant(id, wire string, c *contract, source, reason string) {
	k := c.operation + "\x00" + c.fact.full
	g := rb.grants[k]
	if g == nil {
		g = &group{operation: c.operation, value: c.value, full: c.fact.full}
		rb.grants[k] = g
	}
	g.models = append(g.models, wire)
	rb.b.change(rb.file, files.Change{Resource: id, Field: c.fact.key, To: c.fact.short, Reason: reason, Source: source})
}

// revoke takes a row out of a rule.
func (rb *ruleBook) revoke(id, wire string, at *place, source, reason string) error {
	if _, err := rb.b.g.doc(at.file); err != nil {
		return err
	}
	k := key(at.file, string(rune(at.n)))
	if rb.revoked[k] == nil {
		rb.revoked[k] = &taken{at: at}
	}
	rb.revoked[k].models = append(rb.revoked[k].models, wire)
	if reason != "" {
		f := contractFact(at.node.Name(), at.node)
		rb.b.change(at.file, files.Change{Resource: id, Field: f.key, From: f.short, Reason: reason, Source: source})
	} else if at.file != rb.file { // the grant says why
		rb.b.change(at.file, files.Change{Resource: id, Field: "operations." + at.node.Name(), Reason: "its contract changes, and stands in another rule now", Source: source})
	}
	return nil
}

// write notes the edits.
func (rb *ruleBook) write() error {
	for _, k := range slices.Sorted(maps.Keys(rb.revoked)) {
		t := rb.revoked[k]
		doc := rb.b.g.docs[t.at.file]
		rule := doc.Root().Path("provider", rb.b.id).Items()[t.at.n]
		models := rule.Get("models")
		if len(models.Items()) == len(t.models) {
			doc.Remove(rule)
			continue
		}
		for _, item := range models.Items() {
			if slices.Contains(t.models, item.Str()) {
				doc.Remove(item)
			}
		}
	}
	for _, k := range slices.Sorted(maps.Keys(rb.grants)) {
		g := rb.grants[k]
		slices.Sort(g.models)
		if rule := rb.same(g); rule != nil {
			for _, wire := range g.models {
				rule.doc.Add(rule.models, edit.String(wire))
			}
			continue
		}
		rb.b.text(rb.file).WriteString("\n" + spell.Rule(rb.b.id, g.models, []string{g.operation}, []spell.Value{g.value}))
	}
	return nil
}

type sameRule struct {
	doc    *edit.Doc
	models *edit.Node
}

// same finds a rule in the file of the upstreams that says just what a group says, and
// that nothing is taken out of.
func (rb *ruleBook) same(g *group) *sameRule {
	for _, at := range rb.b.g.rules[rb.file] {
		if at.shared || at.legacy || at.node.Name() != g.operation || rb.revoked[key(at.file, string(rune(at.n)))] != nil || spelt(at.node, false) != g.full {
			continue
		}
		doc, err := rb.b.g.doc(at.file)
		if err != nil {
			return nil
		}
		return &sameRule{doc, doc.Root().Path("provider", rb.b.id).Items()[at.n].Get("models")}
	}
	return nil
}
