package cli

import (
	"encoding/base64"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// Walking the cursor to the end gives each item once, in order.
func TestCursorWalk(t *testing.T) {
	s := newShop(things(25)...)
	for _, limit := range []int{1, 2, 7, 24, 25, 26} {
		var got []thing
		argv := []string{"thing", "list", "--json", "--limit", fmt.Sprint(limit)}
		for next := ""; ; {
			walk := argv
			if next != "" {
				walk = append(slices.Clone(argv), "--cursor", next)
			}
			r := s.run(t, walk...)
			p := r.env.Meta.Pagination
			if !r.env.OK || p.Returned != len(r.env.Data.Items) || p.Returned > limit || *p.Total != 25 || len(got) > 25 {
				t.Fatalf("limit %d: %s", limit, r.out)
			}
			got = append(got, r.env.Data.Items...)
			last := p.NextCursor == nil
			if *r.env.Meta.Truncated == last || strings.Contains(r.env.Meta.TruncationHint, "--limit") == last {
				t.Fatalf("limit %d: %s", limit, r.out)
			}
			if last {
				break
			}
			next = *p.NextCursor
		}
		if !slices.Equal(got, s.things) {
			t.Errorf("limit %d: got %v", limit, got)
		}
	}
}

func TestDefaultLimitIsTheCommands(t *testing.T) {
	if r := newShop(things(25)...).run(t, "thing", "list", "--json"); len(r.env.Data.Items) != 10 {
		t.Errorf("got %d items", len(r.env.Data.Items))
	}
	if r := newShop().run(t, "thing", "list", "--json"); !strings.Contains(r.out, `"data":{"items":[]}`) {
		t.Errorf("got %s", r.out)
	}
}

func TestCursorOfAnotherList(t *testing.T) {
	s := newShop(things(9)...)
	next := *s.run(t, "thing", "list", "--json", "--limit", "2").env.Meta.Pagination.NextCursor

	// It goes on with another page size, but not with another filter.
	if r := s.run(t, "--cursor", next, "thing", "list", "--json", "--limit", "1"); r.env.Data.Items[0].ID != "t002" {
		t.Errorf("got %s", r.out)
	}
	s.fails(t, InvalidCursor, "thing", "list", "--kind", "cup", "--cursor", next)

	// Damaged, cut or invented.
	for _, bad := range []string{next[:len(next)-1], next + "A", next + "=", "x", "e30", strings.Repeat("A", 500),
		base64.RawURLEncoding.EncodeToString([]byte(`{"v":1,"command":"thing list"}`)),
		cursor{Command: "thing get", Key: "t001"}.String(), flip(next, len(next)/2), flip(next, 3)} {
		if r := s.fails(t, InvalidCursor, "thing", "list", "--cursor", bad); r.exit != 2 {
			t.Errorf("exit %d", r.exit)
		}
	}

	// Made before the list changed.
	s.snapshot = "two"
	if r := s.fails(t, StaleCursor, "thing", "list", "--cursor", next); r.exit != 3 {
		t.Errorf("exit %d", r.exit)
	}
	s.snapshot, s.things = "one", s.things[5:]
	s.fails(t, StaleCursor, "thing", "list", "--cursor", next)
}

func flip(s string, at int) string {
	c := byte('A')
	if s[at] == c {
		c = 'B'
	}
	return s[:at] + string(c) + s[at+1:]
}

// Long strings of a list are cut with a marker; the object itself is whole.
func TestListStringsAreCut(t *testing.T) {
	long := strings.Repeat("é", 3000)
	s := newShop(thing{ID: "a", Kind: "cup", Note: long}, thing{ID: "b", Kind: "cup", Note: "short"})
	r := s.run(t, "thing", "list", "--json")
	note := r.env.Data.Items[0].Note
	if len(note) > 1024 || !strings.HasPrefix(note, "éé") || !strings.HasSuffix(note, " bytes cut]") || !*r.env.Meta.Truncated {
		t.Errorf("got %s", r.out)
	}
	if !strings.Contains(r.env.Meta.TruncationHint, "--fields") {
		t.Errorf("hint %q", r.env.Meta.TruncationHint)
	}
	if r := s.run(t, "thing", "get", "a", "--json"); !strings.Contains(r.out, long) {
		t.Error("get does not give the whole string")
	}
}

// At the default limit an envelope stays under 256 KiB, and the walk still gives all.
func TestEnvelopeBudget(t *testing.T) {
	var big []thing
	for i := range 300 {
		big = append(big, thing{ID: fmt.Sprintf("%04d", i) + strings.Repeat("x", 900), Kind: "cup", Note: strings.Repeat("\u0001", 1000)})
	}
	s := newShop(big...)
	s.app.Commands = func() []Command {
		commands := s.commands()
		commands[0].Bounded = &Bounded{Default: 200}
		return commands
	}
	n, argv := 0, []string{"thing", "list", "--json"}
	for {
		r := s.run(t, argv...) // run checks the size
		n += len(r.env.Data.Items)
		if r.env.Meta.Pagination.NextCursor == nil {
			break
		}
		argv = []string{"thing", "list", "--json", "--cursor", *r.env.Meta.Pagination.NextCursor}
	}
	if n != 300 {
		t.Errorf("the walk gave %d items", n)
	}
}

func TestListWithoutOrderIsOurs(t *testing.T) {
	s := newShop(thing{ID: "a", Kind: "cup"}, thing{ID: "a", Kind: "pot"})
	if r := s.fails(t, Internal, "thing", "list"); !strings.Contains(r.env.Error.Message, "twice") {
		t.Errorf("got %s", r.out)
	}
}

// No text but a cursor's own is a cursor.
func FuzzCursor(f *testing.F) {
	f.Add(cursor{Command: "thing list", Filter: "f", Snapshot: "s", Key: "k"}.String())
	f.Fuzz(func(t *testing.T, text string) {
		if c, err := decodeCursor(text, "thing list", "f"); err == nil && c.String() != text {
			t.Errorf("%q is read as %+v", text, c)
		}
	})
}
