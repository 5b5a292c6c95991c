package migrate

import (
	"strings"
	"unicode/utf8"
)

// A pattern is one member of a legacy rule's model_match: a glob over ids in
// lower case. `*` stands for any run, slashes too, `?` for one character, `[..]`
// for one of a class, `{a,b}` for alternatives, and a backslash takes the next
// character as it is.
type pattern struct {
	text    string // in lower case, as written otherwise
	exact   bool   // nothing in it is special
	any     bool   // a bare `*`: it says nothing about the id
	parts   [][]globPart
	literal []int // literal characters of each alternative
	runes   int   // literal characters of an exact one
}

// A globPart is a run of literal text, or one thing that stands for others.
type globPart struct {
	kind globKind
	text string // literal: the run; class: its inside
}

type globKind uint8

const (
	globLiteral globKind = iota
	globRun
	globOne
	globClass
)

// What braces may multiply to, and how long a pattern may be. Beyond that it is
// read as one that is no glob, so that no source can make matching slow.
const (
	maxAlternatives = 256
	maxPattern      = 1024
)

func newPattern(text string) pattern {
	p := pattern{text: strings.ToLower(text)}
	p.exact = !strings.ContainsAny(p.text, `*?[{\`)
	p.any = p.text == "*"
	if p.exact {
		p.runes = utf8.RuneCountInString(p.text)
		return p
	}
	var alternatives []string
	ok := len(p.text) <= maxPattern
	if ok {
		alternatives, ok = braces(p.text)
	}
	if ok {
		for _, a := range alternatives {
			var parts []globPart
			if parts, ok = globParts(a); !ok {
				break
			}
			p.parts = append(p.parts, parts)
		}
	}
	if !ok {
		p.parts = [][]globPart{plainParts(p.text)}
	}
	for _, parts := range p.parts {
		n := 0
		for _, g := range parts {
			if g.kind == globLiteral {
				n += utf8.RuneCountInString(g.text)
			}
		}
		p.literal = append(p.literal, n)
	}
	return p
}

// ids are the first bytes and the lengths of the ids that the pattern can fit.
func (p *pattern) ids() (begins, long rests) {
	if p.exact {
		if p.text == "" {
			return anyRest, anyRest
		}
		return 1 << (p.text[0] & 63), 1 << (len(p.text) & 63)
	}
	for _, parts := range p.parts {
		if len(parts) == 0 || parts[0].kind != globLiteral || parts[0].text == "" {
			return anyRest, anyRest
		}
		begins |= 1 << (parts[0].text[0] & 63)
	}
	return begins, anyRest
}

// plainParts reads a pattern that is no glob as a prefix, a suffix or one id.
func plainParts(s string) []globPart {
	if rest, ok := strings.CutSuffix(s, "*"); ok {
		return []globPart{{globLiteral, rest}, {kind: globRun}}
	}
	if rest, ok := strings.CutPrefix(s, "*"); ok {
		return []globPart{{kind: globRun}, {globLiteral, rest}}
	}
	return []globPart{{globLiteral, s}}
}

// braces writes `{a,b}` out; braces may nest. It fails on one that is not closed,
// or when there would be too many alternatives.
func braces(s string) ([]string, bool) {
	open := special(s, '{')
	if open < 0 {
		return []string{s}, true
	}
	depth, start := 0, open+1
	var choices []string
	for i := open; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '{':
			depth++
		case ',':
			if depth == 1 {
				choices, start = append(choices, s[start:i]), i+1
			}
		case '}':
			if depth--; depth > 0 {
				continue
			}
			choices = append(choices, s[start:i])
			var out []string
			for _, c := range choices {
				rest, ok := braces(s[:open] + c + s[i+1:])
				if !ok || len(out)+len(rest) > maxAlternatives {
					return nil, false
				}
				out = append(out, rest...)
			}
			return out, true
		}
	}
	return nil, false
}

// special finds the first c that no backslash precedes and no class holds.
func special(s string, c byte) int {
	class := false
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == '\\':
			i++
		case class:
			class = s[i] != ']'
		case s[i] == c:
			return i
		case s[i] == '[':
			class = true
		}
	}
	return -1
}

// globParts reads one alternative. It fails on a class that is not closed and on
// a backslash at the end.
func globParts(s string) ([]globPart, bool) {
	var parts []globPart
	var lit strings.Builder
	flush := func() {
		if lit.Len() > 0 {
			parts = append(parts, globPart{globLiteral, lit.String()})
			lit.Reset()
		}
	}
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '*':
			flush()
			if n := len(parts); n == 0 || parts[n-1].kind != globRun {
				parts = append(parts, globPart{kind: globRun})
			}
		case '?':
			flush()
			parts = append(parts, globPart{kind: globOne})
		case '[':
			end := strings.IndexByte(s[i+1:], ']')
			if end <= 0 {
				return nil, false
			}
			flush()
			parts = append(parts, globPart{globClass, s[i+1 : i+1+end]})
			i += 1 + end
		case '\\':
			if i++; i == len(s) {
				return nil, false
			}
			lit.WriteByte(s[i])
		default:
			lit.WriteByte(s[i])
		}
	}
	flush()
	return parts, true
}

// match reports whether the pattern fits an id in lower case, and with how many
// literal characters.
func (p *pattern) match(id string) (literal int, ok bool) {
	if p.exact {
		return p.runes, p.text == id
	}
	for i, parts := range p.parts {
		if matchParts(parts, id) && (!ok || p.literal[i] > literal) {
			literal, ok = p.literal[i], true
		}
	}
	return literal, ok
}

// matchParts walks along the id. After a run it remembers where it was, and takes
// one more character into it when what follows does not fit.
func matchParts(parts []globPart, id string) bool {
	p, i := 0, 0
	backP, backI := -1, 0
	for {
		if p == len(parts) {
			if i == len(id) {
				return true
			}
		} else if parts[p].kind == globRun {
			if p++; p == len(parts) {
				return true
			}
			backP, backI = p, i
			continue
		} else if n := parts[p].take(id[i:]); n >= 0 {
			p, i = p+1, i+n
			continue
		}
		if backP < 0 || backI >= len(id) {
			return false
		}
		_, n := utf8.DecodeRuneInString(id[backI:])
		backI += n
		p, i = backP, backI
	}
}

// take tells how many bytes of s the part stands for; -1 if it does not fit.
func (g globPart) take(s string) int {
	if g.kind == globLiteral {
		if strings.HasPrefix(s, g.text) {
			return len(g.text)
		}
		return -1
	}
	r, n := utf8.DecodeRuneInString(s)
	if n == 0 || g.kind == globClass && !inClass(g.text, r) {
		return -1
	}
	return n
}

func inClass(class string, r rune) bool {
	rest, not := strings.CutPrefix(class, "!")
	if !not {
		rest, not = strings.CutPrefix(class, "^")
	}
	set := []rune(rest)
	for i := 0; i < len(set); i++ {
		if i+2 < len(set) && set[i+1] == '-' {
			if set[i] <= r && r <= set[i+2] {
				return !not
			}
			i += 2
			continue
		}
		if set[i] == r {
			return !not
		}
	}
	return not
}
