package migrate

import (
	"slices"

	"github.com/opcat/opcat/compile/form"
	"github.com/opcat/opcat/compile/tree"
	"github.com/opcat/opcat/shape"
)

// overlaid lets the rules of an overlay meet the rows of lower layers. Each row
// that a rule meets gets an exact rule that restates what the overlay says, and
// nothing else: what lower layers say of it is today's form already.
func (w *rulework) overlaid() {
	if w.rank == 0 || len(w.book.all) == 0 {
		return
	}
	own := resolver{books: []*rulebook{w.book}, clash: w.ambiguous}
	for _, base := range w.below.list {
		if !base.Lower {
			continue
		}
		row := &legacyRow{ID: base.Upstream, Provider: base.Provider, Wire: base.Wire, Table: base.At, Base: base, Operations: slices.Clone(base.Operations)}
		if row.ID == "" {
			row.ID = base.Wire
		}
		p := w.providerOf(row.Provider)
		a := own.resolve(row.Provider, identity(row, p))
		if len(a.rules) == 0 {
			continue
		}
		w.row_ = row
		w.detail(&view{rulework: w, row: row, answer: a, provider: p})
	}
}

// detail judges what an overlay says of a row, and writes it. A default of a whole
// provider would be stronger here than the lower rules that it stands behind, so
// it is left out.
func (w *rulework) detail(v *view) {
	row, a := v.row, v.answer
	for i := range a.facts {
		g := &a.facts[i]
		if g.rule == nil {
			*g = given{}
		} else {
			g.rule.gave = true
		}
	}
	for _, r := range a.rules {
		r.gave = r.gave || r.contracts != nil
		if !r.partial && w.told.add(r.table) {
			move := w.migration.moved("L44", r.table, "", "a rule without extends", "exact rules that restate its facts")
			move.Named, move.Note = true, "format 0 would let it hide what lower layers say; here it changes only what it states"
		}
	}
	w.withoutText(row, a)
	a.blank(row.Provider, servesResponses(row.Provider, v.provider), func(g given) { w.blanked(row, g) })
	w.decisionLaw(row, a)
	w.setOf(v)
	v.contradictions()
	for _, operation := range row.Operations {
		c := &writer{view: v, at: a.rules[0].table}
		for _, low := range row.Base.Contracts {
			if low.Key.Name == operation {
				c.below = append(c.below, low)
			}
		}
		c.contract = w.arena.From(c.at, form.Operations().Must(operation), shape.FormTable, "")
		switch operation {
		case textOperation:
			c.textDetail()
		case decisionOperation:
			c.decisionDetail()
		}
		c.nested(operation)
		if c.contract.First() != nil {
			row.Contracts = append(row.Contracts, c.contract)
		}
	}
	if len(row.Contracts) > 0 {
		row.File = a.rules[0].table.File
		w.details = append(w.details, row)
	}
}

// textDetail writes the keys of a text contract that stated facts change.
func (w *writer) textDetail() {
	w.protocolDetail()
	w.inputDetail()
	w.carry(toolFormats())
	w.carry(nativeTools())
	w.toolRest()
	if w.strategy() != nil {
		w.structured()
	} else {
		w.carry(structuredMode())
		if n := w.node("tools_exclude_response_format"); n.IsTrue() {
			w.when("response_schema", n, "tools", "none")
		}
	}
	w.reasoning()
	w.cache()
	if n := w.node("batch_api"); n.IsFalse() {
		w.item(w.list(w.contract, "unset", n), "batch", n)
	} else {
		w.carry(batchGroup())
	}
	w.carry(fileUpload())
	w.hosted()
	w.routing()
	w.quirks()
	w.options()
}

// protocolDetail restates the list of protocols, from the lower one and what the
// overlay changes of it.
func (w *writer) protocolDetail() {
	var src *tree.Node
	for _, name := range wireFacts {
		if n := w.node(name); n != nil && src == nil {
			src = n
		}
	}
	if src == nil {
		return
	}
	wire, served := "", false
	each := func(protocol *tree.Node) {
		name := protocol.Str()
		if inner := protocol.Get("protocol"); inner != nil {
			name = inner.Str()
		}
		switch {
		case name == responsesProtocol:
			served = true
		case wire == "":
			wire = name
		}
	}
	if low := w.lower("protocol"); low.First() != nil {
		for item := range low.Each() {
			each(item)
		}
	} else if low != nil {
		each(low)
	}
	if w.node("message_wire_format") != nil || w.node("live_endpoint_family") != nil || wire == "" {
		wire = w.wireOf()
	}
	if n := w.node("responses_api"); n != nil {
		served = n.IsTrue()
	}
	if served {
		w.withResponses(wire, src, src)
	} else {
		w.item(w.list(w.contract, "protocol", src), wire, src)
	}
	for _, name := range wireFacts {
		if n := w.node(name); n != nil {
			w.movedBy("L23", n, textOperation+".protocol")
		}
	}
}

// inputDetail restates the kinds of input, from the lower ones and what the overlay
// changes of them.
func (w *writer) inputDetail() {
	says := map[string]*tree.Node{}
	for _, s := range inputSpellings {
		for _, name := range []string{s.old, s.modern} {
			if n := w.node(name); n != nil {
				says[s.kind] = n
			}
		}
	}
	if n := w.node("files_api_supported"); n != nil {
		says["file_ref"] = n
	}
	if len(says) == 0 {
		return
	}
	low := w.lower("input_kinds")
	list := w.list(w.contract, "input_kinds", w.at)
	for _, kind := range list.Type().Elem.Values {
		n := says[kind]
		switch {
		case n.IsTrue():
			w.item(list, kind, n)
		case n == nil && (low.Has(kind) || kind == "text"):
			w.item(list, kind, w.at)
		}
		if n != nil {
			w.movedBy("L15", n, textOperation+".input_kinds")
		}
	}
	w.carry(imageURL())
}

// decisionDetail restates the keys of a decision contract that stated facts change.
func (w *writer) decisionDetail() {
	if w.node("decision_protocol") != nil {
		w.decisionContract()
		return
	}
	w.decisionBounds()
}
