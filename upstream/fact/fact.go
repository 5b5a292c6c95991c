// Package fact is what a public catalog says, in our words and with its source.
//
// Every reader of package upstream gives a Catalog. A served model in it is a
// catalog.Row whose provider and wire id are the upstream's own, and beside it what
// the upstream says about the work that the model does: signs, of which package
// sense makes an operation or none. A reader repairs nothing and decides nothing;
// what it cannot say in our words it keeps as Unread, with the reason.
//
// Package fact does not know which provider of ours an upstream's provider is, nor
// which of two upstreams is right.
package fact

import (
	"strings"

	"github.com/opcat/opcat/catalog"
)

// A Kind is how close a source stands to who serves the model.
type Kind string

// The kinds, from the closest.
const (
	VendorDoc  Kind = "vendor_doc"  // the vendor's documentation
	VendorAPI  Kind = "vendor_api"  // the vendor's own list of models
	FirstParty Kind = "first_party" // a catalog that is kept by who serves its models, or opcat's own
	Aggregator Kind = "aggregator"  // a catalog of what others serve, whoever it is kept for
)

// A Source is one upstream at one version.
type Source struct {
	Name    string       `json:"name"`    // the reader's: "litellm"
	Kind    Kind         `json:"kind"`    //
	URL     string       `json:"url"`     // what a row names as its source: https, or a package's purl
	Version string       `json:"version"` // as the upstream counts
	License string       `json:"license,omitempty"`
	Date    catalog.Date `json:"date,omitempty"` // of that version, where it is known
	Checked catalog.Date `json:"checked_on"`     // when it was read
}

// Unversioned is a source's URL without the version of a package.
func Unversioned(url string) string {
	if at := strings.LastIndexByte(url, '@'); at > 0 && strings.HasPrefix(url, "pkg:") {
		return url[:at]
	}
	return url
}

// A Catalog is all that one upstream says.
type Catalog struct {
	Source
	Providers []Provider // by id
	Models    []*Model   // by provider, then by wire id
	News      []News     // fields that the reader does not know, by path
	Left      []Left     // fields that it knows and a row has no place for
	Faults    []Fault    // what could not be read, by place
	Lost      []Lost     // what of that is an entry
}

// A Lost is an entry that an upstream lists and that could not be read: the row is not
// gone, and what was known of it stands. Without a wire id it is all of a provider; without
// a provider the wire id is a key, which a provider's word may stand before.
type Lost struct {
	Provider, Wire string
	At             string
}

// A Provider is what an upstream says of who serves.
type Provider struct {
	ID     string
	Name   string
	Docs   string
	API    string            // the base of its URLs
	Env    []string          // variables that hold its key, and others that it needs
	Wire   string            // the upstream's word for how it is spoken to: an npm package, a type
	Stated *catalog.Provider // by an upstream in our own format
	At     string
}

// A Model is what an upstream says of one served model.
type Model struct {
	At     string      // place in the upstream: a file, or a file and a pointer into it
	Row    catalog.Row // contracts only where the upstream states contracts
	Says   Says        // what bears on the operation
	Unread []Unread    // stated, and not to be said in our words
}

// Provider is the upstream's id of who serves the model.
func (m *Model) Provider() string { return m.Row.Provider }

// Says is what an upstream says that bears on what a model does and takes. What it
// does not say is unknown, which is neither yes nor no.
type Says struct {
	Mode      string   // in the upstream's word
	Endpoints []string // paths that serve it
	Wire      string   // the model's own way to be spoken to, where it is not its provider's
	API       string   // and its own base of URLs
	Inputs    []string // kinds that it takes: text, image, audio, video, pdf
	Outputs   []string // kinds that it gives: text, image, audio, video, vector

	Tools         catalog.Opt[bool]
	ToolChoice    catalog.Opt[bool]
	ParallelTools catalog.Opt[bool]
	Reasoning     catalog.Opt[bool]
	Structured    catalog.Opt[bool]
	Temperature   catalog.Opt[bool]
	Caching       catalog.Opt[bool]
	Prefill       catalog.Opt[bool]
	System        catalog.Opt[bool]
	Efforts       []string
	Effort        string             // the default
	Width         catalog.Opt[int64] // of a vector
}

// Unread is a value that has no place in our words, or whose meaning is not known.
type Unread struct {
	Field string `json:"field"` // the upstream's
	Value string `json:"value"`
	Why   string `json:"why"`
}

// News is a field that the reader does not know: counted, never dropped unseen.
type News struct {
	Path  string `json:"path"`
	Count int    `json:"count"`
	Like  string `json:"like,omitempty"`  // a known field that is probably meant
	At    string `json:"at"`              // the first place, in the order of places
	Value string `json:"value,omitempty"` // there
}

// Left is a field that is known and not carried over, with the reason.
type Left struct {
	Field string `json:"field"`
	Why   string `json:"why"`
	Count int    `json:"count"`
}

// A Fault is an entry, or a part of one, that could not be read; the rest was.
type Fault struct {
	At  string `json:"at"`
	Why string `json:"why"`
}
