package dispatch

import (
	"net/http"
	"strings"

	"github.com/opcat/opcat/dispatch/wire"
	"github.com/opcat/opcat/operations"
)

// ours are headers that neither a codec nor a provider's fixed headers may write:
// they say where a request goes, how it is framed, who pays for it, or that it
// may be sent again.
var ours = map[string]bool{
	"Authorization": true, "Proxy-Authorization": true, "Proxy-Connection": true, "Cookie": true, "Host": true,
	"Content-Length": true, "Content-Encoding": true, "Transfer-Encoding": true, "Trailer": true, "Te": true,
	"Connection": true, "Keep-Alive": true, "Upgrade": true, "Expect": true,
	"Idempotency-Key": true, "X-Idempotency-Key": true,
}

// headers are those of the request but for the credential: the codec's, the
// provider's fixed ones, and what the transport itself has to say.
func headers(q wire.Request, fixed map[string]string, c operations.Credential) (http.Header, *Unsent) {
	h := make(http.Header, len(q.Header)+len(fixed)+3)
	credential := http.CanonicalHeaderKey(c.Header)
	put := func(name string, values []string) *Unsent {
		name = http.CanonicalHeaderKey(name)
		if _, twice := h[name]; twice || ours[name] || name == credential && name != "" {
			return &Unsent{Code: HeaderRefused, Message: "the header " + name + " is not the protocol's or the provider's to write"}
		}
		h[name] = values
		return nil
	}
	for name, values := range q.Header {
		if u := put(name, values); u != nil {
			return nil, u
		}
	}
	for name, value := range fixed {
		if u := put(name, []string{value}); u != nil {
			return nil, u
		}
	}
	switch encoding := h.Get("Accept-Encoding"); encoding {
	case "":
		h.Set("Accept-Encoding", "identity")
	case "gzip":
	default:
		return nil, &Unsent{Code: HeaderRefused, Message: "the answer may be asked for as it is or in gzip, not in " + wire.Bounded(encoding)}
	}
	if h.Get("User-Agent") == "" {
		h.Set("User-Agent", "opcat")
	}
	return h, nil
}

// asksGzip reports whether the answer may be compressed.
func asksGzip(h http.Header) bool { return strings.EqualFold(h.Get("Accept-Encoding"), "gzip") }
