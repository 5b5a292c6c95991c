package operations_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/opcat/opcat/operations"
	"github.com/opcat/opcat/operations/textgen"
	"github.com/opcat/opcat/operations/typed"
)

const order = `{"operation":"decision_evaluation","route":"judge","request":{"state":[{"kind":"text","text":"It rains."}],
 "questions":[{"id":"q","kind":"boolean","instructions":"Does it rain?"}]},"terms":{"max_usd":"0.01","at":"2026-12-01"}}`

// An order says what Admit would say, and where the bound comes from.
func TestTryAnOrder(t *testing.T) {
	o, err := operations.DecodeOrder([]byte(order))
	if err != nil {
		t.Fatal(err)
	}
	a, err := o.Try(plain())
	if err != nil || !a.Admitted || a.Refusal != nil {
		t.Fatalf("%+v, %v", a, err)
	}
	g := a.Grant
	if g.Row != "acme/judge-latest" || g.URL != "https://api.acme.example/v1/systemone" || g.Price.USD == "" || len(g.Price.Lines) != 2 ||
		g.Price.Lines[1].AtMost.IsKnown() || g.Credential.Env[0] != "ACME_KEY" {
		t.Errorf("granted %+v", *g)
	}
	o.Route = "acme/chat-a"
	if a, err = o.Try(plain()); err != nil || a.Admitted || a.Grant != nil || a.Refusal == nil || a.Refusal.Code != operations.OperationUnsupported {
		t.Errorf("%+v, %v", a, err)
	}
	text, err := operations.Encode(a)
	if err != nil || !json.Valid(text) || !strings.Contains(string(text), `"code":"OPERATION_UNSUPPORTED"`) {
		t.Errorf("%s, %v", text, err)
	}
}

// A cap that admission computes is shown as its own.
func TestFilledSettingsAreMarked(t *testing.T) {
	o := operations.Order{Operation: "text_generation", Route: "small", Request: with(func(s *textgen.Settings) { s.Temperature = "0.5" }), Terms: operations.Terms{MaxUSD: "10"}}
	a, err := o.Try(plain())
	if err != nil || a.Grant == nil {
		t.Fatalf("%+v, %v", a, err)
	}
	if s := a.Grant.Settings; len(s) != 2 || s[0] != (operations.Honoured{Name: "max_output_tokens", Value: "131072", Filled: true}) || s[1].Filled {
		t.Errorf("settings %+v", s)
	}
}

// What is wrong with an order is said with its place.
func TestOrdersThatAreNone(t *testing.T) {
	for _, x := range []struct{ name, text, want string }{
		{"no JSON", `{`, ""},
		{"an unknown member", strings.Replace(order, `"route"`, `"rout"`, 1), "/rout"},
		{"no request", `{"operation":"embedding","route":"a/b"}`, "request"},
		{"an unknown operation", strings.Replace(order, "decision_evaluation", "decision", 1), "UNKNOWN_OPERATION"},
		{"a mistake within the request", strings.Replace(order, `"boolean"`, `"bool"`, 1), "/request/questions/0/kind"},
		{"a date that is none", strings.Replace(order, "2026-12-01", "soon", 1), "/terms/at"},
		{"an amount that is a number", strings.Replace(order, `"0.01"`, `0.01`, 1), "/terms/max_usd"},
		{"a member twice", strings.Replace(order, `"route":"judge"`, `"route":"judge","route":"small"`, 1), "route"},
	} {
		t.Run(x.name, func(t *testing.T) {
			_, err := operations.DecodeOrder([]byte(x.text))
			if err == nil || !strings.Contains(err.Error(), x.want) {
				t.Errorf("got %v, want %s", err, x.want)
			}
			var list typed.Errors
			var r *operations.Refusal
			if !errors.As(err, &list) && !errors.As(err, &r) {
				t.Errorf("%T is neither a list nor a refusal", err)
			}
		})
	}
}

// An order names what the environment has to hold.
func TestEnvironmentOfAnOrder(t *testing.T) {
	got := operations.Order{Operation: "text_generation", Route: "cloud/org/chat:2"}.Environment(plain())
	if len(got) != 1 || got["resource"] != "CLOUD_RESOURCE" {
		t.Errorf("got %v", got)
	}
}
