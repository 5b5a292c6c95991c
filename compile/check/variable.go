package check

import (
	"regexp"
	"regexp/syntax"
	"strings"

	"github.com/opcat/opcat/compile/tree"
	"github.com/opcat/opcat/diag"
)

// Holes that need no variable: the wire id, and the region that is called.
var ownHoles = []string{"model", "region"}

// variables finds holes that nothing fills, variables that fill none, and
// variables that could fill one with the wrong thing.
func (p *provider) variables() {
	var hosts []string // the holes of all hosts
	for e := p.endpoints.First(); e != nil; e = e.Next() {
		declared := e.Get("variable")
		urls := []*tree.Node{e.Get("url")}
		for r := e.Get("regions").First(); r != nil; r = r.Next() {
			urls = append(urls, r)
		}
		var used, inHost []string
		for _, u := range urls {
			if u == nil {
				continue
			}
			inHost = append(inHost, holes(origin(u.Str()))...)
			hosts = append(hosts, inHost...)
			for _, hole := range holes(u.Str()) {
				used = append(used, hole)
				if !contains(ownHoles, hole) && declared.Get(hole) == nil {
					p.undeclared(u, e, hole)
				}
			}
		}
		for v := declared.First(); v != nil; v = v.Next() {
			if !contains(used, v.Name()) && !legacy(v) {
				p.add(diag.Diagnostic{Code: diag.VariableUnused, Warning: true, At: v.KeyAt(), Message: "no URL of the endpoint has a hole {" + v.Name() + "}", Got: v.Name(),
					Help: "remove the variable, or write the hole"})
			}
			p.variable(v, contains(inHost, v.Name()))
		}
	}
	for o := p.credential.Get("origins").First(); o != nil && p.endpoints.First() != nil; o = o.Next() {
		for _, hole := range holes(o.Str()) {
			if !contains(hosts, hole) {
				d := diag.Diagnostic{Code: diag.VariableUndeclared, At: o.At(), Message: "no endpoint has the hole {" + hole + "} in its host, so this origin is never dialled", Got: "{" + hole + "}", Allowed: hosts,
					Help: "an origin has the holes of the URL"}
				if near, ok := diag.Nearest(hole, hosts); ok {
					d.Help = "did you mean {" + near + "}?"
				}
				p.add(d)
			}
		}
	}
}

func (p *provider) undeclared(u, endpoint *tree.Node, hole string) {
	names := append([]string{}, ownHoles...)
	for v := endpoint.Get("variable").First(); v != nil; v = v.Next() {
		names = append(names, v.Name())
	}
	d := diag.Diagnostic{Code: diag.VariableUndeclared, At: u.At(), Message: "nothing fills the hole {" + hole + "}", Got: "{" + hole + "}", Allowed: names,
		Help: "add variable." + hole + ` = { env = "..." } to the endpoint`}
	if near, ok := diag.Nearest(hole, names); ok {
		d.Help = "did you mean {" + near + "}?"
	}
	p.add(d)
}

// variable looks at one variable; inHost says that it fills a part of a host.
func (p *provider) variable(v *tree.Node, inHost bool) {
	invalid := func(at *tree.Node, message, help string) {
		d := diag.Diagnostic{Code: diag.VariableInvalid, At: at.At(), Message: message, Got: at.Str(), Help: help}
		if at == v {
			d.At = v.KeyAt()
		}
		p.add(d)
	}
	env, std, pattern := v.Get("env"), v.Get("default"), v.Get("pattern")
	switch {
	case v.Name() == "model":
		invalid(v, "{model} is the wire id and takes no variable", "give the variable another name")
		return
	case env == nil && std == nil && v.Name() != "region" && !p.Broken && !legacy(v): // format 0 named no variable
		invalid(v, "the variable "+quote(v.Name())+" has neither env nor default, so it is never filled", `add env = "..."`)
	}
	fits := func(s string) bool { return label(s) }
	if pattern != nil {
		_, err := regexp.Compile(pattern.Str())
		switch {
		case err != nil:
			invalid(pattern, "the pattern is no regular expression: "+strings.TrimPrefix(err.Error(), "error parsing regexp: "), "")
			return
		case inHost && !onlyHostBytes(pattern.Str()):
			invalid(pattern, "the pattern lets through more than a host name may hold, and the variable fills a part of the host", "allow letters, digits, hyphens and dots only, as in [a-z0-9-]{1,63}")
			return
		}
		fits = regexp.MustCompile(`\A(?:` + pattern.Str() + `)\z`).MatchString
	}
	if std != nil && !fits(std.Str()) {
		d := diag.Diagnostic{Code: diag.VariableInvalid, At: std.At(), Message: "the default does not fit the variable: it is not one DNS label", Got: std.Str(), Help: "mend the default, or add a pattern"}
		if pattern != nil {
			d.Message = "the default does not fit the variable's pattern"
			d.Allowed, d.Notes = []string{pattern.Str()}, note(pattern, "the pattern")
			d.Help = "mend one of the two"
		}
		p.add(d)
	}
}

// keysInHoles finds variables that would write a provider's key into a URL.
func (p *provider) keysInHoles() {
	for e := p.endpoints.First(); e != nil; e = e.Next() {
		for v := e.Get("variable").First(); v != nil; v = v.Next() {
			env := v.Get("env")
			if env == nil || v.Name() == "model" {
				continue
			}
			if owner, n := p.credentialOf(env.Str()); n != nil {
				p.add(diag.Diagnostic{Code: diag.VariableInvalid, At: env.At(), Message: env.Str() + " holds a credential of " + quote(owner) + " and may not fill a hole of a URL", Got: env.Str(),
					Notes: note(n, "the credential's variable"), Help: "name another environment variable"})
			}
		}
	}
}

// credentialOf finds which provider's key an environment variable holds. What the
// chains of the clouds read also names regions and projects, which are no secret.
func (p *provider) credentialOf(env string) (owner string, at *tree.Node) {
	for _, q := range p.draft.Providers {
		cred := q.Table.Get("credential")
		if s := cred.Get("scheme").Str(); s == "aws_sigv4" || s == "gcp_adc" {
			continue
		}
		for n := cred.Get("env").First(); n != nil; n = n.Next() {
			if n.Str() == env {
				return q.ID, n
			}
		}
	}
	return "", nil
}

// holes are the names in braces.
func holes(url string) []string {
	var names []string
	for {
		_, rest, ok := strings.Cut(url, "{")
		if !ok {
			return names
		}
		name, after, ok := strings.Cut(rest, "}")
		if !ok {
			return names
		}
		names = append(names, name)
		url = after
	}
}

// label reports whether a text is one DNS label.
func label(s string) bool {
	if s == "" || len(s) > 63 || s[0] == '-' || s[len(s)-1] == '-' {
		return false
	}
	for i := 0; i < len(s); i++ {
		if c := s[i]; !hostByte(rune(c)) || c == '.' {
			return false
		}
	}
	return true
}

func hostByte(r rune) bool {
	return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' || r == '.'
}

// onlyHostBytes reports whether everything that a pattern matches is made of what
// a host name may hold, so that no slash, colon or at sign moves the origin.
func onlyHostBytes(pattern string) bool {
	re, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		return false
	}
	var ok func(*syntax.Regexp) bool
	ok = func(re *syntax.Regexp) bool {
		switch re.Op {
		case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
			return false
		case syntax.OpLiteral:
			for _, r := range re.Rune {
				if !hostByte(r) || re.Flags&syntax.FoldCase != 0 && (r == 'k' || r == 'K' || r == 's' || r == 'S') { // they fold to letters beyond ASCII
					return false
				}
			}
		case syntax.OpCharClass:
			for i := 0; i+1 < len(re.Rune); i += 2 {
				if re.Rune[i+1]-re.Rune[i] > 64 {
					return false
				}
				for r := re.Rune[i]; r <= re.Rune[i+1]; r++ {
					if !hostByte(r) {
						return false
					}
				}
			}
		}
		for _, sub := range re.Sub {
			if !ok(sub) {
				return false
			}
		}
		return true
	}
	return ok(re)
}
