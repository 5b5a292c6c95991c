package spell_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/opcat/opcat/catalog"
	"github.com/opcat/opcat/compile"
	"github.com/opcat/opcat/compile/fragment"
	"github.com/opcat/opcat/compile/spell"
)

// The bundled catalog, written row by row and rule by rule, compiles to the same rows,
// contracts and providers.
func TestWhatIsWrittenCompilesToTheSame(t *testing.T) {
	want := compiled(t, fragment.Tree{FS: os.DirFS("../.."), Layer: "bundled"})
	files := fstest.MapFS{}
	add := func(name, text string) {
		if files[name] == nil {
			files[name] = &fstest.MapFile{Data: []byte(spell.Head)}
		}
		files[name].Data = append(files[name].Data, "\n"+text...)
	}
	for p := range want.Providers() {
		text, err := spell.Provider(&p)
		if err != nil {
			t.Fatal(err)
		}
		add("catalog_sources/"+p.ID+".toml", text)
	}
	for r := range want.Rows() {
		v, err := spell.RowValue(&r)
		if err != nil {
			t.Fatal(err)
		}
		add("catalog_sources/"+r.Provider+".toml", spell.Row(v))
		for i := range r.Contracts {
			c, err := spell.ContractValue(&r.Contracts[i])
			if err != nil {
				t.Fatal(err)
			}
			add("capability_sources/"+r.Provider+".toml", spell.Rule(r.Provider, []string{r.WireModel}, []string{r.Contracts[i].Operation}, []spell.Value{c}))
		}
	}
	got := compiled(t, fragment.Tree{FS: files, Layer: "bundled"})
	if got.Len() != want.Len() {
		t.Fatalf("%d rows, want %d", got.Len(), want.Len())
	}
	for r := range want.Rows() {
		a, _ := r.MarshalJSON()
		other, _ := got.Row(r.ID)
		b, _ := other.MarshalJSON()
		if string(a) != string(b) {
			t.Errorf("%s:\n got %s\nwant %s", r.ID, b, a)
		}
	}
	for _, id := range want.ProviderIDs() {
		if got.ProviderJSON(id) != want.ProviderJSON(id) {
			t.Errorf("%s:\n got %s\nwant %s", id, got.ProviderJSON(id), want.ProviderJSON(id))
		}
	}
}

func compiled(t *testing.T, tree fragment.Tree) *catalog.Catalog {
	t.Helper()
	r := compile.Run(compile.Input{Trees: []fragment.Tree{tree}, AsOf: "2026-11-30"})
	if r.Catalog == nil {
		var b strings.Builder
		for i, d := range r.Diags {
			if i < 10 {
				b.WriteString(d.String() + "\n")
			}
		}
		t.Fatalf("%s: %d findings\n%s", filepath.Base(tree.Layer), len(r.Diags), b.String())
	}
	return r.Catalog
}
