package fragment

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/BurntSushi/toml"
	"github.com/opcat/opcat/diag"
	"github.com/pelletier/go-toml/v2/unstable"
)

// syntax reports what is no TOML at all. BurntSushi/toml words it, since its
// messages are the better ones; where it sees no fault our parser's own stands.
// What was left open before is where the author has to look, not where a parser
// notices it.
func (d *decoder) syntax(err error) {
	f := diag.Diagnostic{Code: diag.Syntax, Message: strings.ReplaceAll(err.Error(), "\n", " ")}
	off := len(d.whole)
	var perr *unstable.ParserError
	if errors.As(err, &perr) && len(perr.Highlight) > 0 {
		off = d.base + int(d.parser.Range(perr.Highlight).Offset)
	}
	d.base, d.src = 0, d.whole // what follows looks at the whole file
	var second toml.ParseError
	var into map[string]any
	if _, err := toml.Decode(string(d.src), &into); errors.As(err, &second) {
		f.Message = strings.ReplaceAll(second.Message, "\n", " ")
		off = max(0, min(second.Position.Start, len(d.src))) // the first byte may be said to stand before the file
	}
	f.At = d.at(uint32(off))
	ends := strings.Contains(f.Message, "EOF") || strings.HasSuffix(f.Message, "end of file instead")
	if ends {
		off = len(d.src) // it is said of the last byte
		f.Message = strings.TrimPrefix(f.Message, "unexpected EOF; ")
	} else if before, ok := strings.CutSuffix(f.Message, "but got "+noByte+" instead"); ok && bytes.IndexByte(d.src, 0) < 0 {
		ends, f.Message = true, before+"but the file ends"
	}
	d.explain(&f, off)
	if ends && f.Help == "" {
		f.Help = "the file ends in the middle: write the rest, or restore it from where it was whole"
	}
	const rest = "nothing after this place could be read"
	if f.Help != "" {
		f.Help += "; "
	}
	f.Help += rest
	d.report(nil, f)
}

// noByte is how the parser that words mistakes writes the end of a file.
const noByte = `'\x00'`

// explain says what a parser that stopped at an offset could not know: which bracket
// or quote before it is the one that is missing its other.
func (d *decoder) explain(f *diag.Diagnostic, off int) {
	open, text := unclosed(d.src, off)
	inner := len(open) - 1
	next, _ := utf8.DecodeRune(d.src[off:])
	switch {
	case inner >= 0 && open[inner].kind == '{' && open[inner].left > 0:
		f.Message = fmt.Sprintf("the inline table that begins at column %d is not closed on its line", d.at(uint32(open[inner].off)).Col)
		f.At = d.at(uint32(open[inner].left))
		f.Help = "write } here"
	case text.end > 0 && text.end == off && bytes.IndexByte(d.src[text.off:off], '=') > 0:
		f.Notes = []diag.Note{{At: d.at(uint32(text.off)), Message: "the text before it begins here"}}
		f.Help = "close that text with a quote where it is to end"
	case strings.Contains(f.Message, "cannot contain newlines"):
		f.Help = "close the text with the quote that it begins with"
	case next == '\u201c' || next == '\u201d' || next == '\u2018' || next == '\u2019':
		f.Help = "write plain quotes"
	case inner >= 0 && open[inner].kind == '[' && (off == len(d.src) || strings.HasPrefix(f.Message, "expected value")):
		f.Message = "the array is not closed before this place"
		f.Notes = []diag.Note{{At: d.at(uint32(open[0].off)), Message: "it begins here"}}
		f.Help = "write ] where it ends"
	case strings.HasPrefix(f.Message, "expected value but found \""):
		f.Help = "write a text in quotes"
	}
}

// A bracket is a { or [ that is open.
type bracket struct {
	kind byte
	off  int // where it stands
	left int // of a {: where its line ends without its }; 0 if it does not
}

// A span is a text in quotes.
type span struct{ off, end int }

// unclosed lists the brackets that are open at an offset, outermost first, and the last
// text that was closed before it. A { that is open where a line ends was to be closed
// there, before a comma.
func unclosed(src []byte, off int) (open []bracket, text span) {
	solid := 0 // after the last byte that is no blank and no comment
	leave := func() {
		if n := len(open); n > 0 && open[n-1].kind == '{' && open[n-1].left == 0 {
			if open[n-1].left = solid; src[solid-1] == ',' {
				open[n-1].left--
			}
		}
	}
	for i := 0; i < off; i++ {
		switch c := src[i]; c {
		case '\n':
			leave()
			continue
		case ' ', '\t', '\r':
			continue
		case '#':
			if n := bytes.IndexByte(src[i:], '\n'); n >= 0 {
				i += n - 1
				continue
			}
			i = off
			continue
		case '"', '\'':
			end := quoted(src, i)
			if end > off {
				return open, text
			}
			text = span{i, end}
			i = end - 1
		case '{', '[':
			open = append(open, bracket{kind: c, off: i})
		case '}', ']':
			if n := len(open); n > 0 && open[n-1].kind == c-2 {
				open = open[:n-1]
			}
		}
		solid = i + 1
	}
	if off == len(src) {
		leave()
	}
	return open, text
}

// quoted is where the text ends that begins with the quote at an offset: after its
// closing quote, or where its line ends.
func quoted(src []byte, at int) int {
	quote := src[at : at+1]
	if long := bytes.Repeat(quote, 3); bytes.HasPrefix(src[at:], long) {
		quote = long
	}
	for i := at + len(quote); i < len(src); i++ {
		switch {
		case src[i] == '\\' && quote[0] == '"':
			i++
		case bytes.HasPrefix(src[i:], quote):
			return i + len(quote)
		case src[i] == '\n' && len(quote) == 1:
			return i
		}
	}
	return len(src)
}
