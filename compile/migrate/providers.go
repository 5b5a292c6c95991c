package migrate

import (
	"slices"
	"strings"

	"github.com/opcat/opcat/compile/tree"
	"github.com/opcat/opcat/diag"
	"github.com/opcat/opcat/shape"
)

// readProviders gathers each provider from all the files that state some of it.
// An overlay's provider starts from what format 0 said of it below, since an
// endpoint is a root of one layer and a path of another.
func (m *migration) readProviders() {
	byID := map[string]*legacyProvider{}
	for _, f := range m.catalog {
		for n := range f.Table.Get("providers").Each() {
			p := byID[n.Key.Name]
			if p == nil {
				p = &legacyProvider{ID: n.Key.Name, Table: n, At: n}
				byID[p.ID] = p
				m.providers = append(m.providers, p)
			} else {
				p.Table = m.merged(p.Table, n, p.ID)
			}
			p.Broken = p.Broken || f.Broken
		}
	}
	slices.SortFunc(m.providers, func(a, b *legacyProvider) int { return strings.Compare(a.ID, b.ID) })
	for _, p := range m.providers {
		if under := m.below.providers[p.ID]; under != nil {
			p.Own, p.Under = p.Table, under.Table
			p.Table = m.over(under.Table, p.Table)
		}
		p.Protocol = textProtocol(p)
	}
}

// providersByID adds what this layer says of providers to what those below said.
func (m *migration) providersByID(below map[string]*legacyProvider) map[string]*legacyProvider {
	out := make(map[string]*legacyProvider, len(below)+len(m.providers))
	for id, p := range below {
		out[id] = p
	}
	for _, p := range m.providers {
		out[p.ID] = p
	}
	return out
}

// merged joins two tables of one layer that state one thing. A fact that both
// state differently is a finding at the second place.
func (m *migration) merged(a, b *tree.Node, provider string) *tree.Node {
	out := m.arena.Open(a)
	for c := range b.Each() {
		there := out.Get(c.Key.Name)
		switch {
		case there == nil:
			out.Append(m.arena.Share(c))
		case there.Form == shape.FormTable && c.Form == shape.FormTable:
			out.Set(m.merged(there, c, provider))
		case !tree.Equal(there, c):
			m.report(diag.Diagnostic{Code: diag.DuplicateFact, At: c.KeyAt(), Message: quote(c.Key.Name) + " is stated differently by two files of one layer",
				Got: shown(c), Notes: []diag.Note{{At: there.KeyAt(), Message: "stated as " + shown(there) + " here"}},
				Help: "keep one of the two; the order of files means nothing", Provider: provider, Fields: []string{c.Key.Name}})
		}
	}
	return out
}

// over lays a higher layer's table over a lower one: tables merge, the rest is
// replaced.
func (m *migration) over(low, high *tree.Node) *tree.Node {
	out := m.arena.Open(low)
	for c := range high.Each() {
		there := out.Get(c.Key.Name)
		if there != nil && there.Form == shape.FormTable && c.Form == shape.FormTable {
			out.Set(m.over(there, c))
		} else {
			out.Set(m.arena.Share(c))
		}
	}
	return out
}

// shown is a value as a message says it.
func shown(n *tree.Node) string {
	switch n.Form {
	case shape.FormString:
		return n.Str()
	case shape.FormList:
		if first := n.First(); first != nil && first.Form == shape.FormTable {
			return "tables"
		}
		return "[" + strings.Join(n.Strings(), ", ") + "]"
	case shape.FormTable:
		return "a table"
	}
	return n.Str()
}

// textProtocol is the protocol that format 0 dials a provider's text rows with:
// its program picks it by the provider's name (L29).
func textProtocol(p *legacyProvider) string {
	path := p.Table.Get("chat_endpoint").Str()
	switch {
	case p.Table.Get("protocol").Str() == "acp":
		return "agent_client"
	case path == "":
		return ""
	case p.ID == "anthropic":
		return "anthropic_messages"
	case p.ID == "gemini", p.ID == "vertex":
		return "gemini_generate_content"
	case p.ID == "bedrock":
		return "bedrock_converse"
	case p.ID == "typesafe":
		return ""
	case p.ID == "ollama" && strings.HasPrefix(path, "/api/") && p.Table.Get("chat_api_adapter").Str() != "ollama_openai_compat":
		return "ollama_chat"
	}
	return "openai_chat_completions"
}

// writeProviders writes `[provider.<id>]` for each provider that the layer states.
func (m *migration) writeProviders() {
	for _, p := range m.providers {
		m.writeProvider(p)
	}
}

func (m *migration) writeProvider(p *legacyProvider) {
	section := m.into(p.At.File, p.Broken, "provider")
	out := m.make(section, p.ID, p.At)
	own := p.stated()
	switch name := own.Get("display_name"); {
	case name != nil:
		m.put(out, "name", name)
	case p.Under == nil && !m.below.has(p.ID):
		m.say(out, "name", p.At, titled(p.ID))
	}
	if icon := own.Get("icon"); icon != nil {
		pres := m.make(out, "presentation", icon)
		m.put(pres, "icon", icon)
		out.Append(pres)
	}
	m.providerKind(out, p)
	m.process(out, own)
	m.headers(out, p)
	m.endpoints(out, p)
	m.credential(out, p)
	m.hoist(out, p.At)
	m.quota(out, p)
	m.controls(out, own.Get("data_controls"))
	m.accounting(out, own)
	m.puts(out, own, "healthcheck", "platform_fee_percent")
	m.put(out, "local_runtime", own.Get("local_runtime"))
	m.performance(out, own.Get("performance"), own.Get("latency_p50_ms"))
	m.fallbackPrice(out, p)
	m.features(p)
	m.routingPolicy(p)
	if out.First() == nil {
		return
	}
	if m.rank > 0 && !m.below.has(p.ID) {
		m.yes(out, "add", p.At)
	}
	section.Append(out)
}

// stated is what the provider's own layer says of it.
func (p *legacyProvider) stated() *tree.Node {
	if p.Own != nil {
		return p.Own
	}
	return p.Table
}

// states reports whether the provider's own layer says something under a name.
func (p *legacyProvider) states(names ...string) bool {
	return slices.ContainsFunc(names, func(name string) bool { return p.stated().Get(name) != nil })
}

// titled makes a name for people of a provider's id, as format 0 does.
func titled(id string) string {
	words := strings.FieldsFunc(id, func(r rune) bool { return r == '_' || r == '-' || r == '.' })
	for i, w := range words {
		words[i] = strings.ToUpper(w[:1]) + w[1:]
	}
	if len(words) == 0 {
		return id
	}
	return strings.Join(words, " ")
}

// providerKind is what a provider is: a process (protocol = "acp"), a server on the
// user's own machine (local_runtime), or a gateway (managed_supply, the label
// model_proxy). Left out it is a plain API.
func (m *migration) providerKind(out *tree.Node, p *legacyProvider) {
	t := p.stated()
	features := t.Get("features")
	protocol := t.Get("protocol")
	switch {
	case protocol.Str() == "acp":
		m.say(out, "kind", protocol, "agent")
		m.moved("L41", protocol, "", `protocol = "acp"`, `kind = "agent"`)
	case t.Get("local_runtime") != nil:
		m.say(out, "kind", t.Get("local_runtime"), "local")
	case t.Get("managed_supply") != nil:
		m.say(out, "kind", t.Get("managed_supply"), "gateway")
		m.moved("L30", t.Get("managed_supply"), "", "managed_supply", `kind = "gateway"`)
	case features.Has("model_proxy") && p.Table.Get("local_runtime") == nil:
		m.say(out, "kind", features, "gateway")
	}
}

// process is the process of an agent provider.
func (m *migration) process(out, own *tree.Node) {
	command := own.Get("command")
	if command == nil {
		return
	}
	proc := m.make(out, "process", command)
	m.puts(proc, own, "command", "args", "env", "cwd", "mcp_servers")
	out.Append(proc)
}

// accounting keeps three states: yes, audited no, and unknown.
func (m *migration) accounting(out, own *tree.Node) {
	cache, stream := own.Get("cache_usage_accounting"), own.Get("stream_usage_accounting")
	if cache == nil && stream == nil {
		return
	}
	at := cache
	if at == nil {
		at = stream
	}
	acc := m.make(out, "accounting", at)
	m.put(acc, "cache_usage", cache)
	m.put(acc, "stream_usage", stream)
	out.Append(acc)
}

// performance joins an observed performance with the median latency that format
// 0 writes beside it.
func (m *migration) performance(out, from, latency *tree.Node) {
	if from == nil && latency == nil {
		return
	}
	at := from
	if at == nil {
		at = latency
	}
	perf := m.make(out, "performance", at)
	m.put(perf, "latency_p50_ms", latency)
	for c := range from.Each() {
		switch c.Key.Name {
		case "source":
			m.put(perf, "observed_by", c)
		case "source_url", "last_verified", "notes":
			m.put(perf, renamed[c.Key.Name], c)
		default:
			m.put(perf, c.Key.Name, c)
		}
	}
	out.Append(perf)
}

// routingPolicy drops what is a caller's policy and no fact of the provider.
func (m *migration) routingPolicy(p *legacyProvider) {
	for _, name := range []string{"fallback", "retry_count", "retry_delay_ms"} {
		if n := p.stated().Get(name); n != nil {
			m.moved("§2.3", n, "", name+" = "+shown(n), "dropped").Note = "retries and failover are a caller's policy"
		}
	}
}
