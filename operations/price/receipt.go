package price

import (
	"fmt"
	"math/big"
	"strconv"
	"strings"

	"github.com/opcat/opcat/catalog"
)

// A Receipt is what a call cost, line by line.
type Receipt struct {
	Lines []Charge `json:"lines"`
	// USD is the exact sum; unknown if a line is.
	USD catalog.Decimal `json:"usd,omitempty"`
	// StatedUSD is the sum of the lines that are known: the call cost no less.
	StatedUSD catalog.Decimal `json:"stated_usd"`
	// NanoUSD is what a ledger books: each line in whole nano-dollars, rounded up
	// once. Unknown if a line is, or if the sum is more than an int64.
	NanoUSD catalog.Opt[int64] `json:"nano_usd,omitzero"`
	// Unknown is why there are no lines.
	Unknown Why `json:"unknown,omitempty"`
	// VendorUSD is what the vendor says the call cost. It replaces nothing.
	VendorUSD catalog.Decimal `json:"vendor_usd,omitempty"`
	// VendorDifference is the vendor's figure less ours, exactly; "0" if they agree,
	// unknown if one of the two is.
	VendorDifference catalog.Decimal `json:"vendor_difference_usd,omitempty"`
	// FundingFeePercent is what the provider takes when credit is bought. It is in no
	// line: a call is not charged with it, and what it comes to depends on the purchase.
	FundingFeePercent catalog.Decimal `json:"funding_fee_percent,omitempty"`
}

// A Charge is one line of a receipt.
type Charge struct {
	Meter         string             `json:"meter"`
	CacheLifetime string             `json:"cache_lifetime,omitempty"`
	Tool          string             `json:"tool,omitempty"`
	Count         catalog.Opt[int64] `json:"count,omitzero"` // unknown: used and not counted
	// PricedAs is the meter whose price this one takes, having none of its own.
	PricedAs string `json:"priced_as,omitempty"`
	// One of these is the stated rate, where an entry holds that states one.
	USDPerMillion catalog.Decimal `json:"usd_per_million,omitempty"`
	USDPerUnit    catalog.Decimal `json:"usd_per_unit,omitempty"`
	// USD is the exact amount; unknown for the reason in Unknown.
	USD     catalog.Decimal `json:"usd,omitempty"`
	Unknown Why             `json:"unknown,omitempty"`
	// FreeUnitsPerMonth is an allowance that the entry states. Whether it is used up
	// is not known here, so nothing is subtracted.
	FreeUnitsPerMonth catalog.Opt[int64] `json:"free_units_per_month,omitzero"`
	// Conditions are those under which the entry holds, as its author writes them.
	Conditions string `json:"conditions,omitempty"`
	// Price is the entry; nil if none holds.
	Price *catalog.Price `json:"-"`
}

func newCharge(l *Line, e *entry) Charge {
	c := Charge{Meter: l.Meter, CacheLifetime: l.CacheLifetime, Tool: l.Tool}
	if e == nil {
		return c
	}
	p := *e.rate.Price
	c.Price, c.FreeUnitsPerMonth, c.Conditions = &p, p.FreeUnitsPerMonth, Conditions(&p)
	c.USDPerMillion, c.USDPerUnit = p.USDPerMillion, p.USDPerUnit
	if p.Meter != l.Meter {
		c.PricedAs = p.Meter
	}
	return c
}

// Conditions spells out the conditions of an entry; "" if it has none.
func Conditions(p *catalog.Price) string {
	var s []string
	say := func(name, value string) {
		if value != "" {
			s = append(s, name+" = "+strconv.Quote(value))
		}
	}
	say("service_tier", p.ServiceTier)
	say("operation", p.Operation)
	say("cache_lifetime", p.CacheLifetime)
	say("region", p.Region)
	say("variant", p.Variant)
	say("tool", p.Tool)
	if n, ok := p.AboveInputTokens.Get(); ok {
		s = append(s, "above_input_tokens = "+strconv.FormatInt(n, 10))
	}
	say("valid_from", string(p.ValidFrom))
	say("valid_until", string(p.ValidUntil))
	if w := p.Window; w != nil {
		s = append(s, fmt.Sprintf("window %s %s to %s %s", strings.Join(w.Days, ","), w.Start, w.End, w.UTCOffset))
	}
	return strings.Join(s, ", ")
}

// Vendor notes what the vendor says the call cost and compares the two figures
// exactly. Both are kept.
func (r *Receipt) Vendor(usd catalog.Decimal) {
	r.VendorUSD, r.VendorDifference = usd, ""
	theirs, ours := usd.Rat(), r.USD.Rat()
	if theirs == nil || ours == nil {
		return
	}
	difference := new(big.Rat).Sub(theirs, ours)
	digits, _ := difference.FloatPrec() // both are decimals, so the difference is one
	d, err := catalog.ParseDecimal(difference.FloatString(digits))
	if err == nil {
		r.VendorDifference = d
	}
}

// Reasons says of each unknown line which meter it is and why, one line for people;
// "" if the cost is known.
func (r *Receipt) Reasons() string {
	if r.Unknown != "" {
		return r.Unknown.Text()
	}
	var s []string
	for i := range r.Lines {
		if c := &r.Lines[i]; c.Unknown != "" {
			s = append(s, c.name()+": "+c.Unknown.Text())
		}
	}
	return strings.Join(s, "; ")
}

func (c *Charge) name() string {
	s := c.Meter
	if c.CacheLifetime != "" {
		s += " for " + c.CacheLifetime
	}
	if c.Tool != "" {
		s += " of " + c.Tool
	}
	return s
}
