package bring

import (
	"slices"
	"strings"

	"github.com/opcat/opcat/compile/tree"
	"github.com/opcat/opcat/shape"
)

// A fact is what a plan changes by itself: one key of a row, one of a table that is
// about several things, one price entry, one contract.
type fact struct {
	key   string   // "limits.output_tokens", "price.input_token[service_tier=batch]"
	path  []string // where it stands in its row: the key, and the key within it
	item  int      // the place of a price entry or disagreement in its list; -1 for others
	full  string   // all of it, in one canonical spelling
	value string   // the same without its sources
	short string   // for people
	node  *tree.Node
}

// apart are the tables of a row whose keys are facts of their own.
var apart = []string{"limits", "lifecycle", "presentation", "metadata"}

// unbrought are the keys of a row that are no facts to compare: they say which row it
// is, and where it is from.
var unbrought = []string{"provider", "wire_model", "source"}

// conditions tell one price entry from another.
var conditions = []string{"service_tier", "operation", "cache_lifetime", "region", "variant", "tool", "above_input_tokens", "valid_from", "valid_until", "window"}

// factsOf lists the facts of a row's table, in its order.
func factsOf(row *tree.Node) []*fact {
	var out []*fact
	for c := range row.Each() {
		name := c.Name()
		switch {
		case slices.Contains(unbrought, name):
		case slices.Contains(apart, name):
			tail := ""
			for _, s := range []string{"source", "checked_on"} {
				tail += "\x00" + spelt(c.Get(s), false)
			}
			for f := range c.Each() {
				if isSource(f.Name()) {
					continue
				}
				out = append(out, &fact{key: name + "." + f.Name(), path: []string{name, f.Name()}, item: -1,
					full: spelt(f, false) + tail, value: spelt(f, true), short: brief(f), node: f})
			}
		case name == "price" || name == "disagreement":
			i := 0
			for e := range c.Each() {
				key := "price." + e.Get("meter").Str() + condition(e)
				if name == "disagreement" {
					source, _, _ := strings.Cut(e.Get("source").Str(), "@") // whatever its version
					key = "disagreement." + e.Get("field").Str() + "[" + source + "]"
				}
				out = append(out, &fact{key: key, path: []string{name}, item: i, full: spelt(e, false), value: spelt(e, true), short: brief(e), node: e})
				i++
			}
		default:
			out = append(out, &fact{key: name, path: []string{name}, item: -1, full: spelt(c, false), value: spelt(c, true), short: brief(c), node: c})
		}
	}
	return out
}

func condition(price *tree.Node) string {
	var parts []string
	for _, name := range conditions {
		if c := price.Get(name); c != nil {
			parts = append(parts, name+"="+brief(c))
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return "[" + strings.Join(parts, ",") + "]"
}

func isSource(key string) bool { return key == "source" || key == "checked_on" }

// spelt writes a value in one canonical spelling; bare leaves its sources out.
func spelt(n *tree.Node, bare bool) string {
	var b strings.Builder
	write(&b, n, bare)
	return b.String()
}

func write(b *strings.Builder, n *tree.Node, bare bool) {
	if n == nil {
		return
	}
	switch n.Form {
	case shape.FormTable:
		var members []*tree.Node
		for c := range n.Each() {
			if !bare || !isSource(c.Name()) {
				members = append(members, c)
			}
		}
		slices.SortFunc(members, func(a, b *tree.Node) int { return strings.Compare(a.Name(), b.Name()) })
		b.WriteByte('{')
		for _, c := range members {
			b.WriteString(c.Name())
			b.WriteByte('=')
			write(b, c, bare)
			b.WriteByte(';')
		}
		b.WriteByte('}')
	case shape.FormList:
		var items []string
		for c := range n.Each() {
			items = append(items, spelt(c, bare))
		}
		if t := n.Type(); t != nil && t.Set {
			slices.Sort(items)
		}
		b.WriteString("[" + strings.Join(items, ";") + "]")
	default:
		b.WriteByte('0' + byte(n.Form))
		b.WriteString(n.Str())
	}
}

// brief writes a value as people read it in a list of changes.
func brief(n *tree.Node) string {
	if n == nil {
		return ""
	}
	var out string
	switch n.Form {
	case shape.FormTable:
		for _, amount := range []string{"usd_per_million", "usd_per_unit", "per_million", "per_unit"} {
			if a := n.Get(amount); a != nil {
				out = a.Str()
				if c := n.Get("currency"); c != nil {
					out += " " + c.Str()
				}
			}
		}
		if out != "" {
			break
		}
		var parts []string
		for c := range n.Each() {
			if !isSource(c.Name()) {
				parts = append(parts, c.Name()+" "+brief(c))
			}
		}
		out = strings.Join(parts, ", ")
	case shape.FormList:
		var parts []string
		for c := range n.Each() {
			parts = append(parts, brief(c))
		}
		out = strings.Join(parts, ", ")
	default:
		out = n.Str()
	}
	if len(out) > 120 {
		out = strings.ToValidUTF8(out[:117], "") + "..."
	}
	return out
}
