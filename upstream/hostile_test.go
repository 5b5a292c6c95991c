package upstream_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/opcat/opcat/compile/fragment"
	"github.com/opcat/opcat/upstream"
	"github.com/opcat/opcat/upstream/doc"
	"github.com/opcat/opcat/upstream/fact"
	"github.com/opcat/opcat/upstream/want"
)

// An entry is one model of a made-up catalog: numbers are as they are written, of a
// million tokens for a price, and nest is a value under a key that nobody knows.
type entry struct {
	id, name, price, limit, nest string
}

func quoted(s string) string {
	text, err := json.Marshal(s)
	if err != nil {
		panic(err)
	}
	return string(text)
}

// fields lists an entry's members in one way to write them.
func (e *entry) fields(pairs ...string) []string {
	var out []string
	for i := 0; i < len(pairs); i += 2 {
		if pairs[i+1] != "" {
			out = append(out, pairs[i]+pairs[i+1])
		}
	}
	return out
}

// perToken is a price of a million tokens as one of a token; what is no plain number
// stays as it is.
func perToken(price string) string {
	if strings.Trim(price, "-.0123456789") != "" || price == "" {
		return price
	}
	return price + "e-6"
}

// A format writes a catalog for a reader. Every member of an entry stands alone, so
// that the order of members and entries can be changed.
type format struct {
	reader, name string
	file         string // the file that holds entries, if it is one
	write        func(entries []entry, order func([]string)) map[string]string
}

func object(fields []string, order func([]string)) string {
	order(fields)
	return "{" + strings.Join(fields, ",") + "}"
}

// formats are those of catalogs of others, with the faults that they may have.
var formats = []format{
	{"models.dev", ".", "", func(entries []entry, order func([]string)) map[string]string {
		files := map[string]string{"providers/acme/provider.toml": modelsDevProvider}
		for i, e := range entries {
			head := e.fields("id = ", quoted(e.id), "name = ", quoted(e.name), "surprise = ", e.nest)
			order(head)
			tables := []string{}
			if e.price != "" {
				tables = append(tables, "[cost]\ninput = "+e.price)
			}
			if e.limit != "" {
				tables = append(tables, "[limit]\ncontext = "+e.limit)
			}
			order(tables)
			files[fmt.Sprintf("providers/acme/models/%s.toml", nameOf(&e, i))] = strings.Join(append(head, tables...), "\n") + "\n"
		}
		return files
	}},
	{"models.dev", "api.json", "api.json", func(entries []entry, order func([]string)) map[string]string {
		var models []string
		for i, e := range entries {
			models = append(models, quoted(nameOf(&e, i))+":"+object(e.fields(`"id":`, quoted(e.id), `"name":`, quoted(e.name), `"cost":`, wrap(`{"input":`, e.price, "}"),
				`"limit":`, wrap(`{"context":`, e.limit, "}"), `"surprise":`, e.nest), order))
		}
		return map[string]string{"api.json": `{"acme":{"id":"acme","name":"Acme","models":` + object(models, order) + "}}"}
	}},
	{"litellm", "f.json", "f.json", func(entries []entry, order func([]string)) map[string]string {
		var models []string
		for _, e := range entries {
			models = append(models, quoted("acme/"+e.id)+":"+object(e.fields(`"litellm_provider":`, `"acme"`, `"mode":`, `"chat"`, `"source":`, quoted(e.name),
				`"input_cost_per_token":`, perToken(e.price), `"max_input_tokens":`, e.limit, `"surprise":`, e.nest), order))
		}
		return map[string]string{"f.json": object(models, order)}
	}},
	{"genai-prices", ".", "", func(entries []entry, order func([]string)) map[string]string {
		var models []string
		for _, e := range entries {
			models = append(models, "  - "+object(e.fields(`"id": `, quoted(e.id), `"name": `, quoted(e.name), `"prices": `, wrap(`{"input_mtok": `, e.price, "}"),
				`"context_window": `, e.limit, `"surprise": `, e.nest), order)+"\n")
		}
		order(models)
		return map[string]string{"acme.yml": "id: acme\nname: Acme\nmodels:\n" + strings.Join(models, "")}
	}},
	{"genai-prices", "data.json", "data.json", func(entries []entry, order func([]string)) map[string]string {
		return map[string]string{"data.json": `[{"id":"acme","name":"Acme","models":` + list(entries, order, func(e *entry) []string {
			return e.fields(`"id":`, quoted(e.id), `"name":`, quoted(e.name), `"prices":`, wrap(`{"input_mtok":`, e.price, "}"), `"context_window":`, e.limit, `"surprise":`, e.nest)
		}) + "}]"}
	}},
	{"catwalk", ".", "acme.json", func(entries []entry, order func([]string)) map[string]string {
		return map[string]string{"acme.json": `{"id":"acme","name":"Acme","models":` + list(entries, order, func(e *entry) []string {
			return e.fields(`"id":`, quoted(e.id), `"name":`, quoted(e.name), `"cost_per_1m_in":`, e.price, `"context_window":`, e.limit, `"surprise":`, e.nest)
		}) + "}"}
	}},
	{"openrouter", "models.json", "models.json", func(entries []entry, order func([]string)) map[string]string {
		return map[string]string{"models.json": `{"data":` + list(entries, order, func(e *entry) []string {
			return e.fields(`"id":`, quoted(e.id), `"name":`, quoted(e.name), `"pricing":`, wrap(`{"prompt":`, perToken(e.price), "}"), `"context_length":`, e.limit, `"surprise":`, e.nest)
		}) + "}"}
	}},
}

func wrap(before, s, after string) string {
	if s == "" {
		return ""
	}
	return before + s + after
}

func list(entries []entry, order func([]string), fields func(*entry) []string) string {
	var out []string
	for i := range entries {
		out = append(out, object(fields(&entries[i]), order))
	}
	order(out)
	return "[" + strings.Join(out, ",") + "]"
}

// nameOf is a file's name or a key for an entry, where the id cannot be one.
func nameOf(e *entry, i int) string {
	if len(e.id) == 1 {
		return e.id
	}
	return fmt.Sprintf("e%02d", i)
}

func nested(depth int) string { return strings.Repeat("[", depth) + "1" + strings.Repeat("]", depth) }

// entries are what nobody should write, and three that anybody may.
func entries() []entry {
	return []entry{
		{id: "good", name: "Good", price: "1.5", limit: "8192"},
		{id: "huge", name: "Huge", price: "1e308", limit: "8192"},
		{id: "less", name: "Less", price: "-0.5", limit: "8192"},
		{id: "minus", name: "Minus", price: "1.5", limit: "-5"},
		{id: "long", name: strings.Repeat("x", 10<<20), price: "1.5", limit: "8192"},
		{id: "deep", name: "Deep", price: "1.5", limit: "8192", nest: nested(500)},
		{id: "Good", name: "Capital", price: "2.5"},
		{id: "../../etc/passwd", name: "Way out", price: "1.5"},
		{id: "a/../b", name: "Way up", price: "1.5"},
		{id: "a\u202eb", name: "Right to left", price: "1.5"},
		{id: "nul\x00", name: "NUL", price: "1.5"},
		{id: "bad\tname", name: "Tab", price: "1.5"},
		{id: strings.Repeat("y", 5000), name: "Long id", price: "1.5"},
		{id: "last", name: "Last", price: "2", limit: "1000"},
	}
}

func asWritten([]string) {}

// One bad entry, whatever is bad in it, is a fault with its place or is named as unread,
// and the rest is read: of every reader.
func TestHostileEntries(t *testing.T) {
	for _, f := range formats {
		t.Run(f.reader+" "+f.name, func(t *testing.T) {
			c := readFrom(t, f.reader, f.name, f.write(entries(), asWritten))
			var ids []string
			for _, m := range c.Models {
				ids = append(ids, m.Row.WireModel)
			}
			if diff := cmp.Diff([]string{"Good", "deep", "good", "huge", "last", "less", "long", "minus"}, ids); diff != "" {
				t.Errorf("-want +read\n%s%+v", diff, c.Faults)
			}
			for id, price := range map[string]string{"good": "1.5", "Good": "2.5", "minus": "1.5", "long": "1.5", "deep": "1.5", "last": "2"} {
				if m := model(t, c, id); len(m.Row.Price) != 1 || string(m.Row.Price[0].USDPerMillion) != price {
					t.Errorf("%s is priced %v, want %s", id, prices(m), price)
				}
			}
			for _, id := range []string{"huge", "less"} {
				if m := model(t, c, id); len(m.Row.Price) != 0 || len(m.Unread) != 1 || m.Unread[0].Why == "" {
					t.Errorf("%s is priced %v, and unread is %+v", id, prices(m), m.Unread)
				}
			}
			if m := model(t, c, "minus"); m.Row.Limits != nil {
				t.Errorf("a negative limit is read: %+v", m.Row.Limits)
			}
			if m := model(t, c, "long"); m.Row.Name != "" {
				t.Errorf("a name of 10 MB is believed")
			}
			if len(c.News) != 1 || c.News[0].Count != 1 || !strings.HasSuffix(c.News[0].Path, "surprise") {
				t.Errorf("unknown fields: %+v", c.News)
			}
			told := map[string]bool{}
			for _, fault := range c.Faults {
				if fault.At == "" || len(fault.At)+len(fault.Why) > 500 {
					t.Errorf("a fault that helps nobody: %.200q: %.200q", fault.At, fault.Why)
				}
				for _, what := range []string{"step of a path", "nobody sees", "256 bytes", "capitals alone", "negative"} {
					told[what] = told[what] || strings.Contains(fault.Why, what)
				}
			}
			if len(told) != 5 || len(c.Faults) < 8 {
				t.Errorf("faults: %+v", c.Faults)
			}
			want.Build([]fact.Catalog{c}, nil, nil)
		})
	}
}

// The order of entries, and of the members of each, means nothing: of every reader.
func TestShuffledEntries(t *testing.T) {
	all := append(entries(), entry{id: "twice", name: "One", price: "3", limit: "10"}, entry{id: "twice", name: "Two", price: "3", limit: "20"},
		entry{id: "odd", name: "One", price: `"oops"`}, entry{id: "odd", name: "Two", price: "1e308"})
	all = slices.DeleteFunc(all, func(e entry) bool { return e.id == "long" })
	rng := rand.New(rand.NewPCG(1, 2))
	for _, f := range formats {
		first := readFrom(t, f.reader, f.name, f.write(all, asWritten))
		for range 20 {
			shuffle := func(list []string) { rng.Shuffle(len(list), func(a, b int) { list[a], list[b] = list[b], list[a] }) }
			got := readFrom(t, f.reader, f.name, f.write(all, shuffle))
			if diff := cmp.Diff(first, got, cmp.Exporter(func(reflect.Type) bool { return true })); diff != "" {
				t.Fatalf("%s %s: %s", f.reader, f.name, diff)
			}
		}
	}
}

// What is hostile as a whole is an error that says so, or nothing that costs much: no
// reader panics, and none reads a part of what breaks off.
func TestHostileFiles(t *testing.T) {
	good := entries()[:1]
	for _, f := range formats {
		if f.file == "" {
			continue
		}
		whole := f.write(good, asWritten)[f.file]
		for what, text := range map[string]string{
			"cut off": whole[:len(whole)-2], "nothing": "", "a word": "oops", "a list of numbers": "[1,2]", "null": "null", "deeper than any parser goes": strings.Repeat("[", 1<<20),
			"something behind it": whole + "{}",
		} {
			c, err := tryRead(f.reader, f.name, map[string]string{f.file: text})
			if err == nil && (len(c.Models) > 0 || len(c.Faults) == 0) {
				t.Errorf("%s %s, %s: %d models, no fault", f.reader, f.name, what, len(c.Models))
			}
		}
	}
	for what, text := range map[string]string{
		"an alias": "id: acme\nmodels: &m\n  - id: x\nmore: *m\n", "deep": "id: acme\nmodels: " + strings.Repeat("[", 1<<20) + "\n", "two documents": "id: acme\n---\nid: b\n",
	} {
		if c, err := tryRead("genai-prices", ".", map[string]string{"acme.yml": text}); err == nil && len(c.Faults) == 0 {
			t.Errorf("genai-prices, %s: no fault", what)
		}
	}
	for what, text := range map[string]string{
		"deep": "x = " + strings.Repeat("[", 1<<20), "deep headers": "[" + strings.Repeat("a.", 1<<16) + "a]\n", "a key twice": "name = \"a\"\nname = \"b\"\n", "no UTF-8": "name = \"\xff\"\n",
	} {
		if c, err := tryRead("models.dev", ".", map[string]string{"providers/acme/models/a.toml": text}); err == nil && len(c.Faults) == 0 {
			t.Errorf("models.dev, %s: no fault", what)
		}
	}
}

// Our own format is held to its own law: what contradicts it is refused whole, with
// where and why.
func TestHostileOwn(t *testing.T) {
	tree := func(model string) map[string]string {
		return map[string]string{"catalog_sources/a.toml": "schema = \"1.0\"\n[provider.acme]\nname = \"Acme\"\n[provider.acme.credential]\nscheme = \"none\"\n" +
			"[provider.acme.endpoint.openai_chat_completions]\nurl = \"https://acme.example/v1\"\n[[model]]\nprovider = \"acme\"\nlisted_as = [\"unknown\"]\n" +
			"source = [{ url = \"https://acme.example\", checked_on = \"2026-11-30\" }]\n" + model + "\n"}
	}
	if c := readFrom(t, "harn", ".", tree(`wire_model = "a"`)); len(c.Models) != 1 {
		t.Fatalf("%+v", c)
	}
	for _, model := range []string{
		`wire_model = "nul\u0000"`, "wire_model = \"a\"\nlimits = { context_tokens = -5 }",
		"wire_model = \"a\"\nprice = [{ meter = \"input_token\", usd_per_million = \"1e308\" }]", "wire_model = \"a\"\nprice = [{ meter = \"input_token\", usd_per_million = \"-1\" }]",
		"wire_model = \"a\"\nname = \"" + strings.Repeat("x", 10<<20) + "\"", "wire_model = \"a\"\nsurprise = " + nested(500),
	} {
		if _, err := tryRead("harn", ".", tree(model)); err == nil || !strings.Contains(err.Error(), "catalog_sources/a.toml:") {
			t.Errorf("%.60s: %v", model, err)
		}
	}
	marked := readFrom(t, "harn", ".", tree(`wire_model = "a\u202eb"`)) // our format takes it, since a vendor might; it is not brought in
	if set := want.Build([]fact.Catalog{marked}, nil, nil); len(set.Held) == 0 || !strings.Contains(set.Held[len(set.Held)-1].Why, "nobody sees") || len(jobs(set)) != 0 {
		t.Errorf("%+v", set)
	}
	for _, text := range []string{"", "null", "{}", `{"schema":"opcat.catalog@1"}`, strings.Repeat("[", 1<<20), `{"schema":"opcat.catalog@1","models":[{"id":"../../x"}]}`} {
		if c, err := tryRead("opcat", "c.json", map[string]string{"c.json": text}); err == nil {
			t.Errorf("%.60s: %d models", text, len(c.Models))
		}
	}
}

// On the disk there are worse things than bad texts: a file of two gigabytes, a link to
// itself, one that leads out, a ring of folders, a pipe and a link to it. None is followed or read, and the rest is.
func TestHostileDisk(t *testing.T) {
	for _, f := range formats {
		t.Run(f.reader+" "+f.name, func(t *testing.T) {
			dir := t.TempDir()
			outside := filepath.Join(t.TempDir(), "secret")
			if err := os.WriteFile(outside, []byte("[\"secret\"]\n"), 0o644); err != nil {
				t.Fatal(err)
			}
			ext := ".json"
			below := "."
			for name, text := range f.write(entries()[:1], asWritten) {
				full := filepath.Join(dir, filepath.FromSlash(name))
				if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(full, []byte(text), 0o644); err != nil {
					t.Fatal(err)
				}
				ext = filepath.Ext(name)
				if f.file == "" {
					below = filepath.Dir(name)
				}
			}
			folder := filepath.Join(dir, below)
			huge, err := os.Create(filepath.Join(folder, "huge"+ext))
			if err != nil {
				t.Fatal(err)
			}
			if err := huge.Truncate(2 << 30); err != nil {
				lacks(t, err)
			}
			huge.Close()
			for name, to := range map[string]string{"loop" + ext: "loop" + ext, "out" + ext: outside, "ring": ".", "waits" + ext: "pipe"} {
				if err := os.Symlink(to, filepath.Join(folder, name)); err != nil {
					lacks(t, err)
				}
			}
			if err := exec.Command("mkfifo", filepath.Join(folder, "pipe"), filepath.Join(folder, "pipe"+ext)).Run(); err != nil {
				lacks(t, err)
			}
			disk, err := fragment.Open(dir)
			if err != nil {
				t.Fatal(err)
			}
			defer disk.Close()
			r, _ := upstream.Find(f.reader)
			from := func(name string) (fact.Catalog, error) {
				return r.Read(upstream.Input{FS: disk, Name: name, Source: fact.Source{Name: f.reader, URL: "pkg:generic/x@1", Checked: "2026-11-30"}})
			}
			c, err := from(f.name)
			if err != nil || len(c.Models) != 1 || c.Models[0].Row.WireModel != "good" {
				t.Errorf("%v: %+v", err, c)
			}
			if f.name == "." {
				if len(c.Faults) != 5 {
					t.Errorf("faults: %+v", c.Faults)
				}
				return
			}
			for _, name := range []string{"huge.json", "loop.json", "out.json", "pipe.json", "waits.json"} {
				if c, err := from(name); err == nil {
					t.Errorf("%s: %+v", name, c)
				}
			}
		})
	}
	if _, err := doc.ReadFile(os.DirFS("/dev"), "null", nil); err == nil {
		t.Error("a device is read")
	}
}

// lacks skips where the disk cannot hold such a file; CI's can.
func lacks(t *testing.T, err error) {
	t.Helper()
	if os.Getenv("CI") != "" {
		t.Fatal(err)
	}
	t.Skip(err)
}
