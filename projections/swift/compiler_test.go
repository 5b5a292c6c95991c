package swift

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/opcat/opcat/compile/build"
	"github.com/opcat/opcat/internal/costtest"
	"github.com/opcat/opcat/internal/swiftc"
	"github.com/opcat/opcat/internal/testcat"
	"github.com/opcat/opcat/internal/testcat/small"
)

// The package of the bundled catalog compiles without a warning and answers as the
// tests in testdata/check say; a program that is right compiles, and each call with a
// route of the wrong operation is an error of the compiler. It is one test since it is
// one build, which takes a minute the first time.
func TestPackageInSwift(t *testing.T) {
	dir := swiftc.Work(t)
	c := small.Catalog(t)
	everything, err := build.Catalog(testcat.New(5, 0.9).Draft(40))
	if err != nil {
		t.Fatal(err)
	}
	var ids []string
	for r := range c.Refs() {
		ids = append(ids, r.ID())
	}
	known, err := json.Marshal(ids)
	if err != nil {
		t.Fatal(err)
	}
	check := read(t, "testdata/check")
	ofSmall := string(emitted(t, c)["Sources/OpcatalogIDs/Embedding.swift"])
	check["Tests/OpcatalogTests/Small.swift"] = []byte(strings.Replace(ofSmall, "import Opcatalog\n", "@testable import Opcatalog\n", 1))
	check["Tests/OpcatalogTests/Constants.swift"] = listed(ofSmall)
	swiftc.Put(t, filepath.Join(dir, "opcatalog"), emitted(t, bundled(t)))
	swiftc.Put(t, filepath.Join(dir, "check"), check)
	swiftc.Put(t, filepath.Join(dir, "given"), map[string][]byte{
		"small.json": []byte(c.JSON()), "ids.json": known, "bundled.json": []byte(bundled(t).JSON()), "everything.json": []byte(everything.JSON()),
		"questions.json": costtest.Questions(t),
		"right.swift":    read(t, "testdata")["right.swift"], "wrong.swift": read(t, "testdata")["wrong.swift"],
	})

	built := swiftc.Command(t, dir, "build", "--package-path", "check", "--scratch-path", "tests", "--build-tests")
	out, err := built.CombinedOutput()
	if err != nil {
		t.Fatalf("the package does not compile: %v\n%s", err, tail(out))
	}
	for line := range strings.Lines(string(out)) {
		if strings.Contains(line, "warning:") {
			t.Error(line)
		}
	}
	t.Run("tests", func(t *testing.T) {
		cmd := swiftc.Command(t, dir, "test", "--package-path", "check", "--scratch-path", "tests", "--skip-build", "--disable-xctest")
		cmd.Env = append(os.Environ(), "OPCAT_GIVEN="+filepath.Join(dir, "given"))
		out, err := cmd.CombinedOutput()
		if ran := regexp.MustCompile(`Test run with (\d+) tests passed`).FindSubmatch(out); err != nil || ran == nil || len(ran[1]) < 2 {
			t.Errorf("%v\n%s", err, tail(out))
		}
	})
	t.Run("right", func(t *testing.T) {
		if out := typecheck(t, dir, "right.swift"); strings.Contains(out, "error:") || strings.Contains(out, "warning:") {
			t.Errorf("%s", out)
		}
	})
	t.Run("wrong", func(t *testing.T) {
		wrong := string(read(t, "testdata")["wrong.swift"])
		got := errorsByLine(typecheck(t, dir, "wrong.swift"))
		marked := 0
		for i, line := range strings.Split(wrong, "\n") {
			_, want, ok := strings.Cut(line, "  // error: ")
			switch said := got[i+1]; {
			case ok && !strings.Contains(said, want):
				t.Errorf("wrong.swift:%d is to be an error %q and is %q", i+1, want, said)
			case !ok && said != "":
				t.Errorf("wrong.swift:%d: %s", i+1, said)
			}
			if ok {
				marked++
			}
		}
		if marked < 10 {
			t.Errorf("%d lines are marked", marked)
		}
	})
}

// typecheck compiles a file of the folder given against the built package, and gives
// what the compiler says. What is right does compile to nothing.
func typecheck(t *testing.T, dir, name string) string {
	t.Helper()
	// The constants of acme are those of the small catalog.
	cmd := swiftc.Command(t, dir, "exec", "swiftc", "-typecheck", "-swift-version", "6", "-enable-testing", "-I", "tests/debug/Modules", "check/Tests/OpcatalogTests/Small.swift", "given/"+name)
	out, _ := cmd.CombinedOutput() // whether it is an error is what is asked
	return string(out)
}

var errorLine = regexp.MustCompile(`(?m)wrong\.swift:(\d+):\d+: error: (.*)$`)

func errorsByLine(out string) map[int]string {
	said := map[int]string{}
	for _, m := range errorLine.FindAllStringSubmatch(out, -1) {
		var line int
		if _, err := fmt.Sscan(m[1], &line); err == nil && !strings.Contains(said[line], m[2]) {
			said[line] += m[2] + "\n"
		}
	}
	return said
}

// listed is a file that lists the constants of hostile ids beside the ids.
func listed(constants string) []byte {
	b := []byte("import Opcatalog\n\nlet constants: [(RouteID<Embedding>, String)] = [\n")
	for _, m := range constant.FindAllStringSubmatch(constants, -1) {
		if strings.HasPrefix(m[2], `"p/`) || strings.HasPrefix(m[2], `"q/`) {
			b = fmt.Appendf(b, "    (.%s, %s),\n", m[1], m[2])
		}
	}
	return append(b, "]\n"...)
}

// read gives the files of a folder of testdata.
func read(t testing.TB, folder string) map[string][]byte {
	t.Helper()
	files := map[string][]byte{}
	err := filepath.WalkDir(folder, func(path string, e os.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		name, err := filepath.Rel(folder, path)
		if err != nil {
			return err
		}
		files[filepath.ToSlash(name)], err = os.ReadFile(path)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// tail is the end of what a program says.
func tail(out []byte) []byte { return out[max(0, len(out)-6000):] }
