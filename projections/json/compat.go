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
func compat(c *catalog.Catalog) emit.File {
	b := append(make([]byte, 0, 200+350*c.Len()), head("opcat.compat@1", c)...)
	b = append(b, ",\n\"models\":{"...)
	between := "\n"
	var prices []catalog.Price
	var words []string
	for r := range c.Refs() {
		words = words[:0]
		for _, o := range r.Operations() {
			if word := oldWord(o); word != "" {
				words = append(words, word)
			}
		}
		if len(words) == 0 {
			continue
		}
		prices = r.AppendPrices(prices[:0])
		b = append(b, between...)
		between = ",\n"
		b = canon.AppendString(b, r.ID())
		b = append(b, ':')
		b = appendCompat(b, r, words, prices)
	}
	if between != "\n" {
		b = append(b, '\n')
	}
	return emit.File{Path: "compat.json", Data: append(b, "}\n}\n"...)}
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

func appendCompat(b []byte, r catalog.Ref, operations []string, prices []catalog.Price) []byte {
	b = append(b, '{')
	name := func(key string) {
		if b[len(b)-1] != '{' {
			b = append(b, ',')
		}
		b = append(canon.AppendString(b, key), ':')
	}
	text := func(key, value string) {
		if value != "" {
			name(key)
			b = canon.AppendString(b, value)
		}
	}
	count := func(key string, n catalog.Opt[int64]) {
		if v, ok := n.Get(); ok {
			name(key)
			b = strconv.AppendInt(b, v, 10)
		}
	}
	list := func(key string, words []string) {
		name(key)
		b = append(b, '[')
		for i, w := range words {
			if i > 0 {
				b = append(b, ',')
			}
			b = canon.AppendString(b, w)
		}
		b = append(b, ']')
	}
	amounts := func(key string, wanted [][2]string, above int64, more func()) {
		input, output := plain(prices, "input_token", above), plain(prices, "output_token", above)
		if !input.IsKnown() || !output.IsKnown() && r.Has("text_generation") {
			return
		}
		name(key)
		b = append(b, '{')
		for _, w := range wanted {
			if d := plain(prices, w[1], above); d.IsKnown() {
				name(w[0])
				b = append(b, d...) // a decimal is a number of JSON, with every digit
			}
		}
		more()
		b = append(b, '}')
	}

	text("name", r.Name())
	text("provider", r.Provider())
	text("wire_model", r.ID()[len(r.Provider())+1:])
	list("operations", operations)
	limits := r.Limits()
	count("context_window", limits.ContextTokens)
	count("max_output_tokens", limits.OutputTokens)
	name("modalities")
	b = append(b, '{')
	list("input", r.InputKinds(r.Operations()[0]))
	b = append(b, '}')
	if r.Has(embedding.Operation.Name) {
		contract, _ := r.Contract(embedding.Operation.Name)
		if e := contract.Embedding; e != nil && e.Dimensions != nil {
			count("embedding_dim", catalog.Known(e.Dimensions.Default))
		}
		count("embedding_max_tokens", embedding.Operation.Limit(&contract, "input_tokens"))
	}
	nothing := func() {}
	amounts("pricing", [][2]string{{"input_per_mtok", "input_token"}, {"output_per_mtok", "output_token"}, {"cache_read_per_mtok", "cache_read_token"}, {"cache_write_per_mtok", "cache_write_token"}}, 0, nothing)
	cost := [][2]string{{"input", "input_token"}, {"output", "output_token"}, {"cache_read", "cache_read_token"}, {"cache_write", "cache_write_token"}}
	amounts("cost", cost, 0, func() { amounts("context_over_200k", cost, 200_000, nothing) })
	if l := r.Lifecycle(); l != nil {
		if l.Deprecated.Or(false) {
			name("deprecated")
			b = append(b, "true"...)
		}
		text("deprecation_note", l.Note)
		text("sunset_date", string(l.EndsOn))
		text("retires_on", string(l.AnnouncedEnd))
		text("superseded_by", l.Successor)
	}
	return append(b, '}')
}

// plain is what a million tokens of a meter cost above so many tokens of input and
// under no other condition; unknown where no entry, or more than one, says so.
func plain(prices []catalog.Price, meter string, above int64) catalog.Decimal {
	i := slices.IndexFunc(prices, func(p catalog.Price) bool {
		return p.Meter == meter && p.AboveInputTokens.Or(0) == above && (p.ServiceTier == "" || p.ServiceTier == "standard") && !p.Untrusted &&
			p.Operation == "" && p.CacheLifetime == "" && p.Region == "" && p.Variant == "" && p.ValidFrom == "" && p.ValidUntil == "" && p.Window == nil
	})
	if i < 0 {
		return ""
	}
	return prices[i].USDPerMillion
}
