package typenames

import (
	"github.com/opcat/opcat/catalog"
	"github.com/opcat/opcat/operations/price"
)

// CountsInput reports whether a meter counts tokens of input, as a usage answers
// when it is asked.
func CountsInput(meter string) bool {
	usage := price.Usage{Lines: []price.Line{{Meter: meter, Count: 1}}}
	return usage.Input() == 1
}

// Lender finds the meter whose price another takes where it has none of its own; ""
// if there is none.
func Lender(meter string) string {
	for _, other := range catalog.Meters() {
		sheet := price.Compile([]catalog.Price{{Meter: other, USDPerMillion: "1", USDPerUnit: "1"}})
		if _, why := sheet.Rate(meter, "", &price.Call{}, 0); why == "" && other != meter {
			return other
		}
	}
	return ""
}
