// Command fuzzall runs every fuzz target of the module for a while each. Finding
// none is a failure: a fuzz step that fuzzes nothing looks like one that passes.
package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"strings"
)

func main() {
	fuzztime := flag.String("fuzztime", "60s", "how long each target runs")
	flag.Parse()
	if err := run(*fuzztime); err != nil {
		fmt.Fprintln(os.Stderr, "fuzzall:", err)
		os.Exit(1)
	}
}

func run(fuzztime string) error {
	out, err := exec.Command("go", "list", "./...").Output()
	if err != nil {
		return fmt.Errorf("list packages: %w", err)
	}
	found := 0
	for pkg := range strings.Lines(string(out)) {
		pkg = strings.TrimSpace(pkg)
		list, err := exec.Command("go", "test", "-list", "^Fuzz", pkg).Output()
		if err != nil {
			return fmt.Errorf("list the targets of %s: %w", pkg, err)
		}
		for target := range strings.Lines(string(list)) {
			target = strings.TrimSpace(target)
			if !strings.HasPrefix(target, "Fuzz") {
				continue
			}
			found++
			fmt.Printf("%s %s\n", pkg, target)
			if err := fuzz(pkg, target, fuzztime); err != nil {
				return fmt.Errorf("%s %s: %w", pkg, target, err)
			}
		}
	}
	if found == 0 {
		return fmt.Errorf("no fuzz target found")
	}
	fmt.Printf("%d fuzz targets\n", found)
	return nil
}

// fuzz runs one target. Go's fuzzer can fail at its own deadline without having
// found anything; then it runs once more.
func fuzz(pkg, target, fuzztime string) error {
	for again := true; ; again = false {
		out, err := exec.Command("go", "test", "-run", "^$", "-fuzz", "^"+target+"$", "-fuzztime", fuzztime, "-fuzzminimizetime", "5x", pkg).CombinedOutput()
		os.Stdout.Write(out)
		if err == nil || !again || !strings.Contains(string(out), "context deadline exceeded") {
			return err
		}
	}
}
