package rhyming

import "github.com/opcat/opcat/catalog"

// limit reads a limit of a contract, typed once `make gen` has seen the folder.
func limit(c *catalog.Contract, name string) (n catalog.Opt[int64]) {
	if l := c.Rhyming.Limits; l != nil && name == "words" {
		return l.Words
	}
	return n
}
