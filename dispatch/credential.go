package dispatch

import (
	"bytes"
	"net/http"
	"net/url"
	"strings"

	"github.com/opcat/opcat/operations"
)

// A secret is the value of a credential. It lives in one call, and is held by
// nothing that outlives it.
type secret string

// readSecret reads the credential from the environment: the first variable that
// is set wins. A scheme without a credential reads nothing.
func readSecret(c operations.Credential, lookup func(string) (string, bool)) (secret, *Unsent) {
	switch {
	case c.Scheme == "none":
		return "", nil
	case c.Scheme != "bearer" && c.Scheme != "header" && c.Scheme != "query":
		return "", &Unsent{Code: CredentialUnsupported, Message: "the provider takes requests signed by " + c.Scheme + ", which is not spoken here"}
	}
	for _, name := range c.Env {
		value, ok := lookup(name)
		switch {
		case !ok || value == "":
		case strings.ContainsFunc(value, func(r rune) bool { return r <= ' ' || r == 0x7f }):
			return "", &Unsent{Code: CredentialInvalid, Message: name + " holds a blank or a control character; set it to the key alone", Env: []string{name}}
		default:
			return secret(value), nil
		}
	}
	return "", &Unsent{Code: CredentialMissing, Message: "no credential: set " + strings.Join(c.Env, " or "), Env: c.Env}
}

// attach writes the credential where its scheme wants it.
func (s secret) attach(c operations.Credential, h http.Header, u *url.URL) {
	if s == "" {
		return
	}
	switch c.Scheme {
	case "bearer":
		h.Set("Authorization", "Bearer "+string(s))
	case "header":
		h.Set(c.Header, string(s))
	case "query":
		q := u.Query()
		q.Set(c.Query, string(s))
		u.RawQuery = q.Encode()
	}
}

// Below this length a value is no key, and blotting it out would hurt an answer.
const leastSecret = 8

const redacted = "[credential]"

// redactHeader blots the credential out of an answer's header. Servers repeat
// what they were sent, in errors above all; it is done before anybody reads one.
func (s secret) redactHeader(h http.Header) {
	if len(s) < leastSecret {
		return
	}
	for _, values := range h {
		for i, v := range values {
			values[i] = strings.ReplaceAll(v, string(s), redacted)
		}
	}
}

// redact blots the credential out of a body.
func (s secret) redact(body []byte) []byte {
	if len(s) < leastSecret || !bytes.Contains(body, []byte(s)) {
		return body
	}
	return bytes.ReplaceAll(body, []byte(s), []byte(redacted))
}
