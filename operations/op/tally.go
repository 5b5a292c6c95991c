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
		switch {
		case text == "":
			n.Fail("%s %d: the text is empty", what, i)
		case !utf8.ValidString(text):
			n.Fail("%s %d: the text is not valid UTF-8", what, i)
		case mediaType != "" || data != "" || url != "" || fileID != "":
			n.Fail("%s %d: a text has no media_type, data, url or file_id", what, i)
		}
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
		if !utf8.ValidString(s) {
			n.Fail("%s: the text is not valid UTF-8", what)
		}
	}
}

// Counted checks what a caller counted.
func (n *Needs) Counted(tokens catalog.Opt[int64]) {
	if v, ok := tokens.Get(); ok && v < 0 {
		n.Fail("input_tokens: %d is less than 0", v)
	}
}
