package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
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

// selectAgainstLiteLLM measures the broad query of 5,000 rows beside the same of
// LiteLLM's list in Python, which is of nearly as many.
func selectAgainstLiteLLM(w *world) (result, error) {
	c, err := w.marketOf(5000)
	if err != nil {
		return result{}, err
	}
	other, err := newPeer(costScript, "litellm select")
	return against(w, "litellm", other, err, 20, broadOf(c))
}

// selectAgainstSQLite measures the broad query beside the same of the same rows in
// SQLite, in memory, and makes sure that both find the same.
func selectAgainstSQLite(w *world) (result, error) {
	c, err := w.marketOf(5000)
	if err != nil {
		return result{}, err
	}
	file := filepath.Join(w.dir, "routes.tsv")
	if err := os.WriteFile(file, routesOf(c), 0o600); err != nil {
		return result{}, err
	}
	other, err := newPeer(sqliteScript, file)
	if err == nil {
		var ids string
		other.version, ids, _ = strings.Cut(other.version, " ")
		s := operations.Select(c, broad)
		for ref := range s.Rows() {
			if next, rest, _ := strings.Cut(ids, " "); next != ref.ID() {
				other.close()
				return result{}, fmt.Errorf("SQLite finds %q where Select finds %q", next, ref.ID())
			} else {
				ids = rest
			}
		}
	}
	return against(w, "sqlite", other, err, 2000, broadOf(c))
}

// broadOf takes a sample of the broad query.
func broadOf(c *catalog.Catalog) func() (sample, error) {
	return func() (sample, error) {
		return inside(func() error {
			for range calls {
				if s := operations.Select(c, broad); s.Err() != nil {
					return s.Err()
				}
			}
			return nil
		})
	}
}

// routesOf is what the broad query looks at, of every text route: one a line, the
// cheapest first. What a route serves is asked one constraint at a time.
func routesOf(c *catalog.Catalog) []byte {
	serves := func(q operations.Query) map[string]int {
		q.Operation, q.Limit = broad.Operation, operations.MaxLimit
		ids := map[string]int{}
		s := operations.Select(c, q)
		for ref := range s.Rows() {
			ids[ref.ID()] = 1
		}
		return ids
	}
	text, tools := serves(operations.Query{Inputs: broad.Inputs}), serves(operations.Query{Tools: true})
	declared, lasts := serves(operations.Query{Support: broad.Support}), serves(operations.Query{Lifecycle: broad.Lifecycle})
	var b []byte
	for place, row := range operations.Ranked(c, broad.Operation) {
		ref := c.RefAt(row)
		id, limits := ref.ID(), ref.Limits()
		b = fmt.Appendf(b, "%d\t%d\t%d\t%d\t%d\t%d\t%s\n", place, text[id], tools[id], limits.ContextTokens.Or(0), declared[id], lasts[id], id)
	}
	return b
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
