package schema

import (
	"math/rand/v2"
	"slices"
	"strconv"

	"github.com/opcat/opcat/shape"
)

// good are texts of each kind that the decoder takes, and bad ones that it does not.
var good = map[shape.Kind][]string{
	shape.Text: {"a text", "two\nlines", "ü"}, shape.ID: {"acme", "acme-1.2_x"}, shape.WireID: {"chat-1", "org/Model:free"}, shape.RowID: {"acme/chat-1", "gate/org/x"},
	shape.Amount: {"0", "0.042", "12"}, shape.Number: {"-0.5", "2"}, shape.Date: {"2026-11-30", "2024-02-29", "2026-11-30T09:00:00Z", "2026-11-30T09:00:00.5+02:00"},
	shape.Duration: {"120s", "1h30m", "1.5h"}, shape.Clock: {"09:30", "24:00"}, shape.Offset: {"+00:00", "-09:30"},
	shape.URL:    {"https://api.acme.example/v1/{model}", "https://{region}.acme.example", "http://localhost:11434/api", "https://[2001:db8::1]/x"},
	shape.Origin: {"https://api.acme.example", "http://127.0.0.1:8080"}, shape.Source: {"https://acme.example/prices#x", "pkg:pypi/acme@1.0.0"},
	shape.EnvName: {"ACME_API_KEY"}, shape.Header: {"x-api-version"}, shape.Range: {">=1.13.0, <2", "^1"}, shape.Semver: {"1.13.0", "1.0.0-rc.1"}, shape.Glob: {"chat-*"},
}

var bad = map[shape.Kind][]string{
	shape.Text: {"", "a\x01b"}, shape.ID: {"", "Acme", "-a"}, shape.WireID: {"", " a", "a\n"}, shape.RowID: {"acme", "Acme/x", "acme/"},
	shape.Amount: {"-1", "1e3", "1,5", "free"}, shape.Number: {"+1", ".5"}, shape.Date: {"2026-02-30", "30.11.2026", "2026-11-30T09:00:00"},
	shape.Duration: {"0s", "-1s", "120"}, shape.Clock: {"9:30", "24:01"}, shape.Offset: {"Z", "+15:00"},
	shape.URL: {"http://acme.example", "https://user@acme.example", "https://acme.example/{"}, shape.Origin: {"https://acme.example/", "https://ACME.example"},
	shape.Source: {"http://acme.example", "see the docs"}, shape.EnvName: {"1A", "A-B"}, shape.Header: {"x api", ""}, shape.Range: {">=one"}, shape.Semver: {"1.13"}, shape.Glob: {" *"},
}

// A maker makes values of shapes at random, and then spoils them.
type maker struct {
	*rand.Rand
	seen map[*shape.Key]bool
}

func (m *maker) pick(from []string) string { return from[m.IntN(len(from))] }

// value makes one that the decoder takes. Tables get what they need and some of the
// rest, less the deeper they lie.
func (m *maker) value(t *shape.Type, depth int) any {
	switch t.Kind {
	case shape.Enum:
		return m.pick(t.Values)
	case shape.Bool:
		return m.IntN(2) == 0
	case shape.Count:
		top := t.Max
		if top == 0 {
			top = t.Min + 1_000_000
		}
		return t.Min + m.Int64N(top-t.Min+1)
	case shape.List:
		return m.list(t, depth)
	case shape.Map:
		v := map[string]any{}
		for range 1 + m.IntN(2) {
			v[m.pick(good[t.KeyKind])] = m.value(t.Elem, depth+1)
		}
		return v
	case shape.Record:
		return m.table(t.Table, depth)
	case shape.Union:
		return m.value(t.Of[m.IntN(len(t.Of))], depth)
	case shape.Any:
		return []any{"text", int64(1), 0.5, true, []any{"a", int64(1)}, map[string]any{"a": "b"}}[m.IntN(6)]
	}
	return m.pick(good[t.Kind])
}

func (m *maker) table(t *shape.Table, depth int) map[string]any {
	v := map[string]any{}
	for _, k := range t.Keys {
		wanted := m.IntN(3+depth*3) == 0 || !m.seen[k] && m.IntN(4) == 0
		if k.Need == shape.Always || wanted && depth < 8 {
			m.seen[k] = true
			v[k.Name] = m.value(k.Type, depth+1)
		}
	}
	return v
}

func (m *maker) list(t *shape.Type, depth int) any {
	v := []any{}
	if t.Elem.Kind == shape.Enum && len(t.Elem.Values) == 0 { // settings, of an operation that has none
		return v
	}
	used := map[any]bool{}
	for range 1 + m.IntN(2) {
		item := m.value(t.Elem, depth+1)
		if t.Set {
			if used[item] {
				continue
			}
			used[item] = true
		}
		v = append(v, item)
	}
	return v
}

// spoil changes one place of a value, mostly for the worse, and tells whether it did.
func (m *maker) spoil(v any) (any, bool) {
	switch v := v.(type) {
	case map[string]any:
		names := make([]string, 0, len(v))
		for k := range v {
			if k != "schema" || len(v) == 1 { // or nothing further in would be looked at
				names = append(names, k)
			}
		}
		if len(names) == 0 || m.IntN(6) == 0 {
			v["wire_modle"] = "x"
			return v, true
		}
		k := m.pick(slices.Sorted(slices.Values(names)))
		switch m.IntN(8) {
		case 0:
			delete(v, k)
			return v, true
		case 1:
			v[k+"s"] = v[k]
			delete(v, k)
			return v, true
		case 2:
			v[k] = m.junk()
			return v, true
		}
		var done bool
		v[k], done = m.spoil(v[k])
		return v, done
	case []any:
		if len(v) == 0 {
			return append(v, m.junk()), true
		}
		switch m.IntN(6) {
		case 0:
			return append(v, v[0]), true
		case 1:
			return []any{}, true
		case 2:
			return append(v, m.junk()), true
		}
		i := m.IntN(len(v))
		var done bool
		v[i], done = m.spoil(v[i])
		return v, done
	}
	return m.junk(), true
}

// junk is any value: a text that is good or bad for some kind, a number, a table.
func (m *maker) junk() any {
	switch m.IntN(8) {
	case 0:
		return int64(m.IntN(5)) - 1
	case 1:
		return float64(m.IntN(3)) / 2
	case 2:
		return m.IntN(2) == 0
	case 3:
		return map[string]any{}
	case 4:
		return []any{"a", "a"}
	case 5:
		return strconv.Itoa(m.IntN(100))
	}
	kind := shape.Text + shape.Kind(m.IntN(int(shape.Glob)))
	pool := append(append([]string{"supported", "refused", "text"}, good[kind]...), bad[kind]...)
	return m.pick(pool)
}
