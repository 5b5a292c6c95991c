package golang

import (
	"fmt"
	"hash/crc32"
	"strings"

	"github.com/opcat/opcat/internal/blob"
	"github.com/opcat/opcat/operations"
	"github.com/opcat/opcat/shape"
)

// Layout tells blobs of one version from others: it is the sum of all tables that a
// document has, with their keys and how each is written, and of the format's version. Package flat, which internal/typegen
// writes from the same shapes, knows its own.
func Layout(document *shape.Table) uint32 {
	var b strings.Builder
	fmt.Fprintf(&b, "%d ", blob.Version)
	for _, name := range operations.Names() {
		b.WriteString(name + " ")
	}
	describe(&b, shape.Rec(document), map[*shape.Table]int{})
	return crc32.ChecksumIEEE([]byte(b.String()))
}

func describe(b *strings.Builder, t *shape.Type, seen map[*shape.Table]int) {
	switch t.Kind {
	case shape.Record:
		if n, ok := seen[t.Table]; ok {
			fmt.Fprintf(b, "#%d", n)
			return
		}
		seen[t.Table] = len(seen)
		b.WriteByte('{')
		for _, k := range t.Table.Keys {
			b.WriteString(k.Name + ":")
			describe(b, k.Type, seen)
		}
		b.WriteByte('}')
	case shape.List, shape.Map:
		fmt.Fprintf(b, "%d(", t.Kind)
		describe(b, t.Elem, seen)
		b.WriteByte(')')
	case shape.Union:
		b.WriteByte('<')
		for _, m := range t.Of {
			describe(b, m, seen)
		}
		b.WriteByte('>')
	default:
		fmt.Fprintf(b, "%d,", t.Kind)
	}
}

// IsProtocols tells the key whose list is of protocols, each with its condition or without.
// It is written in one way for all operations, though most have no conditions.
func IsProtocols(k *shape.Key) bool { return k.Name == "protocol" && k.Type.Kind == shape.List }

// IsSettings and IsCondition tell the tables that name options of their operation: they are written
// as maps, and not as records, so that every operation's are read by the same code.
func IsSettings(t *shape.Table) bool  { return strings.HasPrefix(t.Name, "the settings of ") }
func IsCondition(t *shape.Table) bool { return t.Name == "a condition" }
