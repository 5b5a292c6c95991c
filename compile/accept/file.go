package accept

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/BurntSushi/toml"
	"github.com/opcat/opcat/diag"
)

// A File is the entries of one accept file. A nil File accepts nothing.
type File struct {
	entries []entry
}

// An entry is one `[[accept]]` table.
type entry struct {
	code     diag.Code
	row      string
	provider string
	at       string
	count    int // 0 where it does not count
	keep     string
	why      string

	pos diag.Pos
}

var keys = []string{"code", "row", "provider", "at", "count", "keep", "why"}

// maxBytes bounds an accept file. It is written by hand.
const maxBytes = 1 << 20

// Read reads an accept file. The name is what its findings are placed in. Entries
// that are wrong are left out.
func Read(name string, src []byte) (*File, diag.List) {
	if len(src) > maxBytes {
		return &File{}, diag.List{{Code: diag.FileTooLarge, At: diag.Pos{File: name}, Message: "the accept file is larger than 1 MiB", Help: "accept by count where one thing is wrong in many rows"}}
	}
	var doc map[string]any
	if _, err := toml.NewDecoder(bytes.NewReader(src)).Decode(&doc); err != nil {
		return &File{}, diag.List{unreadable(name, src, err)}
	}
	r := reader{places: placesOf(name, src)}
	for _, key := range slices.Sorted(maps.Keys(doc)) {
		if key != "accept" {
			r.unknown(key, r.places.key(key), "an accept file", []string{"accept"})
		}
	}
	f := &File{}
	for i, table := range r.tables(doc["accept"]) {
		if e, ok := r.entry(i, table); ok {
			f.entries = append(f.entries, e)
		}
	}
	return f, diag.Join(r.diags)
}

// unreadable places what the parser found.
func unreadable(name string, src []byte, err error) diag.Diagnostic {
	d := diag.Diagnostic{Code: diag.AcceptInvalid, At: diag.Pos{File: name, Line: 1, Col: 1}, Message: strings.TrimPrefix(oneLine(err.Error()), "toml: ")}
	var perr toml.ParseError
	if errors.As(err, &perr) {
		d.Message = oneLine(perr.Message)
		d.At = placeOf(name, src, perr.Position.Start)
	}
	return d
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

type reader struct {
	places places
	diags  diag.List
}

func (r *reader) add(at diag.Pos, message, got, help string, allowed ...string) {
	r.diags = append(r.diags, diag.Diagnostic{Code: diag.AcceptInvalid, At: at, Message: message, Got: got, Help: help, Allowed: allowed})
}

// unknown reports a key that does not belong there.
func (r *reader) unknown(key string, at diag.Pos, in string, allowed []string) {
	d := diag.Diagnostic{Code: diag.UnknownField, At: at, Message: quote(key) + " is not a field of " + in, Got: key, Allowed: allowed}
	if near, ok := diag.Nearest(key, allowed); ok {
		d.Help = "did you mean " + quote(near) + "?"
	}
	r.diags = append(r.diags, d)
}

// tables gives the entries, however they are written.
func (r *reader) tables(v any) []map[string]any {
	switch v := v.(type) {
	case nil:
		return nil
	case []map[string]any:
		return v
	case []any:
		var out []map[string]any
		for _, item := range v {
			table, ok := item.(map[string]any)
			if !ok {
				break
			}
			out = append(out, table)
		}
		if len(out) == len(v) {
			return out
		}
	}
	r.add(r.places.key("accept"), "accept is a list of tables", "", "write [[accept]] before each entry")
	return nil
}

// entry reads one entry; it is false if it can't be used.
func (r *reader) entry(i int, table map[string]any) (entry, bool) {
	before := len(r.diags)
	at := func(key string) diag.Pos { return r.places.field(i, key) }
	text := func(key string) string {
		s, ok := table[key].(string)
		if table[key] != nil && (!ok || strings.TrimSpace(s) == "") {
			r.add(at(key), quote(key)+" is a string that says something", "", "")
		}
		return s
	}
	for _, key := range slices.Sorted(maps.Keys(table)) {
		if !slices.Contains(keys, key) {
			r.unknown(key, at(key), "an accept entry", keys)
		}
	}
	e := entry{code: diag.Code(text("code")), row: text("row"), provider: text("provider"), at: text("at"), keep: text("keep"), why: text("why"), pos: at("")}
	if v := table["count"]; v != nil {
		n, ok := v.(int64)
		if !ok || n < 1 || n > 1<<31 {
			r.add(at("count"), `"count" is an integer of at least 1`, fmt.Sprint(v), "write how often the code is found")
		}
		e.count = int(n)
	}
	if len(r.diags) == before {
		r.sound(e, table, at)
	}
	return e, len(r.diags) == before
}

// sound reports what an entry whose values can be read leaves open.
func (r *reader) sound(e entry, table map[string]any, at func(string) diag.Pos) {
	if _, known := diag.Lookup(e.code); e.code == "" {
		r.add(e.pos, `an accept entry lacks "code"`, "", "name the finding that is known")
	} else if !known {
		help := ""
		var names []string
		for _, c := range diag.Codes() {
			names = append(names, string(c.Code))
		}
		if near, ok := diag.Nearest(string(e.code), names); ok {
			help = "did you mean " + quote(near) + "?"
		}
		r.add(at("code"), "there is no code "+quote(string(e.code)), string(e.code), help)
	}
	if e.why == "" {
		r.add(e.pos, `an accept entry lacks "why"`, "", "say why the finding is known and left as it is")
	}
	var by []string
	for _, key := range []string{"at", "count", "provider", "row"} {
		if table[key] != nil {
			by = append(by, key)
		}
	}
	switch {
	case len(by) == 0:
		r.add(e.pos, "an accept entry says nowhere what it is about", "", "name one of row, provider, at and count", "row", "provider", "at", "count")
	case len(by) > 1:
		r.add(at(by[1]), "an accept entry is about one thing", strings.Join(by, ", "), "write an entry for each", "one of row, provider, at and count")
	case e.at != "" && !isPlace(e.at):
		r.add(at("at"), quote(e.at)+" is not a place", e.at, `write the file and its line: "catalog_sources/acme.toml:12"`)
	}
}

// isPlace reports whether a text is file:line.
func isPlace(s string) bool {
	i := strings.LastIndexByte(s, ':')
	if i < 1 {
		return false
	}
	n, err := strconv.Atoi(s[i+1:])
	return err == nil && n > 0
}

func quote(s string) string { return fmt.Sprintf("%q", s) }
