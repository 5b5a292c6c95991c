package read

import (
	"reflect"
	"slices"

	"github.com/opcat/opcat/catalog"
	"github.com/opcat/opcat/upstream/fact"
)

// agree takes out of a model what another entry for it says differently or not at
// all, and names that.
func agree(m, other *fact.Model) (lost []string) {
	if !reflect.DeepEqual(m.Row.Price, other.Row.Price) {
		lost = append(lost, agreePrices(m, other)...)
	}
	m.Unread = append(slices.Clone(m.Unread), other.Unread...)
	price := m.Row.Price
	m.Row.Price, other.Row.Price = nil, nil
	lost = append(lost, common(reflect.ValueOf(&m.Row).Elem(), reflect.ValueOf(&other.Row).Elem(), "")...)
	lost = append(lost, common(reflect.ValueOf(&m.Says).Elem(), reflect.ValueOf(&other.Says).Elem(), "says ")...)
	m.Row.Price = price
	return lost
}

// agreePrices keeps the meters that both price alike: of a meter's entries one alone
// could stand for calls that the other was for.
func agreePrices(m, other *fact.Model) (lost []string) {
	meters := func(list []catalog.Price, name string) (out []catalog.Price) {
		for _, p := range list {
			if p.Meter == name {
				out = append(out, p)
			}
		}
		return out
	}
	var kept []catalog.Price
	for _, name := range catalog.Meters() {
		a, b := meters(m.Row.Price, name), meters(other.Row.Price, name)
		switch {
		case reflect.DeepEqual(a, b):
			kept = append(kept, a...)
		default:
			lost = append(lost, "the price of "+name)
		}
	}
	m.Row.Price = kept
	return lost
}

// common keeps the members of a struct that are the same in both.
func common(a, b reflect.Value, prefix string) (lost []string) {
	for i := range a.NumField() {
		f, g := a.Field(i), b.Field(i)
		if reflect.DeepEqual(f.Interface(), g.Interface()) {
			continue
		}
		name := prefix + a.Type().Field(i).Name
		if f.Kind() == reflect.Pointer && !f.IsNil() && !g.IsNil() && f.Elem().Kind() == reflect.Struct {
			copied := reflect.New(f.Elem().Type())
			copied.Elem().Set(f.Elem())
			lost = append(lost, common(copied.Elem(), g.Elem(), name+".")...)
			f.Set(copied)
			if copied.Elem().IsZero() {
				f.SetZero()
			}
			continue
		}
		lost = append(lost, name)
		f.SetZero()
	}
	return lost
}
