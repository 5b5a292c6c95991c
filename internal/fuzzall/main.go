// Command fuzzall runs every fuzz target of the module for a while each. Finding
// none is a failure: a fuzz step that fuzzes nothing looks like one that passes.
package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strings"
)

func main() {
	fuzztime := flag.String("fuzztime", "60s", "how long each target runs")
	part := flag.String("part", "0/1", "take one in so many targets, such as 1/4: those whose number leaves 1")
	flag.Parse()
	if err := run(*fuzztime, *part); err != nil {
		fmt.Fprintln(os.Stderr, "fuzzall:", err)
		os.Exit(1)
	}
}

func run(fuzztime, part string) error {
	nth, of := 0, 1
	if _, err := fmt.Sscanf(part, "%d/%d", &nth, &of); err != nil || of < 1 {
		return fmt.Errorf("-part %q is not like 1/4", part)
	}
	out, err := exec.Command("go", "list", "-f", `{{$p := .}}{{range .TestGoFiles}}{{$p.ImportPath}} {{$p.Dir}}/{{.}}{{"\n"}}{{end}}{{range .XTestGoFiles}}{{$p.ImportPath}} {{$p.Dir}}/{{.}}{{"\n"}}{{end}}`, "./...").Output()
	if err != nil {
		return fmt.Errorf("list test files: %w", err)
	}
	found := 0
	for line := range strings.Lines(string(out)) {
		pkg, file, ok := strings.Cut(strings.TrimSpace(line), " ")
		if !ok {
			continue
		}
		src, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		for _, m := range target.FindAllSubmatch(src, -1) {
			if found++; (found-1)%of != nth%of {
				continue
			}
			fmt.Printf("%s %s\n", pkg, m[1])
			if err := fuzz(pkg, string(m[1]), fuzztime); err != nil {
				return fmt.Errorf("%s %s: %w", pkg, m[1], err)
			}
		}
	}
	if found == 0 {
		return fmt.Errorf("no fuzz target found")
	}
	fmt.Printf("%d fuzz targets, of which part %s ran\n", found, part)
	return nil
}

var target = regexp.MustCompile(`(?m)^func (Fuzz\w+)\(\w+ \*testing\.F\)`)

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
