package schema

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"
)

// inline writes a value as TOML, tables in braces.
func inline(v any) string {
	switch v := v.(type) {
	case map[string]any:
		var parts []string
		for _, k := range slices.Sorted(maps.Keys(v)) {
			parts = append(parts, quote(k)+" = "+inline(v[k]))
		}
		return "{ " + strings.Join(parts, ", ") + " }"
	case []any:
		var parts []string
		for _, e := range v {
			parts = append(parts, inline(e))
		}
		return "[" + strings.Join(parts, ", ") + "]"
	case string:
		return quote(v)
	case float64:
		return strconv.FormatFloat(v, 'f', 1, 64)
	case bareDate:
		return string(v)
	}
	return fmt.Sprint(v)
}

// A bareDate is a TOML date, for which JSON has no words.
type bareDate string

// fragmentText writes the members of a table, each on a line.
func fragmentText(v map[string]any) string {
	var b strings.Builder
	for _, k := range slices.SortedFunc(maps.Keys(v), func(a, b string) int {
		if a == "schema" || b == "schema" {
			return strings.Compare(b, a) // before what it says the format of
		}
		return strings.Compare(a, b)
	}) {
		fmt.Fprintf(&b, "%s = %s\n", quote(k), inline(v[k]))
	}
	return b.String()
}

func quote(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, c := range s {
		switch {
		case c == '"' || c == '\\':
			b.WriteByte('\\')
			b.WriteRune(c)
		case c < ' ' || c == 0x7f:
			fmt.Fprintf(&b, `\u%04X`, c)
		default:
			b.WriteRune(c)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// jsonValue is what a TOML reader hands to a validator; odd reports what JSON cannot
// tell apart: a date and a string, 1.0 and 1.
func jsonValue(v any) (out any, odd bool) {
	switch v := v.(type) {
	case map[string]any:
		m := make(map[string]any, len(v))
		for k, e := range v {
			var o bool
			m[k], o = jsonValue(e)
			odd = odd || o
		}
		return m, odd
	case []map[string]any:
		l := make([]any, len(v))
		for i, e := range v {
			var o bool
			l[i], o = jsonValue(e)
			odd = odd || o
		}
		return l, odd
	case []any:
		l := make([]any, len(v))
		for i, e := range v {
			var o bool
			l[i], o = jsonValue(e)
			odd = odd || o
		}
		return l, odd
	case time.Time:
		return v.Format("2006-01-02"), true
	case bareDate:
		return string(v), true
	case float64:
		return v, v == float64(int64(v))
	}
	return v, false
}
