package op

import "github.com/opcat/opcat/catalog"

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
	// Clone shares no memory with its receiver.
	Clone() R
}

// Needs is what a request asks of a route, in the words of contracts. Selection
// and admission judge it alike.
type Needs struct {
	Inputs     []string       // kinds of input that are sent, in the registry's order
	Outputs    []string       // kinds of output that are asked for; none: the operation's first
	Questions  []string       // decision_evaluation: kinds of questions, in the registry's order
	Settings   []SettingValue // in the registry's order
	Tools      bool
	Structured bool     // the answer has to fit a schema
	Sizes      []Size   // by the names of limits; one without a limit of its own is judged by the row's window
	Uses       []string // meters that the request can be billed by beyond tokens of text: input_image, tool_call ...
}

// A SettingValue is one option and what it is asked to be.
type SettingValue struct {
	Name  string
	Value catalog.Value
}

// A Size is how much of something a request sends: a count (questions, items,
// documents, images), or tokens (input_tokens, query_tokens ...). Tokens are not
// counted here: a token is at least one byte of text, so the bytes bound them.
type Size struct {
	Name  string
	Least int64 // it is at least this many
	Most  int64 // and at most this many; -1 if nothing bounds it
}

// Setting finds what an option is asked to be; the zero Value if it is left out.
func (n *Needs) Setting(name string) catalog.Value {
	for _, s := range n.Settings {
		if s.Name == name {
			return s.Value
		}
	}
	return catalog.Value{}
}
