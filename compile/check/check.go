package check

import (
	"slices"
	"strings"

	"github.com/opcat/opcat/compile/resolve"
	"github.com/opcat/opcat/diag"
)

// Rules looks for every contradiction of the draft. The list is in canonical
// order; it is empty for a draft that may become a catalog.
func Rules(d *resolve.Draft) diag.List {
	c := &checker{draft: d, asOf: instant(d.AsOf)}
	var p provider
	for _, from := range d.Providers {
		if from.Table == nil {
			continue
		}
		p.read(c, from)
		for _, check := range ofProviders {
			check(&p)
		}
	}
	r := &row{checker: c}
	for _, from := range d.Rows {
		if from.Table == nil {
			continue
		}
		r.read(from)
		for _, check := range ofRows {
			check(r)
		}
		for i := range r.contracts {
			for _, check := range ofContracts {
				check(&r.contracts[i])
			}
		}
	}
	for _, check := range ofDrafts {
		check(c)
	}
	return diag.Join(once(c.found))
}

// What is looked for, by what it is looked for in. One file holds the checks of
// one kind of mistake.
var (
	ofProviders = []func(*provider){
		(*provider).missing,
		(*provider).empty,
		(*provider).unknownProtocols,
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
	ofRows = []func(*row){
		(*row).noOperation,
		(*row).listedAndGranted,
		(*row).missing,
		(*row).snapshot,
		(*row).version,
		(*row).selector,
		(*row).regions,
		(*row).wireRoutes,
		(*row).equivalence,
		(*row).limitsInWindow,
		(*row).outputLimit,
		(*row).flagOfOtherOperation,
		(*row).rangesReversed,
		(*row).outOfRange,
		(*row).entriesTwice,
		(*row).notApplicable,
		(*row).sources,
		(*row).priceAmounts,
		(*row).priceGuard,
		(*row).priceConditions,
		(*row).priceLifetimes,
		(*row).priceOverlaps,
		(*row).tiersInWindow,
		(*row).meters,
		(*row).unboundedMeter,
		(*row).lifecycle,
		(*row).successor,
		(*row).strengths,
		(*row).reviewers,
		(*row).family,
		(*row).architecture,
		(*row).dataControls,
		(*row).disagreements,
	}
	ofContracts = []func(*contract){
		(*contract).missing,
		(*contract).endpoint,
		(*contract).protocolsRepeated,
		(*contract).notApplicable,
		(*contract).limitsInWindow,
		(*contract).rangesReversed,
		(*contract).outOfRange,
		(*contract).evidence,
		(*contract).uncertainty,
		(*contract).settingRules,
		(*contract).exclusive,
		(*contract).conditions,
		(*contract).vectors,
		(*contract).upstreamPin,
		(*contract).questionKinds,
		(*contract).evidenceKind,
		(*contract).optionsInProtocol,
		(*contract).structured,
		(*contract).tools,
		(*contract).reasoning,
		(*contract).cache,
		(*contract).batch,
		(*contract).uploads,
		(*contract).routing,
		(*contract).truncation,
	}
	ofDrafts = []func(*checker){
		(*checker).credentialsShared,
		(*checker).presentation,
	}
)

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

func quote(s string) string { return `"` + s + `"` }

func list(words []string) string { return strings.Join(words, ", ") }
