package openai_decisions

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/opcat/opcat/catalog"
	"github.com/opcat/opcat/dispatch/internal/openai"
	"github.com/opcat/opcat/dispatch/internal/questions"
	"github.com/opcat/opcat/dispatch/internal/systemone"
	"github.com/opcat/opcat/dispatch/wire"
	"github.com/opcat/opcat/internal/lent"
	"github.com/opcat/opcat/operations"
	"github.com/opcat/opcat/operations/decision"
)

type body struct {
	Model   string           `json:"model"`
	Answers []jsontext.Value `json:"answers"`
	Usage   struct {
		Input        jsontext.Value `json:"input_tokens"`
		InputDetails struct {
			Cached  jsontext.Value `json:"cached_tokens"`
			Written jsontext.Value `json:"cache_write_tokens"`
		} `json:"input_tokens_details"`
		Output jsontext.Value `json:"output_tokens"`
	} `json:"usage"`
}

type answer struct {
	Type          string         `json:"type"`
	Name          *string        `json:"name"`
	Probability   wire.Number    `json:"probability"`
	Choice        jsontext.Value `json:"choice"`
	Score         wire.Number    `json:"score"`
	Confidence    jsontext.Value `json:"confidence"`
	Probabilities []row          `json:"probabilities"`
}

type row struct {
	Value       jsontext.Value `json:"value"`
	Label       string         `json:"label"`
	Probability wire.Number    `json:"probability"`
}

var members = []string{"type", "name", "probability", "choice", "score", "confidence", "probabilities"}

func decode(a operations.Admitted[decision.Request], r wire.Response) (wire.Answer[decision.Result], *wire.Failure) {
	if f := openai.Failure(r); f != nil {
		return wire.Answer[decision.Result]{}, f
	}
	var b body
	if err := json.Unmarshal(r.Body, &b); err != nil {
		return wire.Answer[decision.Result]{}, wire.BadAnswer(r, err)
	}
	if err := questions.Spelled(r.Body, systemone.Members); err != nil {
		return wire.Answer[decision.Result]{}, wire.BadAnswer(r, err)
	}
	meta := wire.Meta{Served: b.Model, RequestID: r.Header.Get("X-Request-Id")}
	b.count(&meta)
	list := a.Lent(lent.Own()).Questions
	if len(b.Answers) != len(list) {
		return systemone.Bad(r, meta, fmt.Errorf("%d answers to %d questions", len(b.Answers), len(list)))
	}
	var result decision.Result
	for i, q := range list {
		out, err := read(q, b.Answers[i], a.Contract().DecisionEvaluation.ProbabilityDecimals)
		if err != nil {
			return systemone.Bad(r, meta, fmt.Errorf("the answer to %q: %w", q.ID, err))
		}
		result.Answers = append(result.Answers, out)
	}
	return wire.Answer[decision.Result]{Result: result, Meta: meta}, nil
}

// count states the usage: tokens that were cached or written to the cache are
// among the input tokens.
func (b *body) count(m *wire.Meta) {
	var t wire.Tally
	input, counted := t.Count("usage.input_tokens", b.Usage.Input)
	cached, hasCached := t.Count("usage.input_tokens_details.cached_tokens", b.Usage.InputDetails.Cached)
	written, hasWritten := t.Count("usage.input_tokens_details.cache_write_tokens", b.Usage.InputDetails.Written)
	output, hasOutput := t.Count("usage.output_tokens", b.Usage.Output)
	rest := t.Inside("usage.input_tokens", input, cached, written)
	m.UsageError = t.Err
	if !counted || t.Err != "" {
		m.Usage.Unknown = []string{"input_token"}
		return
	}
	m.Usage.Add("input_token", rest)
	if hasCached {
		m.Usage.Add("cache_read_token", cached)
	}
	if hasWritten {
		m.Usage.Add("cache_write_token", written)
	}
	if hasOutput {
		m.Usage.Add("output_token", output)
	} else {
		m.Usage.Unknown = append(m.Usage.Unknown, "output_token")
	}
}

func read(q decision.Question, v jsontext.Value, decimals catalog.Opt[int64]) (decision.Answer, error) {
	if err := questions.Spelled(v, members); err != nil {
		return decision.Answer{}, err
	}
	var a answer
	if err := json.Unmarshal(v, &a); err != nil {
		return decision.Answer{}, err
	}
	if a.Name == nil || *a.Name != q.ID {
		return decision.Answer{}, fmt.Errorf("the one at its place has another name or none")
	}
	out := decision.Answer{ID: q.ID, Kind: q.Kind}
	if a.Type == decision.Refused {
		out.Kind = decision.Refused
		return out, nil
	}
	if a.Type != types[q.Kind] {
		return decision.Answer{}, fmt.Errorf("it is of type %.40q, and %q was asked", a.Type, types[q.Kind])
	}
	var err error
	if out.Confidence, err = questions.Confidence(a.Confidence); err != nil {
		return decision.Answer{}, err
	}
	switch q.Kind {
	case "boolean":
		out.Probability, err = questions.Probability(a.Probability)
	case "choice":
		err = readChoice(&out, q, a, decimals)
	case "score":
		err = readScore(&out, q, a, decimals)
	}
	return out, err
}

func readChoice(out *decision.Answer, q decision.Question, a answer, decimals catalog.Opt[int64]) error {
	chosen := option(q.Options, a.Choice)
	if chosen < 0 {
		return fmt.Errorf("it chooses what is no option")
	}
	out.Choice, out.Option = q.Options[chosen].Label, catalog.Known(int64(chosen))
	places := make([]int, len(a.Probabilities))
	for i, r := range a.Probabilities {
		places[i] = option(q.Options, r.Value)
	}
	return spread(out, a.Probabilities, places, len(q.Options), decimals, func() error {
		return questions.Likeliest(out.Probabilities, chosen)
	})
}

// option is the place of the option that a value is, by type and value; -1 if it
// is none.
func option(options []decision.Option, v jsontext.Value) int {
	return slices.IndexFunc(options, func(o decision.Option) bool {
		if yes, ok := o.Yes.Get(); ok {
			return string(v) == strconv.FormatBool(yes)
		}
		var s string
		return v.Kind() == '"' && json.Unmarshal(v, &s) == nil && s == o.Label
	})
}

func readScore(out *decision.Answer, q decision.Question, a answer, decimals catalog.Opt[int64]) error {
	score, err := a.Score.Decimal()
	if err != nil {
		return fmt.Errorf("it has no score")
	}
	out.Score = score
	places := make([]int, len(a.Probabilities))
	for i, r := range a.Probabilities {
		n, err := strconv.Atoi(string(r.Value))
		if err != nil || n < 0 || n >= len(q.Levels) || r.Label != q.Levels[n] {
			return fmt.Errorf("its probabilities are of levels that the question does not have")
		}
		places[i] = n
	}
	return spread(out, a.Probabilities, places, len(q.Levels), decimals, func() error {
		return questions.Mean(score, out.Probabilities, len(q.Levels), decimals)
	})
}

// spread puts the rows of a distribution into declared order and checks it.
func spread(out *decision.Answer, rows []row, places []int, n int, decimals catalog.Opt[int64], check func() error) error {
	if len(rows) != n {
		return fmt.Errorf("it has %d probabilities for %d options", len(rows), n)
	}
	ps := make([]catalog.Decimal, n)
	for i, r := range rows {
		p, err := questions.Probability(r.Probability)
		if err != nil {
			return err
		}
		if places[i] < 0 || ps[places[i]] != "" {
			return fmt.Errorf("its probabilities are not one for each option")
		}
		ps[places[i]] = p
	}
	out.Probabilities = ps
	if err := questions.Sum(ps, decimals); err != nil {
		return err
	}
	return check()
}
