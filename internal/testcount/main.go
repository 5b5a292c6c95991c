// Command testcount runs `go test -json` with its arguments and ends with real
// counts: passed, failed and skipped tests, packages without tests.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
)

// An event is one line of `go test -json`.
type event struct {
	Action, Package, Test, Output string
}

func main() {
	failed, err := run(os.Args[1:])
	if err != nil {
		fmt.Fprintln(os.Stderr, "testcount:", err)
	}
	if err != nil || failed > 0 {
		os.Exit(1)
	}
}

func run(args []string) (failed int, err error) {
	cmd := exec.Command("go", append([]string{"test", "-json"}, args...)...)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		return 0, err
	}
	if err := cmd.Start(); err != nil {
		return 0, err
	}
	counts := map[string]int{}
	output := map[string][]string{} // of tests that have not ended, printed if they fail
	packages, broken := 0, 0
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
			broken++
			print(output[key])
		case "pass", "fail", "skip":
			if e.Test == "" && e.Action == "skip" {
				break // a package without tests
			}
			if e.Test == "" {
				packages++
				if e.Action == "fail" {
					broken++
					print(output[key])
				}
				fmt.Printf("%-5s %s\n", e.Action, e.Package)
			} else {
				counts[e.Action]++
				if e.Action != "pass" {
					print(output[key])
				}
			}
			delete(output, key)
		}
	}
	if err := lines.Err(); err != nil {
		return 0, err
	}
	waitErr := cmd.Wait()
	fmt.Printf("%d packages, %d tests passed, %d failed, %d skipped\n", packages, counts["pass"], counts["fail"], counts["skip"])
	if counts["fail"]+broken == 0 && waitErr != nil {
		return 0, waitErr
	}
	return counts["fail"] + broken, nil
}

func print(lines []string) {
	for _, l := range lines {
		os.Stdout.WriteString(l)
	}
}
