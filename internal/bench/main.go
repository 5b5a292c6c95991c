// Command bench measures what opcat promises about speed: each figure beside its
// floor or peer, in turn, in one run, so that the ratio means something although
// the machine's clock drifts. It prints a table for docs/performance.md and fails
// when cost per row grows with the number of rows.
//
// Times are CPU (user and system, of all threads) unless a line says wall.
package main

import (
	"flag"
	"fmt"
	"os"
	"strings"
)

func main() {
	rounds := flag.Int("rounds", 9, "rounds of each pair")
	only := flag.String("only", "", "run the lines whose name holds this")
	child := flag.String("child", "", "internal: be one measured process")
	flag.Parse()
	if *child != "" {
		if err := beChild(*child, flag.Args()); err != nil {
			fmt.Fprintln(os.Stderr, "bench:", err)
			os.Exit(1)
		}
		return
	}
	if err := run(*rounds, *only); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run(rounds int, only string) error {
	scratch, err := os.MkdirTemp("", "opcat-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(scratch)
	w := &world{dir: scratch, rounds: rounds}
	fmt.Println("| what | ours | against | ratio | goal |\n| --- | --- | --- | --- | --- |")
	var failed []string
	for _, l := range lines {
		if only != "" && !strings.Contains(l.name, only) {
			continue
		}
		r, err := l.measure(w)
		if err != nil {
			return fmt.Errorf("%s: %w", l.name, err)
		}
		fmt.Printf("| %s | %s | %s | %s | %s |\n", l.name, r.ours, r.against, r.ratio, l.goal)
		if r.broken {
			failed = append(failed, l.name)
		}
	}
	if len(failed) > 0 {
		return fmt.Errorf("not linear: %s", strings.Join(failed, ", "))
	}
	return nil
}
