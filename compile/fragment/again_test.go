package fragment

import (
	"bytes"
	"io/fs"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/opcat/opcat/compile/tree"
	"github.com/pelletier/go-toml/v2/unstable"
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

// Lines that came in the same order before are not parsed. A comment behind a line has
// it parsed and changes nothing else, so both must read alike.
func TestLinesThatAreNotParsed(t *testing.T) {
	own := os.DirFS("../..")
	d, files := newDecoder(), 0
	for _, root := range []string{"catalog_sources", "capability_sources"} {
		err := fs.WalkDir(own, root, func(path string, e fs.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(path, ".toml") {
				return err
			}
			src, err := fs.ReadFile(own, path)
			sameAsParsed(t, d, path, src)
			files++
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if files < 100 {
		t.Errorf("%d files", files)
	}
	for name, src := range map[string]string{
		"a key twice":             "[[model]]\nprovider = \"a\"\nwire_model = \"m\"\n[[model]]\nprovider = \"a\"\nprovider = \"a\"\nwire_model = \"m\"\n",
		"a key twice as before":   "[[model]]\nwire_model = \"m\"\nprovider = \"a\"\n[[model]]\nprovider = \"a\"\nwire_model = \"m\"\nprovider = \"a\"\n",
		"a key of another table":  "[[model]]\nprovider = \"a\"\nwire_model = \"m\"\nname = \"A\"\n[provider.a]\nname = \"A\"\nwire_model = \"m\"\n",
		"a header twice":          "[[model]]\nprovider = \"a\"\nwire_model = \"m\"\n\n[provider.a]\nname = \"A\"\n\n[[model]]\nprovider = \"a\"\nwire_model = \"m\"\n\n[provider.a]\nname = \"A\"\n",
		"tables in tables":        strings.Repeat("[[model]]\nprovider = \"a\"\nwire_model = \"m\"\n[model.limits]\ncontext_tokens = 5\n\n[[model.disagreement]]\nwhy = \"a\"\n[[model.disagreement]]\nwhy = \"a\"\n\n\n", 3),
		"a header with blanks":    strings.Repeat("[[ model ]]\nprovider = \"a\"\n[ model.limits ]\ncontext_tokens = 5\n", 3),
		"half a header":           "[[ model]]\nprovider = \"a\"\nwire_model = \"m\"\n[[ model]]\nprovider = \"a\"\nwire_model = \"m\"\n[ model]]\nprovider = \"a\"\n",
		"quoted keys":             strings.Repeat("[[\"model\"]]\n\"provider\" = \"a\"\n[\"model\".limits]\n'context_tokens' = 5\n", 3),
		"two tables":              "[[model]]\nprovider = \"a\"\nwire_model = \"m\"\n[provider.a]\nname = \"A\"\n[[model]]\nprovider = \"a\"\nwire_model = \"m\"\n",
		"a mistake behind":        "[[model]]\nprovider = \"a\"\nwire_model = \"m\"\n[[model]]\nprovider = \"a\"\nwire_model = \"m\"\nlimits = 1\n",
		"what is no TOML":         "[[model]]\nprovider = \"a\"\nwire_model = \"m\"\n[[model]]\nprovider = \"a\"\nwire_model = \"m\"\nlimits = \n",
		"carriage returns":        "[[model]]\r\nprovider = \"a\"\r\nwire_model = \"m\"\r\n[[model]]\r\nprovider = \"a\"\r\nwire_model = \"m\"\r\n",
		"the file ends in a line": "[[model]]\nprovider = \"a\"\nwire_model = \"m\"\n[[model]]\nprovider = \"a\"\nwire_model = \"m\"",
		"further right":           "[[model]]\n  provider = \"a\"\n  wire_model = \"m\"\n[[model]]\nprovider = \"a\"\nwire_model = \"m\"\n[[model]]\n  provider = \"a\"\n",
	} {
		t.Log(name)
		d := newDecoder()
		sameAsParsed(t, d, rowFile, []byte("schema = \"1.0\"\n"+src))
		sameAsParsed(t, d, rowFile, []byte(src))
	}
}

// sameAsParsed reads a file twice, the second time with all that it says known, and once
// with its lines parsed.
func sameAsParsed(t *testing.T, d *decoder, path string, src []byte) {
	t.Helper()
	d.decode(&tree.File{Path: path}, src)
	got, found := d.decode(&tree.File{Path: path}, src)

	var p unstable.Parser
	var parsed []byte
	from := 0
	for p.Reset(src); p.NextExpression(); {
		e := p.Expression()
		end := int(e.Raw.Offset + e.Raw.Length)
		if e.Kind != unstable.KeyValue {
			for part := e.Child(); part != nil; part = part.Next() {
				end = int(part.Raw.Offset + part.Raw.Length)
			}
			line, _, _ := bytes.Cut(src[end:], []byte("\n"))
			end += len(bytes.TrimRight(line, "\r"))
		}
		parsed = append(append(parsed, src[from:end]...), " #"...)
		from = end
	}
	parsed = append(parsed, src[from:]...)
	want, wanted := newDecoder().decode(&tree.File{Path: path}, parsed)
	if a, b := written(got.Table), written(want.Table); a != b {
		t.Errorf("%s: read as\n%s\nparsed it is\n%s", path, a, b)
	}
	if a, b := lines(found), lines(wanted); p.Error() == nil && !slices.Equal(a, b) { // where a file ceases to be TOML is said by offset
		t.Errorf("%s: found %q, parsed %q", path, a, b)
	}
	if got.File.Speaks != want.File.Speaks || got.Legacy != want.Legacy || got.Broken != want.Broken {
		t.Errorf("%s: %+v, parsed %+v", path, got.File, want.File)
	}
}
