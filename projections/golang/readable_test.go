package golang

import (
	"strconv"
	"strings"
	"testing"

	"github.com/opcat/opcat/catalog"
	"github.com/opcat/opcat/compile/form"
	"github.com/opcat/opcat/internal/blob"
	"github.com/opcat/opcat/internal/canon"
	"github.com/opcat/opcat/shape"
)

// What the blob says, written as canonical JSON with nothing else at hand, is the
// catalog's text to the byte: gen/json is its readable form, and their digest is one.
func TestBlobSaysWhatTheTextSays(t *testing.T) {
	for name, c := range catalogs(t) {
		t.Run(name, func(t *testing.T) {
			again, err := catalog.Open(spell(written(t, c)))
			if err != nil {
				t.Fatal(err)
			}
			if again.Digest() == c.Digest() {
				return
			}
			got, want := strings.Split(again.JSON(), "\n"), strings.Split(c.JSON(), "\n")
			for i := range min(len(got), len(want)) {
				if got[i] != want[i] {
					t.Fatalf("line %d of the text differs\nblob: %.2000s\ntext: %.2000s", i+1, got[i], want[i])
				}
			}
			t.Fatalf("the blob has %d lines, and the text %d", len(got), len(want))
		})
	}
}

// A speller writes a blob as JSON.
type speller struct {
	b   []byte
	out []byte
}

// spell writes the document, with blanks as they come: catalog.Open puts them right.
func spell(b []byte) []byte {
	s := &speller{b: b}
	t := form.Document()
	root := s.word(blob.AtRoot)
	for i, k := range t.Keys {
		separator := byte(',')
		if i == 0 {
			separator = '{'
		}
		v := s.word(root + 4*uint32(i))
		if v == 0 && k.Name != "providers" && k.Name != "models" {
			continue
		}
		s.out = append(canon.AppendString(append(s.out, separator), k.Name), ':')
		switch k.Name {
		case "providers":
			s.table(s.word(blob.AtProviders), blob.ProviderSize, '{', func(at uint32) {
				s.out = append(canon.AppendString(s.out, s.text(s.word(at))), ':')
				s.value(k.Type.Elem, s.word(at+4))
			})
		case "models":
			s.table(s.word(blob.AtRows), blob.RowSize, '[', func(at uint32) { s.value(k.Type.Elem, s.word(at+blob.RowRecord)) })
		default:
			s.value(k.Type, v)
		}
	}
	return append(s.out, '}')
}

func (s *speller) word(at uint32) uint32 { return load(s.b, int(at)) }
func (s *speller) text(at uint32) string { return string(s.b[at+4 : at+4+s.word(at)]) }

func (s *speller) table(at uint32, size int, open byte, item func(uint32)) {
	n := int(s.word(at))
	s.out = append(s.out, open)
	for i := range n {
		if i > 0 {
			s.out = append(s.out, ',')
		}
		item(at + 4 + uint32(i*size))
	}
	s.out = append(s.out, open+2)
}

// each writes the items of a list or the members of a map, each of so many words.
func (s *speller) each(at uint32, words int, item func(at uint32)) {
	for i := range int(s.word(at)) {
		if i > 0 {
			s.out = append(s.out, ',')
		}
		item(at + 4 + uint32(4*words*i))
	}
}

func (s *speller) list(at uint32, item func(word uint32)) {
	s.out = append(s.out, '[')
	s.each(at, 1, func(at uint32) { item(s.word(at)) })
	s.out = append(s.out, ']')
}

func (s *speller) members(at uint32, value func(word uint32)) {
	s.out = append(s.out, '{')
	s.each(at, 2, func(at uint32) {
		s.out = append(canon.AppendString(s.out, s.text(s.word(at))), ':')
		value(s.word(at + 4))
	})
	s.out = append(s.out, '}')
}

// record writes the members whose words are not 0.
func (s *speller) record(at uint32, keys []string, value func(i int, word uint32)) {
	s.out = append(s.out, '{')
	for i, name := range keys {
		v := s.word(at + 4*uint32(i))
		if v == 0 {
			continue
		}
		if s.out[len(s.out)-1] != '{' {
			s.out = append(s.out, ',')
		}
		s.out = append(canon.AppendString(s.out, name), ':')
		value(i, v)
	}
	s.out = append(s.out, '}')
}

func (s *speller) value(t *shape.Type, v uint32) {
	switch t.Kind {
	case shape.Bool:
		s.out = strconv.AppendBool(s.out, v == blob.Yes)
	case shape.Count:
		n := int64(v) - 1
		if v >= blob.Far {
			at := (v &^ blob.Far) * 4
			n = int64(uint64(s.word(at)) | uint64(s.word(at+4))<<32)
		}
		s.out = canon.AppendCount(s.out, strconv.FormatInt(n, 10))
	case shape.Any:
		s.out = append(s.out, s.text(v)...)
	case shape.List:
		s.list(v, func(v uint32) { s.value(t.Elem, v) })
	case shape.Map:
		s.members(v, func(v uint32) { s.value(t.Elem, v) })
	case shape.Union:
		s.either(v)
	case shape.Record:
		switch {
		case isSettings(t.Table):
			s.settings(v)
		case isCondition(t.Table):
			s.members(v, func(v uint32) { s.list(v, s.either) })
		default:
			s.record(v, t.Table.Names(), func(i int, v uint32) {
				if k := t.Table.Keys[i]; IsProtocols(k) {
					s.list(v, func(v uint32) { s.protocol(k.Type.Elem, v) })
				} else {
					s.value(k.Type, v)
				}
			})
		}
	default:
		s.out = canon.AppendString(s.out, s.text(v))
	}
}

func (s *speller) protocol(t *shape.Type, v uint32) {
	if s.word(v+4) == 0 {
		s.out = canon.AppendString(s.out, s.text(s.word(v)))
		return
	}
	s.value(t.Member(shape.FormTable), v)
}

func (s *speller) either(v uint32) {
	if s.word(v) == blob.BoolValue {
		s.out = strconv.AppendBool(s.out, s.word(v+4) == blob.Yes)
		return
	}
	s.out = canon.AppendString(s.out, s.text(s.word(v+4)))
}

func (s *speller) settings(v uint32) {
	s.out = append(s.out, '{')
	s.each(s.word(v+4), 1, func(at uint32) {
		x := s.word(at)
		s.out = append(canon.AppendString(s.out, s.text(s.word(x))), ':')
		if word := s.word(x + 4); word != 0 {
			s.out = canon.AppendString(s.out, s.text(word))
			return
		}
		s.list(s.word(x+8), func(v uint32) {
			s.record(v, []string{"values", "min", "max", "default", "required", "when"}, func(i int, v uint32) {
				switch i {
				case 0:
					s.list(v, s.either)
				case 3:
					s.either(v)
				case 4:
					s.out = strconv.AppendBool(s.out, v == blob.Yes)
				case 5:
					s.members(v, func(v uint32) { s.list(v, s.either) })
				default:
					s.out = canon.AppendString(s.out, s.text(v))
				}
			})
		})
	})
	if exclusive := s.word(v); exclusive != 0 {
		if s.out[len(s.out)-1] != '{' {
			s.out = append(s.out, ',')
		}
		s.out = append(s.out, `"exclusive":`...)
		s.list(exclusive, func(v uint32) { s.list(v, func(v uint32) { s.out = canon.AppendString(s.out, s.text(v)) }) })
	}
	s.out = append(s.out, '}')
}
