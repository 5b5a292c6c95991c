package artifact

import (
	"encoding/json"

	"github.com/opcat/opcat/compile/fragment"
	"github.com/opcat/opcat/compile/tree"
)

// Decoded is the result of stage decode: every fragment as it is written.
type Decoded struct {
	Run
	Fragments []fragment.Fragment
}

type decodedBody struct {
	Run
	Files     []file         `json:"files"`
	Fragments []fragmentBody `json:"fragments"`
}

type fragmentBody struct {
	File   int             `json:"file"`
	Root   string          `json:"root,omitempty"`
	Format string          `json:"format,omitempty"`
	Legacy bool            `json:"legacy,omitempty"` // its file names no schema
	Broken bool            `json:"broken,omitempty"`
	Strays bool            `json:"strays,omitempty"`
	Cache  *string         `json:"cache,omitempty"` // the text of a pinned cache, which is no fragment
	Table  json.RawMessage `json:"table"`
}

// Body is the JSON of the result.
func (v *Decoded) Body() ([]byte, error) {
	w := &writer{}
	b := decodedBody{Run: v.Run.written(), Fragments: w.fragments(v.Fragments)}
	b.Files = w.files()
	return encode(b)
}

// ReadDecoded reads what Body wrote.
func ReadDecoded(body []byte) (*Decoded, error) {
	var b decodedBody
	if err := decode(body, &b); err != nil {
		return nil, err
	}
	r := newReader(b.Files)
	v := &Decoded{Run: b.Run, Fragments: r.fragments(b.Fragments)}
	return v, r.err
}

func (w *writer) fragments(all []fragment.Fragment) []fragmentBody {
	out := make([]fragmentBody, len(all))
	for i := range all {
		f := &all[i]
		b := fragmentBody{File: w.nodes.Number(f.File), Legacy: f.Legacy, Broken: f.Broken, Strays: f.Strays, Table: w.node(f.Table)}
		if f.Root != nil {
			b.Root, b.Format = f.Root.Name, formatOf(f.Root)
		}
		if f.Cache {
			text := string(f.Src)
			b.Cache = &text
		}
		out[i] = b
	}
	return out
}

func (r *reader) fragments(all []fragmentBody) []fragment.Fragment {
	var out []fragment.Fragment
	for _, b := range all {
		f := fragment.Fragment{File: r.file(b.File), Legacy: b.Legacy, Broken: b.Broken, Strays: b.Strays}
		switch {
		case b.Cache != nil:
			f.Cache, f.Src = true, []byte(*b.Cache)
		case roots[b.Format][b.Root] == nil:
			r.fail("format %q has no root %q", b.Format, b.Root)
		default:
			f.Root = roots[b.Format][b.Root]
			f.Table = r.table(b.Table, f)
		}
		out = append(out, f)
	}
	return out
}

// table reads the table of a fragment; each key of it is looked up in its root.
func (r *reader) table(text json.RawMessage, f fragment.Fragment) *tree.Node {
	what := "a fragment"
	if f.File != nil {
		what = f.File.Path
	}
	return r.needed(what, text, rootKey(f.Root))
}
