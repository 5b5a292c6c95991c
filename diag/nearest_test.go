package diag

import (
	"math/rand/v2"
	"testing"
)

// The distance leaves out what is alike at both ends and stops where it is too far; it
// is the plain one all the same.
func TestDistance(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	word := func(most int) string {
		b := make([]byte, r.IntN(most))
		for i := range b {
			b[i] = "abc"[r.IntN(3)]
		}
		return string(b)
	}
	for range 3_000 {
		a, b, limit := word(8), word(8), 1+r.IntN(6)
		want := plainDistance(a, b)
		if got := distance(a, b, limit); got != want && (got < limit || want < limit) {
			t.Fatalf("distance(%q, %q, %d) = %d, want %d", a, b, limit, got, want)
		}
	}
	if got := distance(long("x"), long("y"), 200); got != 100 {
		t.Errorf("two long words are %d apart, want 100", got)
	}
}

func long(c string) (s string) {
	for range 100 {
		s += c
	}
	return s
}

// plainDistance follows the definition.
func plainDistance(a, b string) int {
	switch {
	case a == "" || b == "":
		return len(a) + len(b)
	case a[0] == b[0]:
		return min(plainDistance(a[1:], b[1:]), 1+plainDistance(a[1:], b), 1+plainDistance(a, b[1:]))
	}
	d := 1 + min(plainDistance(a[1:], b[1:]), plainDistance(a[1:], b), plainDistance(a, b[1:]))
	if len(a) > 1 && len(b) > 1 && a[0] == b[1] && a[1] == b[0] {
		d = min(d, 1+plainDistance(a[2:], b[2:]))
	}
	return d
}
