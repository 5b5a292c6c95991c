package operations_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// What would go around admission does not compile, and for that reason.
func TestForgeryDoesNotCompile(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds programs")
	}
	programs, err := filepath.Glob("testdata/forged/*/main.go")
	if err != nil || len(programs) < 4 {
		t.Fatalf("%d programs, %v", len(programs), err)
	}
	for _, file := range programs {
		src, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		_, want, found := strings.Cut(string(src), "// want: ")
		want, _, _ = strings.Cut(want, "\n")
		if !found {
			t.Fatalf("%s says no error", file)
		}
		out, err := exec.Command("go", "build", "-o", os.DevNull, "./"+filepath.Dir(file)).CombinedOutput()
		switch {
		case err == nil:
			t.Errorf("%s compiles", file)
		case !strings.Contains(string(out), want):
			t.Errorf("%s: got\n%swant %q", file, out, want)
		}
	}
}
