package picker

import (
	"strings"

	"github.com/opcat/opcat/catalog"
	"github.com/opcat/opcat/internal/hugepage"
	"github.com/opcat/opcat/operations"
	"github.com/opcat/opcat/shape"
)

// A shelf is what there is to say of one provider's rows: what follows from their text
// alone. Numbers are of the shelf's own lists, and become those of the document's when shelves
// are put together.
type shelf struct {
	text       []byte // of the rows, one behind the other
	rows       []row
	prices     pool
	operations []routes // in the registry's order
}

// A desk is the room that texts are written in, and where those are kept that are done.
type desk struct {
	text []byte
	kept hugepage.Slab[byte]
}

// A row is its part of the text, which leaves out the number of its price list.
type row struct {
	served            bool
	start, price, end int // price is where the number goes
	list              int // -1: no price is known
}

type routes struct {
	routes                      []route
	contracts, settings, proofs pool
}

type route struct{ row, contract, settings, proof int }

func (l *layout) shelf(c *catalog.Catalog, provider string, room *desk) *shelf {
	s := &shelf{text: room.text[:0], operations: make([]routes, len(operations.Names()))}
	known := make([]map[string]route, len(s.operations)) // contracts by their text: rows share most
	for r := range c.RefsOf(provider) {
		row := row{start: len(s.text), list: -1}
		s.text = l.object(s.text, r.JSON(), l.row, func(dst []byte, name, value string) []byte {
			if name != "price" {
				return nil
			}
			row.price, row.list = len(dst), s.prices.number(value)
			return dst
		})
		if row.end = len(s.text); row.list < 0 {
			row.price = row.end
		}
		for i, name := range operations.Names() {
			contract := r.ContractJSON(name)
			if contract == "" {
				continue
			}
			row.served = true
			found, seen := known[i][contract]
			if !seen {
				found = l.route(&s.operations[i], name, contract)
				if known[i] == nil {
					known[i] = map[string]route{}
				}
				known[i][contract] = found
			}
			found.row = len(s.rows)
			s.operations[i].routes = append(s.operations[i].routes, found)
		}
		s.rows = append(s.rows, row)
	}
	room.text, s.text = s.text, room.kept.Clone(s.text)
	return s
}

// route takes a contract apart.
func (l *layout) route(of *routes, operation, contract string) route {
	settings, proof := "{}", "{}"
	b := l.object(nil, contract, l.contracts[operation], func(_ []byte, name, value string) []byte {
		switch name {
		case "settings":
			settings = value
		case "evidence":
			proof = value
		}
		return nil
	})
	return route{contract: of.contracts.number(string(b)), settings: of.settings.number(settings), proof: of.proofs.number(string(l.table(nil, proof, l.evidence)))}
}

// table appends an object of the catalog with the members that a table has.
func (l *layout) table(dst []byte, text string, t *shape.Table) []byte {
	return l.object(dst, text, t, func([]byte, string, string) []byte { return nil })
}

// object appends an object with the members that a table has. For each member of the
// text that is seen, own may write another value in place of the catalog's.
func (l *layout) object(dst []byte, text string, t *shape.Table, own func(dst []byte, name, value string) []byte) []byte {
	dst = append(dst, '{')
	start := len(dst)
	members(text, func(name, value string) {
		k := t.Key(name)
		if k == nil {
			own(nil, name, value)
			return
		}
		if len(dst) > start {
			dst = append(dst, ',')
		}
		dst = append(append(append(dst, '"'), name...), `":`...)
		if b := own(dst, name, value); b != nil {
			dst = b
			return
		}
		dst = l.value(dst, value, k.Type)
	})
	return append(dst, '}')
}

// value appends a value, cut to what its type has.
func (l *layout) value(dst []byte, text string, t *shape.Type) []byte {
	switch {
	case t.Kind == shape.Record && l.cut[t.Table]:
		return l.table(dst, text, t.Table)
	case t.Kind == shape.List && t.Elem.Kind == shape.Record && l.cut[t.Elem.Table]:
		dst = append(dst, '[')
		start := len(dst)
		items(text, func(item string) {
			if len(dst) > start {
				dst = append(dst, ',')
			}
			dst = l.table(dst, item, t.Elem.Table)
		})
		return append(dst, ']')
	}
	return append(dst, text...)
}

// A pool is a list of different values.
type pool struct {
	at     map[string]int
	values []string
}

// number is the place of a value in the list, from 0.
func (p *pool) number(value string) int {
	if n, ok := p.at[value]; ok {
		return n
	}
	return p.add(strings.Clone(value)) // what it is a part of need not stay
}

// add puts a new value at the end of the list.
func (p *pool) add(value string) int {
	if p.at == nil {
		p.at = map[string]int{}
	}
	n := len(p.values)
	p.at[value] = n
	p.values = append(p.values, value)
	return n
}

// numbers are the places of another list's values.
func (p *pool) numbers(of *pool) []int {
	numbers := make([]int, len(of.values))
	for i, value := range of.values {
		n, ok := p.at[value]
		if !ok {
			n = p.add(value)
		}
		numbers[i] = n
	}
	return numbers
}
