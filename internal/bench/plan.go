package main

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/opcat/opcat/internal/testcat"
)

// applied carries out a plan that brings rows into sources that have none of them. The
// upstream is a tree of our own format, so that what is measured is mostly the apply: the
// look whether a fresh plan says the same, the ledger, and the files.
func applied(rows int) func(*world) (result, error) {
	return func(w *world) (result, error) {
		theirs, err := w.tree(rows, 50, testcat.Lean)
		if err != nil {
			return result{}, err
		}
		opcat, err := w.opcat()
		if err != nil {
			return result{}, err
		}
		manifest, target, plan := filepath.Join(w.dir, "upstreams.toml"), filepath.Join(w.dir, "target"), filepath.Join(w.dir, "plan.json")
		text := fmt.Sprintf("[[upstream]]\nreader = \"harn\"\npath = %q\nurl = \"https://theirs.example/catalog\"\nversion = \"1\"\nchecked_on = %q\nas_of = %q\n",
			filepath.Base(theirs), asOf, asOf)
		if err := os.WriteFile(manifest, []byte(text), 0o644); err != nil {
			return result{}, err
		}
		empty := func() error {
			if err := w.aside(target); err != nil {
				return err
			}
			return os.MkdirAll(target, 0o755)
		}
		if err := empty(); err != nil {
			return result{}, err
		}
		run := filepath.Join(w.dir, "run")
		if _, err := w.process(opcat, "upstream", "plan", "--sources", target, "--upstreams", manifest, "--as-of", asOf, "--out", plan, "--run-dir", run, "--json"); err != nil {
			return result{}, err
		}
		s, err := turns(w.rounds, func() (sample, error) {
			if err := empty(); err != nil {
				return sample{}, err
			}
			return w.process(opcat, "upstream", "apply", "--plan", plan, "--run-dir", run, "--json")
		})
		if err != nil {
			return result{}, err
		}
		info, err := os.Stat(plan)
		if err != nil {
			return result{}, err
		}
		r := result{ours: ms(median(each(s[0], wall))) + " wall, " + ms(median(each(s[0], cpu))) + " CPU", against: fmt.Sprintf("a plan of %.1f MB", float64(info.Size())/1e6)}
		return r.mib(s[0]), nil
	}
}
