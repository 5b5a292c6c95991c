package accept_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/opcat/opcat/compile/accept"
	"github.com/opcat/opcat/diag"
)

// found is what a compile of some tree found.
var found = diag.List{
	{Code: diag.UnknownLabel, At: diag.Pos{Layer: "bundled", File: "catalog_sources/a.toml", Line: 5, Col: 17}, Message: "one", Row: "acme/chat-1", Fields: []string{"capabilities"}},
	{Code: diag.UnknownLabel, At: diag.Pos{Layer: "bundled", File: "catalog_sources/a.toml", Line: 9, Col: 17}, Message: "two", Row: "acme/chat-2", Fields: []string{"capabilities"}},
	{Code: diag.LifecycleContradicts, At: diag.Pos{Layer: "host", File: "catalog_sources/b.toml", Line: 3, Col: 1}, Message: "three", Row: "acme/chat-1", Fields: []string{"sunset_date", "deprecated"}},
	{Code: diag.DecisionEndpointInChatField, At: diag.Pos{Layer: "bundled", File: "catalog_sources/a.toml", Line: 2, Col: 1}, Message: "four", Provider: "acme"},
	{Code: diag.PriceFallbackDiffers, Warning: true, At: diag.Pos{Layer: "bundled", File: "catalog_sources/c.toml", Line: 2, Col: 1}, Message: "five", Provider: "acme"},
}

const why = `why = "known there"` + "\n"

func TestApply(t *testing.T) {
	for _, c := range []struct {
		name, file string
		accepted   []string // messages of the findings that pass
		stale      string   // part of the one finding about the file; "" for none
	}{
		{"by row", "code = \"UNKNOWN_LABEL\"\nrow = \"acme/chat-2\"\n", []string{"two"}, ""},
		{"by provider", "code = \"DECISION_ENDPOINT_IN_CHAT_FIELD\"\nprovider = \"acme\"\n", []string{"four"}, ""},
		{"by place", "code = \"UNKNOWN_LABEL\"\nat = \"catalog_sources/a.toml:5\"\n", []string{"one"}, ""},
		{"by place in another layer", "code = \"LIFECYCLE_CONTRADICTS\"\nat = \"host:catalog_sources/b.toml:3\"\n", []string{"three"}, ""},
		{"a layer that is left out is the bundled one", "code = \"LIFECYCLE_CONTRADICTS\"\nat = \"catalog_sources/b.toml:3\"\n", nil, "no longer found at catalog_sources/b.toml:3"},
		{"by count", "code = \"UNKNOWN_LABEL\"\ncount = 2\n", []string{"one", "two"}, ""},
		{"by a count that is too high", "code = \"UNKNOWN_LABEL\"\ncount = 3\n", nil, "accepted 3 times and found 2 times"},
		{"by a count that is too low", "code = \"UNKNOWN_LABEL\"\ncount = 1\n", nil, "accepted once and found 2 times"},
		{"a code that is not found", "code = \"UNKNOWN_DIALECT\"\ncount = 1\n", nil, "found nowhere"},
		{"another row", "code = \"UNKNOWN_LABEL\"\nrow = \"acme/chat-3\"\n", nil, "no longer found at acme/chat-3"},
		{"a warning too", "code = \"PRICE_FALLBACK_DIFFERS\"\nprovider = \"acme\"\n", []string{"five"}, ""},
		{"one side is kept", "code = \"LIFECYCLE_CONTRADICTS\"\nrow = \"acme/chat-1\"\nkeep = \"deprecated\"\n", []string{"three"}, ""},
		{"a side that there is not", "code = \"LIFECYCLE_CONTRADICTS\"\nrow = \"acme/chat-1\"\nkeep = \"tier\"\n", nil, `nothing to keep called "tier"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			file, diags := accept.Read("accept.toml", []byte("# known\n[[accept]]\n"+c.file+why))
			if len(diags) > 0 {
				t.Fatal(diags)
			}
			var passed, stale []string
			for _, d := range file.Apply(found) {
				switch {
				case d.Code == diag.AcceptStale:
					stale = append(stale, d.Message)
					if d.At.File != "accept.toml" || d.At.Line != 2 {
						t.Errorf("the entry is placed at %s", d.At)
					}
				case d.Accepted != "":
					passed = append(passed, d.Message)
					if d.IsError() || d.Accepted != "known there" {
						t.Errorf("an accepted finding is an error, or does not say why: %+v", d)
					}
				}
			}
			slices.Sort(passed)
			want := slices.Clone(c.accepted)
			slices.Sort(want)
			if !slices.Equal(passed, want) {
				t.Errorf("it lets pass %q, want %q", passed, want)
			}
			if c.stale == "" && len(stale) > 0 || c.stale != "" && (len(stale) != 1 || !strings.Contains(stale[0], c.stale)) {
				t.Errorf("it finds %q about the file, want %q", stale, c.stale)
			}
			if found[0].Accepted != "" {
				t.Error("the list that was given is changed")
			}
		})
	}
}

func TestKeep(t *testing.T) {
	file, diags := accept.Read("accept.toml", []byte("[[accept]]\ncode = \"LIFECYCLE_CONTRADICTS\"\nrow = \"acme/chat-1\"\nkeep = \"deprecated\"\n"+why))
	if len(diags) > 0 {
		t.Fatal(diags)
	}
	if field, ok := file.Keep(found[2]); !ok || field != "deprecated" {
		t.Errorf("keep says %q, %v", field, ok)
	}
	if _, ok := file.Keep(found[0]); ok {
		t.Error("a finding that no entry is about is accepted")
	}
	var none *accept.File
	if _, ok := none.Keep(found[0]); ok || len(none.Apply(found)) != len(found) {
		t.Error("no file at all accepts something")
	}
}

func TestReadRefuses(t *testing.T) {
	for _, c := range []struct {
		name, file, want string
		line             int
	}{
		{"no TOML", "[[accept]\n", "expected", 1},
		{"a key that no entry has", "[[accept]]\ncode = \"UNKNOWN_LABEL\"\ncount = 1\nreason = \"x\"\n" + why, `"reason" is not a field of an accept entry`, 4},
		{"a misspelt key", "[[accept]]\ncode = \"UNKNOWN_LABEL\"\nconut = 1\n" + why, `"conut" is not a field`, 3},
		{"a table that no file has", "[allow]\ncode = \"UNKNOWN_LABEL\"\n", `"allow" is not a field of an accept file`, 1},
		{"no code", "\n[[accept]]\ncount = 1\n" + why, `lacks "code"`, 2},
		{"no such code", "[[accept]]\ncode = \"UNKNOWN_LABLE\"\ncount = 1\n" + why, `there is no code "UNKNOWN_LABLE"`, 2},
		{"no why", "[[accept]]\ncode = \"UNKNOWN_LABEL\"\ncount = 1\n", `lacks "why"`, 1},
		{"nothing that it is about", "[[accept]]\ncode = \"UNKNOWN_LABEL\"\n" + why, "says nowhere what it is about", 1},
		{"two things that it is about", "[[accept]]\ncode = \"UNKNOWN_LABEL\"\ncount = 1\nrow = \"a/b\"\n" + why, "about one thing", 4},
		{"no count", "[[accept]]\ncode = \"UNKNOWN_LABEL\"\ncount = 0\n" + why, "at least 1", 3},
		{"no place", "[[accept]]\ncode = \"UNKNOWN_LABEL\"\nat = \"a.toml\"\n" + why, "is not a place", 3},
		{"a count that is a string", "[[accept]]\ncode = \"UNKNOWN_LABEL\"\ncount = \"1\"\n" + why, "count", 3},
		{"an entry on one line", "accept = [\n  { code = \"UNKNOWN_LABEL\", count = 1, why = \"x\" },\n  { code = \"UNKNOWN_LABEL\", why = \"x\" },\n]\n", "says nowhere", 3},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, diags := accept.Read("accept.toml", []byte(c.file))
			if len(diags) != 1 || !strings.Contains(diags[0].Message, c.want) {
				t.Fatalf("it finds\n%swant one finding with %q", diags, c.want)
			}
			if diags[0].At.File != "accept.toml" || diags[0].At.Line != c.line {
				t.Errorf("it is placed at %s, want line %d", diags[0].At, c.line)
			}
		})
	}
}

// Whatever an accept file holds, each finding about it has a place in it, and what
// it lets pass is what it was given.
func FuzzRead(f *testing.F) {
	f.Add([]byte("[[accept]]\ncode = \"UNKNOWN_LABEL\"\ncount = 2\nwhy = \"x\"\n"))
	f.Add([]byte("accept = [{ code = \"UNKNOWN_LABEL\", row = \"acme/chat-1\", why = \"x\" }]\n"))
	f.Add([]byte("[[accept]]\nat = 'a:1'\n[[accept]]\n[accept.x]\n"))
	f.Fuzz(func(t *testing.T, src []byte) {
		file, diags := accept.Read("accept.toml", src)
		lines := 1 + strings.Count(string(src), "\n")
		for _, d := range diags {
			if d.At.File != "accept.toml" || d.At.Line < 1 || d.At.Line > lines {
				t.Errorf("placed at %s of %d lines: %s", d.At, lines, d)
			}
		}
		out := file.Apply(found)
		if len(out) < len(found) {
			t.Errorf("%d findings become %d", len(found), len(out))
		}
	})
}
