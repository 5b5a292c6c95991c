package ts

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/opcat/opcat/internal/costtest"
	"github.com/opcat/opcat/internal/node"
	"github.com/opcat/opcat/internal/testcat/small"
)

// Go and TypeScript give the same cost, to the last digit, and the same reason where
// it is unknown.
func TestCostsAreThoseOfGo(t *testing.T) {
	dir := install(t, small.Catalog(t))
	questions := filepath.Join(dir, "questions.json")
	put(t, questions, string(costtest.Questions(t)))
	cmd := node.Test(t, copyIn(t, dir, "cost.test.mjs"))
	cmd.Env = append(os.Environ(), "OPCAT_QUESTIONS="+questions)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%.4000s", err, out)
	}
}
