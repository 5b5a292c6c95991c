package operations

import (
	"sync"
	"time"

	"github.com/opcat/opcat/catalog"
	"github.com/opcat/opcat/operations/op"
	"github.com/opcat/opcat/operations/price"
)

// An Admitted is a request that a route may serve. Only Admit makes one, and only
// an Admitted can be dispatched. It never changes: what the caller does to the
// request afterwards does not reach it.
type Admitted[R op.Request[R]] struct {
	request R
	grant   grant
}

// A grant is what admission says about the request that it admits.
type grant struct {
	token  *token // minted is the only one
	route  *route
	digest string // of the catalog
	chain  chain
	at     time.Time
	match  match
	tier   string // the service tier that is asked for
	life   string // and the cache lifetime; what neither names is ""
	url    string
	origin []string
	model  string
	worst  price.Amount
	bound  bool // worst was asked for
}

// A token marks what Admit made.
type token struct{ _ byte }

var minted = new(token)

// Admit decides whether a route may serve a request. A route is a row's id, the
// operation and the id as in "embedding:openai/text-embedding-3-small", or an
// alias, which stands for a row of the request's operation.
//
// Admit opens no connection and reads no clock and no environment. The error is a
// *Refusal, or an error of the request or the terms themselves.
func Admit[R op.Request[R]](c *catalog.Catalog, route string, request R, t Terms) (a Admitted[R], err error) {
	m := memberFor[R]()
	if m == nil {
		return a, unknownOperation(request.Operation().String())
	}
	a.request = request.Keep()
	n := pooled.Get().(*op.Needs)
	if err = a.request.Needs(n); err == nil {
		err = admit(c, route, m.operation, n, &t, &a.grant)
	}
	if err != nil {
		return Admitted[R]{}, err // n is not used again: the error may hold its texts
	}
	n.Reset()
	pooled.Put(n)
	return a, nil
}

// pooled are needs that are read while a request is judged. Nothing that is granted
// points into one.
var pooled = sync.Pool{New: func() any { return new(op.Needs) }}

// admit judges what a request needs and fills in what is granted.
func admit(c *catalog.Catalog, name string, o *op.Operation, n *op.Needs, t *Terms, g *grant) error {
	if err := t.check(); err != nil {
		return err
	}
	if t.expired(c) {
		return expired(c, name, o, t)
	}
	r, refusal := find(c, name, o, &g.chain)
	if refusal != nil {
		return refusal
	}
	g.route, g.digest, g.at, g.bound = r, c.Digest(), t.at(c), t.MaxUSD.IsKnown()
	var s scene
	s.p, s.n, s.at = r.promise, n, g.at
	admitted := r.judgeRow(&s, t) &&
		r.judgeOrigins(&s) &&
		r.promise.judge(&s, t) &&
		r.judgeLimits(&s, t) &&
		r.dial(&s, t, g) &&
		r.judgePrice(&s, t, &g.worst)
	if !admitted {
		return r.refuse(name, s.why)
	}
	g.match = s.match
	g.tier, g.life = n.At(r.tier).String(), n.At(r.lifetime).String()
	g.token = minted
	return nil
}

// fill joins what admission computed to the needs: a cap on the output that has to
// be sent.
func (g *grant) fill(n *op.Needs) {
	if g.match.send {
		n.Cap(g.route.cap, g.match.outputMost.Or(0))
	}
}

// dial finds where the request goes.
func (r *route) dial(s *scene, t *Terms, g *grant) bool {
	w := &r.wires[s.wire]
	if s.region == "" && w.address.endpoint.Variable != nil {
		s.region = w.address.region(t)
	}
	g.model = r.wireModel(s.region)
	if s.region == "" && r.ready[s.wire] != "" {
		g.url, g.origin = r.ready[s.wire], w.address.origins
		return true
	}
	f, code, c := w.address.fill(g.model, s.region, t)
	g.url, g.origin = f.url, f.origins
	return code == "" || s.refuse(code, c)
}
