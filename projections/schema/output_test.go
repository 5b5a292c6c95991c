package schema

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/opcat/opcat/catalog"
	"github.com/opcat/opcat/compile/build"
	"github.com/opcat/opcat/internal/node"
	"github.com/opcat/opcat/internal/testcat"
	"github.com/opcat/opcat/projections/docs"
	"github.com/opcat/opcat/projections/emit"
	jsonfiles "github.com/opcat/opcat/projections/json"
	"github.com/opcat/opcat/projections/picker"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

// schemaOf names the schema of a file of the projections json and picker; "" for none.
func schemaOf(p string) string {
	switch dir, base := path.Split(p); {
	case path.Ext(p) != ".json":
		return ""
	case dir == "operations/":
		return dir + strings.TrimSuffix(base, ".json") + "/catalog"
	case base == "index.json":
		return "contents"
	case base == "catalog.json", base == "provenance.json", base == "compat.json", base == "picker.json":
		return strings.TrimSuffix(base, ".json")
	}
	return "of a file that has none: " + p
}

func jsonOf(t *testing.T, c *catalog.Catalog, record []byte) map[string][]byte {
	t.Helper()
	made, err := jsonfiles.Emitter.Emit(c)
	if err != nil {
		t.Fatal(err)
	}
	picked, err := picker.Emitter.Emit(c)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string][]byte{}
	for _, f := range append(jsonfiles.WithProvenance(made, record), picked...) {
		if schemaOf(f.Path) != "" {
			out[f.Path] = f.Bytes()
		}
	}
	return out
}

func parsed(t *testing.T, text []byte) any {
	t.Helper()
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// Catalogs that hold something of nearly everything have the shape that their schemas say.
func TestMadeCatalogs(t *testing.T) {
	for seed := range uint64(4) {
		d := testcat.New(seed, 0.9).Draft(7)
		c, err := build.Catalog(d)
		if err != nil {
			t.Fatal(err)
		}
		for name, text := range jsonOf(t, c, build.Provenance(d, c.Digest())) {
			if err := compiled(t, schemaOf(name)).Validate(parsed(t, text)); err != nil {
				t.Errorf("seed %d, %s: %v", seed, name, err)
			}
		}
	}
}

// A record of changes has the shape that its schema says.
func TestRecordOfChanges(t *testing.T) {
	var c [2]*catalog.Catalog
	for i := range c {
		var err error
		if c[i], err = build.Catalog(testcat.New(uint64(i), 0.8).Draft(20 - 9*i)); err != nil {
			t.Fatal(err)
		}
	}
	s := compiled(t, "changes")
	files := docs.WithChanges(nil, c[1], docs.Compare(c[0], c[1]))
	if files[0].Path != docs.ChangesFile {
		t.Fatalf("the first file is %s", files[0].Path)
	}
	v := parsed(t, files[0].Bytes())
	if err := s.Validate(v); err != nil {
		t.Error(err)
	}
	delete(v.(map[string]any), "from")
	if s.Validate(v) == nil {
		t.Error("a record without its start is valid")
	}
}

// committed are the folders whose JSON has schemas.
var committed = []string{"json", "picker"}

// What is committed is valid, and no longer is with a wrong value.
func TestCommittedJSON(t *testing.T) {
	looked := 0
	walk(t, func(_, p string, text []byte) {
		name := schemaOf(p)
		if name == "" {
			return
		}
		looked++
		s := compiled(t, name)
		v := parsed(t, text)
		if err := s.Validate(v); err != nil {
			t.Errorf("%s: %v", p, err)
		}
		top := v.(map[string]any)
		for k := range top {
			was := top[k]
			delete(top, k)
			if slices.Contains([]string{"schema", "catalog", "models", "files", "operations", "rows", "prices"}, k) && s.Validate(v) == nil {
				t.Errorf("%s without %s is valid", p, k)
			}
			top[k] = true
			if s.Validate(v) == nil {
				t.Errorf("%s with true as %s is valid", p, k)
			}
			top[k] = was
		}
	})
	if looked < 9 {
		t.Errorf("only %d files were looked at", looked)
	}
}

func walk(t *testing.T, visit func(folder, p string, text []byte)) {
	t.Helper()
	for _, folder := range committed {
		root := filepath.Join("..", "..", "gen", folder)
		err := fs.WalkDir(os.DirFS(root), ".", func(p string, e fs.DirEntry, err error) error {
			if err != nil || e.IsDir() {
				return err
			}
			text, err := os.ReadFile(filepath.Join(root, p))
			if err == nil {
				visit(folder, p, text)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// Each schema is one by the draft that it names, and is committed as it is made.
func TestSchemasAreSchemas(t *testing.T) {
	made, err := Emitter.Emit(nil)
	if err != nil {
		t.Fatal(err)
	}
	meta, err := jsonschema.NewCompiler().Compile("https://json-schema.org/draft/2020-12/schema")
	if err != nil {
		t.Fatal(err)
	}
	ids := map[any]string{}
	for _, f := range made {
		if !jsontext.Value(f.Data).IsValid() {
			t.Errorf("%s is no JSON, or has a name twice", f.Path)
		}
		v := parsed(t, f.Data)
		if err := meta.Validate(v); err != nil {
			t.Errorf("%s: %v", f.Path, err)
		}
		id := v.(map[string]any)["$id"]
		if ids[id] != "" {
			t.Errorf("%s and %s are both %v", f.Path, ids[id], id)
		}
		ids[id] = f.Path
		compiled(t, strings.TrimSuffix(f.Path, ".schema.json"))
	}
	diffs, err := emit.Check("../../gen/schema", made)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range diffs {
		t.Errorf("%s\nto mend it: %s", d, emit.Mend("gen"))
	}
}

// What editors read holds nothing that draft-07 does not know, but for $defs.
func TestFragmentSchemasAreOfDraft07(t *testing.T) {
	known := strings.Fields("$schema $id $ref $defs title description default type enum properties required additionalProperties propertyNames items minItems uniqueItems minimum maximum pattern anyOf allOf not")
	var look func(v any, names bool)
	look = func(v any, names bool) {
		switch v := v.(type) {
		case map[string]any:
			if _, ok := v["$ref"]; ok && len(v) > 1 && !names {
				t.Errorf("something stands beside a $ref: %v", v)
			}
			for k, e := range v {
				if !names && !slices.Contains(known, k) {
					t.Errorf("%s is no keyword of draft-07", k)
				}
				look(e, !names && (k == "properties" || k == "$defs"))
			}
		case []any:
			for _, e := range v {
				look(e, false)
			}
		}
	}
	for _, name := range []string{"catalog_sources", "capability_sources", "layer"} {
		for _, f := range must(t) {
			if f.Path == name+".schema.json" {
				look(parsed(t, f.Data), false)
			}
		}
	}
}

// Two runs give the same bytes.
func TestSchemasAreMadeAlike(t *testing.T) {
	again, err := makeFiles()
	if err != nil {
		t.Fatal(err)
	}
	if !slices.EqualFunc(must(t), again, func(a, b emit.File) bool { return a.Path == b.Path && bytes.Equal(a.Data, b.Data) }) {
		t.Error("two runs give other files")
	}
}

func BenchmarkMakeFiles(b *testing.B) {
	for b.Loop() {
		if _, err := makeFiles(); err != nil {
			b.Fatal(err)
		}
	}
}

func must(t *testing.T) []emit.File {
	t.Helper()
	made, err := files()
	if err != nil {
		t.Fatal(err)
	}
	return made
}

// A second validator, in another language, gives the same answers about every
// generated file and about fragments good and bad.
func TestSecondOpinion(t *testing.T) {
	script := node.Script(t, "ajv.js")
	dir := t.TempDir()
	for _, f := range must(t) {
		to := filepath.Join(dir, filepath.FromSlash(f.Path))
		if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(to, f.Data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	var asked bytes.Buffer
	var want []bool
	ask := func(line map[string]any) {
		b, err := json.Marshal(line)
		if err != nil {
			t.Fatal(err)
		}
		asked.Write(append(b, '\n'))
	}
	use := func(name string) {
		ask(map[string]any{"schema": filepath.Join(dir, filepath.FromSlash(name)+".schema.json")})
	}
	walk(t, func(folder, p string, _ []byte) {
		if name := schemaOf(p); name != "" {
			use(name)
			ask(map[string]any{"file": "gen/" + folder + "/" + p})
			want = append(want, true)
		}
	})
	for _, f := range must(t) {
		if path.Base(f.Path) == "request.schema.json" || path.Base(f.Path) == "result.schema.json" {
			use(strings.TrimSuffix(f.Path, ".schema.json"))
			ask(map[string]any{"value": map[string]any{"no_such_member": 1}})
			want = append(want, false)
		}
	}
	for _, root := range roots {
		use(root.Name)
		s := compiled(t, root.Name)
		for _, v := range someFragments(root) {
			ask(map[string]any{"value": v})
			want = append(want, s.Validate(v) == nil)
		}
	}
	script.Stdin = &asked
	var complaints bytes.Buffer
	script.Stderr = &complaints
	out, err := script.Output()
	if err != nil {
		t.Fatalf("%v\n%s%s", err, out, &complaints)
	}
	if complaints.Len() > 0 {
		t.Errorf("ajv complains:\n%s", &complaints)
	}
	answers := strings.Split(strings.TrimSpace(string(out)), "\n")
	if len(answers) != len(want) {
		t.Fatalf("%d answers to %d questions:\n%s", len(answers), len(want), out)
	}
	counts := map[bool]int{}
	for i, a := range answers {
		counts[want[i]]++
		if strings.HasPrefix(a, "true") != want[i] {
			t.Errorf("question %d: ajv says %s, jsonschema says %v", i, a, want[i])
		}
	}
	if counts[true] < 100 || counts[false] < 100 {
		t.Errorf("%v answers were compared", counts)
	}
}
