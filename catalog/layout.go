package catalog

import (
	"errors"
	"fmt"
)

// The canonical text of a catalog has one row, one provider, one alias a line,
// so that a diff of two catalogs reads as a list of rows: down to the second
// level each member stands on a line, and nothing else is blank.
const lineDepth = 2

var errJoined = errors.New("blanks within a value")

// layout gives the canonical line breaks to any JSON text, or, when pretty, one
// member a line, indented. It moves blanks only and does not check the JSON.
func layout(s []byte, pretty bool) ([]byte, error) {
	w := layouter{dst: make([]byte, 0, len(s)+len(s)/8+1), pretty: pretty}
	blank := false // blanks since the last byte written
	var last byte  // that byte
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c == ' ' || c == '\t' || c == '\n' || c == '\r' {
			blank = true
			continue
		}
		if blank && isWord(c) && isWord(last) {
			return nil, fmt.Errorf("byte %d: %w", i, errJoined)
		}
		closes := c == '}' || c == ']'
		opened := last == '{' || last == '['
		if last == ',' || opened && !closes {
			w.line(w.depth, w.depth)
		} else if closes && !opened {
			w.line(w.depth, w.depth-1)
		}
		switch c {
		case '"':
			end := stringEnd(s, i)
			w.dst = append(w.dst, s[i:end]...)
			i = end - 1
		case '{', '[':
			w.depth++
			w.dst = append(w.dst, c)
		case '}', ']':
			w.depth--
			w.dst = append(w.dst, c)
		case ':':
			w.dst = append(w.dst, c)
			if pretty {
				w.dst = append(w.dst, ' ')
			}
		default:
			w.dst = append(w.dst, c)
		}
		last, blank = c, false
	}
	return append(w.dst, '\n'), nil
}

type layouter struct {
	dst    []byte
	depth  int
	pretty bool
}

// line starts a line for what stands at the given depth, if it gets one.
func (w *layouter) line(depth, indent int) {
	if !w.pretty && depth > lineDepth {
		return
	}
	w.dst = append(w.dst, '\n')
	if w.pretty {
		for range min(indent, maxNesting) {
			w.dst = append(w.dst, ' ', ' ')
		}
	}
}

// isWord tells the bytes of numbers and of true, false and null.
func isWord(c byte) bool {
	return 'a' <= c && c <= 'z' || '0' <= c && c <= '9' || 'A' <= c && c <= 'Z' || c == '-' || c == '+' || c == '.'
}

// stringEnd is the place after the string that starts at i.
func stringEnd(s []byte, i int) int {
	for j := i + 1; j < len(s); j++ {
		switch s[j] {
		case '\\':
			j++
		case '"':
			return j + 1
		}
	}
	return len(s)
}
