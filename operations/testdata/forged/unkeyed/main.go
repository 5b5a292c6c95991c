// An admission is written down without the names of its fields.
package main

import (
	"github.com/opcat/opcat/operations"
	"github.com/opcat/opcat/operations/embedding"
)

func main() {
	_ = operations.Admitted[embedding.Request]{embedding.Request{}.Keep()} // want: implicit assignment to unexported field request
}
