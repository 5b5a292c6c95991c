package golden

import (
	"bytes"
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"
)

// A folder is a set of cases only if every file in it is one.
func TestFolderWithoutCases(t *testing.T) {
	for _, tc := range []struct {
		name  string
		files []string
		want  string
	}{
		{"empty", nil, "no case here"},
		{"a .txt case", []string{"a.txtar", "b.txt"}, "b.txt would never run"},
		{"a folder", []string{"a.txtar", "sub/b.txtar"}, "sub would never run"},
		{"cases", []string{"a.txtar", "b.txtar"}, ""},
	} {
		fsys := fstest.MapFS{}
		for _, f := range tc.files {
			fsys[f] = &fstest.MapFile{}
		}
		_, problem := list(fsys)
		if problem == "" != (tc.want == "") || !strings.HasPrefix(problem, tc.want) {
			t.Errorf("%s: got %q, want %q", tc.name, problem, tc.want)
		}
	}
}

func TestCases(t *testing.T) {
	Cases(t, "testdata", func(t *testing.T, in fs.FS) map[string][]byte {
		text, err := fs.ReadFile(in, "in.txt")
		if err != nil {
			t.Fatal(err)
		}
		return map[string][]byte{"out.txt": bytes.ToUpper(text)}
	})
}
