package operations

import (
	"sync"

	"github.com/opcat/opcat/operations/decision"
	"github.com/opcat/opcat/operations/op"
	"github.com/opcat/opcat/shape"
)

// registry is its members, whose places number the spaces of a table.
var registry = All()

// What the routes of an operation are filed by. Features of the row or of its
// evidence come first; then, for each thing that a query may want of a contract,
// two sets: the routes that may give it, and those that give it whatever else of
// that kind is wanted with it. A route of the first that is not in the second must
// be judged as a whole.
const (
	featureActive    = iota                // served without naming a region, and no end is known
	featureAnnounced                       // or with an announced end
	featureServed                          // or deprecated
	featureSupport                         // as well evidenced as each of op.Supports, weakest first
	featureControls  = featureSupport + 3  // something is said of what becomes of data
	featureRegional  = featureControls + 1 // served, whether or not a region is named
	featureWants     = featureRegional + 1
)

// A want is one thing that a query may ask of a contract.
type want struct {
	name  string
	kind  wantKind
	value string // of a setting: one word; "" for whatever value
	place int    // of a setting, in the registry
}

type wantKind uint8

const (
	wantTools wantKind = iota
	wantStructured
	wantInput
	wantOutput
	wantQuestion
	wantSetting
	wantValue
)

// A vocabulary numbers the wants of an operation.
type vocabulary struct {
	wants     []want
	inputs    int // the number of the first
	outputs   int
	questions int
	settings  int
	values    []int // by setting: the number of its first word; -1 where it has none
	features  int

	tools, schemas bool // requests can have them
}

// may is the feature of the routes that may give a want, free of those that give it
// whatever else is wanted.
func may(want int) int  { return featureWants + 2*want }
func free(want int) int { return featureWants + 2*want + 1 }

var vocabularies = sync.OnceValue(func() []vocabulary {
	all := make([]vocabulary, len(registry))
	for i, o := range registry {
		all[i] = newVocabulary(o)
	}
	return all
})

func vocabularyOf(operation int) *vocabulary { return &vocabularies()[operation] }

func newVocabulary(o *op.Operation) vocabulary {
	v := vocabulary{wants: []want{{name: "tools", kind: wantTools}, {name: "structured", kind: wantStructured}}}
	all := func(kind wantKind, names []string) int {
		first := len(v.wants)
		for i, name := range names {
			v.wants = append(v.wants, want{name, kind, "", i})
		}
		return first
	}
	v.inputs = all(wantInput, o.Inputs)
	v.outputs = all(wantOutput, o.Outputs)
	v.questions = all(wantQuestion, questionKinds(o))
	v.settings = all(wantSetting, o.SettingNames())
	for i, s := range o.Settings {
		first := len(v.wants)
		for _, word := range wordsFor(s) {
			v.wants = append(v.wants, want{s.Name, wantValue, word, i})
		}
		if first == len(v.wants) {
			first = -1
		}
		v.values = append(v.values, first)
	}
	v.tools, v.schemas = settingPlace(o, toolSetting) >= 0, settingPlace(o, schemaSetting) >= 0
	v.features = featureWants + 2*len(v.wants)
	return v
}

// wordsFor are the values of a setting that has few.
func wordsFor(s op.Setting) []string {
	switch s.Kind {
	case shape.Enum:
		return s.Values
	case shape.Bool:
		return yesAndNo
	}
	return nil
}

var yesAndNo = []string{"true", "false"}

// questionKinds are the kinds of questions that an operation's requests hold.
func questionKinds(o *op.Operation) []string {
	if o == &decision.Operation {
		return decision.QuestionKinds
	}
	return nil
}
