package migrate

import (
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/opcat/opcat/compile/form"
	"github.com/opcat/opcat/compile/tree"
	"github.com/opcat/opcat/diag"
	"github.com/opcat/opcat/shape"
)

// A price card of format 0 is rates with multipliers. Today each meter has an entry
// for each set of conditions, with the exact product (L45): a band, a promotion, a
// schedule and a tier multiply out, since of the entries that fit a call the one
// that states the most must be there.

// price writes the price entries of a row.
func (m *migration) price(out *tree.Node, r *legacyRow) {
	if r.Base != nil && m.below.legacy[r.RowID()] != nil {
		m.priceOver(out, r, m.below.legacy[r.RowID()])
		return
	}
	list := m.entries(out, r)
	if list.First() != nil {
		out.Append(list)
		m.moved("L45", list, r.RowID(), "pricing", strconv.Itoa(list.Len())+" price entries")
	}
}

// entries lists the price entries of a row; nil if it has no card and no tier.
func (m *migration) entries(out *tree.Node, r *legacyRow) *tree.Node {
	card, tiers := r.Table.Get("pricing"), r.Table.Get("serving_tiers")
	if card == nil && tiers == nil {
		return nil
	}
	at := card
	if at == nil {
		at = tiers
	}
	w := &pricing{migration: m, row: r, list: m.make(out, "price", at)}
	w.lifetimes = namesLifetimes(card, tiers)
	w.card(card, "")
	for tier := range tiers.Each() {
		w.tier(tier, card)
	}
	w.batch(card)
	return w.list
}

// A pricing is the writing of one row's entries.
type pricing struct {
	*migration
	row       *legacyRow
	list      *tree.Node
	lifetimes bool // some card has a rate for an hour's cache, so that every write rate names its lifetime
}

// A rate is what one key of a card prices.
type rate struct {
	key, meter, lifetime string
	output               bool // bands and schedules multiply it as output
}

var cardRates = []rate{
	{key: "input_per_mtok", meter: "input_token"},
	{key: "output_per_mtok", meter: "output_token", output: true},
	{key: "cache_read_per_mtok", meter: "cache_read_token"},
	{key: "cache_write_per_mtok", meter: "cache_write_token", lifetime: "5m"},
	{key: "cache_write_1h_per_mtok", meter: "cache_write_token", lifetime: "1h"},
}

var modalityRates = []rate{
	{key: "audio_input", meter: "input_audio_token"},
	{key: "audio_output", meter: "output_audio_token", output: true},
	{key: "cached_audio_input", meter: "cache_read_audio_token"},
}

// A condition is one reason for which a rate differs: when it holds and what it
// multiplies. A promotion states rates of its own instead.
type condition struct {
	band      *tree.Node
	promotion *tree.Node
	schedule  *tree.Node
}

// card writes every entry of one card. A tier's own card carries the tier.
func (w *pricing) card(card *tree.Node, tier string) {
	w.scaled(card, tier, nil, nil)
	for fee := range card.Get("hosted_tool_fees").Each() {
		w.toolFee(fee, tier)
	}
}

// scaled writes the token entries of a card, times a factor for a tier or batch
// that is stated as one (nil is one); at is where the factor stands.
func (w *pricing) scaled(card *tree.Node, tier string, factor *decimal, at *tree.Node) {
	if card == nil {
		return
	}
	for _, promotion := range orNone(card.Get("promotions")) {
		for _, schedule := range orNone(card.Get("schedules")) {
			for _, band := range bandsOf(card) {
				w.combination(card, tier, factor, at, condition{band, promotion, schedule})
			}
		}
	}
}

// orNone lists the items of a list, and first of all none of them.
func orNone(list *tree.Node) []*tree.Node {
	out := []*tree.Node{nil}
	for n := range list.Each() {
		out = append(out, n)
	}
	return out
}

// bandsOf lists the bands of a card, and first of all none of them, unless a band
// holds from the first token on.
func bandsOf(card *tree.Node) []*tree.Node {
	all := orNone(card.Get("input_token_bands"))
	for _, b := range all[1:] {
		if b.Get("minimum_input_tokens").Int() <= 1 {
			return all[1:]
		}
	}
	return all
}

// combination writes the entries that hold under one set of conditions.
func (w *pricing) combination(card *tree.Node, tier string, factor *decimal, at *tree.Node, c condition) {
	from := card
	if c.promotion != nil {
		from = c.promotion
	}
	for _, r := range cardRates {
		n := from.Get(r.key)
		switch {
		case n != nil:
			w.entry(n, r, tier, factor, at, c)
		case c.promotion != nil && card.Get(r.key) != nil:
			w.open(c.promotion, r, tier, c, "the promotion replaces all rates and states none here")
		}
	}
	if c.promotion != nil {
		return // promotions are about text
	}
	for _, r := range modalityRates {
		if n := card.Path("modality_rates", r.key); n != nil {
			w.entry(n, r, tier, factor, at, c)
		}
	}
}

// entry writes one rate under its conditions.
func (w *pricing) entry(n *tree.Node, r rate, tier string, factor *decimal, at *tree.Node, c condition) {
	if r.meter == "output_token" && w.embedsOnly() && plain(n.Str()) == "0" {
		if c == (condition{}) && tier == "" {
			w.moved("L45", n, w.row.RowID(), "output_per_mtok = 0", "dropped").Note = "an embedding has no output tokens"
		}
		return
	}
	amount := w.product(n, r, factor, c)
	if amount == "" {
		return
	}
	e := w.start(w.place(n, at), r, tier)
	w.text(e, amountKey(), n, amount)
	w.conditions(e, c)
	if n.Key.Name == "cache_write_1h_per_mtok" && w.lifetimes && tier == "" && c == (condition{}) {
		w.moved("L45", n, w.row.RowID(), "cache_write_1h_per_mtok", `cache_write_token of lifetime "1h"`)
	}
}

// place is where an entry stands: at its rate, or at the factor that makes it.
func (w *pricing) place(n, at *tree.Node) *tree.Node {
	if at != nil {
		return at
	}
	return n
}

// open writes an entry that says that a rate is not known under a condition, where
// the rate without it would stand otherwise.
func (w *pricing) open(at *tree.Node, r rate, tier string, c condition, why string) {
	e := w.start(at, r, tier)
	w.yes(e, "dynamic", at)
	w.conditions(e, c)
	mv := w.moved("L45", at, w.row.RowID(), r.key, "dynamic")
	mv.Named, mv.Note = true, why
}

// start begins an entry with its meter and tier.
func (w *pricing) start(at *tree.Node, r rate, tier string) *tree.Node {
	e := w.item(w.list, at)
	w.text(e, meterKey(), at, r.meter)
	if tier != "" {
		w.text(e, tierKey(), at, tier)
	}
	if r.lifetime != "" && w.lifetimes {
		w.text(e, lifetimeKey(), at, r.lifetime)
	}
	return e
}

// text adds a text to an entry. There are thousands of entries, so their keys are
// not looked up by name.
func (w *pricing) text(e *tree.Node, key *shape.Key, at *tree.Node, s string) {
	e.Append(w.arena.From(at, key, shape.FormString, s))
}

// conditions adds the conditions of an entry.
func (w *pricing) conditions(e *tree.Node, c condition) {
	if c.band != nil {
		w.above(e, c.band)
	}
	if p := c.promotion; p != nil {
		w.validity(e, p)
		w.put(e, "source", p.Get("source_url"))
		w.put(e, "note", p.Get("note"))
	}
	if s := c.schedule; s != nil {
		win := w.make(e, "window", s)
		w.puts(win, s, "days", "start", "end", "utc_offset")
		e.Append(win)
		if c.promotion == nil {
			w.put(e, "source", s.Get("source_url"))
			w.put(e, "note", s.Get("note"))
		}
	}
}

// above says that a band holds: "at least N" is "strictly more than N - 1".
func (w *pricing) above(e, band *tree.Node) {
	least := band.Get("minimum_input_tokens")
	if n := least.Int() - 1; n > 0 {
		e.Append(w.arena.From(least, keyOf(e, "above_input_tokens"), shape.FormInteger, strconv.FormatInt(n, 10)))
	}
}

// validity says when a promotion holds; a last day is inclusive in format 0.
func (w *pricing) validity(e, p *tree.Node) {
	for _, name := range []string{"starts_on", "starts_at"} {
		if n := p.Get(name); n != nil && e.Get("valid_from") == nil {
			w.put(e, "valid_from", n)
		}
	}
	if n := p.Get("ends_at"); n != nil {
		w.put(e, "valid_until", n)
	} else if n := p.Get("ends_on"); n != nil {
		w.say(e, "valid_until", n, dayAfter(n.Str()))
	}
}

// dayAfter is the next day; a text that is no day stays as it is.
func dayAfter(day string) string {
	t, err := time.Parse(time.DateOnly, day)
	if err != nil {
		return day
	}
	return t.AddDate(0, 0, 1).Format(time.DateOnly)
}

// product is the exact amount of a rate under its conditions; "" if it can't be
// said, which was reported.
func (w *pricing) product(n *tree.Node, r rate, factor *decimal, c condition) string {
	if factor == nil && c.band == nil && c.schedule == nil {
		return w.amount(n, amountType)
	}
	v, ok := parsed(n.Str())
	if !ok {
		w.outOfRange(n, ">= 0")
		return ""
	}
	times := func(m *tree.Node) {
		if x, ok := parsed(m.Str()); ok {
			v = v.times(x)
		} else if m != nil {
			w.outOfRange(m, "> 0")
		}
	}
	side := "input_multiplier"
	if r.output {
		side = "output_multiplier"
	}
	if c.band != nil {
		times(c.band.Get(side))
	}
	if s := c.schedule; s != nil {
		m := s.Get(side)
		switch r.meter {
		case "cache_read_token":
			if own := s.Get("cache_read_multiplier"); own != nil {
				m = own
			}
		case "cache_write_token":
			if own := s.Get("cache_write_multiplier"); own != nil {
				m = own
			}
		}
		times(m)
	}
	if factor != nil {
		v = v.times(*factor)
	}
	s := v.String()
	if why := badDecimal(s, true); why != "" {
		w.report(diag.Diagnostic{Code: diag.BadDecimal, At: n.At(), Row: w.row.RowID(), Message: "the product of " + quote(n.Key.Name) + " and its multipliers has more than 18 digits behind its point", Got: s,
			Help: "write the entries with their amounts in a file with schema = \"1.0\""})
		return ""
	}
	return s
}

// tier writes the entries of a serving tier: its own card, or the base card times
// its factor. A tier that states no rate gets no entry: its price is unknown.
func (w *pricing) tier(tier, base *tree.Node) {
	id := tier.Get("id")
	name := serviceTier(id.Str())
	own := tier.Get("pricing")
	factor, at := tierFactor(tier)
	if name == "" {
		if own != nil || factor != nil {
			mv := w.moved("L45", tier, w.row.RowID(), "rates of tier "+quote(id.Str()), "dropped")
			mv.Named, mv.Note = true, "no request can name this tier: it is none of "+list(serviceTiers())
		}
		return
	}
	switch {
	case own != nil:
		w.card(own, name)
		if bands := base.Get("input_token_bands"); bands.First() != nil && own.Get("input_token_bands").First() == nil {
			w.openAbove(tier, own, name, bands)
		}
		w.moved("L45", own, w.row.RowID(), "the card of tier "+quote(id.Str()), "price entries of service_tier "+quote(name))
	case factor != nil && base != nil:
		w.scaled(base, name, factor, at)
		w.moved("L45", at, w.row.RowID(), at.Key.Name+" = "+at.Str()+" of tier "+quote(id.Str()), "price entries of service_tier "+quote(name))
	default:
		mv := w.moved("L45", tier, w.row.RowID(), "tier "+quote(id.Str())+" without a rate", "no price entry")
		mv.Named, mv.Note = true, "what it costs is unknown"
	}
}

// openAbove says that a tier's price is unknown above the band at which the base
// card changes: its own card says nothing of bands, and its rates would stand.
func (w *pricing) openAbove(tier, own *tree.Node, name string, bands *tree.Node) {
	lowest := bands.First()
	for b := range bands.Each() {
		if b.Get("minimum_input_tokens").Int() < lowest.Get("minimum_input_tokens").Int() {
			lowest = b
		}
	}
	for _, r := range cardRates {
		if n := own.Get(r.key); n != nil && !(r.meter == "output_token" && w.embedsOnly()) {
			e := w.start(n, r, name)
			w.yes(e, "dynamic", n)
			w.above(e, lowest)
		}
	}
	mv := w.moved("L45", tier, w.row.RowID(), "tier "+quote(tier.Get("id").Str())+" above "+lowest.Get("minimum_input_tokens").Str()+" input tokens", "dynamic")
	mv.Named, mv.Note = true, "its card states no band, the base card does; upstream settles it flat"
}

// tierFactor is the factor that a tier states instead of a card; nil if it states
// none.
func tierFactor(tier *tree.Node) (*decimal, *tree.Node) {
	if n := tier.Get("cost_multiplier"); n != nil {
		if d, ok := parsed(n.Str()); ok {
			return &d, n
		}
	}
	if n := tier.Get("discount_percent"); n != nil {
		return discount(n), n
	}
	return nil, nil
}

// discount is the factor that a percentage off leaves; nil if it is more than all.
func discount(n *tree.Node) *decimal {
	off, ok := parsed(n.Str())
	if !ok || off.wide != nil || off.scale > 16 {
		return nil
	}
	all, places := uint64(100), 2
	for ; places < 2+off.scale; places++ {
		all *= 10
	}
	if off.n > all {
		return nil
	}
	return &decimal{n: all - off.n, scale: places}
}

// batch writes the entries of the batch interface: the base card less the discount
// that the row's rules state.
func (w *pricing) batch(card *tree.Node) {
	d := w.row.Discount
	if d == nil || card == nil {
		return
	}
	if factor := discount(d); factor != nil {
		w.scaled(card, "batch", factor, d)
		w.moved("L45", d, w.row.RowID(), "batch_discount_percent = "+d.Str(), `price entries of service_tier "batch"`)
	}
}

// toolFee writes the fee of a hosted tool, which format 0 states by the thousand
// calls.
func (w *pricing) toolFee(fee *tree.Node, tier string) {
	n := fee.Get("per_1k_calls")
	v, ok := parsed(n.Str())
	if !ok {
		if n != nil {
			w.outOfRange(n, ">= 0")
		}
		return
	}
	s := v.shifted(3).String()
	if why := badDecimal(s, true); why != "" {
		w.report(diag.Diagnostic{Code: diag.BadDecimal, At: n.At(), Row: w.row.RowID(), Message: quote(n.Key.Name) + " " + why, Got: n.Str()})
		return
	}
	e := w.item(w.list, fee)
	w.say(e, "meter", fee, "tool_call")
	if tier != "" {
		w.say(e, "service_tier", fee, tier)
	}
	w.say(e, "tool", fee, fee.Key.Name)
	w.say(e, "usd_per_unit", n, s)
	w.put(e, "free_units_per_month", fee.Get("free_per_month"))
	w.put(e, "source", fee.Get("source_url"))
	if tier == "" {
		w.moved("L45", fee, w.row.RowID(), "hosted_tool_fees."+fee.Key.Name+": "+n.Str()+" for 1,000 calls", "tool_call at "+s)
	}
}

func (w *pricing) embedsOnly() bool {
	return len(w.row.Operations) == 1 && w.row.Operations[0] == "embedding"
}

// namesLifetimes reports whether any card of a row has a rate for an hour's cache.
func namesLifetimes(card, tiers *tree.Node) bool {
	has := func(c *tree.Node) bool {
		if c.Get("cache_write_1h_per_mtok") != nil {
			return true
		}
		for p := range c.Get("promotions").Each() {
			if p.Get("cache_write_1h_per_mtok") != nil {
				return true
			}
		}
		return false
	}
	if has(card) {
		return true
	}
	for t := range tiers.Each() {
		if has(t.Get("pricing")) {
			return true
		}
	}
	return false
}

var amountType = shape.Of(shape.Amount)

var (
	meterKey    = priceKey("meter")
	tierKey     = priceKey("service_tier")
	lifetimeKey = priceKey("cache_lifetime")
	amountKey   = priceKey("usd_per_million")
)

func priceKey(name string) func() *shape.Key {
	return sync.OnceValue(func() *shape.Key { return form.Price().Must(name) })
}

// serviceTier is today's name of a tier; "" if a request can name none.
func serviceTier(id string) string {
	if slices.Contains(tierKey().Type.Values, id) {
		return id
	}
	return ""
}

func serviceTiers() []string { return tierKey().Type.Values }

// outOfRange reports a number that is none of those that mean something.
func (m *migration) outOfRange(n *tree.Node, want string) {
	m.report(diag.Diagnostic{Code: diag.OutOfRange, At: n.At(), Message: quote(n.Key.Name) + " is out of range", Got: n.Str(), Allowed: []string{want}})
}
