package layer

import (
	"strings"

	"github.com/opcat/opcat/compile/tree"
	"github.com/opcat/opcat/diag"
)

// How strict a data-control promise is; what is not stated counts as unspecified.
var (
	retention = map[string]int{"retained": -1, "abuse_monitoring_only": 1, "not_retained": 2}
	training  = map[string]int{"trains": -1, "does_not_train": 1}
	scope     = map[string]int{"account": 1, "per_request": 2}
)

// dataControls judges the data_controls of a provider or row: a looser claim may
// come from anywhere, a stricter one only from the bundled or host layer, with a
// source. A request control is one too: it also rides on every request.
func (m *merger) dataControls(below, table *tree.Node, row string, from trust) {
	above := table.Get("data_controls")
	if from == host && above.Get("sources").First() != nil {
		return
	}
	claim := func(c *tree.Node, what string) {
		m.refuse(diag.OverlayClaimUnsourced, c.At(), c, below.Get(c.Key.Name), what,
			"state it in a bundled or host layer, with sources and checked_on beside it")
		d := &m.diags[len(m.diags)-1]
		d.Got, d.Row = short(c), row
	}
	for c := range above.Each() {
		was := below.Get(c.Key.Name)
		switch c.Key.Name {
		case "retention_default", "training_default", "control_scope":
			order := map[string]map[string]int{"retention_default": retention, "training_default": training, "control_scope": scope}[c.Key.Name]
			if order[c.Str()] > order[was.Str()] {
				claim(c, "the layer claims "+c.Key.Name+" "+quote(c.Str())+", stricter than below: "+orUnspecified(was))
			}
		case "no_training_requires":
			for item := range was.Each() {
				if !c.Has(item.Str()) {
					claim(c, "the layer drops a condition of no training: "+item.Str())
					break
				}
			}
			if was == nil {
				claim(c, "the layer claims that nothing is used for training under conditions that no lower layer states")
			}
		case "request_controls":
			for item := range c.Each() {
				if !holds(was, item) {
					claim(c, "the layer adds a request control that no lower layer states")
					break
				}
			}
		case "unset":
			if isOverlayKey(c) {
				for item := range c.Each() {
					m.unsetControl(below, item, "data_controls."+item.Str(), row, from)
				}
			}
		}
	}
	for item := range unsetOf(table).Each() {
		if first(item.Str()) == "data_controls" {
			m.unsetControl(below, item, item.Str(), row, from)
		}
	}
}

// unsetControl judges the clearing of a data-control value. What stands behind a
// loose one may be stricter, the provider's behind a row's, so taking it away is a
// claim as well.
func (m *merger) unsetControl(below, item *tree.Node, path, row string, from trust) {
	if from == host {
		return
	}
	names := []string{"retention_default", "training_default", "no_training_requires"}
	if _, name, deeper := strings.Cut(path, "."); deeper {
		names = []string{name}
	}
	for _, name := range names {
		was := below.Get(name)
		if was == nil || was.Str() == "not_retained" || was.Str() == "does_not_train" {
			continue
		}
		if name == "retention_default" || name == "training_default" || name == "no_training_requires" {
			m.refuse(diag.OverlayClaimUnsourced, item.At(), item, was, "the layer takes away "+name+", and what stands behind it may be stricter", "state the looser value instead")
			m.diags[len(m.diags)-1].Row = row
			return
		}
	}
}

func orUnspecified(n *tree.Node) string {
	if n == nil {
		return "not stated"
	}
	return short(n)
}

// holds reports whether a list has an item that is the same fact.
func holds(list, item *tree.Node) bool {
	for c := range list.Each() {
		if tree.Equal(c, item) {
			return true
		}
	}
	return false
}
