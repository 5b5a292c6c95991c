package golang

import (
	"crypto/sha256"
	"encoding/binary"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/opcat/opcat/catalog"
	"github.com/opcat/opcat/catalog/flat"
	"github.com/opcat/opcat/internal/blob"
)

// What this program cannot read, and what is not as it was written, is an error that says
// so: whichever byte it is.
func TestDamagedBlobIsAnError(t *testing.T) {
	good := written(t, hostile(t))
	if _, err := flat.Open(string(good), sha256.Sum256); err != nil {
		t.Fatal(err)
	}
	for i := range good {
		b := slices.Clone(good)
		b[i] ^= 0x40
		if _, err := flat.Open(string(b), sha256.Sum256); err == nil {
			t.Fatalf("the byte at %d does not matter", i)
		}
	}
	change := func(at int, to uint32) []byte {
		b := slices.Clone(good)
		store(b, at, to)
		return b
	}
	for _, c := range []struct {
		name string
		b    []byte
		want string
	}{
		{"newer", change(blob.AtVersion, blob.Version+1), "has format 4, and this program reads format 3: update github.com/opcat/opcat"},
		{"older", change(blob.AtVersion, 0), "write the catalog again with the opcat of the version that go.mod names"},
		{"another layout", change(blob.AtLayout, 7), "with layout 7, and this program reads"},
		{"empty", nil, "no catalog"},
		{"short", good[:20], "no catalog"},
		{"JSON", []byte(strings.Repeat("{}", 100)), "no catalog"},
		{"cut", good[:len(good)-4], "is damaged: it has"},
		{"added to", append(slices.Clone(good), 0), "is damaged: it has"},
		{"a changed fact", change(len(good)-8, 9), "is damaged: its sha256 is not the one in its header"},
	} {
		for _, open := range []func() error{
			func() error { _, err := flat.Open(string(c.b), sha256.Sum256); return err },
			func() error { _, err := catalog.OpenFlat(flatOf(c.b)); return err },
		} {
			if err := open(); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s: the error is %v, want %q", c.name, err, c.want)
			}
		}
	}
	if err := flatOf(good).Verify(nil); err == nil || !strings.Contains(err.Error(), "Sum256 of crypto/sha256") {
		t.Errorf("without a function that sums: %v", err)
	}
}

// A blob without the rest is empty, and asks nothing of its reader.
func TestZeroCatalog(t *testing.T) {
	var c flat.Catalog
	if _, ok := c.Row("a/b"); ok || c.Len() != 0 || c.Digest() != "" || c.AsOf() != "" {
		t.Error("an empty catalog says something")
	}
	visitAll(c)
}

// FuzzReader reads everything out of blobs that were changed in any way: nothing makes
// the reader panic, whatever the header says.
func FuzzReader(f *testing.F) {
	good := written(f, hostile(f))
	f.Add([]byte{}, false)
	f.Add(good[:blob.HeaderSize], true)
	for _, at := range []int{blob.AtRoot, blob.AtProviders, blob.AtRows, blob.AtHash, blob.AtOperations, blob.AtLifetimes, len(good) - 4} {
		for _, to := range []uint32{0, 1, uint32(len(good)), 1<<32 - 1, blob.AtRoot, blob.Far | 3} {
			f.Add(binary.LittleEndian.AppendUint32(binary.LittleEndian.AppendUint32(nil, uint32(at)), to), false)
		}
	}
	f.Fuzz(func(t *testing.T, edits []byte, raw bool) {
		b := slices.Clone(good)
		if raw {
			b = edits
		}
		for e := edits; !raw && len(e) >= 8; e = e[8:] {
			at := int(binary.LittleEndian.Uint32(e)) % (len(b) - 3)
			copy(b[at:at+4], e[4:8])
		}
		visitAll(flatOf(b))
	})
}

// visitAll asks a catalog everything that it can be asked, up to a number of values.
func visitAll(c flat.Catalog) {
	v := visitor{left: 5_000}
	for _, id := range []string{"p/gpt-4.1", "q/o3", "p/4.1-mini", "", "nobody/x"} {
		c.Row(id)
		c.Provider(id)
		for row := range c.RowsOf(strings.Split(id, "/")[0]) {
			v.visit(reflect.ValueOf(row), 0)
		}
		visitRoutes[flat.TextGeneration](&v, c, id)
		visitRoutes[flat.Embedding](&v, c, id)
		visitRoutes[flat.DecisionEvaluation](&v, c, id)
		visitRoutes[flat.Reranking](&v, c, id)
		visitRoutes[flat.Moderation](&v, c, id)
	}
	v.visit(reflect.ValueOf(c), 0)
}

func visitRoutes[O flat.Operation](v *visitor, c flat.Catalog, id string) {
	if r, ok := flat.Lookup[O](c, id); ok {
		v.visit(reflect.ValueOf(r), 0)
	}
	flat.ByAlias[O](c, id)
	flat.ByDefault[O](c, "runtime", id)
	for _, f := range []flat.Filter{{}, {InputKinds: []string{"text", "image"}, Support: "declared", ContextTokens: 2000}, {Protocol: "openai_embeddings", States: []flat.State{flat.Active}}} {
		for _, routes := range []func(func(flat.Route[O]) bool){flat.Routes[O](c, f), flat.ByPrice[O](c, f)} {
			n := 0
			for r := range routes {
				if v.visit(reflect.ValueOf(r), 0); n > 100 || v.left < 0 {
					break
				}
				n++
			}
		}
	}
}

// A visitor calls every method that needs no argument of whatever it is given, and walks
// every list.
type visitor struct{ left, spelled int }

func (v *visitor) visit(x reflect.Value, depth int) {
	if v.left--; v.left < 0 || depth > 12 || x.Kind() != reflect.Struct {
		return
	}
	if at := x.MethodByName("At"); at.IsValid() {
		for i := range min(int(x.MethodByName("Len").Call(nil)[0].Int()), 50) {
			v.visit(at.Call([]reflect.Value{reflect.ValueOf(i)})[0], depth+1)
		}
	}
	for i := range x.NumMethod() {
		switch m, name := x.Method(i), x.Type().Method(i).Name; {
		case name == "Catalog" || name == "Blob": // which lead back
		case name == "JSON":
			if v.spelled++; v.spelled < 3 {
				m.Call(nil)
			}
		case m.Type().NumIn() == 0 && name == "All" || name == "Rows" || name == "Providers":
			n := 0
			each := func(item reflect.Value) bool {
				v.visit(item, depth+1)
				n++
				return n < 50 && v.left > 0
			}
			if m.Type().Out(0).CanSeq2() {
				for _, item := range m.Call(nil)[0].Seq2() {
					if !each(item) {
						break
					}
				}
			} else {
				for item := range m.Call(nil)[0].Seq() {
					if !each(item) {
						break
					}
				}
			}
		case m.Type().NumIn() == 0:
			for _, out := range m.Call(nil) {
				v.visit(out, depth+1)
			}
		case name == "Get" || name == "Setting":
			for _, out := range m.Call([]reflect.Value{reflect.ValueOf("text")}) {
				v.visit(out, depth+1)
			}
		case name == "AppendJSON":
			m.Call([]reflect.Value{reflect.Zero(reflect.TypeFor[[]byte]())})
		}
	}
}
