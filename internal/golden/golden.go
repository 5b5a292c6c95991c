// Package golden runs tests that a person reads: txtar files that hold a case and
// what comes of it. OPCAT_UPDATE=1 rewrites what comes of it.
//
// There are two forms. A script ([Scripts]) runs commands of the tool, as
// testscript does. A case ([Cases]) gives input files to a function and compares
// what it makes with the files under want/.
//
// A folder without cases fails, and so does a file that would be skipped: a case
// that never runs is worse than none.
package golden

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/rogpeppe/go-internal/txtar"
)

// update reports whether what comes of a case is to be written down, not compared.
func update() bool { return os.Getenv("OPCAT_UPDATE") == "1" }

// Main makes commands available to the scripts of a test binary. Call it from
// TestMain.
func Main(m *testing.M, commands map[string]func()) { testscript.Main(m, commands) }

// Scripts runs every script of a folder, each in an empty directory of its own.
// Beside testscript's commands there are
//
//	tidy stdout FILE
//	bytes FILE PART...
//
// tidy writes the JSON of stdout (or of a file) into FILE, indented and without
// what differs between runs, for cmp to compare. bytes makes a file that txtar can't
// hold: a part is 0x and hexadecimal digits, the same with *N for N times, or the
// name of a file.
func Scripts(t *testing.T, dir string) {
	t.Helper()
	testscript.Run(t, testscript.Params{
		Files:               files(t, dir),
		UpdateScripts:       update(),
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Cmds:                map[string]func(*testscript.TestScript, bool, []string){"tidy": tidy, "bytes": writeBytes},
		Setup: func(env *testscript.Env) error {
			// Colours and zones of the machine that runs the test change nothing.
			env.Setenv("TZ", "UTC")
			env.Setenv("TMPDIR", env.WorkDir)
			return nil
		},
	})
}

// files lists the cases of a folder by name.
func files(t testing.TB, dir string) []string {
	t.Helper()
	found, problem := list(os.DirFS(dir))
	if problem != "" {
		t.Fatalf("%s: %s", dir, problem)
	}
	for i := range found {
		found[i] = filepath.Join(dir, found[i])
	}
	return found
}

// list gives the cases of a folder, or why it is not one.
func list(fsys fs.FS) (found []string, problem string) {
	entries, err := fs.ReadDir(fsys, ".")
	if err != nil {
		return nil, err.Error()
	}
	for _, e := range entries {
		if e.IsDir() && e.Name() == "fuzz" {
			continue // what `go test` replays of past fuzzing
		}
		if e.IsDir() || filepath.Ext(e.Name()) != ".txtar" {
			return nil, e.Name() + " would never run: only .txtar files are cases"
		}
		found = append(found, e.Name())
	}
	if len(found) == 0 {
		return nil, "no case here"
	}
	return found, ""
}

// volatile are the members of an envelope's meta that differ between runs.
var volatile = regexp.MustCompile(`"(duration_ms":[0-9]+|run_dir":"[^"]*"),`)

// tidy is the script command of that name.
func tidy(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: tidy stdout|FILE FILE")
	}
	var b bytes.Buffer
	ts.Check(json.Indent(&b, volatile.ReplaceAll([]byte(ts.ReadFile(args[0])), nil), "", "  "))
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), b.Bytes(), 0o644))
}

// writeBytes is the script command bytes.
func writeBytes(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: bytes FILE PART...")
	}
	var out []byte
	for _, part := range args[1:] {
		digits, isHex := strings.CutPrefix(part, "0x")
		if !isHex {
			out = append(out, ts.ReadFile(part)...)
			continue
		}
		digits, times, repeated := strings.Cut(digits, "*")
		data, err := hex.DecodeString(digits)
		ts.Check(err)
		n := 1
		if repeated {
			n, err = strconv.Atoi(times)
			ts.Check(err)
		}
		out = append(out, bytes.Repeat(data, n)...)
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), out, 0o644))
}

// Cases runs one function over every case of a folder. It gets the files of the
// case that are not under want/ and gives the files that must be there, by name
// without the want/. A file missing on either side is a failure.
func Cases(t *testing.T, dir string, run func(t *testing.T, in fs.FS) map[string][]byte) {
	t.Helper()
	for _, file := range files(t, dir) {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			in, want := fstest.MapFS{}, map[string][]byte{}
			for _, f := range archive.Files {
				if name, ok := strings.CutPrefix(f.Name, "want/"); ok {
					want[name] = f.Data
				} else {
					in[f.Name] = &fstest.MapFile{Data: f.Data, Mode: 0o644}
				}
			}
			got := run(t, in)
			if update() {
				rewrite(t, file, archive, got)
				return
			}
			compare(t, want, got)
		})
	}
}

func compare(t *testing.T, want, got map[string][]byte) {
	t.Helper()
	for name, data := range got {
		if w, ok := want[name]; !ok || !bytes.Equal(ended(data), ended(w)) {
			t.Errorf("want/%s differs; OPCAT_UPDATE=1 rewrites it\n got:\n%s\nwant:\n%s", name, data, w)
		}
	}
	for name := range want {
		if _, ok := got[name]; !ok {
			t.Errorf("want/%s was not made", name)
		}
	}
}

// rewrite writes what was made into the case, behind its inputs and by name.
func rewrite(t *testing.T, file string, archive *txtar.Archive, got map[string][]byte) {
	t.Helper()
	archive.Files = slices.DeleteFunc(archive.Files, func(f txtar.File) bool { return strings.HasPrefix(f.Name, "want/") })
	var names []string
	for name := range got {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		archive.Files = append(archive.Files, txtar.File{Name: "want/" + name, Data: ended(got[name])})
	}
	if err := os.WriteFile(file, txtar.Format(archive), 0o644); err != nil {
		t.Fatal(err)
	}
}

// ended is data with a last newline, which is all that txtar can hold.
func ended(data []byte) []byte {
	if len(data) == 0 || bytes.HasSuffix(data, []byte("\n")) {
		return data
	}
	return append(slices.Clone(data), '\n')
}
