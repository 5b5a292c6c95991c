package check

import (
	"strings"

	"github.com/opcat/opcat/diag"
)

// empty finds providers that serve nothing. A bad edit that loses a provider's
// rows would else pass as a valid, smaller catalog. Where a layer removed the
// rows on purpose, or the format allowed it, there is nothing to say.
func (p *provider) empty() {
	if len(p.Rows) > 0 || p.Broken || p.draft.CatalogBroken || p.legacy {
		return
	}
	for _, r := range p.draft.Removed {
		if strings.HasPrefix(r.Row, p.ID+"/") {
			return
		}
	}
	p.add(diag.Diagnostic{Code: diag.ProviderEmpty, At: p.Table.KeyAt(), Message: "provider " + quote(p.ID) + " has no rows",
		Help: "add its [[model]] rows, or remove the provider"})
}
