package compile_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/opcat/opcat/compile"
	"github.com/opcat/opcat/diag"
	"golang.org/x/tools/txtar"
)

// beyondText are the codes whose page can't show its mistake as the text of a
// fragment: it is in a file's bytes, in the file system or in an accept file. Each
// has a script of its own.
var beyondText = []diag.Code{
	diag.AcceptInvalid, diag.AcceptStale, diag.ByteOrderMark, diag.DanglingLink, diag.EmptyTree, diag.FileTooLarge,
	diag.InvalidUTF8, diag.LinkLeavesTree, diag.LinkToFolder, diag.UnreadableFile,
}

// What the reference says is wrong gets its code, and what it says is right does
// not.
func TestPagesOfCodes(t *testing.T) {
	for _, e := range diag.Codes() {
		if slices.Contains(beyondText, e.Code) {
			continue
		}
		t.Run(string(e.Code), func(t *testing.T) {
			if e.Title == "" || e.Why == "" || !slices.Contains(compile.Stages, e.Stage) {
				t.Errorf("the page lacks its title, reason or stage: %+v", e)
			}
			if diags := run(layersOf(e.Wrong)...).Diags; !has(diags, e.Code) {
				t.Errorf("the wrong source does not get it:\n%s\n%v", e.Wrong, diags)
			}
			if diags := run(layersOf(e.Right)...).Diags; has(diags, e.Code) {
				t.Errorf("the right source gets it too:\n%s\n%v", e.Right, diags)
			}
		})
	}
}

func has(diags diag.List, code diag.Code) bool {
	return slices.ContainsFunc(diags, func(d diag.Diagnostic) bool { return d.Code == code })
}

// layersOf reads a page's source: one catalog fragment, or files in txtar form,
// those of another layer in a folder of its name.
func layersOf(text string) []map[string]string {
	layers := make([]map[string]string, len(compile.Layers))
	put := func(rank int, name, text string) {
		if layers[rank] == nil {
			layers[rank] = map[string]string{}
		}
		layers[rank][name] = text
	}
	archive := txtar.Parse([]byte(text))
	if len(archive.Files) == 0 {
		put(0, "catalog_sources/acme.toml", text)
	}
	for _, f := range archive.Files {
		folder, rest, _ := strings.Cut(f.Name, "/")
		if rank := slices.Index(compile.Layers, folder); rank >= 0 {
			put(rank, rest, string(f.Data))
			continue
		}
		put(0, f.Name, string(f.Data))
	}
	return layers
}
