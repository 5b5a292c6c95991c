package cli

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

func newRunDir(t *testing.T) RunDir {
	t.Helper()
	return RunDir{path: t.TempDir(), app: newShop().app, now: func() time.Time { return time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC) }}
}

func mustWrite(t *testing.T, d RunDir, a *Artifact) *Artifact {
	t.Helper()
	if err := d.Write(a); err != nil {
		t.Fatal(err)
	}
	return a
}

// code is the code of an error; "" for none.
func code(err error) Code {
	var e *Error
	if errors.As(err, &e) {
		return e.Code
	}
	return ""
}

func TestArtifactRoundTrip(t *testing.T) {
	d := newRunDir(t)
	cut := mustWrite(t, d, &Artifact{Stage: "cut", Body: json.RawMessage(`{ "b" : 1, "a": "<&>" }`),
		Sources: []SourceFile{{Path: "x.toml", SHA256: hexSHA256(nil)}}})
	text, err := os.ReadFile(filepath.Join(d.Path(), "cut.json"))
	if err != nil {
		t.Fatal(err)
	}
	want := `{"schema":"shop.stage.cut@1","stage":"cut","tool_version":"1.2.3","inputs":[],"sources":[{"path":"x.toml","sha256":"` +
		hexSHA256(nil) + `"}],"model_calls":[],"created":"2026-01-01T00:00:00Z","body":{"b":1,"a":"<&>"},"sha256":"` +
		hexSHA256([]byte(`{"b":1,"a":"<&>"}`)) + "\"}\n"
	if string(text) != want {
		t.Errorf("got  %s\nwant %s", text, want)
	}
	got, err := d.Read("cut")
	if err != nil || string(got.Body) != `{"b":1,"a":"<&>"}` || got.SHA256 != cut.SHA256 || len(got.Sources) != 1 {
		t.Errorf("got %+v, %v", got, err)
	}
}

// A missing artifact names the stage that makes it.
func TestArtifactMissing(t *testing.T) {
	d := newRunDir(t)
	_, err := d.Read("glue")
	var e *Error
	if !errors.As(err, &e) || e.Code != ArtifactMissing || !strings.Contains(e.Message, "stage 'glue'") ||
		!strings.HasPrefix(e.Hint, "shop thing glue --run-dir ") {
		t.Errorf("got %v", err)
	}
}

// An artifact holds only while what it was made from lies unchanged beside it, or
// does not lie there at all.
func TestArtifactInputs(t *testing.T) {
	d := newRunDir(t)
	cut := mustWrite(t, d, &Artifact{Stage: "cut", Body: json.RawMessage(`1`)})
	glue := mustWrite(t, d, &Artifact{Stage: "glue", Body: json.RawMessage(`2`), Inputs: []ArtifactInput{cut.Input()}})
	mustWrite(t, d, &Artifact{Stage: "paint", Body: json.RawMessage(`3`), Inputs: []ArtifactInput{glue.Input(), cut.Input()}})
	if _, err := d.Read("paint"); err != nil {
		t.Fatal(err)
	}
	// The same body made again, by another version on another day, changes nothing.
	d.now = func() time.Time { return time.Date(2027, 2, 2, 0, 0, 0, 0, time.UTC) }
	d.app.Version = "9.9.9"
	mustWrite(t, d, &Artifact{Stage: "cut", Body: json.RawMessage(` 1 `)})
	if _, err := d.Read("paint"); err != nil {
		t.Fatal(err)
	}
	// Another body makes everything after it stale, however far behind.
	mustWrite(t, d, &Artifact{Stage: "cut", Body: json.RawMessage(`5`)})
	for _, stage := range []string{"glue", "paint"} {
		if _, err := d.Read(stage); code(err) != ArtifactInvalid || !strings.Contains(err.Error(), "another cut.json") {
			t.Errorf("%s: got %v", stage, err)
		}
	}
	if err := os.Remove(filepath.Join(d.Path(), "cut.json")); err != nil {
		t.Fatal(err)
	}
	if _, err := d.Read("paint"); err != nil {
		t.Errorf("an archived input alone: %v", err)
	}
}

func TestArtifactRefused(t *testing.T) {
	whole := func(d RunDir) string {
		text, err := os.ReadFile(filepath.Join(d.Path(), "cut.json"))
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	swap := func(old, with string) func(string) string {
		return func(s string) string {
			if !strings.Contains(s, old) {
				t.Fatalf("%q is not in %s", old, s)
			}
			return strings.Replace(s, old, with, 1)
		}
	}
	for name, tc := range map[string]struct {
		damage func(string) string
		want   Code
	}{
		"flipped byte":   {swap(`"one"`, `"onf"`), ArtifactInvalid},
		"cut file":       {func(s string) string { return s[:len(s)/2] }, ArtifactInvalid},
		"empty file":     {func(string) string { return "" }, ArtifactInvalid},
		"not an object":  {func(string) string { return "[]" }, ArtifactInvalid},
		"more behind":    {func(s string) string { return s + "{}" }, ArtifactInvalid},
		"unknown member": {swap(`"stage":`, `"stagf":1,"stage":`), ArtifactInvalid},
		"no body":        {swap(`"body":{"n":"one"},`, ``), ArtifactInvalid},
		"bad time":       {swap(`2026-01-01`, `2026-13-01`), ArtifactInvalid},
		"bad schema":     {swap(`shop.stage.cut@1`, `shop.stage.cut@x`), ArtifactInvalid},
		"strange input":  {swap(`"inputs":[]`, `"inputs":[{"artifact":"../x.json","sha256":""}]`), ArtifactInvalid},
		"newer":          {swap(`cut@1`, `cut@99`), UnsupportedVersion},
		"too old":        {swap(`cut@1`, `cut@0`), UnsupportedVersion},
		"another tool":   {swap(`shop.stage`, `mart.stage`), UnsupportedVersion},
		"another stage":  {swap(`stage.cut`, `stage.glue`), SchemaMismatch},
	} {
		d := newRunDir(t)
		mustWrite(t, d, &Artifact{Stage: "cut", Body: json.RawMessage(`{"n":"one"}`)})
		if err := os.WriteFile(filepath.Join(d.Path(), "cut.json"), []byte(tc.damage(whole(d))), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := d.Read("cut"); code(err) != tc.want {
			t.Errorf("%s: got %v, want %s", name, err, tc.want)
		}
	}
	d := newRunDir(t)
	if err := os.Mkdir(filepath.Join(d.Path(), "cut.json"), 0o755); err != nil {
		t.Fatal(err)
	}
	if _, err := d.Read("cut"); code(err) != ArtifactInvalid {
		t.Errorf("a directory: got %v", err)
	}
}

// An older major is read through its upgrade.
func TestArtifactUpgrade(t *testing.T) {
	d := newRunDir(t)
	mustWrite(t, d, &Artifact{Stage: "glue", Body: json.RawMessage(`{}`)})
	file := filepath.Join(d.Path(), "glue.json")
	text, _ := os.ReadFile(file)
	if err := os.WriteFile(file, []byte(strings.Replace(string(text), "glue@2", "glue@1", 1)), 0o644); err != nil {
		t.Fatal(err)
	}
	a, err := d.Read("glue")
	if err != nil || string(a.Body) != `{"was":1}` || a.Major != 1 {
		t.Errorf("got %+v, %v", a, err)
	}
}

// Two runs on one directory leave one whole artifact and no scraps.
func TestArtifactsWrittenAtOnce(t *testing.T) {
	d := newRunDir(t)
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			body, _ := json.Marshal(strings.Repeat(string(rune('a'+i)), 10_000))
			if err := d.Write(&Artifact{Stage: "cut", Body: body}); err != nil {
				t.Error(err)
			}
			if _, err := d.Read("cut"); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	entries, err := os.ReadDir(d.Path())
	if err != nil || len(entries) != 1 {
		t.Errorf("left behind: %v, %v", entries, err)
	}
}

func TestWriteFileStaysInside(t *testing.T) {
	d := newRunDir(t)
	for _, name := range []string{"../x", "/x", "a/../../x", ""} {
		if err := d.WriteFile(name, nil); err == nil {
			t.Errorf("%q was written", name)
		}
	}
}
