package read

import (
	"cmp"
	"slices"
	"strings"

	"github.com/opcat/opcat/catalog"
	"github.com/opcat/opcat/upstream/amount"
	"github.com/opcat/opcat/upstream/doc"
	"github.com/opcat/opcat/upstream/fact"
)

// Guard is the price of a million tokens, in US dollars, above which an upstream is
// not believed: it is nearly always an amount in the field of another unit.
const Guard catalog.Decimal = "1000"

// Price reads an amount of a meter. The unit of the upstream is one of ten to the
// power of per: 0 for one, 3 for a thousand, 6 for a million. What cannot be read
// stays with the model as unread.
func (p Part) Price(m *fact.Model, key string, v *doc.Value, meter string, per int) (catalog.Price, bool) {
	return p.PriceIn("", m, key, v, meter, per)
}

// PriceIn is Price in another unit of money than US dollars.
func (p Part) PriceIn(currency string, m *fact.Model, key string, v *doc.Value, meter string, per int) (catalog.Price, bool) {
	unread := func(why string) (catalog.Price, bool) {
		m.Unread = append(m.Unread, fact.Unread{Field: p.path(key), Value: v.Brief(), Why: why})
		return catalog.Price{}, false
	}
	switch v.Kind {
	case doc.Null:
		return catalog.Price{}, false
	case doc.Number, doc.Text:
	default:
		return unread("is " + v.Kind.String() + ", not an amount")
	}
	def, ok := catalog.LookupMeter(meter)
	if !ok {
		return unread("there is no meter " + meter)
	}
	places := -per
	if def.Million {
		places += 6
	}
	d, err := amount.Shifted(v.Text, places)
	if err != nil {
		return unread(err.Error())
	}
	price := catalog.Price{Meter: meter}
	switch {
	case !def.Million && currency != "":
		price.Currency, price.PerUnit = currency, d
		return price, true
	case !def.Million:
		price.USDPerUnit = d
		return price, true
	}
	if currency != "" {
		price.Currency, price.PerMillion = currency, d
		return price, true
	}
	if strings.HasSuffix(meter, "_token") && d.Compare(Guard) > 0 {
		return unread("would be " + string(d) + " USD for a million tokens; above " + string(Guard) + " the unit is taken to be wrong")
	}
	price.USDPerMillion = d
	return price, true
}

// settle puts a model's prices in one order and takes out what is priced twice: equal
// entries are one, and of two that differ nobody knows which is meant.
func settle(m *fact.Model) {
	list := m.Row.Price
	order := func(a, b *catalog.Price) int {
		if c := Conditions(a, b); c != 0 {
			return c
		}
		return strings.Compare(Said(a), Said(b))
	}
	for i := 1; i < len(list); i++ { // mostly they are in order
		if order(&list[i-1], &list[i]) > 0 {
			slices.SortFunc(list, func(a, b catalog.Price) int { return order(&a, &b) })
			break
		}
	}
	kept := list[:0]
	for i := 0; i < len(list); {
		j, differ := i+1, false
		for ; j < len(list) && Conditions(&list[i], &list[j]) == 0; j++ {
			differ = differ || Said(&list[j]) != Said(&list[i])
		}
		if !differ {
			kept = append(kept, list[i])
		} else {
			for k := i; k < j; k++ {
				m.Unread = append(m.Unread, fact.Unread{Field: "price." + list[k].Meter, Value: Said(&list[k]), Why: "the same is stated twice, with different amounts"})
			}
		}
		i = j
	}
	m.Row.Price = kept
	if len(kept) == 0 {
		m.Row.Price = nil
	}
	sortUnread(m)
}

func sortUnread(m *fact.Model) {
	slices.SortFunc(m.Unread, func(a, b fact.Unread) int {
		return cmp.Or(strings.Compare(a.Field, b.Field), strings.Compare(a.Value, b.Value), strings.Compare(a.Why, b.Why))
	})
}

// Conditions orders prices by meter and conditions; 0 if they hold for the same calls.
func Conditions(a, b *catalog.Price) int {
	if a.Meter != b.Meter {
		return cmp.Compare(meterOrder[a.Meter], meterOrder[b.Meter])
	}
	if a.Window == nil && b.Window == nil && a.ServiceTier == b.ServiceTier && a.Operation == b.Operation && a.CacheLifetime == b.CacheLifetime && a.Region == b.Region &&
		a.Variant == b.Variant && a.Tool == b.Tool && a.ValidFrom == b.ValidFrom && a.ValidUntil == b.ValidUntil {
		return cmp.Compare(a.AboveInputTokens.Or(0), b.AboveInputTokens.Or(0))
	}
	return cmp.Or(
		strings.Compare(a.ServiceTier, b.ServiceTier),
		strings.Compare(a.Operation, b.Operation),
		strings.Compare(a.CacheLifetime, b.CacheLifetime),
		strings.Compare(a.Region, b.Region),
		strings.Compare(a.Variant, b.Variant),
		strings.Compare(a.Tool, b.Tool),
		cmp.Compare(a.AboveInputTokens.Or(0), b.AboveInputTokens.Or(0)),
		strings.Compare(string(a.ValidFrom), string(b.ValidFrom)),
		strings.Compare(string(a.ValidUntil), string(b.ValidUntil)),
		strings.Compare(window(a), window(b)))
}

// MeterPlace is where a meter stands among all; -1 for none.
func MeterPlace(name string) int {
	if at, ok := meterOrder[name]; ok {
		return at
	}
	return -1
}

var meterOrder = func() map[string]int {
	order := map[string]int{}
	for i, name := range catalog.Meters() {
		order[name] = i
	}
	return order
}()

func window(p *catalog.Price) string {
	if p.Window == nil {
		return ""
	}
	return strings.Join(p.Window.Days, ",") + " " + p.Window.Start + " " + p.Window.End + " " + p.Window.UTCOffset
}

// Said is the amount of a price as people write it.
func Said(p *catalog.Price) string {
	switch {
	case p.Dynamic.Or(false):
		return "dynamic"
	case p.USDPerMillion.IsKnown():
		return string(p.USDPerMillion) + " per million"
	case p.USDPerUnit.IsKnown():
		return string(p.USDPerUnit) + " each"
	case p.PerMillion.IsKnown():
		return string(p.PerMillion) + " " + p.Currency + " per million"
	}
	return string(p.PerUnit) + " " + p.Currency + " each"
}
