package ranking

import (
	"github.com/go-json-experiment/json/jsontext"

	"github.com/opcat/opcat/dispatch/wire"
)

// Count states a meter's count, or that nobody counted it.
func Count(m *wire.Meta, meter, name string, v jsontext.Value) {
	t := wire.Tally{Err: m.UsageError}
	if n, ok := t.Count(name, v); ok {
		m.Usage.Add(meter, n)
	} else {
		m.Usage.Unknown = append(m.Usage.Unknown, meter)
	}
	m.UsageError = t.Err
}
