package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The text of each rule stands once where its control takes it out. What becomes of the
// named test is told by running the controls, a part at a time; this is told at once.
func TestEachRuleStandsOnce(t *testing.T) {
	for _, c := range controls {
		src, err := os.ReadFile(filepath.Join("..", "..", filepath.FromSlash(c.file)))
		if err != nil {
			t.Error(err)
			continue
		}
		if n := strings.Count(string(src), c.old); n != 1 {
			t.Errorf("%s: the text of the rule that %s stands %d times, want once: %q", c.file, c.rule, n, c.old)
		}
	}
}
