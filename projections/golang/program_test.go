package golang

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/opcat/opcat/catalog"
)

// A host is somebody else's module, with the emitted package in it and opcat among what
// it requires.
type host struct {
	t   testing.TB
	dir string
}

func newHost(t testing.TB, c *catalog.Catalog) host {
	t.Helper()
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	h := host{t, t.TempDir()}
	h.write("go.mod", fmt.Sprintf("module host.example/m\n\ngo 1.26.0\n\nrequire github.com/opcat/opcat v0.0.0\n\nreplace github.com/opcat/opcat => %s\n", root))
	files, err := Emitter.Emit(c)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		h.write("gen/go/"+f.Path, string(f.Bytes()))
	}
	return h
}

func (h host) write(name, text string) {
	h.t.Helper()
	name = filepath.Join(h.dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		h.t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		h.t.Fatal(err)
	}
}

// build builds a program of the module, from what stands in its main and beside it, and
// gives the compiler's words if it does not compile.
func (h host) build(name, body string) (program, complaint string) {
	h.t.Helper()
	imports := "\t\"host.example/m/gen/go/op\"\n\t\"host.example/m/gen/go/opcatalog\"\n"
	for _, std := range []string{"crypto/sha256", "fmt", "os", "time"} {
		if _, short, _ := strings.Cut("/"+std, "/"); strings.Contains(body, short[strings.LastIndexByte(short, '/')+1:]+".") {
			imports += fmt.Sprintf("\t%q\n", std)
		}
	}
	h.write(name+"/main.go", "package main\n\nimport (\n"+imports+")\n\n"+body)
	program = filepath.Join(h.dir, name+".exe")
	cmd := exec.Command("go", "build", "-o", program, "./"+name)
	cmd.Dir = h.dir
	cmd.Env = append(os.Environ(), "GOFLAGS=-mod=mod", "GOPROXY=off")
	out, err := cmd.CombinedOutput()
	if err != nil && len(out) == 0 {
		h.t.Fatal(err)
	}
	return program, string(out)
}

func (h host) run(program string, env ...string) string {
	h.t.Helper()
	cmd := exec.Command(program)
	cmd.Env = append(os.Environ(), env...)
	out, err := cmd.CombinedOutput()
	if err != nil {
		h.t.Fatalf("%v\n%s", err, out)
	}
	return string(out)
}

// One module's program uses the package of its own catalog; it needs opcat's reader and
// nothing else.
func TestUsersProgram(t *testing.T) {
	h := newHost(t, hostile(t))
	program, complaint := h.build("user", `func main() {
	if err := opcatalog.Verify(sha256.Sum256); err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	fmt.Println(opcatalog.AsOf(), opcatalog.Count[op.Embedding](), opcatalog.Count[op.TextGeneration]())
	route, ok := opcatalog.Lookup[op.Embedding]("p/4.1-mini")
	fmt.Println(route.ID(), ok)
	route, ok = opcatalog.Lookup[op.Embedding]("q/4.1-mini")
	fmt.Println(route.ID(), ok, route.Contract().Dimensions().Default(), route.State(time.Unix(0, 0)))
	_, ok = opcatalog.Lookup[op.TextGeneration]("q/4.1-mini")
	fmt.Println(ok)
	for route := range opcatalog.ByPrice[op.Embedding](opcatalog.Filter{Provider: "p", ContextTokens: 3000}) {
		fmt.Println(route.ID(), route.Row().Price().At(0).USDPerMillion())
	}
	_, known := route.Row().Limits().OutputTokens()
	fmt.Println(known)
	for id, provider := range opcatalog.Providers() {
		fmt.Println(id, provider.Name())
	}
}
`)
	if complaint != "" {
		t.Fatal(complaint)
	}
	want := `2026-11-30 24 0
 false
q/4.1-mini true 8 active
false
p/_ 0.1
p/default 0.2
p/gpt-41 0.3
p/é 0.3
p/${x} 0.4
p/minimax-m3:free 0.5
false
p P
q P
`
	if got := h.run(program); got != want {
		t.Errorf("it says\n%s\nwant\n%s", got, want)
	}
}

// A route of one operation is no argument for another, and nobody makes a route or an
// operation of his own.
func TestWrongOperationDoesNotCompile(t *testing.T) {
	h := newHost(t, nothing(t))
	for _, c := range []struct{ name, body, want string }{
		{"decision", `func chat(opcatalog.Route[op.TextGeneration]) {}

func main() {
	judge, _ := opcatalog.Lookup[op.DecisionEvaluation]("typesafe/jev-1.14.0")
	chat(judge)
}
`, `cannot use judge (variable of struct type opcatalog.Route[op.DecisionEvaluation]) as opcatalog.Route[op.TextGeneration] value in argument to chat`},
		{"converted", `func chat(opcatalog.Route[op.TextGeneration]) {}

func main() {
	judge, _ := opcatalog.Lookup[op.DecisionEvaluation]("typesafe/jev-1.14.0")
	chat(opcatalog.Route[op.TextGeneration](judge))
}
`, `cannot convert judge (variable of struct type opcatalog.Route[op.DecisionEvaluation]) to type`},
		{"contract", `func main() {
	judge, _ := opcatalog.Lookup[op.DecisionEvaluation]("typesafe/jev-1.14.0")
	judge.Contract().Dimensions()
}

var _ op.Embedding
`, `judge.Contract().Dimensions undefined`},
		{"operation", `type chatting struct{ op.TextGeneration }

func main() {
	opcatalog.Lookup[chatting]("typesafe/jev-1.14.0")
}
`, `chatting does not satisfy opcatalog.Operation`},
		{"forged", `func main() {
	_ = opcatalog.Route[op.TextGeneration]{entry: 1}
}
`, `cannot refer to unexported field entry`},
	} {
		_, complaint := h.build(c.name, c.body)
		if !strings.Contains(complaint, c.want) {
			t.Errorf("%s: the compiler says\n%s\nwant\n%s", c.name, complaint, c.want)
		}
	}
}

// A package that another version of opcat wrote does not compile, and the line that
// does not says what to do.
func TestAnotherVersionDoesNotCompile(t *testing.T) {
	h := newHost(t, nothing(t))
	name := filepath.Join(h.dir, "gen", "go", "opcatalog", "opcatalog.go")
	src, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	layout := fmt.Sprintf("flat.Layout ^ %#08x)", layoutOf())
	if strings.Count(string(src), layout) != 1 {
		t.Fatalf("no line asks for the layout:\n%s", src)
	}
	for _, other := range []uint32{layoutOf() - 1, layoutOf() + 1} {
		h.write("gen/go/opcatalog/opcatalog.go", strings.Replace(string(src), layout, fmt.Sprintf("flat.Layout ^ %#08x)", other), 1))
		_, complaint := h.build("user", "func main() { _, _ = opcatalog.Lookup[op.Embedding](\"\") }\n")
		line := 1 + strings.Count(string(src)[:strings.Index(string(src), layout)], "\n")
		if !strings.Contains(complaint, fmt.Sprintf("opcatalog.go:%d:", line)) {
			t.Errorf("the compiler says\n%s", complaint)
		}
		if said := strings.Split(string(src), "\n")[line-3 : line-1]; !strings.Contains(strings.Join(said, " "), `"opcat catalog compile"`) {
			t.Errorf("above the line stands %q", said)
		}
	}
}

// Nothing of ours happens when a program starts: no work, no allocation, and no package
// of the standard library but those that tell the time and walk a list.
func TestNothingHappensAtStart(t *testing.T) {
	h := newHost(t, bundled(t))
	program, complaint := h.build("user", `func main() {
	route, ok := opcatalog.Lookup[op.Embedding]("openai/text-embedding-3-small")
	if !ok || len(route.ID()) == 0 {
		panic("no route")
	}
}
`)
	if complaint != "" {
		t.Fatal(complaint)
	}
	started := map[string]string{}
	for line := range strings.Lines(h.run(program, "GODEBUG=inittrace=1")) {
		if rest, ok := strings.CutPrefix(line, "init "); ok {
			name, _, _ := strings.Cut(rest, " ")
			started[name] = strings.TrimSpace(line)
		}
	}
	if len(started) == 0 {
		t.Fatal("the runtime traces nothing")
	}
	light := []string{"internal/bytealg", "internal/runtime/gc/scan", "runtime", "errors", "iter", "sync", "internal/godebug", "syscall", "time", "io/fs"} // the last two for embed
	for name, line := range started {
		if !slices.Contains(light, name) {
			t.Errorf("%s starts too: %s", name, line)
		}
	}
}
