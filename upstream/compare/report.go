package compare

import (
	_ "embed"
	"fmt"
	"html/template"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/opcat/opcat/upstream/fact"
	"github.com/opcat/opcat/upstream/rank"
)

// A Report is what people read of a comparison: the whole in numbers, and the worst of it.
type Report struct {
	Facts, Agree, Differ int
	Sources              []Source
	Pairs                [][]Pair // of the sources, in their order
	Shares               []Share
	Worst                []Line
	Rules                []rank.Rule
	Chart                template.HTML
}

// A Source is one upstream in a report.
type Source struct {
	Name, Kind, Version     string
	Models, Unknown, Faults int
	Facts, Alone, Used      int // that others state too; of those that differ: where all others say otherwise, and where its word is used
}

// A Pair is how far two upstreams agree.
type Pair struct {
	Facts, Same int
}

// Percent is the share that is the same; "" where they share nothing.
func (p Pair) Percent() string {
	if p.Facts == 0 {
		return ""
	}
	return strconv.Itoa(p.Share())
}

// Share is the percentage as a number; of a pair that shares facts.
func (p Pair) Share() int { return 100 * p.Same / p.Facts }

// A Line is a fact as a report prints it.
type Line struct {
	*Fact
	Apart string
}

// Make makes a report with the worst facts.
func Make(facts []Fact, catalogs []fact.Catalog, most int) *Report {
	r := &Report{Facts: len(facts), Shares: ByProvider(facts), Rules: rank.Rules()}
	at := map[string]int{}
	for i := range catalogs {
		c := &catalogs[i]
		r.Sources = append(r.Sources, Source{Name: c.Name, Kind: strings.ReplaceAll(string(c.Kind), "_", " "), Version: c.Version, Models: len(c.Models), Unknown: len(c.News), Faults: len(c.Faults)})
	}
	slices.SortFunc(r.Sources, func(a, b Source) int { return strings.Compare(a.Name, b.Name) })
	for i := range r.Sources {
		at[r.Sources[i].Name] = i
		r.Pairs = append(r.Pairs, make([]Pair, len(r.Sources)))
	}
	for i := range facts {
		f := &facts[i]
		if f.Differs() {
			r.Differ++
			if len(r.Worst) < most {
				r.Worst = append(r.Worst, Line{f, f.apart()})
			}
		}
		r.count(f, at)
	}
	r.Agree = r.Facts - r.Differ
	r.Chart = template.HTML(SVG(r.Shares, 30)) //nolint:gosec // our own, with every text escaped
	return r
}

func (r *Report) count(f *Fact, at map[string]int) {
	values := map[int][]string{} // a catalog may list a row twice
	for _, s := range f.Said {
		values[at[s.Source]] = append(values[at[s.Source]], s.Value)
	}
	same := func(a, b []string) bool {
		return slices.ContainsFunc(a, func(v string) bool { return slices.Contains(b, v) })
	}
	for i, a := range values {
		r.Sources[i].Facts++
		alone := true
		for j, b := range values {
			if i == j {
				continue
			}
			r.Pairs[i][j].Facts++
			if same(a, b) {
				r.Pairs[i][j].Same++
				alone = false
			}
		}
		if alone {
			r.Sources[i].Alone++
		}
	}
	if i, ok := at[f.Used.Source]; ok && f.Differs() {
		r.Sources[i].Used++
	}
}

// apart says how far the sources of a fact are from each other, in the words for its size.
func (f *Fact) apart() string {
	if f.Apart == nil {
		return "one says zero"
	}
	whole := f.Apart.FloatString(1)
	if len(whole) > 3 || whole >= "2.0" {
		return strings.TrimSuffix(whole, ".0") + " times"
	}
	return "+" + f.Percent + " %"
}

// SVG draws how many facts of each provider agree and how many differ. It follows the
// reader's choice of a light or a dark page.
func SVG(shares []Share, most int) string {
	shares = shares[:min(most, len(shares))]
	widest := 1
	for _, s := range shares {
		widest = max(widest, s.Facts)
	}
	const left, bar, row = 190, 430, 22
	var b strings.Builder
	height := 52 + row*len(shares)
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 760 %d" width="760" height="%d" font-family="system-ui, sans-serif" font-size="13" role="img" aria-label="Facts that two or more sources state, by provider">`+"\n", height, height)
	b.WriteString("<style>.bg{fill:#fff}.t{fill:#1f2328}.q{fill:#59636e}.d{fill:#c2410c}.a{fill:#b6c2cf}@media (prefers-color-scheme:dark){.bg{fill:#0d1117}.t{fill:#e6edf3}.q{fill:#9198a1}.d{fill:#fb8f44}.a{fill:#3d444d}}</style>\n")
	b.WriteString("<title>Facts that two or more sources state, by provider</title>\n<rect class=\"bg\" width=\"100%\" height=\"100%\"/>\n")
	fmt.Fprintf(&b, `<rect class="d" x="%d" y="12" width="12" height="12"/><text class="t" x="%d" y="23">differ</text><rect class="a" x="%d" y="12" width="12" height="12"/><text class="t" x="%d" y="23">agree</text>`+"\n", left, left+18, left+80, left+98)
	for i, s := range shares {
		y := 40 + row*i
		d := bar * s.Differ / widest
		a := max(bar*s.Facts/widest-d, 1)
		fmt.Fprintf(&b, `<text class="t" x="%d" y="%d" text-anchor="end">%s</text><rect class="d" x="%d" y="%d" width="%d" height="15"/><rect class="a" x="%d" y="%d" width="%d" height="15"/><text class="q" x="%d" y="%d">%d of %d</text>`+"\n",
			left-8, y+12, template.HTMLEscapeString(s.Provider), left, y, d, left+d, y, a, left+d+a+8, y+12, s.Differ, s.Facts)
	}
	b.WriteString("</svg>\n")
	return b.String()
}

//go:embed report.html
var page string

// A start of opcat parses no page that nobody asked for.
var pageTemplate = sync.OnceValue(func() *template.Template { return template.Must(template.New("report.html").Parse(page)) })

// HTML is the report as one page that needs nothing else.
func (r *Report) HTML() (string, error) {
	var b strings.Builder
	err := pageTemplate().Execute(&b, r)
	return b.String(), err
}

// Markdown is the report with its chart beside it.
func (r *Report) Markdown(chart string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# Where the public catalogs differ\n\n%d facts are stated by two or more sources: limits, and prices without conditions. In %d of them the sources agree,\nin %d they differ.\n\n![by provider](%s)\n\n", r.Facts, r.Agree, r.Differ, chart)
	b.WriteString("## The sources\n\n*Shared* facts are stated by another source too. *Alone* are those in which no other says the same, *used* those that differ and in which\nthe catalog takes this source's word.\n\n")
	b.WriteString("| source | kind | version | models | unknown fields | faults | shared | alone | used |\n| --- | --- | --- | --: | --: | --: | --: | --: | --: |\n")
	for _, s := range r.Sources {
		fmt.Fprintf(&b, "| %s | %s | %s | %d | %d | %d | %d | %d | %d |\n", cell(s.Name), s.Kind, cell(s.Version), s.Models, s.Unknown, s.Faults, s.Facts, s.Alone, s.Used)
	}
	b.WriteString("\n## Who agrees with whom\n\nPercent of the facts that both state and in which they say the same.\n\n| |")
	for _, s := range r.Sources {
		fmt.Fprintf(&b, " %s |", cell(s.Name))
	}
	b.WriteString("\n| --- |" + strings.Repeat(" --: |", len(r.Sources)) + "\n")
	for i, s := range r.Sources {
		fmt.Fprintf(&b, "| %s |", cell(s.Name))
		for _, p := range r.Pairs[i] {
			fmt.Fprintf(&b, " %s |", p.Percent())
		}
		b.WriteString("\n")
	}
	b.WriteString("\n## Whose word counts\n\n| facts | order | among one kind | why |\n| --- | --- | --- | --- |\n")
	for _, rule := range r.Rules {
		var kinds []string
		for _, k := range rule.Order {
			kinds = append(kinds, strings.ReplaceAll(string(k), "_", " "))
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", strings.Join(rule.Facts, ", "), strings.Join(kinds, ", "), strings.Join(rule.Names, ", "), cell(rule.Why))
	}
	fmt.Fprintf(&b, "\n## The worst %d\n\n| row | field | used | others | apart | why |\n| --- | --- | --- | --- | --- | --- |\n", len(r.Worst))
	for _, f := range r.Worst {
		var said []string
		for _, s := range f.Others() {
			said = append(said, cell(s.Source+" "+s.Value))
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s | %s | %s |\n", strings.ReplaceAll(cell(f.Row), "`", ""), cell(f.Field), cell(f.Used.Source+" "+f.Used.Value), strings.Join(said, ", "), f.Apart, cell(f.Why))
	}
	return b.String()
}

// Others are what is said besides what is used.
func (f *Fact) Others() (out []Said) {
	for _, s := range f.Said {
		if s != f.Used {
			out = append(out, s)
		}
	}
	return out
}

// cell keeps a text within its cell of a table.
func cell(s string) string {
	return strings.NewReplacer("|", `\|`, "\n", " ", "<", "&lt;", "*", `\*`, "[", `\[`).Replace(s)
}
