package catalog_test

import (
	"testing"

	"github.com/opcat/opcat/catalog"
	"github.com/opcat/opcat/compile/build"
	"github.com/opcat/opcat/internal/testcat"
)

func large(b *testing.B) (text, index string) {
	c, err := build.Catalog(testcat.Large(5000))
	if err != nil {
		b.Fatal(err)
	}
	return c.JSON(), c.Index()
}

// Opening text from elsewhere reads every row once.
func BenchmarkOpen(b *testing.B) {
	text, _ := large(b)
	data := []byte(text)
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := catalog.Open(data); err != nil {
			b.Fatal(err)
		}
	}
}

// Opening an embedded text with its index reads none.
func BenchmarkOpenIndexed(b *testing.B) {
	text, index := large(b)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := catalog.OpenIndexed(text, index); err != nil {
			b.Fatal(err)
		}
	}
}

// What `model list --operation embedding --limit 50` asks of the catalog.
func BenchmarkList(b *testing.B) {
	text, index := large(b)
	b.ReportAllocs()
	for b.Loop() {
		c, err := catalog.OpenIndexed(text, index)
		if err != nil {
			b.Fatal(err)
		}
		n := 0
		for r := range c.Routes("embedding") {
			if row := r.Row(); row.ID == "" {
				b.Fatal("no id")
			}
			if n++; n == 50 {
				break
			}
		}
	}
}

func BenchmarkGet(b *testing.B) {
	text, index := large(b)
	c, err := catalog.OpenIndexed(text, index)
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, ok := c.Row("vendor-0050/model-02500"); !ok {
			b.Fatal("no such row")
		}
	}
}

func BenchmarkFind(b *testing.B) {
	text, index := large(b)
	c, err := catalog.OpenIndexed(text, index)
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if r, ok := c.Find("vendor-0050/model-02500"); !ok || !r.Has("text_generation") {
			b.Fatal("no such route")
		}
	}
}
