package upstream_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/opcat/opcat/upstream"
	"github.com/opcat/opcat/upstream/want"
)

// What a reading costs, and what it costs to put one catalog into rows.
func BenchmarkRead(b *testing.B) {
	manifest := filepath.Join("..", "upstreams.toml")
	if _, err := os.Stat(filepath.Join("..", "..", "shared", "corpus")); err != nil {
		b.Skip("the corpus is not here")
	}
	for _, name := range []string{"models.dev", "litellm", "genai-prices", "catwalk", "harn"} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if _, err := upstream.Load(manifest, name); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
	b.Run("want", func(b *testing.B) {
		read, err := upstream.Load(manifest)
		if err != nil {
			b.Fatal(err)
		}
		for b.Loop() {
			want.Build(read, nil, nil)
		}
	})
}
