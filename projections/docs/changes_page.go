package docs

import "github.com/opcat/opcat/projections/emit"

// Changes is what changed.
type Changes struct{}

func changes(c *Changes) []emit.File {
	p := newPage("changes", "Changes")
	p.para("No earlier edition is recorded.")
	return p.files()
}
