package parity

import (
	"encoding/json"

	"github.com/opcat/opcat/catalog"
)

// Answer answers a question with the Go library over a catalog from wherever: a form that
// hands its catalog to the library is asked so.
func Answer(c *catalog.Catalog, asked json.RawMessage) (any, error) { return library(c, asked) }
