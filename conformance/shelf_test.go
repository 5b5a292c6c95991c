package conformance

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// shelf builds the golden tool once.
var shelf = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "shelf-*")
	if err != nil {
		return "", err
	}
	bin := filepath.Join(dir, "shelf")
	if out, err := exec.Command("go", "build", "-ldflags=-s -w", "-o", bin, "./internal/shelf").CombinedOutput(); err != nil {
		return "", fmt.Errorf("build: %w\n%s", err, out)
	}
	return bin, nil
})

func TestMain(m *testing.M) {
	code := m.Run()
	if bin, err := shelf(); err == nil {
		_ = os.RemoveAll(filepath.Dir(bin))
	}
	os.Exit(code)
}

// mutantOf gives shelf with one rule broken, and the profile that goes with it.
func mutantOf(t *testing.T, id string) (string, *Profile) {
	t.Helper()
	bin, err := shelf()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	tool := bin
	if id != "" {
		tool = filepath.Join(dir, "shelf-"+id)
		if err := os.Link(bin, tool); err != nil {
			t.Fatal(err)
		}
	}
	p, err := ReadProfile("testdata/shelf/verify.toml")
	if err != nil {
		t.Fatal(err)
	}
	doc, err := exec.Command(tool, "--describe").Output()
	if err != nil && id != "C001" {
		t.Fatal(err)
	}
	p.Skill = writeSkill(t, dir, doc)
	switch id {
	case "C058": // a copy that somebody changed
		change(t, p.Skill, "describe sha256:", "describe sha256:0")
	case "C067":
		spec := filepath.Join(dir, "spec.yaml")
		if err := os.WriteFile(spec, []byte("tool: shelf\ncontract_version: 1\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		p.Spec = spec
	}
	return tool, p
}

func writeSkill(t *testing.T, dir string, describe []byte) string {
	t.Helper()
	sum, err := DescribeDigest(describe)
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(dir, "shelf", "SKILL.md")
	text := "---\nname: shelf\ndescription: Keeps cups. Use it when a cup is asked for.\nmetadata:\n  contract_version: 0\n  tool_version: 1.0.0\n---\n" +
		"<!-- made from describe sha256:" + sum + " -->\nshelf keeps cups.\n"
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return name
}

func change(t *testing.T, name, old, with string) {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil || !bytes.Contains(text, []byte(old)) {
		t.Fatalf("%q is not in %s: %v", old, name, err)
	}
	if err := os.WriteFile(name, bytes.Replace(text, []byte(old), []byte(with), 1), 0o644); err != nil {
		t.Fatal(err)
	}
}

// broken lists the checks that a report does not pass, each with what it saw.
func broken(r *Report) map[string]string {
	out := map[string]string{}
	for _, c := range r.Results {
		if c.Status != Passed {
			out[c.ID] = fmt.Sprintf("%s: %s", c.Status, c.Saw)
			for _, p := range c.Probes {
				out[c.ID] += "\n\t\t" + p.Saw + "\n\t\t\t" + p.Stdout + "\t\t\t" + p.Stderr
			}
		}
	}
	return out
}

// The golden tool passes every check, and none is skipped.
func TestGoldenToolPassesAll(t *testing.T) {
	tool, p := mutantOf(t, "")
	began := time.Now()
	r, err := Run(context.Background(), tool, p, Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%s; %d runs of the tool in %s, isolated: %v", r.Summary(), r.Runs, time.Since(began).Round(time.Millisecond), r.Isolated)
	for id, saw := range broken(r) {
		t.Errorf("%s %s", id, saw)
	}
	if len(r.Results) != len(checks) || len(checks) != 68 || !r.OK() {
		t.Errorf("%d results of %d checks", len(r.Results), len(checks))
	}
}

// alsoFails lists the checks that a mutant cannot but fail beside its own.
var alsoFails = map[string][]string{
	"C054": {"C055"}, // a credential in a file is a secret in a file
}

// Each check fails its own mutant, and no mutant fails another check.
func TestEachCheckFailsItsMutant(t *testing.T) {
	if testing.Short() {
		t.Skip("68 runs of the suite")
	}
	for i, c := range checks {
		t.Run(c.id, func(t *testing.T) {
			t.Parallel()
			o := Options{Jobs: 1, Limit: 3 * time.Second}
			if os.Getenv("CI") != "" { // its own checks and some others, other ones for each: all for all take minutes
				o.Only = append([]string{c.id}, alsoFails[c.id]...)
				for j := i % 8; j < len(checks); j += 8 {
					if !slices.Contains(o.Only, checks[j].id) {
						o.Only = append(o.Only, checks[j].id)
					}
				}
			}
			tool, p := mutantOf(t, c.id)
			r, err := Run(context.Background(), tool, p, o)
			if err != nil {
				t.Fatal(err)
			}
			got := broken(r)
			if !strings.HasPrefix(got[c.id], string(Failed)) {
				t.Errorf("the mutant passes %s (%s): %q", c.id, c.asks, got[c.id])
			}
			for id, saw := range got {
				if id != c.id && !slices.Contains(alsoFails[c.id], id) {
					t.Errorf("it fails %s too: %s", id, saw)
				}
			}
			for _, id := range alsoFails[c.id] {
				if got[id] == "" {
					t.Errorf("it passes %s: the list is too long", id)
				}
			}
		})
	}
}
