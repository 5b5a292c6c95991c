package compile

import (
	"slices"

	"github.com/opcat/opcat/compile/fragment"
	"github.com/opcat/opcat/diag"
)

// A Session keeps what was decoded, so that a compile after an edit reads only the
// edited files.
type Session struct {
	in        Input
	fragments []fragment.Fragment
	diags     map[fileKey]diag.List // what decoding found, by file
}

type fileKey struct {
	layer, path string
}

// Start compiles and keeps what was decoded.
func Start(in Input) (*Session, Result) {
	fragments, diags := decode(in)
	s := &Session{in: in, fragments: fragments, diags: map[fileKey]diag.List{}}
	for _, d := range diags {
		k := fileKey{d.At.Layer, d.At.File}
		s.diags[k] = append(s.diags[k], d)
	}
	r := look(in, fragments, diags)
	r.project()
	return s, r
}

// Edited compiles again after the named files of a layer were changed, added or
// removed. Paths are relative to the layer's root.
func (s *Session) Edited(layer string, paths ...string) Result {
	for _, t := range s.in.Trees {
		if t.Layer != layer {
			continue
		}
		for _, p := range paths {
			f, diags := t.Read(p)
			s.fragments = slices.DeleteFunc(slices.Clone(s.fragments), func(old fragment.Fragment) bool {
				return old.File.Layer == layer && old.File.Path == p
			})
			if f.File != nil {
				s.fragments = append(s.fragments, f)
			}
			s.diags[fileKey{layer, p}] = diags
		}
	}
	var lists []diag.List
	for _, l := range s.diags {
		lists = append(lists, l)
	}
	r := look(s.in, s.fragments, diag.Join(lists...))
	r.project()
	return r
}
