// Package pattern is regexp for package variables: a pattern is compiled when it is first asked
// for. Compiling one takes longer than starting an empty program does, and a run of opcat uses few.
package pattern

import (
	"regexp"
	"sync"
)

// Lazy gives the regexp of a pattern that compiles, which is compiled once.
func Lazy(text string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(text) })
}
