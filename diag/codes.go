package diag

import (
	"slices"
	"strings"
)

// An Entry is the reference page of one code. Wrong and Right are one file, which
// lies under catalog_sources, or several in txtar form ("-- path --").
type Entry struct {
	Code  Code   `json:"code"`
	Stage string `json:"stage"` // the stage that finds it: decode, migrate, layer, resolve or check
	Title string `json:"title"` // one line, what the mistake is
	Why   string `json:"why"`   // what goes wrong for people when it passes
	Wrong string `json:"wrong"` // TOML that gets the finding
	Right string `json:"right"` // TOML that does not
}

// Codes lists every registered code by name.
func Codes() []Entry {
	all := slices.Concat(stages()...)
	slices.SortFunc(all, func(a, b Entry) int { return strings.Compare(string(a.Code), string(b.Code)) })
	return all
}

// Lookup gives the reference page of a code, if it is registered.
func Lookup(c Code) (Entry, bool) {
	for _, list := range stages() {
		for i := range list {
			if list[i].Code == c {
				return list[i], true
			}
		}
	}
	return Entry{}, false
}

// stages are the codes of each stage that finds something.
func stages() [][]Entry {
	return [][]Entry{decodeCodes, migrateCodes, layerCodes, resolveCodes, checkCodes}
}
