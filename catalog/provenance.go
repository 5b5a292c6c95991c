package catalog

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/opcat/opcat/internal/canon"
)

// A Provenance says for each field of a catalog which line of which file of which
// layer it came from. It is a record beside the catalog, outside its digest.
type Provenance struct {
	digest            string
	providers, models string
	files             []sourceFile
}

type sourceFile struct{ layer, path string }

// An Origin is where one field came from. Line 0 is a field that no source
// states: an id, or what the registry means by leaving a key out.
type Origin struct {
	Field string `json:"field"` // limits.context_tokens, price[0].meter
	Layer string `json:"layer,omitempty"`
	File  string `json:"file,omitempty"`
	Line  int    `json:"line,omitempty"`
}

const provenanceSchema = "opcat.provenance@1"

var errProvenance = errors.New("catalog: this is no record of provenance that this version reads")

// OpenProvenance reads a record as package build writes it. It looks at a row's
// part when it is asked for.
func OpenProvenance(text string) (*Provenance, error) {
	rest, ok := strings.CutPrefix(text, "{\n\"schema\":\""+provenanceSchema+"\",\n\"catalog\":")
	if !ok || !utf8.ValidString(text) {
		return nil, errProvenance
	}
	d := decoder{s: rest}
	p := &Provenance{digest: d.text()}
	rest = rest[d.i:]
	var files string
	for _, section := range []struct {
		name string
		into *string
		open byte
	}{{"providers", &p.providers, '{'}, {"models", &p.models, '{'}, {"files", &files, '['}} {
		if rest, ok = strings.CutPrefix(rest, ",\n\""+section.name+"\":"); !ok {
			return nil, errProvenance
		}
		closing := string(section.open + 2)
		if rest, ok = strings.CutPrefix(rest, string(section.open)); !ok {
			return nil, errProvenance
		}
		if rest, ok = strings.CutPrefix(rest, closing); ok { // empty
			continue
		}
		end := strings.Index(rest, "\n"+closing)
		if end < 0 {
			return nil, errProvenance
		}
		*section.into, rest = rest[:end], rest[end+2:]
	}
	if rest != "\n}\n" || d.err != nil {
		return nil, errProvenance
	}
	if files != "" {
		var err error
		if p.files, err = whole("["+joined(files)+"]", readSourceFiles); err != nil {
			return nil, fmt.Errorf("%w: %w", errProvenance, err)
		}
	}
	return p, nil
}

func readSourceFiles(d *decoder) []sourceFile {
	return list(d, func(d *decoder) (f sourceFile) {
		k := d.open()
		if k == "layer" {
			f.layer = d.text()
			k = d.next()
		}
		if k == "path" {
			f.path = d.text()
			k = d.next()
		}
		d.close(k)
		return f
	}, true)
}

// Digest names the catalog that the record is about.
func (p *Provenance) Digest() string { return p.digest }

// Row says for each field of a row, in the order of its text, where it came from.
func (p *Provenance) Row(r Ref) ([]Origin, error) { return p.origins(p.models, r.ID(), r.JSON()) }

// Provider says for each field of a provider where it came from.
func (p *Provenance) Provider(c *Catalog, id string) ([]Origin, error) {
	return p.origins(p.providers, id, c.ProviderJSON(id))
}

func (p *Provenance) origins(section, id, text string) ([]Origin, error) {
	key := "\n" + string(canon.AppendString(nil, id)) + ":"
	at := strings.Index(section, key)
	if at < 0 || text == "" {
		return nil, fmt.Errorf("catalog: the record of provenance has no %q", id)
	}
	line := section[at+len(key):]
	if end := strings.IndexByte(line, '\n'); end >= 0 {
		line = strings.TrimSuffix(line[:end], ",")
	}
	t, err := whole(line, func(d *decoder) *trace { return d.trace(maxNesting) })
	if err != nil {
		return nil, fmt.Errorf("catalog: provenance of %q: %w", id, err)
	}
	o := origins{p: p}
	d := decoder{s: text}
	o.walk(&d, "", t)
	return o.found, d.err
}

// A trace is the part of a record that is about one value: where it stands, or
// where its parts do. The nil trace knows nothing.
type trace struct {
	spot    string // "file:line"
	members map[string]*trace
	items   []*trace
}

func (d *decoder) trace(depth int) *trace {
	if depth == 0 {
		d.fail("nested too deep")
		return nil
	}
	switch d.peek() {
	case '{':
		return &trace{members: mapOfAny(d, func(d *decoder) *trace { return d.trace(depth - 1) })}
	case '[':
		return &trace{items: list(d, func(d *decoder) *trace { return d.trace(depth - 1) }, false)}
	}
	return &trace{spot: d.string()}
}

// mapOfAny is mapOf for keys in any order.
func mapOfAny[T any](d *decoder, value func(*decoder) T) map[string]T {
	m := map[string]T{}
	for k := d.open(); k != ""; k = d.next() {
		m[k] = value(d)
	}
	return m
}

func (t *trace) member(name string) *trace {
	if t == nil || t.spot != "" {
		return t
	}
	return t.members[name]
}

func (t *trace) item(i int) *trace {
	if t == nil || t.spot != "" {
		return t
	}
	if i < len(t.items) {
		return t.items[i]
	}
	return nil
}

// origins collects where the fields of one text came from.
type origins struct {
	p     *Provenance
	found []Origin
}

func (o *origins) walk(d *decoder, path string, t *trace) {
	start := d.i
	switch d.peek() {
	case '{':
		k := d.open()
		if k == "" {
			o.add(path, t)
		}
		for ; k != ""; k = d.next() {
			o.walk(d, joinPath(path, k), t.member(k))
		}
	case '[':
		d.i++
		if d.peek() != '{' {
			d.i = start
			d.skip(maxNesting)
			o.add(path, t)
			return
		}
		for i := 0; d.err == nil; i++ {
			o.walk(d, path+"["+strconv.Itoa(i)+"]", t.item(i))
			if d.eat(']') {
				return
			}
			if !d.eat(',') {
				d.fail("no comma or bracket after an item")
			}
		}
	default:
		d.skip(maxNesting)
		o.add(path, t)
	}
}

func joinPath(path, key string) string {
	if strings.ContainsAny(key, `.[]" `) {
		key = strconv.Quote(key)
	}
	if path == "" {
		return key
	}
	return path + "." + key
}

// add records a field. A list whose items have places of their own, though it is
// one field, stands where its first item does.
func (o *origins) add(path string, t *trace) {
	for t != nil && t.spot == "" && len(t.items) > 0 {
		t = t.items[0]
	}
	origin := Origin{Field: path}
	if t != nil {
		if file, line, ok := strings.Cut(t.spot, ":"); ok {
			f, err1 := strconv.Atoi(file)
			n, err2 := strconv.Atoi(line)
			if err1 == nil && err2 == nil && 0 <= f && f < len(o.p.files) {
				origin.Layer, origin.File, origin.Line = o.p.files[f].layer, o.p.files[f].path, n
			}
		}
	}
	o.found = append(o.found, origin)
}
