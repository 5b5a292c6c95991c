package main

import (
	"bytes"
	"fmt"

	"github.com/opcat/opcat/catalog"
	"github.com/opcat/opcat/internal/typenames"
	"github.com/opcat/opcat/operations"
)

// registry renders what the Go packages know of operations, meters and protocols, as
// they answer when they are asked.
func registry() []byte {
	var b bytes.Buffer
	b.WriteString(header)
	b.WriteString("/** The operations of the registry. */\nexport const operations = Object.freeze(/** @type {const} */ ([\n")
	for _, name := range operations.Names() {
		fmt.Fprintf(&b, "  %q,\n", name)
	}
	b.WriteString("]));\n\n/**\n * Each meter: whether its price is of a million, whether it counts input tokens, and the\n" +
		" * meter whose price it takes where it has none of its own.\n" +
		" * @type {{ readonly [meter: string]: { readonly million: boolean, readonly input: boolean, readonly lender?: string } | undefined }}\n */\n" +
		"export const meters = Object.freeze({\n")
	for _, name := range catalog.Meters() {
		m, _ := catalog.LookupMeter(name)
		fmt.Fprintf(&b, "  %s: { million: %t, input: %t", name, m.Million, typenames.CountsInput(name))
		if lender := typenames.Lender(name); lender != "" {
			fmt.Fprintf(&b, ", lender: %q", lender)
		}
		b.WriteString(" },\n")
	}
	b.WriteString("});\n\n/**\n * The cache lifetime that a protocol has where a call names none.\n" +
		" * @type {{ readonly [protocol: string]: string | undefined }}\n */\nexport const cacheLifetimes = Object.freeze({\n")
	seen := map[string]bool{}
	for _, o := range operations.All() {
		for _, p := range o.Protocols {
			if p.CacheLifetime != "" && !seen[p.Name] {
				seen[p.Name] = true
				fmt.Fprintf(&b, "  %s: %q,\n", p.Name, p.CacheLifetime)
			}
		}
	}
	b.WriteString("});\n")
	return b.Bytes()
}
