// Package parity asks every form of one catalog the same questions and compares the
// answers with the right ones. The protocol is in README.md.
//
// The library answers in this process; every other form by its driver, a program in
// its own language under drivers/. What is not run is never a pass.
package parity

import (
	"bytes"
	"embed"
	"encoding/json"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"sync"

	"github.com/opcat/opcat/catalog"
	"github.com/opcat/opcat/compile"
	"github.com/opcat/opcat/compile/fragment"
	snapshot "github.com/opcat/opcat/gen/json"
)

//go:embed questions made
var files embed.FS

// A Question is one thing to ask, with its right answer.
type Question struct {
	ID      string
	Catalog string // made or bundled, the first part of the id
	Kind    string
	Asked   json.RawMessage // what a driver sees of it
	Answer  json.RawMessage
	Why     string
}

// Catalogs are the catalogs that are asked, by the first part of an id.
var Catalogs = []string{"made", "bundled"}

// Kinds are the kinds of questions.
var Kinds = []string{"catalog", "routes", "serves", "operations", "fact", "contract", "setting", "alias", "default", "state", "price", "cost", "select", "refusal"}

// Questions lists every question, by id.
var Questions = sync.OnceValues(func() ([]Question, error) {
	names, err := fs.Glob(files, "questions/*.json")
	if err != nil {
		return nil, err
	}
	var all []Question
	for _, name := range names {
		b, err := files.ReadFile(name)
		if err != nil {
			return nil, err
		}
		some, err := decode(b)
		if err != nil {
			return nil, fmt.Errorf("parity/%s: %w", name, err)
		}
		all = append(all, some...)
	}
	slices.SortFunc(all, func(a, b Question) int { return strings.Compare(a.ID, b.ID) })
	for i := range all[1:] {
		if all[i].ID == all[i+1].ID {
			return nil, fmt.Errorf("parity: two questions are called %s", all[i].ID)
		}
	}
	return all, nil
})

// decode reads a file of questions. Each must be one that the library understands, to
// the last member.
func decode(b []byte) ([]Question, error) {
	var f struct{ Questions []json.RawMessage }
	if err := strict(b, &f); err != nil {
		return nil, err
	}
	var all []Question
	for i, text := range f.Questions {
		var members map[string]json.RawMessage
		if err := json.Unmarshal(text, &members); err != nil {
			return nil, fmt.Errorf("question %d: %w", i+1, err)
		}
		q := Question{Answer: members["answer"]}
		if why, ok := members["why"]; ok {
			if err := json.Unmarshal(why, &q.Why); err != nil {
				return nil, fmt.Errorf("question %d: why: %w", i+1, err)
			}
		}
		delete(members, "answer")
		delete(members, "why")
		var err error
		if q.Asked, err = json.Marshal(members); err != nil {
			return nil, err
		}
		var a ask
		if err := strict(q.Asked, &a); err != nil {
			return nil, fmt.Errorf("question %d, %s: %w", i+1, a.ID, err)
		}
		q.ID, q.Kind = a.ID, a.Kind
		q.Catalog, _, _ = strings.Cut(q.ID, "/")
		switch {
		case !slices.Contains(Catalogs, q.Catalog):
			return nil, fmt.Errorf("%s: an id begins with one of %v", q.ID, Catalogs)
		case !slices.Contains(Kinds, q.Kind):
			return nil, fmt.Errorf("%s: %q is not one of %v", q.ID, q.Kind, Kinds)
		case q.Answer == nil:
			return nil, fmt.Errorf("%s: it has no answer", q.ID)
		}
		all = append(all, q)
	}
	return all, nil
}

func strict(b []byte, into any) error {
	d := json.NewDecoder(bytes.NewReader(b))
	d.DisallowUnknownFields()
	d.UseNumber()
	return d.Decode(into)
}

// Catalog gives one of Catalogs. The made one is compiled from its layers.
func Catalog(name string) (*catalog.Catalog, error) {
	if name != "made" {
		return snapshot.Catalog()
	}
	return made()
}

var made = sync.OnceValues(func() (*catalog.Catalog, error) {
	var in compile.Input
	for _, l := range []struct {
		folder string
		rank   int
	}{{"bundled", 0}, {"user", 2}} {
		tree, err := fs.Sub(files, "made/"+l.folder)
		if err != nil {
			return nil, err
		}
		in.Trees = append(in.Trees, fragment.Tree{FS: tree, Layer: l.folder, Rank: l.rank})
	}
	in.AsOf = "2026-11-30"
	r := compile.Run(in)
	if r.Catalog == nil {
		return nil, fmt.Errorf("parity/made does not compile: %s%v", r.Diags.String(), r.Err)
	}
	return r.Catalog, nil
})
