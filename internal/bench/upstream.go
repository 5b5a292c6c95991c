package main

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"

	"github.com/opcat/opcat/upstream"
	"github.com/opcat/opcat/upstream/want"
)

const corpus = "../shared/corpus"

// upstreamRead reads one upstream of the corpus in a process of its own and, where
// planned, says what is wanted of it; in turn with a process that does the floor's work
// on the same files, if there is one.
func upstreamRead(reader, dir, floor string, planned bool) func(*world) (result, error) {
	return func(w *world) (result, error) {
		if _, err := os.Stat(corpus); err != nil {
			return result{ours: "not run: the corpus is not beside the checkout", against: "-", ratio: "-"}, nil
		}
		self, err := w.self()
		if err != nil {
			return result{}, err
		}
		job := "upstream-read"
		if planned {
			job = "upstream-want"
		}
		jobs := []func() (sample, error){func() (sample, error) { return w.process(self, "-child", job, "upstreams.toml", reader) }}
		if floor != "" {
			jobs = append(jobs, func() (sample, error) { return w.process(self, "-child", floor, filepath.Join(corpus, dir)) })
		}
		s, err := turns(w.rounds, jobs...)
		if err != nil {
			return result{}, err
		}
		if floor == "" {
			r := result{ours: ms(median(each(s[0], cpu))), against: "-", ratio: "-"}
			return r.mib(s[0]), nil
		}
		return compared(s[0], s[1], cpu, "read + "+floor).mib(s[0]), nil
	}
}

// readUpstream is the measured process.
func readUpstream(manifest, reader string, planned bool) error {
	debug.SetGCPercent(-1) // the command collects nothing below 64 MiB either
	debug.SetMemoryLimit(64 << 20)
	read, err := upstream.Load(manifest, reader)
	if err != nil {
		return err
	}
	if len(read) != 1 {
		return fmt.Errorf("%s names %d upstreams of the reader %s", manifest, len(read), reader)
	}
	if planned && len(want.Build(read, nil, nil).Providers) == 0 {
		return fmt.Errorf("%s: nothing is wanted", reader)
	}
	return nil
}
