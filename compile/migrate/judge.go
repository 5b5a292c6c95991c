package migrate

import (
	"strings"

	"github.com/opcat/opcat/compile/tree"
	"github.com/opcat/opcat/diag"
	"github.com/opcat/opcat/shape"
)

// A view is facts that are judged together: those of one rule, or those that the
// rules give one row.
type view struct {
	*rulework
	rule     *rule      // nil for a row
	row      *legacyRow // nil for a rule
	provider *legacyProvider
	*answer
}

// contradictions judges facts that are there against each other.
func (v *view) contradictions() {
	v.judgeWire()
	v.judgeDecision()
	v.judgeInputs()
	v.judgeTools()
	v.judgeStructured()
	v.judgeReasoning()
	v.judgeOptions()
	v.judgeCache()
	v.judgeBatch()
}

// omissions judges what a fact needs beside it and does not have.
func (v *view) omissions() {
	v.missingProtocol()
	v.missingOfDecision()
	v.missingOfFiles()
	v.missingOfBatch()
	v.missingOfReasoning()
}

// A quarrelKey names a quarrel between two rules, which many rows may meet.
type quarrelKey struct {
	code diag.Code
	a, b *tree.Node
}

// quarrel reports that two facts contradict each other, at the first of them. A
// provider-wide default quarrels with nobody: rules override it. What one rule
// says is judged with the rule, not again with every row; what two rules say is
// reported once.
func (v *view) quarrel(a, b given, d diag.Diagnostic) {
	if a.node == nil || b.node == nil || a.rule == nil || b.rule == nil || v.row != nil && a.rule == b.rule {
		return
	}
	key := quarrelKey{d.Code, a.node, b.node}
	if v.row != nil {
		if loser, ok := v.seen[key]; ok {
			v.yield(loser)
			return
		}
	}
	d.Fields = []string{a.node.Name(), b.node.Name()}
	d.Notes = append(d.Notes, diag.Note{At: b.node.KeyAt(), Message: "against " + show(b.node)})
	if d.Got == "" {
		d.Got = show(a.node) + ", " + show(b.node)
	}
	loser := v.complain(a, d)
	if v.row != nil {
		v.seen[key] = loser
	}
}

// lacks reports that a fact needs another one that nobody states.
func (v *view) lacks(a given, missing string, d diag.Diagnostic) {
	if a.node == nil || a.rule == nil {
		return
	}
	key := quarrelKey{d.Code, a.node, nil}
	if loser, ok := v.seen[key]; ok {
		v.yield(loser)
		return
	}
	d.Fields = []string{a.node.Name()}
	if d.Got == "" {
		d.Got = "no " + missing
	}
	v.seen[key] = v.complain(a, d)
}

// complain reports a finding about a fact and names the fact that yields: the one
// that an accept file does not keep, else the first. What follows is judged
// without it, so that one mistake is one finding.
func (v *view) complain(a given, d diag.Diagnostic) string {
	d.At = a.node.KeyAt()
	d.Provider = a.rule.provider
	if v.row != nil {
		d.Row = v.row.RowID()
	}
	kept, _ := v.report(d)
	loser := d.Fields[0]
	switch {
	case len(d.Fields) == 1 && decisionFact()[factIndex(loser)]:
		return "" // without its protocol the row would lose the operation, which is another mistake
	case len(d.Fields) > 1 && kept == loser:
		loser = d.Fields[1]
	}
	v.yield(loser)
	return loser
}

// yield takes a fact out of what is judged: out of the rule, so that no row meets
// it, or out of the row's own answer.
func (v *view) yield(name string) {
	if name == "" {
		return
	}
	v.drop(name)
	if v.rule != nil {
		v.rule.drop(name)
	}
}

// show writes a fact as a source does: name = value.
func show(n *tree.Node) string {
	if n == nil {
		return ""
	}
	return n.Name() + " = " + spell(n)
}

// spell writes a value as TOML does, on one line.
func spell(n *tree.Node) string {
	switch n.Form {
	case shape.FormString:
		return `"` + strings.ReplaceAll(n.Str(), "\n", " ") + `"`
	case shape.FormList:
		return "[" + joined(n, spell) + "]"
	case shape.FormTable:
		return "{ " + joined(n, show) + " }"
	}
	return n.Str()
}

func joined(n *tree.Node, each func(*tree.Node) string) string {
	var parts []string
	for c := range n.Each() {
		parts = append(parts, each(c))
	}
	return strings.Join(parts, ", ")
}
