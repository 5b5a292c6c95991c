package resolve_test

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/opcat/opcat/diag"
)

// TestEveryCodeHasACase: a code of stages layer and resolve that no case shows may
// never have been seen.
func TestEveryCodeHasACase(t *testing.T) {
	finding := regexp.MustCompile(`(?m)^\S+: (?:error|warning) ([A-Z_0-9]+): `)
	for stage, dir := range map[string]string{"layer": "../layer/testdata", "resolve": "testdata"} {
		seen := map[string]bool{}
		files, err := filepath.Glob(dir + "/*.txtar")
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			data, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range finding.FindAllStringSubmatch(string(data), -1) {
				seen[m[1]] = true
			}
		}
		for _, e := range diag.Codes() {
			if e.Stage == stage && !seen[string(e.Code)] {
				t.Errorf("%s: no case under %s gets it", e.Code, dir)
			}
		}
	}
}
