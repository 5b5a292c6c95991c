package diag

import "strings"

// A puts the article before a word of a message: a reranking, an embedding. No word of
// the sources that begins with u is spoken with a vowel.
func A(word string) string {
	if word != "" && strings.Contains("aeio", word[:1]) {
		return "an " + word
	}
	return "a " + word
}
