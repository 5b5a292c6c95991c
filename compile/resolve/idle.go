package resolve

import (
	"strconv"
	"strings"

	"github.com/opcat/opcat/compile/layer"
	"github.com/opcat/opcat/compile/tree"
	"github.com/opcat/opcat/diag"
)

// A narrowing is what a pattern of a higher layer says of one field, and what came of
// it. A pattern speaks of many rows: that some have less already is no mistake. One that
// asks for more than every row has does nothing, and its author has to know.
type narrowing struct {
	field string
	says  *tree.Node
	has   *tree.Node // what the first row has instead
	row   *Row
	works bool // it narrows some row, or says what the row has
}

// saidAt is what a pattern says: the same value meets many rows, each time as another
// node.
type saidAt struct {
	at    diag.Pos
	field string
}

// note keeps what narrowing a field of the row by a pattern's value came to.
func (m *merge) note(field string, has, says, got *tree.Node, fits bool) {
	if has == nil || rankOf(says) == 0 {
		return
	}
	r, at := m.r, saidAt{says.KeyAt(), field}
	i, known := r.narrowingAt[at]
	if !known {
		if r.narrowingAt == nil {
			r.narrowingAt = map[saidAt]int{}
		}
		i = len(r.narrowings)
		r.narrowingAt[at] = i
		r.narrowings = append(r.narrowings, narrowing{field: field, says: says, has: has, row: m.row})
	}
	n := &r.narrowings[i]
	n.works = n.works || fits || !tree.Equal(has, got)
}

// idle reports the patterns of higher layers that narrow no row. Where the layer may
// not widen, asking is a right refused; where it may, a pattern is not the way.
func (r *resolver) idle() {
	if r.in.CatalogBroken || r.in.RulesBroken {
		return // the row that it narrows may be in what could not be read
	}
	for _, n := range r.narrowings {
		if n.works {
			continue
		}
		d := diag.Diagnostic{Code: diag.NarrowsNothing, Warning: true, At: n.says.KeyAt(), Got: show(n.says), Row: n.row.ID, Fields: []string{n.field},
			Message: "the pattern narrows " + n.field + " of no row that it covers, and a pattern can do nothing else",
			Notes:   []diag.Note{{At: n.has.KeyAt(), Message: strconv.Quote(n.row.ID) + " has " + show(n.has)}},
			Help:    "remove it, or say it in a rule that names the rows in models; a wider limit needs evidence.source and evidence.checked_on"}
		if !layer.Trusted(n.says) {
			d.Code, d.Warning = diag.LayerRight, false
			if strings.HasPrefix(n.field, "limits.") {
				d.Code = diag.LimitWidened
			}
			d.Message = diag.A(n.says.File.Layer) + " layer may only narrow, and this pattern asks for a wider " + n.field + " than any row that it covers has"
			d.Help = "lower it, or remove it; a host or user layer may widen a row that it names"
		}
		r.add(d)
	}
}
