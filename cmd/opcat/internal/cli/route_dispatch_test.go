package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/opcat/opcat/conformance"
	"github.com/opcat/opcat/internal/stub"
)

// key stands in the environment of these tests, and in nothing that opcat writes.
const key = "sk-canary-0123456789abcdef"

// A desk is a tree of sources whose provider is a stub, and a file with a request.
type desk struct {
	t       *testing.T
	dir     string
	env     map[string]string
	outTTY  bool
	printed bytes.Buffer // everything that any run wrote
}

func newDesk(t *testing.T, url string) *desk {
	d := &desk{t: t, dir: t.TempDir(), env: map[string]string{"ACME_KEY": key}}
	d.write("catalog_sources/acme.toml", `schema = "1.0"
[provider.acme]
name = "Acme"
credential = { scheme = "bearer", env = ["ACME_KEY"], origins = ["`+url+`"] }
endpoint.openai_chat_completions = { url = "`+url+`/v1/chat/completions", unbilled_statuses = [503] }
endpoint.openai_embeddings = { url = "`+url+`/v1/embeddings" }
[[model]]
provider = "acme"
wire_model = "chat-1"
limits = { context_tokens = 8000, output_tokens = 1000 }
price = [{ meter = "input_token", usd_per_million = "2" }, { meter = "output_token", usd_per_million = "8" }]
source = [{ url = "https://a.example", checked_on = "2026-11-01" }]
[[model]]
provider = "acme"
wire_model = "embed-1"
limits = { context_tokens = 8000 }
source = [{ url = "https://a.example", checked_on = "2026-11-01" }]
`)
	d.write("capability_sources/acme.toml", `schema = "1.0"
[[provider.acme]]
models = ["chat-1"]
[provider.acme.operations.text_generation]
protocol = "openai_chat_completions"
input_kinds = ["text"]
served_model = "dated"
settings = { temperature = { min = "0", max = "1" }, max_output_tokens = "supported" }
[[provider.acme]]
models = ["embed-1"]
[provider.acme.operations.embedding]
protocol = "openai_embeddings"
input_kinds = ["text"]
dimensions = { default = 2, min = 1, max = 4 }
`)
	d.ask("text_generation", "acme/chat-1", `{"messages":[{"role":"user","parts":[{"kind":"text","text":"Say yes."}]}],"settings":{"temperature":"0.5","max_output_tokens":50}}`)
	return d
}

func (d *desk) write(name, text string) {
	d.t.Helper()
	path := filepath.Join(d.dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		d.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		d.t.Fatal(err)
	}
}

// edit changes a file in one place.
func (d *desk) edit(name, from, to string) {
	d.t.Helper()
	text, err := os.ReadFile(filepath.Join(d.dir, name))
	if err != nil || !strings.Contains(string(text), from) {
		d.t.Fatalf("no %q in %s: %v", from, name, err)
	}
	d.write(name, strings.Replace(string(text), from, to, 1))
}

func (d *desk) ask(operation, route, request string) {
	d.write("request.json", `{"operation":"`+operation+`","route":"`+route+`","request":`+request+`}`)
}

// run runs route dispatch over the file.
func (d *desk) run(argv ...string) (stdout, stderr string, exit int) {
	d.t.Helper()
	var out, errs bytes.Buffer
	argv = append([]string{"route", "dispatch", filepath.Join(d.dir, "request.json"), "--sources", d.dir}, argv...)
	exit = Opcat().Run(context.Background(), argv, Streams{In: strings.NewReader(""), Out: &out, Err: &errs, OutTTY: d.outTTY,
		Getenv: func(name string) string { return d.env[name] }, Now: time.Now})
	d.printed.Write(out.Bytes())
	d.printed.Write(errs.Bytes())
	return out.String(), errs.String(), exit
}

// answerOf is a right chat answer of a model.
func answerOf(model string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("X-Request-Id", "req_7")
		_, _ = io.WriteString(w, `{"id":"c1","model":"`+model+`","choices":[{"index":0,"finish_reason":"stop","message":{"role":"assistant","content":"yes"}}],`+
			`"usage":{"prompt_tokens":12,"completion_tokens":3,"total_tokens":15}}`)
	}
}

// One admitted request is sent, and the receipt says what was asked of whom, who
// served and what it cost, to the last digit.
func TestDispatchPrintsResultAndReceipt(t *testing.T) {
	s := stub.New(t, answerOf("chat-1-2026-11-01"))
	d := newDesk(t, s.URL(""))
	out, errs, exit := d.run("--spend-limit", "0.1", "--json")
	if exit != 0 || errs != "" || s.Connections() != 1 || s.Requests() != 1 {
		t.Fatalf("exit %d, %d requests: %s%s", exit, s.Requests(), out, errs)
	}
	r := s.Last()
	if got := string(r.Body); r.Header.Get("Authorization") != "Bearer "+key || !strings.Contains(got, `"temperature":0.5`) || !strings.Contains(got, `"max_tokens":50`) {
		t.Errorf("sent %s", got)
	}
	var e struct {
		Data struct {
			Sent     bool
			Admitted struct {
				Row, Protocol, Catalog_digest, Contract_digest string
				Settings                                       []struct{ Name, Value string }
			}
			Result  struct{ Parts []struct{ Text string } }
			Receipt struct {
				Attempts   int
				Boundary   string
				Request_id string
				Served     struct{ Asked, Model, Match string }
				Cost       struct {
					USD   string
					Lines []struct{ Meter, USD string }
				}
			}
		}
		Meta struct {
			Cost_usd   json.Number
			Llm_tokens int
		}
	}
	if err := json.Unmarshal([]byte(out), &e); err != nil {
		t.Fatal(err)
	}
	data, receipt := e.Data, e.Data.Receipt
	if !data.Sent || data.Admitted.Row != "acme/chat-1" || data.Admitted.Protocol != "openai_chat_completions" || data.Admitted.Catalog_digest == "" ||
		data.Admitted.Contract_digest == "" || len(data.Admitted.Settings) != 2 || data.Result.Parts[0].Text != "yes" {
		t.Errorf("%s", out)
	}
	if receipt.Attempts != 1 || receipt.Boundary != "complete" || receipt.Request_id != "req_7" || receipt.Served.Asked != "chat-1" ||
		receipt.Served.Model != "chat-1-2026-11-01" || receipt.Served.Match != "dated" {
		t.Errorf("%s", out)
	}
	if receipt.Cost.USD != "0.000048" || len(receipt.Cost.Lines) != 2 || e.Meta.Cost_usd != "0.000048" || e.Meta.Llm_tokens != 15 {
		t.Errorf("%s", out)
	}
	checkContract(t, []string{"route", "dispatch", "request.json", "--spend-limit", "0.1", "--json"}, exit, out)

	d.outTTY = true
	out, _, exit = d.run("--spend-limit", "0.1")
	for _, want := range []string{"text: yes", "route         text_generation:acme/chat-1", "sent          1 request, HTTP 200",
		"served by     chat-1-2026-11-01 (dated)", "input_token   12 x 2 USD a million = 0.000024 USD", "cost          0.000048 USD"} {
		if !strings.Contains(out, want) {
			t.Errorf("exit %d, no %q in\n%s", exit, want, out)
		}
	}
}

// What a gateway takes when credit is bought is named beside the cost and the bound
// and is in neither: the vendor's own figure is without it, and agrees.
func TestDispatchNamesTheFeeOnCredit(t *testing.T) {
	s := stub.New(t, func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.WriteString(w, `{"id":"c1","model":"chat-1","choices":[{"index":0,"finish_reason":"stop","message":{"role":"assistant","content":"yes"}}],`+
			`"usage":{"prompt_tokens":12,"completion_tokens":3,"total_tokens":15,"cost":0.000048}}`)
	})
	d := newDesk(t, s.URL(""))
	before, _, _ := d.run("--spend-limit", "0.1", "--dry-run", "--json")
	bound := regexp.MustCompile(`"price":\{"usd":"[0-9.]+",`).FindString(before)
	if bound == "" {
		t.Fatal(before)
	}
	d.edit("catalog_sources/acme.toml", `name = "Acme"`, "name = \"Acme\"\nplatform_fee_percent = \"5.5\"")
	argv := []string{"--spend-limit", "0.1", "--json"}
	out, errs, exit := d.run(argv...)
	for _, want := range []string{bound, `"usd":"0.000048"`, `"vendor_usd":"0.000048"`, `"vendor_difference_usd":"0"`, `"cost_usd":0.000048,`} {
		if !strings.Contains(out, want) {
			t.Errorf("exit %d, no %s in %s%s", exit, want, out, errs)
		}
	}
	if strings.Count(out, `"funding_fee_percent":"5.5"`) != 2 {
		t.Errorf("the fee does not stand beside the bound and the cost: %s", out)
	}
	checkContract(t, append([]string{"route", "dispatch", "request.json"}, argv...), exit, out)
	if out, _, _ = d.run("--spend-limit", "0.1"); !strings.Contains(out, "not in it     5.5 percent when credit is bought; no call is charged with it") {
		t.Error(out)
	}
}

func checkContract(t *testing.T, argv []string, exit int, out string) {
	t.Helper()
	doc, err := Opcat().Describe()
	if err != nil {
		t.Fatal(err)
	}
	checker, err := conformance.NewAnswers(doc)
	if err != nil {
		t.Fatal(err)
	}
	if err := checker.Check(argv, exit, []byte(out)); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

// What is refused is not sent, and each way to fail has its code.
func TestDispatchFailures(t *testing.T) {
	status := func(status int, body string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Retry-After", "7")
			w.WriteHeader(status)
			_, _ = io.WriteString(w, body)
		}
	}
	chat := func(settings string) string {
		return `{"messages":[{"role":"user","parts":[{"kind":"text","text":"Say yes."}]}],"settings":{` + settings + `}}`
	}
	cases := []struct {
		name              string
		answer            http.HandlerFunc
		change            func(*desk)
		argv              []string
		code              Code
		exit, requests    int
		says              string
		cost, uncertainty string // of meta
	}{
		{name: "no limit", code: MissingFlag, exit: 2, says: "--spend-limit", argv: []string{"--json"}},
		{name: "a decision asked of a chat row", change: func(d *desk) {
			d.ask("decision_evaluation", "acme/chat-1", `{"state":[{"kind":"text","text":"x"}],"questions":[{"id":"q","kind":"boolean","instructions":"Is it?"}]}`)
		}, code: AdmissionRefused, exit: 3, says: "OPERATION_UNSUPPORTED"},
		{name: "an unserved sibling", change: func(d *desk) { d.ask("text_generation", "acme/chat-1-mini", chat("")) }, code: AdmissionRefused, exit: 3, says: "UNKNOWN_ROUTE"},
		{name: "a setting that is refused", change: func(d *desk) { d.ask("text_generation", "acme/chat-1", chat(`"temperature":"1.5"`)) }, code: AdmissionRefused, exit: 3, says: "UNSUPPORTED_OPTIONS"},
		{name: "a price that nobody states", change: func(d *desk) {
			d.ask("embedding", "acme/embed-1", `{"items":[{"kind":"text","text":"x"}]}`)
		}, code: AdmissionRefused, exit: 3, says: "PRICE_UNKNOWN"},
		{name: "above the limit", argv: []string{"--spend-limit", "0.0000001", "--json"}, code: BudgetExceeded, exit: 5, says: "PRICE_ABOVE_BOUND"},
		{name: "an operation that is none", change: func(d *desk) { d.ask("chat", "acme/chat-1", chat("")) }, code: ValidationFailed, exit: 3, says: "text_generation"},
		{name: "a misspelt member", change: func(d *desk) { d.ask("text_generation", "acme/chat-1", chat(`"temprature":"1"`)) }, code: DecodeFailed, exit: 3, says: "temprature"},
		{name: "no file", change: func(d *desk) { _ = os.Remove(filepath.Join(d.dir, "request.json")) }, code: NotFound, exit: 3, says: "request.json"},
		{name: "no credential", change: func(d *desk) { d.env = nil }, code: CredentialMissing, exit: 3, says: "ACME_KEY"},
		{name: "a broken credential", change: func(d *desk) { d.env["ACME_KEY"] = key + "\n" }, code: CredentialRejected, exit: 3, says: "ACME_KEY"},

		{name: "a wrong credential", answer: status(401, `{"error":{"code":"invalid_api_key","message":"wrong: `+key+`"}}`), code: CredentialRejected, exit: 3, requests: 1, says: "one request was sent", uncertainty: "0.0004"},
		{name: "too many requests", answer: status(429, `{"error":{"code":"rate_limit_exceeded"}}`), code: RateLimited, exit: 4, requests: 1, says: "wait 7000 ms"},
		{name: "no credit", answer: status(429, `{"error":{"code":"insufficient_quota"}}`), code: BudgetExceeded, exit: 5, requests: 1, says: "insufficient_quota"},
		{name: "overloaded, and not billed", answer: status(503, `{}`), code: UpstreamFailed, exit: 4, requests: 1, says: "overloaded", cost: "0"},
		{name: "broken", answer: status(500, `<html>`), code: UpstreamFailed, exit: 4, requests: 1, says: "server_error"},
		{name: "a redirect", answer: func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "/elsewhere", http.StatusTemporaryRedirect)
		}, code: UpstreamFailed, exit: 4, requests: 1, says: "redirect_refused"},
		{name: "another model", answer: answerOf("chat-2"), code: UpstreamFailed, exit: 4, requests: 1, says: "chat-2", uncertainty: "0.0004"}, // nobody states what that one costs
		{name: "no such model", answer: status(404, `{"error":{"code":"model_not_found"}}`), code: NotFound, exit: 3, requests: 1, says: "model_not_found"},
		{name: "a bad request", answer: status(400, `{"error":{"code":"x"}}`), code: ValidationFailed, exit: 3, requests: 1, says: "bad_request"},
		{name: "too slow", argv: []string{"--spend-limit", "0.1", "--timeout", "200ms", "--json"}, answer: func(http.ResponseWriter, *http.Request) { time.Sleep(600 * time.Millisecond) }, code: UpstreamTimeout, exit: 4, requests: 1, says: "200ms"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if c.answer == nil {
				c.answer = answerOf("chat-1")
			}
			s := stub.New(t, c.answer)
			d := newDesk(t, s.URL(""))
			if c.change != nil {
				c.change(d)
			}
			if c.argv == nil {
				c.argv = []string{"--spend-limit", "0.1", "--json"}
			}
			out, errs, exit := d.run(c.argv...)
			if exit != c.exit || !strings.Contains(out, `"code":"`+string(c.code)+`"`) || !strings.Contains(out, c.says) {
				t.Errorf("exit %d: %s%s", exit, out, errs)
			}
			if s.Requests() != c.requests || s.Connections() != c.requests {
				t.Errorf("%d requests over %d connections, want %d", s.Requests(), s.Connections(), c.requests)
			}
			if c.requests == 0 {
				c.cost = "0"
			}
			if c.cost != "" && !strings.Contains(out, `"cost_usd":`+c.cost+`,`) {
				t.Errorf("the cost is not %s: %s", c.cost, out)
			}
			if c.uncertainty != "" && !strings.Contains(out, `"cost_uncertain_usd":`) {
				t.Errorf("what may be billed is not said: %s", out)
			}
			checkContract(t, append([]string{"route", "dispatch", "request.json"}, c.argv...), exit, out)
			_, _, _ = d.run(c.argv[:len(c.argv)-1]...) // and for a person
			if strings.Contains(d.printed.String(), key) {
				t.Errorf("the key is printed: %s", d.printed.String())
			}
		})
	}
}

// What a model declines or leaves half said is an answer, and is paid for.
func TestDispatchAnswersWithoutAResult(t *testing.T) {
	model := "chat-1"
	s := stub.New(t, func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, `{"id":"c1","model":"`+model+`","choices":[{"index":0,"finish_reason":"length","message":{"role":"assistant","content":"ye"}}],`+
			`"usage":{"prompt_tokens":12,"completion_tokens":50,"total_tokens":62}}`)
	})
	d := newDesk(t, s.URL(""))
	out, _, exit := d.run("--spend-limit", "0.1", "--json")
	if exit != 0 || !strings.Contains(out, `"failure":{"kind":"output_truncated"`) || strings.Contains(out, `"result"`) || !strings.Contains(out, `"cost_usd":0.000424,`) {
		t.Errorf("exit %d: %s", exit, out)
	}
	out, _, _ = d.run("--spend-limit", "0.1")
	if !strings.Contains(out, "no result: output_truncated") || !strings.Contains(out, "served by     chat-1 (same)") {
		t.Error(out)
	}
	model = "chat-2"
	out, errs, exit := d.run("--spend-limit", "0.1")
	if exit != 0 || !strings.Contains(out, "served by     chat-2 (other)") || !strings.Contains(errs, "SERVED_MODEL_DIFFERS: chat-1 was asked for, and the answer names chat-2") {
		t.Errorf("exit %d: %s%s", exit, out, errs)
	}
}

// A dry run checks everything and opens nothing.
func TestDispatchDryRun(t *testing.T) {
	s := stub.New(t, answerOf("chat-1"))
	d := newDesk(t, s.URL(""))
	out, _, exit := d.run("--spend-limit", "0.1", "--dry-run", "--json")
	if exit != 0 || s.Connections() != 0 || !strings.Contains(out, `"sent":false`) || strings.Contains(out, `"receipt"`) || !strings.Contains(out, `"cost_usd":0,`) {
		t.Errorf("exit %d, %d connections: %s", exit, s.Connections(), out)
	}
	checkContract(t, []string{"route", "dispatch", "request.json", "--spend-limit", "0.1", "--dry-run", "--json"}, exit, out)
	if out, _, _ = d.run("--spend-limit", "0.1", "--dry-run"); !strings.Contains(out, "a dry run") {
		t.Error(out)
	}
}
