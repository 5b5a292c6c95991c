// Package read is what all readers of upstreams share: the words of one document
// are held to what the reader knows, and whatever it does not know is counted.
package read

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/opcat/opcat/catalog"
	"github.com/opcat/opcat/compile/fragment"
	"github.com/opcat/opcat/diag"
	"github.com/opcat/opcat/internal/hugepage"
	"github.com/opcat/opcat/shape"
	"github.com/opcat/opcat/upstream/amount"
	"github.com/opcat/opcat/upstream/doc"
	"github.com/opcat/opcat/upstream/fact"
)

// A Sink collects what a reader finds in one catalog.
type Sink struct {
	Catalog fact.Catalog
	news    map[string]*fact.News
	left    map[[2]string]*fact.Left
	Room    Room
	kinds   [1 << 6][]string // sets of kinds that were said
}

// A Room is where the facts of a catalog lie side by side.
type Room struct {
	Model        hugepage.Slab[fact.Model]
	Price        hugepage.Slab[catalog.Price]
	Limits       hugepage.Slab[catalog.Limits]
	Metadata     hugepage.Slab[catalog.Metadata]
	Architecture hugepage.Slab[catalog.Architecture]
}

// New is a sink for a source.
func New(s fact.Source) *Sink {
	return &Sink{Catalog: fact.Catalog{Source: s}, news: map[string]*fact.News{}, left: map[[2]string]*fact.Left{}}
}

// Done gives the catalog in its one order, whatever the order of the documents.
func (s *Sink) Done() fact.Catalog {
	c := &s.Catalog
	for _, n := range s.news {
		c.News = append(c.News, *n)
	}
	for _, l := range s.left {
		c.Left = append(c.Left, *l)
	}
	for i := range c.Models {
		settle(c.Models[i])
	}
	s.twice()
	slices.SortFunc(c.News, func(a, b fact.News) int { return strings.Compare(a.Path, b.Path) })
	slices.SortFunc(c.Left, func(a, b fact.Left) int {
		return cmp.Or(strings.Compare(a.Field, b.Field), strings.Compare(a.Why, b.Why))
	})
	slices.SortFunc(c.Faults, func(a, b fact.Fault) int {
		return cmp.Or(strings.Compare(a.At, b.At), strings.Compare(a.Why, b.Why))
	})
	slices.SortFunc(c.Lost, func(a, b fact.Lost) int {
		return cmp.Or(strings.Compare(a.At, b.At), strings.Compare(a.Provider, b.Provider), strings.Compare(a.Wire, b.Wire))
	})
	slices.SortFunc(c.Providers, func(a, b fact.Provider) int { return strings.Compare(a.ID, b.ID) })
	return *c
}

// twice sorts the models and makes one of what is listed twice. Where the entries
// differ nobody knows which is meant, so what they agree on is kept and the rest is
// not. Ids that differ in capitals alone are two rows, and are reported.
func (s *Sink) twice() {
	c := &s.Catalog
	slices.SortFunc(c.Models, func(a, b *fact.Model) int {
		return cmp.Or(strings.Compare(a.Row.Provider, b.Row.Provider), strings.Compare(a.Row.WireModel, b.Row.WireModel), strings.Compare(a.At, b.At))
	})
	kept := c.Models[:0]
	for i := 0; i < len(c.Models); {
		m := c.Models[i]
		j := i + 1
		var lost []string
		for ; j < len(c.Models) && c.Models[j].Row.Provider == m.Row.Provider && c.Models[j].Row.WireModel == m.Row.WireModel; j++ {
			lost = append(lost, agree(m, c.Models[j])...)
		}
		if j-i > 1 {
			sortUnread(m)
			slices.Sort(lost)
			how := "each time alike; it is read once"
			if lost = slices.Compact(lost); len(lost) > 0 {
				how = "and the entries differ in " + strings.Join(lost, ", ") + ", which is not read: nobody can say which is meant"
			}
			s.Fault(m.At, "%s is listed %d times, %s", quote(m.Row.WireModel), j-i, how)
		}
		kept = append(kept, m)
		i = j
	}
	clear(c.Models[len(kept):])
	c.Models = kept
	folded := map[string]*fact.Model{}
	for i, m := range kept {
		if i > 0 && kept[i-1].Row.Provider != m.Row.Provider {
			clear(folded)
		}
		key := strings.ToLower(m.Row.WireModel)
		if first, ok := folded[key]; ok {
			s.Fault(m.At, "%s differs from %s in capitals alone; both are rows", quote(m.Row.WireModel), quote(first.Row.WireModel))
			continue
		}
		folded[key] = m
	}
}

func quote(s string) string { return fmt.Sprintf("%q", s) }

// Fault records what could not be read.
func (s *Sink) Fault(at, format string, args ...any) {
	s.Catalog.Faults = append(s.Catalog.Faults, fact.Fault{At: at, Why: fmt.Sprintf(format, args...)})
}

// Lose records an entry that is there and cannot be read.
func (s *Sink) Lose(provider, wire, at, format string, args ...any) {
	s.Fault(at, format, args...)
	s.Catalog.Lost = append(s.Catalog.Lost, fact.Lost{Provider: provider, Wire: wire, At: at})
}

// News counts a field that nobody knows. Known are the reader's fields at this place;
// one that is nearly the same is probably meant, and still not taken for it.
func (s *Sink) News(path, at string, v *doc.Value, known []string) {
	n := s.news[path]
	if n == nil {
		n = &fact.News{Path: path, At: at, Value: v.Brief()}
		parent := ""
		last := path
		if i := strings.LastIndexByte(path, '.'); i >= 0 {
			parent, last = path[:i+1], path[i+1:]
		}
		if like, ok := Like(last, known); ok {
			n.Like = parent + like
		}
		s.news[path] = n
	}
	if at < n.At {
		n.At, n.Value = at, v.Brief()
	}
	n.Count++
}

// Like finds the field that a misspelt one probably is. Besides slips of the hand it
// knows one field said in other words: cached_input, cache_input and cached_read are
// all somebody's cache_read.
func Like(word string, known []string) (string, bool) {
	for _, pair := range [][2]string{{"cached_input", "cache_read"}, {"cache_input", "cache_read"}, {"cached_read", "cache_read"}, {"cached", "cache_read"}, {"cached_write", "cache_write"}, {"cached_output", "cache_write"}} {
		if word == pair[0] && slices.Contains(known, pair[1]) {
			return pair[1], true
		}
	}
	return diag.Nearest(word, known)
}

// Leave counts a field that is known and has no place in a row, with the reason.
func (s *Sink) Leave(field, why string) {
	key := [2]string{field, why}
	l := s.left[key]
	if l == nil {
		l = &fact.Left{Field: field, Why: why}
		s.left[key] = l
	}
	l.Count++
}

// A Part is one table of a document, as the reader walks through it.
type Part struct {
	*Sink
	At    string // where it stands
	Path  string // of its kind: "models.cost", the same for all of the kind
	Value *doc.Value
}

// Fields walks over the members of the table; a member that stands twice with
// different values is a fault, and neither is read.
func (p Part) Fields(yield func(key string, v *doc.Value) bool) {
	if p.Value.Kind != doc.Map {
		p.Fault(p.At, "%s is %s, not a table", orEntry(p.Path), p.Value.Kind)
		return
	}
	var repeated map[string]*repeat
	if p.Value.Twice {
		repeated = repeats(p.Value)
	}
	for i := range p.Value.Kids {
		v := &p.Value.Kids[i]
		if r := repeated[v.Name]; r != nil {
			first := !r.told
			if first {
				r.told = true
				what := "with one value"
				if r.differ {
					what = "and the values differ; none is read"
				}
				p.Fault(p.At, "%s is written twice, %s", quote(v.Name), what)
			}
			if r.differ || !first {
				continue
			}
		}
		if !yield(v.Name, v) {
			return
		}
	}
}

// A repeat is a key that stands in a table more than once.
type repeat struct {
	differ bool
	told   bool
}

func repeats(table *doc.Value) map[string]*repeat {
	first, out := make(map[string]*doc.Value, len(table.Kids)), map[string]*repeat{}
	for i := range table.Kids {
		v := &table.Kids[i]
		known, again := first[v.Name]
		if !again {
			first[v.Name] = v
			continue
		}
		r := out[v.Name]
		if r == nil {
			r = &repeat{}
			out[v.Name] = r
		}
		r.differ = r.differ || !doc.Equal(known, v)
	}
	return out
}

func orEntry(path string) string {
	if path == "" {
		return "the entry"
	}
	return path
}

// MaxName is the longest text that is believed to be a name or a short word.
const MaxName = 1024

// Text reads a short text for people; false, with a fault, if it is none.
func (p Part) Text(key string, v *doc.Value) (string, bool) {
	switch {
	case v.Kind == doc.TooMuch || v.Kind == doc.Text && len(v.Text) > MaxName:
		p.Fault(p.At, "%s is longer than %d bytes; it is not read", key, MaxName)
	case v.Kind == doc.Null:
	case v.Kind != doc.Text:
		p.Fault(p.At, "%s is %s, not a text: %s", key, v.Kind, v.Brief())
	case isPlain(v.Text):
		return v.Text, true
	case strings.ContainsRune(v.Text, 0xfffd):
		p.Fault(p.At, "%s holds bytes that are not UTF-8", key)
	default:
		s := strings.TrimSpace(v.Text)
		if why := fragment.BadText(shape.Text, s); why != "" && s != "" {
			p.Fault(p.At, "%s %s: %s", key, why, quote(v.Brief()))
			return "", false
		}
		if strings.ContainsFunc(s, doc.Invisible) {
			p.Fault(p.At, "%s holds marks that nobody sees: %s", key, quote(s))
			return "", false
		}
		return s, s != ""
	}
	return "", false
}

// isPlain reports whether a text is visible ASCII with blanks at most between words, as
// nearly all are: there is nothing in it to look for.
func isPlain(s string) bool {
	if s == "" || s[0] == ' ' || s[len(s)-1] == ' ' {
		return false
	}
	for i := 0; i < len(s); i++ {
		if s[i] < ' ' || s[i] >= 0x7f {
			return false
		}
	}
	return true
}

// Texts reads a list of short texts.
func (p Part) Texts(key string, v *doc.Value) (out []string, ok bool) {
	if v.Kind != doc.List {
		if v.Kind != doc.Null {
			p.Fault(p.At, "%s is %s, not a list: %s", key, v.Kind, v.Brief())
		}
		return nil, false
	}
	out = make([]string, 0, len(v.Kids))
	for i := range v.Kids {
		if s, ok := p.Text(key, &v.Kids[i]); ok {
			out = append(out, s)
		}
	}
	return out, true
}

// Bool reads a yes or no.
func (p Part) Bool(key string, v *doc.Value) (b catalog.Opt[bool]) {
	switch v.Kind {
	case doc.Bool:
		return catalog.Known(v.Text == "true")
	case doc.Null:
	default:
		p.Fault(p.At, "%s is %s, not a yes or no: %s", key, v.Kind, v.Brief())
	}
	return b
}

// Count reads a number of things, at least 1. A zero is no limit, and what does not
// end is unknown.
func (p Part) Count(key string, v *doc.Value) (n catalog.Opt[int64]) {
	switch v.Kind {
	case doc.Number:
		i, err := amount.Count(v.Text)
		if err == nil {
			return catalog.Known(i)
		}
		if d, zero := amount.Shifted(v.Text, 0); zero == nil && d.IsZero() {
			p.Leave(p.path(key), "zero, which is no limit")
			return n
		}
		p.Fault(p.At, "%s %s: %s", key, err, v.Brief())
	case doc.Null:
	case doc.Text:
		if i, err := amount.Count(v.Text); err == nil {
			return catalog.Known(i)
		}
		fallthrough
	default:
		p.Fault(p.At, "%s is %s, not a number: %s", key, v.Kind, v.Brief())
	}
	return n
}

// Date reads a day; a month or a year alone is no day.
func (p Part) Date(key string, v *doc.Value) (catalog.Date, bool) {
	if v.Kind == doc.Null {
		return "", false
	}
	if v.Kind == doc.Text {
		if fragment.BadText(shape.Date, v.Text) == "" {
			return catalog.Date(v.Text), true
		}
		if len(v.Text) == 4 || len(v.Text) == 7 {
			p.Leave(p.path(key), "a month or a year, and a row's date is a day")
			return "", false
		}
	}
	p.Fault(p.At, "%s is not a date such as 2026-11-30: %s", key, v.Brief())
	return "", false
}

// WireID reads the name by which a model is dialled.
func (p Part) WireID(s string) bool {
	why := BadWireID(s)
	if why != "" {
		p.Fault(p.At, "the id %s: %s; the entry is not read", why, quote(cut(s)))
	}
	return why == ""
}

// Place is where an entry stands: in a file, and by its id as it can be shown.
func Place(before, id string) string {
	if BadWireID(id) != "" {
		id = (&doc.Value{Kind: doc.Text, Text: id}).Brief()
	}
	return before + id
}

// BadWireID says why a text cannot be dialled by; "" if it can.
func BadWireID(s string) string {
	switch {
	case len(s) > 256:
		return "is longer than 256 bytes"
	case isPlain(s):
	case strings.ContainsRune(s, 0xfffd):
		return "holds bytes that are not UTF-8"
	case strings.ContainsFunc(s, doc.Invisible):
		return "holds marks that nobody sees"
	}
	for step, rest, more := "", s, true; more; {
		if step, rest, more = strings.Cut(rest, "/"); step == ".." || step == "." {
			return "holds a step of a path"
		}
	}
	if isPlain(s) {
		return ""
	}
	return fragment.BadText(shape.WireID, s)
}

func cut(s string) string {
	if len(s) > 80 {
		return s[:80] + "..."
	}
	return s
}

func (p Part) path(key string) string {
	if p.Path == "" {
		return key
	}
	return p.Path + "." + key
}

// Unknown counts a field of this table that nobody knows.
func (p Part) Unknown(key string, v *doc.Value, known []string) {
	p.News(p.path(key), p.At, v, known)
}

// Sub is a table inside this one.
func (p Part) Sub(key string, v *doc.Value) Part {
	return Part{Sink: p.Sink, At: p.At, Path: p.path(key), Value: v}
}

// kinds are what a model takes or gives, in one order.
var kinds = [...]string{"text", "image", "audio", "video", "pdf", "vector"}

// Kinds puts words for kinds in one order; one that is no kind is a fault. Nobody may
// write what it gives, which equal sets share.
func (p Part) Kinds(key string, words []string) []string {
	set := 0
	for _, w := range words {
		set |= p.kind(key, w)
	}
	return p.kindsOf(set)
}

// KindsIn is Kinds of a list in the document; nil where there is none.
func (p Part) KindsIn(key string, v *doc.Value) []string {
	if v.Kind != doc.List {
		p.Texts(key, v)
		return nil
	}
	set := 0
	for i := range v.Kids {
		if w, ok := p.Text(key, &v.Kids[i]); ok {
			set |= p.kind(key, w)
		}
	}
	return p.kindsOf(set)
}

func (p Part) kind(key, word string) int {
	for i, k := range kinds {
		if k == word {
			return 1 << i
		}
	}
	p.Fault(p.At, "%s names %q, which is no kind: %s", key, word, strings.Join(kinds[:], ", "))
	return 0
}

func (s *Sink) kindsOf(set int) []string {
	if s.kinds[set] == nil {
		out := make([]string, 0, len(kinds))
		for i, k := range kinds {
			if set&(1<<i) != 0 {
				out = append(out, k)
			}
		}
		s.kinds[set] = slices.Clip(out)
	}
	return s.kinds[set]
}
