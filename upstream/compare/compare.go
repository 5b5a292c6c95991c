// Package compare shows where upstreams agree and where they differ: one fact, every
// source, which one is used and why.
package compare

import (
	"cmp"
	"math/big"
	"slices"
	"strings"

	"github.com/opcat/opcat/catalog"
	"github.com/opcat/opcat/upstream/fact"
	"github.com/opcat/opcat/upstream/rank"
	"github.com/opcat/opcat/upstream/want"
)

// A Fact is one value of one row, as every source has it.
type Fact struct {
	Row     string   `json:"row"`
	Field   string   `json:"field"`
	Said    []Said   `json:"said"`    // the one whose word counts first
	Used    Said     `json:"used"`    // what the catalog has; Catalog where people state it otherwise
	Apart   *big.Rat `json:"-"`       // how much larger the largest is than the smallest, 1 where they agree
	Percent string   `json:"percent"` // the same, above the smallest; "" where the smallest is zero
	Why     string   `json:"why"`     // why that is used
}

// Said is what one source says.
type Said struct {
	Source string `json:"source"`
	Value  string `json:"value"`
}

// Catalog is the source of what people state themselves.
const Catalog = "catalog"

// Differs reports whether two sources say different things.
func (f *Fact) Differs() bool {
	return slices.ContainsFunc(f.Said, func(s Said) bool { return s.Value != f.Said[0].Value })
}

// Provider is the part of the row's id before the slash.
func (f *Fact) Provider() string { p, _, _ := strings.Cut(f.Row, "/"); return p }

type value struct {
	from fact.Source
	text catalog.Decimal
}

// Of lists the facts that two or more sources state, the worst first: limits, and the
// prices of a call without any condition. have is the catalog that uses them; nil for none.
func Of(catalogs []fact.Catalog, have *catalog.Catalog) []Fact {
	said := map[[2]string][]value{}
	for i := range catalogs {
		c := &catalogs[i]
		for _, m := range c.Models {
			id := want.OurID(c.Name, m.Row.Provider)
			if id == "" {
				continue
			}
			row := id + "/" + m.Row.WireModel
			note := func(field string, d catalog.Decimal) {
				key := [2]string{row, field}
				said[key] = append(said[key], value{c.Source, d})
			}
			stated(&m.Row, note)
		}
	}
	var out []Fact
	for key, values := range said {
		if f, ok := one(key[0], key[1], values); ok {
			f.use(have)
			out = append(out, f)
		}
	}
	slices.SortFunc(out, func(a, b Fact) int {
		return cmp.Or(compareApart(b.Apart, a.Apart), strings.Compare(a.Row, b.Row), strings.Compare(a.Field, b.Field))
	})
	return out
}

// stated notes what a row says of what is compared.
func stated(r *catalog.Row, note func(field string, d catalog.Decimal)) {
	if l := r.Limits; l != nil {
		for name, v := range map[string]catalog.Opt[int64]{"context_tokens": l.ContextTokens, "input_tokens": l.InputTokens, "output_tokens": l.OutputTokens} {
			if v.IsKnown() {
				note("limits."+name, catalog.Decimal(v.String()))
			}
		}
	}
	for k := range r.Price {
		p := r.Price[k]
		if p.ServiceTier == "standard" { // as a compiled row says it
			p.ServiceTier = ""
		}
		if want.Bare(&p) && p.USDPerMillion.IsKnown() {
			note("price."+p.Meter, p.USDPerMillion)
		}
	}
}

// use says what the catalog has of a fact, and why.
func (f *Fact) use(have *catalog.Catalog) {
	f.Used = f.Said[0]
	if have == nil {
		return
	}
	r, ok := have.Row(f.Row)
	if !ok {
		f.Why += "; the catalog does not have the row yet"
		return
	}
	var ours catalog.Decimal
	stated(&r, func(field string, d catalog.Decimal) {
		if field == f.Field && (ours == "" || string(d) == f.Said[0].Value) {
			ours = d
		}
	})
	switch {
	case string(ours) == f.Said[0].Value:
	case ours == "":
		f.Used, f.Why = Said{Catalog, "nothing"}, "the catalog leaves it out, as people wrote the row or its operation is not billed by it"
	default:
		f.Used, f.Why = Said{Catalog, string(ours)}, "people state it so in the sources, and that stays"
		for _, s := range f.Said {
			if s.Value == string(ours) {
				f.Used.Source, f.Why = s.Source, "people took this one over in the sources, and that stays"
				break
			}
		}
	}
}

// compareApart orders by how much sources differ; where one says zero and another does
// not, nothing is further apart.
func compareApart(a, b *big.Rat) int {
	switch {
	case a == nil && b == nil:
		return 0
	case a == nil:
		return 1
	case b == nil:
		return -1
	}
	return a.Cmp(b)
}

func one(row, field string, values []value) (Fact, bool) {
	rule := rank.Of(field)
	slices.SortFunc(values, func(a, b value) int {
		return cmp.Or(cmp.Compare(rule.Place(a.from), rule.Place(b.from)), strings.Compare(a.from.URL, b.from.URL), a.text.Compare(b.text))
	})
	f := Fact{Row: row, Field: field}
	least, most := values[0].text, values[0].text
	sources := map[string]bool{}
	for _, v := range values {
		f.Said = append(f.Said, Said{v.from.Name, string(v.text)})
		sources[v.from.Name] = true
		if v.text.Compare(least) < 0 {
			least = v.text
		}
		if v.text.Compare(most) > 0 {
			most = v.text
		}
	}
	if len(sources) < 2 {
		return f, false
	}
	f.Why = "all say the same"
	if f.Differs() {
		for _, v := range values[1:] {
			if v.text != values[0].text {
				f.Why = rule.Reason(values[0].from, v.from)
				break
			}
		}
	}
	switch {
	case most == least:
		f.Apart, f.Percent = big.NewRat(1, 1), "0"
	case !least.IsZero():
		f.Apart = new(big.Rat).Quo(most.Rat(), least.Rat())
		over := new(big.Rat).Sub(f.Apart, big.NewRat(1, 1))
		f.Percent = over.Mul(over, big.NewRat(100, 1)).FloatString(1)
	}
	return f, true
}

// A Share is how many facts of a provider differ.
type Share struct {
	Provider      string
	Facts, Differ int
}

// ByProvider counts, the provider with the most that differ first.
func ByProvider(facts []Fact) []Share {
	at := map[string]int{}
	var out []Share
	for i := range facts {
		id := facts[i].Provider()
		n, ok := at[id]
		if !ok {
			n = len(out)
			at[id] = n
			out = append(out, Share{Provider: id})
		}
		out[n].Facts++
		if facts[i].Differs() {
			out[n].Differ++
		}
	}
	slices.SortFunc(out, func(a, b Share) int {
		return cmp.Or(cmp.Compare(b.Differ, a.Differ), strings.Compare(a.Provider, b.Provider))
	})
	return out
}
