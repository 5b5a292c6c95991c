package op

import (
	"math/bits"

	"github.com/opcat/opcat/catalog"
)

// A Request is what a caller asks of one operation. Each member of the registry
// has one type of request, and that type stands for the operation wherever the
// compiler is to keep operations apart: a value for embedding.Request cannot be
// used where one for textgen.Request is wanted.
type Request[R any] interface {
	// Operation is the member that the request is for.
	Operation() *Operation
	// Needs states what the request asks of a route. It fails if the request is
	// wrong by itself, whatever the route: an empty one, an unknown kind, a number
	// that is none.
	Needs(*Needs) error
	// Keep copies the request; the copy shares no memory with its receiver that
	// anybody could change. A short request's lists fit into one allocation.
	Keep() R
}

// Needs is what a request asks of a route, in the words of contracts. Selection
// and admission judge it alike.
type Needs struct {
	Inputs     []string       // kinds of input that are sent, in the registry's order
	Outputs    []string       // kinds of output that are asked for; none: the operation's first
	Questions  []string       // decision_evaluation: kinds of questions, in the registry's order
	Settings   []SettingValue // in the registry's order; a value of none asks for the option, whatever its value
	Asked      uint64         // the places of the settings in the registry, a bit for each; Ask and Drop keep it in step
	Sizes      []Size         // by the names of limits; a size in tokens without a limit of its own is judged by the row's window
	Origins    []Origin       // where what the request sends again comes from, for whom alone it is; each once
	Forms      []string       // shapes of the request that some contracts or wires have no place for, in the operation's own words
	Tools      bool           // for conditions: tools are present
	Structured bool           // for conditions: the answer has to fit a schema
	Cut        bool           // the caller allows a part of the input to be cut off to make it fit
	Lower      bool           // and its cap on the output to be lowered
	Partial    bool           // these are a part of a request's needs: a setting that must be given may still be

	Tokens Size // all that goes in

	of       *Operation
	err      error
	forms    [2]string
	settings [4]SettingValue
	sizes    [5]Size
	digits   [24]byte
	used     int // of digits
}

// A SettingValue is one option and what it is asked to be.
type SettingValue struct {
	Name  string
	Value catalog.Value
}

// An Origin is a route and a wire over which it answered.
type Origin struct {
	Route    string
	Protocol string
}

// A Size is how much of something a request sends: a count (questions, items,
// documents, images), or tokens (input_tokens, query_tokens ...).
//
// Tokens are not counted here. A token of text is at least one byte, so its bytes
// bound it; what the server adds around a text is bounded by an allowance. Nothing
// bounds the tokens of an image, a sound or a file: such a size is Open, unless
// the caller counted.
type Size struct {
	Name string
	Most int64 // it is at most this many, not counting what is Open
	Open bool  // it holds more, which nothing bounds
	Told bool  // the caller counted
	Sum  bool  // of pieces that each have a window to themselves: without a limit of its own nothing bounds it
}

// Asks reports whether the setting at a place is asked for.
func (n *Needs) Asks(at int) bool { return n.Asked>>at&1 != 0 }

// At is what the setting at a place is asked to be; the zero Value if it is left out,
// and at the place -1, which is none.
func (n *Needs) At(at int) catalog.Value {
	if at < 0 || !n.Asks(at) {
		return catalog.Value{}
	}
	return n.Settings[n.index(at)].Value
}

// index is where the setting at a place stands among those that are asked for.
func (n *Needs) index(at int) int { return bits.OnesCount64(n.Asked & (1<<at - 1)) }

// Setting finds what an option is asked to be; the zero Value if it is left out.
func (n *Needs) Setting(name string) catalog.Value {
	for i := range n.Settings {
		if n.Settings[i].Name == name {
			return n.Settings[i].Value
		}
	}
	return catalog.Value{}
}

// Size finds a size by its name; the zero Size if there is none.
func (n *Needs) Size(name string) Size {
	for i := range n.Sizes {
		if n.Sizes[i].Name == name {
			return n.Sizes[i]
		}
	}
	return Size{}
}

// Sends reports whether a kind of input is sent.
func (n *Needs) Sends(kind string) bool {
	for _, k := range n.Inputs {
		if k == kind {
			return true
		}
	}
	return false
}
