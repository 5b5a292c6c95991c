package operations

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/opcat/opcat/catalog"
	snapshot "github.com/opcat/opcat/gen/json"
	"github.com/opcat/opcat/internal/testcat/market"
	"github.com/opcat/opcat/operations/op"
	"github.com/opcat/opcat/operations/price"
	"github.com/opcat/opcat/shape"
)

func marketOf(tb testing.TB, rows int) *catalog.Catalog {
	tb.Helper()
	c, err := market.New(rows, 1)
	if err != nil {
		tb.Fatal(err)
	}
	return c
}

func bundled(tb testing.TB) *catalog.Catalog {
	tb.Helper()
	c, err := snapshot.Catalog()
	if err != nil {
		tb.Fatal(err)
	}
	return c
}

// The made-up market is a catalog like any other: its text can be opened.
func TestMarketIsACatalog(t *testing.T) {
	if _, err := catalog.Open([]byte(marketOf(t, 2000).JSON())); err != nil {
		t.Fatal(err)
	}
}

// What the table answers is what judging every route one by one answers, in the
// same order. FuzzSelect goes on where this stops.
func TestTableAgreesWithJudging(t *testing.T) {
	for _, x := range []struct {
		name    string
		catalog *catalog.Catalog
		queries int
	}{{"bundled", bundled(t), 1500}, {"market", marketOf(t, 5000), 500}} {
		t.Run(x.name, func(t *testing.T) {
			r := rand.New(rand.NewPCG(1, 2))
			o := newOracle(x.catalog)
			found := 0
			for range x.queries {
				found += o.agrees(t, anyQuery(r, x.catalog))
			}
			if found < x.queries {
				t.Errorf("%d routes were found by %d queries: they ask too much to show anything", found, x.queries)
			}
		})
	}
}

// A table whose sets have summaries, as large ones do, answers the same.
func TestSummariesAgreeWithJudging(t *testing.T) {
	defer func(above int) { summedAbove = above }(summedAbove)
	summedAbove = 100
	c := marketOf(t, 10_000)
	s := &tableAt(c, c.AsOf().Unix()).spaces[0]
	if s.sums < 2 {
		t.Fatalf("the summaries have %d words: too few to be skipped by", s.sums)
	}
	r, o := rand.New(rand.NewPCG(7, 2)), newOracle(c)
	for range 150 {
		o.agrees(t, anyQuery(r, c))
	}
	for _, x := range benchQueries {
		o.agrees(t, x.q)
	}
}

func FuzzSelect(f *testing.F) {
	o := newOracle(marketOf(f, 1000))
	f.Add(uint64(1))
	f.Fuzz(func(t *testing.T, seed uint64) { o.agrees(t, anyQuery(rand.New(rand.NewPCG(seed, 2)), o.c)) })
}

// agrees compares both answers to a query, and says how many routes serve it.
func (x *oracle) agrees(t *testing.T, q Query) int {
	t.Helper()
	if err := q.Check(); err != nil {
		t.Fatalf("%+v: %v", q, err)
	}
	want := x.linear(q)
	s := Select(x.c, q)
	if s.Err() != nil {
		t.Fatal(s.Err())
	}
	var got []string
	for ref := range s.Rows() {
		got = append(got, ref.ID())
	}
	if n, _ := Count(x.c, q); n != len(want) {
		t.Fatalf("%+v:\ncounts %d, want %d", q, n, len(want))
	}
	limit := q.Limit
	if limit == 0 {
		limit = DefaultLimit
	}
	if first := want[:min(limit, len(want))]; !slices.Equal(got, first) {
		t.Fatalf("%+v:\ngot  %v\nwant %v", q, got, first)
	}
	return len(want)
}

func newOracle(c *catalog.Catalog) *oracle { return &oracle{c, map[usualKey]usually{}} }

// An oracle answers without any table. It remembers what usual calls cost.
type oracle struct {
	c     *catalog.Catalog
	usual map[usualKey]usually
}

type usualKey struct {
	operation string
	row       int
	at        int64
}

type usually struct {
	cost  price.Amount
	known bool
}

func (x *oracle) usually(ref catalog.Ref, r *route, at time.Time) usually {
	key := usualKey{r.op.Name, ref.Number(), at.Unix()}
	u, ok := x.usual[key]
	if !ok {
		always := slices.DeleteFunc(slices.Clone(r.row.Price), func(p catalog.Price) bool { return p.Window != nil })
		usage := r.op.Usual
		if r.contract.Meters != nil {
			usage = billedUsage(&r.op.Usual, r.bills, nil)
		}
		u.cost, u.known = price.Compile(always).Total(&usage, &price.Call{Operation: r.op.Name, At: at})
		x.usual[key] = u
	}
	return u
}

// linear judges every route and sorts.
func (x *oracle) linear(q Query) []string {
	c, o := x.c, Lookup(q.Operation)
	type candidate struct {
		ref          catalog.Ref
		r            *route
		cost, usual  price.Amount
		known, stock bool
	}
	j := newJudging(c, o, &q)
	defer j.release()
	at := q.At
	if at.IsZero() {
		at = c.AsOf()
	}
	var all []candidate
	for ref := range c.Routes(o.Name) {
		r := routeOf(c, ref, o)
		if j.judge(r).code != "" {
			continue
		}
		y := candidate{ref: ref, r: r}
		y.cost, y.known = j.cost(r)
		usual := x.usually(ref, r, at)
		y.usual, y.stock = usual.cost, usual.known
		all = append(all, y)
	}
	byCost := func(a, b price.Amount, aKnown, bKnown bool) int {
		switch {
		case aKnown && bKnown:
			return a.Cmp(b)
		case aKnown:
			return -1
		case bKnown:
			return 1
		}
		return 0
	}
	prefer := q.Prefer
	if len(prefer) == 0 {
		prefer = []Preference{PreferPrice}
	}
	slices.SortStableFunc(all, func(a, b candidate) int {
		for _, by := range prefer {
			x := 0
			switch {
			case by == PreferPrice && len(q.Usage.Lines) > 0:
				x = byCost(a.cost, b.cost, a.known, b.known)
			case by == PreferPrice:
				x = byCost(a.usual, b.usual, a.stock, b.stock)
				if x == 0 {
					x = strings.Compare(a.ref.ID(), b.ref.ID())
				}
			case by == PreferContext:
				x = cmp.Compare(b.r.context.Or(0), a.r.context.Or(0))
			case by == PreferTier:
				x = cmp.Compare(tierRank(a.ref.Tier()), tierRank(b.ref.Tier()))
			case by == PreferProviders:
				place := func(c candidate) uint { return uint(slices.Index(q.ProviderOrder, c.r.row.Provider)) }
				x = cmp.Compare(place(a), place(b))
			}
			if x != 0 {
				return x
			}
		}
		if x := byCost(a.usual, b.usual, a.stock, b.stock); x != 0 {
			return x
		}
		return strings.Compare(a.ref.ID(), b.ref.ID())
	})
	ids := []string{}
	for _, x := range all {
		ids = append(ids, x.ref.ID())
	}
	return ids
}

// anyQuery makes a query that is right by itself.
func anyQuery(r *rand.Rand, c *catalog.Catalog) Query {
	o := registry[r.IntN(len(registry))]
	if r.IntN(2) == 0 {
		o = registry[0]
	}
	q := Query{Operation: o.Name}
	some := func(words []string, most int) []string {
		var out []string
		for range r.IntN(most + 1) {
			if w := words[r.IntN(len(words))]; !slices.Contains(out, w) {
				out = append(out, w)
			}
		}
		return out
	}
	rarely := func(n int) bool { return r.IntN(n) == 0 }
	if rarely(2) {
		q.Inputs = some(o.Inputs, 2)
	}
	if rarely(6) {
		q.Outputs = some(o.Outputs, 1)
	}
	if kinds := questionKinds(o); kinds != nil && rarely(2) {
		q.Questions = some(kinds, 3)
	}
	if len(o.Settings) > 0 && rarely(2) {
		q.Settings = anySettings(r, o)
	}
	if o == registry[0] {
		q.Tools, q.Structured = rarely(4), rarely(5)
	}
	if o.Name == "embedding" && rarely(3) && !slices.ContainsFunc(q.Settings, func(s op.SettingValue) bool { return s.Name == "dimensions" }) {
		q.Dimensions = []int64{1, 128, 256, 512, 768, 1000, 1024, 1536, 3072, 9999}[r.IntN(10)]
	}
	if rarely(3) {
		q.MinContext = []int64{1, 8000, 8192, 100_000, 128_000, 131_072, 200_000, 999_999, 1_000_000, 5_000_000}[r.IntN(10)]
	}
	if rarely(5) {
		q.MinOutput = []int64{1, 1024, 4096, 8192, 32_000, 64_000, 500_000}[r.IntN(7)]
	}
	ids := c.ProviderIDs()
	switch r.IntN(8) {
	case 0:
		q.Providers = some(ids, 1)
	case 1:
		q.Providers = some(ids, 12)
	case 2:
		q.Providers = []string{"nobody", ids[r.IntN(len(ids))]}
	}
	if rarely(10) {
		q.Region = []string{"eu-west-1", "us-east-1", "mars"}[r.IntN(3)]
	}
	if rarely(4) {
		q.Support = op.Supports[r.IntN(len(op.Supports))]
	}
	if rarely(5) {
		q.Lifecycle = lifecycles[r.IntN(len(lifecycles))]
	}
	q.NoTraining = rarely(10)
	if rarely(12) {
		q.Retention = retentions[r.IntN(len(retentions))]
	}
	if rarely(4) {
		q.At = time.Date(2026, 10, 15, 5, 30, 0, 0, time.UTC).Add(time.Duration(r.IntN(6)) * 1201 * time.Hour)
	}
	if rarely(2) {
		q.Usage = anyUsage(r, o)
		if len(q.Usage.Lines) > 0 && rarely(2) {
			q.MaxUSD = []catalog.Decimal{"0", "0.00042", "0.003", "0.02", "5"}[r.IntN(5)]
		}
	}
	for range r.IntN(3) {
		by := Preference(1 + r.IntN(4))
		if !slices.Contains(q.Prefer, by) {
			q.Prefer = append(q.Prefer, by)
		}
	}
	if slices.Contains(q.Prefer, PreferProviders) {
		q.ProviderOrder = append([]string{ids[0]}, some(ids, 3)...)
	}
	if rarely(3) {
		q.Limit = 1 + r.IntN(60)
	}
	return q
}

func anySettings(r *rand.Rand, o *op.Operation) []op.SettingValue {
	var out []op.SettingValue
	for range 1 + r.IntN(3) {
		s := o.Settings[r.IntN(len(o.Settings))]
		if slices.ContainsFunc(out, func(x op.SettingValue) bool { return x.Name == s.Name }) {
			continue
		}
		v := catalog.Value{}
		if r.IntN(2) == 0 {
			switch s.Kind {
			case shape.Enum:
				v = catalog.TextValue(s.Values[r.IntN(len(s.Values))])
			case shape.Bool:
				v = catalog.BoolValue(r.IntN(2) == 0)
			case shape.Count:
				v = catalog.TextValue(fmt.Sprint([]int{1, 128, 1024, 4096, 100_000}[r.IntN(5)]))
			case shape.Number:
				v = catalog.TextValue([]string{"0", "0.2", "1", "1.5", "2"}[r.IntN(5)])
			case shape.Text:
				v = catalog.TextValue("x")
			}
		}
		out = append(out, op.SettingValue{Name: s.Name, Value: v})
	}
	return out
}

func anyUsage(r *rand.Rand, o *op.Operation) (u price.Usage) {
	meters := append([]string{"input_token", "input_token", "output_token", "cache_read_token", "search_unit", "request"}, o.Meters...)
	for range 1 + r.IntN(3) {
		meter := meters[r.IntN(len(meters))]
		if _, twice := u.Get(meter); !twice && o.HasMeter(meter) {
			u.Add(meter, []int64{0, 1, 1000, 1501, 300_000, 1 << 40}[r.IntN(6)])
		}
	}
	if r.IntN(20) == 0 && len(u.Lines) > 0 && u.Lines[0].Meter != "input_token" {
		u.Unknown = append(u.Unknown, "input_token")
	}
	return u
}
