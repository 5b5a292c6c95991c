package wire

import (
	"fmt"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// ReadUSD notes what the vendor says the call cost: a number, or a text with one.
// Absent or null is unknown; anything else spoils the usage.
func (m *Meta) ReadUSD(name string, v jsontext.Value) {
	if len(v) == 0 || v.Kind() == 'n' {
		return
	}
	n := Number(v)
	if v.Kind() == '"' {
		var s string
		_ = json.Unmarshal(v, &s) // a JSON string decodes into a string
		n = Number(s)
	}
	d, err := n.Decimal()
	if err != nil || d.Compare("0") < 0 {
		if m.UsageError == "" {
			m.UsageError = fmt.Sprintf("%s: %.40s is not a cost", name, v)
		}
		return
	}
	m.VendorUSD = d
}
