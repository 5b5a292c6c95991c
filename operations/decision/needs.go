package decision

import (
	"encoding/json"
	"slices"

	"github.com/opcat/opcat/catalog"
	"github.com/opcat/opcat/operations/op"
)

// Forms of a request that some contracts and wires have no place for.
const (
	FormJSONInstructions = "json_instructions" // a question's instructions are an object or a list
	FormNoInstructions   = "no_instructions"   // a question has criteria alone
	FormOneSide          = "one_side"          // a boolean question says when yes is right or when no is, not both
	FormBothSides        = "both_sides"        // it says both
	FormTypedOptions     = "typed_options"     // an option is a yes or a no, not a text
	FormRemote           = "remote"            // a part of the state is named by a URL
)

// Needs states what the request asks of a route.
func (r Request) Needs(n *op.Needs) error {
	n.For(&Operation)
	n.Texts("settings", r.Settings.PromptCacheKey, r.Settings.SafetyIdentifier)
	n.Word(atPromptCacheKey, r.Settings.PromptCacheKey)
	n.Word(atSafetyIdentifier, r.Settings.SafetyIdentifier)
	state := r.state(n)
	longest := r.questions(n, &state)
	state.all.Around(op.AroundRequest)
	n.Counted(r.InputTokens)
	n.Tokens = state.all.Size("request_tokens", r.InputTokens)
	n.Measure(n.Tokens)
	state.own.Around(longest)
	part := state.own.Size("state_tokens", catalog.Opt[int64]{})
	if n.Tokens.Told && (part.Open || part.Most > n.Tokens.Most) {
		part = n.Tokens
		part.Name = "state_tokens"
	}
	n.Measure(part)
	return n.Err()
}

// tallies are of the state alone and of all that is sent.
type tallies struct{ own, all op.Tally }

func (r *Request) state(n *op.Needs) (t tallies) {
	if len(r.State) == 0 {
		n.Fail("state: there is none")
	}
	var kinds uint
	images := int64(0)
	for i := range r.State {
		p := &r.State[i]
		kind := op.Bit(Operation.Inputs, p.Kind)
		if kind == 0 {
			n.Fail("state %d: kind %q is not one of %v", i, p.Kind, Operation.Inputs)
			return t
		}
		kinds |= kind
		n.Texts("state", p.Name)
		t.own.Around(op.AroundPiece)
		t.own.Text(p.Name)
		switch p.Kind {
		case "text":
			n.ContentText("state", i, p.Text, p.MediaType == "" && p.Data == "" && p.URL == "")
			t.own.Text(p.Text)
		case "json":
			if p.Text != "" || p.Data != "" || p.URL != "" || !isTable(p.JSON) {
				n.Fail("state %d: of kind json is an object or a list, and nothing else", i)
			}
			t.own.Text(string(p.JSON))
		case "image":
			images++
			fallthrough
		default:
			n.Content("state", i, false, p.Text, p.MediaType, p.Data, p.URL, "")
			t.own.Media()
		}
		if p.Kind != "json" && p.JSON != "" {
			n.Fail("state %d: json belongs in a part of its own, of kind json", i)
		}
		if p.URL != "" {
			n.Form(FormRemote)
		}
	}
	n.Inputs = op.Words(Operation.Inputs, kinds)
	if images > 0 {
		n.Measure(op.Size{Name: "images", Most: images, Told: true})
	}
	t.all = t.own
	return t
}

// questions gives what the longest one comes to.
func (r *Request) questions(n *op.Needs, t *tallies) (longest int64) {
	if len(r.Questions) == 0 {
		n.Fail("questions: there are none")
	}
	var kinds uint
	options, most, fewest := 0, 0, 0
	for i := range r.Questions {
		q := &r.Questions[i]
		kind := op.Bit(QuestionKinds, q.Kind)
		if kind == 0 {
			n.Fail("question %d: kind %q is not one of %v", i, q.Kind, QuestionKinds)
			return longest
		}
		kinds |= kind
		if q.ID == "" || slices.ContainsFunc(r.Questions[:i], func(o Question) bool { return o.ID == q.ID }) {
			n.Fail("question %d: the id %q is empty or another's", i, q.ID)
		}
		q.check(n)
		size := q.size()
		longest = max(longest, size)
		t.all.Around(size)
		options = max(options, len(q.Options))
		if k := len(q.Levels); k > 0 {
			most = max(most, k)
			if fewest == 0 || k < fewest {
				fewest = k
			}
		}
	}
	n.Questions = op.Words(QuestionKinds, kinds)
	count := func(name string, size int) {
		if size > 0 {
			n.Measure(op.Size{Name: name, Most: int64(size), Told: true})
		}
	}
	count("questions", len(r.Questions))
	count("choice_options", options)
	count("score_levels_max", most)
	count("score_levels_min", fewest)
	return longest
}

// check finds what no contract takes.
func (q *Question) check(n *op.Needs) {
	n.Texts("questions", q.ID, q.Instructions, q.True, q.False)
	switch {
	case q.Instructions != "" && q.Structured != "":
		n.Fail("question %q: instructions and structured are one thing; give one", q.ID)
	case q.Structured != "" && !isTable(q.Structured):
		n.Fail("question %q: structured is an object or a list", q.ID)
	case q.Structured != "":
		n.Form(FormJSONInstructions)
	case q.Instructions == "" && q.Kind == "boolean" && q.True == "" && q.False == "", q.Instructions == "" && q.Kind == "box":
		n.Fail("question %q asks nothing: it has no instructions", q.ID)
	case q.Instructions == "":
		n.Form(FormNoInstructions)
	}
	if q.Kind != "boolean" && q.True+q.False != "" {
		n.Fail("question %q: true and false are of boolean questions", q.ID)
	}
	switch {
	case q.True != "" && q.False != "":
		n.Form(FormBothSides)
	case q.True != "" || q.False != "":
		n.Form(FormOneSide)
	}
	if (q.Kind == "choice") != (len(q.Options) > 0) {
		n.Fail("question %q: options are of choice questions, and those need some", q.ID)
	}
	if (q.Kind == "score") != (len(q.Levels) > 0) {
		n.Fail("question %q: levels are of score questions, and those need some", q.ID)
	}
	for i, o := range q.Options {
		n.Texts("questions", o.Label, o.Description)
		if o.Yes.IsKnown() {
			n.Form(FormTypedOptions)
		}
		if o.Label == "" || slices.ContainsFunc(q.Options[:i], o.same) {
			n.Fail("question %q: the option %q is empty or stands twice", q.ID, o.Label)
		}
	}
	n.Texts("questions", q.Levels...)
	for i, l := range q.Levels {
		if l == "" || slices.Contains(q.Levels[:i], l) {
			n.Fail("question %q: the level %q is empty or stands twice", q.ID, l)
		}
	}
}

// same reports whether two options are one value: a yes or no has no text.
func (o Option) same(p Option) bool {
	return o.Yes == p.Yes && (o.Yes.IsKnown() || o.Label == p.Label)
}

// size bounds the tokens of a question.
func (q *Question) size() int64 {
	var t op.Tally
	t.Around(op.AroundQuestion)
	for _, s := range [...]string{q.ID, q.Instructions, string(q.Structured), q.True, q.False} {
		t.Text(s)
	}
	for i := range q.Options {
		t.Around(op.AroundPiece)
		t.Text(q.Options[i].Label)
		t.Text(q.Options[i].Description)
	}
	for _, l := range q.Levels {
		t.Around(op.AroundPiece)
		t.Text(l)
	}
	return t.Most
}

func isTable(j catalog.JSON) bool {
	return len(j) > 0 && (j[0] == '{' || j[0] == '[') && json.Valid([]byte(j))
}

// A room holds the lists of a request with one question about one part.
type room struct {
	state     [1]Part
	questions [1]Question
	options   [2]Option
}

// Keep copies the request; the copy shares no memory with its receiver that
// anybody could change.
func (r Request) Keep() Request {
	options := 0
	for i := range r.Questions {
		options += len(r.Questions[i].Options)
	}
	var left []Option
	if len(r.State) <= 1 && len(r.Questions) <= 1 && options <= 2 {
		k := new(room)
		r.State, r.Questions, left = op.Into(k.state[:], r.State), op.Into(k.questions[:], r.Questions), k.options[:]
	} else {
		r.State, r.Questions, left = slices.Clone(r.State), slices.Clone(r.Questions), make([]Option, options)
	}
	for i := range r.Questions {
		q := &r.Questions[i]
		n := len(q.Options)
		q.Options, left = op.Into(left, q.Options), left[n:]
		q.Levels = slices.Clone(q.Levels)
	}
	return r
}
