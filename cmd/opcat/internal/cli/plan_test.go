package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	snapshot "github.com/opcat/opcat/gen/json"
	"github.com/opcat/opcat/plan"
	"github.com/opcat/opcat/plan/gate"
	"golang.org/x/mod/sumdb/note"
)

const oldFragment = "[providers.acme]\ndisplay_name = \"Acme\"\nbase_url = \"https://api.acme.example/v1\"\nauth_style = \"bearer\"\n" +
	"auth_env = \"ACME_API_KEY\"\nchat_endpoint = \"/chat/completions\"\n\n[models.\"chat-1\"]\nname = \"Chat 1\"\nprovider = \"acme\"\ncontext_window = 32000\n"

// A bench is opcat over a folder with legacy fragments.
type bench struct {
	t    *testing.T
	dir  string
	env  map[string]string
	step func(string)
}

func newBench(t *testing.T) *bench {
	b := &bench{t: t, dir: t.TempDir(), env: map[string]string{}}
	file := filepath.Join(b.dir, "tree", "catalog_sources", "old.toml")
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(oldFragment), 0o644); err != nil {
		t.Fatal(err)
	}
	return b
}

func (b *bench) path(name string) string { return filepath.Join(b.dir, name) }

type benchAnswer struct {
	OK   bool
	Data struct {
		Status string
		Counts map[string]int
	}
	Error *struct {
		Code    Code
		Message string
	}
	Meta struct{ Warnings []struct{ Code string } }
}

// run runs opcat and gives what it answers.
func (b *bench) run(ctx context.Context, argv ...string) (benchAnswer, int) {
	b.t.Helper()
	app := Opcat()
	app.HostLayer, app.step = "", b.step
	var out bytes.Buffer
	exit := app.Run(ctx, append(argv, "--json", "--run-dir", b.path("run")), Streams{In: strings.NewReader(""), Out: &out, Err: &bytes.Buffer{},
		Getenv: func(name string) string { return b.env[name] }, Now: time.Now})
	var a benchAnswer
	if err := json.Unmarshal(out.Bytes(), &a); err != nil {
		b.t.Fatalf("%v: %s", err, out.String())
	}
	return a, exit
}

// plan plans, and lets the plan be edited with its checksum made anew.
func (b *bench) plan(edit func(*plan.Plan)) *plan.Plan {
	b.t.Helper()
	if a, _ := b.run(context.Background(), "fragment", "plan", "--sources", b.path("tree"), "--out", b.path("plan.json")); !a.OK {
		b.t.Fatal(a.Error)
	}
	text, err := os.ReadFile(b.path("plan.json"))
	if err != nil {
		b.t.Fatal(err)
	}
	p, err := plan.Decode(text)
	if err != nil {
		b.t.Fatal(err)
	}
	edit(p)
	if p.Checksum, err = p.Sum(); err != nil {
		b.t.Fatal(err)
	}
	if text, err = p.MarshalIndent(); err != nil {
		b.t.Fatal(err)
	}
	b.write("plan.json", string(text))
	return p
}

func (b *bench) write(name, text string) {
	b.t.Helper()
	if err := os.WriteFile(b.path(name), []byte(text), 0o644); err != nil {
		b.t.Fatal(err)
	}
}

// forged says other than the planner does, and hides it.
func forged(p *plan.Plan) {
	it := &p.Items[0]
	it.Reason = "a small change"
	it.Params = json.RawMessage(strings.Replace(string(it.Params), `"changes": [`, `"changes": [{"resource":"acme/chat-1","reason":"nothing to see"},`, 1))
}

// An edited plan needs a person, and no flag goes round that.
func TestNoFlagPassesTheGate(t *testing.T) {
	b := newBench(t)
	b.plan(forged)
	for _, more := range [][]string{nil, {"--force"}, {"--yes"}, {"--force", "--yes", "--no-input"}, {"--dry-run"}, {"--wait", "--yes"}} {
		if a, exit := b.run(context.Background(), append([]string{"fragment", "apply", "--plan", b.path("plan.json")}, more...)...); exit != exitPolicy || a.Error.Code != ApprovalRequired {
			t.Errorf("%v: exit %d, %+v", more, exit, a)
		}
	}
	if text, err := os.ReadFile(b.path("tree/catalog_sources/old.toml")); err != nil || string(text) != oldFragment {
		t.Errorf("changed: %v\n%s", err, text)
	}
}

// A person whose key the machine knows may approve it: with a note for this plan alone.
func TestApprovedByAPerson(t *testing.T) {
	b := newBench(t)
	p := b.plan(forged)
	secret, public, err := note.GenerateKey(nil, "ada")
	if err != nil {
		t.Fatal(err)
	}
	signer, err := note.NewSigner(secret)
	if err != nil {
		t.Fatal(err)
	}
	signed, err := note.Sign(&note.Note{Text: fmt.Sprintf("%s\nplan %s\npolicy_version %s\napproval_id ap-1\napprover ada\nexpires %s\n",
		gate.ApprovalSchema, p.Checksum, gate.Standing.Version, time.Now().Add(time.Hour).UTC().Format(time.RFC3339))}, signer)
	if err != nil {
		t.Fatal(err)
	}
	b.write("note", string(signed))
	b.write("keys", public+"\n")
	apply := []string{"fragment", "apply", "--plan", b.path("plan.json"), "--approval", b.path("note")}
	if a, exit := b.run(context.Background(), apply...); exit != exitPolicy || a.Error.Code != ApprovalInvalid {
		t.Errorf("without keys: exit %d, %+v", exit, a)
	}
	b.env[approversVar] = b.path("keys")
	if a, exit := b.run(context.Background(), apply...); exit != 0 || a.Data.Status != "complete" {
		t.Errorf("with them: exit %d, %+v", exit, a.Error)
	}
	b = newBench(t)
	b.env[approversVar] = filepath.Join(t.TempDir(), "none")
	b.plan(func(*plan.Plan) {})
	if a, exit := b.run(context.Background(), "fragment", "apply", "--plan", b.path("plan.json")); exit != exitPolicy || a.Error.Code != ApprovalInvalid {
		t.Errorf("keys that cannot be read: exit %d, %+v", exit, a)
	}
}

// An apply that is interrupted says what it has done, exits 1, and goes on when it is
// run again.
func TestInterruptedApply(t *testing.T) {
	b := newBench(t)
	b.plan(func(*plan.Plan) {})
	ctx, cancel := context.WithCancel(context.Background())
	b.step = func(step string) {
		if strings.HasPrefix(step, "item") {
			cancel()
		}
	}
	a, exit := b.run(ctx, "fragment", "apply", "--plan", b.path("plan.json"))
	if exit != exitInternal || a.OK && a.Data.Status == "" {
		t.Errorf("exit %d, %+v", exit, a)
	}
	b.step = nil
	if a, exit := b.run(context.Background(), "fragment", "apply", "--plan", b.path("plan.json")); exit != 0 || a.Data.Counts["failed"] > 0 {
		t.Errorf("again: exit %d, %+v", exit, a)
	}
}

// A second apply at a time is told to come again; with --wait it waits.
func TestApplyWhileAnotherIsAtWork(t *testing.T) {
	b := newBench(t)
	b.plan(func(*plan.Plan) {})
	apply := []string{"fragment", "apply", "--plan", b.path("plan.json")}
	waited := make(chan int, 1)
	b.step = func(step string) {
		if !strings.HasPrefix(step, "intents") {
			return
		}
		b.step = nil
		if a, exit := b.run(context.Background(), apply...); exit != exitUpstream || a.Error.Code != LockBusy {
			t.Errorf("exit %d, %+v", exit, a)
		}
		go func() {
			_, exit := b.run(context.Background(), append(apply, "--wait")...)
			waited <- exit
		}()
	}
	if a, exit := b.run(context.Background(), apply...); exit != 0 {
		t.Errorf("the first: exit %d, %+v", exit, a)
	}
	if exit := <-waited; exit != 0 {
		t.Errorf("the one that waited: exit %d", exit)
	}
}

// The committed sources are what the upstreams of the manifest give: a plan of them has
// nothing to do, and every row says where it is from.
func TestCommittedSourcesAreWhatUpstreamsGive(t *testing.T) {
	root := filepath.Join("..", "..", "..", "..")
	if _, err := os.Stat(filepath.Join(root, "..", "shared", "corpus")); err != nil {
		if os.Getenv("CI") != "" {
			t.Fatal(err)
		}
		t.Skip("the corpus is not here")
	}
	b := newBench(t)
	if a, _ := b.run(context.Background(), "upstream", "plan", "--sources", root, "--upstreams", filepath.Join(root, manifestName),
		"--as-of", "2026-11-30", "--out", b.path("plan.json")); !a.OK {
		t.Fatal(a.Error)
	}
	text, err := os.ReadFile(b.path("plan.json"))
	if err != nil {
		t.Fatal(err)
	}
	p, err := plan.Decode(text)
	if err != nil {
		t.Fatal(err)
	}
	for _, it := range p.Items {
		t.Errorf("%s: %s; run `opcat upstream plan` and `apply`", it.ID, it.Reason)
	}
	have, err := snapshot.Catalog()
	if err != nil {
		t.Fatal(err)
	}
	for r := range have.Rows() {
		if len(r.Source) == 0 {
			t.Errorf("%s has no source", r.ID)
		}
	}
}

// The pages of a comparison hold every fact once, the furthest apart first, and its
// report lies in the run dir.
func TestComparePages(t *testing.T) {
	b := newBench(t)
	var bee, cee strings.Builder // two upstreams of one reader's form would be one: these are two readers
	bee.WriteString("{")
	cee.WriteString(`{"name":"Acme","id":"acme","models":[`)
	for i := range 120 {
		if i > 0 {
			bee.WriteString(",")
			cee.WriteString(",")
		}
		fmt.Fprintf(&bee, `"acme/m-%d":{"litellm_provider":"acme","mode":"chat","input_cost_per_token":1e-06}`, i)
		fmt.Fprintf(&cee, `{"id":"m-%d","name":"M","cost_per_1m_in":%d}`, i, 2+i%7)
	}
	b.write("litellm.json", bee.String()+"}")
	b.write("catwalk.json", cee.String()+"]}")
	b.write("upstreams.toml", `[[upstream]]
reader = "litellm"
path = "litellm.json"
url = "pkg:pypi/litellm@1"
version = "1"
checked_on = "2026-11-30"

[[upstream]]
reader = "catwalk"
path = "catwalk.json"
url = "pkg:github/charmbracelet/catwalk@1"
version = "1"
checked_on = "2026-11-30"
`)
	seen, last, cursor := map[string]bool{}, 1e9, ""
	for pages := 0; ; pages++ {
		argv := []string{"upstream", "compare", "--upstreams", b.path("upstreams.toml"), "--report", "--limit", "17", "--json", "--run-dir", b.path("run")}
		if cursor != "" {
			argv = append(argv, "--cursor", cursor)
		}
		var out bytes.Buffer
		app := Opcat()
		if exit := app.Run(context.Background(), argv, Streams{In: strings.NewReader(""), Out: &out, Err: &bytes.Buffer{}, Getenv: func(string) string { return "" }, Now: time.Now}); exit != 0 {
			t.Fatal(out.String())
		}
		var a struct {
			Data struct {
				Items []struct{ Row, Field, Percent string }
			}
			Meta struct {
				Pagination struct {
					Next  *string `json:"next_cursor"`
					Total int
				}
			}
		}
		if err := json.Unmarshal(out.Bytes(), &a); err != nil {
			t.Fatal(err)
		}
		for _, f := range a.Data.Items {
			var apart float64
			if _, err := fmt.Sscan(f.Percent, &apart); err != nil || apart > last {
				t.Errorf("%s: %s after %v", f.Row, f.Percent, last)
			}
			last = apart
			if seen[f.Row+f.Field] {
				t.Errorf("%s comes twice", f.Row)
			}
			seen[f.Row+f.Field] = true
		}
		if a.Meta.Pagination.Next == nil {
			if len(seen) != 120 || a.Meta.Pagination.Total != 120 || pages != 7 {
				t.Errorf("%d facts of %d on %d pages", len(seen), a.Meta.Pagination.Total, pages+1)
			}
			break
		}
		cursor = *a.Meta.Pagination.Next
	}
	for name, want := range map[string]string{"compare.html": "<h2>Who agrees with whom</h2>", "compare.md": "## Whose word counts", "compare.svg": "<svg "} {
		if text, err := os.ReadFile(filepath.Join(b.path("run"), name)); err != nil || !strings.Contains(string(text), want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// pageProgram builds the program on a page of docs and gives the page, and what runs
// the program in the bench and gives its output.
func (b *bench) pageProgram(page, name string) (string, func(args ...string) string) {
	b.t.Helper()
	root := filepath.Join("..", "..", "..", "..")
	text, err := os.ReadFile(filepath.Join(root, "docs", page))
	if err != nil {
		b.t.Fatal(err)
	}
	_, program, _ := strings.Cut(string(text), "```go\n")
	program, _, _ = strings.Cut(program, "```\n")
	b.write(name+".go", program)
	build := exec.Command("go", "build", "-o", b.path(name), b.path(name+".go")) // x/mod is a dependency of ours
	build.Dir = root
	if out, err := build.CombinedOutput(); err != nil {
		b.t.Fatalf("%v\n%s", err, out)
	}
	return string(text), func(args ...string) string {
		b.t.Helper()
		cmd := exec.Command(b.path(name), args...)
		cmd.Dir = b.dir
		out, err := cmd.Output()
		if err != nil {
			b.t.Fatal(err)
		}
		return string(out)
	}
}

// The page on approvals works as it is written: its program makes a key and signs, and
// apply takes the note once the machine knows the key.
func TestApprovalsPage(t *testing.T) {
	b := newBench(t)
	page, approve := b.pageProgram("approvals.md", "approve")
	for _, line := range []string{"approve key ada >> approvers", "approve sign ada plan.json 2026-11-30-1 > approval.txt", "apply --plan plan.json --approval approval.txt"} {
		if !strings.Contains(page, line) {
			t.Errorf("the page does not say %q", line)
		}
	}
	b.plan(forged)
	b.write("approvers", "# may approve\n"+approve("key", "ada"))
	b.write("approval.txt", approve("sign", "ada", "plan.json", "2026-11-30-1"))
	apply := []string{"fragment", "apply", "--plan", b.path("plan.json")}
	b.env[approversVar] = b.path("approvers")
	if a, _ := b.run(context.Background(), apply...); a.Error == nil || a.Error.Code != ApprovalRequired {
		t.Errorf("without the note: %+v", a)
	}
	if a, exit := b.run(context.Background(), append(apply, "--approval", b.path("approval.txt"))...); exit != 0 || a.Data.Status != "complete" {
		t.Errorf("with it: exit %d, %+v", exit, a.Error)
	}
}
