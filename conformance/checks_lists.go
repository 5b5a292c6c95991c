package conformance

import (
	"math/big"
	"slices"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/opcat/opcat/internal/pattern"
)

// lists are the bounded commands that were seen to work.
func (t *trial) lists() []*Command {
	return slices.DeleteFunc(t.working(1000), func(c *Command) bool { return c.Bounded == nil })
}

// page asks for a page of a list.
func (t *trial) page(c *Command, limit int, cursor string) call {
	l, _ := t.works(c)
	l = l.with("--limit", strconv.Itoa(limit))
	if cursor != "" {
		l = l.with("--cursor", cursor)
	}
	return t.call(c, l)
}

func limits(t *trial) {
	type asked struct {
		c     *Command
		limit int
	}
	var calls []call
	var of []asked
	for _, c := range t.lists() {
		for _, n := range []int{0, 1, 2, c.Bounded.Max + 1} {
			calls, of = append(calls, t.page(c, n, "")), append(of, asked{c, n})
		}
		if l, _ := t.works(c); !l.has("--limit") {
			a := t.lines()[c.Name].tried
			t.looked++
			p := a.envelope().Meta.Pagination
			switch items, ok := a.envelope().items(); {
			case p == nil || !ok:
				t.fail(a, "a list without items or meta.pagination")
			case p.Limit != c.Bounded.Default || p.Returned > c.Bounded.Default:
				t.fail(a, "without --limit the limit is %d and %d are returned; describe says %d", p.Limit, p.Returned, c.Bounded.Default)
			case len(items) != p.Returned:
				t.fail(a, "%d items, and returned says %d", len(items), p.Returned)
			}
		}
	}
	for i, a := range t.ask(calls...) {
		if !t.saw(a) {
			continue
		}
		p := a.envelope().Meta.Pagination
		items, _ := a.envelope().items()
		limit := of[i].limit
		most := min(max(limit, 1), of[i].c.Bounded.Max)
		switch refused := a.exit == 2; {
		case limit == 0 && !refused && (p == nil || p.Limit < 1):
			t.fail(a, "--limit 0 is neither refused nor bounded")
		case (limit == 0 || limit > of[i].c.Bounded.Max) && refused:
		case limit == 0 && len(items) <= of[i].c.Bounded.Max:
		case p == nil:
			t.fail(a, "exit %d and no pagination", a.exit)
		case p.Returned > most || len(items) > most:
			t.fail(a, "%d items, at most %d asked for", len(items), most)
		}
	}
}

func truncation(t *trial) {
	var calls []call
	for _, c := range t.lists() {
		calls = append(calls, t.page(c, 1, ""))
	}
	for _, a := range t.ask(calls...) {
		p := a.envelope().Meta.Pagination
		if !t.saw(a) || p == nil || p.Total != nil && *p.Total <= 1 || p.NextCursor == nil && p.Total == nil {
			continue
		}
		m, c := a.envelope().Meta, t.desc.command(a.command)
		if m.Truncated == nil || !*m.Truncated {
			t.fail(a, "1 of more is shown, and truncated is not true")
			continue
		}
		named := flagName().FindAllString(m.Hint, -1)
		known := func(name string) bool { return universalTypes[name] != "" || c.flag(name) != nil }
		if len(named) == 0 || !slices.ContainsFunc(named, known) {
			t.fail(a, "the hint %q names no flag that exists", oneLine(m.Hint, 100))
		}
	}
}

// maxPages bounds a walk; a list that does not end in so many pages is too long for
// its limit.
const maxPages = 40

func cursorWalk(t *trial) {
	for _, c := range t.lists() {
		first := t.ask(t.page(c, 1, ""))[0]
		p := first.envelope().Meta.Pagination
		if !t.saw(first) || p == nil {
			continue
		}
		total := 3
		if p.Total != nil {
			total = *p.Total
		}
		// Item by item where there are few; else in some eight pages, with the first
		// items one by one before.
		limit := min(max(1, (total+7)/8), c.Bounded.Max)
		if total <= 8 {
			limit = 1
		}
		all, last, ok := t.walk(c, limit, maxPages)
		if !ok {
			continue
		}
		if last != nil && p.Total != nil && total <= limit*maxPages {
			t.fail(last, "it does not end after %d pages of %d", maxPages, limit)
			continue
		}
		if last == nil && p.Total != nil && len(all) != total {
			t.fail(first, "the walk gives %d items, total says %d", len(all), total)
		}
		seen := map[string]bool{}
		for _, item := range all {
			if seen[string(item)] {
				t.fail(first, "the walk gives an item twice: %s", oneLine(string(item), 100))
				break
			}
			seen[string(item)] = true
		}
		if steps, _, ok := t.walk(c, 1, 4); ok && !prefix(steps, all) {
			t.fail(first, "--limit 1 gives other items, or another order, than --limit %d", limit)
		}
	}
}

// prefix reports whether one list begins the other.
func prefix(short, long []jsontext.Value) bool {
	for i, v := range short {
		if i >= len(long) || !sameJSON(v, long[i]) {
			return false
		}
	}
	return true
}

// walk follows the cursor; last is the page it stopped at before the end.
func (t *trial) walk(c *Command, limit, pages int) (items []jsontext.Value, last *answer, ok bool) {
	cursor := ""
	for range pages {
		a := t.ask(t.page(c, limit, cursor))[0]
		if !t.saw(a) {
			return nil, nil, false
		}
		page, has := a.envelope().items()
		p := a.envelope().Meta.Pagination
		if !has || p == nil {
			t.fail(a, "exit %d and no page", a.exit)
			return nil, nil, false
		}
		items = append(items, page...)
		if p.NextCursor == nil {
			return items, nil, true
		}
		if *p.NextCursor == "" || *p.NextCursor == cursor {
			t.fail(a, "next_cursor is empty or does not go on")
			return nil, nil, false
		}
		cursor, last = *p.NextCursor, a
	}
	return items, last, true
}

func badCursors(t *trial) {
	type made struct{ command, cursor string }
	var real []made
	var calls []call
	for _, c := range t.lists() {
		calls = append(calls, t.page(c, 1, ""))
	}
	for _, a := range t.ask(calls...) {
		if p := a.envelope().Meta.Pagination; t.saw(a) && p != nil && p.NextCursor != nil {
			real = append(real, made{a.command, *p.NextCursor})
		}
	}
	calls = nil
	for _, c := range t.lists() {
		cursors := []string{"x"}
		for _, r := range real {
			if r.command == c.Name && len(r.cursor) > 4 {
				cursors = append(cursors, r.cursor[:len(r.cursor)-4])
			}
		}
		for _, r := range real {
			if r.command != c.Name {
				cursors = append(cursors, r.cursor)
				break
			}
		}
		for _, cursor := range cursors {
			one := t.page(c, 1, cursor)
			one.usage = true
			calls = append(calls, one)
		}
	}
	for _, a := range t.ask(calls...) {
		if t.saw(a) && a.code() != "INVALID_CURSOR" {
			t.fail(a, "exit %d with the code %q, want INVALID_CURSOR", a.exit, a.code())
		}
	}
}

// plainNumber is a JSON number small enough to be compared by its value.
var plainNumber = pattern.Lazy(`^[0-9]{1,20}(\.[0-9]{1,30})?([eE][+-]?[0-9]{1,2})?$`)

// sameNumber compares two JSON numbers by their value.
func sameNumber(a, b string) bool {
	if !plainNumber().MatchString(a) || !plainNumber().MatchString(b) {
		return a == b
	}
	x, okX := new(big.Rat).SetString(a)
	y, okY := new(big.Rat).SetString(b)
	return okX && okY && x.Cmp(y) == 0
}
