// Package identifier spells words and ids as Swift identifiers: always valid, and
// never one for two.
//
// A name follows from its word alone, whatever stands beside it, but where two words
// would get one name. Then all of them get other names, so that a name never changes
// what it stands for: a program that used it no longer compiles.
package identifier

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
)

// Member is a word as the name of a property or an enum's case: openai_chat_completions is
// openaiChatCompletions, and 5m is _5m.
func Member(word string) string {
	var b strings.Builder
	for part := range strings.FieldsFuncSeq(spelled(word), func(c rune) bool { return c == '_' }) {
		if b.Len() > 0 {
			part = strings.ToUpper(part[:1]) + part[1:]
		}
		b.WriteString(part)
	}
	return declared(b.String())
}

// Constant is an id as the name of a constant: acme/chat-4.1-mini is acme_chat_4_1_mini.
func Constant(id string) string { return declared(spelled(id)) }

// spelled leaves letters and digits as they are and puts a low line in the place of
// other characters; those that no keyboard of a program's reader may have are spelled
// by their number, since to Swift some of them are the same letter.
func spelled(word string) string {
	b := make([]byte, 0, len(word))
	for _, r := range word {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9':
			b = append(b, byte(r))
		case r < 0x80:
			b = append(b, '_')
		default:
			b = fmt.Appendf(b, "u%04x", r)
		}
	}
	return string(b)
}

// declared makes a name that may be declared.
func declared(name string) string {
	switch {
	case strings.Trim(name, "_") == "":
		return name + "_blank"
	case name[0] >= '0' && name[0] <= '9':
		return "_" + name
	case slices.Contains(taken, name):
		return name + "_"
	case slices.Contains(keywords, name):
		return "`" + name + "`"
	}
	return name
}

// taken are names that mean something else behind a point, with ticks too: of an
// optional value, .none is what nobody stated.
var taken = []string{"none", "some", "init", "self", "Self", "Type", "Protocol"}

// keywords may be names in ticks.
var keywords = []string{
	"Any", "as", "associatedtype", "await", "break", "case", "catch", "class", "continue", "default", "defer", "deinit", "do", "else", "enum",
	"extension", "fallthrough", "false", "fileprivate", "for", "func", "guard", "if", "import", "in", "inout", "internal", "is", "let", "nil",
	"open", "operator", "precedencegroup", "private", "protocol", "public", "repeat", "rethrows", "return", "static", "struct", "subscript",
	"super", "switch", "throw", "throws", "true", "try", "typealias", "var", "where", "while",
}

// Unique gives each of some different words a name of its own, in their order. Where
// spell gives several the same one, each has a part of its digest behind it.
func Unique(words []string, spell func(string) string) []string {
	names := make([]string, len(words))
	for i, word := range words {
		names[i] = spell(word)
	}
	for digits := 6; ; digits += 6 {
		count := map[string]int{}
		for _, name := range names {
			count[name]++
		}
		if len(count) == len(names) {
			return names
		}
		for i, word := range words {
			if count[names[i]] > 1 {
				sum := sha256.Sum256([]byte(word))
				names[i] = spell(word + "_" + hex.EncodeToString(sum[:])[:min(digits, 64)])
			}
		}
	}
}
