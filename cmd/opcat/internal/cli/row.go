package cli

import (
	"iter"
	"slices"
	"strings"
	"time"

	"github.com/opcat/opcat/catalog"
	"github.com/opcat/opcat/compile/form"
	"github.com/opcat/opcat/operations"
)

// states are the states of a row's life.
var states = []string{catalog.Active.String(), catalog.Announced.String(), catalog.Deprecated.String(), catalog.Ended.String()}

// rowFilter is what chooses rows. It asks the index as long as that can answer: no
// row is decoded to be left out.
type rowFilter struct {
	operation, provider, inputKind, listedAs, lifecycle string
}

// flags are the filters that lists of rows and of routes share.
func (f *rowFilter) flags() []Flag {
	return []Flag{
		EnumFlag(&f.operation, "operation", operations.Names(), "only what can do this"),
		StringFlag(&f.provider, "provider", "only what this provider serves"),
		EnumFlag(&f.inputKind, "input-kind", inputKinds(), "only what takes this kind of input, for the operation if one is named"),
		EnumFlag(&f.lifecycle, "lifecycle", states, "only what is in this state at the date"),
	}
}

// inputKinds are the kinds of input of any operation.
func inputKinds() []string {
	var kinds []string
	for _, o := range operations.All() {
		for _, k := range o.Inputs {
			if !slices.Contains(kinds, k) {
				kinds = append(kinds, k)
			}
		}
	}
	return kinds
}

// rows are the rows that pass, in the order of their ids.
func (f *rowFilter) rows(b *book) (iter.Seq[catalog.Ref], error) {
	if err := f.known(b); err != nil {
		return nil, err
	}
	return f.passing(b), nil
}

func (f *rowFilter) passing(b *book) iter.Seq[catalog.Ref] {
	from := b.Refs()
	switch {
	case f.provider != "":
		from = b.RefsOf(f.provider)
	case f.operation != "":
		from = b.Routes(f.operation)
	}
	return func(yield func(catalog.Ref) bool) {
		for r := range from {
			if f.passes(r, b.at) && !yield(r) {
				return
			}
		}
	}
}

// known refuses a provider that there is none of.
func (f *rowFilter) known(b *book) error {
	if ids := b.ProviderIDs(); f.provider != "" && !slices.Contains(ids, f.provider) {
		return Missing("provider", f.provider, ids, "opcat provider list")
	}
	return nil
}

func (f *rowFilter) passes(r catalog.Ref, at time.Time) bool {
	switch {
	case f.operation != "" && !r.Has(f.operation):
	case f.inputKind != "" && !f.takes(r):
	case f.lifecycle != "" && r.State(at).String() != f.lifecycle:
	case f.listedAs != "" && !isListed(r, f.listedAs):
	default:
		return true
	}
	return false
}

// takes asks the operation that is named, or any that the row has.
func (f *rowFilter) takes(r catalog.Ref) bool {
	if f.operation != "" {
		return r.Takes(f.operation, f.inputKind)
	}
	return slices.ContainsFunc(r.Operations(), func(o string) bool { return r.Takes(o, f.inputKind) })
}

// isListed reports whether a row says that an upstream lists it as a job. The text
// is looked at before it is decoded: few rows say so.
func isListed(r catalog.Ref, job string) bool {
	return strings.Contains(r.JSON(), `"listed_as":`) && slices.Contains(r.Row().ListedAs, job)
}

// jobs are what a row can be listed as.
func jobs() []string { return form.Jobs }
