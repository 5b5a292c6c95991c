package operations_test

import (
	"errors"
	"testing"

	"github.com/opcat/opcat/catalog"
	snapshot "github.com/opcat/opcat/gen/json"
	"github.com/opcat/opcat/operations"
	"github.com/opcat/opcat/operations/op"
)

func bundled(tb testing.TB) *catalog.Catalog {
	tb.Helper()
	c, err := snapshot.Catalog()
	if err != nil {
		tb.Fatal(err)
	}
	return c
}

// asks admits the smallest request of each operation; the map is the test's own
// list of operations.
var asks = map[string]func(*catalog.Catalog, string, operations.Terms) error{
	"text_generation": func(c *catalog.Catalog, route string, t operations.Terms) error {
		return ask(c, route, chat("Say yes."), t)
	},
	"embedding": func(c *catalog.Catalog, route string, t operations.Terms) error {
		r := embed("Say yes.")
		r.Settings.Task = demandedTask(c, route)
		return ask(c, route, r, t)
	},
	"decision_evaluation": func(c *catalog.Catalog, route string, t operations.Terms) error {
		return ask(c, route, judge("Say yes."), t)
	},
	"reranking": func(c *catalog.Catalog, route string, t operations.Terms) error {
		return ask(c, route, rank("yes", "Say yes."), t)
	},
	"moderation": func(c *catalog.Catalog, route string, t operations.Terms) error {
		return ask(c, route, moderate("Say yes."), t)
	},
}

// demandedTask is a task that the row's contract wants to be named; "" if it wants
// none.
func demandedTask(c *catalog.Catalog, route string) string {
	row, _ := c.Row(route)
	contract, _ := row.Contract("embedding")
	s, _ := contract.Settings.Setting("task")
	for _, r := range s.Rules {
		if r.Required.Or(false) && len(r.Values) > 0 {
			return r.Values[0].String()
		}
	}
	return ""
}

func ask[R op.Request[R]](c *catalog.Catalog, route string, r R, t operations.Terms) error {
	a, err := operations.Admit(c, route, r, t)
	if err == nil && (a.IsZero() || a.URL() == "" || a.RowID() != route) {
		return errors.New("what was admitted is not whole")
	}
	return err
}

// fitting are the terms under which a row can be dialled: a value for each
// variable of its endpoints, and a region where it is dialled in one alone.
func fitting(c *catalog.Catalog, row catalog.Row) operations.Terms {
	t := operations.Terms{Variables: map[string]string{}}
	p, _ := c.Provider(row.Provider)
	for _, e := range p.Endpoint {
		for name := range e.Variable {
			t.Variables[name] = "x1"
		}
	}
	if len(row.Region) > 0 {
		t.Region = row.Region[0].Name
	}
	return t
}

// mayRefuse are the codes with which a bundled route may refuse the smallest
// request of its own operation, and why it does.
var mayRefuse = map[operations.Code]string{
	operations.NoProtocol:         "its wire has no codec",
	operations.RouteEnded:         "it is past its end",
	operations.UnsupportedOptions: "it answers only as a stream",
}

// window is how much the row takes at once; none is known to be none.
func window(row catalog.Row) int64 {
	if row.Limits == nil {
		return 1 << 40
	}
	return min(row.Limits.ContextTokens.Or(1<<40), row.Limits.InputTokens.Or(1<<40))
}

// Each bundled route admits the smallest honest request of its own operation and
// refuses that of every other.
func TestBundledRoutes(t *testing.T) {
	c := bundled(t)
	if len(asks) != len(operations.All()) {
		t.Fatalf("%d operations are asked for, and the registry has %d", len(asks), len(operations.All()))
	}
	served, codes := 0, map[operations.Code]int{}
	for row := range c.Rows() {
		terms := fitting(c, row)
		for _, o := range operations.All() {
			err := asks[o.Name](c, row.ID, terms)
			_, own := row.Contract(o.Name)
			var r *operations.Refusal
			switch {
			case err == nil && own:
				served++
			case err == nil:
				t.Errorf("%s was admitted for %s, and has no contract for it", row.ID, o.Name)
			case !errors.As(err, &r):
				t.Errorf("%s for %s: %v", row.ID, o.Name, err)
			case !own && r.Code != operations.OperationUnsupported:
				t.Errorf("%s: %v, want %s", row.ID, r, operations.OperationUnsupported)
			case own && r.Code == operations.LimitExceeded && window(row) <= 512: // a question is counted by its bytes, with its frame
				codes[r.Code]++
			case own && mayRefuse[r.Code] == "":
				t.Errorf("its own operation is refused: %v", r)
			case own:
				codes[r.Code]++
				if testing.Verbose() {
					t.Log(r)
				}
			}
		}
	}
	t.Logf("%d routes serve, refusals: %v", served, codes)
	if served < 4500 {
		t.Errorf("only %d routes serve", served)
	}
}
