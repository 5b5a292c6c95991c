package compile_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/opcat/opcat/compile"
	"github.com/opcat/opcat/compile/build"
	"github.com/opcat/opcat/compile/check"
	"github.com/opcat/opcat/compile/fragment"
	"github.com/opcat/opcat/compile/layer"
	"github.com/opcat/opcat/compile/resolve"
	"github.com/opcat/opcat/internal/testcat"
)

func disk(b *testing.B, rows int, size testcat.Size) *fragment.Disk {
	dir := b.TempDir()
	for name, f := range testcat.Rows(rows, 50, size) {
		p := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(p), 0o755); err != nil {
			b.Fatal(err)
		}
		if err := os.WriteFile(p, f.Data, 0o644); err != nil {
			b.Fatal(err)
		}
	}
	d, err := fragment.Open(dir)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { d.Close() })
	return d
}

// BenchmarkStages times each stage on 5,000 rows.
func BenchmarkStages(b *testing.B) {
	tree := fragment.Tree{FS: disk(b, 5000, testcat.Full), Layer: "bundled"}
	fragments, _ := fragment.Dir(tree)
	layered, _ := layer.Merge(fragments)
	draft, _ := resolve.Rows(layered, "2026-11-30")
	for _, stage := range []struct {
		name string
		run  func()
	}{
		{"decode", func() { fragment.Dir(tree) }},
		{"layer", func() { layer.Merge(fragments) }},
		{"resolve", func() { resolve.Rows(layered, "2026-11-30") }},
		{"check", func() { check.Rules(draft) }},
		{"build", func() {
			if _, err := build.Catalog(draft); err != nil {
				b.Fatal(err)
			}
		}},
		{"all", func() { compile.Run(compile.Input{Trees: []fragment.Tree{tree}, AsOf: "2026-11-30"}) }},
	} {
		b.Run(stage.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				stage.run()
			}
		})
	}
}
