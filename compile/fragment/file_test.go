package fragment

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/opcat/opcat/compile/tree"
	"github.com/opcat/opcat/diag"
)

const rowFile = "catalog_sources/acme.toml"

func decode(src string) (Fragment, diag.List) {
	return File(&tree.File{Path: rowFile, Layer: "bundled"}, []byte(src))
}

// lines renders findings as file:line:col CODE, the part that people navigate by.
func lines(diags diag.List) []string {
	var out []string
	for _, d := range diags {
		out = append(out, d.At.String()+" "+string(d.Code))
	}
	return out
}

func TestFindingsHaveTheirPlace(t *testing.T) {
	for name, tc := range map[string]struct {
		src  string
		want []string
		help string
	}{
		"a misspelt key": {
			"schema = \"1.0\"\n[[model]]\nprovider = \"acme\"\nwire_model = \"m\"\nlimits = { contxt_tokens = 1 }\n",
			[]string{"catalog_sources/acme.toml:5:12 UNKNOWN_FIELD"}, `did you mean "context_tokens"?`,
		},
		"three mistakes in one run": {
			"schema = \"1.0\"\n[[model]]\nprovider = \"acme\"\nwire_model = \"m\"\nmax_output = 32000\n[model.limits]\ncontxt_tokens = 200000\n[model.price.extra]\nnote = \"x\"\n",
			[]string{"catalog_sources/acme.toml:5:1 UNKNOWN_FIELD", "catalog_sources/acme.toml:7:1 UNKNOWN_FIELD", "catalog_sources/acme.toml:8:8 WRONG_TYPE"}, "",
		},
		"a misspelt price key": {
			"schema = \"1.0\"\n[[model]]\nprovider = \"acme\"\nwire_model = \"m\"\nprice = [{ meter = \"input_token\", cached_input = \"0.1\" }]\n",
			[]string{"catalog_sources/acme.toml:5:35 UNKNOWN_FIELD"}, `write an entry with meter = "cache_read_token"`,
		},
		"a meter cut short": {
			"schema = \"1.0\"\n[[model]]\nprovider = \"acme\"\nwire_model = \"m\"\nprice = [{ meter = \"input\", dynamic = true }]\n",
			[]string{"catalog_sources/acme.toml:5:20 UNKNOWN_ENUM"}, `did you mean "input_token"?`,
		},
		"a price of a thousand": {
			"schema = \"1.0\"\n[[model]]\nprovider = \"acme\"\nwire_model = \"m\"\nprice = [{ meter = \"input_token\", usd_per_1k = \"2\" }]\n",
			[]string{"catalog_sources/acme.toml:5:35 UNKNOWN_FIELD"}, `write the thousandfold as usd_per_million`,
		},
		"a word for zero": {
			"schema = \"1.0\"\n[[model]]\nprovider = \"acme\"\nwire_model = \"m\"\nprice = [{ meter = \"input_token\", usd_per_million = \"free\" }]\n",
			[]string{"catalog_sources/acme.toml:5:53 BAD_DECIMAL"}, `what is free costs "0"`,
		},
		"one entry without its list": {
			"schema = \"1.0\"\n[[model]]\nprovider = \"acme\"\nwire_model = \"m\"\nprice = { meter = \"input_token\", dynamic = true }\n",
			[]string{"catalog_sources/acme.toml:5:9 WRONG_TYPE"}, `write a list of tables, even for one: [{ ... }]`,
		},
		"one pair of brackets": {
			"schema = \"1.0\"\n[[model]]\nprovider = \"acme\"\nwire_model = \"m\"\n[model.price]\nmeter = \"input_token\"\n",
			[]string{"catalog_sources/acme.toml:5:8 WRONG_TYPE"}, `write two brackets on each side, and the header again for each entry`,
		},
		"a header that is missing": {
			"schema = \"1.0\"\n[[model]]\nprovider = \"acme\"\nwire_model = \"m\"\nname = \"M\"\n\nprovider = \"acme\"\nwire_model = \"n\"\nname = \"N\"\n",
			[]string{"catalog_sources/acme.toml:7:1 DUPLICATE_KEY"}, `write the [[...]] header of a new entry above it, or keep one of the two`,
		},
		"a misspelt schema": {
			"schem = \"1.0\"\n[[model]]\nprovider = \"acme\"\nwire_model = \"m\"\n",
			[]string{"catalog_sources/acme.toml:1:1 UNKNOWN_FIELD"}, `did you mean "schema"?`,
		},
		"a comma in a price": {
			"schema = \"1.0\"\n[[model]]\nprovider = \"acme\"\nwire_model = \"m\"\nprice = [{ meter = \"input_token\", usd_per_million = \"1,000\" }]\n",
			[]string{"catalog_sources/acme.toml:5:53 BAD_DECIMAL"}, "",
		},
		"a float for a price": {
			"schema = \"1.0\"\n[[model]]\nprovider = \"acme\"\nwire_model = \"m\"\nprice = [{ meter = \"input_token\", usd_per_million = 0.042 }]\n",
			[]string{"catalog_sources/acme.toml:5:53 FLOAT_FOR_DECIMAL"}, `write "0.042"`,
		},
		"inf": {
			"schema = \"1.0\"\n[[model]]\nprovider = \"acme\"\nwire_model = \"m\"\nprice = [{ meter = \"input_token\", usd_per_million = inf }]\n",
			[]string{"catalog_sources/acme.toml:5:53 NOT_A_NUMBER"}, "",
		},
		"a negative rate": {
			"schema = \"1.0\"\n[[model]]\nprovider = \"acme\"\nwire_model = \"m\"\nprice = [{ meter = \"input_token\", usd_per_million = \"-1\" }]\n",
			[]string{"catalog_sources/acme.toml:5:53 BAD_DECIMAL"}, "",
		},
		"a fragment cut in half": {
			"schema = \"1.0\"\n[[model]]\nprovider = \"acme\"\nwire_model = \"m",
			[]string{"catalog_sources/acme.toml:4:15 SYNTAX"}, "",
		},
		"today's table without a schema": {
			"[[model]]\nprovider = \"acme\"\nwire_model = \"m\"\n",
			[]string{"catalog_sources/acme.toml:1:3 SCHEMA_MISSING"}, `add schema = "1.0" as the first line`,
		},
		"a newer format": {
			"schema = \"2.1\"\nfuture = true\n",
			[]string{"catalog_sources/acme.toml:1:10 NEWER_SCHEMA"}, "use a newer opcat",
		},
		"a format that is no string": {
			"schema = 1.0\n",
			[]string{"catalog_sources/acme.toml:1:10 WRONG_TYPE"}, "",
		},
		"a rule under the wrong root": {
			"schema = \"1.0\"\n[[provider.acme]]\nmodels = [\"m\"]\n",
			[]string{"catalog_sources/acme.toml:2:12 WRONG_ROOT"}, "",
		},
		"a key written twice": {
			"schema = \"1.0\"\n[provider.acme]\nname = \"a\"\nname = \"b\"\n",
			[]string{"catalog_sources/acme.toml:4:1 DUPLICATE_KEY"}, "keep one of the two",
		},
		"a header value is not echoed": {
			"schema = \"1.0\"\n[provider.acme.headers]\n\"X-Team\" = \"secret\\r\\nX-Other: 1\"\n\"X-Safe\" = \"ok\"\n\"X Bad\" = \"v\"\n",
			[]string{"catalog_sources/acme.toml:3:12 BAD_TEXT", "catalog_sources/acme.toml:5:1 BAD_HEADER"}, "",
		},
	} {
		t.Run(name, func(t *testing.T) {
			f, diags := decode(tc.src)
			slices.Sort(tc.want)
			got := lines(diag.Join(diags))
			slices.Sort(got)
			if !slices.Equal(got, tc.want) {
				t.Errorf("got  %q\nwant %q\n%v", got, tc.want, diags)
			}
			if !f.Broken {
				t.Error("the fragment does not say that some of it is missing")
			}
			if tc.help != "" && !slices.ContainsFunc(diags, func(d diag.Diagnostic) bool { return d.Help == tc.help }) {
				t.Errorf("no finding says %q:\n%v", tc.help, diags)
			}
			if strings.Contains(diags.String(), "secret") {
				t.Error("a header's value is printed")
			}
		})
	}
}

// What a finding was made about goes no further; its neighbours do.
func TestBadValuesAreLeftOut(t *testing.T) {
	f, _ := decode("schema = \"1.0\"\n[provider.acme]\nname = 1\ndocs = \"https://acme.example\"\nbogus = { a = 1 }\n")
	p := f.Table.Path("provider", "acme")
	if p.Get("docs").Str() != "https://acme.example" || p.Get("name") != nil || p.Get("bogus") != nil {
		t.Errorf("kept name %v, docs %v, bogus %v", p.Get("name"), p.Get("docs"), p.Get("bogus"))
	}
}

func TestBytes(t *testing.T) {
	good := "schema = \"1.0\"\n[provider.acme]\nname = \"Ac\" # here\n"
	for name, tc := range map[string]struct {
		src, code, says string
	}{
		"byte-order mark": {"\xef\xbb\xbf" + good, "BYTE_ORDER_MARK", "byte-order mark"},
		"another encoding": {strings.Replace(good, "here", "h\x94", 1), "INVALID_UTF8",
			"byte 0x94 at offset 46"},
		"UTF-16":     {"\xff\xfes\x00c\x00", "INVALID_UTF8", "UTF-8 is required"},
		"a NUL byte": {"schema = \"1.0\"\nx = \"\x00\"\n", "INVALID_UTF8", "NUL byte at offset 20"},
		"too large":  {good + "#" + strings.Repeat("x", MaxBytes), "FILE_TOO_LARGE", "8 MiB"},
	} {
		t.Run(name, func(t *testing.T) {
			_, diags := decode(tc.src)
			if len(diags) != 1 || string(diags[0].Code) != tc.code || !strings.Contains(diags[0].Message, tc.says) {
				t.Errorf("got %v, want one %s that says %q", diags, tc.code, tc.says)
			}
		})
	}
}

// A file with CRLF ends gives the same values at the same places.
func TestLineEnds(t *testing.T) {
	src := "schema = \"1.0\"\n[provider.acme]\nname = \"\"\"a\nb\"\"\"\nkind = \"local\"\n"
	lf, d1 := decode(src)
	crlf, d2 := decode(strings.ReplaceAll(src, "\n", "\r\n"))
	if len(d1)+len(d2) > 0 {
		t.Fatal(d1, d2)
	}
	if !tree.Equal(lf.Table, crlf.Table) {
		t.Error("values differ")
	}
	if a, b := lf.Table.Path("provider", "acme", "kind").At(), crlf.Table.Path("provider", "acme", "kind").At(); a != b || a.Line != 5 || a.Col != 8 {
		t.Errorf("places differ: %v, %v", a, b)
	}
}

func TestNumbersKeepTheirValue(t *testing.T) {
	f, diags := decode("schema = \"1.0\"\n[[model]]\nprovider = \"acme\"\nwire_model = \"m\"\nlimits = { context_tokens = 1_000_000, output_tokens = 0x100 }\n" +
		"price = [{ meter = \"input_token\", usd_per_million = \"00.0420\" }, { meter = \"output_token\", usd_per_million = \"100\" }, { meter = \"page\", usd_per_unit = \"0.000\" }]\n")
	if len(diags) > 0 {
		t.Fatal(diags)
	}
	row := f.Table.Get("model").First()
	var got []string
	for _, n := range []*tree.Node{row.Path("limits", "context_tokens"), row.Path("limits", "output_tokens")} {
		got = append(got, n.Str())
	}
	for p := range row.Get("price").Each() {
		got = append(got, p.Get("usd_per_million").Str()+p.Get("usd_per_unit").Str())
	}
	if want := []string{"1000000", "256", "0.042", "100", "0"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// One bad file never hides what is in, or wrong with, another.
func TestDirReadsOn(t *testing.T) {
	files := fstest.MapFS{
		"catalog_sources/a.toml":          {Data: []byte("schema = \"1.0\"\n[provider.a]\nname = \"A\"\n")},
		"catalog_sources/b: @ ü.toml":     {Data: []byte("schema = \"1.0\"\n[provider.b]\nnam = \"B\"\n")},
		"catalog_sources/sub/c.toml":      {Data: []byte("schema = \"1.0\"\n[provider.c\n")},
		"capability_sources/sub/d.toml":   {Data: []byte("schema = \"1.0\"\nx = 1\n")},
		"catalog_sources/.hidden.toml":    {Data: []byte("nonsense")},
		"catalog_sources/notes/readme.md": {Data: []byte("nonsense")},
	}
	fragments, diags := Dir(Tree{FS: files, Layer: "bundled"})
	if len(fragments) != 4 {
		t.Errorf("read %d files, want 4", len(fragments))
	}
	want := []string{
		"capability_sources/sub/d.toml:2:1 UNKNOWN_FIELD",
		"catalog_sources/b: @ ü.toml:3:1 UNKNOWN_FIELD",
		"catalog_sources/sub/c.toml:2:12 SYNTAX",
	}
	if got := lines(diags); !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

func TestLinks(t *testing.T) {
	dir, outside := t.TempDir(), t.TempDir()
	write := func(p, s string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(p), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(p, []byte(s), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	src := filepath.Join(dir, "catalog_sources")
	write(filepath.Join(src, "real.toml"), "schema = \"1.0\"\n[provider.a]\nname = \"A\"\n")
	write(filepath.Join(outside, "secret.toml"), "schema = \"1.0\"\n[provider.s]\nname = \"S\"\n")
	for link, target := range map[string]string{
		"inside.toml": "real.toml", "gone.toml": "nowhere.toml", "out.toml": filepath.Join(outside, "secret.toml"), "folder": ".",
	} {
		if err := os.Symlink(target, filepath.Join(src, link)); err != nil {
			t.Fatal(err)
		}
	}
	disk, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer disk.Close()
	fragments, diags := Dir(Tree{FS: disk, Layer: "bundled"})
	whole := slices.DeleteFunc(slices.Clone(fragments), func(f Fragment) bool { return f.Broken })
	if len(whole) != 2 {
		t.Errorf("read %d files, want the real one and the link to it", len(whole))
	}
	if len(fragments) != 5 {
		t.Errorf("%d files of which some is lost stand for themselves, want 3", len(fragments)-len(whole))
	}
	want := []string{"catalog_sources/folder LINK_TO_FOLDER", "catalog_sources/gone.toml DANGLING_LINK", "catalog_sources/out.toml LINK_LEAVES_TREE"}
	if got := lines(diags); !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

func FuzzFile(f *testing.F) {
	f.Add(false, "schema = \"1.0\"\n[[model]]\nprovider = \"a\"\nwire_model = \"b\"\n[model.limits]\ncontext_tokens = 1\n")
	f.Add(true, "schema = \"1.0\"\n[[provider.a]]\nmodels = [\"b\"]\n[provider.a.operations.embedding]\nprotocol = \"openai_embeddings\"\ndimensions = { default = 3 }\n")
	f.Add(false, "[models.\"a/b\"]\nname = \"B\"\nprovider = \"a\"\ncontext_window = 1\npricing = { input_per_mtok = 1.0, output_per_mtok = 2e-3 }\n")
	f.Add(true, "[[provider.a]]\nmodel_match = \"b-*\"\nvision = true\n")
	f.Fuzz(func(t *testing.T, capability bool, src string) {
		path := rowFile
		if capability {
			path = "capability_sources/acme.toml"
		}
		got, diags := File(&tree.File{Path: path}, []byte(src))
		if diags.HasErrors() != got.Broken {
			t.Fatalf("broken is %v with findings %v", got.Broken, diags)
		}
		again, _ := File(&tree.File{Path: path}, []byte(src))
		if !tree.Equal(got.Table, again.Table) {
			t.Fatal("two readings differ")
		}
		sameAsParsed(t, newDecoder(), path, []byte(src))
	})
}
