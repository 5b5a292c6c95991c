package migrate

import (
	"math/big"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/opcat/opcat/compile/fragment"
	"github.com/opcat/opcat/compile/tree"
	"github.com/opcat/opcat/shape"
)

// Registrations, imported facts and tables in several files give the rows and
// providers of upstream's packaged snapshot, value for value.
func TestRowsAreUpstreams(t *testing.T) {
	dir := corpus(t)
	m := corpusMigration(t, corpusFragments(t, dir), nil)
	m.readAliases()
	src, err := os.ReadFile(filepath.Join(dir, "generated", "providers.toml"))
	if err != nil {
		t.Fatal(err)
	}
	packaged, diags := fragment.File(&tree.File{Path: "catalog_sources/providers.toml", Layer: "bundled"}, src)
	if len(diags) > 0 {
		t.Fatal(diags)
	}
	rows, providers := packaged.Table.Get("models"), packaged.Table.Get("providers")
	for _, r := range m.rows {
		if !sameValue(r.Table, rows.Get(r.ID)) {
			t.Errorf("the row %s is another", r.ID)
		}
	}
	for _, p := range m.providers {
		if !sameValue(p.Table, providers.Get(p.ID)) {
			t.Errorf("the provider %s is another", p.ID)
		}
	}
	got := [4]int{len(m.rows), len(m.providers), len(m.aliases), m.imports}
	if want := [4]int{rows.Len(), providers.Len(), packaged.Table.Get("aliases").Len(), 841}; got != want {
		t.Errorf("rows, providers, aliases and imported facts: %v, upstream has %v", got, want)
	}
}

// sameValue compares values; numbers by what they are worth.
func sameValue(a, b *tree.Node) bool {
	if a == nil || b == nil || a.Len() != b.Len() {
		return a == b
	}
	switch a.Form {
	case shape.FormTable:
		for c := range a.Each() {
			if !sameValue(c, b.Get(c.Name())) {
				return false
			}
		}
		return true
	case shape.FormList:
		for c, d := a.First(), b.First(); c != nil; c, d = c.Next(), d.Next() {
			if !sameValue(c, d) {
				return false
			}
		}
		return true
	case shape.FormFloat, shape.FormInteger:
		return plain(a.Str()) == plain(b.Str())
	}
	return a.Str() == b.Str()
}

// A settled is one call that is priced.
type settled struct {
	tokens int64
	when   time.Time
	tier   string
}

// Every price entry of every row says what upstream's order of settling gives:
// base, promotion, schedule, band, tier. Where a tier's own card says nothing of
// the base card's bands upstream settles flat, and here the price is unknown.
func TestPricesSettleAsUpstreamDoes(t *testing.T) {
	m := corpusMigration(t, corpusFragments(t, corpus(t)), keepKnown)
	m.contracts()
	var calls []settled
	for _, day := range []string{"2026-08-20T00:10:00Z", "2026-09-09T15:59:59Z", "2026-09-09T16:00:00Z", "2026-10-19T23:59:59Z", "2026-10-20T00:00:00Z",
		"2026-11-14T05:00:00Z", "2026-11-16T03:00:00Z", "2026-11-30T23:00:00Z", "2026-12-31T12:00:00Z", "2027-01-01T00:00:00Z"} {
		when, err := time.Parse(time.RFC3339, day)
		if err != nil {
			t.Fatal(err)
		}
		for _, tokens := range []int64{1, 100000, 100001, 127999, 128000, 199999, 200000, 200001, 255999, 256000, 271999, 272000, 272001, 1000000} {
			for _, tier := range []string{"", "fast", "flex", "priority", "batch"} {
				calls = append(calls, settled{tokens, when, tier})
			}
		}
	}
	priced, unknown := 0, 0
	for _, r := range m.rows {
		out := m.row(r.File, false, r.Table, r.Provider, r.Wire)
		m.price(out, r)
		for _, c := range calls {
			for _, rate := range cardRates {
				want, open := c.upstream(r, rate)
				got, ok := c.entry(out.Get("price"), rate)
				switch {
				case !ok:
					t.Fatalf("%s: no single entry of %s wins for %+v", r.RowID(), rate.key, c)
				case open && got != "":
					t.Fatalf("%s: %s is %s for %+v, and upstream leaves it open", r.RowID(), rate.key, got, c)
				case !open && got != want:
					t.Fatalf("%s: %s is %q for %+v, upstream says %q", r.RowID(), rate.key, got, c, want)
				case got == "":
					unknown++
				default:
					priced++
				}
			}
		}
	}
	if priced < 200000 {
		t.Errorf("only %d prices were compared, and %d unknown ones", priced, unknown)
	}
}

// upstream settles a call by the cards of format 0. The second result says that a
// tier's card is silent where the base card has a band.
func (c settled) upstream(r *legacyRow, rate rate) (amount string, open bool) {
	base := r.Table.Get("pricing")
	card, factor := base, rational("1")
	switch c.tier {
	case "":
	case "batch":
		if r.Discount == nil {
			return "", false
		}
		factor = percentOff(r.Discount)
	default:
		card = nil
		for t := range r.Table.Get("serving_tiers").Each() {
			if t.Get("id").Str() != c.tier {
				continue
			}
			if own := t.Get("pricing"); own != nil {
				card = own
				_, in := c.band(base)
				_, has := c.band(own)
				open = in && !has
			} else if n := t.Get("cost_multiplier"); n != nil {
				card, factor = base, rational(n.Str())
			} else if n := t.Get("discount_percent"); n != nil {
				card, factor = base, percentOff(n)
			}
		}
	}
	if r.Operations[0] == "embedding" && rate.output {
		return "", false
	}
	n := card.Get(rate.key)
	for p := range card.Get("promotions").Each() {
		if c.within(p) {
			n = p.Get(rate.key)
		}
	}
	if n == nil {
		return "", open
	}
	v := rational(n.Str())
	v.Mul(v, factor)
	side := "input_multiplier"
	if rate.output {
		side = "output_multiplier"
	}
	for s := range card.Get("schedules").Each() {
		if inWindow(s, c.when) {
			v.Mul(v, rational(s.Get(side).Str()))
		}
	}
	if band, ok := c.band(card); ok {
		v.Mul(v, rational(band.Get(side).Str()))
	}
	digits, _ := v.FloatPrec()
	return plain(v.FloatString(digits)), open
}

func rational(s string) *big.Rat {
	r, _ := new(big.Rat).SetString(s)
	return r
}

func percentOff(n *tree.Node) *big.Rat {
	r := rational(n.Str())
	return r.Sub(big.NewRat(1, 1), r.Quo(r, big.NewRat(100, 1)))
}

// band is the highest band of a card that the call reaches.
func (c settled) band(card *tree.Node) (found *tree.Node, ok bool) {
	for b := range card.Get("input_token_bands").Each() {
		least := b.Get("minimum_input_tokens").Int()
		if c.tokens >= least && (found == nil || least > found.Get("minimum_input_tokens").Int()) {
			found = b
		}
	}
	return found, found != nil
}

// within reports whether a promotion of format 0 holds: its last day is inclusive.
func (c settled) within(p *tree.Node) bool {
	day := c.when.Format(time.DateOnly)
	if n := p.Get("starts_on"); n != nil && day < n.Str() {
		return false
	}
	if n := p.Get("ends_on"); n != nil && day > n.Str() {
		return false
	}
	if n := p.Get("ends_at"); n != nil && c.when.Format(time.RFC3339) >= n.Str() {
		return false
	}
	return true
}

// inWindow reports whether a time lies in a window, in either format. One that
// ends at or before its start is the next day's from midnight on.
func inWindow(w *tree.Node, when time.Time) bool {
	minute := when.Hour()*60 + when.Minute()
	start, end := clock(w.Get("start").Str()), clock(w.Get("end").Str())
	on := func(t time.Time) bool {
		return w.Get("days").Has([]string{"sun", "mon", "tue", "wed", "thu", "fri", "sat"}[t.Weekday()])
	}
	if end > start {
		return on(when) && minute >= start && minute < end
	}
	return on(when) && minute >= start || on(when.AddDate(0, 0, -1)) && minute < end
}

func clock(s string) int {
	return 60*(10*int(s[0]-'0')+int(s[1]-'0')) + 10*int(s[3]-'0') + int(s[4]-'0')
}

// entry finds what the migrated entries say: of those that fit, the one that states
// what each other states. It is false if there is no such entry.
func (c settled) entry(list *tree.Node, rate rate) (amount string, ok bool) {
	var fits []*tree.Node
	for e := range list.Each() {
		life := e.Get("cache_lifetime").Str()
		if e.Get("meter").Str() != rate.meter || e.Get("service_tier").Str() != c.tier || life != "" && life != rate.lifetime || life == "" && rate.lifetime == "1h" {
			continue
		}
		if n := e.Get("above_input_tokens"); n != nil && c.tokens <= n.Int() {
			continue
		}
		now := c.when.Format(time.RFC3339)
		if n := e.Get("valid_from"); n != nil && now < stamp(n.Str()) {
			continue
		}
		if n := e.Get("valid_until"); n != nil && now >= stamp(n.Str()) {
			continue
		}
		if w := e.Get("window"); w != nil && !inWindow(w, c.when) {
			continue
		}
		fits = append(fits, e)
	}
	if len(fits) == 0 {
		return "", true
	}
	for _, e := range fits {
		wins := true
		for _, other := range fits {
			wins = wins && states(e, other)
		}
		if wins {
			return e.Get("usd_per_million").Str(), true
		}
	}
	return "", false
}

// states reports whether an entry states all that another one does, of tiers a
// higher or equal one.
func states(e, other *tree.Node) bool {
	for _, name := range []string{"valid_from", "valid_until", "window"} {
		if other.Get(name) != nil && !tree.Equal(e.Get(name), other.Get(name)) {
			return false
		}
	}
	return e.Get("above_input_tokens").Int() >= other.Get("above_input_tokens").Int()
}

func stamp(s string) string {
	if len(s) == len(time.DateOnly) {
		return s + "T00:00:00Z"
	}
	return s
}
