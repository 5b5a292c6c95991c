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
	"net/url"
	"os"
	"sync/atomic"
	"time"
)

// A Config says how a Client connects and what it bounds. The zero Config is
// ready to use.
type Config struct {
	Timeout        time.Duration // of a whole call, from looking up the host to the last byte; 0: a minute
	ConnectTimeout time.Duration // of connecting, and again of the TLS handshake; 0: 10 seconds
	MaxHeader      int64         // bytes of an answer's header; 0: 64 KiB
	MaxBody        int64         // bytes of an answer's body, decompressed; 0: 64 MiB

	// Proxy is the way out for https, by CONNECT; nil for none. The environment is
	// never asked for one, and plain http, which goes to this machine alone, takes
	// none. It holds no password: a URL ends up in logs.
	Proxy *url.URL

	Roots  *x509.CertPool                                                    // who may vouch for a server; nil: whom the system trusts
	Lookup func(name string) (string, bool)                                  // reads the environment at each call; nil: os.LookupEnv
	Dial   func(ctx context.Context, network, addr string) (net.Conn, error) // nil: a plain connection
}

// A Client sends requests, each once. It is safe for concurrent use, and keeps
// idle connections until Close.
type Client struct {
	transport atomic.Pointer[http.Transport]
	timeout   time.Duration
	connect   time.Duration
	maxHeader int64
	maxBody   int64
	lookup    func(string) (string, bool)
}

// NewClient makes a Client. It opens nothing.
func NewClient(c Config) (*Client, error) {
	switch {
	case c.Timeout < 0 || c.ConnectTimeout < 0 || c.MaxHeader < 0 || c.MaxBody < 0:
		return nil, errors.New("dispatch: a timeout or a size of the configuration is negative; 0 means the default")
	case c.Proxy != nil && c.Proxy.User != nil:
		return nil, errors.New("dispatch: the proxy's URL holds a user; give a proxy that asks for none")
	case c.Proxy != nil && (c.Proxy.Scheme != "http" && c.Proxy.Scheme != "https" || c.Proxy.Host == ""):
		return nil, errors.New("dispatch: a proxy is an http or https URL with a host")
	}
	client := &Client{
		timeout: or(c.Timeout, time.Minute), connect: or(c.ConnectTimeout, 10*time.Second),
		maxHeader: or(c.MaxHeader, 64<<10), maxBody: or(c.MaxBody, 64<<20), lookup: c.Lookup,
	}
	if client.lookup == nil {
		client.lookup = os.LookupEnv
	}
	dial := c.Dial
	if dial == nil {
		dial = (&net.Dialer{}).DialContext
	}
	client.transport.Store(&http.Transport{
		DialContext: func(ctx context.Context, network, addr string) (net.Conn, error) {
			ctx, cancel := context.WithTimeoutCause(ctx, client.connect, errConnectTimeout)
			defer cancel()
			conn, err := dial(ctx, network, addr)
			if err != nil && context.Cause(ctx) == errConnectTimeout {
				err = errConnectTimeout
			}
			return conn, err
		},
		Proxy: func(r *http.Request) (*url.URL, error) {
			if r.URL.Scheme == "http" {
				return nil, nil
			}
			return c.Proxy, nil
		},
		TLSClientConfig:        &tls.Config{RootCAs: c.Roots, MinVersion: tls.VersionTLS12},
		TLSHandshakeTimeout:    client.connect,
		MaxResponseHeaderBytes: client.maxHeader,
		WriteBufferSize:        usualExchange, // so that a usual request is one write, and
		ReadBufferSize:         usualExchange, // what is there of an answer one read
		DisableCompression:     true,          // what a body unfolds to is bounded by us
		ForceAttemptHTTP2:      true,
		MaxIdleConns:           256,
		MaxIdleConnsPerHost:    64,
		IdleConnTimeout:        30 * time.Second,
	})
	return client, nil
}

// usualExchange holds the header and the body of most requests, and of most answers.
const usualExchange = 16 << 10

var errConnectTimeout = errors.New("connecting took too long")

// Format prints a name: connections under way are nobody's to look at.
func (c *Client) Format(s fmt.State, _ rune) { _, _ = io.WriteString(s, "dispatch.Client") }

// Close closes idle connections. Calls under way are not disturbed; later ones connect
// anew. They get a transport of their own: net/http may offer a connection of HTTP/2 a
// moment after it was closed, and a call that takes it dials once more beside the dial
// that it had already begun.
func (c *Client) Close() {
	old := c.transport.Load()
	c.transport.CompareAndSwap(old, old.Clone())
	old.CloseIdleConnections()
}

func or[N int64 | time.Duration](n, unset N) N {
	if n == 0 {
		return unset
	}
	return n
}
