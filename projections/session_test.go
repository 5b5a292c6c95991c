package projections

import (
	"bytes"
	"fmt"
	"maps"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/opcat/opcat/catalog"
	"github.com/opcat/opcat/compile/build"
	"github.com/opcat/opcat/internal/testcat"
)

// What a Session gives after any edits is what Emit gives of the catalog alone, file by
// file and to the byte.
func TestSessionIsEmit(t *testing.T) {
	steps := 30
	if testing.Short() {
		steps = 8
	}
	for seed := range uint64(3) {
		d := newDesk(t, seed)
		var s Session
		for step := range steps {
			did, c := d.edit()
			got, err := s.Emit(c, nil)
			if err != nil {
				t.Fatal(err)
			}
			want, err := Emit(c, nil)
			if err != nil {
				t.Fatal(err)
			}
			if where := different(got, want); where != "" {
				t.Fatalf("seed %d, step %d: %s: %s", seed, step, did, where)
			}
		}
	}
}

// different names the first file that is not the same in two emissions.
func different(got, want []Made) string {
	for i, w := range want {
		if got[i].Name != w.Name || len(got[i].Files) != len(w.Files) {
			return fmt.Sprintf("%s has %d files, and %s %d", got[i].Name, len(got[i].Files), w.Name, len(w.Files))
		}
		for j, f := range w.Files {
			g := got[i].Files[j]
			if g.Path != f.Path || !bytes.Equal(g.Bytes(), f.Bytes()) {
				return fmt.Sprintf("%s/%s is not %s/%s of a cold emission", w.Name, g.Path, w.Name, f.Path)
			}
		}
	}
	return ""
}

// A desk is a catalog whose lines somebody edits. Generated catalogs have the same ids and say
// other things of each, so any line may stand in the place of another of its id.
type desk struct {
	t               *testing.T
	rand            *rand.Rand
	providers, rows map[string][]string // what may be said of each id
	ends            []string            // what may follow the rows

	asOf, end string
	has       map[string]string // the lines, by id
}

var (
	idOf   = regexp.MustCompile(`^\{"id":"((?:[^"\\]|\\.)*)","provider":"((?:[^"\\]|\\.)*)","wire_model":"((?:[^"\\]|\\.)*)"`)
	amount = regexp.MustCompile(`"usd_per_million":"[1-9]`)
)

func newDesk(t *testing.T, seed uint64) *desk {
	d := &desk{t: t, rand: rand.New(rand.NewPCG(seed, 0)), providers: map[string][]string{}, rows: map[string][]string{}, asOf: "2026-11-30", has: map[string]string{}}
	for i := range uint64(4) {
		c, err := build.Catalog(testcat.New(4*seed+i, 0.5).Draft(24))
		if err != nil {
			t.Fatal(err)
		}
		for _, id := range c.ProviderIDs() {
			d.providers[id] = append(d.providers[id], c.ProviderJSON(id))
		}
		for r := range c.Refs() {
			d.rows[r.ID()] = append(d.rows[r.ID()], r.JSON())
		}
		_, end, _ := strings.Cut(c.JSON(), "\n\"models\":[")
		_, end, _ = strings.Cut(end, "\n]")
		d.ends = append(d.ends, end)
	}
	for id, lines := range d.providers {
		d.has[id] = lines[0]
	}
	for id, lines := range d.rows {
		d.has[id] = lines[0]
	}
	d.end = d.ends[0]
	return d
}

// edit makes one edit or a few, and gives the catalog after them.
func (d *desk) edit() (string, *catalog.Catalog) {
	var did []string
	for range 1 + d.rand.IntN(3) {
		did = append(did, d.one())
	}
	c, err := catalog.Open([]byte(d.text()))
	if err != nil {
		d.t.Fatalf("%s: %v", did, err)
	}
	return strings.Join(did, ", "), c
}

func (d *desk) one() string {
	row := pick(d.rand, slices.Sorted(maps.Keys(d.rows)))
	switch d.rand.IntN(8) {
	case 0:
		d.has[row] = pick(d.rand, d.rows[row])
		return "say something else of " + row
	case 1:
		delete(d.has, row)
		return "remove " + row
	case 2:
		if line, ok := d.has[row]; ok {
			m := idOf.FindStringSubmatch(line)
			delete(d.has, row)
			d.has[row+"~"] = strings.Replace(line, m[0], `{"id":"`+m[1]+`~","provider":"`+m[2]+`","wire_model":"`+m[3]+`~"`, 1)
		}
		return "rename " + row
	case 3, 4:
		if line, ok := d.has[row]; ok { // often by as many letters as there were
			d.has[row] = amount.ReplaceAllStringFunc(line, func(s string) string { return s[:len(s)-1] + fmt.Sprint(1+d.rand.IntN(9)) })
		}
		return "change the prices of " + row
	case 5:
		provider := pick(d.rand, slices.Sorted(maps.Keys(d.providers)))
		d.has[provider] = pick(d.rand, d.providers[provider])
		return "say something else of " + provider
	case 6:
		provider := pick(d.rand, slices.Sorted(maps.Keys(d.providers)))
		if _, ok := d.has[provider]; ok {
			delete(d.has, provider)
			return "remove " + provider
		}
		d.has[provider] = d.providers[provider][0]
		return "bring back " + provider
	}
	d.end = pick(d.rand, d.ends)
	if d.rand.IntN(4) == 0 {
		d.asOf = pick(d.rand, []string{"2026-11-30", "2026-12-25", "2027-06-01"})
	}
	return "change what is of no provider, for " + d.asOf
}

func pick[T any](r *rand.Rand, from []T) T { return from[r.IntN(len(from))] }

// text is the catalog's text. A row whose provider is gone is gone with it.
func (d *desk) text() string {
	var providers, rows []string
	for _, id := range slices.Sorted(maps.Keys(d.has)) {
		provider, _, isRow := strings.Cut(id, "/")
		switch _, served := d.has[provider]; {
		case !isRow:
			providers = append(providers, fmt.Sprintf("%q:%s", id, d.has[id]))
		case served:
			rows = append(rows, d.has[id])
		}
	}
	return `{"schema":"opcat.catalog@1","as_of":"` + d.asOf + `","holds":{"from":"2026-01-01","until":"2028-01-01"},"providers":{` +
		strings.Join(providers, ",") + `},"models":[` + strings.Join(rows, ",") + "]" + d.end
}
