package resolve_test

import (
	"testing"

	"github.com/opcat/opcat/compile/layer"
	"github.com/opcat/opcat/compile/resolve"
	"github.com/opcat/opcat/internal/testcat"
)

// BenchmarkRows measures the two stages on 5,000 rows of 100 providers in one layer.
func BenchmarkRows(b *testing.B) {
	frags, diags := testcat.Fragments(testcat.Rows(5000, 50, testcat.Full))
	if diags.HasErrors() {
		b.Fatal(diags)
	}
	b.Run("layer", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			layer.Merge(frags)
		}
	})
	b.Run("resolve", func(b *testing.B) {
		merged, _ := layer.Merge(frags)
		b.ReportAllocs()
		for b.Loop() {
			resolve.Rows(merged, asOf)
		}
	})
}
