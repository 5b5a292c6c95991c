package questions

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/opcat/opcat/catalog"
	"github.com/opcat/opcat/dispatch/wire"
	"github.com/opcat/opcat/operations/decision"
)

// answer is what any protocol with a map of answers says of one question.
type answer struct {
	Type          string                 `json:"type"`
	Noul          wire.Number            `json:"noul"`
	Probability   wire.Number            `json:"probability"`
	Choice        *string                `json:"choice"`
	Score         wire.Number            `json:"score"`
	Probabilities map[string]wire.Number `json:"probabilities"`
	Legend        jsontext.Value         `json:"legend"`
	Confidence    jsontext.Value         `json:"confidence"`
	Box           *box                   `json:"box"`
}

type box struct {
	Top    wire.Number `json:"top"`
	Bottom wire.Number `json:"bottom"`
	Left   wire.Number `json:"left"`
	Right  wire.Number `json:"right"`
}

var members = []string{"type", "noul", "probability", "choice", "score", "probabilities", "legend", "confidence", "box"}

// Read reads the answers of a map. The ids have to be those of the questions, to
// the byte. Decimals is how many a contract promises of a probability; unknown:
// as many as the answer shows.
func (f Form) Read(list []decision.Question, answers map[string]jsontext.Value, decimals catalog.Opt[int64]) (decision.Result, error) {
	if answers == nil {
		return decision.Result{}, fmt.Errorf("the answer has no answers")
	}
	var r decision.Result
	for _, q := range list {
		v, ok := answers[q.ID]
		if !ok {
			return decision.Result{}, fmt.Errorf("question %q has no answer", q.ID)
		}
		a, err := f.answer(q, v, decimals)
		if err != nil {
			return decision.Result{}, fmt.Errorf("the answer to %q: %w", q.ID, err)
		}
		r.Answers = append(r.Answers, a)
	}
	if len(answers) != len(list) {
		return decision.Result{}, fmt.Errorf("%d answers to %d questions", len(answers), len(list))
	}
	return r, nil
}

func (f Form) answer(q decision.Question, v jsontext.Value, decimals catalog.Opt[int64]) (decision.Answer, error) {
	if err := Spelled(v, members); err != nil {
		return decision.Answer{}, err
	}
	var a answer
	if err := json.Unmarshal(v, &a); err != nil {
		return decision.Answer{}, err
	}
	out := decision.Answer{ID: q.ID, Kind: q.Kind}
	if a.Type == decision.Refused {
		out.Kind = decision.Refused
		return out, nil
	}
	want := q.Kind
	if want == "boolean" {
		want = f.Boolean
	}
	if a.Type != want {
		return decision.Answer{}, fmt.Errorf("it is of type %.40q, and %q was asked", a.Type, want)
	}
	var err error
	if out.Confidence, err = Confidence(a.Confidence); err != nil {
		return decision.Answer{}, err
	}
	switch q.Kind {
	case "boolean":
		err = f.boolean(&out, a)
	case "choice":
		err = f.choice(&out, q, a, decimals)
	case "score":
		err = f.score(&out, q, a, decimals)
	case "box":
		err = readBox(&out, a.Box)
	}
	return out, err
}

func (f Form) boolean(out *decision.Answer, a answer) error {
	n, other := a.Noul, a.Probability
	if f.Probability == "probability" {
		n, other = other, n
	}
	if other != "" {
		return fmt.Errorf("its probability stands under the name of another protocol")
	}
	p, err := Probability(n)
	if err != nil {
		return err
	}
	out.Probability = p
	if f.BooleanSure && out.Confidence.IsKnown() {
		return sure(p, out.Confidence)
	}
	return nil
}

func (f Form) choice(out *decision.Answer, q decision.Question, a answer, decimals catalog.Opt[int64]) error {
	if a.Choice == nil {
		return fmt.Errorf("it makes no choice")
	}
	i := slices.IndexFunc(q.Options, func(o decision.Option) bool { return o.Label == *a.Choice })
	if i < 0 {
		return fmt.Errorf("it chooses what is no option")
	}
	out.Choice, out.Option = *a.Choice, catalog.Known(int64(i))
	labels := make([]string, len(q.Options))
	for k, o := range q.Options {
		labels[k] = o.Label
	}
	var err error
	if out.Probabilities, err = f.distribution(labels, a.Probabilities, decimals); err != nil || out.Probabilities == nil {
		return err
	}
	return Likeliest(out.Probabilities, i)
}

func (f Form) score(out *decision.Answer, q decision.Question, a answer, decimals catalog.Opt[int64]) error {
	score, err := a.Score.Decimal()
	if err != nil {
		return fmt.Errorf("it has no score")
	}
	out.Score = score
	if err := f.legend(q.Levels, a.Legend); err != nil {
		return err
	}
	if out.Probabilities, err = f.distribution(Numbers(len(q.Levels)), a.Probabilities, decimals); err != nil {
		return err
	}
	return Mean(score, out.Probabilities, len(q.Levels), decimals)
}

// Numbers are the names of levels: "0", "1" ...
func Numbers(n int) []string {
	names := make([]string, n)
	for i := range names {
		names[i] = strconv.Itoa(i)
	}
	return names
}

// distribution puts the probabilities of a map into the order of their names.
func (f Form) distribution(names []string, of map[string]wire.Number, decimals catalog.Opt[int64]) ([]catalog.Decimal, error) {
	if of == nil && f.Loose {
		return nil, nil
	}
	ps := make([]catalog.Decimal, len(names))
	for i, name := range names {
		n, ok := of[name]
		if !ok {
			return nil, fmt.Errorf("its probabilities leave out option %d", i) // its name is the caller's
		}
		p, err := Probability(n)
		if err != nil {
			return nil, err
		}
		ps[i] = p
	}
	if len(of) != len(names) {
		return nil, fmt.Errorf("it has %d probabilities for %d options", len(of), len(names))
	}
	return ps, Sum(ps, decimals)
}

// legend checks that the texts of levels are those that were asked, in order.
func (f Form) legend(levels []string, v jsontext.Value) error {
	if len(v) == 0 || v.Kind() == 'n' {
		return nil
	}
	wrong := fmt.Errorf("its legend is not that of the question")
	if f.LegendList {
		var list []string
		if json.Unmarshal(v, &list) != nil || !slices.Equal(list, levels) {
			return wrong
		}
		return nil
	}
	var texts map[string]string
	if json.Unmarshal(v, &texts) != nil || len(texts) != len(levels) {
		return wrong
	}
	for i, level := range levels {
		if text, ok := texts[strconv.Itoa(i)]; !ok || text != level {
			return wrong
		}
	}
	return nil
}

// Spelled refuses an object with a member that is one of the names but for its
// case: a reader that folds case would take it, and two spellings of one name
// leave open which is meant.
func Spelled(v jsontext.Value, names []string) error {
	dec := jsontext.NewDecoder(bytes.NewReader(v))
	t, err := dec.ReadToken()
	if err != nil {
		return err
	}
	if t.Kind() != '{' {
		return fmt.Errorf("it is not an object")
	}
	for dec.PeekKind() != '}' {
		name, err := dec.ReadToken()
		if err != nil {
			return err
		}
		got := name.String()
		if !slices.Contains(names, got) && slices.ContainsFunc(names, func(n string) bool { return strings.EqualFold(n, got) }) {
			return fmt.Errorf("its member %.40q is misspelt", got)
		}
		if err := dec.SkipValue(); err != nil {
			return err
		}
	}
	return nil
}
