package operations_test

import (
	"errors"
	"testing"

	"github.com/opcat/opcat/operations"
	"github.com/opcat/opcat/operations/op"
	"github.com/opcat/opcat/operations/textgen"
)

// A foreign request is of a type that stands for no member of the registry, however
// its operation is called.
type foreign struct{ operation *op.Operation }

func (f foreign) Operation() *op.Operation { return f.operation }
func (foreign) Needs(*op.Needs) error      { return nil }
func (f foreign) Keep() foreign            { return f }

// TestUnknownOperationIsRefused: what the registry does not have is refused
// wherever an operation is named, and text generation is never taken in its place.
// The command line's flags are held by scripts.
func TestUnknownOperationIsRefused(t *testing.T) {
	impostor := &op.Operation{Name: "text_generation", Inputs: []string{"text"}}
	for _, name := range []string{"", "chat", "decision", "decisions", "Text_Generation", "text_generation ", "transcription"} {
		if o := operations.Lookup(name); o != nil {
			t.Errorf("%q is found as %s", name, o.Name)
		}
		_, err := operations.DecodeNamed(name, []byte(`{"messages":[{"role":"user","parts":[{"kind":"text","text":"hi"}]}]}`))
		unknown(t, name, err)
	}
	for _, o := range []*op.Operation{nil, {}, {Name: "chat"}, impostor} {
		for _, route := range []string{"acme/chat-a", "text_generation:acme/chat-a", "chat:acme/chat-a"} {
			_, err := operations.Admit(plain(), route, foreign{o}, operations.Terms{})
			unknown(t, route, err)
		}
		if _, err := operations.DecodeRequest[foreign]([]byte(`{}`)); err == nil {
			t.Errorf("a request of %v is read", o)
		}
		if request, result := operations.Types(o); request != nil || result != nil {
			t.Errorf("%v has types", o)
		}
	}
	if _, err := operations.Admit(plain(), "acme/chat-a", foreign{&textgen.Operation}, operations.Terms{}); err == nil {
		t.Error("a request that nobody knows is admitted under a member's name")
	}
	if _, err := operations.Admit(plain(), "chat:acme/chat-a", chat("hi"), operations.Terms{}); err == nil {
		t.Error("a route of an unknown operation is admitted")
	}
}

func unknown(t *testing.T, what string, err error) {
	t.Helper()
	var r *operations.Refusal
	if !errors.As(err, &r) || r.Code != operations.UnknownOperation || len(r.Allowed) != len(operations.All()) {
		t.Errorf("%q: %v, want UNKNOWN_OPERATION with what there is", what, err)
	}
}
