package operations_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	"github.com/opcat/opcat/catalog"
	"github.com/opcat/opcat/operations"
	"github.com/opcat/opcat/operations/op"
	"github.com/opcat/opcat/operations/price"
	"github.com/opcat/opcat/operations/textgen"
	"github.com/opcat/opcat/shape"
)

// recheck judges anew, slowly and from the decoded row alone, what was admitted:
// "" if the contract promises all of it.
func recheck(row catalog.Row, o *op.Operation, protocol string, n *op.Needs) string {
	c, ok := row.Contract(o.Name)
	if !ok {
		return "there is no contract"
	}
	for _, kind := range n.Inputs {
		if !slices.Contains(c.InputKinds, kind) {
			return kind + " goes in"
		}
	}
	i := slices.IndexFunc(o.Protocols, func(p op.Protocol) bool { return p.Name == protocol })
	if i < 0 || !o.Protocols[i].Codec {
		return "no codec for " + protocol
	}
	facts := map[string]string{"protocol": protocol, "tools": "none", "structured": "none", "api_version": c.APIVersion}
	if n.Tools {
		facts["tools"] = "present"
	}
	if n.Structured {
		facts["structured"] = "schema"
	}
	for _, s := range n.Settings {
		facts[s.Name] = s.Value.String()
	}
	for _, s := range n.Settings {
		said, ok := c.Settings.Setting(s.Name)
		switch {
		case !ok || said.Word == "refused":
			return s.Name + " is unknown or refused"
		case !slices.Contains(o.Protocols[i].Carries, s.Name):
			return s.Name + " has no place on the wire"
		case said.Word == "supported":
		case !slices.ContainsFunc(said.Rules, func(r catalog.SettingRule) bool { return within(r, s.Value.String()) && meets(c, r.When, facts, n) }):
			return fmt.Sprintf("%s is not to be %s", s.Name, s.Value)
		}
	}
	if c.Settings == nil {
		return ""
	}
	for _, group := range c.Settings.Exclusive {
		together := 0
		for _, s := range n.Settings {
			if slices.Contains(group, s.Name) {
				together++
			}
		}
		if together > 1 {
			return fmt.Sprintf("%v meet", group)
		}
	}
	for _, said := range c.Settings.Named {
		for _, r := range said.Rules {
			if _, given := facts[said.Name]; r.Required.Or(false) && !given && meets(c, r.When, facts, n) {
				return said.Name + " is left out"
			}
		}
	}
	return ""
}

// within compares by binary floats, which is good enough for the values that the
// test makes.
func within(r catalog.SettingRule, value string) bool {
	if r.Values != nil && !slices.ContainsFunc(r.Values, func(v catalog.Value) bool { return v.String() == value }) {
		return false
	}
	v, _ := strconv.ParseFloat(value, 64)
	low, errLow := strconv.ParseFloat(string(r.Min), 64)
	high, errHigh := strconv.ParseFloat(string(r.Max), 64)
	return (errLow != nil || v >= low) && (errHigh != nil || v <= high)
}

func meets(c catalog.Contract, when catalog.Condition, facts map[string]string, n *op.Needs) bool {
	for _, clause := range when {
		is := func(s string) bool {
			return slices.ContainsFunc(clause.Values, func(v catalog.Value) bool { return v.String() == s })
		}
		if clause.Name == "input" {
			if slices.ContainsFunc(n.Inputs, func(kind string) bool { return !is(kind) }) {
				return false
			}
			continue
		}
		value, given := facts[clause.Name]
		if !given {
			value = defaultOf(c, clause.Name, facts, n)
		}
		if !is(value) {
			return false
		}
	}
	return true
}

func defaultOf(c catalog.Contract, name string, facts map[string]string, n *op.Needs) string {
	said, _ := c.Settings.Setting(name)
	for _, r := range said.Rules {
		if !r.Default.IsZero() && meets(c, r.When, facts, n) {
			return r.Default.String()
		}
	}
	return "unset"
}

// a random setting of the registry, sometimes beyond what anybody takes.
func randomSettings(r *rand.Rand) (s textgen.Settings, schema, tools bool) {
	often := func() bool { return r.IntN(16) == 0 }
	pick := func(words []string) string { return words[r.IntN(len(words))] }
	number := func() catalog.Decimal {
		return []catalog.Decimal{"0", "0.1", "0.5", "1", "1.5", "2", "-1"}[r.IntN(7)]
	}
	word := func(name string) string {
		i := slices.IndexFunc(textgen.Operation.Settings, func(s op.Setting) bool { return s.Name == name && s.Kind == shape.Enum })
		return pick(textgen.Operation.Settings[i].Values)
	}
	for _, set := range []func(){
		func() { s.Effort = word("effort") }, func() { s.Thinking = word("thinking") }, func() { s.ServiceTier = word("service_tier") },
		func() { s.Verbosity = word("verbosity") }, func() { s.Temperature = number() }, func() { s.TopP = number() },
		func() { s.MinP = number() }, func() { s.FrequencyPenalty = number() }, func() { s.PresencePenalty = number() },
		func() { s.RepetitionPenalty = number() }, func() { s.TopK = count(r.Int64N(100)) }, func() { s.Seed = count(r.Int64N(9)) },
		func() { s.Stop = []string{"x"} }, func() { s.Logprobs = count(r.Int64N(21)) }, func() { s.MaxOutputTokens = count(1 + r.Int64N(300000)) },
		func() { s.PromptCacheTTL = word("prompt_cache_ttl") }, func() { s.Cache = catalog.Known(true) },
		func() { schema = true }, func() { tools = true },
	} {
		if often() {
			set()
		}
	}
	if tools && often() {
		s.ToolChoice = pick([]string{"auto", "none", "required", "any"})
	}
	return s, schema, tools
}

// Whatever is admitted, each setting of it is one that the contract promises, and
// no usage within its bounds costs more than the bound.
func TestWhatIsAdmittedIsPromised(t *testing.T) {
	c := bundled(t)
	r := rand.New(rand.NewPCG(4, 3))
	var rows []catalog.Row
	for row := range c.Rows() {
		if _, ok := row.Contract("text_generation"); ok {
			rows = append(rows, row)
		}
	}
	admissions, refused := 0, map[operations.Code]int{}
	for range 30000 {
		row := rows[r.IntN(len(rows))]
		q := chat("hi")
		var schema, withTools bool
		q.Settings, schema, withTools = randomSettings(r)
		if schema {
			q.ResponseSchema = &textgen.ResponseSchema{Name: "a", Schema: `{}`}
		}
		if withTools {
			tools("f")(&q)
		}
		if r.IntN(8) == 0 {
			q.Messages[0].Parts = append(q.Messages[0].Parts, picture)
		}
		q.InputTokens = count(r.Int64N(400000))
		terms := fitting(c, row)
		if r.IntN(2) == 0 {
			terms.MaxUSD = "5"
		}
		a, err := operations.Admit(c, row.ID, q, terms)
		if err != nil {
			refused[refusedCode(t, err)]++
			continue
		}
		admissions++
		var n op.Needs
		if err := a.Request().Needs(&n); err != nil {
			t.Fatal(err)
		}
		n.Settings = a.Settings()
		if why := recheck(row, &textgen.Operation, a.Protocol(), &n); why != "" {
			t.Fatalf("%s by %s with %v: %s", row.ID, a.Protocol(), n.Settings, why)
		}
		if l := row.Limits; l != nil && q.InputTokens.Or(0)+a.OutputMost().Or(0) > l.ContextTokens.Or(1<<62) {
			t.Fatalf("%s: %v tokens and %v more do not fit", row.ID, q.InputTokens, a.OutputMost())
		}
		costsNoMore(t, r, a)
	}
	t.Logf("%d admitted, refused: %v", admissions, refused)
	if admissions < 3000 || len(refused) < 5 {
		t.Errorf("%d of 30000 were admitted, refused were %v: the test tries too little", admissions, refused)
	}
}

func refusedCode(t *testing.T, err error) operations.Code {
	t.Helper()
	return refused(t, err).Code
}

// costsNoMore prices random usage that an admission allows.
func costsNoMore(t *testing.T, r *rand.Rand, a operations.Admitted[textgen.Request]) {
	t.Helper()
	bound, asked := a.PriceBound()
	if !asked {
		return
	}
	in, out := a.Request().InputTokens.Or(0), a.OutputMost().Or(0)
	cached := r.Int64N(in + 1)
	used := r.Int64N(out + 1)
	u := price.Usage{}
	u.Add("input_token", in-cached)
	u.Add("cache_read_token", cached)
	u.Add("output_token", used)
	call := a.Call()
	if cost, ok := a.Prices().Total(&u, &call); ok && cost.Cmp(bound) > 0 {
		t.Fatalf("%s: %d in, %d cached, %d out cost %s, and the bound is %s", a.RowID(), in, cached, used, cost.Decimal(), bound.Decimal())
	}
}
