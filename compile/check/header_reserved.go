package check

import (
	"strings"

	"github.com/opcat/opcat/diag"
)

// reserved are headers that a codec, the credential or the transport writes. The
// key's own spelling is the decoder's business; what a name means is checked here.
var reserved = map[string]string{
	"authorization": "the credential writes it", "proxy-authorization": "no proxy is used", "cookie": "no session is kept", "set-cookie": "it is an answer's",
	"host": "the URL says it", "content-length": "the transport writes it", "content-type": "the codec writes it", "content-encoding": "bodies are sent as they are",
	"accept": "the codec writes it", "accept-encoding": "the transport writes it", "transfer-encoding": "the transport writes it", "connection": "the transport writes it",
	"te": "the transport writes it", "trailer": "the transport writes it", "upgrade": "the transport writes it", "expect": "the transport writes it",
	"keep-alive": "the transport writes it", "proxy-connection": "no proxy is used",
	"anthropic-version": "the codec writes it from the endpoint's api_version",
}

// reservedHeaders finds fixed headers that would overwrite what the request
// itself says, or carry a credential past its origins. Values are never shown:
// they may be secrets. Every header is judged, and none is dropped.
func (p *provider) reservedHeaders() {
	headers := p.Table.Get("headers")
	field := p.credential.Get("header")
	for h := headers.First(); h != nil; h = h.Next() {
		name := strings.ToLower(h.Name())
		why := reserved[name]
		d := diag.Diagnostic{Code: diag.HeaderReserved, At: h.KeyAt(), Got: h.Name(), Help: "remove it"}
		switch {
		case field != nil && strings.EqualFold(field.Str(), name):
			d.Message = quote(h.Name()) + " is the header that the credential rides in"
			d.Notes = note(field, "the credential's header")
			p.add(d)
		case why != "":
			d.Message = quote(h.Name()) + " is reserved: " + why
			if name == "anthropic-version" {
				d.Help = "write api_version in the endpoint"
			}
			p.add(d)
		}
	}
}
