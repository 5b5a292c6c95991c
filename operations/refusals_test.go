package operations_test

import (
	"strings"
	"testing"
	"time"

	"github.com/opcat/opcat/catalog"
	"github.com/opcat/opcat/operations"
	"github.com/opcat/opcat/operations/decision"
	"github.com/opcat/opcat/operations/embedding"
	"github.com/opcat/opcat/operations/op"
	"github.com/opcat/opcat/operations/textgen"
)

// A try is one admission that must end in a refusal.
type try struct {
	name string
	ask  func() error
	code operations.Code
	says []string // parts of the message and the help
}

// on admits a request by a route of the plain catalog.
func on[R op.Request[R]](route string, request R, terms ...operations.Terms) func() error {
	return in(plain, route, request, terms...)
}

func in[R op.Request[R]](c func() *catalog.Catalog, route string, request R, terms ...operations.Terms) func() error {
	return func() error {
		t := operations.Terms{}
		if len(terms) > 0 {
			t = terms[0]
		}
		_, err := operations.Admit(c(), route, request, t)
		return err
	}
}

// asking changes the smallest chat.
func asking(change func(*textgen.Request)) textgen.Request {
	r := chat("hi")
	change(&r)
	return r
}

func with(change func(*textgen.Settings)) textgen.Request {
	return asking(func(r *textgen.Request) { change(&r.Settings) })
}

func judging(change func(*decision.Request)) decision.Request {
	r := judge("hi")
	change(&r)
	return r
}

func embedding1(change func(*embedding.Settings)) embedding.Request {
	r := embed("hi")
	change(&r.Settings)
	return r
}

func day(s string) time.Time {
	t, err := catalog.ParseDate(s)
	if err != nil {
		panic(err)
	}
	return t
}

const image = "iVBORw0KGgo="

var picture = textgen.Part{Kind: "image", MediaType: "image/png", Data: image}

func pictures(n int) textgen.Request {
	return asking(func(r *textgen.Request) {
		for range n {
			r.Messages[0].Parts = append(r.Messages[0].Parts, picture)
		}
	})
}

func tools(names ...string) func(*textgen.Request) {
	return func(r *textgen.Request) {
		for _, n := range names {
			r.Tools = append(r.Tools, textgen.Tool{Name: n, Parameters: `{"type":"object"}`})
		}
	}
}

// thinking is a chat with a turn that a model thought for.
func thinking(route, protocol string, change ...func(*textgen.Thought)) textgen.Request {
	data := map[string]catalog.JSON{
		"anthropic_messages":      `{"type":"thinking","thinking":"","signature":"c2ln"}`,
		"gemini_generate_content": `{"thoughtSignature":"c2ln"}`,
		"openai_chat_completions": `{"reasoning_content":"so"}`,
	}
	t := textgen.Thought{Route: route, Protocol: protocol, Data: data[protocol]}
	for _, f := range change {
		f(&t)
	}
	return asking(func(r *textgen.Request) {
		r.Messages = append(r.Messages, textgen.Message{Role: "assistant", Parts: text("hello"), Thoughts: []textgen.Thought{t}}, r.Messages[0])
	})
}

// answered is what a tool gave to the first call.
var answered = textgen.Message{Role: "tool", ToolCallID: "0", Parts: text("done")}

var refusals = []try{
	// UNKNOWN_ROUTE
	{"an unserved sibling id", on("acme/chat-c", chat("hi")), operations.UnknownRoute,
		[]string{`no row "acme/chat-c"`, `did you mean "acme/chat-a"?`}},
	{"a sibling of a selector", on("acme/judge-1.14.0", judge("hi")), operations.UnknownRoute, []string{`did you mean "acme/judge-1.13.0"?`}},
	{"an unknown provider", on("acmee/chat-a", chat("hi")), operations.UnknownRoute, []string{`no provider "acmee"`, `did you mean "acme"?`}},
	{"a removed row", in(overlaid, "acme/glm-5-3", chat("hi")), operations.UnknownRoute, []string{"was removed", "not for us"}},
	{"an unknown alias", on("smal", chat("hi")), operations.UnknownRoute, []string{`no alias "smal"`, `did you mean "small"?`}},
	{"an empty route", on("", chat("hi")), operations.UnknownRoute, []string{`no alias ""`}},

	// UNKNOWN_OPERATION
	{"an operation that is none", on("chat:acme/chat-a", chat("hi")), operations.UnknownOperation, []string{`"chat", which is no operation`}},

	// OPERATION_UNSUPPORTED
	{"C02: a decision-only row as a chat driver", on("acme/judge-1.13.0", chat("hi")), operations.OperationUnsupported,
		[]string{"no contract for text_generation", "it serves decision_evaluation"}},
	{"C02: by its alias", on("judge", chat("hi")), operations.OperationUnsupported, []string{`alias "judge" stands for no row of text_generation`}},
	{"a chat row asked for vectors", on("acme/chat-a", embed("hi")), operations.OperationUnsupported, []string{"it serves text_generation"}},
	{"a decision row beneath a gateway's wildcard", on("gate/acme/judge-1.13", chat("hi")), operations.OperationUnsupported, []string{"it serves decision_evaluation"}},
	{"no specific rule beneath a gateway's wildcard", on("gate/acme/unnamed", chat("hi")), operations.OperationUnsupported, []string{"listed as text_generation"}},
	{"an operation that an overlay took away", in(overlaid, "acme/gpt-5.5", chat("hi")), operations.OperationUnsupported,
		[]string{"the user layer took text_generation away"}},
	{"a job that is no operation", on("acme/speech", chat("hi")), operations.OperationUnsupported, []string{"listed as speech"}},
	{"a route of another operation", on("embedding:acme/embed-1", chat("hi")), operations.OperationUnsupported, []string{"the route is for embedding"}},

	// ROUTE_ENDED
	{"C26: past its end", on("acme/old", chat("hi"), operations.Terms{At: day("2027-08-08")}), operations.RouteEnded,
		[]string{"past its end, 2027-08-07T09:00:00Z", "successor is acme/old-0731"}},
	{"C26: at the very end", on("acme/old", chat("hi"), operations.Terms{At: day("2027-08-07T09:00:00Z")}), operations.RouteEnded, nil},

	// SNAPSHOT_EXPIRED
	{"an old catalog", on("acme/chat-a", chat("hi"), operations.Terms{At: day("2026-12-02"), MaxAge: catalog.Known(int64(86400))}), operations.SnapshotExpired,
		[]string{"2026-11-30", "48h0m0s"}},

	// CONSTRAINT_UNMET
	{"another provider", on("acme/chat-a", chat("hi"), operations.Terms{Providers: []string{"cloud"}}), operations.ConstraintUnmet, []string{`the provider "acme"`, "cloud"}},
	{"weaker evidence", on("acme/sonnet-4-6", chat("hi"), operations.Terms{Support: "documented"}), operations.ConstraintUnmet, []string{"only declared"}},
	{"training that nobody spoke of", on("gate/acme/chat-a", chat("hi"), operations.Terms{NoTraining: true}), operations.ConstraintUnmet, []string{`training "does_not_train"`, "nobody stated"}},
	{"retention", on("acme/chat-a", chat("hi"), operations.Terms{Retention: "not_retained"}), operations.ConstraintUnmet, []string{"abuse_monitoring_only"}},
	{"C20: a region that the row does not list", on("rock/nemotron-super", chat("hi"), operations.Terms{Region: "sa-east-1"}), operations.ConstraintUnmet,
		[]string{`"sa-east-1"`, "us-gov-west-1"}},
	{"C20: only through a profile", on("rock/profile-only", chat("hi")), operations.ConstraintUnmet, []string{"a region must be named", "us-east-1"}},
	{"a region that no endpoint has", on("acme/chat-a", chat("hi"), operations.Terms{Region: "mars"}), operations.ConstraintUnmet, []string{"no endpoint for it"}},
	{"a setting that was not seen honoured", on("acme/two-wires", with(func(s *textgen.Settings) { s.Stop = []string{"x"} }), operations.Terms{Support: "probed"}),
		operations.ConstraintUnmet, []string{"stop"}},

	// NO_PROTOCOL
	{"no codec", on("here/completer", chat("hi")), operations.NoProtocol, []string{"no codec speaks openai_completions"}},
	{"a protocol that the contract does not name", on("acme/chat-a", chat("hi"), operations.Terms{Protocol: "ollama_chat"}), operations.NoProtocol,
		[]string{"openai_chat_completions"}},
	{"a hole that nothing fills", on("cloud/org/chat:2", chat("hi")), operations.NoProtocol, []string{"{resource}", "CLOUD_RESOURCE"}},

	// ORIGIN_DENIED
	{"a variable that is another host", on("cloud/org/chat:2", chat("hi"), operations.Terms{Variables: map[string]string{"resource": "evil.example/"}}),
		operations.OriginDenied, []string{`"evil.example/"`}},

	// UNSUPPORTED_OPTIONS
	{"C07: an effort between two", on("acme/sonnet-4-6", with(func(s *textgen.Settings) { s.Effort = "xhigh" })), operations.UnsupportedOptions,
		[]string{`refuses effort "xhigh"`, "low, medium, high, max"}},
	{"C07: an effort above", on("acme/gpt-5.5", with(func(s *textgen.Settings) { s.Effort = "max" })), operations.UnsupportedOptions, []string{"low, medium, high, xhigh"}},
	{"C07: an effort that a neighbour has", on("acme/glm-5-3", with(func(s *textgen.Settings) { s.Effort = "medium" })), operations.UnsupportedOptions, []string{"low, high, max"}},
	{"the thoughts of another model", on("acme/chat-a", thinking("acme/chat-b", "anthropic_messages")), operations.UnsupportedOptions,
		[]string{`refuses thoughts "of acme/chat-b"`, "of acme/chat-a", "leave those of others out"}},
	{"the thoughts of another wire", on("acme/chat-a", thinking("acme/chat-a", "anthropic_messages")), operations.UnsupportedOptions,
		[]string{`refuses thoughts "of anthropic_messages"`, "of openai_chat_completions"}},
	{"thoughts that the row does not take back", on("acme/chat-a", thinking("acme/chat-a", "openai_chat_completions")), operations.UnsupportedOptions,
		[]string{"thoughts as reasoning_content", "openai_chat_completions"}},
	{"a text behind a call, on a wire that has them side by side", on("acme/chat-a", saying(callsBefore(count(0)), answered, chat("hi").Messages[0])), operations.UnsupportedOptions,
		[]string{"text behind a tool call", "openai_chat_completions"}},
	{"C08: two settings that exclude each other", on("acme/careful", with(func(s *textgen.Settings) { s.Temperature, s.TopP = "0.2", "0.9" })), operations.UnsupportedOptions,
		[]string{"temperature, top_p", "one of them at a time"}},
	{"C08: a temperature beside thinking", on("acme/careful", with(func(s *textgen.Settings) { s.Thinking, s.Temperature = "enabled", "0.2" })), operations.UnsupportedOptions,
		[]string{`refuses temperature "0.2"`, "takes 1"}},
	{"a setting whose condition a default does not meet", on("acme/careful", with(func(s *textgen.Settings) { s.FrequencyPenalty = "1" })), operations.UnsupportedOptions,
		[]string{"frequency_penalty", "only with effort none"}},
	{"a setting beside a schema", on("acme/careful", asking(func(r *textgen.Request) {
		r.Settings.Seed = catalog.Known(int64(1))
		r.ResponseSchema = &textgen.ResponseSchema{Name: "a", Schema: `{}`}
	})), operations.UnsupportedOptions, []string{"response_schema"}},
	{"a temperature out of range", on("acme/chat-a", with(func(s *textgen.Settings) { s.Temperature = "2.1" })), operations.UnsupportedOptions, []string{"0 to 2"}},
	{"a refused setting", on("acme/chat-a", with(func(s *textgen.Settings) { s.TopP = "0.5" })), operations.UnsupportedOptions, []string{`the route refuses top_p "0.5"`}},
	{"a setting that nobody spoke of", on("acme/chat-a", with(func(s *textgen.Settings) { s.TopK = catalog.Known(int64(5)) })), operations.UnsupportedOptions,
		[]string{`nobody stated whether the route takes top_k "5"`, "unknown is refused"}},
	{"a setting that must be given", on("acme/capped", chat("hi")), operations.UnsupportedOptions, []string{"verbosity must be given"}},
	{"C09: a kind of input", on("acme/sonnet-4-6", pictures(1)), operations.UnsupportedOptions, []string{`"image" as an input`, "it takes text"}},
	{"a kind of output", on("acme/chat-a", asking(func(r *textgen.Request) { r.Outputs = []string{"audio"} })), operations.UnsupportedOptions, []string{`"audio" as an output`}},
	{"tools that are refused", on("acme/sonnet-4-6", asking(tools("f"))), operations.UnsupportedOptions, []string{"refuses tools"}},
	{"tools that nobody spoke of", on("acme/gpt-5.5", asking(tools("f"))), operations.UnsupportedOptions, []string{"nobody stated", "tools"}},
	{"tools without the reasoning that they need", on("acme/careful", asking(func(r *textgen.Request) { tools("f")(r); r.Settings.Effort = "none" })), operations.UnsupportedOptions,
		[]string{"inside its reasoning"}},
	{"a setting that the only wire has no place for", on("acme/two-wires", asking(func(r *textgen.Request) { tools("f")(r); r.Settings.Stop = []string{"x"} })), operations.UnsupportedOptions,
		[]string{"the wire openai_responses has no place for it"}},
	{"a route that only streams", on("acme/streaming", chat("hi")), operations.UnsupportedOptions, []string{"only as a stream"}},
	{"D27: a kind of question", on("acme/judge-1.13.0", judging(func(r *decision.Request) { r.Questions[0].Kind = "box" })), operations.UnsupportedOptions, []string{`questions of kind "box"`, "boolean, choice, score"}},
	{"D27: an image", on("acme/judge-1.13.0", judging(func(r *decision.Request) {
		r.State = append(r.State, decision.Part{Kind: "image", MediaType: "image/png", Data: image})
	})), operations.UnsupportedOptions, []string{`"image" as an input`}},
	{"D27: an instructions object", on("acme/judge-1.13.0", judging(func(r *decision.Request) {
		r.Questions[0].Instructions, r.Questions[0].Structured = "", `{"ask":"this"}`
	})), operations.UnsupportedOptions, []string{`instructions "json"`, "it takes string"}},
	{"one criterion where both are wanted", on("acme/judge-1.13.0", judging(func(r *decision.Request) { r.Questions[0].True = "yes" })), operations.UnsupportedOptions, []string{"criteria", "both_sides"}},
	{"criteria that nobody spoke of", on("acme/judge-plain", judging(func(r *decision.Request) { r.Questions[0].True, r.Questions[0].False = "y", "n" })), operations.UnsupportedOptions, []string{"nobody stated", "criteria"}},
	{"a width", on("acme/embed-1", embedding1(func(s *embedding.Settings) { s.Dimensions = catalog.Known(int64(1024)) })), operations.UnsupportedOptions, []string{`dimensions "1024"`, "256, 512, 1536"}},
	{"a width that cannot be asked for", on("acme/embed-plain", embedding1(func(s *embedding.Settings) { s.Dimensions = catalog.Known(int64(64)) })), operations.UnsupportedOptions, []string{"nobody stated"}},
	{"an element type", on("acme/embed-1", embedding1(func(s *embedding.Settings) { s.ElementType = "int8" })), operations.UnsupportedOptions, []string{"int8", "float"}},

	// LIMIT_EXCEEDED
	{"C04 D: the input fills the context", on("acme/chat-a", counted(200000)), operations.LimitExceeded, []string{"context_tokens: 200000", "no room for an answer"}},
	{"C04 C: a cap that does not fit", on("acme/chat-a", asking(func(r *textgen.Request) {
		r.InputTokens, r.Settings.MaxOutputTokens = catalog.Known(int64(73470)), catalog.Known(int64(131072))
	})), operations.LimitExceeded, []string{"131072 is more than the limit, 126530", "73470", "204542", "200000"}},
	{"more than the row writes", on("acme/chat-a", with(func(s *textgen.Settings) { s.MaxOutputTokens = catalog.Known(int64(131073)) })), operations.LimitExceeded, []string{"131073", "131072"}},
	{"an uncounted input beyond the window", on("acme/chat-a", chat(strings.Repeat("x", 200001))), operations.LimitExceeded, []string{"by its bytes", "input_tokens"}},
	{"the window that a server was started with", on("here/gemma3:4b", counted(4097)), operations.LimitExceeded, []string{"4097", "4096"}},
	{"stop sequences", on("acme/chat-a", with(func(s *textgen.Settings) { s.Stop = strings.Split("abcde", "") })), operations.LimitExceeded, []string{"stop: 5", "4"}},
	{"images", on("acme/chat-a", pictures(3)), operations.LimitExceeded, []string{"images: 3", "2"}},
	{"tools", on("acme/chat-a", asking(tools("a", "b", "c"))), operations.LimitExceeded, []string{"tools: 3", "2"}},
	{"D27: questions", on("acme/judge-1.13.0", judging(func(r *decision.Request) {
		for i := range 8 {
			r.Questions = append(r.Questions, decision.Question{ID: string(rune('a' + i)), Kind: "boolean", Instructions: "x"})
		}
	})), operations.LimitExceeded, []string{"questions: 9", "8"}},
	{"more questions than nobody stated", on("acme/judge-plain", judging(func(r *decision.Request) {
		r.Questions = append(r.Questions, decision.Question{ID: "r", Kind: "boolean", Instructions: "x"})
	})), operations.LimitExceeded, []string{"questions: 2", "so one"}},
	{"options", on("acme/judge-1.13.0", judging(func(r *decision.Request) {
		r.Questions[0].Kind = "choice"
		for _, l := range []string{"a", "b", "c", "d", "e"} {
			r.Questions[0].Options = append(r.Questions[0].Options, decision.Option{Label: l})
		}
	})), operations.LimitExceeded, []string{"choice_options: 5"}},
	{"one level", on("acme/judge-1.13.0", judging(func(r *decision.Request) {
		r.Questions[0].Kind, r.Questions[0].Levels = "score", []string{"a"}
	})), operations.LimitExceeded, []string{"score_levels_min: 1 is less than the limit, 2"}},
	{"a long state", on("acme/judge-1.13.0", judge(strings.Repeat("x", 2000))), operations.LimitExceeded, []string{"state_tokens"}},
	{"items", on("acme/embed-plain", embed("a", "b")), operations.LimitExceeded, []string{"items: 2", "so one"}},
	{"a long item", on("acme/embed-1", embed(strings.Repeat("x", 9000))), operations.LimitExceeded, []string{"input_tokens", "8192"}},
	{"long items together", on("acme/embed-1", embed(strings.Repeat("x", 8000), strings.Repeat("x", 8000), strings.Repeat("x", 8000))), operations.LimitExceeded, []string{"request_tokens", "20000"}},
	{"a long query", on("acme/rank-1", rank(strings.Repeat("x", 2049), "d")), operations.LimitExceeded, []string{"query_tokens", "2048"}},
	{"a document that does not fit the window", on("acme/rank-1", rank("q", strings.Repeat("x", 5000))), operations.LimitExceeded, []string{"document_tokens", "4096"}},
	{"items to moderate", on("acme/moderate-1", moderate("a", "b", "c")), operations.LimitExceeded, []string{"items: 3"}},

	// PRICE_UNKNOWN, BOUND_UNENFORCEABLE, PRICE_ABOVE_BOUND
	{"a row without prices", on("acme/chat-b", chat("hi"), operations.Terms{MaxUSD: "100"}), operations.PriceUnknown, []string{"input_token"}},
	{"C14: a price that moves", on("acme/floating", chat("hi"), operations.Terms{MaxUSD: "100"}), operations.PriceUnknown, []string{"input_token"}},
	{"C20: a region without a price", on("rock/nemotron-super", chat("hi"), operations.Terms{MaxUSD: "1", Region: "ap-south-1"}), operations.PriceUnknown, []string{"input_token"}},
	{"a tier without a price", on("acme/chat-a", with(func(s *textgen.Settings) { s.ServiceTier = "flex" }), operations.Terms{MaxUSD: "1"}), operations.PriceUnknown, nil},
	{"a meter that nothing caps", on("acme/citing", chat("hi"), operations.Terms{MaxUSD: "100"}), operations.BoundUnenforceable, []string{"citation_token"}},
	{"an answer that nothing caps", on("acme/endless", chat("hi"), operations.Terms{MaxUSD: "100"}), operations.BoundUnenforceable, []string{"output_token"}},
	{"search units of unknown size", on("acme/rank-open", rank("q", "d"), operations.Terms{MaxUSD: "1"}), operations.BoundUnenforceable, []string{"search_unit"}},
	{"a bound below the worst case", on("acme/chat-a", chat("hi"), operations.Terms{MaxUSD: "0.01"}), operations.PriceAboveBound, []string{"at most 0.01", "lower max_output_tokens"}},
	{"a bound below the worst case of what writes no text", on("acme/embed-1", embed("hi"), operations.Terms{MaxUSD: "0"}), operations.PriceAboveBound, []string{"| make the input smaller, or raise the bound"}},
}

func counted(tokens int64) textgen.Request {
	return asking(func(r *textgen.Request) { r.InputTokens = catalog.Known(tokens) })
}

// Every refusal of the table happens for its reason, and says so.
func TestRefusals(t *testing.T) {
	seen := map[operations.Code]bool{}
	for _, x := range refusals {
		t.Run(x.name, func(t *testing.T) {
			err := x.ask()
			if err == nil {
				t.Fatalf("it was admitted, want %s", x.code)
			}
			r := refused(t, err)
			seen[r.Code] = true
			if r.Code != x.code {
				t.Fatalf("got %v, want %s", r, x.code)
			}
			text := r.Message + " | " + r.Help
			for _, s := range x.says {
				if !strings.Contains(text, s) {
					t.Errorf("%q does not say %q", text, s)
				}
			}
			if r.Route == "" && x.name != "an empty route" || r.Operation == "" || r.Message == "" || strings.HasSuffix(r.Message, ".") {
				t.Errorf("the refusal is not whole: %+v", *r)
			}
		})
	}
	for _, c := range operations.Codes() {
		if !seen[c] {
			t.Errorf("no case gives %s", c)
		}
	}
}
