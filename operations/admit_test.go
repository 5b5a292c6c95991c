package operations_test

import (
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/opcat/opcat/catalog"
	"github.com/opcat/opcat/internal/lent"
	"github.com/opcat/opcat/operations"
	"github.com/opcat/opcat/operations/decision"
	"github.com/opcat/opcat/operations/embedding"
	"github.com/opcat/opcat/operations/op"
	"github.com/opcat/opcat/operations/textgen"
)

func count(n int64) catalog.Opt[int64] { return catalog.Known(n) }

// settings are the admitted options as "name=value".
func settings[R op.Request[R]](a operations.Admitted[R]) string {
	var all []string
	for _, s := range a.Settings() {
		all = append(all, s.Name+"="+s.Value.String())
	}
	return strings.Join(all, " ")
}

// C02: the operation picks endpoint and encoding, and the answer says what was
// asked for and which row that is.
func TestSelectorAndItsRow(t *testing.T) {
	a := admitted(t, plain(), "judge", judge("It rains."), operations.Terms{})
	if a.Protocol() != "typesafe_system_one" || a.URL() != "https://api.acme.example/v1/systemone" {
		t.Errorf("got %s at %s", a.Protocol(), a.URL())
	}
	if got := a.Chain(); !slices.Equal(got, []string{"judge", "acme/judge-latest", "acme/judge-1.13.0"}) {
		t.Errorf("chain %q", got)
	}
	b := admitted(t, plain(), "gate/acme/judge-1.13", judge("It rains."), operations.Terms{})
	if b.Protocol() != "openrouter_decisions" {
		t.Errorf("the gateway speaks %s", b.Protocol())
	}
	c := admitted(t, plain(), "text_generation:tiny", chat("hi"), operations.Terms{})
	if got := c.Chain(); !slices.Equal(got, []string{"text_generation:tiny", "small", "acme/chat-a"}) {
		t.Errorf("chain %q", got)
	}
}

// C04: the output cap is what the row writes and its context has room for.
func TestOutputCap(t *testing.T) {
	sized := func(input, cap int64, lower bool) textgen.Request {
		return asking(func(r *textgen.Request) {
			r.InputTokens, r.LowerCap = count(input), lower
			if cap > 0 {
				r.Settings.MaxOutputTokens = count(cap)
			}
		})
	}
	bound := operations.Terms{MaxUSD: "100"}
	for _, x := range []struct {
		name, route string
		request     textgen.Request
		terms       operations.Terms
		most        int64 // what can come
		sent        string
	}{
		{"A", "acme/chat-a", sized(73470, 0, false), operations.Terms{}, 126530, ""},
		{"A, with a bound that rests on it", "acme/chat-a", sized(73470, 0, false), bound, 126530, "max_output_tokens=126530"},
		{"B", "acme/chat-b", sized(113361, 0, false), operations.Terms{}, 935215, ""},
		{"C, lowered", "acme/chat-a", sized(73470, 131072, true), operations.Terms{}, 126530, "max_output_tokens=126530"},
		{"a cap that fits", "acme/chat-a", sized(73470, 500, true), operations.Terms{}, 500, "max_output_tokens=500"},
		{"a cap that must be given", "acme/capped", asking(func(r *textgen.Request) { r.Settings.Verbosity = "low" }), operations.Terms{}, 32000,
			"max_output_tokens=32000 verbosity=low"},
		{"no cap can be sent", "acme/endless", sized(10, 0, false), operations.Terms{}, 0, ""},
	} {
		t.Run(x.name, func(t *testing.T) {
			a := admitted(t, plain(), x.route, x.request, x.terms)
			if got := a.OutputMost(); got.Or(0) != x.most || got.IsKnown() != (x.most > 0) {
				t.Errorf("at most %v come, want %d", got, x.most)
			}
			if got := settings(a); got != x.sent {
				t.Errorf("sent %q, want %q", got, x.sent)
			}
			if got := a.OutputCap(); got.IsKnown() != strings.Contains(x.sent, "max_output_tokens") {
				t.Errorf("cap %v and settings %q", got, x.sent)
			}
		})
	}
}

// C07 and C08: what a route takes passes as it was asked for.
func TestSettingsAreHonouredExactly(t *testing.T) {
	for _, x := range []struct {
		name, route, want string
		settings          textgen.Settings
	}{
		{"C07: max where it is one of the set", "acme/sonnet-4-6", "effort=max", textgen.Settings{Effort: "max"}},
		{"C07: and on another row", "acme/glm-5-3", "effort=max", textgen.Settings{Effort: "max"}},
		{"C08: temperature alone", "acme/careful", "temperature=0.2", textgen.Settings{Temperature: "0.2"}},
		{"C08: thinking at one", "acme/careful", "thinking=enabled temperature=1", textgen.Settings{Thinking: "enabled", Temperature: "1"}},
		{"a condition that is met", "acme/careful", "effort=none frequency_penalty=1", textgen.Settings{Effort: "none", FrequencyPenalty: "1"}},
		{"a condition about no schema", "acme/careful", "seed=7", textgen.Settings{Seed: count(7)}},
		{"nothing", "acme/careful", "", textgen.Settings{}},
	} {
		t.Run(x.name, func(t *testing.T) {
			r := chat("hi")
			r.Settings = x.settings
			if got := settings(admitted(t, plain(), x.route, r, operations.Terms{})); got != x.want {
				t.Errorf("honoured %q, want %q", got, x.want)
			}
		})
	}
}

// The first wire that takes the request serves.
func TestFirstWireThatFits(t *testing.T) {
	for _, x := range []struct {
		name string
		r    textgen.Request
		want string
	}{
		{"the first", chat("hi"), "openai_responses"},
		{"tools: the second has a condition", asking(tools("f")), "openai_responses"},
		{"the first has no place for stop", with(func(s *textgen.Settings) { s.Stop = []string{"x"} }), "openai_chat_completions"},
		{"a setting of the second wire", with(func(s *textgen.Settings) { s.Seed = count(1) }), "openai_chat_completions"},
	} {
		t.Run(x.name, func(t *testing.T) {
			if got := admitted(t, plain(), "acme/two-wires", x.r, operations.Terms{}).Protocol(); got != x.want {
				t.Errorf("%s serves, want %s", got, x.want)
			}
		})
	}
	if got := admitted(t, plain(), "acme/two-wires", chat("hi"), operations.Terms{Protocol: "openai_chat_completions"}).Protocol(); got != "openai_chat_completions" {
		t.Errorf("%s serves, and another was asked for", got)
	}
}

// C20: a region decides the dialled id, the address and the price.
func TestRegions(t *testing.T) {
	r := asking(func(r *textgen.Request) { r.InputTokens, r.Settings.MaxOutputTokens = count(100000), count(8000) })
	for _, x := range []struct{ region, model, url, usd string }{
		{"us-east-1", "nemotron-super", "https://runtime.us-east-1.rock.example/v1/chat/completions", "0.0202"},
		{"eu-west-2", "nemotron-super", "https://runtime.eu-west-2.rock.example/v1/chat/completions", "0.03108"},
		{"us-gov-west-1", "us-gov.nemotron-super", "https://runtime.us-gov-west-1.rock.example/v1/chat/completions", ""},
	} {
		terms := operations.Terms{Region: x.region}
		if x.usd != "" {
			terms.MaxUSD = "1"
		}
		a := admitted(t, plain(), "rock/nemotron-super", r, terms)
		worst, asked := a.PriceBound()
		if a.WireModel() != x.model || a.URL() != x.url || a.Region() != x.region || asked && string(worst.Decimal()) != x.usd {
			t.Errorf("%s: %s at %s in %q for %s", x.region, a.WireModel(), a.URL(), a.Region(), worst.Decimal())
		}
		if origins := a.Credential().Origins; !slices.Equal(origins, []string{"https://runtime." + x.region + ".rock.example"}) {
			t.Errorf("%s: the credential may go to %q", x.region, origins)
		}
	}
	a := admitted(t, plain(), "rock/nemotron-super", r, operations.Terms{Variables: map[string]string{"region": "ap-south-1"}})
	if a.Region() != "ap-south-1" || !strings.Contains(a.URL(), "ap-south-1") {
		t.Errorf("the variable's region: %q at %s", a.Region(), a.URL())
	}
}

// Holes are filled, and nothing that fills one can change where it leads.
func TestEndpointHoles(t *testing.T) {
	terms := operations.Terms{Variables: map[string]string{"resource": "mine-2"}}
	a := admitted(t, plain(), "cloud/org/chat:2", chat("hi"), terms)
	if want := "https://mine-2.cloud.example/models/org%2Fchat%3A2/chat"; a.URL() != want {
		t.Errorf("got %s, want %s", a.URL(), want)
	}
	if c := a.Credential(); !slices.Contains(c.Origins, "https://mine-2.cloud.example") || c.Header != "api-key" || !slices.Equal(c.Env, []string{"CLOUD_KEY"}) {
		t.Errorf("credential %+v", c)
	}
	terms.Region = "eu"
	if b := admitted(t, plain(), "cloud/org/chat:2", chat("hi"), terms); b.URL() != "https://eu.cloud.example/models/org%2Fchat%3A2/chat" {
		t.Errorf("in a region of the endpoint: %s", b.URL())
	}
	for _, bad := range []string{"evil.example/", "a.b", "a@b", "a:1", "", "-a", "a/../b", "ä", "a b", "%2f", strings.Repeat("a", 64)} {
		_, err := operations.Admit(plain(), "cloud/org/chat:2", chat("hi"), operations.Terms{Variables: map[string]string{"resource": bad}})
		if err == nil {
			t.Errorf("%q filled a part of the host", bad)
		}
	}
}

// C26: until its end a row serves, and old dates stay answerable.
func TestLifecycleIsJudgedAtTheDate(t *testing.T) {
	for _, at := range []string{"2026-11-30", "2027-08-06", "2027-08-07T08:59:59Z"} {
		admitted(t, plain(), "acme/old", chat("hi"), operations.Terms{At: day(at)})
	}
}

// The worst case is exact, and a bound equal to it holds.
func TestPriceBound(t *testing.T) {
	for _, x := range []struct {
		name string
		ask  func(usd catalog.Decimal) (catalog.Decimal, error)
		want catalog.Decimal
	}{
		{"counted chat: 1000 x 3 + 500 x 15", func(usd catalog.Decimal) (catalog.Decimal, error) {
			r := asking(func(r *textgen.Request) { r.InputTokens, r.Settings.MaxOutputTokens = count(1000), count(500) })
			return worst(operations.Admit(plain(), "acme/chat-a", r, operations.Terms{MaxUSD: usd}))
		}, "0.0105"},
		{"C39: 8192 tokens in, output stated free", func(usd catalog.Decimal) (catalog.Decimal, error) {
			r := judging(func(r *decision.Request) { r.InputTokens = count(1000) })
			return worst(operations.Admit(plain(), "acme/judge-1.13.0", r, operations.Terms{MaxUSD: usd}))
		}, "0.000042"},
		{"an embedding", func(usd catalog.Decimal) (catalog.Decimal, error) {
			r := embed("a", "b")
			r.InputTokens = count(8192)
			return worst(operations.Admit(plain(), "acme/embed-1", r, operations.Terms{MaxUSD: usd}))
		}, "0.00016384"},
		{"150 short documents: two search units", func(usd catalog.Decimal) (catalog.Decimal, error) {
			return worst(operations.Admit(plain(), "acme/rank-1", rank("q", slices.Repeat([]string{"d"}, 150)...), operations.Terms{MaxUSD: usd}))
		}, "0.004"},
		{"free of charge", func(usd catalog.Decimal) (catalog.Decimal, error) {
			return worst(operations.Admit(plain(), "acme/moderate-1", moderate("a"), operations.Terms{MaxUSD: "0"}))
		}, "0"},
	} {
		t.Run(x.name, func(t *testing.T) {
			got, err := x.ask(x.want)
			if err != nil || got != x.want {
				t.Errorf("got %s, %v; want %s", got, err, x.want)
			}
		})
	}
}

func worst[R op.Request[R]](a operations.Admitted[R], err error) (catalog.Decimal, error) {
	w, _ := a.PriceBound()
	return w.Decimal(), err
}

// A document that is longer than what a search unit allows counts as several.
func TestSearchUnitsOfLongDocuments(t *testing.T) {
	r := rank("q", slices.Repeat([]string{strings.Repeat("x", 900)}, 60)...)
	w, err := worst(operations.Admit(plain(), "acme/rank-1", r, operations.Terms{MaxUSD: "1"}))
	if err != nil || w != "0.004" { // 60 documents of at most 932 tokens with a query of 33: at most 180 pieces
		t.Errorf("got %s, %v", w, err)
	}
}

// Nothing that a caller does to a request afterwards reaches what was admitted.
func TestAdmittedNeverChanges(t *testing.T) {
	r := chat("before")
	r.Messages[0].Parts = append(r.Messages[0].Parts, textgen.Part{Kind: "text", Text: "too"})
	r.Messages = append(r.Messages,
		textgen.Message{Role: "assistant", ToolCalls: []textgen.ToolCall{{ID: "c", Name: "f", Arguments: `{}`}}},
		textgen.Message{Role: "tool", ToolCallID: "c", Parts: []textgen.Part{{Kind: "text", Text: "result"}}})
	tools("f")(&r)
	r.ResponseSchema = &textgen.ResponseSchema{Name: "answer", Schema: `{}`}
	r.Settings = textgen.Settings{Temperature: "0.5", Stop: []string{"end"}, MaxOutputTokens: count(10)}
	a := admitted(t, plain(), "acme/chat-a", r, operations.Terms{})
	want, honoured := a.Request(), settings(a)

	r.Messages[0].Parts[0].Text = "after"
	r.Messages[1].ToolCalls[0].Name = "g"
	r.Messages[2].Role = "user"
	r.Tools[0].Name = "g"
	r.ResponseSchema.Name = "other"
	r.Settings.Stop[0] = "never"
	copy := a.Request()
	copy.Messages[0].Parts[0].Text = "after"
	copy.Messages[1].ToolCalls[0].Name = "g"
	copy.Tools[0].Name = "g"
	copy.ResponseSchema.Name = "other"
	copy.Settings.Stop[0] = "never"
	a.Lent(lent.Pass{}).Messages[0].Parts[0].Text = "after" // no valid pass, so a copy
	a.Settings()[0].Value = catalog.TextValue("9")
	a.Credential().Origins[0] = "https://evil.example"
	a.Credential().Env[0] = "OTHER"

	got := a.Request()
	if p, c := got.Messages[0].Parts[0].Text, got.Messages[1].ToolCalls[0].Name; p != "before" || c != "f" {
		t.Errorf("the first message now says %q, and the call is of %q", p, c)
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("the request is now %+v, and was %+v", got, want)
	}
	if got := settings(a); got != honoured {
		t.Errorf("the settings are now %q, and were %q", got, honoured)
	}
	if c := a.Credential(); c.Origins[0] != "https://api.acme.example" || c.Env[0] != "ACME_KEY" {
		t.Errorf("the credential is now %+v", c)
	}

	d := judge("before")
	d.Questions[0] = decision.Question{ID: "q", Kind: "choice", Instructions: "which?", Options: []decision.Option{{Label: "a"}, {Label: "b"}}}
	b := admitted(t, plain(), "acme/judge-1.13.0", d, operations.Terms{})
	d.State[0].Text, d.Questions[0].Options[0].Label = "after", "z"
	if got := b.Request(); got.State[0].Text != "before" || got.Questions[0].Options[0].Label != "a" {
		t.Errorf("the decision is now %+v", got)
	}
	e := embed("before")
	c := admitted(t, plain(), "acme/embed-1", e, operations.Terms{})
	e.Items[0].Text = "after"
	if c.Request().Items[0].Text != "before" {
		t.Error("the item changed")
	}
}

// What Admit did not make is nothing, and says so without a panic.
func TestZeroIsRefused(t *testing.T) {
	var a operations.Admitted[embedding.Request]
	if !a.IsZero() || admitted(t, plain(), "acme/embed-1", embed("a"), operations.Terms{}).IsZero() {
		t.Error("the zero value is admitted, or what was admitted is zero")
	}
	v := reflect.ValueOf(a)
	for i := range v.NumMethod() {
		var none []reflect.Value
		for k := range v.Method(i).Type().NumIn() {
			none = append(none, reflect.Zero(v.Method(i).Type().In(k)))
		}
		v.Method(i).Call(none)
	}
	if _, ok := a.PriceBound(); ok || a.URL() != "" || a.Digest() != "" || a.RowID() != "" {
		t.Error("the zero value says something")
	}
}

// An admission says what admitted it.
func TestAdmissionNamesItsGround(t *testing.T) {
	a := admitted(t, plain(), "acme/judge-1.13.0", judge("hi"), operations.Terms{})
	if a.Digest() != plain().Digest() || !strings.HasPrefix(a.ContractDigest(), "sha256:") || a.At() != plain().AsOf() {
		t.Errorf("%s %s %v", a.Digest(), a.ContractDigest(), a.At())
	}
	other := admitted(t, plain(), "acme/judge-plain", judge("hi"), operations.Terms{})
	if other.ContractDigest() == a.ContractDigest() {
		t.Error("two contracts have one digest")
	}
	if a.Contract().DecisionEvaluation.EvidenceKind != "input_reference" || a.Provider().ID != "acme" || a.Row().ID != a.RowID() {
		t.Error("the contract, provider or row is another")
	}
}

// Terms that are none are an error, not a refusal.
func TestTermsThatAreNone(t *testing.T) {
	for _, terms := range []operations.Terms{{MaxUSD: "-1"}, {MaxUSD: "NaN"}, {MaxUSD: "1e9"}, {Support: "sworn"}, {Retention: "never"}, {MaxAge: count(-1)}} {
		if _, err := operations.Admit(plain(), "acme/chat-a", chat("hi"), terms); err == nil || !strings.Contains(err.Error(), "terms: ") {
			t.Errorf("%+v: %v", terms, err)
		}
	}
}

// A catalog from elsewhere may name any endpoint: the credential still goes to its
// own origins alone, and nothing goes out in the clear.
func TestForeignCatalogMovesNoCredential(t *testing.T) {
	const own = "https://api.acme.example/v1/chat/completions"
	for _, url := range []string{
		"https://evil.example/v1/chat/completions",
		"https://api.acme.example:8443/v1/chat/completions",
		"https://api.acme.example@evil.example/v1/chat/completions",
		"http://api.acme.example/v1/chat/completions",
		"http://10.0.0.9:8080/v1/chat/completions",
	} {
		c, err := catalog.Open([]byte(strings.ReplaceAll(plain().JSON(), own, url)))
		if err != nil {
			t.Fatal(err)
		}
		a, err := operations.Admit(c, "acme/chat-a", chat("hi"), operations.Terms{})
		if err == nil {
			t.Errorf("the credential of %v goes to %s", a.Credential().Env, a.URL())
			continue
		}
		if r := refused(t, err); r.Code != operations.OriginDenied {
			t.Errorf("%s: %v", url, r)
		}
	}
	for _, url := range []string{"https://API.acme.example/v1/chat/completions", "https://api.acme.example:443/v1/chat/completions"} {
		c, err := catalog.Open([]byte(strings.ReplaceAll(plain().JSON(), own, url)))
		if err != nil {
			t.Fatal(err)
		}
		admitted(t, c, "acme/chat-a", chat("hi"), operations.Terms{})
	}
}

// What is needed to judge a request is used again for the next one; a refusal keeps its
// own words, and an admission its settings.
func TestWordsOutliveTheJudging(t *testing.T) {
	c := plain()
	ask := func(n int64) textgen.Request {
		return with(func(s *textgen.Settings) { s.MaxOutputTokens = count(n) })
	}
	admitted, err := operations.Admit(c, "small", ask(77), operations.Terms{})
	if err != nil {
		t.Fatal(err)
	}
	_, err = operations.Admit(c, "small", with(func(s *textgen.Settings) { s.TopK = count(987654321) }), operations.Terms{})
	refused, ok := errors.AsType[*operations.Refusal](err)
	if !ok || refused.Got != "987654321" {
		t.Fatalf("%v, want a refusal of the setting", err)
	}
	for n := range int64(1000) {
		_, _ = operations.Admit(c, "small", ask(1000+n), operations.Terms{})
	}
	if refused.Got != "987654321" {
		t.Errorf("the refusal says %q now", refused.Got)
	}
	if s := admitted.Settings(); len(s) != 1 || s[0].Value.String() != "77" {
		t.Errorf("settings %v", s)
	}
}
