package main

import (
	"bufio"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/opcat/opcat/catalog"
	"github.com/opcat/opcat/operations/price"
)

// What a call costs is asked after every call and before many, so it must cost
// nothing itself.

// calls is how many calls one sample of ours prices.
const calls = 200_000

// A priced call is a sheet with what is asked of it.
type priced struct {
	sheet *price.Sheet
	usage price.Usage
	call  price.Call
}

// plain is the call that the peers price: input and output of one row.
func plain() priced {
	return priced{
		price.Compile([]catalog.Price{
			{Meter: "input_token", USDPerMillion: "2.5"}, {Meter: "input_token", USDPerMillion: "1.25", ServiceTier: "batch"},
			{Meter: "output_token", USDPerMillion: "10"}, {Meter: "output_token", USDPerMillion: "5", ServiceTier: "batch"},
			{Meter: "cache_read_token", USDPerMillion: "1.25"},
		}),
		price.Usage{Lines: []price.Line{{Meter: "input_token", Count: 1000}, {Meter: "output_token", Count: 500}}},
		price.Call{Operation: "text_generation", At: time.Date(2026, 11, 30, 0, 0, 0, 0, time.UTC)},
	}
}

// cached is a call with four meters on a row with tiers, lifetimes and batch prices.
func cached() priced {
	long := catalog.Known[int64](200_000)
	return priced{
		price.Compile([]catalog.Price{
			{Meter: "input_token", USDPerMillion: "3"}, {Meter: "input_token", USDPerMillion: "6", AboveInputTokens: long}, {Meter: "input_token", USDPerMillion: "1.5", ServiceTier: "batch"},
			{Meter: "output_token", USDPerMillion: "15"}, {Meter: "output_token", USDPerMillion: "22.5", AboveInputTokens: long}, {Meter: "output_token", USDPerMillion: "7.5", ServiceTier: "batch"},
			{Meter: "cache_read_token", USDPerMillion: "0.3"}, {Meter: "cache_write_token", USDPerMillion: "6", CacheLifetime: "1h"}, {Meter: "cache_write_token", USDPerMillion: "3.75", CacheLifetime: "5m"},
		}),
		price.Usage{Lines: []price.Line{{Meter: "input_token", Count: 1200}, {Meter: "cache_read_token", Count: 8000}, {Meter: "cache_write_token", CacheLifetime: "5m", Count: 500}, {Meter: "output_token", Count: 350}}},
		price.Call{Operation: "text_generation", CacheLifetime: "5m", At: time.Date(2026, 11, 30, 0, 0, 0, 0, time.UTC)},
	}
}

// price takes one sample.
func (p *priced) price() (sample, error) {
	return inside(func() error {
		for range calls {
			if _, ok := p.sheet.Total(&p.usage, &p.call); !ok {
				return errors.New("the cost of a call is unknown")
			}
		}
		return nil
	})
}

func each1(d time.Duration, n int) string {
	return fmt.Sprintf("%.0f ns", float64(d)/float64(n))
}

// costAlone measures a call by itself.
func costAlone(of func() priced) func(*world) (result, error) {
	return func(w *world) (result, error) {
		p := of()
		s, err := turns(w.rounds, p.price)
		if err != nil {
			return result{}, err
		}
		allocs := testing.AllocsPerRun(100, func() { p.sheet.Total(&p.usage, &p.call) })
		return result{ours: each1(median(each(s[0], cpu)), calls), against: fmt.Sprintf("%.0f allocations", allocs), ratio: "-"}, nil
	}
}

var (
	//go:embed peers/cost.py
	costScript string
	//go:embed peers/sqlite.py
	sqliteScript string
)

// A peer is a library of another language that prices calls or selects routes, in a
// process that is told how many.
type peer struct {
	cmd     *exec.Cmd
	in      io.WriteCloser
	out     *bufio.Scanner
	version string
}

// python is the interpreter that has the peers installed: the one that `make bench`
// made, unless another is named.
func python() string {
	if p := os.Getenv("OPCAT_BENCH_PYTHON"); p != "" {
		return p
	}
	p := filepath.Join("tools", "python", ".venv", "bin", "python")
	if _, err := os.Stat(p); err == nil {
		return p
	}
	return "python3"
}

func newPeer(script, argument string) (*peer, error) {
	p := &peer{cmd: exec.Command(python(), "-c", script, argument)}
	p.cmd.Env = append(os.Environ(), "LITELLM_LOCAL_MODEL_COST_MAP=True")
	var err error
	if p.in, err = p.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := p.cmd.Start(); err != nil {
		return nil, err
	}
	p.out = bufio.NewScanner(out)
	if p.version, err = p.answer(); err != nil {
		p.close()
		return nil, err
	}
	return p, nil
}

func (p *peer) answer() (string, error) {
	if !p.out.Scan() {
		return "", errors.Join(io.ErrUnexpectedEOF, p.out.Err())
	}
	return strings.TrimSpace(p.out.Text()), nil
}

// close ends the process, which ends by itself when it has nothing more to read.
func (p *peer) close() {
	p.in.Close()
	_ = p.cmd.Wait() // its exit says nothing that its answers did not
}

// price takes one sample of a number of calls.
func (p *peer) price(n int) (sample, error) {
	if _, err := fmt.Fprintln(p.in, n); err != nil {
		return sample{}, err
	}
	line, err := p.answer()
	if err != nil {
		return sample{}, err
	}
	ns, err := strconv.ParseInt(line, 10, 64)
	return sample{cpu: time.Duration(ns) * calls / time.Duration(n)}, err // as long as ours
}

// costAgainst measures the plain call beside a peer's.
func costAgainst(library string) func(*world) (result, error) {
	return func(w *world) (result, error) {
		p := plain()
		other, err := newPeer(costScript, library)
		return against(w, library, other, err, 500, p.price)
	}
}

// against measures so many calls of ours beside n of a peer's, unless there was an error
// when that was started.
func against(w *world, library string, other *peer, err error, n int, ours func() (sample, error)) (result, error) {
	if err != nil {
		s, err := turns(w.rounds, ours)
		if err != nil {
			return result{}, err
		}
		return result{ours: each1(median(each(s[0], cpu)), calls), against: "not available: `make bench` installs " + library + "; or name a Python that has it in OPCAT_BENCH_PYTHON", ratio: "-"}, nil
	}
	defer other.close()
	s, err := turns(w.rounds, ours, func() (sample, error) { return other.price(n) })
	if err != nil {
		return result{}, err
	}
	return result{
		ours:    each1(median(each(s[0], cpu)), calls),
		against: each1(median(each(s[1], cpu)), calls) + ", " + library + " " + other.version,
		ratio:   fmt.Sprintf("1/%.0f", 1/ratio(s[0], s[1], cpu)),
	}, nil
}
