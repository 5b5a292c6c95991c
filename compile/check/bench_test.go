package check

import (
	"testing"

	"github.com/opcat/opcat/internal/testcat"
)

// BenchmarkRules checks 5,000 rows in which nothing is wrong.
func BenchmarkRules(b *testing.B) {
	for _, size := range []struct {
		name string
		of   testcat.Size
	}{{"lean", testcat.Lean}, {"full", testcat.Full}} {
		b.Run(size.name, func(b *testing.B) {
			draft, found := drafted(testcat.Rows(5000, 50, size.of))
			if len(found) > 0 {
				b.Fatal(found)
			}
			b.ReportAllocs()
			for b.Loop() {
				if found := Rules(draft); len(found) > 0 {
					b.Fatal(found)
				}
			}
		})
	}
}
