package artifact

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"sync"

	"github.com/opcat/opcat/compile/form"
	"github.com/opcat/opcat/compile/fragment"
	"github.com/opcat/opcat/compile/layer"
	"github.com/opcat/opcat/compile/legacy"
	"github.com/opcat/opcat/compile/tree"
	"github.com/opcat/opcat/shape"
)

// A file is a source file as an artifact lists it. Nodes name it by its position.
type file struct {
	Path   string `json:"path"`
	Layer  string `json:"layer"`
	Rank   int    `json:"rank"`
	Legacy bool   `json:"legacy,omitempty"`
	Broken bool   `json:"broken,omitempty"`
	Speaks bool   `json:"speaks,omitempty"`
}

// A writer makes the nodes of one artifact JSON.
type writer struct {
	nodes tree.Encoder
	buf   []byte
}

// node writes a node; nil becomes null.
func (w *writer) node(n *tree.Node) json.RawMessage {
	start := len(w.buf)
	w.buf = w.nodes.Append(w.buf, n)
	return w.buf[start:len(w.buf):len(w.buf)]
}

// list writes nodes one by one.
func (w *writer) list(nodes []*tree.Node) []json.RawMessage {
	out := make([]json.RawMessage, len(nodes))
	for i, n := range nodes {
		out[i] = w.node(n)
	}
	return out
}

// files lists the files of what was written.
func (w *writer) files() []file {
	out := []file{}
	for _, f := range w.nodes.Files() {
		out = append(out, file{f.Path, f.Layer, f.Rank, f.Legacy, f.Broken, f.Speaks})
	}
	return out
}

// A reader makes nodes of the JSON of one artifact. The first thing that it
// cannot read ends the reading.
type reader struct {
	nodes tree.Decoder
	err   error
}

func newReader(files []file) *reader {
	r := &reader{}
	r.nodes.Extra = []*shape.Key{layer.Untrusted}
	r.nodes.Check = fragment.BadText
	for _, f := range files {
		r.nodes.Files = append(r.nodes.Files, &tree.File{Path: f.Path, Layer: f.Layer, Rank: f.Rank, Legacy: f.Legacy, Broken: f.Broken, Speaks: f.Speaks})
	}
	return r
}

// node reads a node that stands under key; null is nil. what says in an error
// what it was to be.
func (r *reader) node(what string, text json.RawMessage, key *shape.Key) *tree.Node {
	if r.err != nil {
		return nil
	}
	n, err := r.nodes.Node(string(text), key)
	if err != nil {
		r.fail("%s: %w", what, err)
	}
	return n
}

// needed reads a node that must be there.
func (r *reader) needed(what string, text json.RawMessage, key *shape.Key) *tree.Node {
	n := r.node(what, text, key)
	if n == nil {
		r.fail("%s is missing", what)
	}
	return n
}

func (r *reader) list(what string, texts []json.RawMessage, key *shape.Key) []*tree.Node {
	var out []*tree.Node
	for _, text := range texts {
		out = append(out, r.needed(what, text, key))
	}
	return out
}

// file is the file with a number.
func (r *reader) file(i int) *tree.File {
	if i < 0 || i >= len(r.nodes.Files) {
		r.fail("there is no file %d", i)
		return nil
	}
	return r.nodes.Files[i]
}

func (r *reader) fail(format string, args ...any) {
	if r.err == nil {
		r.err = fmt.Errorf(format, args...)
	}
}

// The roots of fragments, by the format that they are written in and their name.
var roots = map[string]map[string]*form.Root{
	"0":          {legacy.Catalog.Name: legacy.Catalog, legacy.Capabilities.Name: legacy.Capabilities},
	form.Version: {form.Catalog.Name: form.Catalog, form.Capabilities.Name: form.Capabilities},
}

// formatOf is the format of a root.
func formatOf(r *form.Root) string {
	if r == legacy.Catalog || r == legacy.Capabilities {
		return "0"
	}
	return form.Version
}

// keys are those under which the parts of a result stand.
type keys struct {
	provider                            *shape.Type
	row, removed, change, rule, catalog *shape.Key
}

var standing = sync.OnceValue(func() keys {
	return keys{
		provider: form.Catalog.Table().Must("provider").Type.Elem,
		row:      form.Catalog.Table().Must("model").Type.Item(),
		removed:  form.Catalog.Table().Must("remove").Type.Item(),
		change:   form.Model().Must("change_operations"),
		rule:     form.Capabilities.Table().Must("provider").Type.Elem.Item(),
		catalog:  rootKey(form.Catalog),
	}
})

func rootKey(r *form.Root) *shape.Key { return &shape.Key{Type: shape.Rec(r.Table()), Index: -1} }

func providerKey(id string) *shape.Key {
	return &shape.Key{Name: id, Type: standing().provider, Index: -1}
}

// compare orders ids; an id given twice is not in order.
func compare(a, b string) int {
	if a == b {
		return 1
	}
	return strings.Compare(a, b)
}

// encode prints a body.
func encode(body any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(body); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}

// decode reads a body strictly.
func decode(body []byte, into any) error {
	d := json.NewDecoder(bytes.NewReader(body))
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		return err
	}
	if _, err := d.Token(); err != io.EOF {
		return fmt.Errorf("the body goes on after its end")
	}
	return nil
}
