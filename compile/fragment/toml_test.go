package fragment

import (
	"io/fs"
	"math"
	"math/big"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/BurntSushi/toml"
	"github.com/google/go-cmp/cmp"
	"github.com/opcat/opcat/compile/tree"
	"github.com/opcat/opcat/diag"
	"github.com/opcat/opcat/shape"
	tomltest "github.com/toml-lang/toml-test"
)

// anything is a root that takes every key and value, so that only TOML itself
// is judged.
var anything = shape.MapOf(shape.Any, shape.Of(shape.Any))

// generic decodes src without a format. Keys of every kind are allowed here.
func generic(src string) (any, diag.List) {
	d := newDecoder()
	d.begin(&tree.File{Path: "in.toml"}, []byte(src))
	if !d.readable() {
		return nil, d.diags
	}
	top := d.tree(&shape.Key{Type: anything, Index: -1})
	return plain(top), d.diags
}

// plain turns a tree into the maps that BurntSushi/toml gives.
func plain(n *tree.Node) any {
	switch n.Form {
	case shape.FormTable:
		m := map[string]any{}
		for c := range n.Each() {
			m[c.Name()] = plain(c)
		}
		return m
	case shape.FormList:
		l := []any{}
		for c := range n.Each() {
			l = append(l, plain(c))
		}
		return l
	case shape.FormInteger:
		i, _ := strconv.ParseInt(n.Str(), 10, 64)
		return i
	case shape.FormFloat:
		r, _ := new(big.Rat).SetString(n.Str())
		f, _ := r.Float64()
		return f
	case shape.FormBool:
		return n.Str() == "true"
	}
	return strings.ReplaceAll(n.Str(), "\r\n", "\n")
}

// second reads src with BurntSushi/toml.
func second(src string) (any, error) {
	var m map[string]any
	if _, err := toml.Decode(src, &m); err != nil {
		return nil, err
	}
	return untyped(m), nil
}

// untyped evens out what the two parsers spell differently in Go types only.
func untyped(v any) any {
	switch v := v.(type) {
	case map[string]any:
		m := map[string]any{}
		for k, e := range v {
			m[k] = untyped(e)
		}
		return m
	case []map[string]any:
		l := []any{}
		for _, e := range v {
			l = append(l, untyped(e))
		}
		return l
	case []any:
		l := []any{}
		for _, e := range v {
			l = append(l, untyped(e))
		}
		return l
	case string:
		return strings.ReplaceAll(v, "\r\n", "\n")
	case float64:
		if v == 0 {
			return 0.0 // minus zero is zero to us
		}
	}
	return v
}

// ours are the refusals that only we make: they say nothing about TOML.
var ours = []diag.Code{diag.BareDate, diag.NotANumber, diag.NestedTooDeep, diag.NewerTOML, diag.ByteOrderMark, diag.InvalidUTF8, diag.OutOfRange}

// agree holds that both parsers accept src, with the same keys and values, or
// that both refuse it. What TOML 1.0 forbids, ours must refuse whatever the
// other does.
func agree(t *testing.T, src string) {
	t.Helper()
	mine, diags := generic(src)
	theirs, err := second(src)
	switch {
	case !diags.HasErrors() && err != nil:
		t.Fatalf("we accept what BurntSushi/toml refuses: %v\n%s", err, src)
	case !diags.HasErrors():
		if diff := cmp.Diff(theirs, mine, cmp.Comparer(sameFloat)); diff != "" {
			t.Fatalf("values differ (-BurntSushi +ours):\n%s\nin\n%s", diff, src)
		}
	}
}

func sameFloat(a, b float64) bool { return a == b || math.Abs(a-b) <= math.Abs(a)*1e-15 }

// TestTOMLSuite runs the public TOML suite: what is invalid in TOML 1.0 is
// refused, what is valid is accepted with the same values as BurntSushi/toml, or
// refused by a rule of ours.
func TestTOMLSuite(t *testing.T) {
	listed, err := fs.ReadFile(tomltest.EmbeddedTests(), "files-toml-1.0.0")
	if err != nil {
		t.Fatal(err)
	}
	var valid, invalid int
	for _, name := range strings.Fields(string(listed)) {
		if !strings.HasSuffix(name, ".toml") {
			continue
		}
		src, err := fs.ReadFile(tomltest.EmbeddedTests(), name)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(name, func(t *testing.T) {
			_, diags := generic(string(src))
			if strings.HasPrefix(name, "invalid/") {
				invalid++
				if !diags.HasErrors() {
					t.Errorf("accepted, though it is no TOML 1.0:\n%s", src)
				}
				return
			}
			valid++
			for _, d := range diags {
				if !slices.Contains(ours, d.Code) {
					t.Errorf("refused, though it is TOML 1.0: %v\n%s", d, src)
				}
			}
			agree(t, string(src))
		})
	}
	if valid < 100 || invalid < 300 {
		t.Errorf("the suite has only %d valid and %d invalid files", valid, invalid)
	}
}

func FuzzTOML(f *testing.F) {
	listed, _ := fs.ReadFile(tomltest.EmbeddedTests(), "files-toml-1.0.0")
	for _, name := range strings.Fields(string(listed)) {
		if src, err := fs.ReadFile(tomltest.EmbeddedTests(), name); err == nil && strings.HasSuffix(name, ".toml") {
			f.Add(string(src))
		}
	}
	f.Fuzz(func(t *testing.T, src string) { agree(t, src) })
}

// TestCorpusAgrees reads every fragment of the real trees with both parsers.
func TestCorpusAgrees(t *testing.T) {
	seen := 0
	for _, dir := range []string{"../../catalog_sources", "../../capability_sources", "../../../shared/corpus/harn", "../../../shared/examples"} {
		_ = filepath.WalkDir(dir, func(p string, e fs.DirEntry, err error) error {
			if err != nil || e.IsDir() || filepath.Ext(p) != ".toml" {
				return nil
			}
			src, err := os.ReadFile(p)
			if err != nil {
				return err
			}
			seen++
			agree(t, string(src))
			return nil
		})
	}
	if seen == 0 {
		t.Error("no fragment found")
	}
}
