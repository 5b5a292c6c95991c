package fragment_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/opcat/opcat/compile/fragment"
	"github.com/opcat/opcat/internal/testcat"
	"github.com/pelletier/go-toml/v2/unstable"
)

// BenchmarkDir decodes 5,000 rows; BenchmarkWalk is the floor: the same bytes
// through the bare parser.
func BenchmarkDir(b *testing.B) {
	tree := testcat.Rows(5000, 50, testcat.Full)
	dir := b.TempDir()
	var size int64
	for name, f := range tree {
		size += int64(len(f.Data))
		if err := os.MkdirAll(filepath.Join(dir, filepath.Dir(name)), 0o755); err != nil {
			b.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), f.Data, 0o644); err != nil {
			b.Fatal(err)
		}
	}
	disk, err := fragment.Open(dir)
	if err != nil {
		b.Fatal(err)
	}
	defer disk.Close()
	b.SetBytes(size)
	b.ReportAllocs()
	for b.Loop() {
		if _, diags := fragment.Dir(fragment.Tree{FS: disk, Layer: "bundled"}); len(diags) > 0 {
			b.Fatal(diags)
		}
	}
}

func BenchmarkWalk(b *testing.B) {
	tree := testcat.Rows(5000, 50, testcat.Full)
	var size int64
	for _, f := range tree {
		size += int64(len(f.Data))
	}
	b.SetBytes(size)
	b.ReportAllocs()
	var p unstable.Parser
	nodes := 0
	for b.Loop() {
		for _, f := range tree {
			p.Reset(f.Data)
			for p.NextExpression() {
				nodes += visit(p.Expression())
			}
		}
	}
}

func visit(n *unstable.Node) int {
	k := 1
	for c := n.Child(); c != nil; c = c.Next() {
		k += visit(c)
	}
	return k
}
