package accept

import (
	"bytes"
	"errors"
	"fmt"
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
	Code     diag.Code `toml:"code"`
	Row      string    `toml:"row"`
	Provider string    `toml:"provider"`
	At       string    `toml:"at"`
	Count    *int      `toml:"count"`
	Keep     string    `toml:"keep"`
	Why      string    `toml:"why"`

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
	var doc struct {
		Accept []entry `toml:"accept"`
	}
	meta, err := toml.NewDecoder(bytes.NewReader(src)).Decode(&doc)
	if err != nil {
		return &File{}, diag.List{unreadable(name, src, err)}
	}
	r := reader{name: name, places: placesOf(name, src)}
	for _, k := range meta.Undecoded() {
		r.unknown(k)
	}
	f := &File{}
	for i, e := range doc.Accept {
		e.pos = r.places.entry(i)
		if r.sound(i, e) {
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
	name   string
	places places
	diags  diag.List
}

func (r *reader) add(at diag.Pos, message, got, help string, allowed ...string) {
	r.diags = append(r.diags, diag.Diagnostic{Code: diag.AcceptInvalid, At: at, Message: message, Got: got, Help: help, Allowed: allowed})
}

// unknown reports a key that no entry has.
func (r *reader) unknown(k toml.Key) {
	last := k[len(k)-1]
	d := diag.Diagnostic{Code: diag.UnknownField, At: r.places.key(k), Message: quote(last) + " is not a field of an accept file", Got: last, Allowed: []string{"accept"}}
	if len(k) > 1 {
		d.Message, d.Allowed = quote(last)+" is not a field of an accept entry", keys
	}
	if near, ok := diag.Nearest(last, d.Allowed); ok {
		d.Help = "did you mean " + quote(near) + "?"
	}
	r.diags = append(r.diags, d)
}

// sound reports whether an entry says what it must.
func (r *reader) sound(i int, e entry) bool {
	before := len(r.diags)
	at := func(key string) diag.Pos { return r.places.field(i, key) }
	if _, known := diag.Lookup(e.Code); e.Code == "" {
		r.add(e.pos, `an accept entry lacks "code"`, "", "name the finding that is known")
	} else if !known {
		help := ""
		var names []string
		for _, c := range diag.Codes() {
			names = append(names, string(c.Code))
		}
		if near, ok := diag.Nearest(string(e.Code), names); ok {
			help = "did you mean " + quote(near) + "?"
		}
		r.add(at("code"), "there is no code "+quote(string(e.Code)), string(e.Code), help)
	}
	if strings.TrimSpace(e.Why) == "" {
		r.add(e.pos, `an accept entry lacks "why"`, "", "say why the finding is known and left as it is")
	}
	var by []string
	for key, said := range map[string]bool{"row": e.Row != "", "provider": e.Provider != "", "at": e.At != "", "count": e.Count != nil} {
		if said {
			by = append(by, key)
		}
	}
	slices.Sort(by)
	switch {
	case len(by) == 0:
		r.add(e.pos, "an accept entry says nowhere what it is about", "", "name one of row, provider, at and count", "row", "provider", "at", "count")
	case len(by) > 1:
		r.add(at(by[1]), "an accept entry is about one thing", strings.Join(by, ", "), "write an entry for each", "one of row, provider, at and count")
	case e.Count != nil && *e.Count < 1:
		r.add(at("count"), "a count is at least 1", strconv.Itoa(*e.Count), "remove the entry")
	case e.At != "" && !isPlace(e.At):
		r.add(at("at"), quote(e.At)+" is not a place", e.At, `write the file and its line: "catalog_sources/acme.toml:12"`)
	}
	return len(r.diags) == before
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
