package migrate

import (
	"slices"
	"strings"

	"github.com/opcat/opcat/compile/fragment"
	"github.com/opcat/opcat/compile/tree"
	"github.com/opcat/opcat/diag"
	"github.com/opcat/opcat/shape"
)

// A call is one way of calling a provider: a protocol, and the path that it adds
// to the base URL. A path with a scheme is a whole URL.
type call struct {
	protocol string
	path     string
	at       *tree.Node // where format 0 says it, or what it follows from
	implied  string     // why there is such a call, where no path is written; "" if one is
}

// endpoints writes one endpoint for each protocol: the root joined with each path
// (L28), and the calls that format 0's program makes without a path being written
// anywhere (L29).
func (m *migration) endpoints(out *tree.Node, p *legacyProvider) {
	t := p.Table
	base := t.Get("base_url")
	m.baseVariable(p)
	if m.rank > 0 && !p.states("base_url", "regions", "region_env", "chat_endpoint", "chat_api_adapter", "completion_endpoint", "embeddings_endpoint") {
		return
	}
	calls := m.calls(p)
	if m.rank > 0 && p.Under == nil {
		calls = append(calls, m.redirected(p, calls)...)
	}
	m.embeddingsLabel(p)
	if base.Str() == "" || len(calls) == 0 {
		return
	}
	if why := fragment.Problem(shape.URL, base.Str()); why != "" {
		m.report(diag.Diagnostic{Code: diag.BadURL, At: base.At(), Message: `"base_url" ` + why, Got: base.Str(),
			Allowed: []string{shape.Of(shape.URL).Describe()}, Provider: p.ID})
		return
	}
	section := m.make(out, "endpoint", base)
	out.Append(section)
	for _, c := range calls {
		m.endpoint(section, p, c)
	}
}

// calls lists how the provider is called.
func (m *migration) calls(p *legacyProvider) []call {
	t := p.Table
	var calls []call
	add := func(protocol, path string, at *tree.Node, implied string) {
		if !slices.ContainsFunc(calls, func(c call) bool { return c.protocol == protocol }) {
			calls = append(calls, call{protocol, path, at, implied})
		}
	}
	chat := t.Get("chat_endpoint")
	m.decisionPath(p, chat, add)
	if p.Protocol != "" && p.Protocol != "agent_client" {
		path := chat.Str()
		if p.Protocol == "gemini_generate_content" && !strings.Contains(path, "{model}") {
			path += "/{model}:generateContent"
		}
		add(p.Protocol, path, chat, "")
		m.moved("L28", chat, "", "chat_endpoint = "+quote(chat.Str()), "endpoint."+p.Protocol)
	}
	if p.Protocol == "openai_chat_completions" && (p.ID == "openai" || p.feature("responses_api")) {
		at := t.Get("features")
		if at == nil {
			at = chat
		}
		add("openai_responses", "/responses", at, "the responses API lies beside the chat endpoint")
	}
	if n := t.Get("completion_endpoint"); n != nil {
		if p.Protocol == "ollama_chat" {
			m.moved("L28", n, "", "completion_endpoint = "+quote(n.Str()), "dropped").Note = "raw generation of this server is no protocol of the registry"
		} else {
			add("openai_completions", n.Str(), n, "")
			m.moved("L28", n, "", "completion_endpoint = "+quote(n.Str()), "endpoint.openai_completions")
		}
	}
	if n := t.Get("embeddings_endpoint"); n != nil {
		protocol := embedProtocol(p)
		add(protocol, n.Str(), n, "")
		m.moved("L28", n, "", "embeddings_endpoint = "+quote(n.Str()), "endpoint."+protocol)
	}
	for _, protocol := range m.protocolsOf(p.ID) {
		switch protocol {
		case "vercel_evaluate":
			add(protocol, "/evaluate", t.Get("base_url"), "decisions lie beside the chat endpoint")
		case "openrouter_decisions":
			add(protocol, originOf(t.Get("base_url").Str())+"/api/alpha/decisions", t.Get("base_url"), "decisions have a root of their own on this origin")
		case "gemini_interactions":
			add(protocol, originOf(t.Get("base_url").Str())+"/v1beta/interactions", t.Get("base_url"), "a rule names this endpoint family")
		}
	}
	return calls
}

// embedProtocol is the protocol that format 0 dials a provider's embeddings with.
func embedProtocol(p *legacyProvider) string {
	if strings.HasPrefix(p.Table.Get("embeddings_endpoint").Str(), "/api/") && p.ID == "ollama" {
		return "ollama_embed"
	}
	return "openai_embeddings"
}

// protocolsOf lists the protocols that the contracts of a provider's rows name.
func (m *migration) protocolsOf(provider string) []string {
	var names []string
	add := func(name string) {
		if name != "" && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	for _, r := range m.rows {
		if r.Provider != provider {
			continue
		}
		for _, c := range r.Contracts {
			protocol := c.Get("protocol")
			add(protocol.Str())
			for item := range protocol.Each() {
				add(item.Str())
				add(item.Get("protocol").Str())
			}
		}
	}
	slices.Sort(names)
	return names
}

// decisionPath finds a decision path that stands in the chat endpoint: format 0
// has no other field for it, and asks for that one.
func (m *migration) decisionPath(p *legacyProvider, chat *tree.Node, add func(string, string, *tree.Node, string)) {
	if chat == nil || !m.decidesOnly(p, chat.Str()) {
		return
	}
	protocol := "typesafe_system_one"
	for _, name := range m.protocolsOf(p.ID) {
		if strings.HasPrefix(name, "openrouter_") || strings.HasPrefix(name, "vercel_") || strings.HasPrefix(name, "typesafe_") {
			protocol = name
		}
	}
	p.Protocol = ""
	add(protocol, chat.Str(), chat, "")
	m.report(diag.Diagnostic{Code: diag.DecisionEndpointInChatField, At: chat.KeyAt(), Provider: p.ID, Fields: []string{"chat_endpoint"},
		Message: "a provider that serves only decisions has no chat endpoint", Got: "chat_endpoint = " + quote(chat.Str()),
		Help: "write [provider." + p.ID + ".endpoint." + protocol + "] in a file with schema = \"1.0\""})
	m.moved("L28", chat, "", "chat_endpoint = "+quote(chat.Str()), "endpoint."+protocol)
}

// chatPaths end the paths that a chat is called on, decision rows or not.
var chatPaths = []string{"/chat/completions", "/messages", "/chat", "/converse", ":generateContent", "/models", "/responses"}

// decidesOnly reports whether the provider's chat path is one for decisions: none
// of its rows writes text, or, with no row to tell, only decisions have such a path.
func (m *migration) decidesOnly(p *legacyProvider, path string) bool {
	path, _, _ = strings.Cut(path, "?")
	if slices.ContainsFunc(chatPaths, func(end string) bool { return strings.HasSuffix(path, end) }) {
		return false
	}
	any := false
	for _, r := range m.rows {
		if r.Provider != p.ID {
			continue
		}
		if !r.Does("decision_evaluation") || r.Does("text_generation") {
			return false
		}
		any = true
	}
	if any {
		return true
	}
	last := path[strings.LastIndexByte(path, '/')+1:]
	return last == "systemone" || last == "evaluate" || last == "decisions"
}

// embeddingsLabel refuses a label that claims an interface without a path.
func (m *migration) embeddingsLabel(p *legacyProvider) {
	features := p.stated().Get("features")
	if !features.Has("embeddings") || p.Table.Get("embeddings_endpoint") != nil {
		return
	}
	at := features
	for c := range features.Each() {
		if c.Str() == "embeddings" {
			at = c
		}
	}
	m.report(diag.Diagnostic{Code: diag.FeatureWithoutEndpoint, At: at.At(), Provider: p.ID, Fields: []string{"features", "embeddings_endpoint"},
		Message: "the label claims an embeddings interface that has no path", Got: "features = [embeddings]",
		Allowed: []string{"an embeddings_endpoint", "no such label"}, Help: "add embeddings_endpoint, or take the label away"})
}

// endpoint writes one endpoint with its regions and variables.
func (m *migration) endpoint(section *tree.Node, p *legacyProvider, c call) {
	base := p.Table.Get("base_url")
	at := c.at
	if at == nil {
		at = base
	}
	out := m.make(section, c.protocol, at)
	url := joinedURL(base.Str(), c.path)
	m.say(out, "url", at, url)
	if c.implied != "" {
		m.moved("L29", at, "", "the program's call of "+c.protocol, "endpoint."+c.protocol+".url = "+quote(url)).Note = c.implied
	}
	regions := p.Table.Get("regions")
	if regions.First() != nil {
		list := m.make(out, "regions", regions)
		for r := range regions.Each() {
			if b := r.Get("base_url"); b != nil {
				m.say(list, r.Key.Name, b, joinedURL(b.Str(), c.path))
			}
		}
		out.Append(list)
	}
	if version := p.Table.Path("extra_headers", "anthropic-version"); version != nil && c.protocol == "anthropic_messages" {
		m.put(out, "api_version", version)
		m.moved("L28", version, "", "extra_headers.anthropic-version", "endpoint."+c.protocol+".api_version")
	}
	m.variables(out, p, url, at)
	section.Append(out)
}

// variables declares the holes of a URL that the caller's machine fills. The wire
// id is the one hole that a call fills itself.
func (m *migration) variables(out *tree.Node, p *legacyProvider, url string, at *tree.Node) {
	var vars *tree.Node
	declare := func(name string, at *tree.Node) *tree.Node {
		if vars == nil {
			vars = m.make(out, "variable", at)
			out.Append(vars)
		}
		if v := vars.Get(name); v != nil {
			return v
		}
		v := m.make(vars, name, at)
		vars.Append(v)
		return v
	}
	for rest := url; ; {
		_, after, open := strings.Cut(rest, "{")
		name, tail, closed := strings.Cut(after, "}")
		if !open || !closed {
			break
		}
		if name != "model" && name != "region" { // the wire id, and the region that is called
			v := declare(name, at)
			if v.First() == nil {
				env := strings.ToUpper(strings.NewReplacer("-", "_", ".", "_").Replace(p.ID + "_" + name))
				m.say(v, "env", at, env)
				mv := m.moved("L28", at, "", "the hole {"+name+"}", "variable."+name+" = { env = "+quote(env)+" }")
				mv.Named, mv.Note = true, "format 0 names no variable for it; this one is made of provider and hole"
			}
		}
		rest = tail
	}
	if env := p.Table.Get("region_env"); env != nil {
		m.put(declare("region", env), "env", env)
	}
}

// baseVariable drops base_url_env: a variable that holds a whole host could move
// a credential anywhere, so a host is written in a host or user layer instead.
func (m *migration) baseVariable(p *legacyProvider) {
	if n := p.stated().Get("base_url_env"); n != nil {
		mv := m.moved("L28", n, "", "base_url_env = "+quote(n.Str()), "dropped")
		mv.Named, mv.Note = true, "a whole host is written in a host or user layer"
	}
	for r := range p.stated().Get("regions").Each() {
		for _, name := range []string{"label", "source_url", "last_verified", "notes", "data_controls"} {
			if n := r.Get(name); n != nil {
				mv := m.moved("L28", n, "", "regions."+r.Key.Name+"."+name, "dropped")
				mv.Named = name == "data_controls"
				mv.Note = "a region of an endpoint is a name and a URL"
			}
		}
	}
}

// redirected lays a base URL over the endpoints of a provider that lower layers
// state in today's form: each keeps the path that its protocol adds.
func (m *migration) redirected(p *legacyProvider, have []call) []call {
	base := p.Table.Get("base_url")
	if base == nil {
		return nil
	}
	var more []call
	for _, low := range m.below.endpoints(p.ID) {
		protocol := low.Key.Name
		if slices.ContainsFunc(have, func(c call) bool { return c.protocol == protocol }) {
			continue
		}
		url := low.Get("url").Str()
		i := slices.IndexFunc(pathEnds, func(end string) bool { return strings.HasSuffix(url, end) })
		if i < 0 {
			m.report(diag.Diagnostic{Code: diag.FieldNotApplicable, At: base.KeyAt(), Provider: p.ID, Fields: []string{"base_url"},
				Message: "a base URL can't be laid over endpoint." + protocol + ", whose URL is whole", Got: base.Str(),
				Notes: []diag.Note{{At: low.At(), Message: "the endpoint of the lower layer"}},
				Help:  "write [provider." + p.ID + ".endpoint." + protocol + "] in a file with schema = \"1.0\""})
			continue
		}
		more = append(more, call{protocol: protocol, path: pathEnds[i], at: base})
	}
	return more
}

// pathEnds are the paths that protocols add to a base URL.
var pathEnds = []string{"/chat/completions", "/completions", "/responses", "/embeddings", "/messages", "/systemone", "/evaluate", "/decisions"}

func joinedURL(base, path string) string {
	if strings.Contains(path, "://") {
		return path
	}
	if path != "" && path[0] != '/' {
		path = "/" + path
	}
	return strings.ReplaceAll(strings.TrimSuffix(base, "/")+path, "{deployment}", "{model}")
}

// originOf is scheme://host of a URL, with its holes.
func originOf(url string) string {
	scheme, rest, ok := strings.Cut(url, "://")
	if !ok {
		return ""
	}
	if i := strings.IndexAny(rest, "/?#"); i >= 0 {
		rest = rest[:i]
	}
	return scheme + "://" + rest
}
