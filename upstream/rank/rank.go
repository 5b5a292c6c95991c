// Package rank says whose word counts where upstreams differ. The order is data, per
// kind of fact: a vendor's documentation before its API, before a catalog that who
// serves the models keeps, before one that collects what others serve.
package rank

import (
	"bytes"
	_ "embed"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/BurntSushi/toml"
	"github.com/opcat/opcat/upstream/fact"
)

//go:embed rank.toml
var text []byte

// A Rule is the order for some kinds of facts.
type Rule struct {
	Facts []string    `toml:"facts"`
	Order []fact.Kind `toml:"order"`
	Names []string    `toml:"names"`
	Why   string      `toml:"why"`
}

// Rules is the order, as data.
var Rules = sync.OnceValue(func() []Rule {
	rules, err := parse(text)
	if err != nil {
		panic("rank.toml: " + err.Error()) // it is embedded, and a test reads it
	}
	return rules
})

func parse(src []byte) ([]Rule, error) {
	var f struct {
		Rule []Rule `toml:"rule"`
	}
	meta, err := toml.NewDecoder(bytes.NewReader(src)).Decode(&f)
	if err != nil {
		return nil, err
	}
	if u := meta.Undecoded(); len(u) > 0 {
		return nil, fmt.Errorf("%s is no key of a rule", u[0])
	}
	return f.Rule, nil
}

// Of finds the rule for a kind of fact: "price", or the kind that a dotted field begins
// with.
func Of(field string) Rule {
	kind, _, _ := strings.Cut(field, ".")
	for _, r := range Rules() {
		if slices.Contains(r.Facts, kind) {
			return r
		}
	}
	return Rules()[len(Rules())-1]
}

// Place is where a source stands; the smallest counts.
func (r Rule) Place(s fact.Source) int {
	kind, name := slices.Index(r.Order, s.Kind), slices.Index(r.Names, s.Name)
	if kind < 0 {
		kind = len(r.Order)
	}
	if name < 0 {
		name = len(r.Names)
	}
	return kind*100 + name
}

// Reason says why a source came before another.
func (r Rule) Reason(won, lost fact.Source) string {
	if won.Kind != lost.Kind {
		return kindNames[won.Kind] + " comes before " + kindNames[lost.Kind]
	}
	return "of two " + kindPlurals[won.Kind] + ", " + won.Name + " comes first here"
}

var kindNames = map[fact.Kind]string{fact.VendorDoc: "a vendor's documentation", fact.VendorAPI: "a vendor's API", fact.FirstParty: "a first-party catalog", fact.Aggregator: "an aggregator"}

var kindPlurals = map[fact.Kind]string{fact.VendorDoc: "vendor documents", fact.VendorAPI: "vendor APIs", fact.FirstParty: "first-party catalogs", fact.Aggregator: "aggregators"}
