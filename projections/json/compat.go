package json

import (
	"slices"
	"strconv"

	"github.com/opcat/opcat/catalog"
	"github.com/opcat/opcat/internal/canon"
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
func compat(w *emit.Work) emit.File {
	var rows compatWriter
	written := emit.OfProviders(w, "compat", nil, func(provider int) string {
		return rows.of(w.Catalog, w.ProviderIDAt(provider))
	})
	f := emit.File{Path: "compat.json", Data: append(head("opcat.compat@1", w.Catalog), ",\n\"models\":{"...)}
	for _, provider := range w.ByRows() {
		if text := written[provider]; text != "" {
			if f.More == nil {
				text = text[len(","):]
			}
			f.More = append(f.More, text)
		}
	}
	if f.More != nil {
		f.More = append(f.More, "\n")
	}
	f.More = append(f.More, "}\n}\n")
	return f
}

// A compatWriter has the room that rows are written in.
type compatWriter struct {
	b      []byte
	prices []catalog.Price
}

// of writes the rows of a provider, each behind a comma and on a line of its own.
func (w *compatWriter) of(c *catalog.Catalog, provider string) string {
	b := w.b[:0]
	for r := range c.RefsOf(provider) {
		operations := r.Operations()
		if !slices.ContainsFunc(operations, func(o string) bool { return oldWord(o) != "" }) {
			continue
		}
		w.prices = r.AppendPrices(w.prices[:0])
		b = append(b, ",\n"...)
		b = canon.AppendString(b, r.ID())
		b = append(b, ':')
		b = appendCompat(b, r, operations, plainAmounts(w.prices))
	}
	w.b = b
	return string(b)
}

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
