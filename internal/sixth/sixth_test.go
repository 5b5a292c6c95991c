package sixth

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// The line that the registry's list gains, and the import that goes with it.
const (
	lastImport = "\t\"github.com/opcat/opcat/operations/rerank\"\n"
	newImport  = "\t\"github.com/opcat/opcat/operations/rhyming\"\n"
	lastLine   = "\tof[moderation.Request, moderation.Result](),\n"
	newLine    = "\tof[rhyming.Request, rhyming.Result](),\n"
)

// A tree is the module with some files added or changed.
type tree struct {
	*testing.T
	root, dir string
	replace   map[string]string // by path in the module
}

// TestSixthOperation adds the made-up operation as CONTRIBUTING says it.
func TestSixthOperation(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the module anew")
	}
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	m := &tree{t, root, t.TempDir(), map[string]string{}}

	// One folder. What reads the contract comes once its type is there.
	ops := filepath.Join(m.dir, "operations")
	m.copy(filepath.Join(root, "operations"), ops)
	m.copy("testdata/rhyming", filepath.Join(ops, "rhyming"))
	limit := filepath.Join(ops, "rhyming", "limit.go")
	typedLimit := m.read(limit)
	m.write(limit, "package rhyming\n\nimport \"github.com/opcat/opcat/catalog\"\n\nfunc limit(*catalog.Contract, string) (n catalog.Opt[int64]) { return n }\n")
	for _, name := range []string{"request.schema.json", "result.schema.json"} {
		m.write(filepath.Join(ops, "rhyming", name), "{}\n")
	}
	for _, name := range []string{"rhyming.go", "request.go", "schema.go", "limit.go", "rhyming_test.go", "request.schema.json", "result.schema.json"} {
		m.replace["operations/rhyming/"+name] = filepath.Join(ops, "rhyming", name)
	}
	// One line.
	list := filepath.Join(ops, "operations.go")
	m.write(list, strings.Replace(strings.Replace(m.read(list), lastImport, lastImport+newImport, 1), lastLine, lastLine+newLine, 1))
	m.replace["operations/operations.go"] = list

	// make gen
	m.generate("schemagen", ops)
	gen := filepath.Join(m.dir, "catalog")
	if err := os.MkdirAll(filepath.Join(gen, "flat"), 0o755); err != nil {
		t.Fatal(err)
	}
	m.generate("typegen", gen)
	for _, name := range []string{"types_gen.go", "codec_gen.go", "flat/views_gen.go"} {
		m.replace["catalog/"+name] = filepath.Join(gen, name)
	}
	m.write(limit, typedLimit)

	m.test("operations/rhyming", ".")
	m.test("operations", "Schema|Struct|Settings|RandomValues|Decode|UnknownOperation")
	tool := filepath.Join(m.dir, "opcat")
	m.goRun("build", "-o", tool, "./cmd/opcat")
	out, err := exec.Command(tool, "operation", "get", "rhyming", "--json", "--fields", "name,settings,request_schema").CombinedOutput()
	if err != nil || !bytes.Contains(out, []byte(`{"name":"verses","kind":"count","max":"14"}`)) || !bytes.Contains(out, []byte(`"urn:opcat:rhyming:request:1.0.0"`)) {
		t.Errorf("the command line says %v\n%s", err, out)
	}
}

// generate runs a generator of the changed module in a folder.
func (m *tree) generate(name, in string) {
	m.Helper()
	tool := filepath.Join(m.dir, name)
	m.goRun("build", "-o", tool, "./internal/"+name)
	cmd := exec.Command(tool)
	cmd.Dir = in
	if out, err := cmd.CombinedOutput(); err != nil {
		m.Fatalf("%s: %v\n%s", name, err, out)
	}
}

// test runs tests of a package of the changed module. The package may have no folder
// in the module itself, where a test would be run.
func (m *tree) test(pkg, run string) {
	m.Helper()
	tests := filepath.Join(m.dir, filepath.Base(pkg)+".test")
	m.goRun("test", "-vet=off", "-c", "-o", tests, "./"+pkg)
	cmd := exec.Command(tests, "-test.run", run)
	cmd.Dir = filepath.Join(m.dir, pkg)
	if out, err := cmd.CombinedOutput(); err != nil {
		m.Fatalf("the tests of %s: %v\n%s", pkg, err, out)
	}
}

// goRun runs a go command on the module as it is changed.
func (m *tree) goRun(verb string, args ...string) {
	m.Helper()
	replace := map[string]string{}
	for path, with := range m.replace {
		replace[filepath.Join(m.root, path)] = with
	}
	text, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		m.Fatal(err)
	}
	overlay := filepath.Join(m.dir, "overlay.json")
	m.write(overlay, string(text))
	cmd := exec.Command("go", append([]string{verb, "-overlay", overlay}, args...)...)
	cmd.Dir = m.root
	if out, err := cmd.CombinedOutput(); err != nil {
		m.Fatalf("go %s %s: %v\n%s", verb, strings.Join(args, " "), err, out)
	}
}

// copy copies a folder of sources with what is below it.
func (m *tree) copy(from, to string) {
	m.Helper()
	err := filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		if d.IsDir() {
			return os.MkdirAll(filepath.Join(to, rel), 0o755)
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(to, rel), data, 0o644)
	})
	if err != nil {
		m.Fatal(err)
	}
}

func (m *tree) read(path string) string {
	m.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		m.Fatal(err)
	}
	return string(data)
}

func (m *tree) write(path, text string) {
	m.Helper()
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		m.Fatal(err)
	}
}
