package migrate

import (
	"github.com/opcat/opcat/compile/tree"
)

// writeRows writes `[[model]]` for each row of the layer: new ones whole, those that
// restate a row of a lower layer with what they say.
func (m *migration) writeRows() {
	for _, r := range m.rows {
		out := m.row(r.File, r.Broken, r.Table, r.Provider, r.Wire)
		m.rowFields(out, r.Table, r)
		if m.rank > 0 {
			m.yes(out, "add", r.Table)
		}
	}
	for _, r := range m.restated {
		out := m.row(r.File, r.Broken, r.Table, r.Provider, r.Wire)
		m.rowFields(out, r.Table, r)
		mv := m.moved("L42", r.Table, r.RowID(), "the row "+quote(r.ID)+" whole", "what it states, over the lower layer's row")
		mv.Named, mv.Note = true, "what it leaves out survives; format 0 would have dropped it"
	}
}

// writePatches writes what the patches of the layer change in lower layers' rows.
func (m *migration) writePatches() {
	for _, p := range m.patches {
		out := m.row(p.table.File, p.broken, p.table, p.base.Provider, p.base.Wire)
		r := &legacyRow{ID: p.table.Key.Name, Provider: p.base.Provider, Wire: p.base.Wire, Table: p.table, Base: p.base, Broken: p.broken, File: p.table.File}
		m.patchedOperations(out, r)
		m.rowFields(out, p.table, r)
		m.moved("L42", p.table, r.RowID(), "patch.models."+quote(r.ID), "a row of this layer, over the lower layer's row")
	}
}

// row starts a `[[model]]` table.
func (m *migration) row(file *tree.File, broken bool, at *tree.Node, provider, wire string) *tree.Node {
	out := m.item(m.into(file, broken, "model"), at)
	place := at.Get("provider")
	if place == nil {
		place = at
	}
	m.say(out, "provider", place, provider)
	if place = at.Get("wire_model"); place == nil {
		place = at
	}
	m.say(out, "wire_model", place, wire)
	return out
}

// rowFields writes what a row's table says, but for its jobs, which are contracts.
func (m *migration) rowFields(out, t *tree.Node, r *legacyRow) {
	if r.Base == nil && r.ID != r.RowID() {
		m.say(out, "upstream_id", t, r.ID)
	}
	m.puts(out, t, "name", "logical_model", "served_variant", "equivalence_group", "released")
	m.snapshot(out, t, r)
	m.limits(out, t)
	m.lifecycle(out, t, r)
	m.price(out, r)
	m.availability(out, t, r)
	m.streamTimeout(out, t)
	m.rowQuota(out, t)
	m.controls(out, t.Get("data_controls"))
	m.put(out, "local_memory", t.Get("local_memory"))
	m.put(out, "tier", t.Get("serving_tiers"))
	m.put(out, "reasoning_mode", t.Get("reasoning_modes"))
	m.rowPresentation(out, t)
	m.metadata(out, t, r.Endpoint)
	m.fastMode(t, r)
	dropEmpty(out, "tier", "reasoning_mode")
}

// dropEmpty takes empty lists away where an empty one says nothing.
func dropEmpty(out *tree.Node, names ...string) {
	for _, name := range names {
		if n := out.Get(name); n != nil && n.First() == nil {
			out.Drop(name)
		}
	}
}

// limits are the windows of a row.
func (m *migration) limits(out, t *tree.Node) {
	window, launch := t.Get("context_window"), t.Get("runtime_context_window")
	if window == nil && launch == nil {
		return
	}
	at := window
	if at == nil {
		at = launch
	}
	limits := m.make(out, "limits", at)
	m.put(limits, "context_tokens", window)
	m.put(limits, "runtime_context_tokens", launch)
	out.Append(limits)
}

// availability: a row of format 0 that says nothing is serverless; one that says
// unknown is unknown, which today is silence.
func (m *migration) availability(out, t *tree.Node, r *legacyRow) {
	n := t.Get("availability")
	switch {
	case n == nil && r.Base == nil:
		m.say(out, "availability", t, "serverless")
	case n.Str() == "unknown":
		m.moved("§2.4", n, r.RowID(), `availability = "unknown"`, "left out")
	default:
		m.put(out, "availability", n)
	}
}

// streamTimeout is a number of seconds in format 0.
func (m *migration) streamTimeout(out, t *tree.Node) {
	n := t.Get("stream_timeout")
	if n == nil {
		return
	}
	if s := m.amount(n, amountType); s != "" && s != "0" {
		m.say(out, "stream_timeout", n, s+"s")
	} else if s == "0" {
		m.outOfRange(n, "> 0")
	}
}

// rowQuota is the row's own rates.
func (m *migration) rowQuota(out, t *tree.Node) {
	m.put(out, "quota", t.Get("rate_limits"))
}

// rowPresentation is what people are shown.
func (m *migration) rowPresentation(out, t *tree.Node) {
	pres := m.make(out, "presentation", t)
	m.puts(pres, t, "display_name", "blurb", "tier", "strengths")
	m.put(pres, "tags", t.Get("quality_tags"))
	m.puts(pres, t, "benchmarks", "complementary_with", "avoid_as_reviewer_for")
	if pres.First() != nil {
		out.Append(pres)
	}
}

// metadata is facts of the weights. Family and lineage are kept as they are written;
// where a row names none, none is guessed (L31). The advice on an endpoint is a note
// too (L24).
func (m *migration) metadata(out, t, endpoint *tree.Node) {
	meta := m.make(out, "metadata", t)
	m.puts(meta, t, "architecture", "family", "lineage", "open_weight")
	m.performance(meta, t.Get("performance"), nil)
	m.puts(meta, t, "completion_review")
	m.put(meta, "recommended_endpoint", endpoint)
	if meta.First() != nil {
		out.Append(meta)
	}
}
