// Package compare shows where upstreams agree and where they differ: one fact, every
// source, which one is used and why.
package compare

import (
	"cmp"
	"fmt"
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
	Said    []Said   `json:"said"`    // the one that is used first
	Apart   *big.Rat `json:"-"`       // how much larger the largest is than the smallest, 1 where they agree
	Percent string   `json:"percent"` // the same, above the smallest; "" where the smallest is zero
	Why     string   `json:"why"`     // why the first is used
}

// Said is what one source says.
type Said struct {
	Source string `json:"source"`
	Value  string `json:"value"`
}

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
// prices of a call without any condition.
func Of(catalogs []fact.Catalog) []Fact {
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
			if l := m.Row.Limits; l != nil {
				for name, v := range map[string]catalog.Opt[int64]{"context_tokens": l.ContextTokens, "input_tokens": l.InputTokens, "output_tokens": l.OutputTokens} {
					if v.IsKnown() {
						note("limits."+name, catalog.Decimal(v.String()))
					}
				}
			}
			for k := range m.Row.Price {
				if p := &m.Row.Price[k]; want.Bare(p) && p.USDPerMillion.IsKnown() {
					note("price."+p.Meter, p.USDPerMillion)
				}
			}
		}
	}
	var out []Fact
	for key, values := range said {
		if f, ok := one(key[0], key[1], values); ok {
			out = append(out, f)
		}
	}
	slices.SortFunc(out, func(a, b Fact) int {
		return cmp.Or(compareApart(b.Apart, a.Apart), strings.Compare(a.Row, b.Row), strings.Compare(a.Field, b.Field))
	})
	return out
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

// SVG draws how many facts of each provider agree and how many differ.
func SVG(shares []Share, most int) string {
	shares = shares[:min(most, len(shares))]
	widest := 1
	for _, s := range shares {
		widest = max(widest, s.Facts)
	}
	const left, bar, row = 170, 420, 22
	var b strings.Builder
	height := 48 + row*len(shares)
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="760" height="%d" viewBox="0 0 760 %d" font-family="system-ui, sans-serif" font-size="13" role="img">`+"\n", height, height)
	b.WriteString("<title>Facts that two or more sources state, by provider</title>\n<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n")
	fmt.Fprintf(&b, `<rect x="%d" y="12" width="12" height="12" fill="#c2410c"/><text x="%d" y="23" fill="#222">differ</text><rect x="%d" y="12" width="12" height="12" fill="#94a3b8"/><text x="%d" y="23" fill="#222">agree</text>`+"\n", left, left+18, left+80, left+98)
	for i, s := range shares {
		y := 38 + row*i
		d := bar * s.Differ / widest
		a := bar*s.Facts/widest - d
		fmt.Fprintf(&b, `<text x="%d" y="%d" text-anchor="end" fill="#222">%s</text><rect x="%d" y="%d" width="%d" height="15" fill="#c2410c"/><rect x="%d" y="%d" width="%d" height="15" fill="#94a3b8"/><text x="%d" y="%d" fill="#555">%d of %d</text>`+"\n",
			left-8, y+12, s.Provider, left, y, d, left+d, y, a, left+d+a+8, y+12, s.Differ, s.Facts)
	}
	b.WriteString("</svg>\n")
	return b.String()
}

// Markdown is the report for people, the worst first.
func Markdown(facts []Fact, catalogs []fact.Catalog, chart string, most int) string {
	var b strings.Builder
	differ := 0
	for i := range facts {
		if facts[i].Differs() {
			differ++
		}
	}
	fmt.Fprintf(&b, "# Where the public catalogs differ\n\n%d facts are stated by two or more sources: limits, and prices without conditions. In %d of them the sources agree,\nin %d they differ.\n\n![by provider](%s)\n\n", len(facts), len(facts)-differ, differ, chart)
	b.WriteString("| source | kind | version | providers | models | unknown fields | faults |\n| --- | --- | --- | --- | --- | --- | --- |\n")
	for i := range catalogs {
		c := &catalogs[i]
		fmt.Fprintf(&b, "| %s | %s | %s | %d | %d | %d | %d |\n", c.Name, c.Kind, c.Version, len(c.Providers), len(c.Models), len(c.News), len(c.Faults))
	}
	fmt.Fprintf(&b, "\n## The worst %d\n\nThe first source of each line is the one that is used.\n\n| row | field | sources | apart | why the first is used |\n| --- | --- | --- | --- | --- |\n", min(most, differ))
	for i := range facts[:min(most, differ)] {
		f := &facts[i]
		var said []string
		for _, s := range f.Said {
			said = append(said, s.Source+" "+s.Value)
		}
		apart := "one says zero"
		if f.Percent != "" {
			apart = "+" + f.Percent + " %"
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s | %s |\n", strings.ReplaceAll(f.Row, "|", "\\|"), f.Field, strings.Join(said, ", "), apart, f.Why)
	}
	return b.String()
}
