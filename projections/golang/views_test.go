package golang

import (
	"fmt"
	"reflect"
	"slices"
	"testing"

	"github.com/opcat/opcat/catalog"
	"github.com/opcat/opcat/catalog/flat"
	"github.com/opcat/opcat/operations"
)

// Every accessor of package flat answers what the field of that name in package
// catalog holds, for every fact of every catalog.
func TestAccessorsGiveTheFacts(t *testing.T) {
	asked := map[string]bool{}
	for name, c := range catalogs(t) {
		t.Run(name, func(t *testing.T) {
			f := opened(t, c)
			m := matcher{t: t, asked: asked}
			n := 0
			for row := range f.Rows() {
				m.same(row.ID(), reflect.ValueOf(c.RefAt(n).Row()), reflect.ValueOf(row))
				n++
			}
			if n != c.Len() || f.Len() != n {
				t.Errorf("%d rows of %d", n, c.Len())
			}
			ids := c.ProviderIDs()
			for id, p := range f.Providers() {
				want, _ := c.Provider(id)
				m.same(id, reflect.ValueOf(want), reflect.ValueOf(p))
				if len(ids) == 0 || ids[0] != id {
					t.Fatalf("the provider %q stands where %q should", id, ids)
				}
				ids = ids[1:]
			}
			if len(ids) > 0 {
				t.Errorf("no providers %q", ids)
			}
			m.same("aliases", reflect.ValueOf(c.Aliases()), reflect.ValueOf(f.Aliases()))
			m.same("defaults", reflect.ValueOf(c.Defaults()), reflect.ValueOf(f.Defaults()))
			m.same("ladders", reflect.ValueOf(c.Ladders()), reflect.ValueOf(f.Ladders()))
			m.same("generation_defaults", reflect.ValueOf(c.GenerationDefaults()), reflect.ValueOf(f.GenerationDefaults()))
			m.same("roles", reflect.ValueOf(c.Roles()), reflect.ValueOf(f.Roles()))
			m.same("suggest", reflect.ValueOf(c.Suggest()), reflect.ValueOf(f.Suggest()))
			m.same("data_controls_policy", reflect.ValueOf(c.DataControlsPolicy()), reflect.ValueOf(f.DataControlsPolicy()))
			m.same("presentation", reflect.ValueOf(c.Presentation()), reflect.ValueOf(f.Presentation()))
			m.same("removed", reflect.ValueOf(c.Removed()), reflect.ValueOf(f.Removed()))
			if f.Digest() != c.Digest() || f.AsOf() != flat.Date(catalog.DateOf(c.AsOf())) || f.Schema() != "opcat.catalog@1" {
				t.Errorf("digest %s, as of %s, schema %s", f.Digest(), f.AsOf(), f.Schema())
			}
			m.same("holds", reflect.ValueOf(c.Holds()), reflect.ValueOf(f.Holds()))
		})
	}
	for _, v := range []any{flat.Row{}, flat.Provider{}, flat.TextGeneration{}, flat.Embedding{}, flat.DecisionEvaluation{}, flat.Reranking{}, flat.Moderation{}, flat.Setting{}} {
		for i := range reflect.TypeOf(v).NumMethod() {
			name := reflect.TypeOf(v).Method(i).Name
			if method := reflect.TypeOf(v).String() + "." + name; !asked[method] && !slices.Contains(ofEvery, name) {
				t.Errorf("nothing asked %s", method)
			}
		}
	}
}

// ofEvery are the methods of a view that are no fact of the catalog.
var ofEvery = []string{"IsKnown", "JSON", "String", "GoString"}

// A matcher compares a value of package catalog with its view.
type matcher struct {
	t     *testing.T
	asked map[string]bool // methods
}

func (m *matcher) differ(path string, want, got any) {
	m.t.Helper()
	m.t.Errorf("%s: the view says %.300v, and the catalog %.300v", path, got, want)
}

// call calls a method of a view.
func (m *matcher) call(v reflect.Value, name string) []reflect.Value {
	m.asked[v.Type().String()+"."+name] = true
	method := v.MethodByName(name)
	if !method.IsValid() {
		m.t.Fatalf("%s has no method %s", v.Type(), name)
	}
	return method.Call(nil)
}

func (m *matcher) known(v reflect.Value) bool { return m.call(v, "IsKnown")[0].Bool() }

// same compares a struct, a pointer, a slice, a map or a text.
func (m *matcher) same(path string, want, got reflect.Value) {
	switch want.Kind() {
	case reflect.Pointer:
		if want.IsNil() == m.known(got) {
			m.differ(path, !want.IsNil(), m.known(got))
		} else if !want.IsNil() {
			m.same(path, want.Elem(), got)
		}
		return
	case reflect.Slice:
		m.list(path, want, got)
		return
	case reflect.Map:
		m.members(path, want, got)
		return
	case reflect.String, reflect.Bool, reflect.Int64:
		if fmt.Sprint(want.Interface()) != fmt.Sprint(got.Interface()) {
			m.differ(path, want, got)
		}
		return
	}
	switch w := want.Interface().(type) {
	case catalog.Value:
		v := got.Interface().(flat.Value)
		wantBool, wantIs := w.Bool()
		gotBool, gotIs := v.Bool()
		if w.String() != v.String() || w.IsZero() == v.IsKnown() || wantBool != gotBool && wantIs || wantIs != gotIs {
			m.differ(path, w, v)
		}
	case catalog.Settings:
		m.settings(path, w, got.Interface().(flat.Settings))
	case catalog.Contract:
		m.contract(path, w, got)
	default:
		m.fields(path, want, got)
	}
}

// fields compares each field with the method of its name.
func (m *matcher) fields(path string, want, got reflect.Value) {
	for i := range want.NumField() {
		name, field := want.Type().Field(i).Name, want.Field(i)
		at := path + "." + name
		switch x := field.Interface().(type) {
		case catalog.Opt[int64]:
			v := m.call(got, name)
			if n, known := x.Get(); n != v[0].Int() || known != v[1].Bool() {
				m.differ(at, x, v)
			}
		case catalog.Opt[bool]:
			v := m.call(got, name)
			if is, known := x.Get(); is != v[0].Bool() || known != v[1].Bool() {
				m.differ(at, x, v)
			}
		default:
			switch {
			case name == "ID" && want.Type() == reflect.TypeFor[catalog.Provider](): // which it stands under
			case name == "ByOperation":
				for op, camel := range camels {
					v := m.call(got, camel)[0]
					if w := field.MapIndex(reflect.ValueOf(op)); w.IsValid() != m.known(v) {
						m.differ(at+"."+op, w.IsValid(), m.known(v))
					} else if w.IsValid() {
						m.same(at+"."+op, w, v)
					}
				}
			case name == "Contracts":
				contracts := m.call(got, "Contracts")[0]
				for op, camel := range camels {
					v := m.call(contracts, camel)[0]
					i := slices.IndexFunc(x.([]catalog.Contract), func(c catalog.Contract) bool { return c.Operation == op })
					if (i >= 0) != m.known(v) {
						m.differ(at+"."+op, i >= 0, m.known(v))
					} else if i >= 0 {
						m.same(at+"."+op, field.Index(i), v)
					}
				}
			default:
				m.same(at, field, m.call(got, name)[0])
			}
		}
	}
}

var camels = func() map[string]string {
	all := map[string]string{}
	for _, name := range operations.Names() {
		all[name] = pascal(name)
	}
	return all
}()

// contract compares what all operations share, and the part of its own.
func (m *matcher) contract(path string, want catalog.Contract, got reflect.Value) {
	v := reflect.ValueOf(want)
	for i := range v.NumField() {
		name, field := v.Type().Field(i).Name, v.Field(i)
		switch {
		case name == "Operation":
		case name == camels[want.Operation]:
			m.fields(path, field.Elem(), got)
		case slices.Contains(slices.Collect(func(yield func(string) bool) {
			for _, c := range camels {
				if !yield(c) {
					return
				}
			}
		}), name): // another operation's
		case name == "Protocol":
			m.protocols(path, want.Protocol, m.call(got, name)[0].Interface().(flat.List[flat.Protocol]))
		case !got.MethodByName(name).IsValid():
			if !field.IsZero() { // an operation may lack some keys
				m.differ(path+"."+name, field, "nothing")
			}
		default:
			m.same(path+"."+name, field, m.call(got, name)[0])
		}
	}
}

func (m *matcher) protocols(path string, want []catalog.Protocol, got flat.List[flat.Protocol]) {
	if got.Len() != len(want) {
		m.differ(path+".Protocol", len(want), got.Len())
		return
	}
	for i, w := range want {
		if w.Name != got.At(i).Name() || (w.When != nil) != got.At(i).When().IsKnown() {
			m.differ(path+".Protocol", w, got.At(i).Name())
		}
		m.condition(path+".Protocol", w.When, got.At(i).When())
	}
}

func (m *matcher) condition(path string, want catalog.Condition, got flat.Condition) {
	n := 0
	for name, values := range got.All() {
		if n >= len(want) || want[n].Name != name {
			m.differ(path+".When", want, name)
			return
		}
		m.list(path+".When."+name, reflect.ValueOf(want[n].Values), reflect.ValueOf(values))
		n++
	}
	if n != len(want) {
		m.differ(path+".When", len(want), n)
	}
}

func (m *matcher) settings(path string, want catalog.Settings, got flat.Settings) {
	m.asked["flat.Setting.Name"], m.asked["flat.Setting.Word"], m.asked["flat.Setting.Rules"] = true, true, true
	m.list(path+".Exclusive", reflect.ValueOf(want.Exclusive), reflect.ValueOf(got.Exclusive()))
	if got.Named().Len() != len(want.Named) {
		m.differ(path+".Named", len(want.Named), got.Named().Len())
		return
	}
	for i, w := range want.Named {
		at := path + "." + w.Name
		g, ok := got.Setting(w.Name)
		if !ok || got.Named().At(i) != g || g.Word() != w.Word || g.Rules().Len() != len(w.Rules) {
			m.differ(at, w, g.Word())
			continue
		}
		for j, rule := range w.Rules {
			r := g.Rules().At(j)
			m.list(at+".Values", reflect.ValueOf(rule.Values), reflect.ValueOf(r.Values()))
			m.same(at+".Min", reflect.ValueOf(rule.Min), reflect.ValueOf(r.Min()))
			m.same(at+".Max", reflect.ValueOf(rule.Max), reflect.ValueOf(r.Max()))
			m.same(at+".Default", reflect.ValueOf(rule.Default), reflect.ValueOf(r.Default()))
			is, known := rule.Required.Get()
			if gotIs, gotKnown := r.Required(); is != gotIs || known != gotKnown {
				m.differ(at+".Required", rule.Required, gotIs)
			}
			m.condition(at, rule.When, r.When())
		}
	}
}

func (m *matcher) list(path string, want, got reflect.Value) {
	n := int(m.call(got, "Len")[0].Int())
	if n != want.Len() || want.IsNil() == m.known(got) {
		m.differ(path, want.Len(), n)
		return
	}
	for i := range n {
		m.same(fmt.Sprintf("%s[%d]", path, i), want.Index(i), got.MethodByName("At").Call([]reflect.Value{reflect.ValueOf(i)})[0])
	}
}

func (m *matcher) members(path string, want, got reflect.Value) {
	if n := int(m.call(got, "Len")[0].Int()); n != want.Len() || want.IsNil() == m.known(got) {
		m.differ(path, want.Len(), n)
	}
	for _, name := range want.MapKeys() {
		v := got.MethodByName("Get").Call([]reflect.Value{name})
		if !v[1].Bool() {
			m.differ(path+"."+name.String(), "a value", "nothing")
			continue
		}
		m.same(path+"."+name.String(), want.MapIndex(name), v[0])
	}
}
