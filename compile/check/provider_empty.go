package check

import (
	"strings"

	"github.com/opcat/opcat/compile/resolve"
	"github.com/opcat/opcat/diag"
)

// empty finds providers that serve nothing. A bad edit that loses a provider's
// rows would else pass as a valid, smaller catalog. Where a layer removed the
// rows on purpose, or the format allowed it, there is nothing to say; nor where they
// are there under a misspelt name.
func (p *provider) empty() {
	if len(p.Rows) > 0 || p.Broken || p.draft.CatalogBroken || p.legacy {
		return
	}
	for _, r := range p.draft.Removed {
		if strings.HasPrefix(r.Row, p.ID+"/") {
			return
		}
	}
	for _, r := range p.draft.Rows {
		if r.Provider == nil && p.meant(r) {
			return
		}
	}
	p.add(diag.Diagnostic{Code: diag.ProviderEmpty, At: p.Table.KeyAt(), Message: "provider " + quote(p.ID) + " has no rows",
		Help: "add its [[model]] rows, or remove the provider"})
}

// meant reports whether a row whose provider is not declared most likely is of this one:
// its misspelt name is reported, and is why there are no rows here.
func (p *provider) meant(r *resolve.Row) bool {
	ids := make([]string, len(p.draft.Providers))
	for i, other := range p.draft.Providers {
		ids[i] = other.ID
	}
	misspelt, _, _ := strings.Cut(r.ID, "/")
	near, ok := diag.Nearest(misspelt, ids)
	return ok && near == p.ID
}
