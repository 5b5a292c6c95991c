package main

import (
	"errors"
	"fmt"
	"os"
	"testing"

	"github.com/opcat/opcat/catalog"
	"github.com/opcat/opcat/internal/testcat/market"
	"github.com/opcat/opcat/operations"
	"github.com/opcat/opcat/operations/op"
	"github.com/opcat/opcat/operations/price"
)

// The queries have five constraints each. What passes last has a setting that only
// rows without a price have.
var (
	broad  = operations.Query{Operation: "text_generation", Inputs: []string{"text"}, Tools: true, MinContext: 32_768, Support: "declared", Lifecycle: "announced"}
	narrow = operations.Query{Operation: "text_generation", Inputs: []string{"text", "image", "audio", "pdf"}, Settings: whatever("seed"), Tools: true, MinContext: 200_000, Support: "documented"}
	last   = operations.Query{Operation: "text_generation", Inputs: []string{"text"}, Settings: whatever("logprobs"), Tools: true, MinContext: 32_768, Lifecycle: "announced"}
	absent = operations.Query{Operation: "reranking", Inputs: []string{"image"}, Settings: whatever("top_n"), MinContext: 8192, Support: "probed", Lifecycle: "active"}
	stated = operations.Query{Operation: "text_generation", Inputs: []string{"text"}, Tools: true, MinContext: 32_768, Support: "declared", Lifecycle: "announced",
		Usage: price.Usage{Lines: []price.Line{{Meter: "input_token", Count: 8000}, {Meter: "output_token", Count: 500}}}}
)

// whatever wants a setting honoured, whatever its value.
func whatever(setting string) []op.SettingValue { return []op.SettingValue{{Name: setting}} }

// manyRows is how many rows take minutes to write and to file.
const manyRows = 100_000

// marketOf is the made-up catalog of so many rows, kept for the lines to come.
func (w *world) marketOf(rows int) (*catalog.Catalog, error) {
	if c := w.markets[rows]; c != nil {
		return c, nil
	}
	c, err := market.New(rows, 1)
	if err == nil {
		if w.markets == nil {
			w.markets = map[int]*catalog.Catalog{}
		}
		w.markets[rows] = c
	}
	return c, err
}

// selectAlone measures one query of a market, once its table is made and the routes
// that must be judged are decoded.
func selectAlone(rows int, q operations.Query) func(*world) (result, error) {
	return func(w *world) (result, error) {
		if rows > manyRows && os.Getenv("OPCAT_BENCH_LARGE") == "" {
			return result{ours: "not run: set OPCAT_BENCH_LARGE=1, it takes minutes", against: "-", ratio: "-"}, nil
		}
		c, err := w.marketOf(rows)
		if err != nil {
			return result{}, err
		}
		n := 20_000
		if len(q.Usage.Lines) > 0 || rows > manyRows {
			n = 500
		}
		return w.alone(n, func() error {
			s := operations.Select(c, q)
			return s.Err()
		})
	}
}

// selectAgainst measures a query of 5,000 rows beside the same of LiteLLM's list in
// Python, which is of nearly as many.
func selectAgainst(q operations.Query) func(*world) (result, error) {
	return func(w *world) (result, error) {
		c, err := w.marketOf(5000)
		if err != nil {
			return result{}, err
		}
		ours := func() (sample, error) {
			return inside(func() error {
				for range calls {
					if s := operations.Select(c, q); s.Err() != nil {
						return s.Err()
					}
				}
				return nil
			})
		}
		return against(w, "litellm select", 20, ours)
	}
}

// alone measures a call by itself.
func (w *world) alone(n int, do func() error) (result, error) {
	if err := do(); err != nil {
		return result{}, err
	}
	s, err := turns(w.rounds, func() (sample, error) {
		return inside(func() error {
			for range n {
				if err := do(); err != nil {
					return err
				}
			}
			return nil
		})
	})
	if err != nil {
		return result{}, err
	}
	allocs := testing.AllocsPerRun(100, func() { _ = do() })
	return result{ours: each1(median(each(s[0], cpu)), n) + fmt.Sprintf(", %.0f allocations", allocs), against: "-", ratio: "-"}, nil
}

var errNoRow = errors.New("the market has no such row")

// lookup measures finding rows by their ids, another each time.
func lookup(w *world) (result, error) {
	c, ids, err := w.textIDs()
	if err != nil {
		return result{}, err
	}
	next := 0
	return w.alone(500_000, func() error {
		next = (next + 997) % len(ids) // not the one that is already at hand
		if _, ok := c.Find(ids[next]); !ok {
			return errNoRow
		}
		return nil
	})
}

// capability measures asking a row that was found what it takes.
func capability(w *world) (result, error) {
	c, ids, err := w.textIDs()
	if err != nil {
		return result{}, err
	}
	refs := make([]catalog.Ref, len(ids))
	for i, id := range ids {
		refs[i], _ = c.Find(id)
	}
	next := 0
	return w.alone(500_000, func() error {
		next = (next + 997) % len(refs)
		refs[next].Takes("text_generation", "image")
		return nil
	})
}

// textIDs are the ids of the market's rows that write text.
func (w *world) textIDs() (*catalog.Catalog, []string, error) {
	c, err := w.marketOf(5000)
	if err != nil {
		return nil, nil, err
	}
	var ids []string
	for ref := range c.Routes("text_generation") {
		ids = append(ids, ref.ID())
	}
	return c, ids, nil
}
