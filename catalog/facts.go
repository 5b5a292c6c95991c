package catalog

import (
	"strings"
	"sync"
)

// The facts of a row that selection sorts and filters by are read without
// decoding the rest of it: a member is found in the canonical text, where the
// members of a row stand in one order and no text can hold a bare quote.

// member is the text of the row from the value of one of its own members on; ""
// if it has none. The key must be one that no member before it holds inside.
func (r Ref) member(start string) string {
	head := r.head()
	if i := strings.Index(head, start); i >= 0 {
		return head[i+len(start)-1:]
	}
	return ""
}

// head is the text of the row before its contracts.
func (r Ref) head() string { return r.JSON()[:r.contractsAt()] }

// within is member for a start that ends with a bracket, in a part of a row's text.
// Brackets are few, so it looks at the text from one to the next.
func within(head, start string) string {
	bracket := start[len(start)-1]
	for i := 0; ; {
		n := strings.IndexByte(head[i:], bracket)
		if n < 0 {
			return ""
		}
		if i += n + 1; strings.HasSuffix(head[:i], start) {
			return head[i-1:]
		}
	}
}

// part decodes the value that a text starts with.
func part[T any](s string, read func(*decoder) T) (v T) {
	if s == "" {
		return v
	}
	d := lend(s)
	defer decoders.Put(d)
	if v = read(d); d.err != nil {
		return must(s, read) // which says what is wrong
	}
	return v
}

// decoders are lent, so that whoever asks every row for a fact makes one and no more.
var decoders = sync.Pool{New: func() any { return new(decoder) }}

func lend(s string) *decoder {
	d := decoders.Get().(*decoder)
	*d = decoder{s: s}
	return d
}

// Limits are the row's own limits; the zero Limits if it states none.
func (r Ref) Limits() Limits { return part(within(r.head(), `,"limits":{`), (*decoder).limits) }

// Name is the row's name for people; "" if it has none.
func (r Ref) Name() string {
	d := lend(r.member(`,"wire_model":"`)) // which the name follows; one further on is another's
	defer decoders.Put(d)
	d.string()
	s, named := strings.CutPrefix(d.s[d.i:], `,"name":`)
	if !named {
		return ""
	}
	return part(s, (*decoder).text)
}

// Lifecycle is what is known of the row's end; nil if it states nothing.
func (r Ref) Lifecycle() *Lifecycle {
	head := r.head()
	head = head[:len(head)-len(within(head, `,"price":[`))] // which follows it
	s := within(head, `,"lifecycle":{`)
	if s == "" {
		return nil
	}
	l := part(s, (*decoder).lifecycle)
	return &l
}

// AppendPrices appends the row's price entries.
func (r Ref) AppendPrices(dst []Price) []Price {
	s := within(r.head(), `,"price":[`)
	if s == "" {
		return dst
	}
	d := lend(s)
	defer decoders.Put(d)
	for open := d.eat('['); open && d.err == nil && !d.eat(']'); d.eat(',') {
		dst = append(dst, d.price())
	}
	if d.err != nil {
		panic("catalog: the row " + r.ID() + " has prices that cannot be read; open it with Open: " + d.err.Error())
	}
	return dst
}

// RegionalOnly reports whether the row is dialled in a region that the caller names,
// and not otherwise.
func (r Ref) RegionalOnly() bool { return r.member(`,"regional_only":true`) != "" }

// StatesDataControls reports whether the row says anything of its own about what
// becomes of data.
func (r Ref) StatesDataControls() bool { return within(r.head(), `,"data_controls":{`) != "" }

// Tier is the tier that the row is presented under; "" if it names none.
func (r Ref) Tier() string {
	return part(within(r.head(), `,"presentation":{`), (*decoder).rowPresentation).Tier
}

// ProviderNumber is the place of the row's provider in the order of ids, from 0.
func (r Ref) ProviderNumber() int { return r.c.ix.u32(r.c.ix.rowAt + r.n*rowSize + 8) }

// ProviderNumber is the place of a provider in the order of ids, from 0; false if
// the catalog has none of that id.
func (c *Catalog) ProviderNumber(id string) (int, bool) { return c.ix.findProvider(id) }

// ProviderIDAt is the id of the provider at a place in the order of ids, which must be
// one.
func (c *Catalog) ProviderIDAt(n int) string { return c.ix.providerID(n) }

// RefAt is the row at a place in the order of ids, which must be one.
func (c *Catalog) RefAt(n int) Ref { return Ref{c, n} }

// Ends are the moments, in seconds of Unix time, at which the row ends and at
// which an end is announced for; the largest number if none is known.
func (r Ref) Ends() (endsOn, announced int64) {
	at := r.c.ix.rowAt + r.n*rowSize
	return r.c.ix.i64(at + 28), r.c.ix.i64(at + 36)
}
