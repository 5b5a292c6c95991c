package guard_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"github.com/opcat/opcat/catalog"
	"github.com/opcat/opcat/compile"
	"github.com/opcat/opcat/compile/fragment"
	"github.com/opcat/opcat/plan"
	"github.com/opcat/opcat/plan/files"
	"github.com/opcat/opcat/upstream/fact"
	"github.com/opcat/opcat/upstream/guard"
)

// sources has n rows of an upstream at its first version, of which the last few are
// deprecated, and one row from elsewhere.
func sources(t *testing.T, n, deprecated int) *catalog.Catalog {
	t.Helper()
	var b strings.Builder
	b.WriteString("schema = \"1.0\"\n[provider.acme]\nname = \"Acme\"\n[provider.acme.credential]\nscheme = \"bearer\"\nenv = [\"ACME_API_KEY\"]\norigins = [\"https://acme.example\"]\n" +
		"[provider.acme.endpoint.openai_chat_completions]\nurl = \"https://acme.example/v1\"\n" +
		"[[model]]\nprovider = \"acme\"\nwire_model = \"own\"\nlisted_as = [\"unknown\"]\nsource = [{ url = \"https://acme.example\", checked_on = \"2026-11-30\" }]\n")
	for i := range n {
		fmt.Fprintf(&b, "[[model]]\nprovider = \"acme\"\nwire_model = \"m%02d\"\nlisted_as = [\"unknown\"]\nsource = [{ url = \"pkg:npm/%%40x/theirs@1\", checked_on = \"2026-11-30\" }]\n", i)
		if i >= n-deprecated {
			b.WriteString("lifecycle = { deprecated = true, note = \"Gone.\" }\n")
		}
	}
	r := compile.Run(compile.Input{Trees: []fragment.Tree{{FS: fstest.MapFS{"catalog_sources/a.toml": {Data: []byte(b.String())}}, Layer: "bundled"}}, AsOf: "2026-11-30"})
	if r.Catalog == nil {
		t.Fatal(r.Diags.String())
	}
	return r.Catalog
}

// A catalog that lost more than a fifth of its rows is held back with the rows named,
// and so is one that lists nothing; a few rows may go, and what was gone before counts
// no more.
func TestShrunkIsHeld(t *testing.T) {
	for _, c := range []struct {
		name                             string
		rows, deprecated, lists, allowed int
		held                             int // rows that are gone, where it is held back
	}{
		{"whole", 50, 0, 50, 20, 0},
		{"a fifth", 50, 0, 40, 20, 0},
		{"more than a fifth", 50, 0, 39, 20, 11},
		{"allowed", 50, 0, 39, 22, 0},
		{"a few of few", 12, 0, 3, 20, 0},
		{"nothing of few", 3, 0, 0, 20, 3},
		{"deprecated before", 50, 11, 39, 20, 0},
	} {
		read := fact.Catalog{Source: fact.Source{Name: "theirs", URL: "pkg:npm/%40x/theirs@2"}}
		for i := range c.lists {
			read.Models = append(read.Models, &fact.Model{Row: catalog.Row{Provider: "acme", WireModel: fmt.Sprintf("m%02d", i)}})
		}
		losses := guard.Losses(sources(t, c.rows, c.deprecated), nil, []fact.Catalog{read}, c.allowed)
		switch {
		case c.held == 0 && len(losses) > 0:
			t.Errorf("%s: %+v", c.name, losses)
		case c.held > 0 && (len(losses) != 1 || len(losses[0].Gone) != c.held || losses[0].Gone[0] != fmt.Sprintf("acme/m%02d", c.lists)):
			t.Errorf("%s: %+v", c.name, losses)
		}
	}
}

// An upstream that is named by another address than before is known by the rows that
// were brought in from it.
func TestMovedIsHeldToItsRows(t *testing.T) {
	recorded := map[string][]string{"theirs": {"acme/taken-out"}, "others": {"acme/own"}}
	for i := range 50 {
		recorded["theirs"] = append(recorded["theirs"], fmt.Sprintf("acme/m%02d", i))
	}
	moved := fact.Catalog{Source: fact.Source{Name: "theirs", URL: "https://theirs.example"}}
	for i := range 39 {
		moved.Models = append(moved.Models, &fact.Model{Row: catalog.Row{Provider: "acme", WireModel: fmt.Sprintf("m%02d", i)}})
	}
	losses := guard.Losses(sources(t, 50, 0), recorded, []fact.Catalog{moved}, guard.Shrink)
	if len(losses) != 1 || losses[0].Before != 50 || len(losses[0].Gone) != 11 || losses[0].Gone[0] != "acme/m39" {
		t.Errorf("%+v", losses)
	}
	if losses := guard.Losses(sources(t, 50, 11), recorded, []fact.Catalog{moved}, guard.Shrink); len(losses) > 0 {
		t.Errorf("what is deprecated counts again: %+v", losses)
	}
}

// A price that would be half of what it is, or less, is held back unless its row is
// meant, in the digits of the sources and not nearly.
func TestHalvedIsHeld(t *testing.T) {
	item := func(changes ...files.Change) plan.Item {
		params, err := json.Marshal(files.Params{File: "catalog_sources/acme/upstream.toml", Changes: changes})
		if err != nil {
			t.Fatal(err)
		}
		return plan.Item{ID: "catalog_sources/acme/upstream.toml", Params: params}
	}
	items := []plan.Item{item(
		files.Change{Resource: "acme/half", Field: "price.input_token", From: "0.3", To: "0.15", Source: "u"},
		files.Change{Resource: "acme/nearly", Field: "price.input_token", From: "0.3", To: "0.150000000000000001"},
		files.Change{Resource: "acme/free", Field: "price.output_token[service_tier=batch]", From: "2 EUR", To: "0 EUR", Source: "u"},
		files.Change{Resource: "acme/money", Field: "price.output_token", From: "2", To: "1 EUR"},
		files.Change{Resource: "acme/was-free", Field: "price.output_token", From: "0", To: "0"},
		files.Change{Resource: "acme/more", Field: "price.output_token", From: "1", To: "2"},
		files.Change{Resource: "acme/window", Field: "limits.context_tokens", From: "2000", To: "1000"},
		files.Change{Resource: "acme/new", To: "New"})}
	both := []guard.Cut{
		{Row: "acme/half", Field: "price.input_token", From: "0.3", To: "0.15", Source: "u"},
		{Row: "acme/free", Field: "price.output_token[service_tier=batch]", From: "2 EUR", To: "0 EUR", Source: "u"}}
	for _, c := range []struct {
		meant []string
		want  []guard.Cut
	}{{nil, both}, {[]string{"acme/half"}, both[1:]}, {[]string{"acme"}, nil}, {[]string{"acm"}, both}} {
		got, err := guard.Cuts(items, c.meant)
		if err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%v: %v\n%s", c.meant, err, cmp.Diff(c.want, got))
		}
	}
}
