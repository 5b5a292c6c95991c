package compile

import (
	"slices"

	"github.com/opcat/opcat/compile/fragment"
	"github.com/opcat/opcat/compile/layer"
	"github.com/opcat/opcat/compile/tree"
	"github.com/opcat/opcat/diag"
)

// A Session keeps what a compile made, so that one after an edit does again only
// what the edit touches. What it gives is what Run gives.
type Session struct {
	in        Input
	fragments []fragment.Fragment
	about     map[*tree.File][]string // the providers that each file speaks of
	found     map[fileKey]diag.List   // what decoding found, by file
	last      Result
}

type fileKey struct {
	layer, path string
}

// Start compiles and keeps what it made.
func Start(in Input) (*Session, Result) {
	s := &Session{in: in}
	s.decode()
	return s, s.all()
}

// decode reads all layers.
func (s *Session) decode() {
	fragments, diags := read(s.in)
	s.fragments, s.about, s.found = fragments, map[*tree.File][]string{}, map[fileKey]diag.List{}
	for _, f := range fragments {
		s.about[f.File] = about(f)
	}
	for _, d := range diags {
		k := fileKey{d.At.Layer, d.At.File}
		s.found[k] = append(s.found[k], d)
	}
}

// about lists the providers that a file speaks of; nil for a file of the legacy
// format.
func about(f fragment.Fragment) []string {
	if f.Legacy {
		return nil
	}
	return layer.About(f)
}

// all compiles everything again.
func (s *Session) all() Result {
	var found diag.List
	for _, l := range s.found {
		found = append(found, l...)
	}
	s.last = look(s.in, s.fragments, orNothing(s.fragments, diag.Join(found)))
	s.last.project()
	return s.last
}

// Edited compiles again after the named files of a layer were changed, added or
// removed. Paths are relative to the layer's root.
func (s *Session) Edited(layer string, paths ...string) Result {
	if slices.ContainsFunc(s.fragments, func(f fragment.Fragment) bool { return f.Linked() }) {
		s.decode() // an edited file may be read under another name too
		return s.all()
	}
	touched := map[string]bool{}
	for _, t := range s.in.Trees {
		if t.Layer != layer {
			continue
		}
		for _, p := range paths {
			if !s.reread(t, p, touched) {
				s.decode()
				return s.all()
			}
		}
	}
	if r, ok := s.parts(touched); ok {
		s.last = r
		return r
	}
	return s.all()
}

// reread decodes a file again and notes which providers it speaks of, and spoke of
// before. It is false if the file can't be judged by itself.
func (s *Session) reread(t fragment.Tree, p string, touched map[string]bool) bool {
	f, diags, ok := t.Read(p)
	if !ok {
		return false
	}
	note := func(file *tree.File) {
		for _, id := range s.about[file] {
			touched[id] = true
		}
	}
	before := len(s.fragments)
	s.fragments = slices.DeleteFunc(slices.Clone(s.fragments), func(old fragment.Fragment) bool {
		gone := old.File.Layer == t.Layer && old.File.Path == p
		if gone {
			note(old.File)
			delete(s.about, old.File)
		}
		return gone
	})
	if f.File == nil && len(s.fragments) == before {
		return false // it was no file: perhaps a folder
	}
	if f.File != nil {
		s.fragments = append(s.fragments, f)
		s.about[f.File] = about(f)
		note(f.File)
	}
	s.found[fileKey{t.Layer, p}] = diags
	return true
}
