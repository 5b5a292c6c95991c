package catalog

import (
	"cmp"
	"slices"
)

// Most of a catalog that is compiled again after an edit stands in the one before.
// What an indexer knows of a provider there can be taken over with its text.

// TakeProvider appends a provider as it stands in the text of another index, and
// records it.
func (x *Indexer) TakeProvider(b []byte, id, text string, from *Indexer) ([]byte, error) {
	i, known := from.ids[id]
	if !known {
		return b, errUnknownProvider(id)
	}
	p := from.providers[i]
	return append(b, text[p.off:p.off+p.length]...), x.Provider(id, len(b), p.length)
}

// TakeRows appends the rows of a provider as they stand in the text of another
// index, one or more, and records them. It gives their number.
func (x *Indexer) TakeRows(b []byte, provider, text string, from *Indexer) ([]byte, int, error) {
	i, known := from.ids[provider]
	into, here := x.ids[provider]
	if !known || !here {
		return b, 0, errUnknownProvider(provider)
	}
	first, end := from.providers[i].first, from.providers[i].first+from.providers[i].rows
	rows := from.rows[first:end]
	if len(rows) == 0 {
		return b, 0, nil
	}
	if n := len(x.rows); n > 0 && x.rows[n-1].id >= rows[0].id {
		return b, 0, errRowOrder(rows[0].id)
	}
	start, last := rows[0].off, rows[len(rows)-1]
	further, later := len(b)-start, len(x.rows)-first // by so many bytes and rows
	x.providers[into].first, x.providers[into].rows = len(x.rows), len(rows)
	for _, r := range rows {
		r.off += further
		r.provider = into
		x.rows = append(x.rows, r)
		x.idBytes += len(r.id)
	}
	byRow := func(r routeFacts, row int) int { return cmp.Compare(r.row, row) }
	for o, routes := range from.routes {
		lo, _ := slices.BinarySearchFunc(routes, first, byRow)
		hi, _ := slices.BinarySearchFunc(routes, end, byRow)
		for _, r := range routes[lo:hi] {
			r.row += later
			x.addRoute(o, r)
		}
	}
	return append(b, text[start:last.off+last.length]...), len(rows), nil
}
