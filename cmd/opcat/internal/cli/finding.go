package cli

import (
	"slices"
	"strings"

	"github.com/opcat/opcat/cmd/opcat/internal/schema"
	"github.com/opcat/opcat/diag"
)

// Severities of findings, worst first. An accepted one is an error that the accept
// file lets pass.
var severities = []string{"error", "warning", "accepted"}

// severityOf is how bad a finding is.
func severityOf(d diag.Diagnostic) string {
	switch {
	case d.Accepted != "":
		return "accepted"
	case d.Warning:
		return "warning"
	}
	return "error"
}

// finding is a diagnostic as commands print it.
type finding struct {
	Severity string      `json:"severity"`
	Code     diag.Code   `json:"code"`
	At       diag.Pos    `json:"at"`
	Message  string      `json:"message"`
	Got      string      `json:"got,omitempty"`
	Allowed  []string    `json:"allowed,omitempty"`
	Notes    []diag.Note `json:"notes,omitempty"`
	Help     string      `json:"help,omitempty"`
	Row      string      `json:"row,omitempty"`
	Provider string      `json:"provider,omitempty"`
	Fields   []string    `json:"fields,omitempty"`
	Why      string      `json:"why,omitempty"` // of an accepted one

	text string // as a compiler prints it
}

func newFinding(d diag.Diagnostic) finding {
	return finding{Severity: severityOf(d), Code: d.Code, At: d.At, Message: d.Message, Got: d.Got, Allowed: d.Allowed,
		Notes: d.Notes, Help: d.Help, Row: d.Row, Provider: d.Provider, Fields: d.Fields, Why: d.Accepted, text: d.String()}
}

// key tells the findings of a list apart, as the canonical list does.
func (f finding) key() string {
	return strings.Join([]string{f.At.String(), string(f.Code), f.Message, f.Got, f.Row}, "\x00")
}

func posSchema() schema.Schema {
	return schema.Object(schema.Opt("layer", schema.String()), schema.Prop("file", schema.String()),
		schema.Opt("line", schema.Int()), schema.Opt("column", schema.Int()))
}

func findingSchema() schema.Schema {
	return schema.Object(
		schema.Prop("severity", schema.Enum(severities...)),
		schema.Prop("code", schema.String()),
		schema.Prop("at", posSchema()),
		schema.Prop("message", schema.String()),
		schema.Opt("got", schema.String()),
		schema.Opt("allowed", schema.Array(schema.String())),
		schema.Opt("notes", schema.Array(schema.Object(schema.Prop("at", posSchema()), schema.Prop("message", schema.String())))),
		schema.Opt("help", schema.String()),
		schema.Opt("row", schema.String()),
		schema.Opt("provider", schema.String()),
		schema.Opt("fields", schema.Array(schema.String())),
		schema.Opt("why", schema.String()))
}

// findingCounts is how many findings there are of each severity.
type findingCounts struct {
	Error    int `json:"error"`
	Warning  int `json:"warning"`
	Accepted int `json:"accepted"`
}

func countFindings(found diag.List) (c findingCounts) {
	for _, d := range found {
		switch severityOf(d) {
		case "error":
			c.Error++
		case "warning":
			c.Warning++
		default:
			c.Accepted++
		}
	}
	return c
}

func countsSchema() schema.Schema {
	return schema.Object(schema.Prop("error", schema.Int()), schema.Prop("warning", schema.Int()), schema.Prop("accepted", schema.Int()))
}

// warnAbout says the warnings of a compile beside its result.
func warnAbout(inv *Invocation, found diag.List) { inv.report.warn(warningsOf(found)...) }

// warningsOf are the warnings among findings. An accepted finding was looked at by a
// person, who said why it stands.
func warningsOf(found diag.List) []Warning {
	var out []Warning
	for _, d := range found {
		if !d.Warning || d.Accepted != "" {
			continue
		}
		w := Warning{Code: string(d.Code), Message: oneLine(d.Message, maxMessage), Allowed: d.Allowed, At: atOf(d.At), Hint: oneLine(d.Help, maxMessage), text: d.String()}
		if d.Got != "" {
			got := clip(d.Got, maxGot)
			w.Got = &got
		}
		for _, n := range d.Notes {
			w.Causes = append(w.Causes, Warning{Code: w.Code, Message: oneLine(n.Message, maxMessage), At: atOf(n.At)})
		}
		out = append(out, w)
	}
	return out
}

// failure is the error of a compile that failed at a stage. Every mistake is among its
// causes, and the first failing stage gives it its code.
func failure(stage string, found diag.List) *Error {
	return FromDiagnostics(failureCode(stage, found), found)
}

func failureCode(stage string, found diag.List) Code {
	if stage == "decode" {
		return DecodeFailed
	}
	ofStage := func(d diag.Diagnostic) bool {
		e, ok := diag.Lookup(d.Code)
		return d.IsError() && ok && e.Stage == stage
	}
	conflict := func(d diag.Diagnostic) bool { return d.IsError() && len(d.Notes) > 0 }
	if slices.ContainsFunc(found, ofStage) {
		whole := conflict
		conflict = func(d diag.Diagnostic) bool { return ofStage(d) && whole(d) }
	}
	if slices.ContainsFunc(found, conflict) {
		return Contradiction
	}
	return ValidationFailed
}
