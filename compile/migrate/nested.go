package migrate

import (
	"slices"
	"strings"

	"github.com/opcat/opcat/compile/legacy"
	"github.com/opcat/opcat/compile/tree"
	"github.com/opcat/opcat/diag"
	"github.com/opcat/opcat/shape"
)

// operationOf is today's name of an operation under which a rule writes a contract.
func operationOf(contract *tree.Node) string {
	if contract.Name() == "decision" {
		return decisionOperation
	}
	return contract.Name()
}

// nested lays contracts in today's keys, which rules of format 0 may hold too, over
// what flat facts gave. The rules of the row's own provider count, in the order in
// which they fill facts.
func (w *writer) nested(operation string) {
	for _, r := range w.rules[:w.ownRules] {
		for c := range r.contracts.Each() {
			if operationOf(c) == operation {
				w.lay(w.contract, c)
			}
		}
	}
}

// lay fills a table from another one. A value that flat facts gave otherwise is a
// finding; one that a closer rule gave stands.
func (w *writer) lay(into, from *tree.Node) {
	for c := range from.Each() {
		key := into.Type().Table.Key(c.Name())
		if key == nil { // a key that only format 0 lets stand, refused elsewhere
			continue
		}
		have := into.Get(c.Name())
		switch {
		case have == nil:
			if t := key.Type.Member(c.Form); t != nil && (t.Kind != shape.Enum || slices.Contains(t.Values, c.Str())) {
				into.Append(w.under(key, c))
			}
		case have.Form == shape.FormTable && c.Form == shape.FormTable && have.Type().Kind == shape.Record:
			w.lay(have, c)
		case !tree.Equal(have, c) && w.flat(have) && c.Name() != "input_kinds" && c.Name() != "protocol":
			w.report(diag.Diagnostic{Code: diag.AliasContradicts, At: c.KeyAt(), Row: w.row.RowID(), Provider: w.row.Provider, Fields: []string{c.Name()},
				Message: "the contract and a flat field give " + c.Name() + " two values", Got: show(c), Allowed: []string{"one spelling"},
				Notes: []diag.Note{{At: have.At(), Message: "the flat field makes it " + show(have)}}})
		case !tree.Equal(have, c) && w.flat(have):
			into.Set(w.under(key, c)) // the contract says it itself; the flat facts only implied it
		}
	}
}

// flat reports whether a value comes from a flat fact and not from a contract of
// another rule.
func (w *writer) flat(n *tree.Node) bool {
	for _, r := range w.rules[:w.ownRules] {
		if r.contracts != nil && n.File == r.contracts.File && n.Place().Line >= r.contracts.Place().Line && n.Place().Line <= lastLine(r.contracts) {
			return false
		}
	}
	return true
}

func lastLine(n *tree.Node) int {
	line := n.Place().Line
	for c := range n.Each() {
		line = max(line, lastLine(c))
	}
	return line
}

// setOf compares the operations of a row with the contracts that rules of its own
// provider write for it. Text needs no contract, and the dimension of an embedding
// stands on the row.
func (w *rulework) setOf(v *view) {
	row := v.row
	var stated []*tree.Node
	for _, r := range v.rules[:v.ownRules] {
		for c := range r.contracts.Each() {
			stated = append(stated, c)
		}
	}
	has := func(operation string) bool {
		return slices.ContainsFunc(stated, func(c *tree.Node) bool { return operationOf(c) == operation })
	}
	var missing []string
	for _, o := range row.Operations {
		switch {
		case has(o), o == textOperation, o == decisionOperation && v.node("decision_protocol") != nil,
			o == embeddingOperation && row.Table.Get("embedding_dim") != nil:
		default:
			missing = append(missing, o)
		}
	}
	var extra *tree.Node
	for _, c := range stated {
		if o := operationOf(c); !row.Does(o) && (extra == nil || c.KeyAt().Compare(extra.KeyAt()) < 0) {
			extra = c
		}
	}
	if row.Unsure {
		extra = nil
	}
	if row.Base != nil || extra == nil && (row.Broken || w.rulesBroken()) { // a lower layer says it, or what could not be read may
		missing = nil
	}
	w.mismatch(v, missing, extra)
	for _, c := range stated {
		if o := operationOf(c); o != textOperation && row.Does(o) && !(o == decisionOperation && v.node("decision_protocol") != nil) {
			w.onlyWildcard(v, o, stated)
			break
		}
	}
}

func (w *rulework) mismatch(v *view, missing []string, extra *tree.Node) {
	row := v.row
	d := diag.Diagnostic{Row: row.RowID(), Provider: row.Provider, Fields: []string{"operations"}}
	switch {
	case extra != nil && len(missing) > 0:
		d.Code, d.At = diag.OperationSetMismatch, extra.KeyAt()
		d.Message = "the row does " + bracketed(row.Operations) + " and its rules write a contract for " + operationOf(extra)
		d.Got = "row " + bracketed(row.Operations) + ", contract [" + operationOf(extra) + "]"
		d.Allowed = []string{"the same set on both sides"}
		d.Notes = w.rowNote(row, "the row does "+bracketed(row.Operations))
	case extra != nil:
		d.Code, d.At = diag.ContractWithoutOperation, extra.KeyAt()
		d.Message = "a contract can't add an operation that the row does not do"
		d.Got, d.Allowed = operationOf(extra), row.Operations
		d.Notes = w.rowNote(row, "the row does "+bracketed(row.Operations))
	case len(missing) > 0 && !(len(missing) == 1 && missing[0] == embeddingOperation):
		d.Code = diag.OperationWithoutContract
		d.At = row.Table.KeyAt()
		if row.OperationsAt != nil {
			d.At = row.OperationsAt.KeyAt()
		}
		d.Message = "the row does " + strings.Join(missing, ", ") + ", and no rule says how that is dialled"
		d.Got, d.Allowed = "no contract", []string{"a contract with its protocol"}
		if missing[0] == decisionOperation {
			d.Allowed = []string{"a decision contract with protocol, question kinds and limits"}
		}
		d.Help = "write [provider." + row.Provider + ".operations." + missing[0] + "] in a rule that names the row"
	default:
		return
	}
	w.report(d)
}

// onlyWildcard reports an operation whose every contract is written under a bare
// wildcard.
func (w *rulework) onlyWildcard(v *view, operation string, stated []*tree.Node) {
	id := w.identityOf(v.row)
	var first *tree.Node
	for _, r := range v.rules[:v.ownRules] {
		for c := range r.contracts.Each() {
			if operationOf(c) != operation {
				continue
			}
			if !r.onlyAny(id) {
				return
			}
			first = c
		}
	}
	if first != nil {
		w.wildcard(v.row, first)
	}
}

// judgeContracts judges the decision contracts that a rule writes in today's keys,
// by what only format 0 lets stand in them.
func (w *rulework) judgeContracts(r *rule) {
	for c := range r.contracts.Each() {
		if operationOf(c) == decisionOperation {
			w.judgeNative(r, c)
		}
	}
}

func (w *rulework) judgeNative(r *rule, c *tree.Node) {
	protocol := c.Get("protocol")
	add := func(code diag.Code, at *tree.Node, message, got string, allowed ...string) {
		d := diag.Diagnostic{Code: code, At: at.KeyAt(), Provider: r.provider, Fields: []string{at.Name()}, Message: message, Got: got, Allowed: allowed}
		if protocol != nil && at != protocol {
			d.Notes = []diag.Note{{At: protocol.KeyAt(), Message: show(protocol)}}
			d.Fields = append(d.Fields, "protocol")
		}
		w.report(d)
	}
	if protocol.Str() == legacy.StructuredLLM {
		at := protocol
		if n := c.Get("implementation"); n != nil {
			at = n
		}
		add(diag.ImplementationContradictsProtocol, at, "structured_llm is not native: the evaluator reads the text contract", "native",
			"a native protocol", "no decision contract")
	}
	if n := c.Get("evidence_kind"); n.Str() == "model_rationale" {
		add(diag.EvidenceContradictsKind, n, "a native answer has no written rationale", n.Str(), "input_reference")
	}
	if n := c.Get("options"); n.First() != nil {
		var names []string
		for o := range n.Each() {
			names = append(names, o.Name())
		}
		add(diag.OptionNotInProtocol, n, "a native decision carries no sampling or effort option unless the contract proves it", strings.Join(names, ", "), "no options")
	}
}
