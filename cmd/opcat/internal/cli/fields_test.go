package cli

import (
	"strings"
	"testing"

	"github.com/opcat/opcat/cmd/opcat/internal/schema"
)

func TestFieldsKeepTheEnvelope(t *testing.T) {
	s := newShop(thing{ID: "a", Kind: "cup", Note: "n"}, thing{ID: "b", Kind: "pot"})
	for _, tc := range []struct{ fields, data string }{
		{"items.id", `{"items":[{"id":"a"},{"id":"b"}]}`},
		{"items.note,items.id", `{"items":[{"id":"a","note":"n"},{"id":"b"}]}`}, // the data's order, absent stays absent
		{"items", `{"items":[{"id":"a","kind":"cup","note":"n"},{"id":"b","kind":"pot"}]}`},
		{"items.id,items", `{"items":[{"id":"a","kind":"cup","note":"n"},{"id":"b","kind":"pot"}]}`},
		{"items,items.id", `{"items":[{"id":"a","kind":"cup","note":"n"},{"id":"b","kind":"pot"}]}`},
	} {
		r := s.run(t, "thing", "list", "--json", "--fields", tc.fields)
		if !strings.Contains(r.out, `"data":`+tc.data+`,"error":null`) || r.env.Meta.Pagination.Returned != 2 {
			t.Errorf("--fields %s: got %s", tc.fields, r.out)
		}
	}
}

// An unknown path is refused from the schema alone: before the command runs, and
// though the list is empty.
func TestUnknownPath(t *testing.T) {
	s := newShop()
	for path, hint := range map[string]string{
		"itms": "'items'", "items.idd": "'items.id'", "items.id.x": "", "items.": "items.kind", "*": "items", "items.*": "items.id", "items.0": "items.id",
	} {
		r := s.fails(t, UnknownPath, "thing", "list", "--fields", path)
		if r.exit != 2 || !strings.Contains(r.env.Error.Message, hint) || r.env.Error.At.Flag != "--fields" {
			t.Errorf("%s: got %s", path, r.out)
		}
	}
	s.fails(t, UnknownPath, "thing", "break", "--fields", "nothing") // it does not even run
}

func TestFieldsFollowTheSchema(t *testing.T) {
	s := schema.Schema{"type": "object", "$defs": schema.Schema{"node": schema.Object(schema.Prop("name", schema.String()),
		schema.Opt("next", schema.Schema{"$ref": "#/$defs/node"}))},
		"properties": map[string]any{
			"head":  schema.Schema{"$ref": "#/$defs/node"},
			"by_id": schema.Map(schema.Object(schema.Prop("n", schema.Int()))),
			"free":  schema.Any(),
			"price": schema.Null(schema.Object(schema.Prop("amount", schema.Decimal()))),
			"grid":  schema.Array(schema.Array(schema.Object(schema.Prop("x", schema.Int())))),
		}}
	for path, ok := range map[string]bool{
		"head.name": true, "head.next.next.name": true, "head.next.nam": false, "by_id.whatever.n": true, "by_id.whatever.m": false,
		"free.a.b.c": true, "price.amount": true, "price.amount.x": false, "price.currency": false, "grid.x": true, "grid.y": false, "head.name.x": false,
	} {
		if err := checkFields(func() schema.Schema { return s }, []string{path}); (err == nil) != ok {
			t.Errorf("%s: %v", path, err)
		}
	}
}

func TestProjectNull(t *testing.T) {
	v, err := parse([]byte(`{"a":[{"b":null},{"b":{"c":1,"d":2}},{}],"e":5}`))
	if err != nil {
		t.Fatal(err)
	}
	if got, _ := marshal(pick([]string{"a.b.c"}).project(v)); string(got) != `{"a":[{"b":null},{"b":{"c":1}},{}]}` {
		t.Errorf("got %s", got)
	}
}
