package cli

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/opcat/opcat/cmd/opcat/internal/schema"
	"github.com/opcat/opcat/diag"
)

func diagnosticGet() Command {
	return Command{
		Path: "diagnostic get", Tier: 1, Family: CRUD,
		Short:  "one code: why it is a mistake, with wrong and right TOML",
		Result: "opcat.diagnostic@1",
		Schema: func() schema.Schema {
			return schema.Object(
				schema.Prop("code", schema.String()),
				schema.Prop("stage", schema.Enum(diagnosticStages...)),
				schema.Prop("title", schema.String()),
				schema.Prop("why", schema.String()),
				schema.Prop("wrong", schema.String()),
				schema.Prop("right", schema.String()))
		},
		Args:    []Arg{{Name: "code", Usage: "the code, as a finding prints it"}},
		Errors:  []Code{NotFound},
		Example: []string{"diagnostic", "get", "UNKNOWN_FIELD"},
		Run: func(_ context.Context, inv *Invocation) (Result, error) {
			e, ok := diag.Lookup(diag.Code(inv.Args[0]))
			if !ok {
				return Result{}, Missing("diagnostic", inv.Args[0], diagnosticCodes(), "opcat diagnostic list")
			}
			return Result{Data: e, Text: func(w io.Writer) { writeDiagnostic(w, e) }}, nil
		},
	}
}

// writeDiagnostic writes the reference page of a code as a person reads one.
func writeDiagnostic(w io.Writer, e diag.Entry) {
	fmt.Fprintf(w, "%s (%s): %s\n\n%s\n", e.Code, e.Stage, e.Title, e.Why)
	for _, example := range []struct{ name, toml string }{{"wrong", e.Wrong}, {"right", e.Right}} {
		if example.toml != "" {
			fmt.Fprintf(w, "\n%s:\n\t%s\n", example.name, strings.ReplaceAll(strings.TrimSpace(example.toml), "\n", "\n\t"))
		}
	}
}
