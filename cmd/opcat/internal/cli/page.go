package cli

import (
	"fmt"
	"iter"
)

// pageBudget bounds the items of a page at the default limit, in bytes of JSON.
// With the frame around them the envelope stays under 256 KiB.
const pageBudget = 240 << 10

// Pagination is what the envelope says of a page.
type Pagination struct {
	Limit      int     `json:"limit"`
	Returned   int     `json:"returned"`
	Total      *int    `json:"total"`       // null when it was not counted
	NextCursor *string `json:"next_cursor"` // null on the last page
}

// Paginate cuts from a list the page that --limit and --cursor ask for, and fills
// in the pagination of the envelope. The list must be whole, in its total order,
// and key must tell its items apart. snapshot is a digest of what the items were
// read from: a cursor made against another one is STALE_CURSOR. show makes an item
// what is printed of it; only the items of the page are shown.
//
// At the default limit a page also ends where its items would no longer fit the
// bound of an envelope; an item alone is never left out.
func Paginate[T, U any](inv *Invocation, list iter.Seq[T], key func(T) string, snapshot string, show func(T) U) ([]U, error) {
	filter := inv.filter()
	after := ""
	if inv.Cursor != "" {
		c, err := decodeCursor(inv.Cursor, inv.Command.Path, filter)
		if err != nil {
			return nil, err
		}
		if c.Snapshot != snapshot {
			return nil, stale(inv)
		}
		after = c.Key
	}

	def, _ := inv.Command.limits()
	page, last := []U{}, ""
	total, budget := 0, pageBudget
	reached, full := inv.Cursor == "", false
	twice := repeats(list, key)
	for item := range list {
		total++
		k := key(item)
		if twice(k) {
			return nil, fmt.Errorf("the list of %s has the key %q twice", inv.Command.Path, k)
		}
		switch {
		case !reached:
			reached = k == after
			continue
		case full || len(page) == inv.Limit:
			full = true
			continue
		}
		shown := show(item)
		if inv.Limit <= def {
			size, err := listSize(shown)
			if err != nil {
				return nil, err
			}
			if budget -= size; budget < 0 && len(page) > 0 {
				full = true
				continue
			}
		}
		page, last = append(page, shown), k
	}
	if !reached {
		return nil, stale(inv) // the item it stood at is gone
	}
	p := Pagination{Limit: inv.Limit, Returned: len(page), Total: &total}
	if full {
		next := cursor{Command: inv.Command.Path, Filter: filter, Snapshot: snapshot, Key: last}.String()
		p.NextCursor = &next
		inv.Truncated(fmt.Sprintf("%d of %d shown: go on with --cursor, or raise --limit", len(page), total))
	}
	inv.report.paginate(p)
	return page, nil
}

// repeats gives a function that is told each key of a list in turn and says whether
// it was told that one before. While keys ascend it keeps only the last: most lists
// are in the order of their keys, and some have thousands.
func repeats[T any](list iter.Seq[T], key func(T) string) func(string) bool {
	var seen map[string]bool
	last, told := "", 0
	return func(k string) bool {
		if seen == nil && (told == 0 || k > last) {
			last, told = k, told+1
			return false
		}
		if seen == nil {
			seen = map[string]bool{}
			for item := range list {
				if len(seen) == told {
					break
				}
				seen[key(item)] = true
			}
		}
		before := seen[k]
		seen[k] = true
		return before
	}
}

// itself shows an item as it is.
func itself[T any](item T) T { return item }

func stale(inv *Invocation) *Error {
	return Fail(StaleCursor, "--cursor was made before the list changed; start again without it").
		atFlag("--cursor", inv.Cursor).Saying(inv.app.Tool + " " + inv.Command.Path)
}

// listSize is how many bytes an item takes in the envelope, its strings cut.
func listSize(item any) (int, error) {
	text, err := marshal(item)
	if err != nil {
		return 0, err
	}
	if len(text) <= maxListString {
		return len(text) + 1, nil // nothing in it can be long enough to be cut
	}
	v, err := parse(text)
	if err != nil {
		return 0, err
	}
	v = walk(v, func(s any) any { s, _ = cutString(s); return s })
	text, err = marshal(v)
	return len(text) + 1, err
}

// ItemList is the data of a list command.
type ItemList[T any] struct {
	Items []T `json:"items"`
}

// Items makes a page the data of a list command.
func Items[T any](page []T) ItemList[T] { return ItemList[T]{page} }
