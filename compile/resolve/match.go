package resolve

import (
	"cmp"
	"unicode/utf8"

	"github.com/Masterminds/semver/v3"
)

// A specificity says how closely a rule speaks of a row. Layers are compared last:
// a closer rule of a lower layer stands against a wider one of a higher layer.
type specificity struct {
	exact     bool
	literals  int // characters of the pattern that are not wildcards
	versioned bool
	rank      int
}

// compare is positive if s is the more specific.
func (s specificity) compare(t specificity) int {
	return cmp.Or(truth(s.exact)-truth(t.exact), cmp.Compare(s.literals, t.literals),
		truth(s.versioned)-truth(t.versioned), cmp.Compare(s.rank, t.rank))
}

func truth(b bool) int {
	if b {
		return 1
	}
	return 0
}

// literals counts the characters of a pattern that stand for themselves.
func literals(pattern string) int {
	n := 0
	for _, c := range pattern {
		if c != '*' && c != '?' {
			n++
		}
	}
	return n
}

// matches reports whether a pattern covers the whole of a wire id. * stands for any
// run of characters, also with slashes and also none; ? for one character; every
// other character for itself.
func matches(pattern, s string) bool {
	// After a mismatch it is enough to let the last star take one character more.
	star, resume := -1, 0
	p, i := 0, 0
	for i < len(s) {
		switch {
		case p < len(pattern) && pattern[p] == '*':
			star, resume = p, i
			p++
		case p < len(pattern) && pattern[p] == '?':
			_, n := utf8.DecodeRuneInString(s[i:])
			p, i = p+1, i+n
		case p < len(pattern) && pattern[p] == s[i]:
			p, i = p+1, i+1
		case star >= 0:
			_, n := utf8.DecodeRuneInString(s[resume:])
			resume += n
			p, i = star+1, resume
		default:
			return false
		}
	}
	for p < len(pattern) && pattern[p] == '*' {
		p++
	}
	return p == len(pattern)
}

// version is what model_version reads of a row: its version, or a snapshot that is
// one in full. A selector has none of its own.
func version(row *Row) *semver.Version {
	for _, key := range []string{"version", "snapshot"} {
		if n := row.Table.Get(key); n != nil {
			v, err := semver.StrictNewVersion(n.Str())
			if err == nil {
				return v
			}
		}
	}
	return nil
}
