package codectest

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/opcat/opcat/catalog"
	"github.com/opcat/opcat/dispatch/wire"
	snapshot "github.com/opcat/opcat/gen/json"
	"github.com/opcat/opcat/operations"
	"github.com/opcat/opcat/operations/textgen"
)

// FuzzText is Fuzz for text generation, with the laws of a turn: it ended in a
// known way, it calls only tools that were offered and with an object, the answer
// to a schema is JSON, and the turn can stand in the next request.
func FuzzText(f *testing.F, codec wire.Codec[textgen.Request, textgen.Result], route string, request textgen.Request) {
	c, err := snapshot.Catalog()
	if err != nil {
		f.Fatal(err)
	}
	a := AdmitTo(f, c, route, request, operations.Terms{Protocol: codec.Protocol})
	Fuzz(f, codec, a, func(r textgen.Result) error {
		if !slices.Contains(textgen.Stops, r.Stop) {
			return fmt.Errorf("stop %q is not one of %v", r.Stop, textgen.Stops)
		}
		if (r.Stop == "tool_calls") != (len(r.ToolCalls) > 0) {
			return fmt.Errorf("stopped as %q with %d calls", r.Stop, len(r.ToolCalls))
		}
		if request.ResponseSchema != nil && r.Stop != "tool_calls" && !jsontext.Value(r.JSON).IsValid() {
			return errors.New("a schema was asked for and the answer is not JSON")
		}
		if len(r.Parts)+len(r.ToolCalls) == 0 {
			return nil // an empty turn is none
		}
		_, err := again(c, codec, route, request, r)
		return err
	})
}

// Again decodes an answer to a request, puts its turn into the next one and gives
// the body of that.
func Again(t *testing.T, codec wire.Codec[textgen.Request, textgen.Result], route string, request textgen.Request, answer string) (textgen.Result, []byte) {
	t.Helper()
	c, err := snapshot.Catalog()
	if err != nil {
		t.Fatal(err)
	}
	a := AdmitTo(t, c, route, request, operations.Terms{Protocol: codec.Protocol})
	got, failure := codec.Decode(a, wire.Response{Status: 200, Body: []byte(answer)})
	if failure != nil {
		t.Fatal(failure)
	}
	body, err := again(c, codec, route, request, got.Result)
	if err != nil {
		t.Fatal(err)
	}
	return got.Result, body
}

// again puts a turn into the next request and encodes it.
func again(c *catalog.Catalog, codec wire.Codec[textgen.Request, textgen.Result], route string, request textgen.Request, r textgen.Result) ([]byte, error) {
	turn := textgen.Message{Role: "assistant", Parts: r.Parts, ToolCalls: r.ToolCalls, Thoughts: r.Thoughts}
	request.Messages = append(slices.Clone(request.Messages), turn)
	for _, call := range r.ToolCalls {
		request.Messages = append(request.Messages, textgen.Message{
			Role: "tool", ToolCallID: call.ID, Parts: []textgen.Part{{Kind: "text", Text: "done"}},
		})
	}
	if len(r.ToolCalls) == 0 {
		request.Messages = append(request.Messages, textgen.Message{Role: "user", Parts: []textgen.Part{{Kind: "text", Text: "go on"}}})
	}
	a, err := operations.Admit(c, route, request, operations.Terms{Protocol: codec.Protocol})
	if err != nil {
		return nil, err
	}
	sent, err := codec.Encode(a)
	return sent.Body, err
}

// Question asks for a yes or no under a schema, with a tool at hand.
func Question() textgen.Request {
	return textgen.Request{
		Messages: []textgen.Message{{Role: "user", Parts: []textgen.Part{{Kind: "text", Text: "Is it safe?"}}}},
		Tools:    []textgen.Tool{{Name: "weather", Parameters: `{"type":"object"}`}},
		ResponseSchema: &textgen.ResponseSchema{Name: "judgement", Schema: `{"type":"object","additionalProperties":false,` +
			`"properties":{"verdict":{"type":"boolean"},"confidence":{"type":"number","minimum":0,"maximum":1},"evidence":{"type":"string"}},` +
			`"required":["verdict","confidence","evidence"]}`},
	}
}
