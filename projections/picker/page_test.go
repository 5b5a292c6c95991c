package picker

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/big"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/opcat/opcat/catalog"
	committed "github.com/opcat/opcat/gen/json"
	"github.com/opcat/opcat/internal/node"
	"github.com/opcat/opcat/internal/testcat/market"
	"github.com/opcat/opcat/operations"
	"github.com/opcat/opcat/operations/price"
)

// tools is tools/picker with what is installed in it.
func tools(t testing.TB) string {
	t.Helper()
	node.Script(t, "") // skips or fails where there is no node
	dir := filepath.Join(node.Root(t), "tools", "picker")
	if _, err := os.Stat(filepath.Join(dir, "node_modules")); err != nil {
		missing(t, "what tools/picker needs is not installed: run make setup")
	}
	return dir
}

// missing skips a test, or fails it where a check that nobody ran would count as a pass.
func missing(t testing.TB, why string) {
	t.Helper()
	if os.Getenv("CI") != "" {
		t.Fatal(why)
	}
	t.Skip(why)
}

// built builds the page from its source, once, into a folder.
var built = sync.OnceValues(func() (map[string][]byte, error) {
	out, err := os.MkdirTemp("", "opcat-picker-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(out)
	cmd := exec.Command("node", filepath.Join("node_modules", "vite", "bin", "vite.js"), "build", "--logLevel", "warn", "--emptyOutDir", "--outDir", out)
	cmd.Dir = filepath.Join("..", "..", "tools", "picker")
	if text, err := cmd.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("%w\n%s", err, text)
	}
	entries, err := os.ReadDir(out)
	if err != nil {
		return nil, err
	}
	files := map[string][]byte{}
	for _, e := range entries {
		if files[e.Name()], err = os.ReadFile(filepath.Join(out, e.Name())); err != nil {
			return nil, err
		}
	}
	return files, nil
})

// The embedded page is what its source builds.
func TestPageIsBuiltFromItsSource(t *testing.T) {
	tools(t)
	want, err := built()
	if err != nil {
		t.Fatal(err)
	}
	embedded, err := pageFiles()
	if err != nil {
		t.Fatal(err)
	}
	if len(want) != len(embedded) {
		t.Errorf("%d files are built, %d are embedded", len(want), len(embedded))
	}
	for _, f := range embedded {
		if !bytes.Equal(want[f.Path], f.Data) {
			t.Errorf("projections/picker/page/%s is stale\nto mend it: make picker", f.Path)
		}
	}
}

// The page's source is what its types say.
func TestPageCompiles(t *testing.T) {
	if out, err := node.Tool(t, "tsc", "-p", tools(t)).CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

// Nothing that is installed or shipped names the machine that it was fetched from.
func TestLockNamesNoHost(t *testing.T) {
	lock, err := os.ReadFile("../../tools/picker/package-lock.json")
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(lock), `"resolved"`) {
		t.Error(`tools/picker/package-lock.json says where packages came from: run npm with omit-lockfile-registry-resolved`)
	}
}

// site writes what is emitted for a catalog into a folder, with the page as its source
// has it, so that a test is of the source; that the two are one is a test of its own.
func site(t testing.TB, c *catalog.Catalog) string {
	t.Helper()
	page, err := built()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for _, files := range []map[string][]byte{emitted(t, c), page} {
		for name, data := range files {
			if err := os.WriteFile(filepath.Join(dir, name), data, 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	return dir
}

// chromium is the browser of the tests.
func chromium(t testing.TB) string {
	t.Helper()
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	missing(t, "chromium is not on the PATH: apt-get install chromium")
	return ""
}

var tapLine = regexp.MustCompile(`^ *(not )?ok \d+ - (.*)$`)

// A user's browser shows the page as its test file says: each test there is one here.
func TestPageInChromium(t *testing.T) {
	dir := tools(t)
	many, err := market.New(5000, 1)
	if err != nil {
		t.Fatal(err)
	}
	bundled, err := committed.Catalog()
	if err != nil {
		t.Fatal(err)
	}
	asked := filepath.Join(t.TempDir(), "costs.json")
	if err := os.WriteFile(asked, costs(t, bundled), 0o644); err != nil {
		t.Fatal(err)
	}
	inChromium(t, dir, ".", 20, "OPCAT_BUNDLED="+site(t, bundled), "OPCAT_MANY="+site(t, many), "OPCAT_COSTS="+asked)
}

// These two are among them, and asked for by themselves where their rule is taken away.
func TestUnknownPriceOnPage(t *testing.T) {
	inChromium(t, tools(t), "^an unknown price is not zero", 1)
}
func TestHostileTextsOnPage(t *testing.T) { inChromium(t, tools(t), "^hostile texts are texts", 1) }

// inChromium runs the tests of the page whose names match; so many there are at least.
func inChromium(t *testing.T, dir, names string, least int, env ...string) {
	cmd := exec.Command("node", "--test", "--test-reporter", "tap", "--test-name-pattern", names, "test/page.test.mjs")
	cmd.Dir = dir
	cmd.Env = append(append(os.Environ(), "OPCAT_CHROMIUM="+chromium(t), "OPCAT_SMALL="+site(t, small(t))), env...)
	out, err := cmd.CombinedOutput()
	ran, failed := 0, 0
	lines := strings.Split(string(out), "\n")
	for i, line := range lines {
		m := tapLine.FindStringSubmatch(line)
		if m == nil || strings.Contains(line, "# SKIP") {
			continue
		}
		ran++
		t.Run(m[2], func(t *testing.T) {
			if m[1] == "" {
				return
			}
			failed++
			for _, l := range lines[i+1:] {
				if tapLine.MatchString(l) || strings.TrimSpace(l) == "..." {
					break
				}
				t.Log(l)
			}
			t.Fail()
		})
	}
	if ran < least || err != nil && failed == 0 {
		t.Errorf("%d tests ran: %v\n%s", ran, err, out)
	}
}

// A question is a usage, and what it costs on each route of an operation: "" for unknown.
type question struct {
	Hash  string            `json:"hash"`
	Costs map[string]string `json:"costs"`
}

// costs asks package operations what the page must show: for each operation a usual call,
// a large one that is past most price tiers, and one that reads a cache, at another date.
func costs(t testing.TB, c *catalog.Catalog) []byte {
	t.Helper()
	var questions []question
	at := time.Date(2026, 11, 30, 0, 0, 0, 0, time.UTC)
	for _, o := range operations.All() {
		usual := price.Usage{Lines: o.Usual.Lines}
		large, mixed := price.Usage{}, price.Usage{}
		for _, l := range o.Usual.Lines {
			large.Add(l.Meter, l.Count*317+1)
			mixed.Add(l.Meter, l.Count)
		}
		if o.HasMeter("cache_read_token") {
			mixed.Add("cache_read_token", 777)
		}
		for _, q := range []struct {
			usage price.Usage
			at    time.Time
			calls int64
		}{{usual, at, 1}, {large, at, 1000}, {mixed, at.AddDate(0, 3, 1), 7}} {
			ask := question{Hash: fmt.Sprintf("#operation=%s&life=active,announced,deprecated,ended&at=%s&calls=%d", o.Name, q.at.Format("2006-01-02"), q.calls), Costs: map[string]string{}}
			for _, l := range q.usage.Lines {
				ask.Hash += fmt.Sprintf("&use.%s=%d", l.Meter, l.Count)
			}
			for r := range c.Routes(o.Name) {
				one := operations.Cost(c, r, operations.Query{Operation: o.Name, Usage: q.usage, At: q.at})
				ask.Costs[r.ID()] = dollars(one, q.calls)
			}
			questions = append(questions, ask)
		}
	}
	b, err := json.Marshal(questions)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// dollars spells so many times an amount as the page does, and unknown as nothing.
func dollars(one catalog.Decimal, calls int64) string {
	if !one.IsKnown() {
		return ""
	}
	sum := new(big.Rat).Mul(one.Rat(), new(big.Rat).SetInt64(calls))
	if sum.Sign() == 0 {
		return "free"
	}
	whole, frac, _ := strings.Cut(strings.TrimRight(sum.FloatString(24), "0"), ".")
	for len(frac) < 2 {
		frac += "0"
	}
	for i := len(whole) - 3; i > 0; i -= 3 {
		whole = whole[:i] + "," + whole[i:]
	}
	return "$" + whole + "." + frac
}

// BenchmarkFirstInteraction is what a browser takes to show 5,000 rows, and then to
// answer what a user does.
func BenchmarkFirstInteraction(b *testing.B) {
	dir, browser := tools(b), chromium(b)
	many, err := market.New(5000, 1)
	if err != nil {
		b.Fatal(err)
	}
	folder := site(b, many)
	for b.Loop() {
		cmd := exec.Command("node", "test/bench.mjs")
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "OPCAT_CHROMIUM="+browser, "OPCAT_MANY="+folder)
		cmd.Stderr = os.Stderr
		out, err := cmd.Output()
		if err != nil {
			b.Fatal(err)
		}
		var medians map[string]float64
		if err := json.Unmarshal(out, &medians); err != nil {
			b.Fatal(err)
		}
		for name, ms := range medians {
			b.ReportMetric(ms, name+"-ms")
		}
	}
	b.ReportMetric(float64(payload(b, many))/1000, "gzip-kB")
}
