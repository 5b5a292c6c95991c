package diag

import "testing"

func TestA(t *testing.T) {
	for word, want := range map[string]string{
		"embedding": "an embedding", "reranking": "a reranking", "user": "a user", "aws_sigv4": "an aws_sigv4", "": "a ",
	} {
		if got := A(word); got != want {
			t.Errorf("A(%q) = %q, want %q", word, got, want)
		}
	}
}
