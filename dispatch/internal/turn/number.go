package turn

import (
	"github.com/go-json-experiment/json/jsontext"

	"github.com/opcat/opcat/catalog"
)

// Number is a decimal as a JSON number, with its own digits; nil if it is unknown.
func Number(d catalog.Decimal) jsontext.Value {
	if !d.IsKnown() {
		return nil
	}
	return jsontext.Value(d)
}

// Raw is JSON to be written as it is.
func Raw(j catalog.JSON) jsontext.Value { return jsontext.Value(j) }
