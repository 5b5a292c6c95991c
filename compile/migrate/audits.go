package migrate

import (
	"github.com/opcat/opcat/diag"
)

// An Audit is a queue of what upstream still has to check about its own catalog,
// with the day until which its verdict stands. It is no part of a catalog.
type Audit struct {
	Name       string   `json:"name"`
	At         diag.Pos `json:"at"`
	ReviewedOn string   `json:"reviewed_on"`
	ExpiresOn  string   `json:"expires_on"`
	Unverified []string `json:"unverified,omitempty"`
}

// Expired reports whether the audit's queue is overdue on a day ("2026-11-30"):
// its last day is the one that it names.
func (a Audit) Expired(asOf string) bool {
	return len(a.Unverified) > 0 && len(asOf) >= len(a.ExpiresOn) && asOf[:len(a.ExpiresOn)] > a.ExpiresOn
}

// readAudits takes the audits out of the fragments: they are upstream's own notes.
func (m *migration) readAudits() {
	for _, f := range m.catalog {
		for _, name := range []string{"usage_accounting_audit", "data_controls_audit"} {
			n := f.Table.Get(name)
			if n == nil {
				continue
			}
			m.audits = append(m.audits, Audit{Name: name, At: n.KeyAt(), ReviewedOn: n.Get("reviewed_on").Str(), ExpiresOn: n.Get("expires_on").Str(),
				Unverified: n.Get("unverified").Strings()})
			m.moved("§2.2", n, "", name, "dropped").Note = "an evidence queue of the source, not a fact of a catalog"
		}
		if n := f.Table.Get("data_controls_policy"); n != nil {
			m.put(m.into(f.File, f.Broken, "data_controls_policy"), "default_posture", n.Get("default_posture"))
		}
	}
}
