package golang

import (
	"strings"
	"testing"

	"github.com/opcat/opcat/catalog"
)

// What the blob says, written as JSON with nothing else at hand, is the catalog's text to
// the byte: gen/json is its readable form, and their digest is one.
func TestBlobSaysWhatTheTextSays(t *testing.T) {
	for name, c := range catalogs(t) {
		t.Run(name, func(t *testing.T) {
			f := opened(t, c)
			again, err := catalog.Open(f.AppendJSON(nil))
			if err != nil {
				t.Fatal(err)
			}
			got, want := strings.Split(again.JSON(), "\n"), strings.Split(c.JSON(), "\n")
			for i := range min(len(got), len(want)) {
				if got[i] != want[i] {
					t.Fatalf("line %d of the text differs\nblob: %.2000s\ntext: %.2000s", i+1, got[i], want[i])
				}
			}
			if len(got) != len(want) || again.Digest() != c.Digest() || f.Digest() != c.Digest() {
				t.Errorf("the blob has %d lines and %s, and the text %d and %s", len(got), f.Digest(), len(want), c.Digest())
			}
			for row := range f.Rows() {
				if want, _ := c.Find(row.ID()); row.JSON() != want.JSON() {
					t.Errorf("the row %q reads %s", row.ID(), row.JSON())
				}
			}
		})
	}
}

// A catalog can be selected from where nothing but its blob is.
func TestCatalogOfABlob(t *testing.T) {
	want := bundled(t)
	got, err := catalog.OpenFlat(opened(t, want))
	if err != nil {
		t.Fatal(err)
	}
	if got.Digest() != want.Digest() || got.Index() != want.Index() {
		t.Error("it is another catalog")
	}
	b := written(t, want)
	at := strings.Index(string(b), want.Digest()[len("sha256:"):])
	b[at] ^= 1
	if _, err := catalog.OpenFlat(flatOf(b)); err == nil || !strings.Contains(err.Error(), "damaged") {
		t.Errorf("a blob that names another text: %v", err)
	}
}
