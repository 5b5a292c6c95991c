package rerank

import (
	"github.com/opcat/opcat/catalog"
	"github.com/opcat/opcat/operations/op"
)

// A Request asks how well each document answers a query.
type Request struct {
	Query     string     `json:"query"`
	Documents []Document `json:"documents" is:"some"`
	Settings  Settings   `json:"settings,omitzero"`

	// InputTokens is how many tokens the caller counted in all of it. Unknown: the
	// bytes bound them.
	InputTokens catalog.Opt[int64] `json:"input_tokens,omitzero" is:"0.."`
}

// Operation is the registry's member.
func (Request) Operation() *op.Operation { return &Operation }

// A Document is one candidate.
type Document struct {
	Kind      string `json:"kind" is:"inputs"` // text or image
	Text      string `json:"text,omitempty"`
	Data      string `json:"data,omitempty"` // an image's bytes in base64
	MediaType string `json:"media_type,omitempty"`
	URL       string `json:"url,omitempty"`
}

// Settings are the options of a request. What is left out is not sent.
type Settings struct {
	TopN     catalog.Opt[int64] `json:"top_n,omitzero"`
	Truncate string             `json:"truncate,omitempty"` // none, start or end
}

// A Result ranks documents, best first.
type Result struct {
	Scores []Score `json:"scores"` // one for each document, or top_n of them
}

// A Score is how well one document fits.
type Score struct {
	Document int64           `json:"document" is:"0.."` // its place in the request, from 0
	Score    catalog.Decimal `json:"score"`             // as the wire gave it; the contract says its range
}
