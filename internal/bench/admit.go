package main

import (
	"fmt"
	"testing"

	"github.com/opcat/opcat/catalog"
	snapshot "github.com/opcat/opcat/gen/json"
	"github.com/opcat/opcat/operations"
	"github.com/opcat/opcat/operations/decision"
	"github.com/opcat/opcat/operations/embedding"
	"github.com/opcat/opcat/operations/op"
	"github.com/opcat/opcat/operations/textgen"
)

// admissions is how many requests one round admits.
const admissions = 20000

// admitAlone measures the admission of one request by a bundled route.
func admitAlone[R op.Request[R]](route string, request R, terms operations.Terms) func(*world) (result, error) {
	return func(w *world) (result, error) {
		c, err := snapshot.Catalog()
		if err != nil {
			return result{}, err
		}
		admit := func() error {
			_, err := operations.Admit(c, route, request, terms)
			return err
		}
		if err := admit(); err != nil {
			return result{}, err
		}
		s, err := turns(w.rounds, func() (sample, error) {
			return inside(func() error {
				for range admissions {
					if err := admit(); err != nil {
						return err
					}
				}
				return nil
			})
		})
		if err != nil {
			return result{}, err
		}
		allocs := testing.AllocsPerRun(100, func() { _ = admit() })
		return result{ours: each1(median(each(s[0], cpu)), admissions) + fmt.Sprintf(", %.0f allocations", allocs), against: "-", ratio: "-"}, nil
	}
}

func talk(settings textgen.Settings) textgen.Request {
	say := func(role, text string) textgen.Message {
		return textgen.Message{Role: role, Parts: []textgen.Part{{Kind: "text", Text: text}}}
	}
	return textgen.Request{Messages: []textgen.Message{say("system", "Answer briefly."), say("user", "Is seven a prime number?")}, Settings: settings}
}

var (
	capped   = talk(textgen.Settings{MaxOutputTokens: catalog.Known(int64(256)), Temperature: "0.2"})
	thinking = talk(textgen.Settings{MaxOutputTokens: catalog.Known(int64(256)), Effort: "low"})
	judged   = decision.Request{
		State:     []decision.Part{{Kind: "text", Text: "Arrived broken, send another."}},
		Questions: []decision.Question{{ID: "replace", Kind: "boolean", Instructions: "Does the customer want a replacement?"}},
	}
	embedded = embedding.Request{Items: []embedding.Item{{Kind: "text", Text: "a line of text"}}}
)
