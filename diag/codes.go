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
	all := slices.Concat(decodeCodes, migrateCodes, layerCodes, resolveCodes, checkCodes)
	slices.SortFunc(all, func(a, b Entry) int { return strings.Compare(string(a.Code), string(b.Code)) })
	return all
}

// Lookup gives the reference page of a code, if it is registered.
func Lookup(c Code) (Entry, bool) {
	all := Codes()
	i := slices.IndexFunc(all, func(e Entry) bool { return e.Code == c })
	if i < 0 {
		return Entry{}, false
	}
	return all[i], true
}
