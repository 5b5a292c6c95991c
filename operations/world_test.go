package operations_test

import (
	"errors"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"golang.org/x/tools/txtar"

	"github.com/opcat/opcat/catalog"
	"github.com/opcat/opcat/compile"
	"github.com/opcat/opcat/compile/fragment"
	"github.com/opcat/opcat/operations"
	"github.com/opcat/opcat/operations/decision"
	"github.com/opcat/opcat/operations/embedding"
	"github.com/opcat/opcat/operations/moderation"
	"github.com/opcat/opcat/operations/op"
	"github.com/opcat/opcat/operations/rerank"
	"github.com/opcat/opcat/operations/textgen"
)

// world is the catalog of testdata/world.txtar, of the bundled layer alone, and
// with the user layer on top.
var world = sync.OnceValues(func() (plain, overlaid *catalog.Catalog) {
	archive, err := txtar.ParseFile("testdata/world.txtar")
	if err != nil {
		panic(err)
	}
	bundled, user := fstest.MapFS{}, fstest.MapFS{}
	for _, f := range archive.Files {
		if name, ok := strings.CutPrefix(f.Name, "overlay/"); ok {
			user[name] = &fstest.MapFile{Data: f.Data, Mode: 0o644}
			continue
		}
		bundled[f.Name] = &fstest.MapFile{Data: f.Data, Mode: 0o644}
	}
	tree := fragment.Tree{FS: bundled, Layer: "bundled"}
	return compiled(tree), compiled(tree, fragment.Tree{FS: user, Layer: "user", Rank: 2})
})

func compiled(trees ...fragment.Tree) *catalog.Catalog {
	r := compile.Run(compile.Input{Trees: trees, AsOf: "2026-11-30"})
	if r.Catalog == nil {
		panic(r.Diags.String())
	}
	return r.Catalog
}

func plain() *catalog.Catalog    { c, _ := world(); return c }
func overlaid() *catalog.Catalog { _, c := world(); return c }

// The smallest honest request of each operation.

func chat(text string) textgen.Request {
	return textgen.Request{Messages: []textgen.Message{{Role: "user", Parts: []textgen.Part{{Kind: "text", Text: text}}}}}
}

func embed(texts ...string) embedding.Request {
	r := embedding.Request{}
	for _, s := range texts {
		r.Items = append(r.Items, embedding.Item{Kind: "text", Text: s})
	}
	return r
}

func judge(text string) decision.Request {
	return decision.Request{
		State:     []decision.Part{{Kind: "text", Text: text}},
		Questions: []decision.Question{{ID: "q", Kind: "boolean", Instructions: "Is it so?"}},
	}
}

func rank(query string, documents ...string) rerank.Request {
	r := rerank.Request{Query: query}
	for _, s := range documents {
		r.Documents = append(r.Documents, rerank.Document{Kind: "text", Text: s})
	}
	return r
}

func moderate(texts ...string) moderation.Request {
	r := moderation.Request{}
	for _, s := range texts {
		r.Items = append(r.Items, moderation.Item{Kind: "text", Text: s})
	}
	return r
}

// admitted admits or ends the test.
func admitted[R op.Request[R]](t *testing.T, c *catalog.Catalog, route string, request R, terms operations.Terms) operations.Admitted[R] {
	t.Helper()
	a, err := operations.Admit(c, route, request, terms)
	if err != nil {
		t.Fatalf("%s: %v", route, err)
	}
	return a
}

// refused gives the refusal or ends the test.
func refused(t *testing.T, err error) *operations.Refusal {
	t.Helper()
	var r *operations.Refusal
	if !errors.As(err, &r) {
		t.Fatalf("got %v, want a refusal", err)
	}
	return r
}
