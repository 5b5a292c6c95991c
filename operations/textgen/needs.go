package textgen

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/opcat/opcat/catalog"
	"github.com/opcat/opcat/operations/op"
)

// Needs states what the request asks of a route.
func (r Request) Needs(n *op.Needs) error {
	var tally op.Tally
	tally.Around(op.AroundRequest)
	formed := r.conversation(n, &tally)
	r.toolsAndSchema(n, &tally)
	r.options(n)
	if formed {
		r.forms(n)
	}
	n.Counted(r.InputTokens)
	n.Tokens = tally.Size("input_tokens", r.InputTokens)
	n.Measure(n.Tokens)
	return n.Err()
}

// roles are who can speak.
var roles = []string{"system", "user", "assistant", "tool"}

// Sets of roles.
const (
	system uint = 1 << iota
	user
	assistant
	tool
)

func roleOf(m *Message) uint {
	switch m.Role {
	case "system":
		return system
	case "user":
		return user
	case "assistant":
		return assistant
	case "tool":
		return tool
	}
	return 0
}

// conversation notes what the messages are made of. It reports whether they may have a
// form: those that are text alone, with the system first and the user last, have none.
func (r *Request) conversation(n *op.Needs, tally *op.Tally) (formed bool) {
	if len(r.Messages) == 0 {
		n.Fail("messages: there are none")
		return false
	}
	var kinds, speakers uint
	text := op.Bit(Operation.Inputs, "text")
	images := int64(0)
	for i := range r.Messages {
		m := &r.Messages[i]
		tally.Around(op.AroundPiece)
		role := roleOf(m)
		if role == 0 {
			n.Fail("message %d: role %q is not one of %v", i, m.Role, roles)
			return false
		}
		formed = formed || role == assistant || role == system && speakers&^system != 0
		speakers |= role
		if len(m.Parts) == 0 || len(m.ToolCalls) > 0 || m.ToolCallID != "" || role == tool {
			r.turn(n, i, m)
		}
		for j := range m.Parts {
			p := &m.Parts[j]
			if p.Kind == "text" { // as nearly all are
				kinds |= text
				n.ContentText("part", j, p.Text, p.MediaType == "" && p.Data == "" && p.URL == "" && p.FileID == "")
				tally.Text(p.Text)
				continue
			}
			kind := op.Bit(Operation.Inputs, p.Kind)
			if kind == 0 {
				n.Fail("message %d, part %d: kind %q is not one of %v", i, j, p.Kind, Operation.Inputs)
				return false
			}
			kinds, formed = kinds|kind, true
			n.Content("part", j, false, p.Text, p.MediaType, p.Data, p.URL, p.FileID)
			tally.Media()
			if p.Kind == "image" {
				images++
			}
			if role != user {
				n.Fail("message %d, part %d: only the user sends %s", i, j, p.Kind)
			}
			if p.Kind == "file_ref" && p.FileID == "" {
				n.Fail("message %d, part %d: a file_ref needs its file_id", i, j)
			}
		}
		if len(m.Thoughts) > 0 {
			m.thoughts(n, i, tally)
		}
		for j := range m.ToolCalls {
			tally.Around(op.AroundPiece)
			tally.Text(m.ToolCalls[j].Name)
			tally.Text(string(m.ToolCalls[j].Arguments))
		}
	}
	if speakers == system {
		n.Fail("messages: there is nothing to answer but system messages")
	}
	n.Inputs = op.Words(Operation.Inputs, kinds)
	if images > 0 {
		n.Measure(op.Size{Name: "images", Most: images, Told: true})
	}
	return formed
}

// turn checks what a message has beside parts, or has instead of them.
func (r *Request) turn(n *op.Needs, i int, m *Message) {
	if len(m.Parts) == 0 && len(m.ToolCalls) == 0 {
		n.Fail("message %d is empty", i)
	}
	if len(m.ToolCalls) > 0 && m.Role != "assistant" {
		n.Fail("message %d: only the assistant calls tools", i)
	}
	place := int64(0)
	for j := range m.ToolCalls {
		c := &m.ToolCalls[j]
		n.Texts("tool_calls", c.ID, c.Name)
		before := c.Before.Or(int64(len(m.Parts)))
		switch {
		case c.Before.IsKnown() && (before < 0 || before >= int64(len(m.Parts))):
			n.Fail("message %d, tool call %d: before %d is none of its %d parts", i, j, before, len(m.Parts))
		case before < place:
			n.Fail("message %d, tool call %d: it stands before the call in front of it", i, j)
		}
		place = before
		switch {
		case c.Name == "":
			n.Fail("message %d, tool call %d: it needs a name", i, j)
		case !isObject(c.Arguments):
			n.Fail("message %d, tool call %d: the arguments are not a JSON object", i, j)
		}
	}
	switch {
	case m.Role != "tool" && m.ToolCallID != "":
		n.Fail("message %d: only a tool message has a tool_call_id", i)
	case m.Role == "tool" && !r.called(i, m.ToolCallID):
		n.Fail("message %d: tool_call_id %q is none of the calls before it", i, m.ToolCallID)
	}
}

// called reports whether a message before the i-th made a call.
func (r *Request) called(i int, id string) bool {
	for j := range r.Messages[:i] {
		for _, c := range r.Messages[j].ToolCalls {
			if c.ID == id {
				return true
			}
		}
	}
	return false
}

func (r *Request) toolsAndSchema(n *op.Needs, tally *op.Tally) {
	if n.Tools = len(r.Tools) > 0; n.Tools {
		n.Measure(op.Size{Name: "tools", Most: int64(len(r.Tools)), Told: true})
		tally.Around(op.AroundTools)
	}
	for i := range r.Tools {
		t := &r.Tools[i]
		n.Texts("tools", t.Name, t.Description)
		switch {
		case t.Name == "":
			n.Fail("tool %d: it needs a name", i)
		case slices.ContainsFunc(r.Tools[:i], func(other Tool) bool { return other.Name == t.Name }):
			n.Fail("tool %d: there are two called %q", i, t.Name)
		case !isObject(t.Parameters):
			n.Fail("tool %d: parameters is not a JSON Schema of an object", i)
		}
		tally.Around(op.AroundPiece)
		tally.Text(t.Name)
		tally.Text(t.Description)
		tally.Text(string(t.Parameters))
	}
	s := r.ResponseSchema
	if n.Structured = s != nil; !n.Structured {
		return
	}
	tally.Around(op.AroundPiece)
	tally.Text(string(s.Schema))
	switch {
	case !isName(s.Name):
		n.Fail("response_schema: the name %q is not 1 to 64 letters, digits, _ and -", s.Name)
	case !isObject(s.Schema):
		n.Fail("response_schema: the schema is not a JSON object")
	}
}

// options notes the settings in the registry's order.
func (r *Request) options(n *op.Needs) {
	s := &r.Settings
	n.For(&Operation)
	n.Lower = r.LowerCap
	n.Count(atMaxOutputTokens, s.MaxOutputTokens, 1)
	n.OneOf(atEffort, s.Effort, Efforts)
	n.OneOf(atThinking, s.Thinking, thinkings)
	if n.Structured {
		n.YesNo(atResponseSchema, catalog.Known(true))
	}
	n.OneOf(atToolChoice, s.ToolChoice, toolChoices)
	n.YesNo(atParallelToolCalls, s.ParallelToolCalls)
	r.toolOptions(n)
	n.OneOf(atServiceTier, s.ServiceTier, ServiceTiers)
	n.Number(atTemperature, s.Temperature)
	n.Number(atTopP, s.TopP)
	n.Count(atTopK, s.TopK, 0)
	n.Number(atMinP, s.MinP)
	n.Count(atSeed, s.Seed, -1<<63)
	n.Number(atFrequencyPenalty, s.FrequencyPenalty)
	n.Number(atPresencePenalty, s.PresencePenalty)
	n.Number(atRepetitionPenalty, s.RepetitionPenalty)
	if len(s.Stop) > 0 {
		n.Texts("stop", s.Stop...)
		if slices.Contains(s.Stop, "") {
			n.Fail("stop: a sequence is empty")
		}
		n.Word(atStop, strings.Join(s.Stop, "\n"))
		n.Measure(op.Size{Name: "stop", Most: int64(len(s.Stop)), Told: true})
	}
	if v, ok := s.Logprobs.Get(); ok && v > 20 {
		n.Fail("logprobs: %d is more than 20 alternatives", v)
	}
	n.Count(atLogprobs, s.Logprobs, 0)
	if len(s.LogitBias) > 0 {
		ids := slices.Sorted(maps.Keys(s.LogitBias))
		for _, id := range ids {
			n.Decimal("logit_bias", s.LogitBias[id])
		}
		n.Texts("logit_bias", ids...)
		n.Word(atLogitBias, strings.Join(ids, ","))
	}
	n.Text(atPrediction, s.Prediction)
	n.OneOf(atVerbosity, s.Verbosity, verbosities)
	n.Text(atMirostat, s.Mirostat)
	n.YesNo(atCache, s.Cache)
	n.OneOf(atPromptCacheTTL, s.PromptCacheTTL, cacheTTLs)
	if on, ok := s.Cache.Get(); ok && !on && s.PromptCacheTTL != "" {
		n.Fail("prompt_cache_ttl is given although cache is false")
	}
	n.Outputs = r.Outputs
	for i, kind := range r.Outputs {
		if !slices.Contains(Operation.Outputs, kind) || slices.Contains(r.Outputs[:i], kind) {
			n.Fail("outputs: %q is repeated or not one of %v", kind, Operation.Outputs)
		}
	}
}

func (r *Request) toolOptions(n *op.Needs) {
	s := &r.Settings
	switch {
	case s.ToolName != "" && s.ToolChoice != "tool":
		n.Fail(`tool_name is for tool_choice "tool"`)
	case s.ToolChoice == "tool" && !slices.ContainsFunc(r.Tools, func(t Tool) bool { return t.Name == s.ToolName }):
		n.Fail("tool_name: %q is none of the tools", s.ToolName)
	case !n.Tools && s.ToolChoice != "" && s.ToolChoice != "none":
		n.Fail("tool_choice is %q, and there are no tools", s.ToolChoice)
	case !n.Tools && s.ParallelToolCalls.IsKnown():
		n.Fail("parallel_tool_calls is given, and there are no tools")
	}
}

func isObject(j catalog.JSON) bool {
	return len(j) > 0 && j[0] == '{' && json.Valid([]byte(j))
}

func isName(s string) bool {
	for i := 0; i < len(s); i++ {
		if c := s[i]; !('a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '_' || c == '-') {
			return false
		}
	}
	return s != "" && len(s) <= 64
}
