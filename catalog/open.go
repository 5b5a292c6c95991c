package catalog

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/opcat/opcat/catalog/flat"
)

// Open reads the JSON form of a catalog, whoever wrote it: any blanks between
// its values, but nothing that the canonical form does not say in the same words
// and the same order. Every row is read once; what is wrong is an error that
// names its row, and no bytes make Open panic.
func Open(data []byte) (*Catalog, error) {
	c, err := open(data)
	if err != nil {
		return nil, fmt.Errorf("catalog: %w", err)
	}
	return c, nil
}

func open(data []byte) (*Catalog, error) {
	if len(data) > MaxSize {
		return nil, fmt.Errorf("the catalog has %d bytes; the most is %d", len(data), MaxSize)
	}
	if !utf8.Valid(data) {
		return nil, errNotUTF8
	}
	canonical, err := layout(data, false)
	if err != nil {
		return nil, err
	}
	s := scanner{d: decoder{s: view(canonical)}, x: NewIndexer(0)}
	if err := s.document(); err != nil {
		return nil, err
	}
	return s.x.Catalog(canonical)
}

// OpenIndexed opens a catalog that was compiled together with its index, as a
// program embeds the two. It reads no row; a text and an index that do not belong
// together are an error. Bytes from elsewhere are Open's to check.
func OpenIndexed(text, index string) (*Catalog, error) {
	c, err := openIndexed(text, index)
	if err != nil {
		return nil, fmt.Errorf("catalog: %w", err)
	}
	return c, nil
}

func openIndexed(text, ix string) (*Catalog, error) {
	x, err := openIndex(text, ix)
	if err != nil {
		return nil, err
	}
	return newCatalog(text, x)
}

func newCatalog(text string, x *index) (c *Catalog, err error) {
	c = &Catalog{text: text, ix: x, digest: x.digest()}
	asOf, err := whole(c.section("as_of"), (*decoder).date)
	if err != nil {
		return nil, fmt.Errorf("as_of: %w", err)
	}
	c.asOf, _ = asOf.Time()
	if c.holds, err = whole(c.section("holds"), (*decoder).holds); err != nil {
		return nil, fmt.Errorf("holds: %w", err)
	}
	return c, nil
}

// OpenFlat opens what a flat blob says, for Select and Admit: a program that embeds the blob needs no
// second form of the catalog. Every row is read once, and the text must be the one that the blob
// names, so that a damaged blob is an error.
func OpenFlat(f flat.Catalog) (*Catalog, error) {
	if err := f.Verify(sha256.Sum256); err != nil {
		return nil, err
	}
	c, err := Open(f.AppendJSON(nil))
	if err != nil {
		return nil, err
	}
	if c.Digest() != f.Digest() {
		return nil, fmt.Errorf("catalog: the blob says what has the digest %s, and names %.80q: it is damaged", c.Digest(), f.Digest())
	}
	return c, nil
}

// A scanner reads a whole document and indexes it.
type scanner struct {
	d decoder
	x *Indexer
}

// document walks the members in their order. The layout is canonical, so that a
// member that has lines of its own ends where a line starts with its bracket.
func (s *scanner) document() error {
	if !strings.HasPrefix(s.d.s, "{\n") {
		return errors.New("no catalog: a JSON object is wanted")
	}
	s.d.i = 2
	at := -1
	for {
		key := s.d.name()
		if s.d.err != nil {
			return s.d.err
		}
		i := slices.Index(sectionNames, key)
		if i <= at {
			return fmt.Errorf("byte %d: unknown, repeated or misplaced member %q", s.d.i, key)
		}
		if missing := slices.IndexFunc(sectionNames[at+1:i], needed); missing >= 0 {
			return fmt.Errorf("byte %d: no %s", s.d.i, sectionNames[at+1+missing])
		}
		at = i
		start := s.d.i
		end, err := s.sectionEnd()
		if err != nil {
			return err
		}
		s.x.Section(key, start, end-start)
		if err := s.section(key, start, end); err != nil {
			return fmt.Errorf("%s: %w", key, err)
		}
		s.d.i = end
		switch rest := s.d.s[end:]; {
		case strings.HasPrefix(rest, ",\n"):
			s.d.i += 2
		case rest == "\n}\n":
			if missing := slices.IndexFunc(sectionNames[at+1:], needed); missing >= 0 {
				return fmt.Errorf("no %s", sectionNames[at+1+missing])
			}
			return nil
		default:
			return fmt.Errorf("byte %d: no comma or brace after a value", end)
		}
	}
}

func needed(section string) bool {
	switch section {
	case "schema", "as_of", "holds", "providers", "models":
		return true
	}
	return false
}

func (s *scanner) sectionEnd() (int, error) {
	rest := s.d.s[s.d.i:]
	n := strings.IndexByte(rest, '\n')
	if n == 1 && (rest[0] == '{' || rest[0] == '[') {
		closing := "\n" + string(rest[0]+2) // ']' and '}' stand two places after their partners
		if n = strings.Index(rest, closing); n >= 0 {
			return s.d.i + n + 2, nil
		}
	}
	if n <= 0 {
		return 0, fmt.Errorf("byte %d: the text ends within a value", s.d.i)
	}
	return s.d.i + len(strings.TrimSuffix(rest[:n], ",")), nil
}

func (s *scanner) section(key string, start, end int) error {
	switch key {
	case "providers":
		return s.lines(start, end, '{', s.provider)
	case "models":
		return s.lines(start, end, '[', s.row)
	}
	read, ok := readers[key]
	if !ok {
		return errors.New("unknown member")
	}
	return read(joined(s.d.s[start:end]))
}

// lines reads a section item by item, each on its line.
func (s *scanner) lines(start, end int, open byte, item func(i, end int) error) error {
	text := s.d.s[start:end]
	if len(text) == 2 && text[0] == open && text[1] == open+2 {
		return nil
	}
	if len(text) < 4 || text[0] != open || text[1] != '\n' {
		return errors.New("not the kind of value that is wanted")
	}
	for i, last := start+2, end-2; ; {
		n := strings.IndexByte(s.d.s[i:last], '\n')
		if n < 0 {
			return item(i, last)
		}
		if s.d.s[i+n-1] != ',' {
			return fmt.Errorf("byte %d: no comma between two items", i+n)
		}
		if err := item(i, i+n-1); err != nil {
			return err
		}
		i += n + 1
	}
}

func (s *scanner) provider(i, end int) error {
	d := decoder{s: s.d.s[:end], i: i}
	id := d.name()
	start := d.i
	d.provider()
	if d.err == nil && d.i != end {
		d.fail("more text after the value")
	}
	if d.err != nil {
		return fmt.Errorf("%q: %w", id, d.err)
	}
	return s.x.Provider(id, start, end-start)
}

func (s *scanner) row(i, end int) error {
	d := decoder{s: s.d.s[:end], i: i}
	r := d.row()
	if d.err == nil && d.i != end {
		d.fail("more text after the value")
	}
	if d.err == nil && r.ID != r.Provider+"/"+r.WireModel {
		d.fail("the id is not provider/wire_model")
	}
	if d.err != nil {
		return fmt.Errorf("%q: %w", r.ID, d.err)
	}
	var l Lifecycle
	if r.Lifecycle != nil {
		l = *r.Lifecycle
	}
	if err := s.x.Row(r.ID, i, end-i, d.contractsAt, l.Deprecated.Or(false), l.EndsOn, l.AnnouncedEnd); err != nil {
		return err
	}
	for n, c := range r.Contracts {
		support := ""
		if c.Evidence != nil {
			support = c.Evidence.Support
		}
		s.x.Route(c.Operation, d.spans[n].start, d.spans[n].end-d.spans[n].start, c.InputKinds, support)
	}
	return nil
}

// joined takes the line breaks out of a small section.
func joined(s string) string {
	if strings.IndexByte(s, '\n') < 0 {
		return s
	}
	return strings.ReplaceAll(s, "\n", "")
}

// readers read the small sections, for their errors alone.
var readers = map[string]func(string) error{
	"schema":               reads(func(d *decoder) string { return d.word([]string{schemaName}) }),
	"as_of":                reads((*decoder).date),
	"holds":                reads((*decoder).holds),
	"aliases":              reads(readAliases),
	"defaults":             reads((*decoder).defaults),
	"ladders":              reads(readLadders),
	"generation_defaults":  reads(readFree),
	"roles":                reads(readFree),
	"suggest":              reads(readTexts),
	"data_controls_policy": reads((*decoder).dataControlsPolicy),
	"presentation":         reads((*decoder).presentation),
	"removed":              reads(readRemovals),
}

func reads[T any](read func(*decoder) T) func(string) error {
	return func(s string) error {
		_, err := whole(s, read)
		return err
	}
}

func readAliases(d *decoder) map[string]Alias  { return mapOf(d, (*decoder).alias) }
func readLadders(d *decoder) map[string]Ladder { return mapOf(d, (*decoder).ladder) }
func readTexts(d *decoder) map[string]string   { return mapOf(d, (*decoder).text) }
func readRemovals(d *decoder) []Removal        { return list(d, (*decoder).removal, false) }
func readFree(d *decoder) map[string]map[string]JSON {
	return mapOf(d, func(d *decoder) map[string]JSON { return mapOf(d, (*decoder).any) })
}
