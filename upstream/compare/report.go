package compare

import (
	_ "embed"
	"fmt"
	"html"
	"slices"
	"strconv"
	"strings"

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
			left-8, y+12, html.EscapeString(s.Provider), left, y, d, left+d, y, a, left+d+a+8, y+12, s.Differ, s.Facts)
	}
	b.WriteString("</svg>\n")
	return b.String()
}

// The top of the page: its title and its style.
//
//go:embed report.html
var pageTop string

// HTML is the report as one page that needs nothing else.
func (r *Report) HTML() string {
	var b strings.Builder
	b.WriteString(pageTop)
	fmt.Fprintf(&b, "<div class=\"sum\"><div><b>%d</b>facts are shared</div><div><b>%d</b>in which all agree</div><div><b class=\"bad\">%d</b>in which they differ</div></div>\n", r.Facts, r.Agree, r.Differ)
	fmt.Fprintf(&b, "<h2>By provider</h2>\n<div class=\"wide\">%s</div>\n", SVG(r.Shares, 30))
	for _, t := range r.tables() {
		t.html(&b)
	}
	b.WriteString("</html>\n")
	return b.String()
}

// Markdown is the report with its chart beside it.
func (r *Report) Markdown(chart string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# Where the public catalogs differ\n\n%d facts are stated by two or more sources: limits, and prices without conditions. In %d of them the sources agree,\nin %d they differ.\n\n![by provider](%s)\n", r.Facts, r.Agree, r.Differ, chart)
	for _, t := range r.tables() {
		t.markdown(&b)
	}
	return b.String()
}

// tables is what the report lists, for both forms.
func (r *Report) tables() []table {
	sources := table{title: "The sources", head: []string{"source", "kind", "version", "models", "unknown fields", "faults", "shared", "alone", "used"}, numbers: 6,
		note: "Shared facts are stated by another source too. Alone are those in which no other says the same; used are those that differ and in which the catalog takes this source's word."}
	pairs := table{title: "Who agrees with whom", head: []string{""}, numbers: len(r.Sources), note: "Percent of the facts that both state and in which they say the same."}
	for i, s := range r.Sources {
		sources.add(plain(s.Name), plain(s.Kind), plain(s.Version), number(s.Models), number(s.Unknown), number(s.Faults), number(s.Facts), number(s.Alone), number(s.Used))
		pairs.head = append(pairs.head, s.Name)
		row := []cell{plain(s.Name)}
		for _, p := range r.Pairs[i] {
			row = append(row, p.cell())
		}
		pairs.add(row...)
	}
	rules := table{title: "Whose word counts", head: []string{"facts", "order", "among one kind", "why"}}
	for _, rule := range r.Rules {
		var kinds []string
		for _, k := range rule.Order {
			kinds = append(kinds, strings.ReplaceAll(string(k), "_", " "))
		}
		rules.add(plain(strings.Join(rule.Facts, ", ")), plain(strings.Join(kinds, ", ")), plain(strings.Join(rule.Names, ", ")), plain(rule.Why))
	}
	worst := table{title: fmt.Sprintf("The worst %d", len(r.Worst)), head: []string{"row", "field", "used", "others", "apart", "why"}}
	for _, f := range r.Worst {
		row := cell{"`" + strings.ReplaceAll(escape(f.Row), "`", "") + "`", "<td><code>" + html.EscapeString(f.Row) + "</code>"}
		apart := cell{f.Apart, `<td class="apart">` + html.EscapeString(f.Apart)}
		worst.add(row, plain(f.Field), said(f.Used), said(f.Others()...), apart, plain(f.Why))
	}
	return []table{sources, pairs, rules, worst}
}

// A table is one of a report, in either form.
type table struct {
	title, note string
	head        []string
	numbers     int // how many of the last columns are numbers
	rows        [][]cell
}

// A cell is the text of a table's cell in both forms, with its tag in HTML.
type cell struct{ markdown, html string }

func (t *table) add(row ...cell) { t.rows = append(t.rows, row) }

func plain(s string) cell { return cell{escape(s), "<td>" + html.EscapeString(s)} }

func number(n int) cell { return cell{strconv.Itoa(n), `<td class="n">` + strconv.Itoa(n)} }

// cell is the share that is the same; empty where they share nothing.
func (p Pair) cell() cell {
	if p.Facts == 0 {
		return cell{"", `<td class="n">`}
	}
	share := 100 * p.Same / p.Facts
	return cell{strconv.Itoa(share), fmt.Sprintf(`<td class="n heat" style="--p: %d" title="%d of %d">%d`, share, p.Same, p.Facts, share)}
}

// said is what sources say, one on a line.
func said(all ...Said) cell {
	var md []string
	var b strings.Builder
	b.WriteString("<td>")
	for _, s := range all {
		md = append(md, escape(s.Source+" "+s.Value))
		fmt.Fprintf(&b, `<span class="said">%s <span>%s</span></span>`, html.EscapeString(s.Value), html.EscapeString(s.Source))
	}
	return cell{strings.Join(md, ", "), b.String()}
}

func (t *table) html(b *strings.Builder) {
	fmt.Fprintf(b, "<h2>%s</h2>\n", t.title)
	if t.note != "" {
		fmt.Fprintf(b, "<p class=\"quiet\">%s</p>\n", t.note)
	}
	b.WriteString("<div class=\"wide\"><table>\n<tr>")
	for i, h := range t.head {
		tag := "<th>"
		if i >= len(t.head)-t.numbers {
			tag = `<th class="n">`
		}
		b.WriteString(tag + html.EscapeString(h))
	}
	for _, row := range t.rows {
		b.WriteString("\n<tr>")
		for _, c := range row {
			b.WriteString(c.html)
		}
	}
	b.WriteString("\n</table></div>\n")
}

func (t *table) markdown(b *strings.Builder) {
	fmt.Fprintf(b, "\n## %s\n\n", t.title)
	if t.note != "" {
		fmt.Fprintf(b, "%s\n\n", t.note)
	}
	for i, h := range t.head {
		if i == 0 {
			b.WriteString("|")
		}
		fmt.Fprintf(b, " %s |", escape(h))
	}
	b.WriteString("\n|" + strings.Repeat(" --- |", len(t.head)-t.numbers) + strings.Repeat(" --: |", t.numbers) + "\n")
	for _, row := range t.rows {
		b.WriteString("|")
		for _, c := range row {
			fmt.Fprintf(b, " %s |", c.markdown)
		}
		b.WriteString("\n")
	}
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

// escape keeps a text within its cell of a table in Markdown.
func escape(s string) string {
	return strings.NewReplacer("|", `\|`, "\n", " ", "<", "&lt;", "*", `\*`, "[", `\[`).Replace(s)
}
