package ts

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/opcat/opcat/compile/build"
	"github.com/opcat/opcat/internal/node"
	"github.com/opcat/opcat/internal/testcat"
	"github.com/opcat/opcat/internal/testcat/small"
)

// The package answers in node as its test file says.
func TestPackageInNode(t *testing.T) {
	c := small.Catalog(t)
	dir := install(t, c)
	var ids []string
	for r := range c.Refs() {
		ids = append(ids, r.ID())
	}
	known, err := json.Marshal(ids)
	if err != nil {
		t.Fatal(err)
	}
	web := install(t, c)
	manifest := filepath.Join(web, "opcatalog", "package.json")
	b, err := os.ReadFile(manifest)
	if err != nil {
		t.Fatal(err)
	}
	put(t, manifest, strings.Replace(string(b), `"node": "./data/*.node.js", `, "", 1))
	cmd := node.Test(t, copyIn(t, dir, "package.test.mjs"))
	cmd.Env = append(os.Environ(), "OPCAT_ROWS="+string(known), "OPCAT_WEB="+web)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

// In node a row is found in its file without reading the whole: in a small catalog with
// every kind of text in its ids, in the bundled one, and in one without rows.
func TestLinesAreFound(t *testing.T) {
	script := filepath.Join(node.Root(t), "projections", "ts", "testdata", "lines.test.mjs")
	none, err := build.Catalog(testcat.Large(0))
	if err != nil {
		t.Fatal(err)
	}
	for _, data := range []string{
		filepath.Join(install(t, small.Catalog(t)), "opcatalog", "data"),
		filepath.Join(node.Root(t), "gen", "ts", "data"),
		filepath.Join(install(t, none), "opcatalog", "data"),
	} {
		cmd := node.Test(t, script)
		cmd.Env = append(os.Environ(), "OPCAT_DATA="+data)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%.4000s", data, err, out)
		}
	}
}

var errorLine = regexp.MustCompile(`(?m)^(\S+?)\((\d+),\d+\): error (TS\d+): .*$`)

// A program that is right compiles, the library is what its types say, and each call
// with a route of the wrong operation is an error of the compiler.
func TestCompilerRefusesTheWrongOperation(t *testing.T) {
	t.Run("as it is shipped", func(t *testing.T) { refusesTheWrongOperation(t, install(t, small.Catalog(t))) })
	t.Run("with its types checked too", func(t *testing.T) {
		dir := install(t, small.Catalog(t))
		checked(t, filepath.Join(dir, "opcatalog"))
		refusesTheWrongOperation(t, dir)
	})
}

// checked takes away from all types what keeps the compiler from checking them.
func checked(t *testing.T, library string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(library, "*.d.ts"))
	if err != nil || len(files) < 10 {
		t.Fatal(files, err)
	}
	for _, name := range files {
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		text, ok := strings.CutPrefix(string(b), strings.TrimSuffix(header, "\n")+unchecked)
		if !ok {
			t.Errorf("%s is checked by the compilers of all who use it", filepath.Base(name))
		}
		put(t, name, text)
	}
}

// A mistake in the types is found here, since no user's compiler would say it.
func TestTypesAreChecked(t *testing.T) {
	dir := install(t, small.Catalog(t))
	library := filepath.Join(dir, "opcatalog")
	name := filepath.Join(library, "price.d.ts")
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	put(t, name, string(b)+"\nexport interface Mistake extends Decimal {}\n")
	if out := tsc(t, dir, copyIn(t, dir, "right.ts")); out != "" {
		t.Errorf("a user's compiler finds\n%s", out)
	}
	checked(t, library)
	if out := tsc(t, dir, copyIn(t, dir, "right.ts")); !strings.Contains(out, "price.d.ts") {
		t.Errorf("nobody finds the mistake: %s", out)
	}
}

func refusesTheWrongOperation(t *testing.T, dir string) {
	library := filepath.Join(dir, "opcatalog")
	wrong := copyIn(t, dir, "wrong.ts")
	out := tsc(t, dir, copyIn(t, dir, "right.ts"), wrong, filepath.Join(library, "index.js"), filepath.Join(library, "closed.js"), filepath.Join(library, "select.js"))

	var want []string
	b, err := os.ReadFile(wrong)
	if err != nil {
		t.Fatal(err)
	}
	for i, line := range strings.Split(string(b), "\n") {
		if _, code, ok := strings.Cut(line, "; // "); ok {
			want = append(want, "wrong.ts:"+strconv.Itoa(i+1)+" "+code)
		}
	}
	var got []string
	for _, m := range errorLine.FindAllStringSubmatch(out, -1) {
		got = append(got, m[1]+":"+m[2]+" "+m[3])
	}
	if len(want) < 10 || !slices.Equal(got, want) {
		t.Errorf("the compiler finds\n%s\nand was to find\n%s\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"), out)
	}
}

// Ordinary expressions over ids stay simple for the compiler when there are very many,
// also where their types list them.
func TestManyIDsCompile(t *testing.T) {
	c, err := build.Catalog(testcat.Large(20000))
	if err != nil {
		t.Fatal(err)
	}
	dir := install(t, c)
	put(t, filepath.Join(dir, "many.ts"), `import { route, type ModelIdFor } from "opcatalog/closed";
import { text_generation } from "opcatalog/text_generation";
import type { RouteId } from "opcatalog";

declare const settings: { model?: RouteId<"text_generation">; id?: ModelIdFor<"text_generation"> };
const standard = route.text_generation("vendor-0000/model-00001");
const chosen = settings.model ?? standard;
export const list = Math.random() > 0.5 ? [chosen] : [standard, chosen, ...text_generation.list()];
const id = settings.id ?? "vendor-0000/model-00002";
export const ids = Math.random() > 0.5 ? [id] : ["vendor-0000/model-00003" as const, id];
`)
	if out := tsc(t, dir, "many.ts"); out != "" {
		t.Errorf("%.2000s", out)
	}
}
