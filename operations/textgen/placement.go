package textgen

import "github.com/opcat/opcat/catalog"

// Transport is how a contract takes a response schema; what it leaves unsaid is
// the wire's own place.
func Transport(c *catalog.Contract, own string) string {
	if s := c.TextGeneration.Structured; s != nil && s.Transport != "" {
		return s.Transport
	}
	return own
}

// HasBreakpoint reports whether a contract's cache is asked for by marking a
// place in the request.
func HasBreakpoint(c *catalog.Contract) bool {
	k := c.TextGeneration.Cache
	return k != nil && (k.Breakpoint == "top_level" || k.Breakpoint == "last_block")
}

// minBudget is the least budget of thinking that Anthropic takes; it has to be
// less than the cap.
const minBudget = 1024

// ThinkingBudget is how many of the tokens of an answer may be spent on thinking
// where the wire wants a number and no setting holds one: half of the cap, so
// that the answer has the other half, and no more than the contract allows; -1 if
// neither says anything.
func ThinkingBudget(c *catalog.Contract, outputCap int64, capped bool) int64 {
	limit := int64(-1)
	if r := c.TextGeneration.Reasoning; r != nil {
		limit = r.MaxBudgetTokens.Or(-1)
	}
	if !capped {
		return limit
	}
	budget := max(minBudget, outputCap/2)
	if limit > 0 {
		budget = min(budget, limit)
	}
	return budget
}
