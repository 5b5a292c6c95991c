package dispatch

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"strconv"
	"sync/atomic"

	"github.com/opcat/opcat/dispatch/wire"
	"github.com/opcat/opcat/operations"
)

// A parcel is a request that is ready but for its credential.
type parcel struct {
	url        *url.URL
	header     http.Header
	body       []byte
	credential operations.Credential
}

// watched counts what happens to one request, however often the transport below
// would have it happen.
type watched struct {
	connections atomic.Int32 // that the request was given
	starts      atomic.Int32 // of the request itself: its header was written
}

func (w *watched) trace() *httptrace.ClientTrace {
	return &httptrace.ClientTrace{
		GotConn:      func(httptrace.GotConnInfo) { w.connections.Add(1) },
		WroteHeaders: func() { w.starts.Add(1) },
	}
}

// attempts is how many requests went out. With a connection it is one at least:
// what was written of it is not known.
func (w *watched) attempts() int {
	if w.connections.Load() == 0 {
		return 0
	}
	return max(1, int(w.starts.Load()))
}

// exchange sends a parcel once and reads the answer. The report says how far it
// came, whatever the failure.
func (c *Client) exchange(ctx context.Context, p parcel, key secret) (r wire.Response, report Report, failure *wire.Failure) {
	ctx, cancel := context.WithTimeoutCause(ctx, c.timeout, errDeadline)
	defer cancel()
	var w watched
	defer func() {
		report.Attempts, report.Boundary, report.Status = w.attempts(), Sent, r.Status
		switch {
		case report.Attempts == 0:
			report.Boundary, report.Proof = NeverConnected, NotDispatched{true}
		case failure == nil:
			report.Boundary = Complete
		}
		if report.Attempts > 1 {
			failure = &wire.Failure{Kind: wire.HiddenAttempts, Status: r.Status, Message: "the request went out " + strconv.Itoa(report.Attempts) + " times"}
		}
	}()
	// The transport alone: it follows no redirect and keeps no cookies.
	response, err := c.transport.Load().RoundTrip(p.request(httptrace.WithClientTrace(ctx, w.trace()), key))
	if err != nil {
		return r, report, c.failed(ctx, err)
	}
	defer response.Body.Close()
	r.Status, r.Header = response.StatusCode, response.Header
	key.redactHeader(r.Header)
	if s := response.StatusCode; s < 200 || s >= 300 && s < 400 {
		return r, report, unfollowed(s)
	}
	if r.Body, failure = c.readBody(response, asksGzip(p.header)); failure != nil {
		return r, report, failure
	}
	r.Body = key.redact(r.Body)
	return r, report, nil
}

// request is the parcel as net/http sends it: once. There is no GetBody to make its
// body again; without one neither a lost connection nor a refused stream of HTTP/2 is
// tried again. NopCloser hides the reader from http.NewRequest, which would set one,
// and not from the transport, which sends header and body of such a reader together.
func (p parcel) request(ctx context.Context, key secret) *http.Request {
	u, h := *p.url, p.header.Clone()
	key.attach(p.credential, h, &u)
	body := io.NopCloser(bytes.NewReader(p.body))
	r, _ := http.NewRequestWithContext(ctx, http.MethodPost, "", body) // the method is valid, and so is no URL
	r.URL, r.Host, r.Header, r.ContentLength = &u, u.Host, h, int64(len(p.body))
	return r
}

// unfollowed is an answer that sends the caller elsewhere.
func unfollowed(status int) *wire.Failure {
	if status < 200 {
		return &wire.Failure{Kind: wire.TransportFailed, Status: status, Message: "HTTP " + strconv.Itoa(status) + ": the server wants to speak another protocol"}
	}
	return &wire.Failure{Kind: wire.RedirectRefused, Status: status,
		Message: "HTTP " + strconv.Itoa(status) + ": the server points elsewhere; nothing was sent there"}
}
