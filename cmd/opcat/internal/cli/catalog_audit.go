package cli

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/opcat/opcat/cmd/opcat/internal/schema"
	"github.com/opcat/opcat/compile"
	"github.com/opcat/opcat/diag"
)

// auditData is what is wrong in the sources: how much of what, then one by one.
type auditData struct {
	AsOf   string        `json:"as_of"`
	Counts findingCounts `json:"counts"` // of all that was found, whatever is shown
	Codes  []codeCount   `json:"codes"`
	Items  []finding     `json:"items"`
}

// codeCount is how often one code was found.
type codeCount struct {
	Code     diag.Code `json:"code"`
	Severity string    `json:"severity"`
	Count    int       `json:"count"`
}

// rankOf orders severities, worst first.
func rankOf(severity string) int { return slices.Index(severities, severity) }

func countCodes(found diag.List) []codeCount {
	out := []codeCount{}
	for _, d := range found {
		same := func(c codeCount) bool { return c.Code == d.Code && c.Severity == severityOf(d) }
		if i := slices.IndexFunc(out, same); i >= 0 {
			out[i].Count++
			continue
		}
		out = append(out, codeCount{d.Code, severityOf(d), 1})
	}
	slices.SortFunc(out, func(a, b codeCount) int {
		return cmp.Or(rankOf(a.Severity)-rankOf(b.Severity), b.Count-a.Count, strings.Compare(string(a.Code), string(b.Code)))
	})
	return out
}

// text writes an audit as a person reads one: how much of what, then the findings
// as a compiler prints them.
func (d *auditData) text(w io.Writer) {
	fmt.Fprintf(w, "%s, %s, %d accepted\n", count(d.Counts.Error, "error"), count(d.Counts.Warning, "warning"), d.Counts.Accepted)
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, c := range d.Codes {
		fmt.Fprintf(table, "%s\t%s\t%d\n", c.Severity, c.Code, c.Count)
	}
	_ = table.Flush() // the writer is a buffer
	for _, f := range d.Items {
		fmt.Fprintf(w, "\n%s\n", f.text)
	}
}

func catalogAudit() Command {
	var c CatalogFlags
	var failOn, severity, code string
	return Command{
		Path: "catalog audit", Tier: 2, Family: Stage,
		Short: "every finding in the sources, worst first",
		Long: "Findings are an audit's data: it fails only where --fail-on is given and a finding is as bad as that.\n" +
			"Findings of one severity stand in the order of file, line, column and code.",
		Result: "opcat.audit@1",
		Schema: func() schema.Schema {
			return schema.Object(
				schema.Prop("as_of", schema.String()),
				schema.Prop("counts", countsSchema()),
				schema.Prop("codes", schema.Array(schema.Object(schema.Prop("code", schema.String()),
					schema.Prop("severity", schema.Enum(severities...)), schema.Prop("count", schema.Int())))),
				schema.Prop("items", schema.Array(findingSchema())))
		},
		Flags: append([]Flag{
			EnumFlag(&failOn, "fail-on", severities[:2], "fail where a finding is at least as bad"),
			EnumFlag(&severity, "severity", severities, "show only these"),
			StringFlag(&code, "code", "show only findings with this code"),
		}, c.Flags()...),
		Errors:  compileErrors(NotFound),
		Example: []string{"catalog", "audit"},
		Bounded: &Bounded{},
		Run: func(_ context.Context, inv *Invocation) (Result, error) {
			if _, known := diag.Lookup(diag.Code(code)); code != "" && !known {
				return Result{}, Missing("diagnostic", code, diagnosticCodes(), "opcat diagnostic list")
			}
			sources, err := c.open(inv, true, false)
			if err != nil {
				return Result{}, err
			}
			defer sources.Close()
			found := compile.Check(sources.Input).Diags
			if failOn != "" {
				bad := func(d diag.Diagnostic) bool { return rankOf(severityOf(d)) <= rankOf(failOn) }
				if slices.ContainsFunc(found, bad) {
					return Result{}, causedBy(ValidationFailed, found, bad)
				}
			}
			data := auditData{AsOf: sources.AsOf, Counts: countFindings(found), Codes: countCodes(found)}
			var items []finding
			for _, d := range found {
				if (severity == "" || severityOf(d) == severity) && (code == "" || string(d.Code) == code) {
					items = append(items, newFinding(d))
				}
			}
			slices.SortStableFunc(items, func(a, b finding) int { return rankOf(a.Severity) - rankOf(b.Severity) })
			data.Items, err = Paginate(inv, slices.Values(items), finding.key, digest(found.String()), itself)
			return Result{Data: data, Text: data.text}, err
		},
	}
}
