package migrate

import "testing"

// BenchmarkFields migrates the largest tree of format 0.
func BenchmarkFields(b *testing.B) {
	frags := corpusFragments(b, corpus(b))
	b.ReportAllocs()
	for b.Loop() {
		if _, diags := Fields(frags, keepKnown); len(diags) == 0 {
			b.Fatal("nothing is found")
		}
	}
}
