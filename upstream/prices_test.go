package upstream_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// Every price that was imported is the upstream's to the last digit, by a script that
// shares no line with the readers.
func TestPricesRecomputed(t *testing.T) {
	corpus := filepath.Join("..", "..", "shared", "corpus")
	python, err := exec.LookPath("python3")
	if _, missing := os.Stat(corpus); err != nil || missing != nil {
		if os.Getenv("CI") != "" {
			t.Fatal(err, missing)
		}
		t.Skip("python3 or the corpus is not here")
	}
	out, err := exec.Command(python, filepath.Join("..", "parity", "upstream_prices.py"), corpus).CombinedOutput()
	if err != nil {
		t.Errorf("%v\n%s", err, out)
	}
	t.Logf("%s", out)
}
