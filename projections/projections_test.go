package projections

import (
	"errors"
	"strings"
	"testing"

	"github.com/opcat/opcat/catalog"
	"github.com/opcat/opcat/compile/build"
	"github.com/opcat/opcat/internal/testcat"
	"github.com/opcat/opcat/projections/emit"
)

// sums are the digests of everything that is emitted, by path.
func sums(t *testing.T, c *catalog.Catalog, workers int) map[string]string {
	t.Helper()
	made, err := run(emitters, emit.NewWork(c), workers)
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]string{}
	for _, m := range made {
		for _, f := range emit.Under(m.Name, m.Files) {
			f.Sum = "" // what an emitter says of it is not what it is
			all[f.Path] = f.SHA256()
		}
	}
	return all
}

// The same bytes come from one worker and from two, from a catalog and from the same
// one opened again, run after run.
func TestSameBytesAlways(t *testing.T) {
	d := testcat.New(3, 0.6).Draft(40)
	c, err := build.Catalog(d)
	if err != nil {
		t.Fatal(err)
	}
	want := sums(t, c, 1)
	if len(want) < 100 {
		t.Fatalf("%d files", len(want))
	}
	runs := 100
	if testing.Short() {
		runs = 10
	}
	for i := range runs {
		again := c
		if i%2 == 1 {
			if again, err = catalog.Open([]byte(c.JSON())); err != nil {
				t.Fatal(err)
			}
		}
		got := sums(t, again, 1+i%2)
		for path, sum := range want {
			if got[path] != sum {
				t.Fatalf("run %d: %s has other bytes", i, path)
			}
		}
		if len(got) != len(want) {
			t.Fatalf("run %d: %d files, and not %d", i, len(got), len(want))
		}
	}
}

// An emitter that fails is named, and nothing comes of the others.
func TestAnEmitterFails(t *testing.T) {
	c, err := build.Catalog(testcat.Large(1))
	if err != nil {
		t.Fatal(err)
	}
	bad := emit.Emitter{Name: "bad", Make: func(*emit.Work) ([]emit.File, error) { return nil, errors.New("no such luck") }}
	for _, workers := range []int{1, 2} {
		made, err := run(append([]emit.Emitter{bad}, emitters...), emit.NewWork(c), workers)
		if made != nil || err == nil || !strings.Contains(err.Error(), "projection bad: no such luck") {
			t.Errorf("%v, %v", made, err)
		}
	}
}

func BenchmarkEmit(b *testing.B) {
	c, err := build.Catalog(testcat.Large(5000))
	if err != nil {
		b.Fatal(err)
	}
	for _, e := range emitters {
		b.Run(e.Name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := e.Emit(c); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// An edit of one row: everything is made again after it.
func BenchmarkEdit(b *testing.B) {
	d := testcat.Large(5000)
	c, err := build.Catalog(d)
	if err != nil {
		b.Fatal(err)
	}
	edited, err := catalog.Open([]byte(strings.Replace(c.JSON(), `"usd_per_million":"`, `"usd_per_million":"1`, 1)))
	if err != nil {
		b.Fatal(err)
	}
	var s Session
	b.ReportAllocs()
	for b.Loop() {
		if _, err := s.Emit(edited, nil); err != nil {
			b.Fatal(err)
		}
		c, edited = edited, c
	}
}
