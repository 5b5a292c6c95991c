package migrate

import (
	"slices"

	"github.com/opcat/opcat/compile/tree"
	"github.com/opcat/opcat/shape"
)

// headers are the fixed headers of a provider, but for the API version, which
// belongs to an endpoint: admission reads it there.
func (m *migration) headers(out *tree.Node, p *legacyProvider) {
	from := p.stated().Get("extra_headers")
	var list *tree.Node
	for h := range from.Each() {
		if h.Key.Name == "anthropic-version" && p.Protocol == "anthropic_messages" {
			continue
		}
		if list == nil {
			list = m.make(out, "headers", from)
			out.Append(list)
		}
		m.put(list, h.Key.Name, h)
	}
}

// credential turns the open words of format 0 into a closed scheme (L41) and says
// to which origins the credential may go: those of the provider's own URLs.
func (m *migration) credential(out *tree.Node, p *legacyProvider) {
	t := p.Table
	style := t.Get("auth_style")
	at := style
	if at == nil {
		at = p.At
	}
	if m.rank > 0 && (p.Own != nil || m.below.has(p.ID)) && !p.states("auth_style", "auth_header", "auth_env", "credential_env", "credential_resolution") {
		m.redirectedCredential(out, p)
		return
	}
	cred := m.make(out, "credential", at)
	out.Append(cred)
	managed := t.Get("credential_resolution")
	scheme := style.Str()
	switch {
	case scheme == "" && t.Get("protocol").Str() == "acp":
		scheme = "none"
	case scheme == "":
		scheme = "bearer"
	case scheme == "azure_openai":
		scheme = "header"
		mv := m.moved("L41", style, "", `auth_style = "azure_openai"`, `scheme = "header", header = "api-key"`)
		mv.Named, mv.Note = true, "every variable rides in this header; upstream's program sends the later ones as bearer tokens"
		m.say(cred, "header", style, "api-key")
	case scheme == "bearer" && managed.Str() == "platform_managed":
		scheme = "gcp_adc"
		m.moved("L41", managed, "", `credential_resolution = "platform_managed"`, `scheme = "gcp_adc"`)
	}
	m.say(cred, "scheme", at, scheme)
	if scheme == "none" {
		return
	}
	m.put(cred, "header", t.Get("auth_header"))
	env := t.Get("auth_env")
	withheld := t.Get("credential_env")
	if env == nil && withheld != nil { // a chain: all that it reads
		env, withheld = withheld, nil
	}
	switch {
	case env == nil:
	case env.Form == shape.FormString:
		m.words(cred, "env", env, []string{env.Str()})
	default:
		m.put(cred, "env", env)
	}
	m.put(cred, "withheld_env", withheld)
	m.origins(cred, p, out)
}

// redirectedCredential lets a credential of a lower layer go to the origins that an
// overlay's endpoints have: in format 0 it follows the base URL. A project or run
// layer names no origin, and the layer stage refuses its endpoints.
func (m *migration) redirectedCredential(out *tree.Node, p *legacyProvider) {
	if m.layer == "project" || m.layer == "run" || out.Get("endpoint").First() == nil || m.below.scheme(p.ID) == "none" {
		return
	}
	cred := m.make(out, "credential", p.At)
	m.origins(cred, p, out)
	if cred.First() != nil {
		out.Append(cred)
	}
}

// origins lists the origins of the provider's endpoints, sorted.
func (m *migration) origins(cred *tree.Node, p *legacyProvider, out *tree.Node) {
	base := p.Table.Get("base_url")
	if base == nil {
		return
	}
	found := []string{originOf(base.Str())}
	for e := range out.Get("endpoint").Each() {
		found = append(found, originOf(e.Get("url").Str()))
		for r := range e.Get("regions").Each() {
			found = append(found, originOf(r.Str()))
		}
	}
	for _, low := range m.below.endpoints(p.ID) {
		if out.Path("endpoint", low.Key.Name) == nil {
			found = append(found, originOf(low.Get("url").Str()))
		}
	}
	slices.Sort(found)
	found = slices.DeleteFunc(slices.Compact(found), func(s string) bool { return s == "" })
	if len(found) > 0 {
		m.words(cred, "origins", base, found)
	}
}
