package build

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/opcat/opcat/catalog"
	"github.com/opcat/opcat/internal/testcat"
	"github.com/opcat/opcat/shape"
)

func isBag(k *shape.Key) bool { return bags()[k] != nil }

// Whatever the shapes allow survives being written, read by another reader of
// JSON, read into the typed form, and written again.
func TestRandomCatalogsRoundTrip(t *testing.T) {
	n := 1000
	if testing.Short() {
		n = 50
	}
	for seed := range n {
		d := testcat.New(uint64(seed), float64(seed%9)/8).Draft(1 + seed%3)
		built, err := Catalog(d)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		text := []byte(built.JSON())
		if !json.Valid(text) {
			t.Fatalf("seed %d: not JSON: %s", seed, text)
		}
		c, err := catalog.Open(text)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, around(string(text), err))
		}
		if c.JSON() != string(text) {
			t.Fatalf("seed %d: Open sees another text:\n%s\n%s", seed, text, c.JSON())
		}
		if c.Index() != built.Index() {
			t.Fatalf("seed %d: the index of the writer is not that of the text", seed)
		}
		for _, ref := range slices.Collect(c.Refs()) {
			again, err := ref.Row().MarshalJSON()
			if err != nil || string(again) != ref.JSON() {
				t.Fatalf("seed %d: row changed by a round trip:\n%s\n%s", seed, ref.JSON(), again)
			}
		}
		for p := range c.Providers() {
			again, err := p.MarshalJSON()
			if err != nil || string(again) != c.ProviderJSON(p.ID) {
				t.Fatalf("seed %d: provider changed by a round trip:\n%s\n%s", seed, c.ProviderJSON(p.ID), again)
			}
		}
		pretty, err := catalog.Open(c.Pretty())
		if err != nil || pretty.Digest() != c.Digest() {
			t.Fatalf("seed %d: the pretty form is another catalog: %v", seed, err)
		}
	}
}

func TestOrderMeansNothing(t *testing.T) {
	for seed := range uint64(100) {
		d := testcat.New(seed, float64(seed%5)/4).Draft(6)
		want, err := Catalog(d)
		if err != nil {
			t.Fatal(err)
		}
		got, err := Catalog(testcat.Shuffled(d, seed, isBag))
		if err != nil {
			t.Fatal(err)
		}
		if got.JSON() != want.JSON() || got.Digest() != want.Digest() {
			a, b := firstDifference(want.JSON(), got.JSON())
			t.Fatalf("seed %d: order changed the text:\n%s\n%s", seed, a, b)
		}
	}
}

// around shows the text at the byte that an error names.
func around(text string, err error) string {
	_, at, _ := strings.Cut(err.Error(), "byte ")
	digits, _, _ := strings.Cut(at, ":")
	i, _ := strconv.Atoi(digits)
	return err.Error() + "\n" + text[max(0, i-120):min(len(text), i+60)]
}

func firstDifference(a, b string) (string, string) {
	as, bs := strings.Split(a, "\n"), strings.Split(b, "\n")
	for i := range min(len(as), len(bs)) {
		if as[i] != bs[i] {
			return as[i], bs[i]
		}
	}
	return "", ""
}

// Every field of every row and provider has a place, but for those that no source
// states.
func TestProvenanceOfEveryField(t *testing.T) {
	for seed := range uint64(30) {
		d := testcat.New(seed, float64(seed%5)/4).Draft(3)
		c, err := Catalog(d)
		if err != nil {
			t.Fatal(err)
		}
		record := Provenance(d, c.Digest())
		if !json.Valid(record) {
			t.Fatalf("seed %d: no JSON:\n%s", seed, record)
		}
		p, err := catalog.OpenProvenance(string(record))
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		for r := range c.Refs() {
			found, err := p.Row(r)
			if err != nil || len(found) < 3 {
				t.Fatalf("seed %d: %s: %v, %d fields", seed, r.ID(), err, len(found))
			}
			for _, o := range found {
				field := o.Field[strings.LastIndexByte(o.Field, '.')+1:]
				if o.Line == 0 && !slices.Contains([]string{"id", "output_kinds", "uncertainty", "overlaid_by", "operations", "layer"}, field) {
					t.Errorf("seed %d: %s of %s has no place", seed, o.Field, r.ID())
				}
			}
		}
		for _, id := range c.ProviderIDs() {
			found, err := p.Provider(c, id)
			if err != nil {
				t.Fatalf("seed %d: %s: %v", seed, id, err)
			}
			for _, o := range found {
				if o.Line == 0 {
					t.Errorf("seed %d: %s of %s has no place", seed, o.Field, id)
				}
			}
		}
		if again := Provenance(testcat.Shuffled(d, seed, isBag), c.Digest()); !bytes.Equal(record, again) {
			a, b := firstDifference(string(record), string(again))
			i := 0
			for i < len(a) && i < len(b) && a[i] == b[i] {
				i++
			}
			t.Errorf("seed %d: order changed the record:\n%.200s\n%.200s", seed, a[max(0, i-100):], b[max(0, i-100):])
		}
	}
}

func BenchmarkProvenance(b *testing.B) {
	d := testcat.Large(5000)
	b.ReportAllocs()
	for b.Loop() {
		b.SetBytes(int64(len(Provenance(d, "sha256:"))))
	}
}

func BenchmarkBuild(b *testing.B) {
	d := testcat.Large(5000)
	b.ReportAllocs()
	for b.Loop() {
		c, err := Catalog(d)
		if err != nil {
			b.Fatal(err)
		}
		b.SetBytes(int64(len(c.JSON())))
	}
}
