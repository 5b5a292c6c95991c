package cli

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/opcat/opcat/catalog"
	"github.com/opcat/opcat/diag"
)

// writeOrigins writes the fields of a value, each with what it is and where it was
// stated. A field without a place follows from others, or from the registry.
func writeOrigins(w io.Writer, text []byte, origins []catalog.Origin) {
	value, _ := parse(text) // what a catalog says of a row is JSON
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, o := range origins {
		place := "(implied)"
		if o.Line > 0 {
			place = diag.Pos{Layer: o.Layer, File: o.File}.String() + ":" + strconv.Itoa(o.Line)
		}
		fmt.Fprintf(table, "%s\t%s\t%s\n", visible(o.Field), clip(scalar(valueAt(value, o.Field)), maxCell), visible(place))
	}
	_ = table.Flush() // the writer is a buffer
}

// valueAt finds the value of a field by its path: names with dots between them, a
// name with a dot of its own in quotes, items by number in brackets.
func valueAt(v any, path string) any {
	for path != "" {
		path = strings.TrimPrefix(path, ".")
		if rest, ok := strings.CutPrefix(path, "["); ok {
			number, after, _ := strings.Cut(rest, "]")
			items, _ := v.([]any)
			i, err := strconv.Atoi(number)
			if err != nil || i < 0 || i >= len(items) {
				return nil
			}
			v, path = items[i], after
			continue
		}
		name := path
		if quoted, err := strconv.QuotedPrefix(path); err == nil {
			name, _ = strconv.Unquote(quoted)
			path = path[len(quoted):]
		} else {
			if end := strings.IndexAny(path, ".["); end >= 0 {
				name = path[:end]
			}
			path = path[len(name):]
		}
		o, _ := v.(*object)
		if o == nil {
			return nil
		}
		v = o.values[name]
	}
	return v
}
