package turn

import "github.com/opcat/opcat/dispatch/wire"

// Endings is the closed table of a protocol's stop words. A word that is not in
// it is no success.
type Endings map[string]Ending

// An Ending is what a stop word means: a way to end whole, or a failure.
type Ending struct {
	Stop    string // of textgen.Stops; "" for a failure
	Failure wire.Kind
	Message string // of a failure
}

// Of looks a stop word up.
func (e Endings) Of(r wire.Response, m wire.Meta, word string) (stop string, f *wire.Failure) {
	end, known := e[word]
	switch {
	case !known:
		return "", Fail(r, m, wire.Invalid, "an unknown stop word", word)
	case end.Failure != "":
		return "", Fail(r, m, end.Failure, end.Message, word)
	}
	return end.Stop, nil
}
