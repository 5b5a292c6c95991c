package openrouter_decisions

import (
	"net/http"
	"testing"
	"testing/fstest"

	"github.com/opcat/opcat/compile"
	"github.com/opcat/opcat/compile/fragment"
	"github.com/opcat/opcat/dispatch/wire"
	"github.com/opcat/opcat/internal/codectest"
	"github.com/opcat/opcat/operations"
	"github.com/opcat/opcat/operations/decision"
)

func TestCases(t *testing.T) { codectest.Run(t, Codec) }

// Where a contract pins a server, an answer that another one gave is no answer.
func TestOnlyThePinnedServerAnswers(t *testing.T) {
	r := compile.Run(compile.Input{AsOf: "2026-11-30", Trees: []fragment.Tree{{Layer: "bundled", FS: fstest.MapFS{
		"catalog_sources/a.toml": {Data: []byte("schema = \"1.0\"\n[provider.gate]\nname = \"Gate\"\ncredential = { scheme = \"none\" }\n" +
			"endpoint.openrouter_decisions = { url = \"https://gate.example/api/alpha/decisions\" }\n" +
			"[[model]]\nprovider = \"gate\"\nwire_model = \"judge-1\"\nsource = [{ url = \"https://a.example\", checked_on = \"2026-11-01\" }]\n")},
		"capability_sources/a.toml": {Data: []byte("schema = \"1.0\"\n[[provider.gate]]\nmodels = [\"judge-1\"]\n[provider.gate.operations.decision_evaluation]\n" +
			"protocol = \"openrouter_decisions\"\ninput_kinds = [\"text\"]\nquestion_kinds = [\"boolean\"]\nevidence_kind = \"input_reference\"\nupstream = \"google-ai-studio\"\n")},
	}}}})
	if r.Catalog == nil {
		t.Fatal(r.Diags)
	}
	a, err := operations.Admit(r.Catalog, "gate/judge-1", decision.Request{
		State: []decision.Part{{Kind: "text", Text: "Arrived broken."}}, Questions: []decision.Question{{ID: "q", Kind: "boolean", Instructions: "Replace it?"}}}, operations.Terms{})
	if err != nil {
		t.Fatal(err)
	}
	for server, want := range map[string]wire.Kind{"": "", `"provider":"Google AI Studio",`: "", `"provider":"Google",`: wire.ModelMismatch, `"provider":"TypeSafe",`: wire.ModelMismatch} {
		body := `{"id":"g","model":"judge-1",` + server + `"answers":{"q":{"type":"noul","noul":0.93}},"usage":{"input_tokens":9,"output_tokens":1}}`
		answer, failure := decode(a, wire.Response{Status: http.StatusOK, Body: []byte(body)})
		switch {
		case want == "" && (failure != nil || len(answer.Result.Answers) != 1):
			t.Errorf("%s: %v", server, failure)
		case want != "" && (failure == nil || failure.Kind != want || len(answer.Result.Answers) > 0 || len(failure.Usage.Lines) != 2):
			t.Errorf("%s: %v, want %s, billed all the same", server, failure, want)
		}
	}
}

func FuzzDecode(f *testing.F) {
	request := decision.Request{
		State:     []decision.Part{{Kind: "text", Text: "Arrived broken, send another."}},
		Questions: []decision.Question{{ID: "replace", Kind: "boolean", Instructions: "Does the customer want a replacement?"}},
	}
	codectest.Fuzz(f, Codec, codectest.Admit(f, "openrouter/typesafe/jev-1.13", request), func(r decision.Result) error {
		return codectest.Answers(request, r)
	})
}
