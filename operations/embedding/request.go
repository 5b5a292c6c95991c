package embedding

import (
	"github.com/opcat/opcat/catalog"
	"github.com/opcat/opcat/operations/op"
)

// A Request asks for one vector for each item.
type Request struct {
	Items    []Item   `json:"items" is:"some"`
	Settings Settings `json:"settings,omitzero"`

	// InputTokens is how many tokens the caller counted in all items together.
	// Unknown: the bytes bound them.
	InputTokens catalog.Opt[int64] `json:"input_tokens,omitzero" is:"0.."`
}

// Operation is the registry's member.
func (Request) Operation() *op.Operation { return &Operation }

// An Item is what one vector stands for.
type Item struct {
	Kind      string `json:"kind" is:"inputs"` // text, image, audio, video or pdf
	Text      string `json:"text,omitempty"`
	MediaType string `json:"media_type,omitempty"`
	Data      string `json:"data,omitempty"` // the bytes in base64
	URL       string `json:"url,omitempty"`
}

// Settings are the options of a request. What is left out is not sent.
type Settings struct {
	Dimensions  catalog.Opt[int64] `json:"dimensions,omitzero"`
	Task        string             `json:"task,omitempty"` // the vendor's words
	ElementType string             `json:"element_type,omitempty"`
	Truncate    string             `json:"truncate,omitempty"`
}

// A Result has one vector for each item, in the order of the items.
type Result struct {
	ElementType string   `json:"element_type" is:"one of float int8 uint8 binary ubinary"`
	Dimensions  int64    `json:"dimensions" is:"1.."` // of each vector, in numbers; a packed bit counts as one
	Vectors     []Vector `json:"vectors"`
}

// A Vector holds its numbers as the wire gave them: one of the two is set.
type Vector struct {
	Floats []float32 `json:"floats,omitempty"` // element type float
	Bytes  []byte    `json:"bytes,omitempty"`  // int8, uint8: a number each; binary, ubinary: eight each
}
