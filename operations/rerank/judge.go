package rerank

import (
	"github.com/opcat/opcat/catalog"
	"github.com/opcat/opcat/operations/op"
)

func limit(c *catalog.Contract, name string) (n catalog.Opt[int64]) {
	l := c.Reranking.Limits
	if l == nil {
		return n
	}
	switch name {
	case "documents":
		return l.Documents
	case "query_tokens":
		return l.QueryTokens
	case "document_tokens":
		return l.DocumentTokens
	case "request_tokens":
		return l.RequestTokens
	}
	return n
}

// units bounds the search units of a request: one holds so many documents, and a
// document that is longer, with the query, than what a unit allows counts as
// several. -1 if nobody said what a unit holds.
func units(c *catalog.Contract, n *op.Needs) int64 {
	u := c.Reranking.SearchUnit
	if u == nil {
		return -1
	}
	documents := n.Size("documents").Most
	if tokens, ok := u.DocumentTokens.Get(); ok {
		pair := n.Size("pair_tokens")
		if pair.Open {
			return -1
		}
		if pair.Most > tokens {
			query := n.Size("query_tokens").Most
			documents += (n.Tokens.Most + documents*query) / tokens
		}
	}
	return (documents + u.Documents - 1) / u.Documents
}
