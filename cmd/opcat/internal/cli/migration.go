package cli

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/opcat/opcat/cmd/opcat/internal/schema"
	"github.com/opcat/opcat/compile/migrate"
)

// migration is the report of stage migrate: how often each rule rewrote something,
// and the rewrites that change or lose a fact one by one. All of them lie in the
// stage's artifact.
type migration struct {
	Rules []ruleCount    `json:"rules"`
	Named []migrate.Move `json:"named"` // the first twenty
	More  int            `json:"more,omitempty"`
}

// ruleCount is how often one rule of the migration rewrote something.
type ruleCount struct {
	Rule  string `json:"rule"`
	Count int    `json:"count"`
	Named int    `json:"named"` // of these, what changes or loses a fact
}

// newMigration reports on moves; nil where there are none.
func newMigration(moves []migrate.Move) *migration {
	if len(moves) == 0 {
		return nil
	}
	m := &migration{Named: []migrate.Move{}}
	at := map[string]int{}
	for _, move := range moves {
		i, known := at[move.Rule]
		if !known {
			i = len(m.Rules)
			at[move.Rule] = i
			m.Rules = append(m.Rules, ruleCount{Rule: move.Rule})
		}
		m.Rules[i].Count++
		switch {
		case !move.Named:
			continue
		case len(m.Named) < maxListed:
			m.Named = append(m.Named, move)
		default:
			m.More++
		}
		m.Rules[i].Named++
	}
	slices.SortFunc(m.Rules, func(a, b ruleCount) int { return strings.Compare(a.Rule, b.Rule) })
	return m
}

func migrationSchema() schema.Schema {
	return schema.Object(
		schema.Prop("rules", schema.Array(schema.Object(schema.Prop("rule", schema.String()),
			schema.Prop("count", schema.Int()), schema.Prop("named", schema.Int())))),
		schema.Prop("named", schema.Array(schema.Object(
			schema.Prop("rule", schema.String()),
			schema.Prop("at", posSchema()),
			schema.Opt("row", schema.String()),
			schema.Prop("from", schema.String()),
			schema.Prop("to", schema.String()),
			schema.Opt("note", schema.String()),
			schema.Opt("named", schema.Bool())))),
		schema.Opt("more", schema.Int()))
}

// write writes the report as a person reads one.
func (m *migration) write(w io.Writer) {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(table, "\nRULE\tMOVES\tNAMED\n")
	for _, r := range m.Rules {
		fmt.Fprintf(table, "%s\t%d\t%d\n", r.Rule, r.Count, r.Named)
	}
	_ = table.Flush() // the writer is a buffer
	if len(m.Named) > 0 {
		fmt.Fprintf(w, "\nWhat changes or loses a fact:\n")
	}
	for _, move := range m.Named {
		about := move.Rule
		if move.Row != "" {
			about += " " + move.Row
		}
		fmt.Fprintf(w, "%s: %s: %s -> %s\n", move.At, about, move.From, move.To)
		if move.Note != "" {
			fmt.Fprintf(w, "\t%s\n", move.Note)
		}
	}
	if m.More > 0 {
		fmt.Fprintf(w, "and %d more: all of them are in migrate.json\n", m.More)
	}
}
