package moderation

import (
	"github.com/opcat/opcat/catalog"
	"github.com/opcat/opcat/operations/op"
)

// A Request asks for the categories of each item.
type Request struct {
	Items []Item `json:"items" is:"some"`

	// InputTokens is how many tokens the caller counted in all items together.
	// Unknown: the bytes bound them.
	InputTokens catalog.Opt[int64] `json:"input_tokens,omitzero" is:"0.."`
}

// Operation is the registry's member.
func (Request) Operation() *op.Operation { return &Operation }

// An Item is what is judged.
type Item struct {
	Kind      string `json:"kind" is:"inputs"` // text or image
	Text      string `json:"text,omitempty"`
	MediaType string `json:"media_type,omitempty"`
	Data      string `json:"data,omitempty"` // the bytes in base64
	URL       string `json:"url,omitempty"`
}

// A Result has one verdict for each item, in the order of the items.
type Result struct {
	Verdicts []Verdict `json:"verdicts"`
}

// A Verdict is what the model says of one item.
type Verdict struct {
	Flagged    catalog.Opt[bool] `json:"flagged,omitzero"` // where the answer says so
	Categories []Category        `json:"categories"`       // in the contract's order
}

// A Category is one of the model's fixed ones.
type Category struct {
	Name    string            `json:"name"`
	Score   catalog.Decimal   `json:"score"`
	Flagged catalog.Opt[bool] `json:"flagged,omitzero"`
}
