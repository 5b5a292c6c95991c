package catalog

import (
	"maps"
	"slices"
	"strconv"

	"github.com/opcat/opcat/internal/canon"
)

// An encoder appends canonical JSON.
type encoder struct{ b []byte }

func (e *encoder) open()  { e.b = append(e.b, '{') }
func (e *encoder) close() { e.b = append(e.b, '}') }

// key starts a member. No value ends with an opening brace, so that the byte
// before tells whether a comma is due.
func (e *encoder) key(name string) {
	if e.b[len(e.b)-1] != '{' {
		e.b = append(e.b, ',')
	}
	e.text(name)
	e.b = append(e.b, ':')
}

func (e *encoder) text(s string) { e.b = canon.AppendString(e.b, s) }
func (e *encoder) bool(v bool)   { e.b = strconv.AppendBool(e.b, v) }
func (e *encoder) any(v JSON)    { e.b = append(e.b, v...) }

func (e *encoder) count(n int64) {
	var buf [20]byte
	e.b = canon.AppendCount(e.b, string(strconv.AppendInt(buf[:0], n, 10)))
}

func (e *encoder) value(v Value) {
	if _, ok := v.Bool(); ok {
		e.b = append(e.b, v.text...)
		return
	}
	e.text(v.text)
}

func encodeList[T any](e *encoder, items []T, each func(*encoder, *T)) {
	e.b = append(e.b, '[')
	for i := range items {
		if i > 0 {
			e.b = append(e.b, ',')
		}
		each(e, &items[i])
	}
	e.b = append(e.b, ']')
}

func encodeMap[T any](e *encoder, m map[string]T, each func(*encoder, *T)) {
	e.open()
	for _, name := range slices.Sorted(maps.Keys(m)) {
		e.key(name)
		v := m[name]
		each(e, &v)
	}
	e.close()
}

// encodeByOperation writes members named for operations, in the registry's order.
func encodeByOperation[T any](e *encoder, m map[string]T, each func(*encoder, *T)) {
	for _, name := range operationNames {
		if v, ok := m[name]; ok {
			e.key(name)
			each(e, &v)
		}
	}
}

func (e *encoder) contracts(cs []Contract) {
	e.key("operations")
	e.open()
	for i := range cs {
		e.key(cs[i].Operation)
		e.contract(&cs[i])
	}
	e.close()
}

// MarshalJSON gives the row's canonical JSON, as it stands in the catalog.
func (r Row) MarshalJSON() ([]byte, error) {
	var e encoder
	e.row(&r)
	return e.b, nil
}

// MarshalJSON gives the provider's canonical JSON, as it stands in the catalog.
func (p Provider) MarshalJSON() ([]byte, error) {
	var e encoder
	e.provider(&p)
	return e.b, nil
}

// MarshalJSON gives the contract's canonical JSON, as it stands in the catalog.
func (c Contract) MarshalJSON() ([]byte, error) {
	var e encoder
	e.contract(&c)
	return e.b, nil
}
