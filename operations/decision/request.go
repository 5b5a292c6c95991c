package decision

import (
	"github.com/opcat/opcat/catalog"
	"github.com/opcat/opcat/operations/op"
)

// A Request asks bounded questions about one state.
type Request struct {
	State     []Part     `json:"state" is:"some"`
	Questions []Question `json:"questions" is:"some"` // with unique ids
	Settings  Settings   `json:"settings,omitzero"`

	// InputTokens is how many tokens the caller counted in all of it. Unknown: the
	// bytes bound them.
	InputTokens catalog.Opt[int64] `json:"input_tokens,omitzero" is:"0.."`
}

// Operation is the registry's member.
func (Request) Operation() *op.Operation { return &Operation }

// A Part is one piece of the state.
type Part struct {
	Kind      string       `json:"kind" is:"inputs"` // text, json, image, audio or video
	Text      string       `json:"text,omitempty"`
	JSON      catalog.JSON `json:"json,omitzero" is:"object array"` // an object or an array
	Name      string       `json:"name,omitempty"`                  // how questions speak of it, where a wire has names
	MediaType string       `json:"media_type,omitempty"`
	Data      string       `json:"data,omitempty"` // the bytes in base64
	URL       string       `json:"url,omitempty"`
}

// A Question is one bounded question.
type Question struct {
	ID           string       `json:"id"`
	Kind         string       `json:"kind" is:"one of boolean choice score box"` // boolean, choice, score or box
	Instructions string       `json:"instructions,omitempty"`                    // what is asked
	Structured   catalog.JSON `json:"structured,omitzero" is:"object array"`     // instructions as an object or array, where the contract takes json
	True         string       `json:"true,omitempty"`                            // boolean: when yes is right
	False        string       `json:"false,omitempty"`                           // boolean: when no is right
	Options      []Option     `json:"options,omitempty"`                         // choice: in declared order
	Levels       []string     `json:"levels,omitempty"`                          // score: low to high
}

// An Option is one answer that a choice may give.
type Option struct {
	Label       string            `json:"label"`
	Description string            `json:"description,omitempty"`
	Yes         catalog.Opt[bool] `json:"yes,omitzero"` // the option is this boolean, not the text of Label; where the wire types its values
}

// Settings are the options of a request. What is left out is not sent.
type Settings struct {
	PromptCacheKey   string `json:"prompt_cache_key,omitempty"`
	SafetyIdentifier string `json:"safety_identifier,omitempty"`
}

// A Result has one answer for each question, in the order of the questions.
type Result struct {
	Answers []Answer `json:"answers"`
}

// An Answer is what the model says to one question. Probabilities are as the
// wire rounded them: nothing is renormalised.
type Answer struct {
	ID            string             `json:"id"`
	Kind          string             `json:"kind" is:"one of boolean choice score box refusal"` // the question's, or refusal
	Probability   catalog.Decimal    `json:"probability,omitempty"`                             // boolean: of yes
	Choice        string             `json:"choice,omitempty"`                                  // choice: the label of the option
	Option        catalog.Opt[int64] `json:"option,omitzero" is:"0.."`                          // choice: its place, from 0
	Score         catalog.Decimal    `json:"score,omitempty"`                                   // score: the weighted mean of level numbers, from 0
	Probabilities []catalog.Decimal  `json:"probabilities,omitempty"`                           // of each option or level, in declared order
	Confidence    catalog.Decimal    `json:"confidence,omitempty"`                              // the vendor's own, where it gives one
	Box           *Box               `json:"box,omitempty"`
}

// A Box is a part of an image, in fractions of its sides.
type Box struct {
	Top    catalog.Decimal `json:"top"`
	Bottom catalog.Decimal `json:"bottom"`
	Left   catalog.Decimal `json:"left"`
	Right  catalog.Decimal `json:"right"`
}

// Refused is the kind of an answer that the model declined to give.
const Refused = "refusal"
