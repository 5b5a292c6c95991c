package price

import (
	"math/bits"
	"time"

	"github.com/opcat/opcat/catalog"
)

// A Condition is what a price entry says about the calls that it holds for. What
// is left empty is not stated.
type Condition struct {
	ServiceTier   string // "" is the standard tier
	Region        string
	Operation     string
	CacheLifetime string
	Variant       string
	Tool          string
	Above         int64 // more input tokens than this; 0 prices every size
	From, Until   time.Time
	Window        *Window
}

// ConditionOf reads the condition of an entry.
func ConditionOf(p *catalog.Price) Condition {
	c := Condition{
		ServiceTier: tier(p.ServiceTier), Region: p.Region, Operation: p.Operation, CacheLifetime: p.CacheLifetime,
		Variant: p.Variant, Tool: p.Tool, Above: p.AboveInputTokens.Or(0),
	}
	c.From, _ = p.ValidFrom.Time()
	c.Until, _ = p.ValidUntil.Time()
	if w := p.Window; w != nil {
		c.Window = NewWindow(w.Days, w.Start, w.End, w.UTCOffset)
	}
	return c
}

// tier spells the standard tier in the one way that conditions and calls do.
func tier(name string) string {
	if name == "standard" {
		return ""
	}
	return name
}

// The conditions that make an entry more particular when they are stated. A
// service tier and a region are not among them: an entry without one is for the
// standard tier, and for calls that name no region.
const (
	onOperation uint8 = 1 << iota
	onLifetime
	onVariant
	onTool
	onFrom
	onUntil
	onWindow
	onRegion // not stated so, but looked at where a row's prices name regions

	onTime = onFrom | onUntil | onWindow
)

// states is the set of the conditions that make the entry more particular.
func (c *Condition) states() (s uint8) {
	for i, stated := range [...]bool{c.Operation != "", c.CacheLifetime != "", c.Variant != "", c.Tool != "", !c.From.IsZero(), !c.Until.IsZero(), c.Window != nil} {
		if stated {
			s |= 1 << i
		}
	}
	return s
}

// value is what it says of a variant or a tool.
func (c *Condition) value(state uint8) string {
	if state == onVariant {
		return c.Variant
	}
	return c.Tool
}

// particular orders conditions so that one which states all that another states,
// and more, comes before it.
func particular(a, b *Condition) int {
	if n := bits.OnesCount8(b.states()) - bits.OnesCount8(a.states()); n != 0 {
		return n
	}
	switch {
	case a.Above > b.Above:
		return -1
	case a.Above < b.Above:
		return 1
	}
	return 0
}

// A Relation is how the conditions of two entries of one meter stand to each
// other. Of the entries that fit a call, the one wins that is More to each other.
type Relation uint8

// The relations.
const (
	Apart  Relation = iota // no call fits both
	Same                   // they state the same
	More                   // the first states all that the second does, and more; of two tiers it is the higher
	Less                   // the other way round
	Beside                 // both may fit, and neither wins
)

// Relate compares the conditions of two entries of one meter. Where a row's prices
// name regions, an entry without one is for calls that name none.
func Relate(a, b *Condition, regional bool) Relation {
	switch {
	case a.ServiceTier != b.ServiceTier, regional && a.Region != b.Region:
		return Apart
	case (a.CacheLifetime == "") != (b.CacheLifetime == ""):
		return Apart // a meter's entries all name one, or none does
	case !b.Until.IsZero() && !a.From.Before(b.Until), !a.Until.IsZero() && !b.From.Before(a.Until):
		return Apart
	}
	for _, w := range [...][2]string{{a.Operation, b.Operation}, {a.CacheLifetime, b.CacheLifetime}, {a.Variant, b.Variant}, {a.Tool, b.Tool}} {
		if w[0] != "" && w[1] != "" && w[0] != w[1] {
			return Apart
		}
	}
	as, bs := a.states(), b.states()
	more, less := as&^bs != 0 || a.Above > b.Above, bs&^as != 0 || b.Above > a.Above
	both := as & bs
	if both&onFrom != 0 && !a.From.Equal(b.From) || both&onUntil != 0 && !a.Until.Equal(b.Until) {
		more, less = true, true
	}
	if both&onWindow != 0 && !a.Window.equal(b.Window) {
		if !a.Window.meets(b.Window) {
			return Apart
		}
		more, less = true, true
	}
	switch {
	case more && less:
		return Beside
	case more:
		return More
	case less:
		return Less
	}
	return Same
}
