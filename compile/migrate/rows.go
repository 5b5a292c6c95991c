package migrate

import (
	"slices"
	"strings"

	"github.com/opcat/opcat/compile/fragment"
	"github.com/opcat/opcat/compile/tree"
	"github.com/opcat/opcat/diag"
)

// A migration is the migration of all format 0 fragments of one layer. Its parts
// fill it one after the other: providers, rows, contracts, then everything that is
// written from them.
type migration struct {
	arena *tree.Arena
	keep  Keep
	rank  int    // of the layer; above 0 it is an overlay
	layer string // bundled, host, user, project, run

	catalog []fragment.Fragment // the layer's format 0 files under catalog_sources, by path
	rules   []fragment.Fragment // the layer's format 0 files under capability_sources, by path
	cache   []fragment.Fragment // the pinned models.dev files, at most one in a sane tree
	broken  bool                // some format 0 file of the layer could not be read whole

	providers []*legacyProvider // by id
	rows      []*legacyRow      // by provider, then wire id
	details   []*legacyRow      // rows of lower layers about which this layer's rules say something; set by contracts
	byID      rowIndex          // of rows
	restated  []*legacyRow      // rows of an overlay over a row of a lower layer, in the same order
	patches   []patch           // of an overlay over rows of lower layers
	books     []*rulebook       // what format 0 says in rules of lower layers, the closest first; after contracts its own too
	below     *ground           // what lies beside and below, in today's form

	aliases []*legacyAlias // by name

	// What registrations ask for beside their rows.
	superseding       []supersession
	registeredAliases []registeredAlias
	selections        []selection

	audits  []Audit
	imports int // facts that came from the pinned cache

	out      output
	diags    diag.List
	moves    []Move
	rewrites int  // how many moves there are
	quiet    bool // they are counted and not recorded
	unsaid   Move // scratch: where what is said of a move goes that is not recorded
}

// A legacyProvider is one `[providers.<id>]`, merged from all the files that state
// some of it.
type legacyProvider struct {
	ID       string
	Table    *tree.Node // in the shape legacy.Provider(), over what format 0 says of it in lower layers
	Own      *tree.Node // what this layer says of it; nil if that is all of Table
	Under    *tree.Node // what lower layers say; nil if they say nothing
	At       *tree.Node // the table that names it first
	Protocol string     // the text protocol it serves (L29); "" if it serves none
	Broken   bool
	Governor *tree.Node // `[provider_limits.<id>]`; set by contracts, nil if there is none
}

// feature reports whether the provider carries a label that acts as a switch.
func (p *legacyProvider) feature(name string) bool {
	return p != nil && p.Table.Get("features").Has(name)
}

// A legacyRow is one row of format 0 after registrations were expanded, facts
// imported and patches of its own layer laid over it.
type legacyRow struct {
	ID       string     // upstream's own id: the key under [models]
	Provider string     // who serves it
	Wire     string     // id on the wire; with the provider it is today's row id
	rowID    string     // put together when it is first asked for
	Table    *tree.Node // in the shape legacy.Model(), with the facts that were imported
	File     *tree.File // where the row is written
	Broken   bool

	Base *groundRow // the row of a lower layer that it restates; nil if it is new
	Twin bool       // an earlier row of the layer has the same id today

	// Operations are today's names in the registry's order: what the row lists, else
	// what format 0 makes of its silence (L04, L06). OperationsAt is the list; nil if
	// the row has none.
	Operations   []string
	OperationsAt *tree.Node
	Unsure       bool // a word of the list is no operation: it may mean one that seems missing

	Dialect  string     // protocol of api_dialect in today's spelling; "" if it has none (L01)
	Compat   bool       // api_dialect was the compatible kind of openai_chat
	Requests *tree.Node // rule facts that a registration states for this very row; nil if none

	// Set by contracts.
	Contracts []*tree.Node // one for each operation granted, under the keys of form.Operations()
	Endpoint  *tree.Node   // recommended_endpoint: advice that nothing reads; nil if no rule gives any
	Discount  *tree.Node   // batch_discount_percent of the rule that decides it; nil if no rule does
}

// RowID is today's id of the row.
func (r *legacyRow) RowID() string {
	if r.rowID == "" {
		r.rowID = r.Provider + "/" + r.Wire
	}
	return r.rowID
}

// Does reports whether the row does the operation, by what it and its contracts say.
func (r *legacyRow) Does(operation string) bool {
	for _, o := range r.Operations {
		if o == operation {
			return true
		}
	}
	return false
}

// Contract is the row's contract for an operation; nil if it has none.
func (r *legacyRow) Contract(operation string) *tree.Node {
	for _, c := range r.Contracts {
		if c.Key.Name == operation {
			return c
		}
	}
	return nil
}

// provider finds a provider of this layer; nil if it declares none of the name.
func (m *migration) provider(id string) *legacyProvider {
	i, ok := slices.BinarySearchFunc(m.providers, id, func(p *legacyProvider, id string) int { return strings.Compare(p.ID, id) })
	if !ok {
		return nil
	}
	return m.providers[i]
}

// report adds a finding. It gives the field whose value stands if an accept file
// lets the finding pass.
func (m *migration) report(d diag.Diagnostic) (kept string, accepted bool) {
	m.diags = append(m.diags, d)
	if m.keep == nil {
		return "", false
	}
	return m.keep(d)
}

// moved records a rewrite. What a lower layer says was recorded with that layer.
func (m *migration) moved(rule string, at *tree.Node, row, from, to string) *Move {
	if m.ofLower(at) {
		return &m.unsaid
	}
	m.rewrites++
	if m.quiet {
		return &m.unsaid
	}
	m.moves = append(m.moves, Move{Rule: rule, At: at.KeyAt(), Row: row, From: from, To: to})
	return &m.moves[len(m.moves)-1]
}

// ofLower reports whether a lower layer states what stands there.
func (m *migration) ofLower(at *tree.Node) bool {
	return at != nil && at.File != nil && at.File.Rank < m.rank
}

// said is how a move shows a value: nothing where moves are only counted.
func (m *migration) said(n *tree.Node, as func(*tree.Node) string) string {
	if m.quiet {
		return ""
	}
	return as(n)
}
