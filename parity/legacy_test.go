package parity

import (
	"context"
	"encoding/json"
	"fmt"
	"math/big"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/BurntSushi/toml"

	"github.com/opcat/opcat/catalog"
	"github.com/opcat/opcat/compile"
	"github.com/opcat/opcat/compile/accept"
	"github.com/opcat/opcat/compile/fragment"
)

// The largest catalog of the legacy dialect that there is, Harn's: what its own
// snapshot says of each row, read here a second time without the migrator, is what
// every form says of the migrated one. What differs is named.

// differences are what is meant to be another answer than upstream's, with the number
// of answers that it explains: no more and no less.
var differences = []struct {
	why   string
	count int
	of    func(kind, name string, row *legacyRow) bool
}{
	{"a structured text model is no decision route: its decision is the evaluator's (L09)", 7, func(kind, _ string, row *legacyRow) bool {
		return kind == "operations" && row.rule("decision_protocol") == "structured_llm"
	}},
	{"an embedding returns no tokens, so a price of 0 for them is not kept", 1, func(kind, _ string, row *legacyRow) bool {
		return kind == "price" && row.row["embedding_dim"] != nil
	}},
}

// legacyDay is the last day on which the corpus's own audits stand.
const legacyDay = "2026-11-14"

type legacyTable = map[string]any

// A legacyRow is a row of upstream's snapshot with the facts that its rules give it.
type legacyRow struct {
	id, provider, wire string
	row, facts         legacyTable
}

func (r *legacyRow) rule(name string) string { s, _ := r.facts[name].(string); return s }

func (r *legacyRow) flag(names ...string) bool {
	return slices.ContainsFunc(names, func(name string) bool { yes, _ := r.facts[name].(bool); return yes })
}

func TestLegacyRowsAnswerAsBefore(t *testing.T) {
	dir := filepath.Join("..", "..", "shared", "corpus", "harn")
	if _, err := os.Stat(dir); err != nil {
		missing(t, "the corpus is not here: %v", err)
	}
	questions, rows := legacyQuestions(t, dir)
	if len(rows) != 424 {
		t.Errorf("%d rows", len(rows))
	}
	t.Logf("%d questions", len(questions))
	r := Run{Drivers: "drivers", Catalogs: map[string]*catalog.Catalog{"legacy": migrated(t, dir)}}
	for _, form := range []string{"library", "go", "ts", "json"} {
		t.Run(form, func(t *testing.T) {
			given, err := r.Ask(context.Background(), form, questions)
			if err != nil {
				t.Fatal(err)
			}
			if s := ScoreOf(form, given); s.Passed+s.Failed == 0 {
				missing(t, "%s", s)
			}
			explained, unexplained := make([]int, len(differences)), 0
			for i := range given {
				g := &given[i]
				if g.Right() {
					continue
				}
				var a ask
				if err := strict(g.Question.Asked, &a); err != nil {
					t.Fatal(err)
				}
				d := -1
				for i := range differences {
					if differences[i].of(a.Kind, a.Name, rows[strings.SplitN(a.ID, "/", 3)[1]]) {
						d = i
					}
				}
				if d >= 0 {
					explained[d]++
				} else if unexplained++; unexplained <= 20 {
					t.Errorf("%s\n asked  %s\n before %s\n now    %s%s%s", a.ID, g.Question.Asked, g.Question.Answer, g.Answer, g.Failed, g.NotRun)
				}
			}
			for i, d := range differences {
				if explained[i] != d.count {
					t.Errorf("%d answers differ, not %d, for this: %s", explained[i], d.count, d.why)
				}
			}
			t.Logf("%d of %d answers are as before, %v differ as named, %d otherwise", ScoreOf(form, given).Passed, len(given), explained, unexplained)
		})
	}
}

func migrated(t *testing.T, dir string) *catalog.Catalog {
	t.Helper()
	src, err := os.ReadFile("../compile/testdata/harn.accept.toml")
	if err != nil {
		t.Fatal(err)
	}
	known, diags := accept.Read("harn.accept.toml", src)
	r := compile.Run(compile.Input{Trees: []fragment.Tree{{FS: os.DirFS(dir), Layer: "bundled"}}, AsOf: legacyDay, Accept: known})
	if r.Catalog == nil {
		t.Fatal(diags, r.Diags, r.Err)
	}
	return r.Catalog
}

// legacyQuestions are what upstream answers for each row, in the words of parity. The
// number of a row is the second part of its questions' ids.
func legacyQuestions(t *testing.T, dir string) ([]Question, map[string]*legacyRow) {
	t.Helper()
	rows := map[string]*legacyRow{}
	var questions []Question
	for i, row := range legacyRows(t, dir) {
		number := strconv.Itoa(i)
		rows[number] = row
		put := func(answer any, kind string, members map[string]any) {
			id := fmt.Sprintf("legacy/%s/%s", number, kind)
			for _, m := range []string{"operation", "name", "meter", "at", "input_tokens"} {
				if v, ok := members[m]; ok {
					id += fmt.Sprintf("/%v", v)
				}
			}
			members["id"], members["kind"], members["row"] = id, kind, row.provider+"/"+row.wire
			q := Question{ID: id, Catalog: "legacy", Kind: kind}
			var err error
			if q.Asked, err = json.Marshal(members); err != nil {
				t.Fatal(err)
			}
			if q.Answer, err = json.Marshal(answer); err != nil {
				t.Fatal(err)
			}
			questions = append(questions, q)
		}
		row.ask(put)
	}
	return questions, rows
}

type asking func(answer any, kind string, members map[string]any)

// ask puts the questions about one row.
func (r *legacyRow) ask(put asking) {
	operations := r.operations()
	put(operations, "operations", map[string]any{})
	put(r.provider, "fact", map[string]any{"name": "provider"})
	put(r.wire, "fact", map[string]any{"name": "wire_model"})
	put(r.row["context_window"], "fact", map[string]any{"name": "context_tokens"})
	put(r.row["logical_model"], "fact", map[string]any{"name": "logical_model"})
	for _, at := range []string{legacyDay, "2026-12-31", "2099-01-01"} {
		put(r.state(at), "state", map[string]any{"at": at})
	}
	operation := operations[0]
	r.prices(put, operation)
	switch operation {
	case "text_generation":
		put(r.inputs(), "contract", map[string]any{"operation": operation, "name": "input_kinds"})
		for _, option := range []string{"temperature", "top_p", "top_k", "seed", "frequency_penalty", "presence_penalty", "stop"} {
			if yes, said := r.facts[option+"_supported"].(bool); said && !yes {
				if efforts, _ := r.facts["portable_option_effort_support"].(legacyTable); efforts[option] != nil {
					put("ruled", "setting", map[string]any{"operation": operation, "name": option}) // with some efforts it is taken
					continue
				}
				put("refused", "setting", map[string]any{"operation": operation, "name": option})
			}
		}
	case "decision_evaluation":
		put([]string{r.rule("decision_protocol")}, "contract", map[string]any{"operation": operation, "name": "protocols"})
		put(texts(r.facts["decision_question_kinds"]), "contract", map[string]any{"operation": operation, "name": "question_kinds"})
	case "embedding":
		put(r.row["embedding_dim"], "contract", map[string]any{"operation": operation, "name": "dimensions"})
	}
}

// operations are those that a row declares, or text where it declares none and has no
// width of a vector.
func (r *legacyRow) operations() []string {
	declared := texts(r.row["operations"])
	switch {
	case declared == nil && r.row["embedding_dim"] != nil:
		return []string{"embedding"}
	case declared == nil:
		return []string{"text_generation"}
	}
	var out []string
	for _, names := range [][2]string{{"text_generation", "text_generation"}, {"embedding", "embedding"}, {"decision", "decision_evaluation"}} {
		if slices.Contains(declared, names[0]) {
			out = append(out, names[1])
		}
	}
	return out
}

func (r *legacyRow) state(at string) string {
	ends := []string{}
	for _, field := range []string{"sunset_date", "retires_on"} {
		if s := date(r.row[field]); s != "" {
			ends = append(ends, s)
		}
	}
	deprecated, _ := r.row["deprecated"].(bool)
	switch {
	case slices.ContainsFunc(ends, func(end string) bool { return end <= at }):
		return "ended"
	case deprecated:
		return "deprecated"
	case len(ends) > 0:
		return "announced"
	}
	return "active"
}

func date(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case fmt.Stringer:
		return v.String()[:len("2026-11-14")]
	}
	return ""
}

// inputs are the kinds of input, in the registry's order.
func (r *legacyRow) inputs() []string {
	kinds := []string{"text"}
	for _, k := range []struct {
		kind string
		has  bool
	}{
		{"image", r.flag("vision", "vision_supported")}, {"audio", r.flag("audio", "audio_supported")},
		{"video", r.flag("video", "video_supported")}, {"pdf", r.flag("pdf", "pdf_supported")}, {"file_ref", r.flag("files_api_supported")},
	} {
		if k.has {
			kinds = append(kinds, k.kind)
		}
	}
	return kinds
}

// prices are the base card and its bands, where no date changes them.
func (r *legacyRow) prices(put asking, operation string) {
	card, ok := r.row["pricing"].(legacyTable)
	if card["promotions"] != nil || card["schedules"] != nil {
		return
	}
	for _, meter := range [][2]string{{"input_token", "input"}, {"output_token", "output"}, {"cache_read_token", "cache_read"}} {
		rate, stated := card[meter[1]+"_per_mtok"]
		if !stated {
			if !ok {
				put(map[string]any{"unknown": "not_priced"}, "price", map[string]any{"operation": operation, "meter": meter[0]})
			}
			continue
		}
		put(map[string]any{"usd_per_million": exact(rate)}, "price", map[string]any{"operation": operation, "meter": meter[0]})
		bands, _ := card["input_token_bands"].([]legacyTable)
		for _, band := range bands {
			times := "input_multiplier"
			if meter[1] == "output" {
				times = "output_multiplier"
			}
			put(map[string]any{"usd_per_million": exact(rate, band[times])}, "price", map[string]any{"operation": operation, "meter": meter[0], "input_tokens": band["minimum_input_tokens"]})
		}
	}
}

// exact multiplies numbers as they are written.
func exact(factors ...any) string {
	product := big.NewRat(1, 1)
	for _, f := range factors {
		r, ok := new(big.Rat).SetString(fmt.Sprint(f))
		if !ok {
			panic(f)
		}
		product.Mul(product, r)
	}
	s := product.FloatString(24)
	return strings.TrimSuffix(strings.TrimRight(s, "0"), ".")
}

func texts(v any) []string {
	switch v := v.(type) {
	case string:
		return []string{v}
	case []any:
		var out []string
		for _, x := range v {
			out = append(out, x.(string))
		}
		return out
	}
	return nil
}

// legacyRows reads upstream's packaged snapshot: one walk over the rules in their
// order, the first match wins, a rule that extends fills what is unset.
func legacyRows(t *testing.T, dir string) []*legacyRow {
	t.Helper()
	var c struct{ Providers, Models map[string]legacyTable }
	var rules struct {
		Provider         map[string][]legacyTable
		ProviderDefaults map[string]legacyTable `toml:"provider_defaults"`
		ProviderFamily   map[string]string      `toml:"provider_family"`
	}
	for name, into := range map[string]any{"providers.toml": &c, "capabilities.toml": &rules} {
		if _, err := toml.DecodeFile(filepath.Join(dir, "generated", name), into); err != nil {
			t.Fatal(err)
		}
	}
	var ids []string
	for id := range c.Models {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	var all []*legacyRow
	for _, id := range ids {
		row := c.Models[id]
		r := &legacyRow{id: id, provider: row["provider"].(string), wire: id, row: row, facts: legacyTable{}}
		if wire, ok := row["wire_model"].(string); ok {
			r.wire = wire
		}
		name := id
		if slices.Contains(texts(c.Providers[r.provider]["features"]), "wire_model_capabilities") {
			name = r.wire
		}
		var walked []string
	layers:
		for at := r.provider; at != "" && !slices.Contains(walked, at); at = rules.ProviderFamily[at] {
			walked = append(walked, at)
			for _, rule := range rules.Provider[at] {
				if !reaches(rule, strings.ToLower(name)) {
					continue
				}
				r.take(rule)
				if extends, _ := rule["extends"].(bool); !extends {
					break layers
				}
			}
		}
		for _, at := range walked {
			for field, v := range rules.ProviderDefaults[at] {
				if _, set := r.facts[field]; !set {
					r.facts[field] = v
				}
			}
		}
		all = append(all, r)
	}
	return all
}

// take fills what is unset; vision has two spellings, which fill together.
func (r *legacyRow) take(rule legacyTable) {
	_, a := r.facts["vision"]
	_, b := r.facts["vision_supported"]
	for field, v := range rule {
		if _, set := r.facts[field]; !set && !(strings.HasPrefix(field, "vision") && (a || b)) {
			r.facts[field] = v
		}
	}
}

var versionIn = regexp.MustCompile(`(?:claude-(?:[a-z]+-)*|gpt-)(\d+)(?:[.-](\d+)(?:-|$|[^a-z0-9]))?`)

func reaches(rule legacyTable, name string) bool {
	fits := slices.ContainsFunc(texts(rule["model_match"]), func(pattern string) bool {
		quoted := strings.NewReplacer(`\*`, ".*", `\?`, ".").Replace(regexp.QuoteMeta(strings.ToLower(pattern)))
		return regexp.MustCompile("^(?s:" + quoted + ")$").MatchString(name)
	})
	bound, bounded := rule["version_min"].([]any)
	if !fits || !bounded {
		return fits
	}
	m := versionIn.FindStringSubmatch(name)
	if m == nil || len(bound) != 2 {
		return false
	}
	major, _ := strconv.ParseInt(m[1], 10, 64)
	minor, _ := strconv.ParseInt(m[2], 10, 64)
	if minor >= 1000 {
		minor = 0 // it is a date
	}
	return major > bound[0].(int64) || major == bound[0].(int64) && minor >= bound[1].(int64)
}
