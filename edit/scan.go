package edit

import (
	"bytes"
	"unsafe"
)

// The syntax tree gives keys and scalars a place, and neither arrays nor inline
// tables an end. What ends where is found in the bytes; they are valid TOML.

func view(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }

func lineStart(src []byte, at int) int { return 1 + bytes.LastIndexByte(src[:at], '\n') }

// lineEnd is where the next line starts.
func lineEnd(src []byte, at int) int {
	if i := bytes.IndexByte(src[at:], '\n'); i >= 0 {
		return at + i + 1
	}
	return len(src)
}

// valueStart is where the value behind a key starts.
func valueStart(src []byte, at int) int {
	for at < len(src) && (src[at] == ' ' || src[at] == '\t' || src[at] == '=') {
		at++
	}
	return at
}

// skipTo steps over blanks, line breaks, commas and comments.
func skipTo(src []byte, at int) int {
	for at < len(src) {
		switch src[at] {
		case ' ', '\t', '\r', '\n', ',':
			at++
		case '#':
			at = lineEnd(src, at)
		default:
			return at
		}
	}
	return at
}

// valueEnd is where the value that starts at a byte ends; -1 if it does not.
func valueEnd(src []byte, at int) int {
	if at >= len(src) {
		return -1
	}
	switch src[at] {
	case '"', '\'':
		return stringEnd(src, at)
	case '[', '{':
		for at++; at < len(src); {
			switch src[at] {
			case ']', '}':
				return at + 1
			case '[', '{', '"', '\'':
				if at = valueEnd(src, at); at < 0 {
					return -1
				}
			case '#':
				at = lineEnd(src, at)
			default:
				at++
			}
		}
		return -1
	}
	for at < len(src) && bytes.IndexByte([]byte(",]}#\n\r"), src[at]) < 0 {
		at++
	}
	for at > 0 && (src[at-1] == ' ' || src[at-1] == '\t') {
		at--
	}
	return at
}

func stringEnd(src []byte, at int) int {
	quote := src[at]
	triple := []byte{quote, quote, quote}
	if bytes.HasPrefix(src[at:], triple) {
		for at += 3; at < len(src); at++ {
			switch {
			case src[at] == '\\' && quote == '"':
				at++
			case bytes.HasPrefix(src[at:], triple):
				at += 3
				for n := 0; n < 2 && at < len(src) && src[at] == quote; n++ { // up to two quotes may stand before the end
					at++
				}
				return at
			}
		}
		return -1
	}
	for at++; at < len(src); at++ {
		switch {
		case src[at] == '\\' && quote == '"':
			at++
		case src[at] == quote:
			return at + 1
		case src[at] == '\n':
			return -1
		}
	}
	return -1
}

// A Comment is a comment with its place; line and column count from 1.
type Comment struct {
	Text         string
	Line, Column int
}

// Comments finds the comments of a file.
func Comments(src []byte) (out []Comment) {
	line, begin := 1, 0
	for at := 0; at < len(src); at++ {
		switch src[at] {
		case '\n':
			line, begin = line+1, at+1
		case '"', '\'':
			end := stringEnd(src, at)
			if end < 0 {
				return out
			}
			if n := bytes.Count(src[at:end], []byte("\n")); n > 0 {
				line, begin = line+n, 1+bytes.LastIndexByte(src[:end], '\n')
			}
			at = end - 1
		case '#':
			end := at + len(bytes.TrimRight(src[at:lineEnd(src, at)], "\r\n"))
			out = append(out, Comment{string(src[at:end]), line, at - begin + 1})
			at = end - 1
		}
	}
	return out
}

// Headers are the lines, from 1, of the headers of the file.
func (d *Doc) Headers() (out []int) {
	for _, b := range d.blocks[1:] {
		out = append(out, 1+bytes.Count(d.src[:b.start], []byte("\n")))
	}
	return out
}
