// Package seam maps what tools print onto what a job reports.
//
// A job runs tools by the tool contract, each run giving an envelope and an exit, and
// then reports once: did it go well, what went wrong, what it cost. Neither contract
// owns the step between them; this package does. Costs add up exactly, an unknown
// cost or usage makes the sum unknown and not low, errors are forwarded as they are,
// and nothing that a gate refused is ever to be tried again.
package seam

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/big"
	"regexp"
	"slices"
	"strings"
	"sync"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// A Run is one run of a tool: what it printed with --json, and its exit. A process
// that a signal ended has an exit below 0, and perhaps no envelope.
type Run struct {
	Envelope []byte
	Exit     int
}

// A JobResult is what a job reports of its runs.
type JobResult struct {
	OK bool `json:"ok"` // every run succeeded, and did all that it was asked to

	Errors []jsontext.Value `json:"errors"` // of the envelopes, as they were printed

	// Dollars, exactly; "" and absent where a run's cost is unknown.
	CostUSD          json.Number `json:"cost_usd,omitempty"`
	CostUncertainUSD json.Number `json:"cost_uncertain_usd,omitempty"` // the part only possibly spent; absent when 0

	LLMTokensUsed *int64 `json:"llm_tokens_used,omitempty"` // absent where a run's usage is unknown

	Artifacts []Artifact `json:"artifacts"`
	Next      []Next     `json:"next"`
}

// An Artifact is where a run left files.
type Artifact struct {
	Tool    string `json:"tool"`
	Command string `json:"command"`
	RunDir  string `json:"run_dir"`
}

// An Action is what may be done about a run.
type Action string

// The actions there are. Nothing that exited 5 is ever Retry or Resume.
const (
	Retry   Action = "retry"   // the same call could succeed later
	Resume  Action = "resume"  // a partial apply: the same call goes on where it stopped
	Approve Action = "approve" // a gate said no: a person or a policy decides
)

// A Next is one thing that may be done.
type Next struct {
	Action  Action `json:"action"`
	Tool    string `json:"tool"`
	Command string `json:"command"`
	Code    string `json:"code"`
}

// envelope is what is read of one.
type envelope struct {
	OK      *bool          `json:"ok"`
	Tool    string         `json:"tool"`
	Command string         `json:"command"`
	Data    jsontext.Value `json:"data"`
	Error   jsontext.Value `json:"error"`
	Meta    *struct {
		CostUSD   jsontext.Value `json:"cost_usd"`
		Uncertain jsontext.Value `json:"cost_uncertain_usd"`
		Tokens    jsontext.Value `json:"llm_tokens"`
		RunDir    string         `json:"run_dir"`
	} `json:"meta"`
}

// The exits that matter here.
const (
	exitUpstream = 4
	exitPolicy   = 5
)

// Map maps runs onto one result. It never fails: a run that left nothing readable is
// a run that failed, at an unknown cost.
func Map(runs []Run) JobResult {
	j := JobResult{OK: true, Errors: []jsontext.Value{}, Artifacts: []Artifact{}, Next: []Next{}}
	cost, uncertain, tokens := new(big.Rat), new(big.Rat), int64(0)
	costKnown, tokensKnown := true, true
	for _, r := range runs {
		e, err := read(r.Envelope)
		if err != nil {
			j.OK, costKnown, tokensKnown = false, false, false
			j.Errors = append(j.Errors, internal(fmt.Sprintf("the tool ended with exit %d and left no envelope: %v", r.Exit, err)))
			continue
		}
		j.add(e, r.Exit)
		for _, part := range []struct {
			text jsontext.Value
			sum  *big.Rat
		}{{e.Meta.CostUSD, cost}, {e.Meta.Uncertain, uncertain}} {
			n, ok := decimal(part.text)
			if part.sum == uncertain && part.text == nil {
				continue // absent is none of it
			}
			if costKnown = costKnown && ok; ok {
				part.sum.Add(part.sum, n)
			}
		}
		n, ok := integer(e.Meta.Tokens)
		if tokensKnown = tokensKnown && ok; ok {
			sum := tokens + n
			tokensKnown = tokensKnown && sum >= tokens
			tokens = sum
		}
	}
	if costKnown {
		j.CostUSD = spell(cost)
		if uncertain.Sign() > 0 {
			j.CostUncertainUSD = spell(uncertain)
		}
	}
	if tokensKnown {
		j.LLMTokensUsed = &tokens
	}
	return j
}

// add takes up one run but for its figures.
func (j *JobResult) add(e *envelope, exit int) {
	if e.Meta.RunDir != "" {
		j.Artifacts = append(j.Artifacts, Artifact{e.Tool, e.Command, e.Meta.RunDir})
	}
	var failed struct {
		Code      string `json:"code"`
		Retryable bool   `json:"retryable"`
	}
	next := func(a Action, code string) {
		j.Next = append(j.Next, Next{a, e.Tool, e.Command, code})
	}
	switch {
	case *e.OK && exit == 0:
		if partial(e) {
			j.OK = false
			next(Resume, "PARTIAL_APPLY")
		}
		return
	case *e.OK: // it did its work and was stopped, or lies
		j.OK = false
		j.Errors = append(j.Errors, internal(fmt.Sprintf("'%s %s' said ok and ended with exit %d", e.Tool, e.Command, exit)))
		return
	}
	j.OK = false
	if e.Error.Kind() != '{' || jsonv2.Unmarshal(e.Error, &failed) != nil || failed.Code == "" {
		j.Errors = append(j.Errors, internal(fmt.Sprintf("'%s %s' failed with exit %d and no error", e.Tool, e.Command, exit)))
	} else {
		j.Errors = append(j.Errors, slices.Clone(e.Error))
	}
	switch {
	case exit == exitPolicy:
		next(Approve, failed.Code)
	case exit == exitUpstream && failed.Retryable && failed.Code == "PARTIAL_APPLY":
		next(Resume, failed.Code)
	case exit == exitUpstream && failed.Retryable:
		next(Retry, failed.Code)
	}
}

// partial reports whether an apply landed some of its items and not others.
func partial(e *envelope) bool {
	var data struct {
		Status string `json:"status"`
	}
	return strings.HasSuffix(" "+e.Command, " apply") && jsonv2.Unmarshal(e.Data, &data) == nil && data.Status == "partial"
}

// maxEnvelope bounds what is read.
const maxEnvelope = 64 << 20

// read reads an envelope strictly enough to trust what it says.
func read(text []byte) (*envelope, error) {
	text = bytes.TrimSpace(text)
	switch {
	case len(text) == 0:
		return nil, fmt.Errorf("stdout is empty")
	case len(text) > maxEnvelope:
		return nil, fmt.Errorf("stdout has %d bytes", len(text))
	}
	e := new(envelope)
	if err := jsonv2.Unmarshal(text, e); err != nil {
		return nil, fmt.Errorf("stdout is no envelope")
	}
	if e.OK == nil || e.Meta == nil {
		return nil, fmt.Errorf("stdout is JSON and no envelope")
	}
	return e, nil
}

// internal is the error object of what no tool reported.
func internal(message string) jsontext.Value {
	text, err := jsonv2.Marshal(struct {
		Code      string `json:"code"`
		Message   string `json:"message"`
		Retryable bool   `json:"retryable"`
	}{"INTERNAL", strings.ToValidUTF8(message, "?"), false})
	if err != nil { // strings always marshal
		return jsontext.Value(`{"code":"INTERNAL","message":"","retryable":false}`)
	}
	return text
}

// number is a JSON number that stands for an amount: encoders write small ones with
// an exponent.
var number = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^[0-9]{1,20}(\.[0-9]{1,30})?([eE][+-]?[0-9]{1,2})?$`)
})

// decimal reads an amount of 0 or more, exactly.
func decimal(text jsontext.Value) (*big.Rat, bool) {
	if !number().Match(text) {
		return nil, false
	}
	return new(big.Rat).SetString(string(text))
}

// integer reads a count. A whole number in another spelling is one too.
func integer(text jsontext.Value) (int64, bool) {
	n, ok := decimal(text)
	if !ok || !n.IsInt() || !n.Num().IsInt64() {
		return 0, false
	}
	return n.Num().Int64(), true
}

// spell writes an amount with as many decimals as it has.
func spell(n *big.Rat) json.Number {
	digits, _ := n.FloatPrec()
	return json.Number(n.FloatString(digits))
}
