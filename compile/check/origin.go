package check

import (
	"strings"

	"github.com/opcat/opcat/compile/tree"
	"github.com/opcat/opcat/diag"
)

// origins finds endpoints that a credential may not be sent to, and origins that
// a variable could turn into anybody's. A changed URL must not take a key along
// to another host.
func (p *provider) origins() {
	allowed := p.credential.Get("origins")
	for o := allowed.First(); o != nil; o = o.Next() {
		p.fixedDomain(o)
	}
	for e := p.endpoints.First(); e != nil; e = e.Next() {
		p.mayGo(e.Get("url"), allowed)
		for r := e.Get("regions").First(); r != nil; r = r.Next() {
			p.mayGo(r, allowed)
		}
	}
	if h := p.Table.Get("healthcheck").Get("url"); h != nil && !p.legacy {
		p.mayGo(h, allowed)
	}
}

func (p *provider) mayGo(url, allowed *tree.Node) {
	if url == nil {
		return
	}
	if allowed == nil {
		if p.scheme() == "none" {
			p.fixedDomain(url)
		}
		return // without a list MISSING_KEY says so
	}
	own := origin(url.Str())
	var may []string
	for o := allowed.First(); o != nil; o = o.Next() {
		if origin(o.Str()) == own {
			return
		}
		may = append(may, o.Str())
	}
	p.add(diag.Diagnostic{Code: diag.OriginNotAllowed, At: url.At(), Message: "the credential may not be sent to " + quote(own), Got: own, Allowed: may,
		Notes: note(allowed, "the origins of the credential"), Help: "mend the URL; if the key may go there, add the origin to credential.origins"})
}

// fixedDomain finds origins whose fixed part does not name a domain: a hole may
// vary what is left of one, never the host as a whole.
func (p *provider) fixedDomain(n *tree.Node) {
	own := origin(n.Str())
	last := strings.LastIndexByte(own, '}')
	if last < 0 {
		return
	}
	rest := own[last+1:] // what is fixed after the last hole
	_, domain, ok := strings.Cut(rest, ".")
	host, _, _ := strings.Cut(domain, ":")
	scheme := strings.IndexByte(own, '{') < strings.Index(own, "://")
	if ok && !scheme && strings.Contains(host, ".") && !strings.HasSuffix(host, ".") {
		return
	}
	p.add(diag.Diagnostic{Code: diag.OriginTooOpen, At: n.At(), Message: "a variable decides more of this host than what stands left of a fixed domain", Got: own,
		Allowed: []string{"https://{name}.example.com"}, Help: "write the domain out; a whole host is written in a host or user layer"})
}

// origin is the scheme, host and port of a URL, in one spelling.
func origin(url string) string {
	scheme, rest, ok := strings.Cut(url, "://")
	if !ok {
		return url
	}
	if i := strings.IndexAny(rest, "/?#"); i >= 0 {
		rest = rest[:i]
	}
	rest = strings.TrimSuffix(lowerFixed(rest), map[string]string{"https": ":443", "http": ":80"}[scheme])
	return scheme + "://" + rest
}

// lowerFixed lowers a host's letters, but not those of a hole's name.
func lowerFixed(host string) string {
	if !strings.ContainsRune(host, '{') {
		return strings.ToLower(host)
	}
	before, rest, _ := strings.Cut(host, "{")
	name, after, _ := strings.Cut(rest, "}")
	return strings.ToLower(before) + "{" + name + "}" + lowerFixed(after)
}
