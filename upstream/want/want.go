// Package want says which providers, rows and contracts the upstreams ask for.
//
// It is the seam between reading and writing. A Set is a value: the same upstreams
// give the same Set, whatever their order. Who writes it compares it with the
// sources, keeps what people wrote, and says why each change is made.
package want

import (
	"github.com/opcat/opcat/catalog"
	"github.com/opcat/opcat/upstream/fact"
)

// A Set is everything that the upstreams ask for.
type Set struct {
	Providers []Provider // by id
	Held      []Held     // what is asked for and kept back, by row
}

// A Provider is one provider of ours with the rows that upstreams list for it.
type Provider struct {
	ID       string
	Provider catalog.Provider // how the upstreams state it
	Rows     []Row            // by wire id, byte for byte
	Why      []Why
}

// A Row is one row as the upstreams would have it. Its contracts are in it, each
// with evidence; rows with equal contracts may share a rule.
type Row struct {
	Row    catalog.Row
	Why    []Why         // per field, in the order of the fields
	Doubts []string      // why it has no operation, or fewer than an upstream says
	From   []fact.Source // the upstreams that list it
}

// Why says where a value comes from and which others lost to it.
type Why struct {
	Field  string // "limits.context_tokens", "price.input_token", "contracts.embedding"
	Source string // the upstream's URL
	Reason string
}

// Held is a row or a fact that is kept back: a price that halved, a catalog that
// shrank, a name that cannot be an id.
type Held struct {
	Provider string
	Row      string
	Field    string
	Why      string
}
