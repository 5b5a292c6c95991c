package operations

import (
	"fmt"
	"slices"

	"github.com/opcat/opcat/catalog"
)

// Every name by which a caller comes to a route goes through the same judgement as
// Select: aliases, defaults, ladders, pickers, pinned and recommended lists,
// fallbacks and probes. What would cross operations is refused, and nothing is put
// in place of what is refused.

// A Pick is a route that a name led to, or why it serves the query not.
type Pick struct {
	Asked   string      // the name as it was given
	Row     catalog.Ref // the row, where Refusal is nil
	Refusal *Refusal
}

// PickOne finds the route that a name stands for, a row's id or an alias, if it
// serves the query.
func PickOne(c *catalog.Catalog, name string, q Query) (Pick, error) {
	picks, err := PickAmong(c, []string{name}, q)
	if err != nil {
		return Pick{}, err
	}
	return picks[0], nil
}

// PickAmong judges a caller's own list in its order: pinned or recommended routes, or
// the fallbacks that a policy names. It never adds to the list: that two rows are
// said to be equivalent, or follow each other, permits no fallback.
func PickAmong(c *catalog.Catalog, names []string, q Query) ([]Pick, error) {
	if err := q.Check(); err != nil {
		return nil, err
	}
	o := Lookup(q.Operation)
	j := newJudging(c, o, &q)
	defer j.release()
	picks := make([]Pick, len(names))
	for i, name := range names {
		p := &picks[i]
		p.Asked = name
		r, refusal := find(c, name, o, new(chain))
		if refusal == nil {
			refusal = j.reject(name, r)
		}
		if p.Refusal = refusal; refusal == nil {
			p.Row, _ = c.Find(r.row.ID)
		}
	}
	return picks, nil
}

// AnyProvider is the provider of a default that serves who names none.
const AnyProvider = "any"

// PickDefault finds the default of an operation for a purpose (runtime, portal or qc)
// at a provider, AnyProvider where none is named. A default that does not serve the
// query is refused, and no other takes its place.
func PickDefault(c *catalog.Catalog, purpose, provider string, q Query) (Pick, error) {
	if err := q.Check(); err != nil {
		return Pick{}, err
	}
	of := c.Defaults().ByOperation[q.Operation]
	rows, known := map[string]map[string]string{"runtime": of.Runtime, "portal": of.Portal, "qc": of.Qc}[purpose]
	if !known {
		return Pick{}, notOneOf("purpose", purpose, []string{"runtime", "portal", "qc"})
	}
	name := fmt.Sprintf("default.%s.%s.%s", q.Operation, purpose, provider)
	row, ok := rows[provider]
	if !ok {
		return Pick{Asked: name, Refusal: &Refusal{Code: UnknownRoute, Route: name, Operation: q.Operation, Field: "default", Got: provider,
			Allowed: sortedKeys(rows), Message: "the catalog has no such default"}}, nil
	}
	p, err := PickOne(c, row, q)
	p.Asked = name
	return p, err
}

// PickLadder judges the steps of a ladder in their order. A ladder of another
// operation is refused as a whole.
func PickLadder(c *catalog.Catalog, ladder string, q Query) ([]Pick, *Refusal, error) {
	if err := q.Check(); err != nil {
		return nil, nil, err
	}
	all := c.Ladders()
	l, ok := all[ladder]
	switch {
	case !ok:
		return nil, &Refusal{Code: UnknownRoute, Route: ladder, Operation: q.Operation, Field: "ladder", Got: ladder, Allowed: sortedKeys(all),
			Message: "the catalog has no such ladder"}, nil
	case l.Operation != q.Operation:
		return nil, &Refusal{Code: OperationUnsupported, Route: ladder, Operation: q.Operation, Field: "ladder", Got: q.Operation, Allowed: []string{l.Operation},
			Message: "the ladder is for " + l.Operation}, nil
	}
	names := make([]string, len(l.Steps))
	for i, s := range l.Steps {
		names[i] = s.Row
	}
	picks, err := PickAmong(c, names, q)
	return picks, nil, err
}

// PickPicker judges what a picker may offer for an operation: the row or alias behind
// each of its variants. A variant of another operation is not offered at all; one
// that chooses by itself when it is used is offered only for its own operation, and
// has no route before that.
func PickPicker(c *catalog.Catalog, q Query) (map[string]Pick, error) {
	if err := q.Check(); err != nil {
		return nil, err
	}
	picks := map[string]Pick{}
	for id, v := range c.Presentation().Variant {
		s := v.Selector
		if s == nil || s.Operation != "" && s.Operation != q.Operation {
			continue
		}
		name := s.Row
		if name == "" {
			name = s.Alias
		}
		if name == "" {
			continue
		}
		p, err := PickOne(c, name, q)
		if err != nil {
			return nil, err
		}
		if s.Operation == "" && p.Refusal != nil && p.Refusal.Code == OperationUnsupported {
			continue
		}
		picks[id] = p
	}
	return picks, nil
}

// PickProbe finds the route that a health probe of a row may use. Without an
// operation the row must have one alone: a probe never falls back to a chat.
func PickProbe(c *catalog.Catalog, row, operation string) (Pick, error) {
	if operation == "" {
		ref, ok := c.Find(row)
		if !ok {
			_, refusal := find(c, row, registry[0], new(chain))
			refusal.Operation = ""
			return Pick{Asked: row, Refusal: refusal}, nil
		}
		serves := ref.Operations()
		if len(serves) != 1 {
			return Pick{Asked: row, Refusal: &Refusal{Code: UnknownOperation, Route: row, Field: "operation", Allowed: serves,
				Message: fmt.Sprintf("the row has %d operations, and a probe names the one it is for", len(serves))}}, nil
		}
		operation = serves[0]
	}
	return PickOne(c, row, Query{Operation: operation})
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
