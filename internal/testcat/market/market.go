// Package market makes large catalogs to choose from. It knows the catalog alone,
// so that the tests of package operations can use it.
package market

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"github.com/opcat/opcat/catalog"
)

// New makes a catalog of so many rows to choose from, as varied as real ones: prices
// with steps, windows, regions and gaps, options with conditions, ends of life, data
// policies, all operations. The same seed gives the same catalog. It is written as its
// text, since hundreds of thousands of rows are wanted.
func New(rows int, seed uint64) (*catalog.Catalog, error) {
	m := &market{rand: rand.New(rand.NewPCG(seed, 3)), x: catalog.NewIndexer(rows)}
	return m.catalog(rows)
}

// perProvider is how many rows a provider serves.
const perProvider = 50

type market struct {
	rand *rand.Rand
	x    *catalog.Indexer
	b    []byte
	dear bool // the row that is being written has no price
}

func (m *market) catalog(rows int) (*catalog.Catalog, error) {
	m.b = make([]byte, 0, 700*rows+1<<16)
	m.add("{\n")
	m.section("schema", `"opcat.catalog@1"`)
	m.section("as_of", `"2026-11-30"`)
	m.section("holds", "{\n"+`"from":"2026-11-01",`+"\n"+`"until":"2027-01-31"`+"\n}")
	start := m.open("providers", '{')
	providers := (rows + perProvider - 1) / perProvider
	for p := range providers {
		id := providerID(p)
		m.add(`"`, id, `":`)
		at := len(m.b)
		m.provider(p, id)
		if err := m.x.Provider(id, at, len(m.b)-at); err != nil {
			return nil, err
		}
		m.more(p, providers)
	}
	m.close("providers", start, '}', ",\n")
	start = m.open("models", '[')
	for i := range rows {
		if err := m.row(i); err != nil {
			return nil, err
		}
		m.more(i, rows)
	}
	m.close("models", start, ']', "\n}\n")
	return m.x.Catalog(m.b)
}

func providerID(p int) string { return fmt.Sprintf("vendor-%05d", p) }

func (m *market) add(parts ...string) {
	for _, s := range parts {
		m.b = append(m.b, s...)
	}
}

func (m *market) section(name, value string) {
	m.add(`"`, name, `":`)
	m.x.Section(name, len(m.b), len(value))
	m.add(value, ",\n")
}

func (m *market) open(name string, bracket byte) int {
	m.add(`"`, name, `":`)
	start := len(m.b)
	m.b = append(m.b, bracket, '\n')
	return start
}

func (m *market) more(i, n int) {
	if i < n-1 {
		m.add(",")
	}
	m.add("\n")
}

func (m *market) close(name string, start int, bracket byte, after string) {
	m.b = append(m.b, bracket)
	m.x.Section(name, start, len(m.b)-start)
	m.add(after)
}

// wires are the protocols that providers have endpoints for; the odd ones lack some.
var wires = []string{"cohere_rerank", "openai_chat_completions", "openai_embeddings", "openai_moderations", "openai_responses", "typesafe_system_one"}

func (m *market) provider(p int, id string) {
	m.add(`{"name":"`, id, `","credential":{"scheme":"bearer","env":["VENDOR_API_KEY"],"origins":["https://api.`, id, `.example"]},"endpoint":{`)
	for i, w := range wires {
		if p%11 == 10 && w == "openai_responses" {
			continue
		}
		if i > 0 {
			m.add(",")
		}
		m.add(`"`, w, `":{"url":"https://api.`, id, `.example/`, w, `"}`)
	}
	m.add("}")
	if p%3 == 0 {
		m.add(`,"data_controls":{"retention_default":"`, m.pick("retained", "not_retained", "abuse_monitoring_only", "unspecified"),
			`","training_default":"`, m.pick("trains", "does_not_train", "unspecified"), `"}`)
	}
	m.add("}")
}

func (m *market) pick(words ...string) string { return words[m.rand.IntN(len(words))] }

func (m *market) one(in int) bool { return m.rand.IntN(in) == 0 }

func (m *market) row(i int) error {
	provider, wire := providerID(i/perProvider), fmt.Sprintf("model-%06d", i)
	start := len(m.b)
	m.add(`{"id":"`, provider, "/", wire, `","provider":"`, provider, `","wire_model":"`, wire, `","name":"Model `, wire, `"`)
	if !m.one(20) {
		m.limits()
	}
	deprecated, ends, announced := m.lifecycle()
	m.prices()
	if m.one(40) {
		m.add(`,"region":[{"name":"eu-west-1","wire_model":"eu.`, wire, `"},{"name":"us-east-1","wire_model":"us.`, wire, `"}]`)
		if m.one(2) {
			m.add(`,"regional_only":true`)
		}
	}
	if m.one(30) {
		m.add(`,"data_controls":{"retention_default":"not_retained","training_default":"`, m.pick("does_not_train", "trains"), `"}`)
	}
	if m.one(3) {
		m.add(`,"presentation":{"tier":"`, m.pick("small", "mid", "frontier", "reasoning"), `"}`)
	}
	m.add(`,"operations":`)
	contracts := len(m.b)
	m.add("{")
	at := make([]granted, 0, 2)
	for j, o := range m.operations(i) {
		if j > 0 {
			m.add(",")
		}
		m.add(`"`, o, `":`)
		at = append(at, m.contract(o))
	}
	m.add("}}")
	if err := m.x.Row(provider+"/"+wire, start, len(m.b)-start, contracts, deprecated, ends, announced); err != nil {
		return err
	}
	for _, g := range at {
		m.x.Route(g.operation, g.off, g.length, g.inputs, g.support)
	}
	return nil
}

// operations: of ten rows seven write text, and one in twenty does two things.
func (m *market) operations(i int) []string {
	switch {
	case i%20 == 19:
		return []string{"text_generation", "decision_evaluation"}
	case i%10 < 7:
		return []string{"text_generation"}
	case i%10 == 7:
		return []string{"embedding"}
	case i%10 == 8:
		return []string{"decision_evaluation"}
	case i%100 == 99:
		return []string{"moderation"}
	}
	return []string{"reranking"}
}

func (m *market) limits() {
	windows := []int{4096, 8192, 16384, 32768, 65536, 128000, 131072, 163840, 200000, 204800, 256000, 262144, 400000, 1000000, 1048576, 2000000}
	window := windows[m.rand.IntN(len(windows))]
	if m.one(4) {
		window -= 1024 * m.rand.IntN(3)
	}
	m.add(`,"limits":{"context_tokens":`, fmt.Sprint(window))
	if !m.one(5) {
		m.add(`,"output_tokens":`, fmt.Sprint(window/(1+m.rand.IntN(16))))
	}
	m.add("}")
}

func (m *market) lifecycle() (deprecated bool, ends, announced catalog.Date) {
	switch m.rand.IntN(40) {
	case 0:
		m.add(`,"lifecycle":{"deprecated":true,"note":"superseded","ends_on":"2027-01-31"}`)
		return true, "2027-01-31", ""
	case 1:
		m.add(`,"lifecycle":{"deprecated":true,"note":"gone","ends_on":"2026-11-01"}`)
		return true, "2026-11-01", ""
	case 2:
		m.add(`,"lifecycle":{"announced_end":"2027-06-30"}`)
		return false, "", "2027-06-30"
	}
	return false, "", ""
}

func (m *market) prices() {
	var entries []string
	entry := func(meter, amount, rest string) {
		entries = append(entries, fmt.Sprintf(`{"meter":%q,%s%s}`, meter, amount, rest))
	}
	million := func() string {
		return fmt.Sprintf(`"usd_per_million":"%s"`, m.pick("0", "0.042", "0.1", "0.25", "1", "1.25", "3", "15", fmt.Sprint(1+m.rand.IntN(40)), fmt.Sprintf("%d.%d", m.rand.IntN(9), 1+m.rand.IntN(9))))
	}
	m.dear = false
	if m.one(25) {
		m.dear = true
		return // nobody stated any, so that it comes last
	}
	for _, meter := range []string{"input_token", "output_token", "cache_read_token"} {
		if meter == "cache_read_token" && m.one(2) || m.one(60) {
			continue
		}
		switch m.rand.IntN(40) {
		case 0:
			entry(meter, `"dynamic":true`, "")
		case 1:
			entry(meter, `"currency":"EUR","per_million":"2"`, "")
		case 2:
			entry(meter, million(), `,"region":"eu-west-1"`)
			entry(meter, million(), "")
		case 3:
			entry(meter, million(), `,"window":{"days":["mon","tue"],"start":"00:00","end":"12:00","utc_offset":"+00:00"}`)
			entry(meter, million(), "")
		case 4:
			entry(meter, million(), `,"valid_from":"2027-01-31"`)
			entry(meter, million(), "")
		case 5:
			entry(meter, million(), `,"service_tier":"batch"`)
			entry(meter, million(), "")
		case 6, 7, 8:
			entry(meter, million(), "")
			entry(meter, million(), `,"above_input_tokens":1500`)
			if m.one(2) {
				entry(meter, million(), `,"above_input_tokens":200000`)
			}
		default:
			entry(meter, million(), "")
		}
	}
	switch m.rand.IntN(30) {
	case 0:
		entry("request", `"usd_per_unit":"0.0001"`, "")
	case 1, 2:
		entry("search_unit", `"usd_per_unit":"0.002"`, "")
	}
	if len(entries) > 0 {
		m.add(`,"price":[`, strings.Join(entries, ","), "]")
	}
}

// A granted is a contract on its way into the index.
type granted struct {
	operation   string
	off, length int
	inputs      []string
	support     string
	seen        string // of a probed contract: the settings that were seen honoured
}

func (m *market) contract(o string) granted {
	g := granted{operation: o, off: len(m.b), inputs: []string{"text"}, support: m.pick("", "declared", "declared", "documented", "documented", "probed")}
	switch o {
	case "text_generation":
		m.text(&g)
	case "embedding":
		m.embedding(&g)
	case "decision_evaluation":
		m.decision(&g)
	case "reranking":
		m.add(`{"protocol":["cohere_rerank"],"input_kinds":["text"],"output_kinds":["scores"],"settings":{"top_n":"supported"},"meters":["`,
			m.pick("input_token", "search_unit"), `"],"uncertainty":"score"`)
	case "moderation":
		m.add(`{"protocol":["openai_moderations"],"input_kinds":["text"],"output_kinds":["categories"],"uncertainty":"score"`)
	}
	switch g.support {
	case "":
	case "probed":
		m.add(`,"evidence":{"support":"probed","probed_on":"2026-11-01","receipt":"r-1"`, g.seen, "}")
	default:
		m.add(`,"evidence":{"support":"`, g.support, `","source":"https://docs.example/models","checked_on":"2026-11-01"}`)
	}
	m.add("}")
	g.length = len(m.b) - g.off
	return g
}

func quoted(words []string) string { return `["` + strings.Join(words, `","`) + `"]` }

func (m *market) text(g *granted) {
	for _, kind := range []string{"image", "audio", "pdf"} {
		if m.one(2) {
			g.inputs = append(g.inputs, kind)
		}
	}
	protocol := `["openai_chat_completions"]`
	switch m.rand.IntN(30) {
	case 0, 1, 2, 3, 4:
		protocol = `["openai_responses"]`
	case 5, 6:
		protocol = `["openai_responses","openai_chat_completions"]`
	case 7:
		protocol = `["bedrock_converse"]` // which no codec speaks
	case 8:
		protocol = `[{"protocol":"openai_responses","when":{"input":["text"]}},"openai_chat_completions"]`
	}
	m.add(`{"protocol":`, protocol, `,"input_kinds":`, quoted(g.inputs), `,"output_kinds":["text"]`)
	switch m.rand.IntN(4) {
	case 0:
		m.add(`,"tools":{"native":false}`)
	case 1, 2:
		m.add(`,"tools":{"native":true}`)
	}
	schema := m.one(2)
	if schema {
		m.add(`,"structured":{"transport":"`, m.pick("native_schema", "native_schema", "tool_schema"), `"}`)
	}
	var settings []string
	option := func(in int, name string, forms ...string) {
		if m.one(in) {
			settings = append(settings, `"`+name+`":`+m.pick(forms...))
		}
	}
	option(1, "max_output_tokens", `"supported"`, `"supported"`, `[{"min":"1","max":"8192","required":true}]`)
	option(2, "effort", `[{"values":["low","medium","high"]}]`, `[{"values":["none","low","max"],"default":"low"}]`, `"refused"`)
	if schema {
		settings = append(settings, `"response_schema":"supported"`)
	}
	option(2, "tool_choice", `"supported"`)
	option(2, "temperature", `"supported"`, `[{"min":"0","max":"1"}]`, `[{"min":"0","max":"2","when":{"effort":["none","unset"]}},{"values":["1"],"when":{"effort":["low","medium","high","max"]}}]`, `"refused"`)
	option(2, "top_p", `"supported"`, `[{"min":"0","max":"1"}]`)
	option(3, "seed", `"supported"`)
	if m.dear {
		settings = append(settings, `"logprobs":"supported"`)
	}
	option(6, "exclusive", `[["temperature","top_p"]]`)
	if n := len(settings); n > 0 && strings.HasPrefix(settings[n-1], `"exclusive"`) {
		if all := strings.Join(settings, " "); !strings.Contains(all, `"temperature":`) || !strings.Contains(all, `"top_p":`) {
			settings = settings[:n-1]
		}
	}
	var seen []string
	for _, s := range settings {
		if name, _, _ := strings.Cut(s, ":"); name != `"exclusive"` && !strings.HasSuffix(s, `"refused"`) && !m.one(6) {
			seen = append(seen, name)
		}
	}
	if seen != nil {
		g.seen = `,"settings":[` + strings.Join(seen, ",") + "]"
	}
	m.add(`,"settings":{`, strings.Join(settings, ","), `},"uncertainty":"none"`)
}

func (m *market) embedding(g *granted) {
	if m.one(4) {
		g.inputs = append(g.inputs, "image")
	}
	m.add(`{"protocol":["openai_embeddings"],"input_kinds":`, quoted(g.inputs), `,"output_kinds":["vector"],"dimensions":`,
		m.pick(`{"default":768}`, `{"default":1024}`, `{"default":1536,"min":1,"max":1536}`, `{"default":1024,"allowed":[256,512,1024]}`, `{"default":3072,"min":128,"max":3072}`))
	if m.one(3) {
		m.add(`,"element_types":["float","int8"]`)
	}
	if m.one(2) {
		m.add(`,"settings":{"dimensions":"supported"}`)
	}
	m.add(`,"uncertainty":"none"`)
}

func (m *market) decision(g *granted) {
	if m.one(2) {
		g.inputs = append(g.inputs, "json")
	}
	kinds := []string{"boolean"}
	for _, kind := range []string{"choice", "score", "box"} {
		if m.one(2) {
			kinds = append(kinds, kind)
		}
	}
	m.add(`{"protocol":["typesafe_system_one"],"input_kinds":`, quoted(g.inputs), `,"output_kinds":["answers"],"question_kinds":`, quoted(kinds),
		`,"evidence_kind":"input_reference"`)
	if m.one(3) {
		m.add(`,"meters":`, m.pick(`["input_token"]`, `["request"]`, `["input_token","output_token"]`))
	}
	m.add(`,"uncertainty":"distribution"`)
}
