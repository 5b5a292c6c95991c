package schema

import (
	"bytes"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/BurntSushi/toml"
	"github.com/opcat/opcat/compile/form"
	"github.com/opcat/opcat/compile/fragment"
	"github.com/opcat/opcat/compile/tree"
	"github.com/opcat/opcat/diag"
	"github.com/opcat/opcat/shape"
	"github.com/rogpeppe/go-internal/txtar"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

var roots = []*form.Root{form.Catalog, form.Capabilities}

// A judge holds the schema of a root against the decoder.
type judge struct {
	root   *form.Root
	schema *jsonschema.Schema
	agreed map[bool]int // how often, by the answer
}

func newJudge(t *testing.T, root *form.Root) *judge {
	return &judge{root, compiled(t, root.Name), map[bool]int{}}
}

// decoded is what the decoder finds in a fragment, and whether that is of today's
// format.
func (j *judge) decoded(src string) (found diag.List, today bool) {
	f, found := fragment.File(&tree.File{Path: j.root.Name + "/x.toml"}, []byte(src))
	return found, !f.Legacy
}

// agree checks that decoder and schema give one answer about a file. It reports false
// for one that a schema has no say in: no TOML, of format 0, or wrong in a way that
// JSON has no words for.
func (j *judge) agree(t *testing.T, name, src string) bool {
	t.Helper()
	var read map[string]any
	if _, err := toml.Decode(src, &read); err != nil {
		return false
	}
	value, odd := jsonValue(read)
	if odd {
		return false
	}
	found, today := j.decoded(src)
	if !today || beyondSchemas(found) {
		return false
	}
	err := j.schema.Validate(value)
	if (err == nil) == found.HasErrors() {
		t.Errorf("%s:\n%s\nthe decoder says %v\nthe schema says %v", name, src, found, err)
	}
	j.agreed[err == nil]++
	return true
}

// beyondSchemas reports findings about how a file is written, and not what it holds.
func beyondSchemas(found diag.List) bool {
	for _, d := range found {
		switch d.Code {
		case diag.NewerTOML, diag.NestedTooDeep, diag.ByteOrderMark, diag.InvalidUTF8, diag.FileTooLarge, diag.BareDate, diag.SchemaMissing:
			return true
		}
	}
	return false
}

func compiled(t testing.TB, name string) *jsonschema.Schema {
	t.Helper()
	all, err := files()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range all {
		if f.Path != name+".schema.json" {
			continue
		}
		doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(f.Data))
		if err != nil {
			t.Fatal(err)
		}
		c := jsonschema.NewCompiler()
		if err := c.AddResource("schema.json", doc); err != nil {
			t.Fatal(err)
		}
		s, err := c.Compile("schema.json")
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	t.Fatalf("there is no schema %s", name)
	return nil
}

// The sources of the bundled catalog are accepted by both.
func TestCommittedFragments(t *testing.T) {
	for _, root := range roots {
		j := newJudge(t, root)
		err := filepath.WalkDir(filepath.Join("../..", root.Name), func(p string, e fs.DirEntry, err error) error {
			if err != nil || filepath.Ext(p) != ".toml" {
				return err
			}
			src, err := os.ReadFile(p)
			if err == nil && !j.agree(t, p, string(src)) {
				t.Errorf("%s was not looked at", p)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		if j.agreed[true] == 0 || j.agreed[false] > 0 {
			t.Errorf("%s: %d files are accepted, %d refused", root.Name, j.agreed[true], j.agreed[false])
		}
	}
}

// What scripts and the pages of codes show, good and bad, gets one answer.
func TestFragmentsOfTests(t *testing.T) {
	for _, root := range roots {
		j := newJudge(t, root)
		look := func(name string, a *txtar.Archive) {
			for _, f := range a.Files {
				_, under, ok := strings.Cut("/"+f.Name, "/"+root.Name+"/")
				if ok && strings.HasSuffix(under, ".toml") {
					j.agree(t, name+": "+f.Name, string(f.Data))
				}
			}
		}
		for _, e := range diag.Codes() {
			look(string(e.Code)+" wrong", txtar.Parse([]byte(e.Wrong)))
			look(string(e.Code)+" right", txtar.Parse([]byte(e.Right)))
		}
		for _, pattern := range []string{"../../cmd/opcat/testdata/script/*.txtar", "../../compile/*/testdata/*.txtar", "../../operations/testdata/*.txtar"} {
			names, err := filepath.Glob(pattern)
			if err != nil || len(names) == 0 {
				t.Fatalf("%s: no files, %v", pattern, err)
			}
			for _, name := range names {
				a, err := txtar.ParseFile(name)
				if err != nil {
					t.Fatal(err)
				}
				look(name, a)
			}
		}
		if j.agreed[true] < 50 || j.agreed[false] < 5 {
			t.Errorf("%s: only %d good and %d bad fragments", root.Name, j.agreed[true], j.agreed[false])
		}
	}
}

// Each key of the format, alone in as small a fragment as may hold it, with values
// that are good and bad for it.
func TestEveryKey(t *testing.T) {
	for _, root := range roots {
		j := newJudge(t, root)
		m := &maker{rand.New(rand.NewPCG(3, 4)), map[*shape.Key]bool{}}
		visited := map[*shape.Table]bool{}
		var visit func(t2 *shape.Type, wrap func(any) map[string]any)
		visit = func(t2 *shape.Type, wrap func(any) map[string]any) {
			switch t2.Kind {
			case shape.Union:
				for _, member := range t2.Of {
					visit(member, wrap)
				}
			case shape.List:
				visit(t2.Elem, func(v any) map[string]any { return wrap([]any{v}) })
			case shape.Map:
				visit(t2.Elem, func(v any) map[string]any { return wrap(map[string]any{good[t2.KeyKind][0]: v}) })
				for _, key := range append(append([]string{}, good[t2.KeyKind]...), bad[t2.KeyKind]...) {
					j.agree(t, "a key", fragmentText(wrap(map[string]any{key: m.value(t2.Elem, 9)})))
				}
			case shape.Record:
				if visited[t2.Table] {
					return
				}
				visited[t2.Table] = true
				for _, k := range t2.Table.Keys {
					with := func(v any) map[string]any {
						table := m.table(t2.Table, 9)
						table[k.Name] = v
						if k.Need == shape.Always && v == nil {
							delete(table, k.Name)
						}
						return wrap(table)
					}
					name := t2.Table.Name + ", " + k.Name
					for _, v := range candidates(k.Type, m) {
						j.agree(t, name, fragmentText(with(v)))
					}
					if k.Need == shape.Always {
						j.agree(t, name, fragmentText(with(nil)))
					}
					visit(k.Type, with)
				}
				for _, k := range t2.Table.Moved {
					table := m.table(t2.Table, 9)
					table[k.Name] = "x"
					j.agree(t, t2.Table.Name+", "+k.Name, fragmentText(wrap(table)))
				}
			}
		}
		for _, k := range root.Table().Keys {
			wrap := func(v any) map[string]any {
				top := map[string]any{"schema": form.Version}
				top[k.Name] = v
				return top
			}
			for _, v := range candidates(k.Type, m) {
				j.agree(t, k.Name, fragmentText(wrap(v)))
			}
			visit(k.Type, wrap)
		}
		if len(visited) < 20 || j.agreed[true] < 200 || j.agreed[false] < 500 {
			t.Errorf("%s: %d tables, %d good and %d bad fragments", root.Name, len(visited), j.agreed[true], j.agreed[false])
		}
		t.Logf("%s: %d tables, %d good and %d bad fragments", root.Name, len(visited), j.agreed[true], j.agreed[false])
	}
}

// candidates are values good and bad for a type.
func candidates(t *shape.Type, m *maker) []any {
	out := []any{m.value(t, 9), int64(-1), int64(0), int64(1), int64(1 << 40), 0.5, true, "x", "", []any{}, []any{"x", "x"}, []any{int64(1)}, map[string]any{}, map[string]any{"x": "y"}}
	switch t.Kind {
	case shape.Enum:
		for _, w := range t.Values {
			out = append(out, w)
		}
		out = append(out, "no-such-word")
	case shape.Count:
		out = append(out, t.Min, t.Min-1, t.Max, t.Max+1)
	case shape.List:
		if t.Elem.Kind == shape.Enum && len(t.Elem.Values) == 0 {
			break
		}
		item := m.value(t.Elem, 9)
		out = append(out, []any{item}, []any{item, item}, []any{item, "x"}, item)
	case shape.Union:
		for _, member := range t.Of {
			out = append(out, candidates(member, m)...)
		}
	}
	for _, s := range append(append([]string{}, good[t.Kind]...), bad[t.Kind]...) {
		out = append(out, s)
	}
	return out
}

// Whole fragments made at random are accepted by both; what is spoilt in them gets one
// answer.
func TestSpoiltFragments(t *testing.T) {
	for _, root := range roots {
		j := newJudge(t, root)
		m := &maker{rand.New(rand.NewPCG(5, 6)), map[*shape.Key]bool{}}
		for range 400 {
			made := m.table(root.Table(), 0)
			made["schema"] = form.Version
			src := fragmentText(made)
			if found, _ := j.decoded(src); found.HasErrors() {
				t.Fatalf("the fragment is meant to be good:\n%s\n%v", src, found)
			}
			j.agree(t, "made", src)
			for range 4 {
				if _, done := m.spoil(any(made)); done {
					j.agree(t, "spoilt", fragmentText(made))
				}
			}
		}
		t.Logf("%s: %d keys, %d good and %d bad fragments", root.Name, len(m.seen), j.agreed[true], j.agreed[false])
	}
}

// someFragments are values made as in TestSpoiltFragments, for validators alone.
func someFragments(root *form.Root) (out []any) {
	m := &maker{rand.New(rand.NewPCG(7, 8)), map[*shape.Key]bool{}}
	for range 150 {
		made := m.table(root.Table(), 0)
		made["schema"] = form.Version
		v, _ := jsonValue(made) // a copy
		out = append(out, v)
		for range 3 {
			m.spoil(made)
			v, _ := jsonValue(made)
			out = append(out, v)
		}
	}
	return out
}

// A manifest has two texts.
func TestManifest(t *testing.T) {
	s := compiled(t, "layer")
	for value, want := range map[string]bool{`{"schema":"1.0","name":"ours"}`: true, `{"schema":"1.0"}`: false, `{"schema":"1.0","name":""}`: false,
		`{"schema":"1.0","name":"ours","rank":1}`: false} {
		v, err := jsonschema.UnmarshalJSON(strings.NewReader(value))
		if err != nil {
			t.Fatal(err)
		}
		if got := s.Validate(v) == nil; got != want {
			t.Errorf("%s: %v", value, got)
		}
	}
}
