package emit

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

func write(t *testing.T, dir string, files ...File) []string {
	t.Helper()
	changed, err := Write(dir, files)
	if err != nil {
		t.Fatal(err)
	}
	return changed
}

func file(path, data string) File { return File{Path: path, Data: []byte(data)} }

func TestWriteThenCheckIsClean(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "gen")
	files := []File{file("json/catalog.json", "{}\n"), file("json/operations/embedding.json", "[]\n"), file("a b:c@d.txt", "")}
	if got := write(t, dir, files...); len(got) != 3 {
		t.Errorf("changed %v, want all three", got)
	}
	if diffs, err := Check(dir, files); err != nil || len(diffs) != 0 {
		t.Errorf("after a write: %v, %v", diffs, err)
	}
	if got := write(t, dir, files...); len(got) != 0 {
		t.Errorf("a second write changed %v", got)
	}
}

func TestCheckNamesEachDifference(t *testing.T) {
	dir := t.TempDir()
	long := strings.Repeat("x", 500)
	write(t, dir, file("same.txt", "a\n"), file("stale.txt", "one\ntwo "+long+"2\nthree\n"), file("short.txt", "a\n"), file("blob.bin", "\x00\x01"))
	os.WriteFile(filepath.Join(dir, "other.txt"), []byte("mine"), 0o644)
	os.WriteFile(filepath.Join(dir, ".gitkeep"), nil, 0o644)
	os.WriteFile(filepath.Join(dir, ".opcat-0123456789abcdef-same.txt.tmp"), []byte("hal"), 0o644)
	diffs, err := Check(dir, []File{
		file("same.txt", "a\n"), file("stale.txt", "one\ntwo "+long+"3\nthree\n"), file("short.txt", "a\nb\n"), file("gone/x.txt", ""), file("blob.bin", "\x00\x02"),
	})
	if err != nil {
		t.Fatal(err)
	}
	tail := strings.Repeat("x", 40)
	want := []string{
		".opcat-0123456789abcdef-same.txt.tmp: left by a run that was killed",
		"blob.bin: stale",
		"gone/x.txt: missing",
		"other.txt: extra: nothing generates it; remove it",
		"short.txt:2: stale\n\tgot:  (the file ends)\n\twant: b",
		"stale.txt:2: stale\n\tgot:  …" + tail + "2\n\twant: …" + tail + "3",
	}
	for i, d := range diffs {
		if i >= len(want) || d.String() != want[i] {
			t.Errorf("difference %d is %q", i, d)
		}
	}
	if len(diffs) != len(want) {
		t.Errorf("%d differences, want %d", len(diffs), len(want))
	}
	write(t, dir, file("same.txt", "a\n"))
	if _, err := os.Stat(filepath.Join(dir, ".opcat-0123456789abcdef-same.txt.tmp")); err == nil {
		t.Error("the next write left the killed run's file")
	}
	if b, _ := os.ReadFile(filepath.Join(dir, "other.txt")); string(b) != "mine" {
		t.Error("a write touched a file that it did not make")
	}
}

func TestCheckWithoutTree(t *testing.T) {
	diffs, err := Check(filepath.Join(t.TempDir(), "gen"), []File{file("b", ""), file("a", "")})
	if err != nil || len(diffs) != 2 || diffs[0].Path != "a" || diffs[0].Kind != Missing {
		t.Errorf("got %v, %v", diffs, err)
	}
}

func TestNothingIsWrittenWhereItDoesNotBelong(t *testing.T) {
	dir, outside := t.TempDir(), t.TempDir()
	if err := os.Symlink(outside, filepath.Join(dir, "link")); err != nil {
		t.Fatal(err)
	}
	os.Mkdir(filepath.Join(dir, "folder"), 0o755)
	for _, path := range []string{"../x", "/etc/x", "a/../../x", "", ".", "link/x", "folder"} {
		if _, err := Write(dir, []File{file("ok.txt", "new"), file(path, "x")}); err == nil {
			t.Errorf("wrote to %q", path)
		}
		if _, err := os.Stat(filepath.Join(dir, "ok.txt")); err == nil {
			t.Errorf("a write that failed at %q changed another file", path)
		}
	}
	if _, err := Write(dir, []File{file("a", "1"), file("a", "2")}); err == nil {
		t.Error("two files of one name were written")
	}
	left, _ := filepath.Glob(filepath.Join(dir, ".opcat-*"))
	if out, _ := os.ReadDir(outside); len(out)+len(left) > 0 {
		t.Errorf("left behind: %v %v", out, left)
	}
}

// A link at a file's place is replaced, not followed.
func TestWriteReplacesALink(t *testing.T) {
	dir := t.TempDir()
	os.WriteFile(filepath.Join(dir, "target"), []byte("old"), 0o644)
	if err := os.Symlink("target", filepath.Join(dir, "f")); err != nil {
		t.Fatal(err)
	}
	write(t, dir, file("f", "new"))
	if b, _ := os.ReadFile(filepath.Join(dir, "target")); string(b) != "old" {
		t.Errorf("the link's target now holds %q", b)
	}
}

// A folder may be a link to another one of the same tree, wherever it stands.
func TestWriteFollowsALinkWithinTheTree(t *testing.T) {
	dir := t.TempDir()
	for _, folder := range []string{"docs", "other/deep"} {
		if err := os.MkdirAll(filepath.Join(dir, folder), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink("../other/deep", filepath.Join(dir, "docs", "link")); err != nil {
		t.Fatal(err)
	}
	write(t, dir, file("docs/link/a", "x"), file("docs/link/below/b", "y"))
	for name, want := range map[string]string{"other/deep/a": "x", "other/deep/below/b": "y"} {
		if got, err := os.ReadFile(filepath.Join(dir, name)); string(got) != want {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
}

// The parent kills a child that writes two versions in turn, and looks at what is
// there: always all of one version.
func TestAKilledWriteLeavesWholeFiles(t *testing.T) {
	if dir := os.Getenv("OPCAT_TEST_WRITE"); dir != "" {
		for i := 0; ; i++ {
			if _, err := Write(dir, version(i%2)); err != nil {
				fmt.Fprintln(os.Stderr, err)
				os.Exit(1)
			}
		}
	}
	dir := t.TempDir()
	write(t, dir, version(0)...)
	leftovers := 0
	for i := range 12 {
		cmd := exec.Command(os.Args[0], "-test.run=^TestAKilledWriteLeavesWholeFiles$")
		cmd.Env = append(os.Environ(), "OPCAT_TEST_WRITE="+dir)
		var out bytes.Buffer
		cmd.Stderr = &out
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Duration(10+7*i) * time.Millisecond)
		cmd.Process.Kill()
		cmd.Wait()
		if out.Len() > 0 {
			t.Fatal(out.String())
		}
		for _, f := range version(0) {
			got, err := os.ReadFile(filepath.Join(dir, f.Path))
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(got, version(0)[index(f)].Data) && !bytes.Equal(got, version(1)[index(f)].Data) {
				t.Fatalf("%s holds neither version: %d bytes", f.Path, len(got))
			}
		}
		left, _ := filepath.Glob(filepath.Join(dir, ".opcat-*"))
		leftovers += len(left)
	}
	t.Logf("%d files were being written when the child was killed", leftovers)
	write(t, dir, version(0)...)
	if diffs, err := Check(dir, version(0)); err != nil || len(diffs) > 0 {
		t.Errorf("after the next write: %v, %v", diffs, err)
	}
}

func version(n int) []File {
	var files []File
	for i := range 4 {
		files = append(files, file("f"+strconv.Itoa(i), strings.Repeat(fmt.Sprintf("version %d of file %d\n", n, i), 40_000)))
	}
	return files
}

func index(f File) int { n, _ := strconv.Atoi(f.Path[1:]); return n }

// A file in pieces is the file that its pieces make.
func TestFileInPieces(t *testing.T) {
	whole := file("a", "head\nrow,\nrow\nend")
	pieces := File{Path: "a", Data: []byte("head\n"), More: []string{"row", ",\n", "row\n", "", "end"}}
	if string(pieces.Bytes()) != string(whole.Data) || pieces.Size() != whole.Size() || pieces.SHA256() != whole.SHA256() {
		t.Errorf("the pieces make %q", pieces.Bytes())
	}
	dir := t.TempDir()
	for _, f := range []File{pieces, whole, pieces} {
		changed, err := Write(dir, []File{f})
		if err != nil {
			t.Fatal(err)
		}
		if diffs, err := Check(dir, []File{pieces}); err != nil || len(diffs) > 0 {
			t.Errorf("changed %q, differs: %v %v", changed, diffs, err)
		}
	}
	if changed, err := Write(dir, []File{pieces}); err != nil || len(changed) > 0 {
		t.Errorf("the same bytes again changed %q: %v", changed, err)
	}
	for _, other := range []string{"", "head\n", "head\nrow,\nrow\nen", "head\nrow,\nrow\nend.", "head\nrow,\nROW\nend"} {
		if pieces.holds([]byte(other)) {
			t.Errorf("it holds %q", other)
		}
	}
}

// What an earlier run generated and nothing makes now goes; what people put beside it
// stays.
func TestWriteRemovesWhatNothingMakes(t *testing.T) {
	dir := t.TempDir()
	old := "<!doctype html>\n<!-- " + Mark + " -->\n"
	write(t, dir, file("docs/a.html", old), file("docs/b/c/d.html", old), file("docs/b/e.html", "mine"), file("other/f.html", old))
	changed := write(t, dir, file("docs/a.html", "new"))
	if strings.Join(changed, " ") != "docs/a.html docs/b/c/d.html" {
		t.Errorf("changed %v", changed)
	}
	for name, stays := range map[string]bool{"docs/a.html": true, "docs/b/c": false, "docs/b/e.html": true, "other/f.html": true} {
		if _, err := os.Stat(filepath.Join(dir, name)); (err == nil) != stays {
			t.Errorf("%s: %v", name, err)
		}
	}
}
