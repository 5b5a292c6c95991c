package docs

import (
	"bytes"
	"fmt"
	"net/url"
	"path"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	gmhtml "github.com/yuin/goldmark/renderer/html"
	"golang.org/x/net/html"

	"github.com/opcat/opcat/catalog"
	"github.com/opcat/opcat/compile"
	"github.com/opcat/opcat/compile/build"
	"github.com/opcat/opcat/compile/fragment"
	"github.com/opcat/opcat/diag"
	committed "github.com/opcat/opcat/gen/json"
	"github.com/opcat/opcat/internal/testcat"
	"github.com/opcat/opcat/operations"
	"github.com/opcat/opcat/projections/emit"
)

func emitted(t *testing.T, c *catalog.Catalog) map[string][]byte {
	t.Helper()
	files, err := Emitter.Emit(c)
	if err != nil {
		t.Fatal(err)
	}
	d := &Changes{Removed: []string{hostile, "acme/" + hostile}, Changed: []Changed{{"acme/" + hostile, []Fact{{hostile, hostile, hostile}}}, {"acme", nil}}}
	for r := range c.Refs() {
		d.Added = append(d.Added, r.ID())
	}
	m := map[string][]byte{}
	for _, f := range WithChanges(files, c, d) {
		if m[f.Path] != nil {
			t.Errorf("two files are named %s", f.Path)
		}
		m[f.Path] = f.Bytes()
	}
	return m
}

func bundled(t *testing.T) *catalog.Catalog {
	t.Helper()
	c, err := committed.Catalog()
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func compiled(t *testing.T, sources string, capabilities string) *catalog.Catalog {
	t.Helper()
	r := compile.Run(compile.Input{AsOf: "2026-11-30", Trees: []fragment.Tree{{Layer: "bundled", FS: fstest.MapFS{
		"catalog_sources/a.toml":    {Data: []byte(sources)},
		"capability_sources/a.toml": {Data: []byte(capabilities)},
	}}}})
	if r.Catalog == nil {
		t.Fatal(r.Diags)
	}
	return r.Catalog
}

// hostile is a text that tries everything that a page could take for its own.
const hostile = "a|b <script>alert(1)</script> `c` ``d`` *e* _f_ [g](javascript:h) ![i](https://j.example/k) &lt; \\| $l$ :smile: www.m.example https://n.example @o ~~p~~ <!-- \u202Eq\u200F"

func hostileCatalog(t *testing.T) *catalog.Catalog {
	t.Helper()
	quoted := fmt.Sprintf("%q", hostile)
	return compiled(t, `schema = "1.0"
[provider.acme]
name = `+quoted+`
docs = "https://acme.example/a|b)c'd\"e<f>"
credential = { scheme = "none" }
endpoint.openai_chat_completions = { url = "https://api.acme.example/v1/chat/completions" }
[[model]]
provider = "acme"
wire_model = `+quoted+`
name = `+quoted+`
lifecycle = { deprecated = true, ends_on = "2027-01-31", successor = "acme/x", note = `+quoted+` }
price = [{ meter = "input_token", usd_per_million = "1", region = `+quoted+` }]
region = [{ name = `+quoted+`, wire_model = "y" }]
[[model]]
provider = "acme"
wire_model = "x"
[[model]]
provider = "acme"
wire_model = "X"
`, `schema = "1.0"
[[provider.acme]]
models = [`+quoted+`, "x", "X"]
[provider.acme.operations.text_generation]
protocol = "openai_chat_completions"
input_kinds = ["text"]
`)
}

// catalogs are those that every test looks at: the real one, one of hostile texts,
// and some that use every key at random.
func catalogs(t *testing.T) map[string]*catalog.Catalog {
	all := map[string]*catalog.Catalog{"bundled": bundled(t), "hostile": hostileCatalog(t)}
	for seed := range uint64(4) {
		c, err := build.Catalog(testcat.New(seed, 0.7).Draft(30))
		if err != nil {
			t.Fatal(err)
		}
		all[fmt.Sprintf("random %d", seed)] = c
	}
	c, err := build.Catalog(testcat.Large(300))
	if err != nil {
		t.Fatal(err)
	}
	all["large"] = c
	empty := testcat.New(1, 0).Draft(1)
	empty.Rows, empty.Providers = nil, nil
	if all["empty"], err = build.Catalog(empty); err != nil {
		t.Fatal(err)
	}
	return all
}

// A shown is what a reader sees of a page: texts, code and links, in order; and where
// it can be linked to.
type shown struct {
	lines []string
	links []string
	ids   map[string]bool
}

var allowed = strings.Fields("html head body main p h1 h2 ul li div table thead tbody tr th td a code pre strong")

// look reads the HTML of a page as browsers do. What is nobody's element here is an
// error.
func look(t *testing.T, name string, page []byte) shown {
	t.Helper()
	doc, err := html.Parse(bytes.NewReader(page))
	if err != nil {
		t.Fatal(err)
	}
	v := shown{ids: map[string]bool{}}
	var line strings.Builder
	say := func() {
		if s := strings.Join(strings.Fields(line.String()), " "); s != "" {
			v.lines = append(v.lines, s)
		}
		line.Reset()
	}
	columns := 0
	var walk func(n *html.Node)
	walk = func(n *html.Node) {
		switch {
		case n.Type == html.TextNode:
			line.WriteString(n.Data)
		case n.Type == html.ElementNode && slices.Contains([]string{"nav", "title", "meta", "link"}, n.Data):
			return
		case n.Type == html.ElementNode && !slices.Contains(allowed, n.Data):
			t.Errorf("%s has an element %s", name, n.Data)
		}
		block := n.Type == html.ElementNode && slices.Contains([]string{"p", "h1", "h2", "li", "td", "th", "pre"}, n.Data)
		if block {
			say()
			line.WriteString(n.Data + ": ")
		}
		for _, a := range n.Attr {
			switch a.Key {
			case "id":
				if v.ids[a.Val] {
					t.Errorf("%s has two places %q", name, a.Val)
				}
				v.ids[a.Val] = true
			case "href":
				v.links = append(v.links, a.Val)
			case "class", "role", "tabindex", "aria-label", "scope", "rel", "lang", "style", "align":
			default:
				t.Errorf("%s has an attribute %s of %s", name, a.Key, n.Data)
			}
		}
		span := n.Type == html.ElementNode && n.Data == "code" && n.Parent.Data != "pre"
		if span {
			line.WriteString("`")
		}
		cells := 0
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			if c.Data == "td" || c.Data == "th" {
				cells++
			}
			walk(c)
		}
		if n.Type == html.ElementNode && n.Data == "tr" {
			if n.Parent.Data == "thead" {
				columns = cells
			}
			if cells != columns {
				t.Errorf("%s has a row of %d cells below %d", name, cells, columns)
			}
		}
		if span {
			line.WriteString("`")
		}
		if block {
			say()
		}
	}
	walk(doc)
	say()
	return v
}

var reader = goldmark.New(goldmark.WithExtensions(extension.GFM), goldmark.WithRendererOptions(gmhtml.WithUnsafe()))

func lookMarkdown(t *testing.T, name string, page []byte) shown {
	t.Helper()
	var out bytes.Buffer
	if err := reader.Convert(page, &out); err != nil {
		t.Fatal(err)
	}
	return look(t, name, out.Bytes())
}

// siteOf is where the site has what a link between Markdown pages means.
func siteOf(link string) string {
	if strings.Contains(link, ":") {
		return link
	}
	link = strings.ReplaceAll(link, "README.md", "index.html")
	return strings.ReplaceAll(link, ".md", ".html")
}

// A reader of Markdown that is not ours finds in each page what the site shows,
// whatever a name tries, and nothing of it becomes a mark or an element.
func TestBothFormsSayTheSame(t *testing.T) {
	for name, c := range catalogs(t) {
		t.Run(name, func(t *testing.T) { bothFormsSayTheSame(t, name, c) })
	}
}

func bothFormsSayTheSame(t *testing.T, name string, c *catalog.Catalog) {
	t.Helper()
	files := emitted(t, c)
	pages := 0
	for file, data := range files {
		if path.Ext(file) != ".md" {
			continue
		}
		pages++
		twin := "site/" + siteOf(file)
		if files[twin] == nil {
			t.Errorf("%s: %s has no twin in the site", name, file)
			continue
		}
		md, site := lookMarkdown(t, name+": "+file, data), look(t, name+": "+twin, files[twin])
		if len(md.links) != len(site.links) {
			t.Errorf("%s: %s has %d links, the site %d", name, file, len(md.links), len(site.links))
			continue
		}
		for i, l := range md.links {
			if unescaped(t, siteOf(l)) != unescaped(t, site.links[i]) {
				t.Errorf("%s: %s links to %q, the site to %q", name, file, l, site.links[i])
			}
		}
		if d := cmp.Diff(md.lines, site.lines); d != "" {
			t.Errorf("%s: %s (-Markdown +site):\n%.3000s", name, file, d)
		}
		if d := cmp.Diff(md.ids, site.ids); d != "" {
			t.Errorf("%s: places of %s:\n%.1000s", name, file, d)
		}
	}
	if pages < 10 {
		t.Errorf("%s: %d pages", name, pages)
	}
}

func unescaped(t *testing.T, s string) string {
	u, err := url.PathUnescape(s)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

// Every link leads to a page that is there, and to a place on it.
func TestEveryLinkResolves(t *testing.T) {
	for name, c := range catalogs(t) {
		files := emitted(t, c)
		seen := map[string]shown{}
		for file, data := range files {
			switch path.Ext(file) {
			case ".md":
				seen[file] = lookMarkdown(t, name+": "+file, data)
			case ".html":
				seen[file] = look(t, name+": "+file, data)
			}
		}
		inside := 0
		for file, page := range seen {
			for _, l := range append(navigationLinks(t, file, files[file]), page.links...) {
				u, err := url.Parse(l)
				if err != nil {
					t.Errorf("%s: %s: %v", name, file, err)
					continue
				}
				if u.Scheme != "" {
					if u.Scheme != "https" {
						t.Errorf("%s: %s links to %s", name, file, l)
					}
					continue
				}
				inside++
				to := file
				if u.Path != "" {
					to = path.Join(path.Dir(file), u.Path)
				}
				there, ok := seen[to]
				if _, other := files[to]; !ok && !other {
					t.Errorf("%s: %s links to %s, which is not there", name, file, l)
				}
				if ok && u.Fragment != "" && !there.ids[u.Fragment] {
					t.Errorf("%s: %s links to %s, which has no such place", name, file, l)
				}
			}
		}
		if inside < 500 {
			t.Errorf("%s: %d links were looked at", name, inside)
		}
	}
}

// navigationLinks are the links of what look leaves out.
func navigationLinks(t *testing.T, file string, page []byte) (links []string) {
	if path.Ext(file) != ".html" {
		return nil
	}
	doc, err := html.Parse(bytes.NewReader(page))
	if err != nil {
		t.Fatal(err)
	}
	for n := range doc.Descendants() {
		if n.Data != "link" && (n.Parent == nil || n.Parent.Data != "nav") {
			continue
		}
		for _, a := range n.Attr {
			if a.Key == "href" {
				links = append(links, a.Val)
			}
		}
	}
	if len(links) != 1+len(navigation) {
		t.Errorf("%s has %d links in its head", file, len(links))
	}
	return links
}

// Each row stands on a page of its provider, once with a place to link to, and each
// code on the page of its stage.
func TestNothingIsLeftOut(t *testing.T) {
	for name, c := range catalogs(t) {
		places := map[string]map[string]bool{}
		for file, data := range emitted(t, c) {
			if path.Ext(file) == ".html" {
				places[file] = look(t, file, data).ids
			}
		}
		s := newSite(emit.NewWork(c))
		for r := range c.Refs() {
			at := s.rowPlace(r)
			if !places["site/"+htmlFile(at.path)][at.anchor] {
				t.Errorf("%s: %s is not at %s", name, r.ID(), at)
			}
		}
		for _, e := range diag.Codes() {
			if !places["site/diagnostics/"+e.Stage+".html"][string(e.Code)] {
				t.Errorf("%s: %s has no entry", name, e.Code)
			}
		}
	}
}

// A reader of an operation is told what no row of it says: how good its answers are.
func TestWhatIsNotMeasuredIsSaid(t *testing.T) {
	for name, c := range catalogs(t) {
		files := emitted(t, c)
		for _, o := range operations.Names() {
			if page := string(files["operations/"+o+".md"]); !strings.Contains(page, "Not measured for any route: how good its answers are") {
				t.Errorf("%s: the page of %s does not say what is not measured", name, o)
			}
		}
	}
}

// Unknown is said, free is a stated zero, and an amount keeps every digit.
func TestPricesAreExact(t *testing.T) {
	c := compiled(t, `schema = "1.0"
[provider.acme]
name = "Acme"
credential = { scheme = "none" }
endpoint.openai_chat_completions = { url = "https://api.acme.example/v1/chat/completions" }
[[model]]
provider = "acme"
wire_model = "exact"
limits = { context_tokens = 1000000 }
price = [
  { meter = "input_token", usd_per_million = "0.000000000000000001" },
  { meter = "input_token", usd_per_million = "2", above_input_tokens = 200000 },
  { meter = "input_token", usd_per_million = "0.5", service_tier = "batch" },
  { meter = "output_token", usd_per_million = "0.25", service_tier = "batch" },
  { meter = "output_token", usd_per_million = "0" },
  { meter = "tool_call", tool = "web_search", usd_per_unit = "0.01", free_units_per_month = 1000 },
]
[[model]]
provider = "acme"
wire_model = "silent"
[[model]]
provider = "acme"
wire_model = "yuan"
price = [{ meter = "input_token", currency = "CNY", per_million = "4" }, { meter = "output_token", dynamic = true, ceiling = "3" }]
`, `schema = "1.0"
[[provider.acme]]
models = ["exact", "silent", "yuan"]
[provider.acme.operations.text_generation]
protocol = "openai_chat_completions"
input_kinds = ["text"]
`)
	page := string(emitted(t, c)["providers/acme/README.md"])
	for _, want := range []string{
		"`exact` | text | 1,000,000 | unknown |  | 0.000000000000000001 | free | above 200,000 input tokens: input_token 2; batch: input_token 0.5, output_token 0.25; tool web_search: tool_call 0.01 each after 1,000 a month free |",
		"`silent` | text | unknown | unknown |  | unknown | unknown |  |",
		"`yuan` | text | unknown | unknown |  | 4 CNY | dynamic, at most 3 |  |",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page has no\n%s\nbut\n%s", want, page)
		}
	}
}

// The pages of 5,000 rows stay small, each and together.
func TestSize(t *testing.T) {
	c, err := build.Catalog(testcat.Large(5000))
	if err != nil {
		t.Fatal(err)
	}
	total := 0
	for name, data := range emitted(t, c) {
		total += len(data)
		if len(data) > 400_000 {
			t.Errorf("%s has %d bytes", name, len(data))
		}
	}
	if total > 6_000_000 {
		t.Errorf("all pages have %d bytes", total)
	}
}

// One provider of many rows goes on on further pages.
func TestLongListsAreSplit(t *testing.T) {
	var rows, names strings.Builder
	for i := range 450 {
		fmt.Fprintf(&rows, "[[model]]\nprovider = \"acme\"\nwire_model = \"m%d\"\nlifecycle = { deprecated = true, note = \"old\" }\n", i)
		fmt.Fprintf(&names, "\"m%d\",", i)
	}
	files := emitted(t, compiled(t, "schema = \"1.0\"\n[provider.acme]\nname = \"Acme\"\ncredential = { scheme = \"none\" }\nendpoint.openai_chat_completions = { url = \"https://a.example\" }\n"+rows.String(),
		"schema = \"1.0\"\n[[provider.acme]]\nmodels = ["+names.String()+"]\n[provider.acme.operations.text_generation]\nprotocol = \"openai_chat_completions\"\ninput_kinds = [\"text\"]\n"))
	for _, name := range []string{"providers/acme/3.md", "deprecations-3.md", "site/providers/acme/3.html"} {
		if files[name] == nil {
			t.Errorf("there is no %s", name)
		}
	}
	if files["providers/acme/4.md"] != nil {
		t.Error("there is a page too many")
	}
}

func BenchmarkEmit(b *testing.B) {
	r := compile.Run(compile.Input{AsOf: "2026-11-30", Trees: []fragment.Tree{{Layer: "bundled", FS: testcat.Rows(5000, 50, testcat.Full)}}})
	if r.Catalog == nil {
		b.Fatal(r.Diags)
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Emitter.Emit(r.Catalog); err != nil {
			b.Fatal(err)
		}
	}
}
