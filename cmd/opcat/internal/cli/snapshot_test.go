package cli

import (
	"context"
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/opcat/opcat/plan"
	"github.com/opcat/opcat/plan/ledger"
	"golang.org/x/mod/sumdb/note"
)

// A publisher signs snapshots, and the bench trusts it.
type publisher struct {
	*bench
	signer note.Signer
	text   []byte // of a small catalog with the row acme/chat-1
}

func newPublisher(t *testing.T) *publisher {
	b := newBench(t)
	b.env["XDG_STATE_HOME"], b.env["OPCAT_PUBLISHERS"] = b.path("state"), b.path("publishers")
	secret, public, err := note.GenerateKey(nil, "example.org/catalog")
	if err != nil {
		t.Fatal(err)
	}
	b.write("publishers", "# who publishes\n"+public+"\n")
	p := &publisher{bench: b}
	if p.signer, err = note.NewSigner(secret); err != nil {
		t.Fatal(err)
	}
	if a, _ := b.run(context.Background(), "catalog", "compile", "--sources", b.path("tree"), "--layers", "bundled", "--projections", "json", "--into", b.path("gen")); !a.OK {
		t.Fatal(a.Error)
	}
	if p.text, err = os.ReadFile(b.path("gen/json/catalog.json")); err != nil {
		t.Fatal(err)
	}
	return p
}

// publish writes a candidate and its note.
func (p *publisher) publish(text []byte, version int, expires time.Time) {
	p.t.Helper()
	signed, err := note.Sign(&note.Note{Text: fmt.Sprintf("opcat.snapshot@1\nversion %d\npublished 2026-11-01T00:00:00Z\nexpires %s\nsize %d\nsha256 %x\n",
		version, expires.UTC().Format(time.RFC3339), len(text), sha256.Sum256(text))}, p.signer)
	if err != nil {
		p.t.Fatal(err)
	}
	p.write("catalog.json", string(text))
	p.write("catalog.note", string(signed))
}

func (p *publisher) plan() (benchAnswer, int) {
	p.t.Helper()
	return p.run(context.Background(), "snapshot", "plan", "--source", p.path("catalog.json"), "--note", p.path("catalog.note"), "--out", p.path("plan.json"))
}

func (p *publisher) apply(more ...string) (benchAnswer, int) {
	p.t.Helper()
	return p.run(context.Background(), append([]string{"snapshot", "apply", "--plan", p.path("plan.json")}, more...)...)
}

// serves reports whether queries read the small catalog.
func (p *publisher) serves() bool {
	p.t.Helper()
	a, _ := p.run(context.Background(), "model", "get", "acme/chat-1")
	return a.OK
}

func (p *publisher) must(a benchAnswer, status string) {
	p.t.Helper()
	if !a.OK || a.Data.Status != status {
		p.t.Fatalf("got %+v (%v), want %s", a.Data, a.Error, status)
	}
}

const newer = 99990101 // than the program's own

// Queries read a signed newer snapshot once it is adopted, and the ones after it.
func TestSnapshotIsAdopted(t *testing.T) {
	p, later := newPublisher(t), time.Now().Add(time.Hour)
	p.publish(p.text, newer, later)
	if a, _ := p.plan(); !a.OK {
		t.Fatal(a.Error)
	}
	if a, _ := p.apply("--dry-run"); !a.OK {
		t.Fatal(a.Error)
	}
	if p.serves() {
		t.Fatal("it serves before it is adopted")
	}
	if _, err := os.Stat(p.path("state")); err == nil {
		t.Error("a plan or a dry run wrote the state")
	}
	a, _ := p.apply()
	p.must(a, "complete")
	if !p.serves() {
		t.Fatal("it is adopted and does not serve")
	}
	a, _ = p.apply()
	p.must(a, "noop")
	if a, _ := p.run(context.Background(), "model", "get", "acme/chat-1", "--provenance"); a.OK || a.Error.Code != NotFound {
		t.Errorf("provenance that nobody published: %+v", a)
	}

	// The same one again is no change, and the next one takes its place.
	if a, _ = p.plan(); !a.OK {
		t.Fatal(a.Error)
	}
	a, _ = p.apply()
	p.must(a, "noop")
	p.publish([]byte(strings.Replace(string(p.text), "32000", "64000", 1)), newer+1, later)
	if a, _ = p.plan(); !a.OK {
		t.Fatal(a.Error)
	}
	a, _ = p.apply()
	p.must(a, "complete")
	if left, _ := filepath.Glob(p.path("state/opcat/snapshot/catalog-*")); len(left) != 2 {
		t.Errorf("the snapshot before is left: %v", left)
	}
}

// What is not newer, not signed by a publisher of this machine, not what was signed,
// or out of its time is never adopted.
func TestSnapshotIsRefused(t *testing.T) {
	p, later := newPublisher(t), time.Now().Add(time.Hour)
	p.publish(p.text, newer, later)
	if a, _ := p.plan(); !a.OK {
		t.Fatal(a.Error)
	}
	a, _ := p.apply()
	p.must(a, "complete")
	before := readAll(t, p.path("state"))
	changed := []byte(strings.Replace(string(p.text), "32000", "64000", 1))
	keys, err := os.ReadFile(p.path("publishers"))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name string
		make func()
		code Code
	}{
		{"an older one", func() { p.publish(changed, newer-1, later) }, SnapshotRollback},
		{"another one of the same version", func() { p.publish(changed, newer, later) }, SnapshotRollback},
		{"one of the program's own version", func() { p.publish(changed, 20261130, later) }, SnapshotRollback},
		{"an expired note", func() { p.publish(changed, newer+1, time.Now().Add(-time.Hour)) }, SignatureInvalid},
		{"another catalog than was signed", func() { p.publish(changed, newer+1, later); p.write("catalog.json", string(p.text)) }, SignatureInvalid},
		{"a note that was edited", func() {
			p.publish(changed, newer+1, later)
			signed, _ := os.ReadFile(p.path("catalog.note"))
			p.write("catalog.note", strings.Replace(string(signed), "version 9", "version 99", 1))
		}, SignatureInvalid},
		{"a key that nobody knows", func() { p.publish(changed, newer+1, later); p.write("publishers", "") }, SignatureInvalid},
		{"signed nonsense", func() { p.publish([]byte("{}"), newer+1, later) }, PlanInvalid},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.make()
			if a, _ := p.plan(); a.OK || a.Error.Code != c.code {
				t.Errorf("got %+v, want %s", a.Error, c.code)
			}
			p.write("publishers", string(keys))
			if got := readAll(t, p.path("state")); got != before {
				t.Errorf("the state changed:\n%s", got)
			}
		})
	}
}

// A plan that was made before another snapshot was adopted, whose candidate changed,
// or that says other than it was planned, is not carried out.
func TestSnapshotPlanIsHeld(t *testing.T) {
	p, later := newPublisher(t), time.Now().Add(time.Hour)
	p.publish(p.text, newer, later)
	edited := func(edit func(*plan.Plan)) {
		t.Helper()
		if a, _ := p.plan(); !a.OK {
			t.Fatal(a.Error)
		}
		text, err := os.ReadFile(p.path("plan.json"))
		if err != nil {
			t.Fatal(err)
		}
		made, err := plan.Decode(text)
		if err != nil {
			t.Fatal(err)
		}
		edit(made)
		if made.Checksum, err = made.Sum(); err != nil {
			t.Fatal(err)
		}
		if text, err = made.MarshalIndent(); err != nil {
			t.Fatal(err)
		}
		p.write("plan.json", string(text))
	}
	refused := func(why string, code Code) {
		t.Helper()
		if a, _ := p.apply("--yes", "--force"); a.OK || a.Error.Code != code {
			t.Errorf("%s: got %+v, want %s", why, a.Error, code)
		}
		if p.serves() {
			t.Fatalf("%s: it serves", why)
		}
	}
	edited(func(made *plan.Plan) { made.Items[0].Reason = "it is fine" })
	refused("another reason", ApprovalRequired)
	edited(func(made *plan.Plan) { made.Items[0].Action = "delete" })
	refused("another action", PlanInvalid)
	edited(func(made *plan.Plan) { made.Base.Target = p.path("elsewhere") })
	refused("another target", PlanStale)
	edited(func(*plan.Plan) {})
	p.publish([]byte(strings.Replace(string(p.text), "32000", "64000", 1)), newer, later)
	refused("another candidate", PlanStale)

	p.publish(p.text, newer, later)
	edited(func(*plan.Plan) {})
	held, err := os.ReadFile(p.path("plan.json"))
	if err != nil {
		t.Fatal(err)
	}
	text, expiry := p.text, later
	p.publish([]byte(strings.Replace(string(text), "32000", "64000", 1)), newer+5, expiry)
	edited(func(*plan.Plan) {})
	a, _ := p.apply()
	p.must(a, "complete")
	p.publish(text, newer, later)
	p.write("plan.json", string(held))
	if a, _ := p.apply(); a.OK || a.Error.Code != PlanStale {
		t.Errorf("a plan of before another was adopted: %+v", a.Error)
	}
}

// Where the adopted snapshot is damaged, the program's own serves and says so; a run
// that was killed before its last step has adopted nothing, and the next one does.
func TestSnapshotFallsBack(t *testing.T) {
	p := newPublisher(t)
	p.publish(p.text, newer, time.Now().Add(time.Hour))
	if a, _ := p.plan(); !a.OK {
		t.Fatal(a.Error)
	}
	a, _ := p.apply()
	p.must(a, "complete")
	record := p.path("state/opcat/snapshot/accepted.json")
	said, err := os.ReadFile(record)
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range []string{record, p.path("state/opcat/snapshot/" + ledger.Name)} { // as a run leaves it that is killed at its last step
		if err := os.Remove(file); err != nil {
			t.Fatal(err)
		}
	}
	if p.serves() {
		t.Error("half an adoption serves")
	}
	if a, _ := p.apply(); !a.OK || !p.serves() {
		t.Errorf("the next run does not end it: %+v", a)
	}
	for name, damage := range map[string]func(){
		"the record": func() { p.write("state/opcat/snapshot/accepted.json", "{") },
		"a row": func() {
			files, _ := filepath.Glob(p.path("state/opcat/snapshot/catalog-*.json"))
			if err := os.WriteFile(files[0], []byte(strings.Replace(string(p.text), "32000", "64000", 1)), 0o644); err != nil {
				t.Fatal(err)
			}
		},
	} {
		p.write("state/opcat/snapshot/accepted.json", string(said))
		damage()
		if p.serves() {
			t.Errorf("%s is damaged, and it serves", name)
		}
		if a, _ := p.run(context.Background(), "snapshot", "list"); !a.OK || len(a.Meta.Warnings) != 1 || a.Meta.Warnings[0].Code != "STATE_CORRUPT" {
			t.Errorf("%s: got %+v", name, a)
		}
	}
	index, _ := filepath.Glob(p.path("state/opcat/snapshot/catalog-*.idx"))
	files, _ := filepath.Glob(p.path("state/opcat/snapshot/catalog-*.json"))
	p.write("state/opcat/snapshot/accepted.json", string(said))
	if err := os.WriteFile(files[0], p.text, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(index[0], []byte("of another version"), 0o644); err != nil {
		t.Fatal(err)
	}
	if !p.serves() {
		t.Error("without an index of this version it does not serve")
	}
}

// readAll is every file below a folder with its text.
func readAll(t *testing.T, dir string) string {
	t.Helper()
	var b strings.Builder
	err := filepath.WalkDir(dir, func(path string, e os.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		fmt.Fprintf(&b, "%s\n%s\n", path, text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// The page on snapshots works as it is written: its program makes a key and signs a
// catalog, and a machine that knows the key adopts it.
func TestSnapshotsPage(t *testing.T) {
	p := newPublisher(t)
	page, tool := p.pageProgram("snapshots.md", "publish")
	for _, line := range []string{"publish key example.org > publishers", "publish sign example.org 20261201 catalog.json > catalog.note",
		"opcat snapshot plan --source catalog.json --note catalog.note --out plan.json", "opcat snapshot apply --plan plan.json"} {
		if !strings.Contains(page, line) {
			t.Errorf("the page does not say %q", line)
		}
	}
	p.write("catalog.json", string(p.text))
	p.write("publishers", tool("key", "example.org"))
	p.write("catalog.note", tool("sign", "example.org", strconv.Itoa(newer), "catalog.json"))
	if a, _ := p.plan(); !a.OK {
		t.Fatal(a.Error)
	}
	a, _ := p.apply()
	p.must(a, "complete")
	if !p.serves() {
		t.Error("the snapshot is adopted and does not answer")
	}
}
