package check

import (
	"slices"
	"strconv"
	"strings"

	"github.com/opcat/opcat/compile/resolve"
	"github.com/opcat/opcat/diag"
)

// Rules looks for every contradiction of the draft. The list is in canonical
// order; it is empty for a draft that may become a catalog.
func Rules(d *resolve.Draft) diag.List {
	speaking, alone := Alone(d)
	return diag.Join(alone, Among(d, speaking))
}

// Alone is the first half of Rules: what each provider says with its own rows. It
// gives the rows that speak of others, for Among.
func Alone(d *resolve.Draft) (speaking []*resolve.Row, found diag.List) {
	speaking, found = alone(d, false)
	if len(found) > 0 { // again, for the places: what was said before is looked at where it was said first
		speaking, found = alone(d, true)
	}
	return speaking, found
}

func alone(d *resolve.Draft, placed bool) (speaking []*resolve.Row, found diag.List) {
	c := newChecker(d, placed)
	c.providers(ofProviders)
	r := &row{checker: c}
	for _, from := range d.Rows {
		if from.Table == nil {
			continue
		}
		r.read(from)
		r.look(ofRows)
		for i := range r.contracts {
			k := &r.contracts[i]
			for j := range checksOf[k.k.index] {
				if c := &checksOf[k.k.index][j]; c.needs < 0 || k.kids[c.needs] != nil {
					c.look(k)
				}
			}
		}
		if r.model[kGroup] != nil || r.life[kSuccessor] != nil {
			speaking = append(speaking, from)
		}
	}
	return speaking, c.findings()
}

// Among is the second half: what providers and rows say of each other. All rows
// that speak of others are given, in the order of ids.
func Among(d *resolve.Draft, speaking []*resolve.Row) diag.List {
	c := newChecker(d, true)
	c.providers(amongProviders)
	r := &row{checker: c}
	for _, from := range speaking {
		r.readTable(from)
		r.look(amongRows)
	}
	for _, check := range ofDrafts {
		check(c)
	}
	return c.findings()
}

func (c *checker) providers(checks []func(*provider)) {
	var p provider
	for _, from := range c.draft.Providers {
		if from.Table == nil {
			continue
		}
		p.read(c, from)
		for _, check := range checks {
			check(&p)
		}
	}
}

func (r *row) look(checks []rowCheck) {
	for i := range checks {
		if c := &checks[i]; c.needs < 0 || r.model[c.needs] != nil {
			c.look(r)
		}
	}
}

// What is looked for, by what it is looked for in. One file holds the checks of
// one kind of mistake. A check that speaks of one key of a row is only asked where
// the row has it.
//
// The checks of providers, rows and contracts look at one provider, at its rows and
// at nothing else, since after an edit they are asked of some providers alone. What
// needs another provider, or a row of one, is looked for among them: amongProviders,
// amongRows of the rows that Alone gives, ofDrafts.
var (
	ofProviders = []func(*provider){
		(*provider).missing,
		(*provider).empty,
		(*provider).unknownProtocols,
		(*provider).dialects,
		(*provider).notApplicable,
		(*provider).origins,
		(*provider).reservedHeaders,
		(*provider).variables,
		(*provider).rangesReversed,
		(*provider).outOfRange,
		(*provider).entriesTwice,
		(*provider).fallbackPrices,
		(*provider).dataControls,
		(*provider).localRuntime,
	}
	amongProviders = []func(*provider){
		(*provider).keysInHoles,
	}
	ofRows = []rowCheck{
		{always, (*row).noOperation},
		{kListed, (*row).listedAndGranted},
		{always, (*row).missing},
		{kSnapshot, (*row).version},
		{always, (*row).snapshot},
		{kCurrent, (*row).selector},
		{kRegional, (*row).regions},
		{kRegion, (*row).wireRoutes},
		{kLimits, (*row).limitsInWindow},
		{kLimits, (*row).outputLimit},
		{kMode, (*row).flagOfOtherOperation},
		{always, (*row).rangesReversed},
		{always, (*row).outOfRange},
		{always, (*row).entriesTwice},
		{kPrice, (*row).notApplicable},
		{always, (*row).sources},
		{kPrice, (*row).priceAmounts},
		{kPrice, (*row).priceGuard},
		{kPrice, (*row).priceConditions},
		{kPrice, (*row).priceLifetimes},
		{kPrice, (*row).priceOverlaps},
		{kPrice, (*row).tiersInWindow},
		{kPrice, (*row).meters},
		{kPrice, (*row).unboundedMeter},
		{kLife, (*row).lifecycle},
		{kShown, (*row).strengths},
		{kShown, (*row).reviewers},
		{kMeta, (*row).family},
		{kMeta, (*row).architecture},
		{kControls, (*row).dataControls},
		{kDiffers, (*row).disagreements},
	}
	amongRows = []rowCheck{
		{kGroup, (*row).equivalence},
		{kLife, (*row).successor},
	}
	ofContracts = []contractCheck{
		{"", (*contract).missing},
		{"", (*contract).endpoint},
		{"", (*contract).protocolsRepeated},
		{"dialect", (*contract).dialect},
		{"", (*contract).notApplicable},
		{"", (*contract).limitsInWindow},
		{"", (*contract).rangesReversed},
		{"", (*contract).outOfRange},
		{"evidence", (*contract).evidence},
		{"uncertainty", (*contract).uncertainty},
		{"settings", (*contract).settingRules},
		{"settings", (*contract).exclusive},
		{"", (*contract).conditions},
		{"dimensions", (*contract).vectors},
		{"protocol", (*contract).upstreamPin},
		{"question_kinds", (*contract).questionKinds},
		{"evidence_kind", (*contract).evidenceKind},
		{"settings", (*contract).optionsInProtocol},
		{"structured", (*contract).structured},
		{"tools", (*contract).tools},
		{"reasoning", (*contract).reasoning},
		{"cache", (*contract).cache},
		{"batch", (*contract).batch},
		{"", (*contract).uploads},
		{"routing", (*contract).routing},
		{"truncates", (*contract).truncation},
	}
	ofDrafts = []func(*checker){
		(*checker).credentialsShared,
		(*checker).presentation,
		(*checker).portalEfforts,
		(*checker).empty,
	}
)

// A rowCheck looks at rows that have a key.
type rowCheck struct {
	needs int
	look  func(*row)
}

const always = -1

// A contractCheck looks at contracts that have a key; "" is every contract.
type contractCheck struct {
	needs string
	look  func(*contract)
}

// A keyedCheck is a contractCheck for one operation.
type keyedCheck struct {
	needs int
	look  func(*contract)
}

// checksOf are the checks of each operation's contracts, in the order of contracts.
var checksOf [][]keyedCheck

func keyedChecks() [][]keyedCheck {
	all := make([][]keyedCheck, len(contracts))
	for i, k := range contracts {
		for _, c := range ofContracts {
			at := always
			if c.needs != "" {
				if at = within(k.table)(c.needs); at < 0 {
					continue
				}
			}
			all[i] = append(all[i], keyedCheck{at, c.look})
		}
	}
	return all
}

// once keeps one of the findings that several rows have in common: a rule that
// names twenty rows, or a selector that took over a wrong price, is one mistake
// at one place. The first row in ID order stands for all.
func once(found diag.List) diag.List {
	type mistake struct {
		at   diag.Pos
		code diag.Code
		text string
	}
	if len(found) < 2 {
		return found
	}
	seen := make(map[mistake]bool, len(found))
	return slices.DeleteFunc(found, func(d diag.Diagnostic) bool {
		m := mistake{d.At, d.Code, d.Message + "\x00" + d.Got}
		if seen[m] {
			return true
		}
		seen[m] = true
		return false
	})
}

func quote(s string) string { return strconv.Quote(s) }

func list(words []string) string { return strings.Join(words, ", ") }
