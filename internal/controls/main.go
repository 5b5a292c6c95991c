// Command controls proves that the safety rules are what keeps forbidden things
// out: for each rule it builds opcat with the rule removed and requires that the
// named test then fails.
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// A control removes one rule.
type control struct {
	rule string // what is kept out
	file string // where the rule is, relative to the module's root
	old  string // its text, which stands there once
	new  string // the text without the rule
	pkg  string // the package of the test
	test string // the test that must fail without the rule
}

func main() {
	green := flag.Bool("green", false, "the tests are known to pass with the rules in place: run them without only")
	part := flag.String("part", "0/1", "take one in so many controls, such as 1/4: those whose number leaves 1")
	flag.Parse()
	nth, of := 0, 1
	if _, err := fmt.Sscanf(*part, "%d/%d", &nth, &of); err != nil || of < 1 {
		fmt.Fprintf(os.Stderr, "controls: -part %q is not like 1/4\n", *part)
		os.Exit(2)
	}
	broken := 0
	for i, c := range controls {
		if i%of != nth%of {
			continue
		}
		if err := c.run(*green); err != nil {
			broken++
			fmt.Printf("FAIL %s: %v\n", c.rule, err)
			continue
		}
		fmt.Printf("ok   %s: without it %s fails\n", c.rule, c.test)
	}
	fmt.Printf("part %s of %d controls, %d broken\n", *part, len(controls), broken)
	if broken > 0 || len(controls) == 0 {
		os.Exit(1)
	}
}

func (c control) run(green bool) error {
	if !green {
		if out, err := c.goTest(); err != nil {
			return fmt.Errorf("the test does not pass with the rule in place: %w\n%s", err, out)
		}
	}
	src, err := os.ReadFile(c.file)
	if err != nil {
		return err
	}
	if n := bytes.Count(src, []byte(c.old)); n != 1 {
		return fmt.Errorf("the rule's text stands %d times in %s, want once", n, c.file)
	}
	dir, err := os.MkdirTemp("", "opcat-control-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	overlay, err := c.overlay(dir, bytes.Replace(src, []byte(c.old), []byte(c.new), 1))
	if err != nil {
		return err
	}
	os.Setenv("OPCAT_BUILD_OVERLAY", overlay) // for what a test builds that is no Go
	defer os.Unsetenv("OPCAT_BUILD_OVERLAY")
	out, err := c.goTest("-overlay", overlay)
	var exit *exec.ExitError
	switch {
	case err == nil:
		return errors.New("the test passes without the rule: it proves nothing")
	case !errors.As(err, &exit):
		return err
	case !strings.Contains(string(out), "--- FAIL: "):
		return fmt.Errorf("the build without the rule does not run:\n%s", out)
	}
	return nil
}

// overlay writes the changed file and the description that `go build` takes.
func (c control) overlay(dir string, changed []byte) (string, error) {
	to := filepath.Join(dir, filepath.Base(c.file))
	if err := os.WriteFile(to, changed, 0o644); err != nil {
		return "", err
	}
	from, err := filepath.Abs(c.file)
	if err != nil {
		return "", err
	}
	text, err := json.Marshal(map[string]map[string]string{"Replace": {from: to}})
	if err != nil {
		return "", err
	}
	name := filepath.Join(dir, "overlay.json")
	return name, os.WriteFile(name, text, 0o644)
}

func (c control) goTest(flags ...string) ([]byte, error) {
	args := append([]string{"test", "-count=1"}, flags...)
	return exec.Command("go", append(args, "-run", "^"+c.test+"$", "./"+c.pkg)...).CombinedOutput()
}
