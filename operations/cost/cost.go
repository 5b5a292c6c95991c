// Package cost says exactly what a usage costs on a route of a flat catalog.
//
// The arithmetic is package price's: this package hands it the route's price entries. A program
// that asks no costs links neither.
package cost

import (
	"github.com/opcat/opcat/catalog"
	"github.com/opcat/opcat/catalog/flat"
	"github.com/opcat/opcat/operations/price"
)

// Sheet is the prices of a route, compiled once for many calls.
func Sheet[O flat.Operation](r flat.Route[O]) *price.Sheet { return SheetOf(r.Row().Price()) }

// SheetOf is the same of a list of price entries, such as a provider's fallback prices.
func SheetOf(entries flat.List[flat.Price]) *price.Sheet { return price.Compile(Entries(entries)) }

// Of is what a usage costs, line by line. The call's operation is the route's. A line of a cache
// that names no lifetime has the call's, or else that of the contract's first protocol.
func Of[O flat.Operation](r flat.Route[O], u price.Usage, c price.Call) price.Receipt {
	return Sheet(r).Cost(u, Call(r, c))
}

// Call is a call of a route: what it leaves out of the operation and the cache lifetime is the
// route's.
func Call[O flat.Operation](r flat.Route[O], c price.Call) price.Call {
	c.Operation = r.Operation()
	if c.CacheLifetime == "" {
		c.CacheLifetime = r.CacheLifetime()
	}
	return c
}

// Entries are price entries as package price reads them.
func Entries(entries flat.List[flat.Price]) []catalog.Price {
	all := make([]catalog.Price, entries.Len())
	for i := range all {
		p := entries.At(i)
		all[i] = catalog.Price{
			Meter:         p.Meter(),
			USDPerMillion: catalog.Decimal(p.USDPerMillion()), USDPerUnit: catalog.Decimal(p.USDPerUnit()),
			Currency: p.Currency(), PerMillion: catalog.Decimal(p.PerMillion()), PerUnit: catalog.Decimal(p.PerUnit()),
			Dynamic: opt(p.Dynamic()), Ceiling: catalog.Decimal(p.Ceiling()),
			ServiceTier: p.ServiceTier(), Operation: p.Operation(), CacheLifetime: p.CacheLifetime(), Region: p.Region(),
			Variant: p.Variant(), Tool: p.Tool(), AboveInputTokens: opt(p.AboveInputTokens()),
			ValidFrom: catalog.Date(p.ValidFrom()), ValidUntil: catalog.Date(p.ValidUntil()), Window: window(p.Window()),
			FreeUnitsPerMonth: opt(p.FreeUnitsPerMonth()), AboveGuard: opt(p.AboveGuard()),
			Source: p.Source(), CheckedOn: catalog.Date(p.CheckedOn()), Note: p.Note(), Untrusted: p.Untrusted(),
		}
	}
	return all
}

func opt[T int64 | bool](v T, known bool) catalog.Opt[T] {
	if !known {
		return catalog.Opt[T]{}
	}
	return catalog.Known(v)
}

func window(w flat.PriceWindow) *catalog.PriceWindow {
	if !w.IsKnown() {
		return nil
	}
	return &catalog.PriceWindow{Days: w.Days().Slice(), Start: w.Start(), End: w.End(), UTCOffset: w.UTCOffset()}
}
