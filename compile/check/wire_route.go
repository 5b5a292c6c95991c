package check

import (
	"github.com/opcat/opcat/compile/resolve"
	"github.com/opcat/opcat/compile/tree"
	"github.com/opcat/opcat/diag"
)

// A wireRoute is what a call is sent to.
type wireRoute struct{ provider, wire string }

// A claim is what one row says, and where.
type claim struct {
	row *resolve.Row
	at  *tree.Node
}

// wireRoutes finds two rows that dial one wire id of a provider: one by its name,
// or by a region's, and the other by a region's. Whose price and limits hold for
// the call could not be told.
func (r *row) wireRoutes() {
	for n := r.model[kRegion].First(); n != nil; n = n.Next() {
		w := n.Get("wire_model")
		if w == nil || r.Provider == nil || w.Str() == r.Wire {
			continue
		}
		route := wireRoute{r.Provider.ID, w.Str()}
		other, ok := r.dialled[route]
		switch {
		case ok && other.row != r.Row:
			r.ambiguous(w, other.row, other.at)
		case !ok:
			if r.dialled == nil {
				r.dialled = map[wireRoute]claim{}
			}
			r.dialled[route] = claim{r.Row, w}
			if q := r.lookup(route.provider + "/" + route.wire); q != nil {
				r.ambiguous(w, q, q.Table.Get("wire_model"))
			}
		}
	}
}

func (r *row) ambiguous(at *tree.Node, other *resolve.Row, there *tree.Node) {
	d := diag.Diagnostic{Code: diag.WireRouteAmbiguous, At: at.At(), Message: quote(r.ID) + " and " + quote(other.ID) + " dial one wire id of one provider", Got: at.Str(),
		Help: "one row with both jobs, or one id for each"}
	if there != nil {
		d.Notes = note(there, quote(other.ID)+" dials it")
	}
	r.add(d)
}
