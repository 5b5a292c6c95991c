// Command testcount runs `go test -json` with its arguments, once for each group of
// them between "--", and ends with real counts of all: passed, failed and skipped tests.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"slices"
)

// An event is one line of `go test -json`.
type event struct {
	Action, Package, Test, Output string
}

func main() {
	c := counter{tests: map[string]int{}}
	var err error
	for rest := os.Args[1:]; err == nil; {
		i := slices.Index(rest, "--")
		if i < 0 {
			err = c.run(rest)
			break
		}
		err, rest = c.run(rest[:i]), rest[i+1:]
	}
	fmt.Printf("%d packages, %d tests passed, %d failed, %d skipped\n", c.packages, c.tests["pass"], c.tests["fail"], c.tests["skip"])
	failed := c.tests["fail"] + c.broken
	if err != nil {
		fmt.Fprintln(os.Stderr, "testcount:", err)
	}
	if err != nil || failed > 0 {
		os.Exit(1)
	}
}

// A counter adds up what the runs say.
type counter struct {
	tests            map[string]int
	packages, broken int
}

func (c *counter) run(args []string) error {
	cmd := exec.Command("go", append([]string{"test", "-json"}, args...)...)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	before := c.tests["fail"] + c.broken
	output := map[string][]string{} // of tests that have not ended, printed if they fail
	lines := bufio.NewScanner(out)
	lines.Buffer(nil, 16<<20)
	for lines.Scan() {
		var e event
		if json.Unmarshal(lines.Bytes(), &e) != nil {
			fmt.Println(lines.Text())
			continue
		}
		key := e.Package + " " + e.Test
		switch e.Action {
		case "output", "build-output":
			output[key] = append(output[key], e.Output)
		case "build-fail":
			c.broken++
			print(output[key])
		case "pass", "fail", "skip":
			if e.Test == "" && e.Action == "skip" {
				break // a package without tests
			}
			if e.Test == "" {
				c.packages++
				if e.Action == "fail" {
					c.broken++
					print(output[key])
				}
				fmt.Printf("%-5s %s\n", e.Action, e.Package)
			} else {
				c.tests[e.Action]++
				if e.Action != "pass" {
					print(output[key])
				}
			}
			delete(output, key)
		}
	}
	if err := lines.Err(); err != nil {
		return err
	}
	if err := cmd.Wait(); err != nil && c.tests["fail"]+c.broken == before {
		return err
	}
	return nil
}

func print(lines []string) {
	for _, l := range lines {
		os.Stdout.WriteString(l)
	}
}
