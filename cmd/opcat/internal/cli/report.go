package cli

import (
	"slices"
	"sync"
)

// report gathers what the envelope says beside the data, on success and on failure
// alike. A signal may ask for it while the command still runs, hence the lock.
type report struct {
	mu         sync.Mutex
	cost       NanoUSD
	uncertain  NanoUSD // the part of cost that is only possibly spent
	tokens     int64
	untold     bool // usage is unknown
	runDir     string
	pagination *Pagination
	truncated  bool
	hint       string
	warnings   []Warning
}

func (r *report) paginate(p Pagination) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.pagination = &p
}

func (r *report) truncate(hint string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.truncated {
		r.truncated, r.hint = true, oneLine(hint, maxMessage)
	}
}

func (r *report) warn(w ...Warning) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.warnings = append(r.warnings, w...)
}

func (r *report) spend(known, uncertain NanoUSD) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.cost += known + uncertain
	r.uncertain += uncertain
}

func (r *report) use(tokens int64, known bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.tokens += tokens
	r.untold = r.untold || !known
}

func (r *report) setRunDir(path string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.runDir = path
}

// meta is the envelope's meta, in the contract's order.
type meta struct {
	Schema         string      `json:"schema"`
	DurationMS     int64       `json:"duration_ms"`
	CostUSD        NanoUSD     `json:"cost_usd"`
	CostUncertain  NanoUSD     `json:"cost_uncertain_usd,omitempty"`
	LLMTokens      *int64      `json:"llm_tokens,omitempty"` // absent: unknown
	Pagination     *Pagination `json:"pagination,omitempty"`
	Truncated      *bool       `json:"truncated,omitempty"` // absent: not a bounded result
	TruncationHint string      `json:"truncation_hint,omitempty"`
	RunDir         string      `json:"run_dir,omitempty"`
	Outcome        outcomeJSON `json:"outcome"`
	Warnings       []Warning   `json:"warnings,omitempty"`
}

// meta takes the report down as it stands. The fields of a page are of a result
// alone; a failure has none.
func (r *report) meta(ok, bounded bool) meta {
	r.mu.Lock()
	defer r.mu.Unlock()
	m := meta{CostUSD: r.cost, CostUncertain: r.uncertain, RunDir: r.runDir, Warnings: slices.Clone(r.warnings)}
	if tokens := r.tokens; !r.untold {
		m.LLMTokens = &tokens
	}
	if ok && bounded {
		truncated := r.truncated
		m.Pagination, m.Truncated, m.TruncationHint = r.pagination, &truncated, r.hint
	}
	return m
}
