package cli

import (
	"context"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/opcat/opcat/cmd/opcat/internal/schema"
	"github.com/opcat/opcat/operations"
)

func routeAdmit() Command {
	var c CatalogFlags
	return Command{
		Path: "route admit", Tier: 2, Family: Stage,
		Short: "whether a route may serve a request, on which terms, and what it costs at most",
		Long: "The file is JSON: {\"operation\", \"route\", \"request\", \"terms\"}. A route is a row's id, operation:id or an alias; `opcat operation get`\n" +
			"shows the schema of a request. Terms are at, max_usd, providers, region, support, no_training, retention, max_age_seconds,\n" +
			"protocol and variables (values for the holes of an endpoint). Nothing is sent. A refusal is an answer: it exits 0.",
		Result:  "opcat.admission@1",
		Schema:  admissionSchema,
		Flags:   c.Flags(),
		Args:    []Arg{{Name: "file", Usage: "the request as JSON; - reads it from stdin"}},
		Errors:  compileErrors(orderErrors...),
		Example: []string{"route", "admit", "docs/request.json"},
		Run: func(ctx context.Context, inv *Invocation) (Result, error) {
			order, err := readOrder(ctx, inv, inv.Args[0])
			if err != nil {
				return Result{}, err
			}
			b, err := c.book(inv)
			if err != nil {
				return Result{}, err
			}
			if order.Terms.At.IsZero() {
				order.Terms.At = b.at
			}
			fillHoles(inv, b, &order)
			a, err := order.Try(b.Catalog)
			if err != nil {
				return Result{}, orderFault(inv.Args[0], err)
			}
			return Result{Data: a, Text: func(w io.Writer) { writeAdmission(w, &a) }}, nil
		},
	}
}

func admissionSchema() schema.Schema {
	return schema.Object(
		schema.Prop("admitted", schema.Bool()),
		schema.Prop("operation", schema.Enum(operations.Names()...)),
		schema.Prop("route", schema.String()),
		schema.Opt("refusal", refusalSchema()),
		schema.Opt("grant", grantSchema()))
}

func refusalSchema() schema.Schema {
	codes := make([]string, len(operations.Codes()))
	for i, c := range operations.Codes() {
		codes[i] = string(c)
	}
	return schema.Object(
		schema.Prop("code", schema.Enum(codes...)),
		schema.Prop("route", schema.String()),
		schema.Prop("operation", schema.String()),
		schema.Prop("message", schema.String()),
		schema.Opt("field", schema.String()),
		schema.Opt("got", schema.String()),
		schema.Opt("allowed", schema.Array(schema.String())),
		schema.Opt("help", schema.String()))
}

// writeAdmission writes an answer for a person.
func writeAdmission(w io.Writer, a *operations.Admission) {
	if r := a.Refusal; r != nil {
		fmt.Fprintf(w, "refused: %s for %s\n%s: %s\n", a.Route, a.Operation, r.Code, r.Message)
		if r.Help != "" {
			fmt.Fprintf(w, "\t%s\n", r.Help)
		}
		return
	}
	g := a.Grant
	fmt.Fprintf(w, "admitted: %s for %s\n\n", strings.Join(g.Chain, " -> "), a.Operation)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	line := func(name, value string) {
		if value != "" {
			fmt.Fprintf(t, "%s\t%s\n", name, value)
		}
	}
	line("protocol", strings.Join(nonEmpty(g.Protocol, g.APIVersion, g.Dialect), ", "))
	line("url", g.URL)
	line("model", g.WireModel)
	line("region", g.Region)
	line("credential", credentialText(&g.Credential))
	line("support", g.Support)
	if g.OutputMost.IsKnown() {
		line("output tokens", "at most "+g.OutputMost.String())
	}
	if g.Price.USD.IsKnown() {
		line("worst case", string(g.Price.USD)+" USD")
	} else {
		line("worst case", "unknown: "+g.Price.Unknown)
	}
	if f := g.Price.FundingFeePercent; f.IsKnown() {
		line("not in it", fundingFee(f))
	}
	_ = t.Flush() // the writer is a buffer
	writeHonoured(w, g.Settings)
	writeWorst(w, &g.Price)
}

func nonEmpty(words ...string) []string {
	var all []string
	for _, w := range words {
		if w != "" {
			all = append(all, w)
		}
	}
	return all
}

func credentialText(c *operations.Credential) string {
	if c.Scheme == "none" {
		return "none"
	}
	return c.Scheme + " from " + strings.Join(c.Env, " or ") + ", only to " + strings.Join(c.Origins, " and ")
}

func writeHonoured(w io.Writer, settings []operations.Honoured) {
	if len(settings) == 0 {
		return
	}
	fmt.Fprintln(w)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "SETTING\tVALUE\tFROM")
	for _, s := range settings {
		from := "request"
		if s.Filled {
			from = "admission"
		}
		fmt.Fprintf(t, "%s\t%s\t%s\n", s.Name, clip(s.Value, maxCell), from)
	}
	_ = t.Flush() // the writer is a buffer
}

func writeWorst(w io.Writer, p *operations.Worst) {
	fmt.Fprintln(w)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "BILLED AS\tAT MOST")
	for _, l := range p.Lines {
		most := l.AtMost.String()
		switch {
		case l.AtMost.IsKnown():
		case p.USD.IsKnown():
			most = "free, however many"
		default:
			most = "nothing caps it"
		}
		fmt.Fprintf(t, "%s\t%s\n", strings.Join(l.Meters, " or "), most)
	}
	_ = t.Flush() // the writer is a buffer
}
