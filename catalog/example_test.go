package catalog_test

import (
	"fmt"

	"github.com/opcat/opcat/catalog"
)

// A price that nobody stated is unknown. It is not zero, and not free.
func ExampleDecimal() {
	var unstated catalog.Decimal
	free := catalog.Decimal("0")
	fmt.Println(unstated.IsKnown(), unstated.IsZero())
	fmt.Println(free.IsKnown(), free.IsZero())
	// Output:
	// false false
	// true true
}

// Routes of one operation, and what a contract says of its own operation alone.
func ExampleCatalog_Routes() {
	c, err := catalog.Open([]byte(small))
	if err != nil {
		fmt.Println(err)
		return
	}
	for r := range c.Routes("embedding") {
		contract, _ := r.Contract("embedding")
		fmt.Println(r.ID(), r.InputKinds("embedding"), contract.Embedding.Dimensions.Default)
		fmt.Println(r.Row().Limits.OutputTokens)
	}
	// Output:
	// acme/a [text] 2
	// unknown
}
