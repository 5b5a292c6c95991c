package catalog_test

import (
	"bytes"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/opcat/opcat/catalog"
	"github.com/opcat/opcat/compile/build"
	"github.com/opcat/opcat/internal/testcat"
)

// full is a catalog in which every key of every shape is used.
func full(t *testing.T, seed uint64) *catalog.Catalog {
	t.Helper()
	c, err := build.Catalog(testcat.New(seed, 1).Draft(3))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// Each field of the typed form comes from the text and goes back into it: a field
// that is cleared is missing in what is written, and the digest is another.
func TestEveryFieldIsWrittenAndDigested(t *testing.T) {
	missed := map[string]bool{} // fields that no catalog had a value for
	reached := map[string]bool{}
	for seed := range uint64(40) {
		c := full(t, seed)
		for r := range c.Refs() {
			row := r.Row()
			clearEach(reflect.ValueOf(&row).Elem(), "Row", reached, missed, func(field string) {
				text, err := row.MarshalJSON()
				if err != nil {
					t.Fatal(err)
				}
				if string(text) == r.JSON() {
					t.Errorf("%s is not written", field)
				}
				if other, err := catalog.Open([]byte(strings.Replace(c.JSON(), r.JSON(), string(text), 1))); err == nil && other.Digest() == c.Digest() {
					t.Errorf("%s is not in the digest", field)
				}
			})
		}
		for p := range c.Providers() {
			before := c.ProviderJSON(p.ID)
			id := p.ID
			clearEach(reflect.ValueOf(&p).Elem(), "Provider", reached, missed, func(field string) {
				if field == "Provider.ID" {
					return // the key that the provider stands under
				}
				text, err := p.MarshalJSON()
				if err != nil {
					t.Fatal(err)
				}
				if string(text) == before {
					t.Errorf("%s of %s is not written", field, id)
				}
			})
		}
	}
	for field := range missed {
		if !reached[field] {
			t.Errorf("no catalog has a value for %s", field)
		}
	}
}

// meant is what some fields read as where the text leaves them out.
var meant = map[string]string{"Implementation": "native", "Kind": "api", "ServiceTier": "standard"}

// clearEach sets each field within v to its zero value in turn, calls changed, and
// puts it back. Fields without a value are noted.
func clearEach(v reflect.Value, path string, reached, missed map[string]bool, changed func(field string)) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			clearEach(v.Elem(), path, reached, missed, changed)
		}
		return
	case reflect.Slice:
		for i := range v.Len() {
			clearEach(v.Index(i), path, reached, missed, changed)
		}
		return
	case reflect.Struct:
	default:
		return
	}
	for i := range v.NumField() {
		f, name := v.Field(i), path+"."+v.Type().Field(i).Name
		if !v.Type().Field(i).IsExported() {
			return // an Opt or a Value: cleared as a whole
		}
		if f.IsZero() {
			missed[name] = true
			continue
		}
		clearEach(f, name, reached, missed, changed)
		if reached[name] || f.Kind() == reflect.String && meant[v.Type().Field(i).Name] == f.String() {
			continue
		}
		reached[name] = true
		if name == "Row.Contracts.Operation" || f.Kind() == reflect.Pointer && strings.HasPrefix(name, "Row.Contracts.") && f.Elem().NumField() == 0 {
			continue // the key that the contract stands under; an operation without a part of its own
		}
		old := reflect.New(f.Type()).Elem()
		old.Set(f)
		f.SetZero()
		changed(name)
		f.Set(old)
	}
}

// The members of the document are in the digest too, the date and the schema
// among them.
func TestEveryMemberIsDigested(t *testing.T) {
	c := full(t, 1)
	lines := strings.Split(c.JSON(), "\n")
	digests := []string{c.Digest()}
	for i, line := range lines {
		if i < 2 || !strings.Contains(line, `":`) || strings.HasPrefix(line, `{"id"`) {
			continue
		}
		without := slices.Delete(slices.Clone(lines), i, i+1)
		if j := i - 1; j < len(without)-1 && (without[i][0] == '}' || without[i][0] == ']') {
			without[j] = strings.TrimSuffix(without[j], ",")
		}
		other, err := catalog.Open([]byte(strings.Join(without, "\n")))
		if err != nil {
			continue // a member that must be there, or the first line of one
		}
		if slices.Contains(digests, other.Digest()) {
			t.Errorf("the digest does not change without %.60s", line)
		}
		digests = append(digests, other.Digest())
	}
	later, err := catalog.Open(bytes.Replace([]byte(c.JSON()), []byte(`"as_of":"2026-11-30"`), []byte(`"as_of":"2026-12-01"`), 1))
	if err != nil || later.Digest() == c.Digest() {
		t.Errorf("the date is not in the digest (%v)", err)
	}
	if len(digests) < 20 {
		t.Errorf("only %d members were tried", len(digests))
	}
}

func TestSectionsAreTyped(t *testing.T) {
	found := map[string]bool{}
	for seed := range uint64(8) {
		c := full(t, seed)
		for name, v := range map[string]any{
			"aliases": c.Aliases(), "defaults": c.Defaults(), "ladders": c.Ladders(), "generation_defaults": c.GenerationDefaults(),
			"roles": c.Roles(), "suggest": c.Suggest(), "data_controls_policy": c.DataControlsPolicy(), "presentation": c.Presentation(), "removed": c.Removed(),
		} {
			if !reflect.ValueOf(v).IsZero() && c.SectionJSON(name) != "" {
				found[name] = true
			}
		}
		for name, a := range c.Aliases() {
			for operation, want := range a.ByOperation {
				if got, ok := c.Alias(name, operation); !ok || got != want {
					t.Errorf("alias %q for %s is %v", name, operation, got)
				}
			}
		}
	}
	if len(found) != 9 {
		t.Errorf("typed members: %v", fmt.Sprint(found))
	}
}
