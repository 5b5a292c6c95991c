package migrate

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/BurntSushi/toml"
	"github.com/opcat/opcat/compile/fragment"
	"github.com/opcat/opcat/compile/legacy"
	"github.com/opcat/opcat/compile/tree"
	"github.com/opcat/opcat/diag"
	"github.com/opcat/opcat/shape"
)

// What upstream answers for a route, written a second time and from its own
// description: one walk over the rules in the order of its packaged snapshot. The
// answers of package migrate, which know no order, must be the same.

type table = map[string]any

// upstream is the packaged snapshot of its catalog and of its rules.
type upstream struct {
	providers, models table
	rules             map[string][]table
	defaults          map[string]table
	family            map[string]string
}

func readUpstream(t testing.TB, dir string) *upstream {
	t.Helper()
	var catalog struct{ Providers, Models table }
	var rules struct {
		Provider         map[string][]table
		ProviderDefaults map[string]table  `toml:"provider_defaults"`
		ProviderFamily   map[string]string `toml:"provider_family"`
	}
	for name, into := range map[string]any{"providers.toml": &catalog, "capabilities.toml": &rules} {
		if _, err := toml.DecodeFile(filepath.Join(dir, "generated", name), into); err != nil {
			t.Fatal(err)
		}
	}
	return &upstream{catalog.Providers, catalog.Models, rules.Provider, rules.ProviderDefaults, rules.ProviderFamily}
}

// walk gives the fields of one route: first match wins, a rule that extends fills
// what is unset and the walk goes on, families and defaults come after.
func (u *upstream) walk(id string) table {
	row := u.models[id].(table)
	provider := row["provider"].(string)
	features := strings.Join(texts(u.providers[provider].(table)["features"]), " ")
	name := id
	if wire, ok := row["wire_model"].(string); ok && strings.Contains(features, "wire_model_capabilities") {
		name = wire
	}
	name = strings.ToLower(name)

	out := table{}
	var layers []string
	for at, ended := provider, false; at != "" && !slices.Contains(layers, at) && !ended; at = u.family[at] {
		layers = append(layers, at)
		for _, r := range u.rules[at] {
			if !matches(r, name) {
				continue
			}
			take(out, r)
			if extends, _ := r["extends"].(bool); !extends {
				ended = true
				break
			}
		}
	}
	for _, at := range layers {
		for field, value := range u.defaults[at] {
			if _, set := out[field]; !set {
				out[field] = value
			}
		}
	}
	if provider != "openai" {
		for _, f := range []string{"hosted_tools", "remote_mcp", "conversation_state", "compaction", "background_mode", "tool_approval_policy"} {
			delete(out, f)
		}
		if !strings.Contains(features, "responses_api") {
			for _, f := range []string{"responses_api", "chat_completions_unsupported", "reasoning_tools_require_responses"} {
				delete(out, f)
			}
		}
	}
	return out
}

// take fills what is unset; two spellings of one fact fill together.
func take(out, from table) {
	groups := [][]string{{"structured_output", "json_schema"}, {"thinking_modes", "thinking"}, {"vision", "vision_supported"}}
	closed := map[string]bool{}
	for _, g := range groups {
		_, a := out[g[0]]
		_, b := out[g[1]]
		closed[g[0]], closed[g[1]] = a || b, a || b
	}
	for field, value := range from {
		switch field {
		case "model_match", "extends", "version_min":
			continue
		}
		if _, set := out[field]; !set && !closed[field] {
			out[field] = value
		}
	}
}

func matches(r table, name string) bool {
	fits := slices.ContainsFunc(texts(r["model_match"]), func(p string) bool {
		quoted := regexp.QuoteMeta(strings.ToLower(p))
		quoted = strings.NewReplacer(`\*`, `.*`, `\?`, `.`).Replace(quoted)
		re := compiled[quoted]
		if re == nil {
			re = regexp.MustCompile(`^(?s:` + quoted + `)$`)
			compiled[quoted] = re
		}
		return re.MatchString(name)
	})
	bound, bounded := r["version_min"].([]any)
	if !fits || !bounded {
		return fits
	}
	if len(bound) != 2 {
		return false
	}
	have, ok := readVersion(name)
	want := [2]int64{bound[0].(int64), bound[1].(int64)}
	return ok && (have[0] > want[0] || have[0] == want[0] && have[1] >= want[1])
}

var (
	compiled      = map[string]*regexp.Regexp{}
	claudeVersion = regexp.MustCompile(`claude-(?:[a-z]+-)*(\d+)(?:[.-](\d+)(?:-|$|[^a-z0-9]))?`)
	gptVersion    = regexp.MustCompile(`gpt-(\d+)(?:[.-](\d+)(?:-|$|[^a-z0-9]))?`)
)

func readVersion(name string) (v [2]int64, ok bool) {
	for _, re := range []*regexp.Regexp{claudeVersion, gptVersion} {
		if m := re.FindStringSubmatch(name); m != nil {
			v[0], _ = strconv.ParseInt(m[1], 10, 64)
			v[1], _ = strconv.ParseInt(m[2], 10, 64)
			if v[1] >= 1000 {
				v[1] = 0
			}
			return v, true
		}
	}
	return v, false
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

// plainValue turns a node into what a TOML library makes of the same text. Sets
// are sorted: their order means nothing.
func plainValue(n *tree.Node) any {
	switch n.Form {
	case shape.FormBool:
		return n.Str() == "true"
	case shape.FormInteger:
		return n.Int()
	case shape.FormList:
		out := []any{}
		for c := range n.Each() {
			out = append(out, plainValue(c))
		}
		return out
	case shape.FormTable:
		out := table{}
		for c := range n.Each() {
			out[c.Key.Name] = plainValue(c)
		}
		return out
	}
	return n.Str()
}

// tidy drops what says nothing (false, an empty list or table) and sorts sets.
func tidy(facts table) table {
	out := table{}
	for field, v := range facts {
		switch x := v.(type) {
		case bool:
			if !x {
				continue
			}
		case []any:
			if len(x) == 0 {
				continue
			}
			if key := legacy.Rule().Key(field); key != nil && key.Type.Set {
				x = slices.Clone(x)
				slices.SortFunc(x, func(a, b any) int { return strings.Compare(fmt.Sprint(a), fmt.Sprint(b)) })
				v = x
			}
		case table:
			if len(x) == 0 {
				continue
			}
		}
		out[field] = v
	}
	return out
}

// answers gives the facts of every row by upstream's id, before any law of
// operations takes some away.
func answers(w *rulework) map[string]table {
	out := map[string]table{}
	for _, row := range w.rows {
		p := w.provider(row.Provider)
		a := w.resolver.resolve(row.Provider, identity(row, p))
		a.blank(row.Provider, servesResponses(row.Provider, p), func(given) {})
		facts := table{}
		for _, g := range a.facts {
			if g.node != nil {
				facts[g.node.Key.Name] = plainValue(g.node)
			}
		}
		out[row.ID] = facts
	}
	return out
}

func corpus(t testing.TB) string {
	t.Helper()
	dir := filepath.Join("..", "..", "..", "shared", "corpus", "harn")
	if _, err := os.Stat(dir); err != nil {
		if os.Getenv("CI") != "" {
			t.Fatal(err)
		}
		t.Skip("the corpus is not here")
	}
	return dir
}

// corpusMigration reads upstream's fragments up to where rules meet rows.
func corpusMigration(t testing.TB, frags []fragment.Fragment, keep Keep) *migration {
	t.Helper()
	m := newMigration(frags, 0, keep, false)
	m.below = newGround(nil, 0, underneath{})
	m.readProviders()
	m.readRows()
	for _, r := range m.rows {
		m.operations(r)
		m.apiDialect(r)
	}
	if len(m.diags) > 0 {
		t.Fatal(m.diags)
	}
	return m
}

func corpusFragments(t testing.TB, dir string) []fragment.Fragment {
	t.Helper()
	frags, diags := fragment.Dir(fragment.Tree{FS: os.DirFS(dir), Layer: "bundled"})
	if len(diags) > 0 {
		t.Fatal(diags)
	}
	return frags
}

func TestRulesAnswerAsUpstreamDoes(t *testing.T) {
	dir := corpus(t)
	u := readUpstream(t, dir)
	w := newRulework(corpusMigration(t, corpusFragments(t, dir), nil))
	got := answers(w)
	if len(got) != len(u.models) {
		t.Errorf("%d rows, upstream has %d", len(got), len(u.models))
	}
	same := 0
	for _, id := range slices.Sorted(maps.Keys(u.models)) {
		want, have := tidy(u.walk(id)), tidy(got[id])
		if reflect.DeepEqual(want, have) {
			same++
			continue
		}
		for _, field := range slices.Sorted(maps.Keys(union(want, have))) {
			if !reflect.DeepEqual(want[field], have[field]) {
				t.Errorf("%s: %s is %v, upstream says %v", id, field, have[field], want[field])
			}
		}
	}
	t.Logf("%d of %d rows have upstream's answer", same, len(u.models))
}

// keepKnown lets upstream's known contradictions pass as an accept file does.
func keepKnown(d diag.Diagnostic) (string, bool) {
	switch d.Code {
	case diag.ToolFormatContradicts:
		return "text_tool_wire_format_supported", true
	case diag.EffortNoneContradicts:
		return "reasoning_effort_levels", true
	}
	return "", true
}

func TestCorpusQuarrels(t *testing.T) {
	m := corpusMigration(t, corpusFragments(t, corpus(t)), nil)
	m.contracts()
	places, rows := map[diag.Code]map[diag.Pos]bool{}, map[diag.Code]map[string]bool{}
	for _, d := range m.diags {
		if places[d.Code] == nil {
			places[d.Code], rows[d.Code] = map[diag.Pos]bool{}, map[string]bool{}
		}
		places[d.Code][d.At] = true
		rows[d.Code][d.Row] = true
	}
	want := map[diag.Code]int{ // by row where the finding is about a row, else by place
		diag.ChatFactOnNonTextRow: 6, diag.LabelContradictsContract: 85, diag.StrengthWithoutAbility: 17,
		diag.EffortNoneContradicts: 1, diag.ToolFormatContradicts: 8, diag.RuleMatchesNothing: 8,
	}
	for code := range places {
		n := len(places[code])
		if !rows[code][""] {
			n = len(rows[code])
		}
		if n != want[code] {
			t.Errorf("%s: %d, want %d", code, n, want[code])
		}
		delete(want, code)
	}
	for code := range want {
		t.Errorf("%s is not found", code)
	}
	if e, _ := find(m.diags, diag.EffortNoneContradicts); e.At.File != "capability_sources/20-providers/70-mistral-cohere-xai-groq.toml" || e.At.Line != 38 {
		t.Errorf("the one contradictory ladder is reported at %s", e.At)
	}
	labels := map[string]int{}
	for _, d := range m.diags {
		if d.Code == diag.LabelContradictsContract {
			for l := range strings.SplitSeq(d.Got, ", ") {
				labels[l]++
			}
		}
	}
	if want := map[string]int{"prompt_caching": 39, "files": 22, "vision": 19, "thinking": 15, "video": 9}; !maps.Equal(labels, want) {
		t.Errorf("labels that no rule bears out: %v, want %v", labels, want)
	}
}

func TestCorpusContracts(t *testing.T) {
	dir := corpus(t)
	u := readUpstream(t, dir)
	m := corpusMigration(t, corpusFragments(t, dir), keepKnown)
	m.contracts()
	grants := map[string]int{}
	mended := 0
	for _, row := range m.rows {
		for _, c := range row.Contracts {
			grants[c.Key.Name]++
			if c.Get("protocol") == nil || c.Get("input_kinds") == nil {
				t.Errorf("%s: the contract of %s is not whole", row.RowID(), c.Key.Name)
			}
			if c.Path("tools", "preferred").Str() == "none" && u.walk(row.ID)["preferred_tool_format"] == "json" {
				mended++
			}
		}
	}
	if want := map[string]int{textOperation: 392, decisionOperation: 31, embeddingOperation: 1}; !maps.Equal(grants, want) {
		t.Errorf("grants are %v, want %v", grants, want)
	}
	if mended != 19 {
		t.Errorf("%d rows without tools have their preferred format mended, want 19", mended)
	}
	moves := map[string]int{}
	for _, mv := range m.moves {
		if mv.Named {
			moves[mv.Rule]++
		}
	}
	for rule, n := range map[string]int{"L09": 7, "L23": 5, "L44": 5} {
		if moves[rule] != n {
			t.Errorf("%s: %d moves are named, want %d", rule, moves[rule], n)
		}
	}
}

// The order of rules, and which file holds them, changes no contract.
func TestShuffledRulesGiveTheSameContracts(t *testing.T) {
	frags := corpusFragments(t, corpus(t))
	render := func(frags []fragment.Fragment) string {
		m := corpusMigration(t, frags, keepKnown)
		m.contracts()
		slices.SortFunc(m.rows, func(a, b *legacyRow) int { return strings.Compare(a.RowID(), b.RowID()) })
		var b strings.Builder
		for _, row := range m.rows {
			fmt.Fprintf(&b, "%s discount %s\n", row.RowID(), row.Discount.Str())
			for _, c := range row.Contracts {
				fmt.Fprintf(&b, "%s %v\n", c.Key.Name, plainValue(c)) // fmt prints maps by key
			}
		}
		return b.String()
	}
	want := render(frags)
	for seed := range uint64(5) {
		rng := rand.New(rand.NewPCG(seed, 1))
		if got := render(shuffled(frags, rng)); got != want {
			t.Fatalf("seed %d gives other contracts", seed)
		}
	}
}

// shuffled deals the rules out to other files in another order.
func shuffled(frags []fragment.Fragment, rng *rand.Rand) []fragment.Fragment {
	var arena tree.Arena
	type dealt struct{ provider, rule *tree.Node }
	var rules []dealt
	var out, homes []fragment.Fragment
	for _, f := range frags {
		list := f.Table.Get("provider")
		if f.Root != legacy.Capabilities || list == nil {
			out = append(out, f)
			continue
		}
		for p := range list.Each() {
			for r := range p.Each() {
				rules = append(rules, dealt{p, r})
			}
		}
		file := *f.File
		file.Path = fmt.Sprintf("capability_sources/%d.toml", rng.Uint32())
		f.File, f.Table = &file, arena.Shallow(f.Table)
		f.Table.Append(arena.Shallow(list))
		homes = append(homes, f)
	}
	rng.Shuffle(len(rules), func(i, j int) { rules[i], rules[j] = rules[j], rules[i] })
	for i, d := range rules {
		f := homes[rng.IntN(len(homes))]
		list := f.Table.Get("provider")
		p := list.Get(d.provider.Key.Name)
		if p == nil {
			p = arena.Shallow(d.provider)
			list.Append(p)
		}
		r := arena.Copy(d.rule, nil)
		r.File = f.File
		r.SetPlace(tree.Place{Line: i + 1, KeyCol: 1, Col: 1})
		p.Append(r)
	}
	out = append(out, homes...)
	rng.Shuffle(len(out), func(i, j int) { out[i], out[j] = out[j], out[i] })
	return out
}

func BenchmarkCorpusContracts(b *testing.B) {
	frags := corpusFragments(b, corpus(b))
	b.ReportAllocs()
	for b.Loop() {
		b.StopTimer()
		m := corpusMigration(b, frags, keepKnown)
		b.StartTimer()
		m.contracts()
	}
}

func union(a, b table) table {
	out := maps.Clone(a)
	maps.Copy(out, b)
	return out
}
