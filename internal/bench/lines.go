package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"time"

	"github.com/opcat/opcat/compile"
	"github.com/opcat/opcat/compile/fragment"
	"github.com/opcat/opcat/internal/testcat"
	"github.com/opcat/opcat/operations"
	"github.com/pelletier/go-toml/v2/unstable"
)

// A line is one row of the table.
type line struct {
	name, goal string
	measure    func(*world) (result, error)
}

type result struct {
	ours, against, ratio string
	broken               bool // growth is not linear
}

const asOf = "2026-11-30"

var lines = []line{
	{"5,000 full rows: decode to check, in process", "<= 2.5x of the bare walk", checkAgainstWalk(5000, testcat.Full)},
	{"5,000 lean rows: decode to check, in process", "<= 2.5x, <= 30 ms", checkAgainstWalk(5000, testcat.Lean)},
	{"5,000 full rows: cold process, JSON written", "<= 5x of the bare walk, <= 48 MiB", coldAgainstWalk(5000, testcat.Full)},
	{"5,000 lean rows: cold process, JSON written", "<= 5x, <= 60 ms, <= 48 MiB", coldAgainstWalk(5000, testcat.Lean)},
	{"5,654 one-row fragments: decode to check, wall, 2 workers", "<= 1.8x of reading and scanning them", smallFiles},
	{"5,654 one-row fragments: decode with 2 workers against 1, wall", ">= 1.4x", workers},
	{"cost per row at 50,000 rows against 5,000", "<= 1.3x", linear},
	{"peak memory per row at 50,000 rows against 5,000: cold process, JSON written", "<= 1.3x", linearPeak},
	{"catalog compile --check, nothing changed", "<= 1.3x of read + sha256", unchanged},
	{"one edited file of 5,000 full rows: new catalog in process", "<= 10 ms", edited},
	{"5,000 full rows: all projections, cold process", "<= 2x of JSON alone", allProjections},
	{"one edited file of 5,000 full rows: new catalog and all projections in process", "<= 50 ms", editedProjections},
	{"all projections in process: cost per row at 50,000 rows against 5,000", "<= 1.3x", linearProjections},
	{"projection go of 5,000 full rows", "-", emitter("go")},
	{"projection json of 5,000 full rows", "-", emitter("json")},
	{"projection picker of 5,000 full rows", "-", emitter("picker")},
	{"projection schema of 5,000 full rows", "-", emitter("schema")},
	{"projection selection of 5,000 full rows", "-", emitter("selection")},
	{"projection swift of 5,000 full rows", "-", emitter("swift")},
	{"projection ts of 5,000 full rows", "-", emitter("ts")},
	{"projection docs of 5,000 full rows", "-", emitter("docs")},
	{"model list at 5,000 rows: whole process", "<= 15 ms", query("model", "list", "--limit", "50", "--json")},
	{"route list at 5,000 rows: whole process", "<= 15 ms", query("route", "list", "--operation", "text_generation", "--limit", "50", "--json")},
	{"exact cost of one call, input and output", "<= 100 ns, 0 allocations", costAlone(plain)},
	{"exact cost of one call, four meters, tiers and cache lifetimes", "<= 100 ns, 0 allocations", costAlone(cached)},
	{"exact cost of one call against LiteLLM's cost_per_token", "<= 1/3,000", costAgainst("litellm")},
	{"exact cost of one call against genai-prices' calc_price", "<= 1/1,000", costAgainst("genai-prices")},
	{"admission of a chat with two settings", "<= 1 us, <= 1 allocation", admitAlone("mistral/mistral-small-2603", capped, operations.Terms{})},
	{"admission of a chat with an effort and a bound, on a row with tiers", "<= 1 us, <= 1 allocation", admitAlone("openai/gpt-6-luna", thinking, operations.Terms{MaxUSD: "1"})},
	{"admission of a decision with a bound", "<= 1 us, <= 1 allocation", admitAlone("typesafe/jev-1.14.0", judged, operations.Terms{MaxUSD: "0.001"})},
	{"admission of an embedding", "<= 1 us, <= 1 allocation", admitAlone("openai/text-embedding-3-small", embedded, operations.Terms{})},
	{"select of 5,000 rows: ten of many", "<= 150 ns, 0 allocations", selectAlone(5000, broad)},
	{"select of 5,000 rows: few pass", "<= 1 us, 0 allocations", selectAlone(5000, narrow)},
	{"select of 5,000 rows: what passes comes last", "<= 2.5 us, 0 allocations", selectAlone(5000, last)},
	{"select of 5,000 rows: none passes", "<= 150 ns, 0 allocations", selectAlone(5000, absent)},
	{"select of 5,000 rows: by price for a stated usage", "<= 100 us, 0 allocations", selectAlone(5000, stated)},
	{"select of 5,000 rows against LiteLLM's list in Python", ">= 20,000x", selectAgainstLiteLLM},
	{"select of 5,000 rows against SQLite in memory", ">= 100x", selectAgainstSQLite},
	{"select of 500,000 rows: ten of many", "<= 300 ns, 0 allocations", selectAlone(500_000, broad)},
	{"select of 500,000 rows: few pass", "<= 2 us, 0 allocations", selectAlone(500_000, narrow)},
	{"select of 500,000 rows: what passes comes last", "<= 200 us, 0 allocations", selectAlone(500_000, last)},
	{"select of 500,000 rows: none passes", "<= 300 ns, 0 allocations", selectAlone(500_000, absent)},
	{"lookup of a row by id among 5,000", "<= 60 ns, 0 allocations", lookup},
	{"whether a row takes images, of 5,000", "<= 60 ns, 0 allocations", capability},
	{"Go package: start with one lookup, 5,000 rows", "<= 150 us over an empty program", goStart(5000)},
	{"Go package: start with one lookup, 50,000 rows", "<= 150 us", goStart(50_000)},
	{"Go package: start with one lookup, 500,000 rows", "<= 150 us", goStart(500_000)},
	{"Go package: start with one lookup against catwalk's embedded catalog", "-", goCatwalk},
	{"Go package: a user's build after a new catalog of 50,000 rows", "<= 200,000 us over an empty program", goBuild(50_000)},
	{"Go package: lookup of a route among 5,000 rows", "<= 60 ns, 0 allocations", goLookup(5000)},
	{"Go package: lookup of a route among 50,000 rows", "<= 60 ns, 0 allocations", goLookup(50_000)},
	{"Go package: writing the blob of 5,000 rows, in process", "-", goEmit},
	{"encode and decode of a 4 KB chat exchange", "<= 25 us", codec},
	{"one call over loopback, encoded and decoded: wall, median", "<= 30 us more than a bare POST", call},
	{"TypeScript: tsc of the default entry at 5,000 rows", "<= 100 ms more", compiledOver(5000, "open.ts")},
	{"TypeScript: tsc of the default entry at 50,000 rows", "<= 100 ms more", compiledOver(50_000, "open.ts")},
	{"TypeScript: tsc of the closed unions at 5,000 rows", "<= 500 ms more", compiledOver(5000, "closed.ts")},
	{"TypeScript: first look-up in node at 5,000 rows", "<= 50 ms more", lookedUp(5000)},
	{"TypeScript: first look-up in node at 50,000 rows", "<= 50 ms more", lookedUp(50_000)},
	{"upstream: models.dev's 4,534 files read, and what is wanted of them", "<= 1.8x of reading and scanning them, <= 64 MiB", upstreamRead("models.dev", "models.dev", "scan", true)},
	{"upstream: models.dev's 4,534 files read", "-", upstreamRead("models.dev", "models.dev", "scan", false)},
	{"upstream: LiteLLM's JSON read", "<= 30 ms, <= 64 MiB", upstreamRead("litellm", "litellm", "scan", false)},
	{"upstream: genai-prices' YAML files read", "<= 100 ms, <= 64 MiB", upstreamRead("genai-prices", "genai-prices/prices/providers", "scan", false)},
	{"upstream: catwalk's JSON files read", "-", upstreamRead("catwalk", "catwalk", "scan", false)},
	{"upstream apply of 5,000 rows: whole process", "<= 1 s, <= 64 MiB", applied(5000)},
	{"Harn corpus: cold process, JSON written", "<= 40 ms, 22 MiB", harn},
}

func check(dir string) error {
	disk, err := fragment.Open(dir)
	if err != nil {
		return err
	}
	defer disk.Close()
	r := compile.Check(compile.Input{Trees: []fragment.Tree{{FS: disk, Layer: "bundled"}}, AsOf: asOf})
	if len(r.Diags) > 0 {
		return fmt.Errorf("%d findings, the first: %v", len(r.Diags), r.Diags[0])
	}
	return nil
}

// load reads a tree into memory, so that a walk of its bytes reads nothing.
func load(dir string) (sources [][]byte, size int, err error) {
	files, err := list(dir)
	for _, f := range files {
		src, err := os.ReadFile(f)
		if err != nil {
			return nil, 0, err
		}
		sources = append(sources, src)
		size += len(src)
	}
	return sources, size, err
}

func walkAll(sources [][]byte) error {
	var p unstable.Parser
	for _, src := range sources {
		walkBytes(&p, src)
	}
	return p.Error()
}

func checkAgainstWalk(rows int, size testcat.Size) func(*world) (result, error) {
	return func(w *world) (result, error) {
		dir, err := w.tree(rows, 50, size)
		if err != nil {
			return result{}, err
		}
		sources, bytes, err := load(dir)
		if err != nil {
			return result{}, err
		}
		s, err := turns(w.rounds,
			func() (sample, error) {
				runtime.GC()                                     // the round before is not ours to clean up,
				defer debug.SetGCPercent(debug.SetGCPercent(-1)) // and the command collects nothing below 64 MiB either
				return inside(func() error { return check(dir) })
			},
			func() (sample, error) { return inside(func() error { return walkAll(sources) }) })
		if err != nil {
			return result{}, err
		}
		return compared(s[0], s[1], cpu, fmt.Sprintf("%.1f MB walked", float64(bytes)/1e6)), nil
	}
}

func compared(a, b []sample, of func(sample) time.Duration, what string) result {
	return result{ours: ms(median(each(a, of))), against: ms(median(each(b, of))) + ", " + what, ratio: fmt.Sprintf("%.2fx", ratio(a, b, of))}
}

func ms(d time.Duration) string { return fmt.Sprintf("%.1f ms", float64(d)/1e6) }

// mib appends a process's peak.
func (r result) mib(s []sample) result {
	r.ours += fmt.Sprintf(", %.1f MiB", float64(median(each(s, peak)))/(1<<20))
	return r
}

func (w *world) compileCold(dir string, more ...string) (sample, error) {
	out := filepath.Join(w.dir, "gen")
	if err := w.aside(out); err != nil {
		return sample{}, err
	}
	return w.compileInto(out, dir, more...)
}

func (w *world) compileInto(out, dir string, more ...string) (sample, error) {
	opcat, err := w.opcat()
	if err != nil {
		return sample{}, err
	}
	return w.process(opcat, append([]string{"catalog", "compile", "--sources", dir, "--into", out, "--as-of", asOf, "--json"}, more...)...)
}

func coldAgainstWalk(rows int, size testcat.Size) func(*world) (result, error) {
	return func(w *world) (result, error) {
		dir, err := w.tree(rows, 50, size)
		if err != nil {
			return result{}, err
		}
		sources, _, err := load(dir)
		if err != nil {
			return result{}, err
		}
		s, err := turns(w.rounds,
			func() (sample, error) { return w.compileCold(dir, "--projections", "json") },
			func() (sample, error) { return inside(func() error { return walkAll(sources) }) })
		if err != nil {
			return result{}, err
		}
		return compared(s[0], s[1], cpu, "bare walk").mib(s[0]), nil
	}
}

func smallFiles(w *world) (result, error) {
	dir, err := w.tree(5654/2, 1, testcat.Lean)
	if err != nil {
		return result{}, err
	}
	s, err := turns(w.rounds,
		func() (sample, error) { return inside(func() error { return check(dir) }) },
		func() (sample, error) {
			return inside(func() error {
				files, err := list(dir)
				if err != nil {
					return err
				}
				return readAll(files, func() func([]byte) { return func(src []byte) { scan(src) } })
			})
		})
	if err != nil {
		return result{}, err
	}
	return compared(s[0], s[1], wall, "read + scan"), nil
}

func workers(w *world) (result, error) {
	dir, err := w.tree(5654/2, 1, testcat.Lean)
	if err != nil {
		return result{}, err
	}
	decode := func(procs int) func() (sample, error) {
		return func() (sample, error) {
			defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(procs))
			return inside(func() error {
				disk, err := fragment.Open(dir)
				if err != nil {
					return err
				}
				defer disk.Close()
				_, diags := fragment.Dir(fragment.Tree{FS: disk, Layer: "bundled"})
				if diags.HasErrors() {
					return errors.New(diags.String())
				}
				return nil
			})
		}
	}
	s, err := turns(w.rounds, decode(1), decode(2))
	if err != nil {
		return result{}, err
	}
	return compared(s[0], s[1], wall, "2 workers"), nil
}

func linear(w *world) (result, error) {
	s, err := w.grown(func(dir string) (sample, error) {
		runtime.GC()
		return inside(func() error { return check(dir) })
	})
	if err != nil {
		return result{}, err
	}
	return perRow(s), nil
}

// perRow is what a row costs of 50,000 against one of 5,000.
func perRow(s [][]sample) result {
	growth := ratio(s[0], s[1], cpu) / 10
	return result{
		ours:    fmt.Sprintf("%.1f us a row", float64(median(each(s[0], cpu)))/50000/1e3),
		against: fmt.Sprintf("%.1f us a row", float64(median(each(s[1], cpu)))/5000/1e3),
		ratio:   fmt.Sprintf("%.2fx", growth), broken: growth > 1.3,
	}
}

func linearPeak(w *world) (result, error) {
	s, err := w.grown(func(dir string) (sample, error) { return w.compileCold(dir, "--projections", "json") })
	if err != nil {
		return result{}, err
	}
	large, small := float64(median(each(s[0], peak))), float64(median(each(s[1], peak)))
	growth := large / small / 10
	return result{
		ours:    fmt.Sprintf("%.1f MiB, %.1f KiB a row", large/(1<<20), large/(50000<<10)),
		against: fmt.Sprintf("%.1f MiB, %.1f KiB a row", small/(1<<20), small/(5000<<10)),
		ratio:   fmt.Sprintf("%.2fx", growth), broken: growth > 1.3,
	}, nil
}

// grown does a job with 50,000 rows and with 5,000 in turn.
func (w *world) grown(job func(dir string) (sample, error)) ([][]sample, error) {
	small, err := w.tree(5000, 50, testcat.Lean)
	if err != nil {
		return nil, err
	}
	large, err := w.tree(50000, 50, testcat.Lean)
	if err != nil {
		return nil, err
	}
	return turns(min(w.rounds, 5), func() (sample, error) { return job(large) }, func() (sample, error) { return job(small) })
}

func unchanged(w *world) (result, error) {
	dir, err := w.tree(5000, 50, testcat.Full)
	if err != nil {
		return result{}, err
	}
	if _, err := w.compileCold(dir); err != nil {
		return result{}, err
	}
	opcat, err := w.opcat()
	if err != nil {
		return result{}, err
	}
	self, err := w.self()
	if err != nil {
		return result{}, err
	}
	out := filepath.Join(w.dir, "gen")
	s, err := turns(w.rounds,
		func() (sample, error) {
			return w.process(opcat, "catalog", "compile", "--sources", dir, "--into", out, "--check", "--json")
		},
		func() (sample, error) { return w.process(self, "-child", "hash", w.dir+"/"+filepath.Base(dir), out) })
	if err != nil {
		return result{}, err
	}
	return compared(s[0], s[1], cpu, "read + sha256 of sources and outputs").mib(s[0]), nil
}

// edited measures a compile after a price was edited in the file of one provider.
func edited(w *world) (result, error) {
	dir, err := w.tree(5000, 50, testcat.Full)
	if err != nil {
		return result{}, err
	}
	disk, err := fragment.Open(dir)
	if err != nil {
		return result{}, err
	}
	defer disk.Close()
	session, first := compile.Start(compile.Input{Trees: []fragment.Tree{{FS: disk, Layer: "bundled"}}, AsOf: asOf})
	if first.Failed != "" {
		return result{}, errors.New(first.Diags.String())
	}
	compiled := func(file string) error {
		if r := session.Edited("bundled", file); r.Catalog == nil {
			return errors.New(r.Diags.String())
		}
		return nil
	}
	n := 0
	s, err := turns(w.rounds, func() (took sample, err error) {
		n += 11 // another provider each time: how much of the catalog stands before it matters
		file := fmt.Sprintf("catalog_sources/acme%[1]d/acme%[1]d.toml", n%100)
		name := filepath.Join(dir, filepath.FromSlash(file))
		src, err := os.ReadFile(name)
		if err != nil {
			return sample{}, err
		}
		amount := []byte(`usd_per_million = "`)
		if err := os.WriteFile(name, bytes.Replace(src, amount, append(amount, '1'), 1), 0o644); err != nil {
			return sample{}, err
		}
		runtime.GC() // the round before is not ours to clean up
		if took, err = inside(func() error { return compiled(file) }); err != nil {
			return sample{}, err
		}
		if err := os.WriteFile(name, src, 0o644); err != nil {
			return sample{}, err
		}
		return took, compiled(file)
	})
	if err != nil {
		return result{}, err
	}
	return result{ours: ms(median(each(s[0], cpu))), against: "-", ratio: "-"}, nil
}

// query measures a query of the snapshot in the binary, in a build whose snapshot
// has 5,000 rows.
func query(args ...string) func(*world) (result, error) {
	return func(w *world) (result, error) {
		dir, err := w.tree(5000, 50, testcat.Full)
		if err != nil {
			return result{}, err
		}
		large, err := w.withSnapshot(dir)
		if err != nil {
			return result{}, err
		}
		s, err := turns(w.rounds, func() (sample, error) { return w.process(large, args...) })
		if err != nil {
			return result{}, err
		}
		r := result{ours: ms(median(each(s[0], cpu))), against: "-", ratio: "-"}
		return r.mib(s[0]), nil
	}
}

func harn(w *world) (result, error) {
	const dir = "../shared/corpus/harn"
	if _, err := os.Stat(dir); err != nil {
		return result{ours: "not run: the corpus is not beside the checkout", against: "-", ratio: "-"}, nil
	}
	opcat, err := w.opcat()
	if err != nil {
		return result{}, err
	}
	s, err := turns(w.rounds, func() (sample, error) {
		out := filepath.Join(w.dir, "harn")
		if err := w.aside(out); err != nil {
			return sample{}, err
		}
		return w.process(opcat, "catalog", "compile", "--sources", dir, "--into", out, "--projections", "json", "--as-of", "2026-11-14",
			"--accept", "compile/testdata/harn.accept.toml", "--json")
	})
	if err != nil {
		return result{}, err
	}
	r := result{ours: ms(median(each(s[0], cpu))), against: "-", ratio: "-"}
	return r.mib(s[0]), nil
}
