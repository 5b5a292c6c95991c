package migrate

import (
	"bytes"
	"encoding/json"
	"math/big"
	"slices"
	"strings"

	"github.com/opcat/opcat/compile/legacy"
	"github.com/opcat/opcat/compile/tree"
	"github.com/opcat/opcat/diag"
	"github.com/opcat/opcat/shape"
)

// A cache is the pinned facts of models.dev that rows of one layer import. Values
// are kept as the text of their JSON: a number keeps the digits it is written with.
type cache struct {
	Schema string                           `json:"schema"`
	Source string                           `json:"source_url"`
	Sum    string                           `json:"upstream_sha256"`
	Models map[string]map[string]cacheModel `json:"models"`

	pos diag.Pos
}

type cacheModel struct {
	Name        json.RawMessage `json:"name"`
	OpenWeights json.RawMessage `json:"open_weights"`
	ReleaseDate json.RawMessage `json:"release_date"`
	Limit       struct {
		Context json.RawMessage `json:"context"`
	} `json:"limit"`
	Cost struct {
		Text struct {
			Input struct {
				Price json.RawMessage `json:"price"`
				Cache struct {
					Read  json.RawMessage `json:"read"`
					Write json.RawMessage `json:"write"`
				} `json:"cache"`
			} `json:"input"`
			Output struct {
				Price json.RawMessage `json:"price"`
			} `json:"output"`
		} `json:"text"`
	} `json:"cost"`
}

// cacheSchema is the one form of the cache that is read.
const cacheSchema = "harn.models-dev.v1"

// readCache reads the layer's pinned facts; nil if it has none or they can't be
// read, which is reported.
func (m *migration) readCache() *cache {
	if len(m.cache) == 0 {
		return nil
	}
	f := m.cache[0]
	c := &cache{pos: diag.Pos{Layer: f.File.Layer, File: f.File.Path}}
	bad := func(message, got string) *cache {
		m.report(diag.Diagnostic{Code: diag.ImportCacheInvalid, At: c.pos, Message: message, Got: got, Help: "restore the file from where it was pinned"})
		return nil
	}
	if !c.readPlain(f.Src) {
		*c = cache{pos: c.pos}
		if err := json.Unmarshal(f.Src, c); err != nil {
			if at, ok := err.(*json.SyntaxError); ok {
				before := f.Src[:min(int(at.Offset), len(f.Src))]
				c.pos.Line, c.pos.Col = 1+bytes.Count(before, []byte{'\n'}), len(before)-bytes.LastIndexByte(before, '\n')
				return bad("the pinned facts are not JSON: "+err.Error(), "")
			}
			return bad("the pinned facts have another form: "+err.Error(), "")
		}
	}
	switch {
	case c.Schema != cacheSchema:
		return bad("the pinned facts are of a schema that is not read; "+quote(cacheSchema)+" is", c.Schema)
	case len(c.Sum) != 64 || strings.Trim(c.Sum, "0123456789abcdef") != "":
		return bad("upstream_sha256 is not a SHA-256 digest in lower case hex", c.Sum)
	}
	return c
}

// imported gives a copy of a row's table with the facts that it imports, each
// standing where it is asked for. A fact that is also written has two owners.
func (m *migration) imported(row, imports *tree.Node, facts *cache) *tree.Node {
	out := m.without(row, "models_dev")
	if facts == nil {
		if !m.broken && len(m.cache) == 0 {
			m.report(diag.Diagnostic{Code: diag.ImportMissing, At: imports.KeyAt(), Row: row.Key.Name, Message: "the row imports facts, but the tree has no " + legacy.CacheName,
				Help: "add catalog_sources/" + legacy.CacheName + ", or write the facts"})
		}
		return out
	}
	provider, model := imports.Get("provider"), imports.Get("model")
	if provider == nil || model == nil {
		return out // it was not written, or not as a string: the decoder has said so
	}
	from, ok := facts.Models[provider.Str()][model.Str()]
	if !ok {
		help := ""
		if near, found := diag.Nearest(model.Str(), sortedKeys(facts.Models[provider.Str()])); found {
			help = "did you mean " + quote(near) + "?"
		}
		m.report(diag.Diagnostic{Code: diag.ImportMissing, At: model.At(), Row: row.Key.Name, Message: "the pinned facts have no model " + quote(model.Str()) + " of " + quote(provider.Str()),
			Got: model.Str(), Notes: []diag.Note{{At: facts.pos, Message: "the pinned facts"}}, Help: help})
		return out
	}
	for field := range imports.Get("fields").Each() {
		if there := row.Get(field.Str()); there != nil {
			m.report(diag.Diagnostic{Code: diag.FactHasTwoOwners, At: there.KeyAt(), Row: row.Key.Name, Fields: []string{field.Str()},
				Message: "an imported field can't also be written", Got: field.Str(), Allowed: []string{"import", "local value"},
				Notes: []diag.Note{{At: field.At(), Message: "imported here"}}, Help: "take " + field.Str() + " out of models_dev.fields, or remove the value"})
			continue
		}
		m.importFact(out, field, from, facts)
	}
	return out
}

// importFact adds one imported fact to a row.
func (m *migration) importFact(row, field *tree.Node, from cacheModel, facts *cache) {
	add := func(in *tree.Node, key *shape.Key, raw json.RawMessage, needed bool) {
		if len(raw) == 0 || string(raw) == "null" {
			if needed {
				m.importMissing(row, field, "say nothing of "+quote(key.Name), "", facts)
			}
			return
		}
		n := m.fact(field, key, raw)
		if n == nil {
			m.importMissing(row, field, "make "+quote(key.Name)+" depend on something, or give no plain value", string(raw), facts)
			return
		}
		in.Append(n)
	}
	switch field.Str() {
	case "name":
		add(row, rowKey("name"), from.Name, true)
	case "context_window":
		add(row, rowKey("context_window"), from.Limit.Context, true)
	case "open_weight":
		add(row, rowKey("open_weight"), from.OpenWeights, true)
	case "released":
		add(row, rowKey("released"), from.ReleaseDate, true)
	case "pricing":
		card := m.arena.From(field, rowKey("pricing"), shape.FormTable, "")
		text := from.Cost.Text
		add(card, legacy.Pricing().Must("input_per_mtok"), text.Input.Price, true)
		add(card, legacy.Pricing().Must("output_per_mtok"), text.Output.Price, true)
		add(card, legacy.Pricing().Must("cache_read_per_mtok"), text.Input.Cache.Read, false)
		add(card, legacy.Pricing().Must("cache_write_per_mtok"), text.Input.Cache.Write, false)
		row.Append(card)
	}
	m.imports++
}

// fact makes a node of a JSON scalar; nil if it is none, or does not fit the key.
func (m *migration) fact(at *tree.Node, key *shape.Key, raw json.RawMessage) *tree.Node {
	s := string(raw)
	switch s[0] {
	case '"':
		var text string
		if json.Unmarshal(raw, &text) != nil || key.Type.Member(shape.FormString) == nil {
			return nil
		}
		return m.arena.From(at, key, shape.FormString, text)
	case 't', 'f':
		if key.Type.Kind != shape.Bool {
			return nil
		}
		return m.arena.From(at, key, shape.FormBool, s)
	case '{', '[':
		return nil
	}
	if key.Type.Kind == shape.Count && plainCount(s) {
		return m.arena.From(at, key, shape.FormInteger, s)
	}
	if key.Type.Kind == shape.Float && !strings.ContainsAny(s, "eE") {
		return m.arena.From(at, key, shape.FormFloat, s)
	}
	r, ok := new(big.Rat).SetString(s)
	if !ok {
		return nil
	}
	if key.Type.Kind == shape.Count {
		if !r.IsInt() || r.Sign() <= 0 {
			return nil
		}
		return m.arena.From(at, key, shape.FormInteger, r.Num().String())
	}
	if key.Type.Kind != shape.Float {
		return nil
	}
	if strings.ContainsAny(s, "eE") {
		digits, _ := r.FloatPrec()
		s = r.FloatString(digits)
	}
	return m.arena.From(at, key, shape.FormFloat, s)
}

// plainCount reports whether a JSON number is a whole one above zero, in digits alone.
func plainCount(s string) bool {
	return s != "0" && strings.Trim(s, "0123456789") == ""
}

func (m *migration) importMissing(row, field *tree.Node, what, got string, facts *cache) {
	m.report(diag.Diagnostic{Code: diag.ImportMissing, At: field.At(), Row: row.Key.Name, Fields: []string{field.Str()}, Message: "the pinned facts " + what, Got: got,
		Notes: []diag.Note{{At: facts.pos, Message: "the pinned facts"}}, Help: "write the value and take it out of models_dev.fields"})
}

func rowKey(name string) *shape.Key { return legacy.Model().Must(name) }

func sortedKeys[V any](in map[string]V) []string {
	keys := make([]string, 0, len(in))
	for k := range in {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
