package dispatch

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"testing"

	"github.com/opcat/opcat/catalog"
	snapshot "github.com/opcat/opcat/gen/json"
	"github.com/opcat/opcat/operations"
	"github.com/opcat/opcat/operations/decision"
	"github.com/opcat/opcat/operations/embedding"
	"github.com/opcat/opcat/operations/moderation"
	"github.com/opcat/opcat/operations/op"
	"github.com/opcat/opcat/operations/rerank"
	"github.com/opcat/opcat/operations/textgen"
	"github.com/opcat/opcat/shape"
)

// A wish is a setting and what it is asked to be.
type wish struct{ name, value string }

// A try is one request as it was admitted: where it went, and what it looks like
// on the wire.
type try struct {
	protocol string
	settings []op.SettingValue
	url      string
	body     []byte
}

// A member is one operation of the registry, whatever its types.
type member struct {
	op        *op.Operation
	protocols []string
	// encode admits the smallest request with the wishes, and writes it. with names
	// settings for which the request is to be ready though they are not asked for.
	encode func(c *catalog.Catalog, route string, t operations.Terms, with []string, wishes ...wish) (try, error)
	// send admits the same request and sends it if it was admitted.
	send func(ctx context.Context, client *Client, c *catalog.Catalog, route string, t operations.Terms, wishes ...wish) (Report, error)
}

func memberOf[R op.Request[R], A any](e Executor[R, A], smallest func(with []string) R, settings func(*R) any, special func(*R, wish) bool) member {
	var r R
	o := r.Operation()
	admit := func(c *catalog.Catalog, route string, t operations.Terms, with []string, wishes []wish) (operations.Admitted[R], error) {
		for _, w := range wishes {
			with = append(slices.Clone(with), w.name)
		}
		request := smallest(with)
		for _, w := range wishes {
			if special != nil && special(&request, w) {
				continue
			}
			if err := json.Unmarshal(member1(o, w), settings(&request)); err != nil {
				return operations.Admitted[R]{}, fmt.Errorf("%s = %s: %w", w.name, w.value, err)
			}
		}
		return operations.Admit(c, route, request, t)
	}
	return member{
		op: o, protocols: e.Protocols(),
		encode: func(c *catalog.Catalog, route string, t operations.Terms, with []string, wishes ...wish) (try, error) {
			a, err := admit(c, route, t, with, wishes)
			if err != nil {
				return try{}, err
			}
			i := slices.Index(e.Protocols(), a.Protocol())
			if i < 0 {
				return try{}, errNoCodecYet
			}
			q, err := e.codecs[i].Encode(a)
			return try{a.Protocol(), a.Settings(), q.URL, q.Body}, err
		},
		send: func(ctx context.Context, client *Client, c *catalog.Catalog, route string, t operations.Terms, wishes ...wish) (Report, error) {
			a, err := admit(c, route, t, nil, wishes)
			if err != nil {
				// What was not admitted is tried all the same: it is the zero value.
				_, report, again := e.Send(ctx, client, a)
				if !isUnsent(again, NotAdmitted) {
					return report, fmt.Errorf("refused (%w), and then sent: %v", err, again)
				}
				return report, err
			}
			_, report, err := e.Send(ctx, client, a)
			return report, err
		},
	}
}

var errNoCodecYet = errors.New("no codec")

// member1 is a wish as a JSON object with one member, in the type that the request
// has for it.
func member1(o *op.Operation, w wish) []byte {
	i := slices.IndexFunc(o.Settings, func(s op.Setting) bool { return s.Name == w.name })
	value := strconv.Quote(w.value)
	if k := o.Settings[i].Kind; k == shape.Count || k == shape.Bool || w.name == "logprobs" {
		value = w.value
	}
	return []byte(`{"` + w.name + `":` + value + `}`)
}

// members are all operations of the registry.
var members = []member{
	memberOf(TextGeneration, func(with []string) textgen.Request {
		r := textgen.Request{Messages: []textgen.Message{{Role: "user", Parts: []textgen.Part{{Kind: "text", Text: "Say yes."}}}}}
		if slices.Contains(with, "tool_choice") || slices.Contains(with, "parallel_tool_calls") {
			r.Tools = []textgen.Tool{{Name: "look", Description: "looks", Parameters: `{"type":"object","properties":{},"additionalProperties":false}`}}
		}
		return r
	}, func(r *textgen.Request) any { return &r.Settings }, func(r *textgen.Request, w wish) bool {
		switch w.name {
		case "response_schema":
			r.ResponseSchema = &textgen.ResponseSchema{Name: "answer",
				Schema: `{"type":"object","properties":{"yes":{"type":"boolean"}},"required":["yes"],"additionalProperties":false}`}
		case "stop":
			r.Settings.Stop = []string{w.value}
		case "logit_bias":
			r.Settings.LogitBias = map[string]catalog.Decimal{w.value: "1"}
		case "tool_choice":
			if r.Settings.ToolChoice = w.value; w.value == "tool" {
				r.Settings.ToolName = "look"
			}
		default:
			return false
		}
		return true
	}),
	memberOf(Embedding, func([]string) embedding.Request {
		return embedding.Request{Items: []embedding.Item{{Kind: "text", Text: "hello"}}}
	}, func(r *embedding.Request) any { return &r.Settings }, nil),
	memberOf(DecisionEvaluation, func([]string) decision.Request {
		return decision.Request{State: []decision.Part{{Kind: "text", Text: "It rains."}}, Questions: []decision.Question{{ID: "q", Kind: "boolean", Instructions: "Is it wet?"}}}
	}, func(r *decision.Request) any { return &r.Settings }, nil),
	memberOf(Reranking, func(with []string) rerank.Request {
		r := rerank.Request{Query: "rain", Documents: []rerank.Document{{Kind: "text", Text: "It rains."}}}
		if slices.Contains(with, "top_n") {
			r.Documents = append(r.Documents, rerank.Document{Kind: "text", Text: "It does not."})
		}
		return r
	}, func(r *rerank.Request) any { return &r.Settings }, nil),
	memberOf(Moderation, func([]string) moderation.Request {
		return moderation.Request{Items: []moderation.Item{{Kind: "text", Text: "hello"}}}
	}, func(r *moderation.Request) any { return &struct{}{} }, nil),
}

func bundled(t testing.TB) *catalog.Catalog {
	t.Helper()
	c, err := snapshot.Catalog()
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// fitting are terms under which a row can be dialled: a value for each variable of
// its endpoints, and a region where it has any.
func fitting(p *catalog.Provider, row *catalog.Row) operations.Terms {
	t := operations.Terms{Variables: map[string]string{}}
	for _, e := range p.Endpoint {
		for name := range e.Variable {
			t.Variables[name] = "x1"
		}
	}
	if len(row.Region) > 0 {
		t.Region = row.Region[0].Name
	}
	return t
}
