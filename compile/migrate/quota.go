package migrate

import (
	"github.com/opcat/opcat/compile/tree"
	"github.com/opcat/opcat/diag"
)

// quota joins what format 0 says of a provider's rates in three places: the table
// rate_limits, the shorthand rpm (L35) and the governor's own limits (L43), which
// add concurrency and backoff but may not state another rate.
func (m *migration) quota(out *tree.Node, p *legacyProvider) {
	own := p.stated()
	limits, rpm, governor := own.Get("rate_limits"), own.Get("rpm"), p.Governor
	at := limits
	if at == nil {
		at = rpm
	}
	if at == nil {
		at = governor
	}
	if at == nil {
		return
	}
	q := m.make(out, "quota", at)
	for c := range limits.Each() {
		m.put(q, today(c.Key.Name), c)
	}
	if rpm != nil {
		m.moved("L35", rpm, "", "rpm = "+rpm.Str(), "quota.rpm = "+rpm.Str())
		if there := limits.Get("rpm"); there == nil {
			m.put(q, "rpm", rpm)
		} else if there.Str() != rpm.Str() {
			kept, _ := m.report(diag.Diagnostic{Code: diag.AliasContradicts, At: rpm.At(), Provider: p.ID, Fields: []string{"rpm", "rate_limits.rpm"},
				Message: "rpm is the legacy shorthand of rate_limits.rpm; the two differ", Got: rpm.Str() + ", " + there.Str(),
				Allowed: []string{"one value"}, Notes: []diag.Note{{At: there.At(), Message: "rate_limits.rpm is " + there.Str()}}, Help: "keep rate_limits.rpm alone"})
			if kept == "rpm" {
				q.Set(m.retype(rpm, keyOf(q, "rpm")))
			}
		}
	}
	m.governor(q, p, governor)
	if q.First() != nil {
		out.Append(q)
	}
}

// governor adds the limits that the capability root states beside the quota.
func (m *migration) governor(q *tree.Node, p *legacyProvider, from *tree.Node) {
	for c := range from.Each() {
		name := c.Key.Name
		switch name {
		case "max_concurrency":
			name = "concurrency"
		case "rpm", "tpm":
			there := q.Get(name)
			if there != nil && there.Str() != c.Str() {
				kept, _ := m.report(diag.Diagnostic{Code: diag.AliasContradicts, At: c.At(), Provider: p.ID, Fields: []string{"provider_limits." + name, "rate_limits." + name},
					Message: "the governor states another " + name + " than the provider's rate limits", Got: c.Str() + ", " + there.Str(),
					Allowed: []string{"one value"}, Notes: []diag.Note{{At: there.At(), Message: "the rate limit is " + there.Str()}},
					Help: "leave " + name + " to the provider: the governor takes its quota as the ceiling"})
				if kept != "provider_limits."+name {
					continue
				}
			}
		}
		m.moved("L43", c, "", "provider_limits."+p.ID+"."+c.Key.Name, "quota."+name)
		if n := m.retype(c, keyOf(q, name)); n != nil {
			q.Set(n)
		}
	}
}

// today is a key's name in today's format.
func today(name string) string {
	if n, ok := renamed[name]; ok {
		return n
	}
	return name
}
