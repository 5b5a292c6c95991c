package op

import (
	"unicode/utf8"

	"github.com/opcat/opcat/catalog"
)

// What a server adds around what it is sent, in tokens. Vendors publish none of
// it; what was seen in their answers lies well below.
const (
	AroundRequest  = 512  // instructions of the server's own
	AroundPiece    = 32   // marks around a message, an item, a question, a document
	AroundTools    = 1024 // how to call tools, once
	AroundQuestion = 64   // how to answer a question
)

// A Tally bounds the tokens of what is sent while a request is walked. Its zero
// value is empty.
type Tally struct {
	Most int64
	Open bool
}

// Text adds a text: no tokenizer makes more tokens of it than it has bytes.
func (t *Tally) Text(s string) { t.Most += int64(len(s)) }

// Around adds what the server puts around a piece.
func (t *Tally) Around(tokens int64) { t.Most += tokens }

// Media adds what nothing bounds: an image, a sound, a file.
func (t *Tally) Media() { t.Open = true }

// Size is the tally as a size; what the caller counted comes first.
func (t Tally) Size(name string, counted catalog.Opt[int64]) Size {
	if n, ok := counted.Get(); ok {
		return Size{Name: name, Most: n, Told: true}
	}
	return Size{Name: name, Most: t.Most, Open: t.Open}
}

// Content checks one piece of content: text and nothing else, or one place from
// where it is read. what names it in the error.
func (n *Needs) Content(what string, i int, isText bool, text, mediaType, data, url, fileID string) {
	switch {
	case isText:
		n.ContentText(what, i, text, mediaType == "" && data == "" && url == "" && fileID == "")
	case text != "":
		n.Fail("%s %d: text belongs in a piece of its own, of kind text", what, i)
	case one(data)+one(url)+one(fileID) != 1:
		n.Fail("%s %d: give one of data, url and file_id", what, i)
	case data != "" && mediaType == "":
		n.Fail("%s %d: data needs its media_type, such as image/png", what, i)
	case !utf8.ValidString(mediaType) || !utf8.ValidString(url) || !utf8.ValidString(fileID):
		n.Fail("%s %d: media_type, url or file_id is not valid UTF-8", what, i)
	case !isBase64(data):
		n.Fail("%s %d: data is not base64 with its padding", what, i)
	}
}

// ContentText is Content for a text; alone if the piece has nothing else.
func (n *Needs) ContentText(what string, i int, text string, alone bool) {
	switch {
	case text == "":
		n.Fail("%s %d: the text is empty", what, i)
	case !valid(text):
		n.Fail("%s %d: the text is not valid UTF-8", what, i)
	case !alone:
		n.Fail("%s %d: a text has no media_type, data, url or file_id", what, i)
	}
}

func one(s string) int {
	if s != "" {
		return 1
	}
	return 0
}

func isBase64(s string) bool {
	if len(s)%4 != 0 {
		return false
	}
	end := len(s)
	for range 2 {
		if end > 0 && s[end-1] == '=' {
			end--
		}
	}
	for i := 0; i < end; i++ {
		c := s[i]
		if !('a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '+' || c == '/') {
			return false
		}
	}
	return true
}

// Texts checks that texts are valid UTF-8, as every wire wants.
func (n *Needs) Texts(what string, texts ...string) {
	for _, s := range texts {
		if s != "" && !valid(s) {
			n.Fail("%s: the text is not valid UTF-8", what)
		}
	}
}

// valid reports whether a text is UTF-8. Most are ASCII alone, which is seen eight bytes
// at a time; the last eight may overlap those before.
func valid(s string) bool {
	rest := s
	for ; len(rest) > 32; rest = rest[32:] {
		if (eight(rest)|eight(rest[8:])|eight(rest[16:])|eight(rest[24:]))&notASCII != 0 {
			return utf8.ValidString(rest)
		}
	}
	seen := uint64(0)
	if len(s) >= 8 {
		for i := 0; i < len(rest)-8; i += 8 {
			seen |= eight(rest[i:])
		}
		seen |= eight(s[len(s)-8:])
	} else {
		for i := range len(s) {
			seen |= uint64(s[i])
		}
	}
	return seen&notASCII == 0 || utf8.ValidString(rest)
}

// notASCII are the bits that no byte of ASCII has.
const notASCII = 0x8080808080808080

func eight(s string) uint64 {
	_ = s[7]
	return uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 | uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
}

// Counted checks what a caller counted.
func (n *Needs) Counted(tokens catalog.Opt[int64]) {
	if v, ok := tokens.Get(); ok && v < 0 {
		n.Fail("input_tokens: %d is less than 0", v)
	}
}
