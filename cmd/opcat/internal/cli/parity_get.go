package cli

import (
	"context"
	"encoding/json"
	"slices"

	"github.com/opcat/opcat/cmd/opcat/internal/schema"
	"github.com/opcat/opcat/parity"
)

// parityData is one question with its answer.
type parityData struct {
	ID     string          `json:"id"`
	Kind   string          `json:"kind"`
	Asked  json.RawMessage `json:"asked"`
	Answer json.RawMessage `json:"answer"`
	Why    string          `json:"why,omitempty"`
}

func parityGet() Command {
	return Command{
		Path: "parity get", Tier: 1, Family: CRUD,
		Short:  "one question: what is asked, the right answer, and why it is right",
		Result: "opcat.parity@1",
		Schema: func() schema.Schema {
			return schema.Object(
				schema.Prop("id", schema.String()),
				schema.Prop("kind", schema.Enum(parity.Kinds...)),
				schema.Prop("asked", schema.Doc("what a driver sees; its members are in parity/README.md", schema.Any())),
				schema.Prop("answer", schema.Any()),
				schema.Opt("why", schema.String()))
		},
		Args:    []Arg{{Name: "id", Usage: "the question's id, as parity list prints it"}},
		Errors:  []Code{NotFound},
		Example: []string{"parity", "get", "made/cost/tier-above"},
		Run: func(_ context.Context, inv *Invocation) (Result, error) {
			all, err := parity.Questions()
			if err != nil {
				return Result{}, err
			}
			i := slices.IndexFunc(all, func(q parity.Question) bool { return q.ID == inv.Args[0] })
			if i < 0 {
				return Result{}, Missing("question", inv.Args[0], questionIDs(all), "opcat parity list")
			}
			q := all[i]
			return Result{Data: parityData{q.ID, q.Kind, q.Asked, q.Answer, q.Why}}, nil
		},
	}
}
