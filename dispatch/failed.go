package dispatch

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"syscall"

	"github.com/opcat/opcat/dispatch/wire"
)

var errDeadline = errors.New("the deadline of the call passed")

// failed says in our words why no whole answer arrived. The error's own text is
// not passed on where it could hold a URL, and with it a credential.
func (c *Client) failed(ctx context.Context, err error) *wire.Failure {
	f := &wire.Failure{Kind: wire.TransportFailed}
	var (
		dns         *net.DNSError
		certificate *tls.CertificateVerificationError
		op          *net.OpError
		record      tls.RecordHeaderError
		timeout     net.Error
	)
	switch cause := context.Cause(ctx); {
	case cause == errDeadline:
		f.Kind, f.Message = wire.TimedOut, fmt.Sprintf("no whole answer within %v", c.timeout)
	case errors.Is(cause, context.DeadlineExceeded):
		f.Kind, f.Message = wire.TimedOut, "no whole answer before the caller's deadline"
	case cause != nil:
		f.Kind, f.Message = wire.Cancelled, "the caller gave up"
	case errors.Is(err, errConnectTimeout):
		f.Kind, f.Message = wire.TimedOut, fmt.Sprintf("no connection within %v", c.connect)
	case errors.As(err, &dns):
		f.Message = "the host " + wire.Bounded(dns.Name) + " cannot be looked up"
		if dns.IsNotFound {
			f.Message = "there is no host " + wire.Bounded(dns.Name)
		}
	case errors.As(err, &certificate):
		f.Message = "the server's certificate is not trusted: " + distrust(certificate.Err)
	case errors.As(err, &record):
		f.Message = "the server does not speak TLS"
	case errors.As(err, &op) && op.Op == "dial":
		f.Message = "no connection" + errno(op.Err)
	case errors.As(err, &timeout) && timeout.Timeout():
		f.Kind, f.Message = wire.TimedOut, fmt.Sprintf("no TLS handshake within %v", c.connect)
	case strings.Contains(err.Error(), "response header"):
		f.Kind, f.Message = wire.BodyLimit, fmt.Sprintf("the answer's header is larger than %d bytes, or broken", c.maxHeader)
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		f.Message = "the connection ended before the whole answer"
	default:
		f.Message = "the exchange broke off" + errno(err)
	}
	return f
}

// errno names the operating system's reason, where it has one.
func errno(err error) string {
	if n, ok := errors.AsType[syscall.Errno](err); ok {
		return ": " + n.Error()
	}
	return ""
}

// distrust says why a certificate is not taken.
func distrust(err error) string {
	var (
		host      x509.HostnameError
		authority x509.UnknownAuthorityError
		invalid   x509.CertificateInvalidError
	)
	switch {
	case errors.As(err, &host):
		return "it is another host's"
	case errors.As(err, &authority):
		return "nobody that is trusted vouches for it"
	case errors.As(err, &invalid) && invalid.Reason == x509.Expired:
		return "it has expired, or is not valid yet"
	}
	return "it is not valid"
}

// requestID is the name that servers commonly give a call in a header.
func requestID(h http.Header) string {
	for _, name := range []string{"X-Request-Id", "Request-Id"} {
		if id := h.Get(name); id != "" {
			return wire.Bounded(id)
		}
	}
	return ""
}
