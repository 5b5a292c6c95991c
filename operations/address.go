package operations

import (
	"net/netip"
	"regexp"
	"slices"
	"strings"

	"github.com/opcat/opcat/catalog"
	"github.com/opcat/opcat/operations/op"
)

// An address is an endpoint's URL with its holes found, and where its credential
// may go.
type address struct {
	endpoint *catalog.Endpoint
	origins  []string // of the credential, with holes; nil if there is none to send
	secret   bool     // there is a credential
	open     bool     // something but the model fills a hole of the URL
	patterns map[string]*regexp.Regexp
}

// regionHole is the hole that the region fills.
const regionHole = "region"

func addressOf(e *catalog.Endpoint, c *catalog.Credential) address {
	a := address{endpoint: e, secret: c != nil && c.Scheme != "none"}
	if a.secret {
		a.origins = c.Origins
	}
	for name := range holes(e.URL) {
		a.open = a.open || name != "model"
	}
	for name, v := range e.Variable {
		if v.Pattern == "" {
			continue
		}
		if a.patterns == nil {
			a.patterns = map[string]*regexp.Regexp{}
		}
		a.patterns[name] = regexp.MustCompile(`\A(?:` + v.Pattern + `)\z`) // a compile has read it
	}
	return a
}

// regional reports whether requests for a region have an address of their own.
func (a *address) regional(region string) bool {
	_, named := a.endpoint.Regions[region]
	return named || a.hasHole(regionHole)
}

func (a *address) hasHole(name string) bool {
	for hole := range holes(a.endpoint.URL) {
		if hole == name {
			return true
		}
	}
	return false
}

// region is the region that a request goes to; "" if nothing names one.
func (a *address) region(t *Terms) string {
	if t.Region != "" || !a.hasHole(regionHole) {
		return t.Region
	}
	if v, ok := t.Variables[regionHole]; ok {
		return v
	}
	return a.endpoint.Variable[regionHole].Default
}

// A filled address is where a request goes, and where its credential may go.
type filled struct {
	url     string
	origins []string
}

// fill fills the holes for a model and a region.
func (a *address) fill(model, region string, t *Terms) (f filled, code Code, c op.Complaint) {
	template := a.endpoint.URL
	if own, ok := a.endpoint.Regions[region]; ok {
		template = own
	}
	value := func(name string) (string, Code, op.Complaint) { return a.value(name, model, region, t) }
	if f.url, code, c = replace(template, value); code != "" {
		if code == OriginDenied && !strings.Contains(origin(template), "{"+strings.ToLower(c.Field)+"}") {
			code = NoProtocol // it fills a part of the path
		}
		return f, code, c
	}
	own := origin(f.url)
	if why := unsafe(f.url, own); why != "" {
		return f, OriginDenied, op.Complaint{Why: op.Refused, Field: "endpoint", Got: own, Note: why}
	}
	if !a.secret {
		return f, "", c
	}
	f.origins = a.origins
	if slices.ContainsFunc(a.origins, func(s string) bool { return strings.Contains(s, "{") }) {
		f.origins = make([]string, 0, len(a.origins))
		for _, o := range a.origins {
			if o, code, c = replace(o, value); code != "" {
				return f, code, c
			}
			f.origins = append(f.origins, o)
		}
	}
	if !slices.ContainsFunc(f.origins, func(o string) bool { return origin(o) == own }) {
		return f, OriginDenied, op.Complaint{Why: op.Refused, Field: "endpoint", Got: own, Allowed: f.origins, Note: "the credential may not go to that origin"}
	}
	return f, "", c
}

// value is what fills one hole, with everything escaped that could end its part
// of the URL.
func (a *address) value(name, model, region string, t *Terms) (string, Code, op.Complaint) {
	if name == "model" {
		return escape(model), "", op.Complaint{}
	}
	v, given := t.Variables[name]
	if name == regionHole && region != "" {
		v, given = region, true
	}
	known := a.endpoint.Variable[name]
	if !given {
		v = known.Default
	}
	if v == "" {
		c := op.Complaint{Why: op.Missing, Field: name}
		if known.Env != "" {
			c.Note = "its value is that of " + known.Env
		}
		return "", NoProtocol, c
	}
	fits := label(v)
	if re := a.patterns[name]; re != nil {
		fits = re.MatchString(v)
	}
	if !fits {
		c := op.Complaint{Why: op.Refused, Field: name, Got: v, Allowed: []string{"one DNS label"}, Note: "it fills a hole of the endpoint's URL"}
		if known.Pattern != "" {
			c.Allowed = []string{known.Pattern}
		}
		return "", OriginDenied, c
	}
	return escape(v), "", op.Complaint{}
}

// replace fills each hole of a template.
func replace(template string, value func(string) (string, Code, op.Complaint)) (string, Code, op.Complaint) {
	var b strings.Builder
	for {
		before, rest, found := strings.Cut(template, "{")
		name, after, closed := strings.Cut(rest, "}")
		if !found || !closed {
			b.WriteString(template)
			return b.String(), "", op.Complaint{}
		}
		v, code, c := value(name)
		if code != "" {
			return "", code, c
		}
		b.WriteString(before)
		b.WriteString(v)
		template = after
	}
}

// holes are the names in braces.
func holes(template string) func(func(string) bool) {
	return func(yield func(string) bool) {
		for {
			_, rest, found := strings.Cut(template, "{")
			name, after, closed := strings.Cut(rest, "}")
			if !found || !closed || !yield(name) {
				return
			}
			template = after
		}
	}
}

// escape percent-encodes all but what no part of a URL gives a meaning to.
func escape(s string) string {
	plain := func(c byte) bool {
		return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '-' || c == '.' || c == '_' || c == '~'
	}
	var b []byte
	for i := 0; i < len(s); i++ {
		if plain(s[i]) {
			b = append(b, s[i])
			continue
		}
		b = append(b, '%', "0123456789ABCDEF"[s[i]>>4], "0123456789ABCDEF"[s[i]&15])
	}
	return string(b)
}

// label reports whether a text is one DNS label.
func label(s string) bool {
	if s == "" || len(s) > 63 || s[0] == '-' || s[len(s)-1] == '-' {
		return false
	}
	for i := 0; i < len(s); i++ {
		c := s[i]
		if !('a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '-') {
			return false
		}
	}
	return true
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
	scheme, rest = strings.ToLower(scheme), strings.ToLower(rest)
	switch scheme {
	case "https":
		rest = strings.TrimSuffix(rest, ":443")
	case "http":
		rest = strings.TrimSuffix(rest, ":80")
	}
	return scheme + "://" + rest
}

// unsafe says why nothing may be sent to an origin; "" if it may. Plain http stays
// on the machine.
func unsafe(url, own string) string {
	scheme, host, ok := strings.Cut(own, "://")
	switch {
	case !ok || host == "" || strings.ContainsAny(host, "@%\\") || strings.ContainsAny(url, " \t\r\n"):
		return "it is not the URL of a server"
	case scheme == "https":
		return ""
	case scheme != "http":
		return "it is neither https nor http"
	case !loopback(host):
		return "plain http goes to this machine only"
	}
	return ""
}

func loopback(host string) bool {
	if i := strings.LastIndexByte(host, ':'); i >= 0 && !strings.HasSuffix(host, "]") {
		host = host[:i]
	}
	host = strings.Trim(host, "[]")
	ip, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && ip.IsLoopback()
}
