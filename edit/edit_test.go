package edit_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/BurntSushi/toml"
	"github.com/google/go-cmp/cmp"
	"github.com/opcat/opcat/edit"
)

func parse(t testing.TB, src string) *edit.Doc {
	t.Helper()
	d, err := edit.Parse([]byte(src))
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func result(t testing.TB, d *edit.Doc) string {
	t.Helper()
	out, err := d.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

const sample = `# Prices as of Monday.
schema = "1.0"

[[model]] # the small one
provider = "acme"
wire_model = "chat-1"   # as on the wire
limits = { context_tokens = 4096, output_tokens = 1024 } # both checked
price = [
  # standard
  { meter = "input_token", usd_per_million = "1" }, # in
  { meter = "output_token", usd_per_million = "2" },
]

  [model.presentation]
  tier = "small"

# And this is the other.
[[model]]
provider = "acme"
wire_model = "chat-2"
tags = ["a", "b", "c"]

[[model.price]]
meter = "input_token"
usd_per_million = "3"
`

// Each edit changes what it is to change, and not a byte besides.
func TestEdits(t *testing.T) {
	row := func(d *edit.Doc, i int) *edit.Node { return d.Root().Get("model").Items()[i] }
	order := []string{"provider", "wire_model", "name", "limits", "price", "tags", "source"}
	for _, c := range []struct {
		name     string
		edit     func(*edit.Doc)
		old, new string
	}{
		{"replace a value", func(d *edit.Doc) { d.Replace(row(d, 0).Path("limits", "output_tokens"), "2048") },
			"output_tokens = 1024", "output_tokens = 2048"},
		{"put a key in its order", func(d *edit.Doc) { d.Put(row(d, 0), "name", `"One"`, order) },
			"# as on the wire\n", "# as on the wire\nname = \"One\"\n"},
		{"put a key last", func(d *edit.Doc) { d.Put(row(d, 1), "source", `[]`, order) },
			"tags = [\"a\", \"b\", \"c\"]\n", "tags = [\"a\", \"b\", \"c\"]\nsource = []\n"},
		{"put a key in an inline table", func(d *edit.Doc) {
			d.Put(row(d, 0).Get("limits"), "input_tokens", "10", []string{"context_tokens", "input_tokens"})
		}, "context_tokens = 4096,", "context_tokens = 4096, input_tokens = 10,"},
		{"put a key in a table with a header", func(d *edit.Doc) { d.Put(row(d, 0).Get("presentation"), "blurb", `"x"`, nil) },
			"  tier = \"small\"\n", "  tier = \"small\"\n  blurb = \"x\"\n"},
		{"remove a key and keep its comment", func(d *edit.Doc) { d.Remove(row(d, 0).Get("wire_model")) },
			"wire_model = \"chat-1\"   # as on the wire", "# as on the wire"},
		{"remove a key of an inline table", func(d *edit.Doc) { d.Remove(row(d, 0).Path("limits", "context_tokens")) },
			"{ context_tokens = 4096, output_tokens", "{ output_tokens"},
		{"remove the last key of an inline table", func(d *edit.Doc) { d.Remove(row(d, 0).Path("limits", "output_tokens")) },
			", output_tokens = 1024 }", " }"},
		{"remove all keys of an inline table", func(d *edit.Doc) {
			d.Remove(row(d, 0).Path("limits", "output_tokens"))
			d.Remove(row(d, 0).Path("limits", "context_tokens"))
		}, "{ context_tokens = 4096, output_tokens = 1024 }", "{}"},
		{"remove an item with a line of its own, and keep its comment", func(d *edit.Doc) { d.Remove(row(d, 0).Get("price").Items()[0]) },
			"{ meter = \"input_token\", usd_per_million = \"1\" }, # in", "# in"},
		{"remove the last item", func(d *edit.Doc) { d.Remove(row(d, 1).Get("tags").Items()[2]) },
			`"b", "c"]`, `"b"]`},
		{"remove two items", func(d *edit.Doc) {
			d.Remove(row(d, 1).Get("tags").Items()[1])
			d.Remove(row(d, 1).Get("tags").Items()[2])
		}, `["a", "b", "c"]`, `["a"]`},
		{"remove the last item and add one", func(d *edit.Doc) {
			d.Remove(row(d, 1).Get("tags").Items()[2])
			d.Add(row(d, 1).Get("tags"), `"d"`)
		}, `["a", "b", "c"]`, `["a", "b", "d"]`},
		{"put others in the place of all", func(d *edit.Doc) {
			for _, item := range row(d, 1).Get("tags").Items() {
				d.Remove(item)
			}
			d.Add(row(d, 1).Get("tags"), `"x"`)
			d.Add(row(d, 1).Get("tags"), `"y"`)
		}, `["a", "b", "c"]`, `["x", "y"]`},
		{"add an item on a line of its own", func(d *edit.Doc) { d.Add(row(d, 0).Get("price"), `{ meter = "request", usd_per_unit = "1" }`) },
			"  { meter = \"output_token\", usd_per_million = \"2\" },\n", "  { meter = \"output_token\", usd_per_million = \"2\" },\n  { meter = \"request\", usd_per_unit = \"1\" },\n"},
		{"add an item to a list on one line", func(d *edit.Doc) { d.Add(row(d, 1).Get("tags"), `"d"`) },
			`"b", "c"]`, `"b", "c", "d"]`},
		{"add a table with a header", func(d *edit.Doc) {
			d.AddTable(row(d, 1).Get("price"), "meter = \"output_token\"\nusd_per_million = \"9\"\n")
		}, "usd_per_million = \"3\"\n", "usd_per_million = \"3\"\n\n[[model.price]]\nmeter = \"output_token\"\nusd_per_million = \"9\"\n"},
		{"append a table", func(d *edit.Doc) { d.Append("[[model]]\nprovider = \"b\"\n") },
			"usd_per_million = \"3\"\n", "usd_per_million = \"3\"\n\n[[model]]\nprovider = \"b\"\n"},
		{"remove a table with all below it", func(d *edit.Doc) { d.Remove(row(d, 1)) },
			sample[strings.Index(sample, "[[model]]\nprovider = \"acme\"\nwire_model = \"chat-2\""):], "\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if strings.Count(sample, c.old) != 1 {
				t.Fatalf("%q stands %d times in the sample", c.old, strings.Count(sample, c.old))
			}
			d := parse(t, sample)
			c.edit(d)
			want := strings.Replace(sample, c.old, c.new, 1)
			if diff := cmp.Diff(want, result(t, d)); diff != "" {
				t.Errorf("-want +got\n%s", diff)
			}
			again, err := edit.Apply([]byte(result(t, d)), edit.Inverse(d.Splices()))
			if err != nil || string(again) != sample {
				t.Errorf("taken back, it is not what it was: %v\n%s", err, cmp.Diff(sample, string(again)))
			}
		})
	}
}

// A file without a line break at its end, and one of Windows, keep what they are.
func TestLineBreaksAreKept(t *testing.T) {
	d := parse(t, "a = 1")
	d.Put(d.Root(), "b", "2", nil)
	if got := result(t, d); got != "a = 1\nb = 2" {
		t.Errorf("%q", got)
	}
	d = parse(t, "a = 1\r\n\r\n[t]\r\nc = 3\r\n")
	d.Put(d.Root(), "b", "2", nil)
	d.Append("[u]\nd = 4")
	if got := result(t, d); got != "a = 1\r\nb = 2\r\n\r\n[t]\r\nc = 3\r\n\r\n[u]\r\nd = 4\r\n" {
		t.Errorf("%q", got)
	}
}

// Whatever is edited, the file says just what it should then, every comment is still
// there, and what was not edited is, byte for byte, what it was.
func TestEditedFilesSayWhatTheyShould(t *testing.T) {
	for seed := range uint64(1000) {
		check(t, rand.New(rand.NewPCG(seed, 7)))
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
}

func FuzzEdits(f *testing.F) {
	f.Add(uint64(1), uint64(2))
	f.Fuzz(func(t *testing.T, a, b uint64) { check(t, rand.New(rand.NewPCG(a, b))) })
}

// FuzzParse: what both readers of TOML take is read here too, and comes back as it is.
func FuzzParse(f *testing.F) {
	f.Add([]byte(sample))
	f.Add([]byte("a.b.c = [1, {d = '''x'''}]\n[[t]]\n[t.u]\n\"q k\" = \"\"\"\n\\\"\"\"\"\n"))
	f.Fuzz(func(t *testing.T, src []byte) {
		var facts map[string]any
		if _, err := toml.Decode(string(src), &facts); err != nil {
			return
		}
		d, err := edit.Parse(src)
		if err != nil {
			return // go-toml's parser refuses some of it
		}
		if got := result(t, d); got != string(src) {
			t.Fatalf("%q became %q", src, got)
		}
	})
}

func check(t *testing.T, r *rand.Rand) {
	src := write(r)
	facts := decode(t, src)
	d := parse(t, src)
	done := map[*edit.Node]bool{}
	var log []string
	for range 1 + r.IntN(6) {
		log = append(log, step(r, d, facts, done))
	}
	out, err := d.Bytes()
	if err != nil {
		t.Fatalf("after %s: %v: %+v\n%s", strings.Join(log, "; "), err, d.Splices(), src)
	}
	got := string(out)
	if diff := cmp.Diff(facts, decode(t, got)); diff != "" {
		t.Errorf("after %s:\n%s\nbecame\n%s\n-want +got\n%s", strings.Join(log, "; "), src, got, diff)
	}
	for _, c := range comments(src) {
		if !strings.Contains(got, c) {
			t.Errorf("the comment %q is lost:\n%s\nbecame\n%s", c, src, got)
		}
	}
	if back, err := edit.Apply([]byte(got), edit.Inverse(d.Splices())); err != nil || string(back) != src {
		t.Errorf("cannot be taken back: %v", err)
	}
}

func comments(src string) (out []string) {
	for i := 0; ; i++ {
		c := fmt.Sprintf("# c%d.", i)
		if !strings.Contains(src, c) {
			return out
		}
		out = append(out, c)
	}
}

func decode(t *testing.T, src string) map[string]any {
	t.Helper()
	var v map[string]any
	if _, err := toml.Decode(src, &v); err != nil {
		t.Fatalf("%v\n%s", err, src)
	}
	return v
}

// step edits one row of the file and of the facts alike.
func step(r *rand.Rand, d *edit.Doc, facts map[string]any, done map[*edit.Node]bool) string {
	rows, ok := facts["row"].([]map[string]any)
	if !ok || len(rows) == 0 {
		return "nothing"
	}
	i := r.IntN(len(rows))
	row, node := rows[i], d.Root().Get("row").Items()[i]
	names := []string{"k0", "k1", "k2", "k3", "k4", "list", "table"}
	name := names[r.IntN(len(names))]
	at := node.Get(name)
	if done[at] && at != nil || done[node] {
		return "nothing"
	}
	value := int64(r.IntN(1000))
	switch list, isList := row[name].([]any); {
	case at == nil && row[name] == nil:
		d.Put(node, name, fmt.Sprint(value), names)
		row[name] = value
		return fmt.Sprintf("put %s in %d", name, i)
	case at == nil:
		return "nothing"
	case isList && len(list) > 0 && !at.Headed() && r.IntN(2) == 0:
		done[at] = true
		var left []any
		for j, item := range at.Items() {
			if r.IntN(2) == 0 {
				d.Remove(item)
			} else {
				left = append(left, list[j])
			}
		}
		for range r.IntN(3) {
			d.Add(at, fmt.Sprint(value))
			left = append(left, value)
		}
		if left == nil {
			left = []any{}
		}
		row[name] = left
		return fmt.Sprintf("change the list of %d", i)
	case name == "table" && r.IntN(2) == 0:
		done[at] = true
		table := row[name].(map[string]any)
		for _, c := range slices.Clone(at.Items()) {
			if r.IntN(2) == 0 {
				d.Remove(c)
				delete(table, c.Name)
			}
		}
		d.Put(at, "new", fmt.Sprint(value), nil)
		table["new"] = value
		return fmt.Sprintf("change the table of %d", i)
	case at.Headed() || r.IntN(2) == 0:
		done[at] = true
		d.Remove(at)
		delete(row, name)
		return fmt.Sprintf("remove %s of %d", name, i)
	case name == "table":
		return "nothing"
	default:
		done[at] = true
		d.Replace(at, fmt.Sprint(value))
		row[name] = value
		return fmt.Sprintf("replace %s of %d", name, i)
	}
}

// write writes a file in many hands: comments, blank lines, tables and lists in all
// their spellings.
func write(r *rand.Rand) string {
	var b strings.Builder
	n := 0
	comment := func() string { n++; return fmt.Sprintf("# c%d.", n-1) }
	maybe := func() {
		switch r.IntN(6) {
		case 0:
			b.WriteString("\n")
		case 1:
			b.WriteString(comment() + "\n")
		}
	}
	tail := func() {
		if r.IntN(4) == 0 {
			b.WriteString(strings.Repeat(" ", r.IntN(3)) + comment())
		}
		b.WriteString("\n")
	}
	maybe()
	if r.IntN(2) == 0 {
		b.WriteString("top = \"[row] # no comment\"")
		tail()
	}
	for range r.IntN(4) {
		maybe()
		b.WriteString("[[row]]")
		tail()
		headed := ""
		for _, k := range []string{"k0", "k1", "list", "k2", "table", "k3"} {
			if r.IntN(3) == 0 {
				continue
			}
			maybe()
			switch {
			case k == "list":
				b.WriteString("list = " + list(r, comment))
			case k == "table" && r.IntN(3) == 0:
				headed = "\n[row.table]\nx = 1\n" + comment() + "\ny = '#'\n"
				continue
			case k == "table" && r.IntN(2) == 0:
				b.WriteString("table.x = 1\n")
				maybe()
				b.WriteString("table.\"y z\" = 2")
			case k == "table":
				b.WriteString([]string{"table = {}", "table = {x=1}", "table = { x = 1, y = [1, 2], z.w = \"}\" }"}[r.IntN(3)])
			default:
				b.WriteString(strings.Repeat(" ", r.IntN(2)) + k + []string{"=", " = "}[r.IntN(2)] +
					[]string{"1", `"a # b"`, "'''\nx\n'''", "true", `"\""`, "[ [1,2], [3] ]"}[r.IntN(6)])
			}
			tail()
		}
		b.WriteString(headed)
	}
	maybe()
	out := b.String()
	if r.IntN(8) == 0 {
		out = strings.TrimRight(out, "\n")
	}
	return out
}

func list(r *rand.Rand, comment func() string) string {
	items := []string{"1", `"]"`, "{ a = 1, b = '#' }", "[2]"}
	r.Shuffle(len(items), func(i, j int) { items[i], items[j] = items[j], items[i] })
	items = items[:r.IntN(len(items)+1)]
	if r.IntN(2) == 0 {
		end := ""
		if len(items) > 0 && r.IntN(3) == 0 {
			end = ","
		}
		return "[" + strings.Join(items, ", ") + end + "]"
	}
	var b strings.Builder
	b.WriteString("[\n")
	for i, item := range items {
		if r.IntN(4) == 0 {
			b.WriteString("  " + comment() + "\n")
		}
		b.WriteString("  " + item)
		if i < len(items)-1 || r.IntN(3) > 0 {
			b.WriteString(",")
		}
		if r.IntN(4) == 0 {
			b.WriteString(" " + comment())
		}
		b.WriteString("\n")
	}
	return b.String() + "]"
}

// A diff turns the one text into the other, and back.
func TestDiff(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	text := func() string {
		var b strings.Builder
		for range r.IntN(12) {
			fmt.Fprintf(&b, "%c\n", 'a'+rune(r.IntN(8)))
		}
		if r.IntN(3) == 0 {
			b.WriteString("end")
		}
		return b.String()
	}
	for range 5000 {
		old, wanted := text(), text()
		splices := edit.Diff([]byte(old), []byte(wanted))
		got, err := edit.Apply([]byte(old), splices)
		if err != nil || string(got) != wanted {
			t.Fatalf("%q to %q gave %q, %v: %+v", old, wanted, got, err, splices)
		}
		if back, err := edit.Apply(got, edit.Inverse(splices)); err != nil || string(back) != old {
			t.Fatalf("%q: %q back, %v", old, back, err)
		}
	}
	long := strings.Repeat("x = 1\ny = 2\n\n", 50) + "z = 3\n"
	if got := edit.Diff([]byte(long+"a = 1\nb = 2\n"), []byte(long+"b = 2\nc = 3\n")); len(got) != 2 || len(got[0].Old)+len(got[0].New)+len(got[1].Old)+len(got[1].New) != 12 {
		t.Errorf("%+v", got)
	}
}
