package dispatch

import (
	"net"
	"net/netip"
	"net/url"
	"slices"
	"strings"

	"github.com/opcat/opcat/operations"
)

// mayGo refuses a URL, u as it is spelt, that leads elsewhere than where the request
// was admitted to go, or where its credential may not be sent. It is judged before
// anything is opened, and before the credential is read.
func mayGo(u *url.URL, spelt, admitted string, c operations.Credential) *operations.Refusal {
	to := origin(u)
	r := &operations.Refusal{Code: operations.OriginDenied, Field: "origin", Got: to}
	switch {
	case u.User != nil || u.Host == "" || u.Opaque != "":
		r.Message, r.Got = "the URL is not a plain one", ""
	case spelt != admitted && to != originOf(admitted):
		r.Message, r.Allowed = "the protocol leads to another origin than the one that was admitted", []string{originOf(admitted)}
	case u.Scheme != "https" && !(u.Scheme == "http" && local(u.Hostname())):
		r.Message = "plain http goes to this machine alone"
	case c.Scheme != "none" && !slices.Contains(c.Origins, u.Scheme+"://"+u.Host) && // nearly all are spelt alike
		!slices.ContainsFunc(c.Origins, func(o string) bool { return originOf(o) == to }):
		r.Message, r.Allowed = "the credential may not be sent to this origin", c.Origins
	default:
		return nil
	}
	return r
}

// origin is the scheme, host and port of a URL in one spelling.
func origin(u *url.URL) string {
	port := u.Port()
	switch {
	case port != "":
	case u.Scheme == "https":
		port = "443"
	case u.Scheme == "http":
		port = "80"
	}
	return u.Scheme + "://" + net.JoinHostPort(strings.ToLower(strings.TrimSuffix(u.Hostname(), ".")), port)
}

// originOf is the origin of a URL that is text; "" if it has none.
func originOf(text string) string {
	u, err := url.Parse(text)
	if err != nil || u.Host == "" {
		return ""
	}
	return origin(u)
}

// local reports whether a host is this machine by its name alone.
func local(host string) bool {
	if strings.EqualFold(host, "localhost") {
		return true
	}
	ip, err := netip.ParseAddr(host)
	return err == nil && ip.IsLoopback()
}
