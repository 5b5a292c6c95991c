package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
)

// maxCell bounds a cell of a table on a terminal, in bytes. Off a terminal a
// table is cut nowhere: something may be reading it.
const maxCell = 60

// printResult writes a result for a person: data to stdout in one write, what is
// to be said about it to stderr.
func (r *run) printResult(data *object, result Result) error {
	var b bytes.Buffer
	switch items, isList := listItems(data); {
	case result.Text != nil && len(r.flags.fields) == 0:
		var raw bytes.Buffer
		result.Text(&raw)
		b.WriteString(visibleLines(raw.String()))
	case isList:
		if rest := data.without("items"); len(rest.keys) > 0 { // counts and the like
			outline(&b, rest, "")
			b.WriteByte('\n')
		}
		r.table(&b, items)
	default:
		outline(&b, data, "")
	}
	if _, err := r.streams.Out.Write(b.Bytes()); err != nil {
		return err
	}
	m := r.report.meta(true, r.bounded())
	_, _ = io.WriteString(r.streams.Err, r.warnings())
	if m.TruncationHint != "" {
		r.say("%s", m.TruncationHint)
	}
	if m.Pagination != nil && m.Pagination.NextCursor != nil {
		r.say("next page: --cursor %s", *m.Pagination.NextCursor)
	}
	if m.RunDir != "" {
		r.say("run dir: %s", m.RunDir)
	}
	return nil
}

// printError writes an error for a person. Findings in files speak for themselves,
// all of them, one after the other, as a compiler prints them.
func (r *run) printError(e *Error) {
	var lines []string
	for _, d := range e.found {
		lines = append(lines, d.String())
	}
	for _, c := range e.Causes {
		if c.text != "" {
			lines = append(lines, c.text)
		}
	}
	var b strings.Builder
	sum := fmt.Sprintf("%s: %s: %s\n", r.app.Tool, e.Code, e.line())
	if len(lines) == 0 {
		b.WriteString(sum)
		shown := e.Causes[:min(len(e.Causes), maxListed)]
		for _, c := range shown {
			fmt.Fprintf(&b, "  %s%s: %s\n", c.At.text(), c.Code, c.line())
		}
		if n := e.More + len(e.Causes) - len(shown); n > 0 {
			fmt.Fprintf(&b, "and %d more\n", n)
		}
	}
	for _, line := range lines {
		b.WriteString(visibleLines(line) + "\n")
	}
	if len(lines) > 1 { // the sum of many stands where a reader stops
		b.WriteString(sum)
	}
	if e.Hint != "" {
		fmt.Fprintf(&b, "\ttry: %s\n", oneLine(e.Hint, maxMessage))
	}
	b.WriteString(r.warnings())
	_, _ = io.WriteString(r.streams.Err, b.String()) // a closed stderr changes nothing
}

// warnings is what a person reads of them.
func (r *run) warnings() string {
	var b strings.Builder
	for _, w := range r.report.meta(false, false).Warnings {
		if w.text != "" {
			b.WriteString(visibleLines(w.text) + "\n")
			continue
		}
		fmt.Fprintf(&b, "%s: warning %s: %s\n", r.app.Tool, w.Code, w.Message)
	}
	return b.String()
}

// text is the place before a message.
func (a *At) text() string {
	switch {
	case a == nil:
		return ""
	case a.File != "" && a.Line > 0:
		return fmt.Sprintf("%s:%d:%d: ", visible(a.File), a.Line, a.Column)
	case a.File != "":
		return visible(a.File) + ": "
	case a.Item != "":
		return visible(a.Item) + ": "
	}
	return a.Flag + ": "
}

// say writes one line about the run to stderr.
func (r *run) say(format string, args ...any) {
	fmt.Fprintf(r.streams.Err, r.app.Tool+": "+format+"\n", args...)
}

// listItems gives the items of list data.
func listItems(data *object) ([]any, bool) {
	items, ok := data.values["items"].([]any)
	return items, ok
}

// table writes items as aligned columns, one for each member that any item has. A
// member that the first item lacks stands after the one that it follows elsewhere.
func (r *run) table(b *bytes.Buffer, items []any) {
	var columns []string
	for _, item := range items {
		o, ok := item.(*object)
		if !ok {
			continue
		}
		at := 0
		for _, key := range o.keys {
			if i := slices.Index(columns, key); i >= 0 {
				at = max(at, i+1)
				continue
			}
			columns = slices.Insert(columns, at, key)
			at++
		}
	}
	var text bytes.Buffer
	w := tabwriter.NewWriter(&text, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, strings.ToUpper(strings.Join(columns, "\t")))
	for _, item := range items {
		row := make([]string, len(columns))
		if o, ok := item.(*object); ok {
			for i, c := range columns {
				row[i] = r.cell(o.values[c])
			}
		}
		fmt.Fprintln(w, strings.Join(row, "\t"))
	}
	_ = w.Flush() // a buffer takes everything
	lines := strings.SplitAfter(text.String(), "\n")
	for i, line := range lines {
		line = strings.TrimRight(line, " \n")
		switch {
		case line == "" && (i == 0 || i == len(lines)-1): // no columns at all, or the end
			continue
		case i == 0 && r.colour():
			line = "\x1b[1m" + line + "\x1b[0m"
		}
		b.WriteString(line + "\n")
	}
}

// colour reports whether stdout may hold ANSI codes.
func (r *run) colour() bool {
	return r.streams.OutTTY && r.streams.Getenv("NO_COLOR") == "" && r.streams.Getenv("TERM") != "dumb"
}

func (r *run) cell(v any) string {
	s := scalar(v)
	if r.streams.OutTTY {
		s = clip(s, maxCell)
	}
	return s
}

// scalar writes a value on one line: lists of scalars with commas, deeper things
// as JSON, nothing for null.
func scalar(v any) string {
	switch v := v.(type) {
	case nil:
		return ""
	case string:
		return visible(v)
	case json.Number:
		return v.String()
	case bool:
		if v {
			return "yes"
		}
		return "no"
	case []any:
		words := make([]string, len(v))
		for i, item := range v {
			if !flat(item) {
				return compact(v)
			}
			words[i] = scalar(item)
		}
		return strings.Join(words, ", ")
	}
	return compact(v)
}

func compact(v any) string {
	text, err := marshal(v)
	if err != nil {
		return ""
	}
	return visible(string(text))
}

func flat(v any) bool {
	switch v.(type) {
	case *object, []any:
		return false
	}
	return true
}

// outline writes an object as indented lines: "key: value", and what is nested
// below its key.
func outline(b *bytes.Buffer, o *object, indent string) {
	for _, key := range o.keys {
		b.WriteString(indent + visible(key) + ":")
		below(b, o.values[key], indent)
	}
}

// below writes the value of a key or of a list's dash.
func below(b *bytes.Buffer, v any, indent string) {
	switch v := v.(type) {
	case *object:
		b.WriteByte('\n')
		outline(b, v, indent+"  ")
		return
	case []any:
		if slices.ContainsFunc(v, func(item any) bool { return !flat(item) }) {
			b.WriteByte('\n')
			for _, item := range v {
				b.WriteString(indent + "  -")
				below(b, item, indent+"  ")
			}
			return
		}
	}
	if s := scalar(v); s != "" {
		b.WriteString(" " + s)
	}
	b.WriteByte('\n')
}

// visibleLines is visible for text that has lines and tabs of its own.
func visibleLines(s string) string {
	lines := strings.Split(s, "\n")
	for i, line := range lines {
		cells := strings.Split(line, "\t")
		for j := range cells {
			cells[j] = visible(cells[j])
		}
		lines[i] = strings.Join(cells, "\t")
	}
	return strings.Join(lines, "\n")
}
