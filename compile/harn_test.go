package compile_test

import (
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/opcat/opcat/compile"
	"github.com/opcat/opcat/compile/accept"
	"github.com/opcat/opcat/compile/fragment"
	"github.com/opcat/opcat/compile/migrate"
	"github.com/opcat/opcat/diag"
)

// The Harn catalog is the largest tree of format 0 that there is. It is compiled
// for the last day on which its own audits stand, with the accept file that names
// what is known to be wrong in it.

const harnDay = "2026-11-14"

func harn(t testing.TB) (fs.FS, *accept.File) {
	t.Helper()
	dir := filepath.Join("..", "..", "shared", "corpus", "harn")
	if _, err := os.Stat(dir); err != nil {
		if os.Getenv("CI") != "" {
			t.Fatal(err)
		}
		t.Skip("the corpus is not here")
	}
	return os.DirFS(dir), harnAccept(t, nil)
}

// harnAccept reads the accept file, its text changed first.
func harnAccept(t testing.TB, change func(string) string) *accept.File {
	t.Helper()
	src, err := os.ReadFile("testdata/harn.accept.toml")
	if err != nil {
		t.Fatal(err)
	}
	if change != nil {
		src = []byte(change(string(src)))
	}
	file, diags := accept.Read("harn.accept.toml", src)
	if len(diags) > 0 {
		t.Fatal(diags)
	}
	return file
}

func compileHarn(fsys fs.FS, accepted *accept.File) compile.Result {
	return compile.Run(compile.Input{Trees: []fragment.Tree{{FS: fsys, Layer: "bundled"}}, AsOf: harnDay, Accept: accepted})
}

// What is found in it is what is known, and nothing else.
func TestHarnFindings(t *testing.T) {
	fsys, accepted := harn(t)
	r := compileHarn(fsys, accepted)
	if r.Catalog == nil || r.Err != nil || r.Failed != "" {
		t.Fatalf("it does not compile: stage %s, %v\n%s", r.Failed, r.Err, r.Diags)
	}
	got := map[string]int{}
	rows := map[diag.Code]map[string]bool{}
	for _, d := range r.Diags {
		key := string(d.Code)
		if d.Warning {
			key += " (warning)"
		}
		if d.Accepted == "" {
			key += " not accepted"
		}
		got[key]++
		if rows[d.Code] == nil {
			rows[d.Code] = map[string]bool{}
		}
		rows[d.Code][d.Row] = true
	}
	want := map[string]int{
		"CHAT_FACT_ON_NON_TEXT_ROW": 6, "LABEL_CONTRADICTS_CONTRACT": 85, "DECISION_ENDPOINT_IN_CHAT_FIELD": 1,
		"EFFORT_NONE_CONTRADICTS": 1, "TOOL_FORMAT_CONTRADICTS": 8,
		"STRENGTH_WITHOUT_CAPABILITY (warning)": 17, "PRICE_FALLBACK_DIFFERS (warning)": 19, "RULE_MATCHES_NOTHING (warning)": 8,
	}
	if !maps.Equal(got, want) {
		t.Errorf("found %v\nwant  %v\n%s", got, want, r.Diags)
	}
	if n := len(rows[diag.LabelContradictsContract]); n != 85 {
		t.Errorf("labels contradict the contracts of %d rows, want 85", n)
	}
	if !rows[diag.ChatFactOnNonTextRow]["vercel_ai_gateway/typesafe-ai/jev-1.14.0"] {
		t.Errorf("the chat fact does not reach jev-1.14.0: %v", rows[diag.ChatFactOnNonTextRow])
	}
}

// What it holds, counted: providers, rows, prices and what each row may do.
func TestHarnHolds(t *testing.T) {
	fsys, accepted := harn(t)
	r := compileHarn(fsys, accepted)
	if r.Draft == nil {
		t.Fatal(r.Diags)
	}
	got := map[string]int{"providers": len(r.Draft.Providers), "rows": len(r.Draft.Rows)}
	for _, row := range r.Draft.Rows {
		for _, c := range row.Contracts {
			got[c.Op.Name]++
		}
		if row.Table.Get("upstream_id") != nil {
			got["upstream ids"]++
		}
		if row.Table.Get("price") == nil {
			got["without a price"]++
		}
	}
	want := map[string]int{"providers": 46, "rows": 424, "text_generation": 392, "decision_evaluation": 31, "embedding": 1, "upstream ids": 333, "without a price": 43}
	if !maps.Equal(got, want) {
		t.Errorf("it holds %v\nwant     %v", got, want)
	}
}

// The report names what was rewritten, and first of all what was lost.
func TestHarnReport(t *testing.T) {
	fsys, accepted := harn(t)
	r := compileHarn(fsys, accepted)
	got := map[string]int{}
	report, found := migrate.Fields(r.Fragments, accepted.Keep)
	_, n, foundToo := migrate.Count(r.Fragments, accepted.Keep)
	if len(report.Moves) != n || n != r.Moves {
		t.Errorf("the report has %d moves, and %d and %d were counted", len(report.Moves), n, r.Moves)
	}
	if !reflect.DeepEqual(found, foundToo) {
		t.Error("counting finds something else")
	}
	for _, m := range report.Moves {
		switch {
		case m.Rule == "L28" && strings.HasPrefix(m.From, "base_url_env"):
			got["base_url_env"]++
		case m.Rule == "L45" && strings.HasSuffix(m.From, "without a rate"):
			got["tiers without a rate"]++
		case m.Rule == "L45" && m.To == "dynamic":
			got["tiers dynamic above a band"]++
		case m.Rule == "L46" && strings.HasPrefix(m.From, "alias "):
			got["aliases with a slash"]++
		case m.Rule == "L46" && strings.Contains(m.From, ".tool_format"):
			got["tool formats"]++
		case m.Rule == "L46":
			got["tool calling"]++
		case m.Rule == "L47" && strings.HasPrefix(m.From, "a step"):
			got["ladder steps on mock"]++
		case m.Named && m.Rule == "L33":
			got["selectors without current"]++
		case m.Rule == "L01" || m.Rule == "L37" || m.Rule == "L39" || m.Named && (m.Rule == "L06" || m.Rule == "L09" || m.Rule == "L23"):
			got[m.Rule]++
		}
		if m.At.File == "" || m.At.Line == 0 {
			t.Errorf("a move has no place: %+v", m)
		}
	}
	want := map[string]int{
		"L01": 108, "L06": 380, "L09": 7, "L37": 25, "L39": 4, "base_url_env": 42,
		"tiers without a rate": 7, "tiers dynamic above a band": 13, "aliases with a slash": 6, "tool formats": 39, "tool calling": 7,
		"ladder steps on mock": 3, "selectors without current": 1,
	}
	want["L23"] = got["L23"] // the responses facts of gateways and the pin are held by package migrate's own tests
	if !maps.Equal(got, want) {
		t.Errorf("the report counts %v\nwant             %v", got, want)
	}
	if len(r.Migrated.Audits) != 2 {
		t.Fatalf("%d audits, want 2", len(r.Migrated.Audits))
	}
	for _, a := range r.Migrated.Audits {
		if a.Name == "usage_accounting_audit" && (a.Expired(harnDay) || !a.Expired("2026-11-15")) {
			t.Errorf("the usage audit stands until %s, and on that day too", a.ExpiresOn)
		}
		if a.Name == "data_controls_audit" && (a.Expired("2026-11-30") || !a.Expired("2026-12-01")) {
			t.Errorf("the data-controls audit stands until %s, and on that day too", a.ExpiresOn)
		}
	}
}

// Without the accept file it does not compile, and an entry that does not fit is
// an error of its own.
func TestHarnAcceptIsExact(t *testing.T) {
	fsys, _ := harn(t)
	if r := compileHarn(fsys, nil); r.Catalog != nil || r.Failed != "migrate" {
		t.Errorf("it compiles without an accept file, or fails at %q", r.Failed)
	}
	for _, wrong := range []struct{ name, old, new string }{
		{"a count that is off", "count = 85", "count = 84"},
		{"a line that moved", "70-mistral-cohere-xai-groq.toml:38", "70-mistral-cohere-xai-groq.toml:39"},
		{"another provider", `provider = "typesafe"`, `provider = "openai"`},
		{"a field that does not quarrel", `keep = "reasoning_effort_levels"`, `keep = "vision"`},
	} {
		r := compileHarn(fsys, harnAccept(t, func(s string) string {
			if !strings.Contains(s, wrong.old) {
				t.Fatalf("%s: the accept file has no %s", wrong.name, wrong.old)
			}
			return strings.Replace(s, wrong.old, wrong.new, 1)
		}))
		i := slices.IndexFunc(r.Diags, func(d diag.Diagnostic) bool { return d.Code == diag.AcceptStale })
		if i < 0 || r.Diags[i].At.File != "harn.accept.toml" || r.Diags[i].At.Line < 2 {
			t.Errorf("%s: no ACCEPT_STALE at its entry", wrong.name)
		}
		if r.Catalog != nil {
			t.Errorf("%s: it compiles", wrong.name)
		}
	}
}

// Neither the names of files nor the order of tables in and between them changes a
// byte of the catalog.
func TestHarnShuffled(t *testing.T) {
	fsys, accepted := harn(t)
	want := compileHarn(fsys, accepted)
	if want.Catalog == nil {
		t.Fatal(want.Diags)
	}
	byProvider := harnAccept(t, func(s string) string {
		return strings.Replace(s, `at = "capability_sources/20-providers/70-mistral-cohere-xai-groq.toml:38"`, `provider = "mistral"`, 1)
	})
	for seed := range uint64(3) {
		got := compileHarn(dealt(t, fsys, rand.New(rand.NewPCG(seed, 7))), byProvider)
		if got.Catalog == nil {
			t.Fatalf("shuffle %d does not compile:\n%s", seed, got.Diags)
		}
		if got.Catalog.Digest() != want.Catalog.Digest() {
			t.Errorf("shuffle %d gives another catalog", seed)
		}
	}
}

// dealt deals the tables of a tree out to other files in another order.
func dealt(t testing.TB, fsys fs.FS, rng *rand.Rand) fs.FS {
	t.Helper()
	out := fstest.MapFS{}
	for _, root := range []string{"catalog_sources", "capability_sources"} {
		var tables []string
		var top string // keys that stand before the first table
		files := 0
		err := fs.WalkDir(fsys, root, func(name string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			data, err := fs.ReadFile(fsys, name)
			if err != nil {
				return err
			}
			if !strings.HasSuffix(name, ".toml") {
				out[name] = &fstest.MapFile{Data: data, Mode: 0o644}
				return nil
			}
			files++
			head, more := tablesOf(string(data))
			top += head
			tables = append(tables, more...)
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		rng.Shuffle(len(tables), func(i, j int) { tables[i], tables[j] = tables[j], tables[i] })
		texts := make([]string, files)
		texts[rng.IntN(files)] = top
		for _, table := range tables {
			texts[rng.IntN(files)] += table
		}
		for i, text := range texts {
			out[fmt.Sprintf("%s/%08x-%d.toml", root, rng.Uint32(), i)] = &fstest.MapFile{Data: []byte(text), Mode: 0o644}
		}
	}
	return out
}

// tablesOf cuts a file at its headers. A table stays with those below it.
func tablesOf(src string) (top string, tables []string) {
	owner := ""
	for line := range strings.Lines(strings.TrimRight(src, "\n") + "\n") {
		if strings.HasPrefix(line, "[") {
			name := strings.Trim(strings.TrimSpace(line), "[]")
			if owner == "" || !strings.HasPrefix(name, owner+".") {
				owner = name
				tables = append(tables, "")
			}
		}
		if len(tables) == 0 {
			top += line
		} else {
			tables[len(tables)-1] += line
		}
	}
	return top, tables
}
