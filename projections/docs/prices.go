package docs

import (
	"slices"
	"strings"

	"github.com/opcat/opcat/catalog"
	"github.com/opcat/opcat/operations/op"
)

// meters are those that a usual call of an operation is billed by, in the order in
// which people look for them: each has a column.
func meters(o *op.Operation) []string {
	var names []string
	for _, l := range o.Usual.Lines {
		names = append(names, l.Meter)
	}
	return names
}

// priceColumns names the columns of these prices.
func priceColumns(o *op.Operation) []string {
	var columns []string
	for _, m := range meters(o) {
		unit := ", USD each"
		if perMillion(m) {
			unit = ", USD per million"
		}
		columns = append(columns, "#"+m+unit)
	}
	return columns
}

// perMillion reports whether a meter is priced by the million.
func perMillion(meter string) bool {
	return strings.HasSuffix(meter, "_token") || strings.HasSuffix(meter, "_character") || strings.HasSuffix(meter, "_pixel")
}

// A sheet is the price entries of a row with their conditions in words.
type sheet struct {
	entries    []catalog.Price
	conditions []string
}

// read takes over the entries of the next row.
func (t *sheet) read(entries []catalog.Price) *sheet {
	t.entries, t.conditions = entries, t.conditions[:0]
next:
	for i := range entries {
		for j := range i {
			if alike(&entries[i], &entries[j]) {
				t.conditions = append(t.conditions, t.conditions[j])
				continue next
			}
		}
		t.conditions = append(t.conditions, conditions(&entries[i]))
	}
	return t
}

// alike reports whether two entries are easily seen to have the same conditions.
func alike(a, b *catalog.Price) bool {
	return a.AboveInputTokens == b.AboveInputTokens && a.ServiceTier == b.ServiceTier && a.CacheLifetime == b.CacheLifetime && a.Region == b.Region &&
		a.Operation == b.Operation && a.Variant == b.Variant && a.Tool == b.Tool && a.ValidFrom == b.ValidFrom && a.ValidUntil == b.ValidUntil &&
		a.Window == nil && b.Window == nil
}

// conditions says under which conditions an entry holds; "" for any call of the
// standard tier.
func conditions(e *catalog.Price) string {
	if e.Operation == "" && e.CacheLifetime == "" && e.Region == "" && e.Variant == "" && e.Tool == "" && !e.AboveInputTokens.IsKnown() &&
		e.ValidFrom == "" && e.ValidUntil == "" && e.Window == nil && (e.ServiceTier == "" || e.ServiceTier == "standard") {
		return ""
	}
	var s []string
	say := func(before, value string) {
		if value != "" {
			s = append(s, before+value)
		}
	}
	if e.ServiceTier != "standard" {
		say("", e.ServiceTier)
	}
	say("for ", e.Operation)
	say("cache of ", e.CacheLifetime)
	say("in ", e.Region)
	say("variant ", e.Variant)
	say("tool ", e.Tool)
	if n, ok := e.AboveInputTokens.Get(); ok {
		say("above ", number(n)+" input tokens")
	}
	say("from ", string(e.ValidFrom))
	say("until ", string(e.ValidUntil))
	if w := e.Window; w != nil {
		say("", strings.Join(w.Days, " ")+" "+w.Start+" to "+w.End+" UTC"+w.UTCOffset)
	}
	return strings.Join(s, ", ")
}

// sayPrices fills the columns of a row's prices: one for each usual meter, with the
// price of a call without conditions, and one for everything else.
func (p *page) sayPrices(usual []string, contract *catalog.Contract, t *sheet) {
	for _, m := range usual {
		p.cell()
		p.text(t.plain(m, contract))
	}
	p.cell()
	p.sayOthers(usual, t)
}

// plain is what a meter costs where nothing is said of tiers, times or regions.
func (t *sheet) plain(meter string, contract *catalog.Contract) string {
	conditional := false
	for i := range t.entries {
		e := &t.entries[i]
		if e.Meter != meter {
			continue
		}
		if t.conditions[i] == "" {
			return amount(e, false)
		}
		conditional = true
	}
	switch {
	case conditional:
		return "by condition"
	case len(contract.Meters) > 0 && !slices.Contains(contract.Meters, meter):
		return "not billed"
	}
	return unknown
}

// sayOthers says the entries that have no column of their own, those of one condition
// together.
func (p *page) sayOthers(usual []string, t *sheet) {
	any := false
	for i, under := range t.conditions {
		if slices.Contains(t.conditions[:i], under) {
			continue
		}
		first := true
		for j := i; j < len(t.entries); j++ {
			e := &t.entries[j]
			if t.conditions[j] != under || under == "" && slices.Contains(usual, e.Meter) && !remarkable(e) {
				continue
			}
			switch {
			case !first:
				p.text(", ")
			case any:
				p.text("; ")
			}
			if first && under != "" {
				p.text(under + ": ")
			}
			first, any = false, true
			p.text(e.Meter)
			p.text(" ")
			p.text(amount(e, true))
			if n, ok := e.FreeUnitsPerMonth.Get(); ok {
				p.text(" after " + number(n) + " a month free")
			}
			if e.Untrusted {
				p.text(" (stated by a layer that is not trusted)")
			}
		}
	}
}

// remarkable reports whether an entry says more than its amount.
func remarkable(e *catalog.Price) bool { return e.FreeUnitsPerMonth.IsKnown() || e.Untrusted }

// amount spells what an entry costs, with every digit.
func amount(e *catalog.Price, unit bool) string {
	say := func(d catalog.Decimal, currency, per string) string {
		s := string(d)
		if unit {
			s += per
		}
		if currency != "" {
			return s + " " + currency
		}
		return s
	}
	const each = " each"
	switch {
	case e.Dynamic.Or(false) && e.Ceiling.IsKnown():
		return "dynamic, at most " + string(e.Ceiling)
	case e.Dynamic.Or(false):
		return "dynamic"
	case e.USDPerMillion.IsZero(), e.USDPerUnit.IsZero():
		return "free"
	case e.USDPerMillion.IsKnown():
		return string(e.USDPerMillion)
	case e.USDPerUnit.IsKnown():
		return say(e.USDPerUnit, "", each)
	case e.PerMillion.IsKnown():
		return say(e.PerMillion, e.Currency, "")
	case e.PerUnit.IsKnown():
		return say(e.PerUnit, e.Currency, each)
	}
	return unknown
}
