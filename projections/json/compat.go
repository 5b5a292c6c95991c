package json

import (
	"slices"
	"strconv"

	"github.com/opcat/opcat/catalog"
	"github.com/opcat/opcat/internal/canon"
	"github.com/opcat/opcat/internal/hugepage"
	"github.com/opcat/opcat/operations/embedding"
	"github.com/opcat/opcat/projections/emit"
)

// compat renders rows in the fields of older catalogs, for readers that are not
// rewritten yet: pricing as the format 0 has it, cost as models.dev does. It is
// derived from limits, prices and contracts, and nothing reads it back.
//
// An old field is written only where its name is still true: a price where one entry
// without a condition states it, context_over_200k where the tier begins at exactly
// 200,000 tokens, an operation where the old form has a word for it. A row of whose
// operations it has none is left out, since old readers take a row that says nothing
// for a chat model.
func compat(c *catalog.Catalog) emit.File {
	b := append(hugepage.Make[byte](200 + rowRoom*c.Len())[:0], head("opcat.compat@1", c)...)
	b = append(b, ",\n\"models\":{"...)
	between := "\n"
	var prices []catalog.Price
	for r := range c.Refs() {
		operations := r.Operations()
		if !slices.ContainsFunc(operations, func(o string) bool { return oldWord(o) != "" }) {
			continue
		}
		prices = r.AppendPrices(prices[:0])
		b = append(b, between...)
		between = ",\n"
		b = canon.AppendString(b, r.ID())
		b = append(b, ':')
		b = appendCompat(b, r, operations, plainAmounts(prices))
	}
	if between != "\n" {
		b = append(b, '\n')
	}
	return emit.File{Path: "compat.json", Data: append(b, "}\n}\n"...)}
}

// rowRoom is more than most rows take. Room that is not written to costs little.
const rowRoom = 512

// oldWord is the word for an operation in format 0; "" if it has none.
func oldWord(operation string) string {
	switch operation {
	case "text_generation", "embedding":
		return operation
	case "decision_evaluation":
		return "decision"
	}
	return ""
}

func appendCompat(b []byte, r catalog.Ref, operations []string, prices [2]amounts) []byte {
	text := func(key, value string) {
		if value != "" {
			b = canon.AppendString(append(b, key...), value)
		}
	}
	count := func(key string, n catalog.Opt[int64]) {
		if v, ok := n.Get(); ok {
			b = strconv.AppendInt(append(b, key...), v, 10)
		}
	}
	chat := r.Has("text_generation")
	table := func(key string, names [4]string, a amounts) bool {
		if !a[0].IsKnown() || !a[1].IsKnown() && chat {
			return false
		}
		b = append(append(b, key...), '{')
		for i, d := range a {
			if d.IsKnown() {
				if i > 0 { // the first is known
					b = append(b, ',')
				}
				b = append(append(b, names[i]...), d...) // a decimal is a number of JSON, with every digit
			}
		}
		return true
	}

	id, provider := r.ID(), r.Provider()
	b = append(b, '{')
	if name := r.Name(); name != "" {
		text(`"name":`, name)
		b = append(b, ',')
	}
	text(`"provider":`, provider)
	text(`,"wire_model":`, id[len(provider)+1:])
	b = appendWords(append(b, `,"operations":`...), operations, oldWord)
	limits := r.Limits()
	count(`,"context_window":`, limits.ContextTokens)
	count(`,"max_output_tokens":`, limits.OutputTokens)
	b = appendWords(append(b, `,"modalities":{"input":`...), r.InputKinds(operations[0]), nil)
	b = append(b, '}')
	if r.Has(embedding.Operation.Name) {
		contract, _ := r.Contract(embedding.Operation.Name)
		if e := contract.Embedding; e != nil && e.Dimensions != nil {
			count(`,"embedding_dim":`, catalog.Known(e.Dimensions.Default))
		}
		count(`,"embedding_max_tokens":`, embedding.Operation.Limit(&contract, "input_tokens"))
	}
	if table(`,"pricing":`, [4]string{`"input_per_mtok":`, `"output_per_mtok":`, `"cache_read_per_mtok":`, `"cache_write_per_mtok":`}, prices[0]) {
		b = append(b, '}')
		cost := [4]string{`"input":`, `"output":`, `"cache_read":`, `"cache_write":`}
		table(`,"cost":`, cost, prices[0])
		if table(`,"context_over_200k":`, cost, prices[1]) {
			b = append(b, '}')
		}
		b = append(b, '}')
	}
	if l := r.Lifecycle(); l != nil {
		if l.Deprecated.Or(false) {
			b = append(b, `,"deprecated":true`...)
		}
		text(`,"deprecation_note":`, l.Note)
		text(`,"sunset_date":`, string(l.EndsOn))
		text(`,"retires_on":`, string(l.AnnouncedEnd))
		text(`,"superseded_by":`, l.Successor)
	}
	return append(b, '}')
}

// appendWords appends a list of words, as they are or as other words say them. What
// has no other word is left out.
func appendWords(b []byte, words []string, other func(string) string) []byte {
	b = append(b, '[')
	first := true
	for _, w := range words {
		if other != nil {
			if w = other(w); w == "" {
				continue
			}
		}
		if !first {
			b = append(b, ',')
		}
		b, first = canon.AppendString(b, w), false
	}
	return append(b, ']')
}

// amounts are what a million tokens of each of oldMeters cost; unknown where no entry
// says so.
type amounts [4]catalog.Decimal

var oldMeters = [4]string{"input_token", "output_token", "cache_read_token", "cache_write_token"}

// plainAmounts are the amounts of entries without a condition, and of those that hold
// above 200,000 tokens of input and under no other.
func plainAmounts(prices []catalog.Price) (plain [2]amounts) {
	for i := range prices {
		p := &prices[i]
		tier := 0
		switch p.AboveInputTokens.Or(0) {
		case 0:
		case 200_000:
			tier = 1
		default:
			continue
		}
		if p.ServiceTier != "" && p.ServiceTier != "standard" || p.Untrusted || p.Operation != "" || p.CacheLifetime != "" ||
			p.Region != "" || p.Variant != "" || p.ValidFrom != "" || p.ValidUntil != "" || p.Window != nil {
			continue
		}
		if m := slices.Index(oldMeters[:], p.Meter); m >= 0 && plain[tier][m] == "" {
			plain[tier][m] = p.USDPerMillion
		}
	}
	return plain
}
