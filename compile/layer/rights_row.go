package layer

import (
	"strings"

	"github.com/opcat/opcat/compile/tree"
	"github.com/opcat/opcat/diag"
)

// anyLayersRow lists what every layer may change of a row that lower layers state.
// All else says what is dialled, whose facts a row takes over, or where a call may
// fail over to.
var anyLayersRow = map[string]bool{
	"provider": true, "wire_model": true, // its id
	"name": true, "released": true, "presentation": true, "metadata": true, "source": true, "disagreement": true, "listed_as": true,
	"quota": true, "lifecycle": true, "stream_timeout": true,
	"limits": true, "price": true, "data_controls": true, "change_operations": true, // each with rights of its own
	"add": true, "unset": true,
}

// rowRights judges what a layer above the weakest says of a row; below is nil
// where it brings the row.
func (m *merger) rowRights(r *Row, below, above *tree.Node, rank int) {
	from := trustOf(above)
	if from == bundled {
		return
	}
	m.dataControls(below.Get("data_controls"), above, r.ID, from)
	if below == nil {
		r.Untrusted = from == untrusted && m.paidFor(r.ID, rank)
		return
	}
	if from == untrusted {
		m.othersRow(below, above)
	}
	m.limits(below.Get("limits"), above, from)
}

// paidFor reports whether a row of this layer rides on a provider of a lower one:
// only there can it spend somebody's money.
func (m *merger) paidFor(id string, rank int) bool {
	provider, _, _ := strings.Cut(id, "/")
	pieces := about(m.providers, provider)
	return len(pieces) == 0 || pieces[0].rank < rank
}

// othersRow judges what an untrusted layer says of a row that it did not bring.
func (m *merger) othersRow(below, above *tree.Node) {
	for c := range above.Each() {
		name := c.Key.Name
		switch {
		case name == "change_operations":
			m.refuse(diag.OperationChangedByOverlay, c.KeyAt(), c, below, "a "+layerName(c)+" layer may not change what a row does", "move the change to the user layer")
		case name == "unset":
			for item := range c.Each() {
				m.othersUnset(below, item)
			}
		case name == "price" && below.Get("price") == nil:
			// nothing to compare with: every entry is marked when the tables merge
		case !anyLayersRow[name]:
			m.refuse(diag.LayerRight, c.KeyAt(), c, or(below.Get(name), below), "a "+layerName(c)+" layer may not change "+name+" of a row of a lower layer", "move it to the user layer")
		}
	}
}

func (m *merger) othersUnset(below, item *tree.Node) {
	switch head := first(item.Str()); {
	case head == "limits":
		m.refuse(diag.LimitWidened, item.At(), item, or(below.Get(head), below), "a "+layerName(item)+" layer may not take a limit away", "move it to the user layer")
	case head == "price":
		m.refuse(diag.LayerRight, item.At(), item, or(below.Get(head), below), "a "+layerName(item)+" layer may not take a price away: a lower one could stand in its place",
			"state the price as dynamic = true, or move it to the user layer")
	case head == "equivalence_group": // leaving a failover class only narrows
	case !anyLayersRow[head]:
		m.refuse(diag.LayerRight, item.At(), item, or(below.Get(head), below), "a "+layerName(item)+" layer may not unset "+item.Str()+" of a row of a lower layer", "move it to the user layer")
	}
}

// limits: narrower from any layer; wider from host and user, with a source.
func (m *merger) limits(below, row *tree.Node, from trust) {
	above := row.Get("limits")
	sourced := above.Get("source") != nil || row.Get("source").First() != nil
	for c := range above.Each() {
		if c.Key.Name == "unset" && isOverlayKey(c) && from == untrusted {
			m.refuse(diag.LimitWidened, c.KeyAt(), c, below, "a "+layerName(c)+" layer may not take a limit away", "move it to the user layer")
			continue
		}
		was := below.Get(c.Key.Name)
		if was == nil || !isCount(c) || c.Int() <= was.Int() || from != untrusted && sourced {
			continue
		}
		help := "state limits.source and limits.checked_on beside it"
		if from == untrusted {
			help = "move it to the user layer, with a source"
		}
		m.refuse(diag.LimitWidened, c.At(), c, was, "a "+layerName(c)+" layer widens "+c.Key.Name+" from "+was.Str()+" to "+c.Str(), help)
		m.diags[len(m.diags)-1].Got = c.Str()
	}
}

// distrustAll marks every price of a row that an untrusted layer brought to
// somebody else's provider.
func (m *merger) distrustAll(r *Row) {
	list := r.Table.Get("price")
	if list == nil {
		return
	}
	out := m.arena.Shallow(list)
	for e := range list.Each() {
		if usd(e) == nil || e.Get(Untrusted.Name) != nil {
			out.Append(m.arena.Share(e))
			continue
		}
		out.Append(m.distrust(e, nil))
	}
	r.Table = m.arena.Open(r.Table)
	r.Table.Set(out)
}
