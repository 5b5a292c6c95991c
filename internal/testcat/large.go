package testcat

import (
	"fmt"
	"slices"
	"strings"

	"github.com/opcat/opcat/compile/form"
	"github.com/opcat/opcat/compile/resolve"
	"github.com/opcat/opcat/compile/tree"
	"github.com/opcat/opcat/operations"
	"github.com/opcat/opcat/shape"
)

// Large makes a draft of so many rows with some 35 values each: fifty rows a
// provider, most of them for text, some for embedding, decisions or reranking.
func Large(rows int) *resolve.Draft {
	m := New(1, 0)
	d := &resolve.Draft{AsOf: "2026-11-30"}
	for i := range rows {
		provider := fmt.Sprintf("vendor-%04d", i/50)
		if i%50 == 0 {
			d.Providers = append(d.Providers, &resolve.Provider{ID: provider, Table: m.build(key(form.Provider()), `name`, provider)})
			p := d.Providers[len(d.Providers)-1].Table
			c := m.build(form.Provider().Must("credential"), "scheme", "bearer")
			c.Append(m.strings(form.Credential().Must("env"), "VENDOR_API_KEY"))
			c.Append(m.strings(form.Credential().Must("origins"), "https://api."+provider+".example"))
			p.Append(c)
		}
		d.Rows = append(d.Rows, m.largeRow(i, provider, d.Providers[len(d.Providers)-1]))
	}
	slices.SortFunc(d.Rows, func(a, b *resolve.Row) int { return strings.Compare(a.ID, b.ID) })
	return d
}

func (m *Maker) largeRow(i int, provider string, p *resolve.Provider) *resolve.Row {
	wire := fmt.Sprintf("model-%05d", i)
	t := m.build(key(form.Model()), "provider", provider, "wire_model", wire, "name", "Model "+wire, "logical_model", wire)
	limits := form.Model().Must("limits")
	t.Append(m.build(limits, "context_tokens", fmt.Sprint(8192*(1+i%100)), "output_tokens", "8192", "checked_on", "2026-11-30"))
	prices := m.at(m.arena.New(form.Model().Must("price"), shape.FormList, ""))
	item := prices.Key.Type.Item()
	for j, meter := range []string{"output_token", "input_token", "cache_read_token"} {
		prices.Append(m.build(item, "meter", meter, "usd_per_million", fmt.Sprintf("%d.%d", i%20, j+1), "checked_on", "2026-11-30"))
	}
	t.Append(prices)
	if i%20 == 0 {
		t.Append(m.build(form.Model().Must("lifecycle"), "deprecated", "true", "note", "superseded", "ends_on", "2027-01-31"))
	}
	r := &resolve.Row{ID: provider + "/" + wire, Provider: p, Wire: wire, Table: t}
	p.Rows = append(p.Rows, r)
	o := operations.All()[0]
	if i%10 == 9 {
		o = operations.All()[1+i/10%3]
	}
	r.Contracts = []*resolve.Contract{{Op: o, Table: m.largeContract(o.Name, o.ProtocolNames()[0])}}
	return r
}

func (m *Maker) largeContract(operation, protocol string) *tree.Node {
	k := form.Operations().Must(operation)
	table := k.Type.Table
	c := m.build(k, "protocol", protocol)
	c.Append(m.strings(table.Must("input_kinds"), "text"))
	c.Append(m.build(table.Must("evidence"), "support", "documented", "source", "https://docs.example/models", "checked_on", "2026-11-30"))
	switch operation {
	case "embedding":
		c.Append(m.at(m.arena.New(table.Must("dimensions"), shape.FormInteger, "1536")))
	case "decision_evaluation":
		c.Append(m.strings(table.Must("question_kinds"), "boolean", "choice"))
	case "text_generation":
		settings := m.at(m.arena.New(table.Must("settings"), shape.FormTable, ""))
		for _, name := range []string{"temperature", "top_p", "max_output_tokens"} {
			settings.Append(m.at(m.arena.New(table.Must("settings").Type.Table.Must(name), shape.FormString, "supported")))
		}
		c.Append(settings)
		c.Append(m.build(table.Must("tools"), "native", "true", "wire", "openai"))
	}
	return c
}

// build makes a table of scalars from names and texts.
func (m *Maker) build(k *shape.Key, pairs ...string) *tree.Node {
	n := m.at(m.arena.New(k, shape.FormTable, ""))
	t := k.Type.Member(shape.FormTable).Table
	for i := 0; i < len(pairs); i += 2 {
		n.Append(m.scalar(t.Must(pairs[i]), pairs[i+1]))
	}
	return n
}

func (m *Maker) strings(k *shape.Key, items ...string) *tree.Node {
	n := m.at(m.arena.New(k, shape.FormList, ""))
	item := k.Type.Member(shape.FormList).Item()
	for _, s := range items {
		n.Append(m.at(m.arena.New(item, shape.FormString, s)))
	}
	return n
}
