// Package sense makes an operation of what upstreams say, or none.
//
// An operation is granted by evidence that speaks of it: LiteLLM's mode, the endpoints
// that serve a row, what comes out of it. Never by a name. Text that comes out is no
// evidence on its own, since a catalog lists embeddings as rows with text output: it
// takes a second sign, and any upstream that says otherwise takes it back. Where an
// upstream contradicts itself, nothing is granted and the reason is kept.
package sense

import (
	"fmt"
	"slices"
	"strings"

	"github.com/opcat/opcat/upstream/fact"
)

// Text is the operation of rows that write text.
const Text = "text_generation"

// A Verdict is what a row does, as far as upstreams can tell.
type Verdict struct {
	Grants []string // operations that evidence carries
	Listed []string // jobs that an upstream calls it by, without a grant
	By     string   // the upstream whose evidence granted
	Doubts []string // why less is granted than an upstream says
}

// A Said is what one upstream says of a row.
type Said struct {
	Source string // the reader's name
	Model  *fact.Model
}

// A Register knows which wire ids upstreams list under another job than writing text.
// It only takes back: a name is no evidence for anything.
type Register map[string]string

// Note remembers a model that is listed as something else than text.
func (r Register) Note(source string, m *fact.Model) {
	if m.Says.Mode == "" {
		return
	}
	if job := modes[m.Says.Mode]; job != "" && job != Text {
		key := tail(m.Row.WireModel)
		where := source + " lists " + m.Row.Provider + "/" + m.Row.WireModel + " as " + job
		if have, ok := r[key]; !ok || where < have {
			r[key] = where
		}
	}
}

func tail(wire string) string {
	return strings.ToLower(wire[strings.LastIndexByte(wire, '/')+1:])
}

// modes are LiteLLM's words, and what they are called here.
var modes = map[string]string{
	"chat": Text, "responses": Text, "completion": Text, "embedding": "embedding", "rerank": "reranking", "moderation": "moderation",
	"image_generation": "image_generation", "image_edit": "image_edit", "audio_transcription": "transcription", "audio_speech": "speech",
	"video_generation": "video_generation", "realtime": "realtime", "ocr": "ocr", "search": "search", "vector_store": "vector_store",
	"evaluation": "decision_evaluation", "decisions": "decision_evaluation",
}

// endpoints are paths, and the jobs that they serve. A batch serves what the others do.
var endpoints = map[string]string{
	"/v1/chat/completions": Text, "/v1/responses": Text, "/v1/completions": Text, "/v1/embeddings": "embedding", "/v1/rerank": "reranking",
	"/v1/moderations": "moderation", "/v1/images/generations": "image_generation", "/v1/images/edits": "image_edit", "/v1/images/variations": "image_edit",
	"/v1/audio/transcriptions": "transcription", "/v1/audio/speech": "speech", "/v1/realtime": "realtime", "/vertex_ai/live": "realtime", "/v1/ocr": "ocr",
	"/v1/videos": "video_generation",
}

// Of judges a row by all that upstreams say of it.
func Of(said []Said, register Register) Verdict {
	var v Verdict
	claims := make([]claim, 0, 6) // more than most have
	for _, s := range said {
		claims = append(claims, ofMode(s)...)
		claims = ofOutputs(claims, s)
	}
	second := false // another upstream says that it writes text
	for i := range claims {
		c := &claims[i]
		second = second || c.job == Text && c.strong
	}
	text, other := "", ""
	for i := range claims {
		c := &claims[i]
		if c.doubt != "" {
			v.Doubts = append(v.Doubts, c.doubt)
		}
		switch {
		case c.job == "":
		case c.job != Text:
			v.Listed = append(v.Listed, c.job)
			if !c.beside {
				other = c.source + " says " + c.job
			}
		case c.strong && text == "":
			text = c.source
		}
	}
	weak := slices.ContainsFunc(claims, func(c claim) bool { return c.job == Text && !c.strong && c.doubt == "" })
	blocked := slices.ContainsFunc(claims, func(c claim) bool { return c.blocks })
	switch {
	case blocked:
	case text != "" && other != "":
		v.Doubts = append(v.Doubts, text+" says that it writes text, and "+other)
	case text != "" && !slices.ContainsFunc(claims, func(c claim) bool { return c.explicit }) && register[lastID(said)] != "":
		v.Doubts = append(v.Doubts, text+" says that it writes text, and "+register[lastID(said)])
	case text != "":
		v.Grants, v.By = onlyText, text
	case weak && !second && other == "":
		v.Doubts = append(v.Doubts, "text comes out of it, which catalogs also say of embeddings, and nothing else says that it writes text")
	}
	slices.Sort(v.Listed)
	v.Listed = slices.Compact(v.Listed)
	slices.Sort(v.Doubts)
	v.Doubts = slices.Compact(v.Doubts)
	if len(v.Grants) == 0 && text == "" && other != "" && !blocked && len(v.Listed) == 1 {
		v.Grants, v.By = v.Listed, strings.Fields(other)[0] // what it takes for a contract is for package want to say
		v.Listed = nil
	}
	return v
}

var onlyText = []string{Text}

func lastID(said []Said) string {
	if len(said) == 0 {
		return ""
	}
	return tail(said[0].Model.Row.WireModel)
}

// A claim is one sign of what a row does.
type claim struct {
	source   string
	job      string
	strong   bool   // it grants on its own
	explicit bool   // it names the job, and nothing had to be put together
	beside   bool   // the row does it beside writing text
	blocks   bool   // it takes back what others say
	doubt    string // why it grants nothing
}

// ofMode reads LiteLLM's word, held against what else the entry says.
func ofMode(s Said) []claim {
	says, row := &s.Model.Says, &s.Model.Row
	for i := range row.Contracts { // an upstream in our own format states contracts
		op := row.Contracts[i].Operation
		if i == 0 && op == Text {
			return []claim{{source: s.Source, job: Text, strong: true, explicit: true}}
		}
	}
	if says.Mode == "" {
		if says.Endpoints != nil && says.Outputs == nil {
			return ofEndpoints(s)
		}
		return nil
	}
	job, ok := modes[says.Mode]
	if !ok {
		return []claim{{source: s.Source, blocks: true, doubt: fmt.Sprintf("%s gives it the mode %q, which is none", s.Source, cut(says.Mode))}}
	}
	contradiction := ""
	served := jobs(says.Endpoints)
	switch {
	case len(served) > 0 && !slices.Contains(served, job) && !(job == "image_edit" && slices.Contains(served, "image_generation")):
		contradiction = fmt.Sprintf("gives it the mode %s, and endpoints that serve %s", says.Mode, strings.Join(served, ", "))
	case job == Text && says.Outputs != nil && !slices.Contains(says.Outputs, "text"):
		contradiction = "gives it the mode " + says.Mode + ", and no text comes out of it"
	case job == "embedding" && says.Width.IsKnown() && row.Limits != nil && row.Limits.OutputTokens == says.Width:
		contradiction = "calls it an embedding, and has the width of its vectors as a limit of output tokens"
	case job == "embedding" && row.Limits != nil && row.Limits.OutputTokens.IsKnown():
		contradiction = "calls it an embedding, and limits its output tokens"
	case job == "embedding" && pricesOutput(s.Model):
		contradiction = "calls it an embedding, and prices its output tokens"
	}
	if contradiction != "" {
		c := claim{source: s.Source, blocks: true, doubt: s.Source + " " + contradiction}
		if job != Text {
			c.job = job
		}
		return []claim{c}
	}
	return []claim{{source: s.Source, job: job, strong: true, explicit: true}}
}

func cut(s string) string {
	if len(s) > 40 {
		return s[:40] + "..."
	}
	return s
}

func pricesOutput(m *fact.Model) bool {
	for i := range m.Row.Price {
		if p := &m.Row.Price[i]; p.Meter == "output_token" && !p.USDPerMillion.IsZero() {
			return true
		}
	}
	return false
}

func jobs(paths []string) (out []string) {
	for _, p := range paths {
		if job, ok := endpoints[p]; ok && !slices.Contains(out, job) {
			out = append(out, job)
		}
	}
	return out
}

func ofEndpoints(s Said) (out []claim) {
	for _, job := range jobs(s.Model.Says.Endpoints) {
		out = append(out, claim{source: s.Source, job: job, strong: true, explicit: true})
	}
	return out
}

// ofOutputs adds what its outputs claim. Text is granted with a second sign in the same
// upstream: only what writes text calls tools, reasons or takes a temperature.
func ofOutputs(out []claim, s Said) []claim {
	says := &s.Model.Says
	if says.Mode != "" || says.Outputs == nil {
		return out
	}
	text := slices.Contains(says.Outputs, "text")
	if text {
		sign := says.Tools.Or(false) || says.Reasoning.Or(false) || says.Temperature.Or(false)
		out = append(out, claim{source: s.Source, job: Text, strong: sign})
	}
	only := func(kind string) bool { return len(says.Outputs) == 1 && says.Outputs[0] == kind }
	switch {
	case slices.Contains(says.Outputs, "vector"):
		out = append(out, claim{source: s.Source, job: "embedding", strong: true, beside: false})
	case only("image"):
		out = append(out, claim{source: s.Source, job: "image_generation", strong: true})
	case only("video"):
		out = append(out, claim{source: s.Source, job: "video_generation", strong: true})
	case only("audio"):
		out = append(out, claim{source: s.Source, job: "speech", strong: true})
	}
	return out
}
