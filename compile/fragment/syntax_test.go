package fragment

import (
	"strings"
	"testing"

	"github.com/opcat/opcat/compile/tree"
	"github.com/opcat/opcat/diag"
)

// What is left open is reported where it is to be closed, not where a parser that
// looked for its end gave up.
func TestSyntaxPointsAtWhatIsOpen(t *testing.T) {
	const head = "schema = \"1.0\"\n[[model]]\n"
	for _, tc := range []struct{ name, src, at, says, help string }{
		{"inline table, next key", "limits = { context_tokens = 5\nname = \"x\"\n", "3:30", "the inline table that begins at column 10 is not closed on its line", "write } here"},
		{"inline table, comment", "limits = { context_tokens = 5 # all of it }\nname = \"x\"\n", "3:30", "that begins at column 10 is not closed", "write } here"},
		{"inline table, brace in a text", "limits = { source = \"a } b\"\nname = \"x\"\n", "3:28", "that begins at column 10 is not closed", "write } here"},
		{"inline table, next header", "limits = { context_tokens = 5\n\n[[model]]\n", "3:30", "that begins at column 10 is not closed", "write } here"},
		{"inline table, end of file", "limits = { context_tokens = 5", "3:30", "that begins at column 10 is not closed", "write } here"},
		{"inline table, CRLF", "limits = { context_tokens = 5\r\nname = \"x\"\r\n", "3:30", "that begins at column 10 is not closed", "write } here"},
		{"entry of a list", "price = [\n  { meter = \"page\", dynamic = true,\n  { meter = \"query\", dynamic = true },\n]\n", "4:35", "that begins at column 3 is not closed", "write } here"},
		{"inner table", "data = { a = { b = 1 }\nname = \"x\"\n", "3:23", "that begins at column 8 is not closed", "write } here"},
		{"list before a key", "price = [\n  { meter = \"page\", dynamic = true },\nname = \"x\"\n", "5:1", "the array is not closed before this place", "write ] where it ends"},
		{"list before a header", "price = [\n  { meter = \"page\", dynamic = true },\n\n[[model]]\n", "6:3", "the array is not closed before this place", "write ] where it ends"},
		{"list at the end", "price = [\n  { meter = \"page\", dynamic = true },\n", "4:38", "the array is not closed before this place", "write ] where it ends"},
		{"text", "name = \"x\nprovider = \"y\"\n", "3:10", "strings cannot contain newlines", "close the text with the quote"},
		{"text that swallows a key", "limits = { source = \"x, checked_on = \"y\" }\n", "3:39", "but got 'y'", "close that text with a quote"},
		{"curly quotes", "name = \u201cx\u201d\n", "3:8", "expected value", "write plain quotes"},
		{"no quotes", "name = x\n", "3:8", "expected value", "write a text in quotes"},
		{"cut in a key", "provider = \"x\"\nwire", "4:4", "expected key separator '='", "the file ends in the middle"},
		{"cut in a header", "provider = \"x\"\n[[mod", "4:5", "but the file ends", "the file ends in the middle"},
		{"comma", "limits = { a = 1 b = 2 }\n", "3:18", "expected a comma", "nothing after this place"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, found := File(&tree.File{Path: "catalog_sources/a.toml", Layer: "bundled"}, []byte(head+tc.src))
			if len(found) != 1 || found[0].Code != diag.Syntax {
				t.Fatalf("got %s", found)
			}
			d := found[0]
			if at := strings.TrimPrefix(d.At.String(), "catalog_sources/a.toml:"); at != tc.at || !strings.Contains(d.Message, tc.says) || !strings.HasPrefix(d.Help, tc.help) {
				t.Errorf("got %s", d)
			}
		})
	}
}
