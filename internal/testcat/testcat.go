// Package testcat makes small and large catalogs for tests: drafts whose trees
// follow the shapes, so that a key that is new in a shape is in the tests too.
//
// A draft of Random is valid in every value and means nothing; one of Large looks
// like a real catalog of that many rows.
package testcat

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"github.com/opcat/opcat/compile/form"
	"github.com/opcat/opcat/compile/layer"
	"github.com/opcat/opcat/compile/resolve"
	"github.com/opcat/opcat/compile/tree"
	"github.com/opcat/opcat/operations"
	"github.com/opcat/opcat/shape"
)

// A Maker makes random trees. Every key of every table is there with probability
// Density; at 1 a draft uses all of them.
type Maker struct {
	Density float64
	rand    *rand.Rand
	arena   tree.Arena
	file    *tree.File
	over    *tree.File // a file of a higher layer, which states a value now and then
	line    int
	rows    []string // ids that row references may name
	turn    int      // counts unions, so that each member has its turn
	count   int
}

// New makes a Maker; the same seed makes the same trees.
func New(seed uint64, density float64) *Maker {
	return &Maker{
		Density: density,
		rand:    rand.New(rand.NewPCG(seed, 1)),
		file:    &tree.File{Path: "catalog_sources/acme/acme.toml", Layer: "bundled"},
		over:    &tree.File{Path: "catalog_sources/house.toml", Layer: "user", Rank: 2},
	}
}

// Draft makes a draft of so many rows.
func (m *Maker) Draft(rows int) *resolve.Draft {
	d := &resolve.Draft{AsOf: "2026-11-30"}
	providers := []string{"acme", "acme-2", "acme.eu", "b", "z9"}
	for i := range rows {
		m.rows = append(m.rows, providers[i%len(providers)]+"/"+wireIDs[i%len(wireIDs)]+strconv.Itoa(i))
	}
	slices.Sort(m.rows)
	for _, id := range providers[:min(rows, len(providers))] {
		p := &resolve.Provider{ID: id, Table: m.table(key(form.Provider()), form.Provider())}
		m.distrust(p.Table.Get("fallback_price"))
		d.Providers = append(d.Providers, p)
	}
	for _, id := range m.rows {
		d.Rows = append(d.Rows, m.row(d, id))
	}
	slices.SortFunc(d.Providers, func(a, b *resolve.Provider) int { return cmp.Compare(a.ID, b.ID) })
	m.root(d)
	return d
}

var wireIDs = []string{"chat-", "a/b:c@d#", "Größe ", `quote"d\`, "~x.", "日本-", "a b "}

func key(t *shape.Table) *shape.Key { return &shape.Key{Type: shape.Rec(t), Index: -1} }

func (m *Maker) row(d *resolve.Draft, id string) *resolve.Row {
	provider, wire, _ := strings.Cut(id, "/")
	t := m.table(key(form.Model()), form.Model())
	t.Set(m.scalar(form.Model().Must("provider"), provider))
	t.Set(m.scalar(form.Model().Must("wire_model"), wire))
	r := &resolve.Row{ID: id, Wire: wire, Table: t}
	if change := t.Get("change_operations"); change != nil {
		r.Changes = append(r.Changes, change)
		t.Drop("change_operations")
	}
	m.distrust(t.Get("price"))
	for _, p := range d.Providers {
		if p.ID == provider {
			r.Provider = p
			p.Rows = append(p.Rows, r)
		}
	}
	for _, o := range operations.All() {
		if !m.has() {
			continue
		}
		contract := form.Operations().Must(o.Name)
		r.Contracts = append(r.Contracts, &resolve.Contract{
			Op: o, Table: m.table(contract, contract.Type.Table), Grant: m.at(m.arena.New(contract, shape.FormTable, "")),
		})
	}
	return r
}

func (m *Maker) root(d *resolve.Draft) {
	catalog := form.Catalog.Table()
	d.Root = m.arena.New(key(catalog), shape.FormTable, "")
	for _, k := range catalog.Keys {
		switch k.Name {
		case "schema", "remove", "revive", "provider", "model":
		case "alias":
			if m.has() {
				d.Root.Append(m.aliases(k))
				m.follow(d)
			}
		default:
			if m.has() {
				d.Root.Append(m.Value(k))
			}
		}
	}
	if m.has() {
		k := catalog.Must("remove").Type.Item()
		d.Removed = append(d.Removed, layer.Removal{Row: "acme/gone", Table: m.table(k, k.Type.Table)})
	}
}

// distrust marks some prices as package layer does.
func (m *Maker) distrust(prices *tree.Node) {
	for e := range prices.Each() {
		if m.has() {
			e.Append(m.at(m.arena.New(layer.Untrusted, shape.FormBool, "true")))
		}
	}
}

// aliases makes two names for rows and one name for a name.
func (m *Maker) aliases(k *shape.Key) *tree.Node {
	t := m.arena.New(k, shape.FormTable, "")
	for _, name := range []string{"small", "größer", "fast"} {
		a := m.arena.New(&shape.Key{Name: name, Type: k.Type.Elem, Index: -1}, shape.FormTable, "")
		for _, o := range operations.Names() {
			target := m.rows[m.rand.IntN(len(m.rows))]
			if name == "fast" {
				target = "small"
			}
			a.Append(m.scalar(form.Alias().Must(o), target))
		}
		t.Append(a)
	}
	return t
}

// follow resolves the aliases as package resolve does.
func (m *Maker) follow(d *resolve.Draft) {
	rows := map[string]*resolve.Row{}
	for _, r := range d.Rows {
		rows[r.ID] = r
	}
	all := d.Root.Get("alias")
	for a := range all.Each() {
		out := &resolve.Alias{Name: a.Key.Name, Table: a}
		for _, o := range operations.All() {
			said := a.Get(o.Name)
			row := rows[said.Str()]
			if row == nil {
				row = rows[all.Path(said.Str(), o.Name).Str()]
			}
			out.Targets = append(out.Targets, resolve.Target{Op: o, Said: said, Row: row})
		}
		d.Aliases = append(d.Aliases, out)
	}
}

func (m *Maker) has() bool { return m.rand.Float64() < m.Density }

// at gives a node the next place of the file.
func (m *Maker) at(n *tree.Node) *tree.Node {
	m.line++
	n.File = m.file
	if m.rand.Float64() < m.Density/50 {
		n.File = m.over
	}
	n.SetPlace(tree.Place{Line: m.line, KeyCol: 1, Col: 9})
	return n
}

func (m *Maker) scalar(k *shape.Key, text string) *tree.Node {
	f := k.Type.Form()
	if f == 0 {
		f = shape.FormString
	}
	return m.at(m.arena.New(k, f, text))
}

// table makes a table in a random order of its keys.
func (m *Maker) table(k *shape.Key, t *shape.Table) *tree.Node {
	n := m.at(m.arena.New(k, shape.FormTable, ""))
	for _, i := range m.rand.Perm(len(t.Keys)) {
		sub := t.Keys[i]
		if sub.Name == "add" || sub.Name == "unset" {
			continue // the resolved form has none
		}
		if sub.Need != shape.Optional || m.has() {
			n.Append(m.Value(sub))
		}
	}
	return n
}

// Value makes a random value that a key may have.
func (m *Maker) Value(k *shape.Key) *tree.Node {
	t := k.Type
	if t.Kind == shape.Union {
		m.turn++
		t = t.Of[m.turn%len(t.Of)]
	}
	return m.value(k, t)
}

func (m *Maker) value(k *shape.Key, t *shape.Type) *tree.Node {
	switch t.Kind {
	case shape.List:
		return m.list(k, t)
	case shape.Record:
		return m.table(k, t.Table)
	case shape.Map:
		n := m.at(m.arena.New(k, shape.FormTable, ""))
		names := map[string]bool{}
		for range m.rand.IntN(4) {
			if name := m.name(t.KeyKind); !names[name] {
				names[name] = true
				n.Append(m.Value(&shape.Key{Name: name, Type: t.Elem, Index: -1}))
			}
		}
		return n
	case shape.Any:
		return m.free(k)
	}
	return m.at(m.arena.New(k, t.Form(), m.text(t)))
}

func (m *Maker) name(kind shape.Kind) string {
	if kind == shape.Text {
		return m.text(shape.Of(shape.Text))
	}
	return m.text(shape.Of(kind))
}

func (m *Maker) list(k *shape.Key, t *shape.Type) *tree.Node {
	n := m.at(m.arena.New(k, shape.FormList, ""))
	size := m.rand.IntN(4)
	if t.NonEmpty {
		size++
	}
	if t.Elem.Kind == shape.Enum && len(t.Elem.Values) == 0 {
		size = 0 // an operation without settings lists none
	}
	seen := map[string]bool{}
	for range size {
		item := m.Value(t.Item())
		if t.Set {
			if seen[item.Str()] {
				continue
			}
			seen[item.Str()] = true
		}
		n.Append(item)
	}
	return n
}

// free makes a value whose shape nobody fixes.
func (m *Maker) free(k *shape.Key) *tree.Node {
	any := &shape.Key{Type: shape.Of(shape.Any), Index: -1}
	switch m.rand.IntN(6) {
	case 0:
		return m.at(m.arena.New(k, shape.FormInteger, []string{"0", "-7", "9007199254740993"}[m.rand.IntN(3)]))
	case 1:
		return m.at(m.arena.New(k, shape.FormFloat, []string{"0.70", "-1.5", "2.0"}[m.rand.IntN(3)]))
	case 2:
		return m.at(m.arena.New(k, shape.FormBool, "true"))
	case 3:
		n := m.at(m.arena.New(k, shape.FormList, ""))
		for range m.rand.IntN(3) {
			n.Append(m.free(any))
		}
		return n
	case 4:
		n := m.at(m.arena.New(k, shape.FormTable, ""))
		for _, name := range []string{"b", "a"}[:m.rand.IntN(3)] {
			n.Append(m.free(&shape.Key{Name: name, Type: any.Type, Index: -1}))
		}
		return n
	}
	return m.at(m.arena.New(k, shape.FormString, m.text(shape.Of(shape.Text))))
}

var texts = []string{"plain", `with "quotes" and \ and /`, "<&>", "größer 日本 \U0001F600", "a\u2028b", "x", " inner  blanks "}

func (m *Maker) text(t *shape.Type) string {
	m.count++
	pick := func(s ...string) string { return s[m.rand.IntN(len(s))] }
	switch t.Kind {
	case shape.Enum:
		return pick(t.Values...)
	case shape.Bool:
		return pick("true", "false")
	case shape.Count:
		most := t.Max
		if most == 0 {
			most = 1 << (1 + m.rand.IntN(62))
		}
		return strconv.FormatInt(t.Min+m.rand.Int64N(most-t.Min+1), 10)
	case shape.Amount:
		return pick("0", "0.042", "100", "3.003625", "12345678901234567.123456789012345678", "0.000000042")
	case shape.Number:
		return pick("-0.5", "0", "1", "2", "0.10")
	case shape.Date:
		return pick("2026-11-30", "2026-08-07T09:00:00Z", "2027-01-01", "2026-12-24T18:00:00+02:00")
	case shape.Duration:
		return pick("120s", "1m30s")
	case shape.Clock:
		return pick("00:00", "16:30", "24:00")
	case shape.Offset:
		return pick("+00:00", "-08:00")
	case shape.URL:
		return pick("https://api.example/v1/{model}", "http://localhost:11434/v1")
	case shape.Origin:
		return "https://eu-" + m.suffix() + pick(".example", ".example:8443")
	case shape.Source:
		return pick("https://docs.example/p", "pkg:pypi/litellm@1.110.2")
	case shape.EnvName:
		return "ACME_KEY_" + strconv.Itoa(m.count)
	case shape.Header:
		return "x-acme-" + strconv.Itoa(m.count)
	case shape.ID:
		return pick("acme", "b-2", "openai_responses") + m.suffix()
	case shape.Range:
		return ">=1.13.0, <2"
	case shape.Semver:
		return pick("1.13.0", "2.0.0-rc.1+5")
	case shape.Glob:
		return pick("jev-*", "a?/*") + m.suffix()
	case shape.WireID:
		return strings.TrimSpace(pick(texts...)) + m.suffix()
	case shape.RowID:
		if len(m.rows) > 0 {
			return pick(m.rows...)
		}
		return "acme/chat-1"
	}
	return pick(texts...) + m.suffix()
}

func (m *Maker) suffix() string { return fmt.Sprint(m.count) }
