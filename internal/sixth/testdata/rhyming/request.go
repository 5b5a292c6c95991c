package rhyming

import (
	"strings"

	"github.com/opcat/opcat/catalog"
	"github.com/opcat/opcat/operations/op"
)

// A Request asks for verses on words.
type Request struct {
	Words    []string `json:"words" is:"some"`
	Settings Settings `json:"settings,omitzero"`
}

// Settings are the options of a request. What is left out is not sent.
type Settings struct {
	Verses catalog.Opt[int64] `json:"verses,omitzero"`
	Metre  string             `json:"metre,omitempty"`
}

// A Result has one verse for each word, in the order of the words.
type Result struct {
	Verses []string `json:"verses"`
}

// Operation is the registry's member.
func (Request) Operation() *op.Operation { return &Operation }

// Needs states what the request asks of a route.
func (r Request) Needs(n *op.Needs) error {
	if len(r.Words) == 0 {
		n.Fail("words: there are none")
	}
	n.For(&Operation)
	n.Count(atVerses, r.Settings.Verses, 1)
	n.Word(atMetre, r.Settings.Metre)
	n.Inputs = Operation.Inputs
	var all op.Tally
	all.Text(strings.Join(r.Words, " "))
	n.Tokens = all.Size("input_tokens", catalog.Opt[int64]{})
	n.Measure(op.Size{Name: "words", Most: int64(len(r.Words)), Told: true})
	n.Measure(n.Tokens)
	return n.Err()
}

// Keep copies the request; the copy shares no memory with its receiver that
// anybody could change.
func (r Request) Keep() Request {
	r.Words = append([]string(nil), r.Words...)
	return r
}
