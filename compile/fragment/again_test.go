package fragment

import (
	"slices"
	"strings"
	"testing"

	"github.com/opcat/opcat/compile/tree"
)

// A row that repeats the one before it is read as if that one were not there: the
// same values, each at its own place, and the same findings.
func TestRepeatedValuesHaveTheirOwnPlaces(t *testing.T) {
	row := func(provider string, lines ...string) string {
		return "[[model]]\nprovider = \"" + provider + "\"\nwire_model = \"m\"\n" + strings.Join(lines, "\n") + "\n"
	}
	for name, second := range map[string]string{
		"the same lines": row("b", `source = [{ url = "https://a.example", checked_on = "2026-11-01" }]`, `limits = { context_tokens = 10 }`),
		"further right":  row("b", `  source = [{ url = "https://a.example", checked_on = "2026-11-01" }]`, "\tlimits = { context_tokens = 10 }"),
		"a comment":      row("b", `source = [{ url = "https://a.example", checked_on = "2026-11-01" }] # seen`, `limits = { context_tokens = 10 }`),
		"another order":  row("b", `limits = { context_tokens = 10 }`, `source = [{ url = "https://a.example", checked_on = "2026-11-01" }]`),
		"another value":  row("b", `source = [{ url = "https://a.example", checked_on = "2026-11-02" }]`),
		"several lines":  row("b", "price = [\n  { meter = \"input_token\", usd_per_million = \"1\" },\n]"),
		"a bad value":    row("b", `data_controls = { region_zero = 1 }`, `limits = { output_tokens = 0 }`),
		"a missing key":  row("b", `region = [{ note = "x" }]`),
		"for the layers": row("b", `unset = ["limits"]`),
	} {
		first := strings.Replace(second, `"b"`, `"a"`, 1)
		if name == "further right" || name == "a comment" || name == "another value" {
			first = row("a", `source = [{ url = "https://a.example", checked_on = "2026-11-01" }]`, `limits = { context_tokens = 10 }`)
		}
		both, found := decode("schema = \"1.0\"\n" + first + second)
		alone, want := decode("schema = \"1.0\"\n" + strings.Repeat("\n", strings.Count(first, "\n")) + second)

		got, fresh := written(both.Table.Get("model").Last()), written(alone.Table.Get("model").Last())
		if got != fresh {
			t.Errorf("%s: read as\n%s\nalone it is\n%s", name, got, fresh)
		}
		later := slices.DeleteFunc(lines(found), func(s string) bool { return !slices.Contains(lines(want), s) })
		if !slices.Equal(later, lines(want)) {
			t.Errorf("%s: found %q, alone %q", name, lines(found), lines(want))
		}
		if both.File.Speaks != alone.File.Speaks {
			t.Errorf("%s: speaks to the layers: %v, alone %v", name, both.File.Speaks, alone.File.Speaks)
		}
	}
}

// written is a node with the places of all that is in it.
func written(n *tree.Node) string { return string(new(tree.Encoder).Append(nil, n)) }
