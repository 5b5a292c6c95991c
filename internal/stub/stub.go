// Package stub is a server on this machine that counts what reaches it, so that a
// test can say: nothing was sent, or exactly one request was.
//
// A client is led to it by its dialer, whatever host it means to reach; over TLS
// the stub shows a certificate for that host, which Roots vouches for. It keeps
// each request with its body. It is not a model of any vendor: what it answers is
// the test's to say.
package stub

import (
	"bufio"
	"bytes"
	"context"
	"crypto/tls"
	"io"
	"net"
	"net/http"
	"sync"
	"testing"
)

// A Request is one that arrived, read to its end.
type Request struct {
	Method string
	Scheme string // http or https
	Host   string
	URI    string // path and query
	Header http.Header
	Body   []byte
}

// A Server counts connections and requests.
type Server struct {
	listener net.Listener
	tls      bool

	mu          sync.Mutex
	connections int
	requests    []Request
	forget      bool
	count       int
	open        map[net.Conn]bool
}

// New answers over plain HTTP, at URL.
func New(t testing.TB, answer http.HandlerFunc) *Server {
	return serve(t, nil, answer)
}

// NewTLS answers over TLS for whatever host is asked for, in HTTP/2 or HTTP/1.1 as
// the client likes.
func NewTLS(t testing.TB, answer http.HandlerFunc) *Server {
	return serve(t, []string{"h2", "http/1.1"}, answer)
}

// NewTLS1 is NewTLS in HTTP/1.1 alone.
func NewTLS1(t testing.TB, answer http.HandlerFunc) *Server {
	return serve(t, []string{"http/1.1"}, answer)
}

// Raw hands each request over with its connection, for answers that no proper
// server gives. The connection serves further requests until it is closed.
func Raw(t testing.TB, answer func(net.Conn, *http.Request)) *Server {
	s := listen(t, nil)
	s.each(func(c net.Conn) {
		for in := bufio.NewReader(c); ; {
			r, err := http.ReadRequest(in)
			if err != nil {
				return
			}
			s.note(r)
			answer(c, r)
		}
	})
	return s
}

// Frames hands over each connection of HTTP/2 as it is after the TLS handshake.
func Frames(t testing.TB, talk func(net.Conn)) *Server {
	s := listen(t, []string{"h2"})
	s.each(talk)
	return s
}

// Silent accepts connections and never says a word.
func Silent(t testing.TB) *Server {
	s := listen(t, nil)
	s.each(func(c net.Conn) { _, _ = io.Copy(io.Discard, c) })
	return s
}

func serve(t testing.TB, protocols []string, answer http.HandlerFunc) *Server {
	s := listen(t, protocols)
	server := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.note(r)
		answer(w, r)
	})}
	go func() { _ = server.Serve(s.listener) }() // ends when the listener does
	t.Cleanup(func() { _ = server.Close() })
	return s
}

func listen(t testing.TB, protocols []string) *Server {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := &Server{tls: protocols != nil, open: map[net.Conn]bool{}}
	s.listener = counted{l, s}
	if s.tls {
		s.listener = tls.NewListener(s.listener, &tls.Config{NextProtos: protocols, GetCertificate: certificate})
	}
	t.Cleanup(func() { _ = l.Close() })
	return s
}

// each serves every connection in a goroutine of its own, and closes those that
// are left when the test ends.
func (s *Server) each(talk func(net.Conn)) {
	go func() {
		for {
			c, err := s.listener.Accept()
			if err != nil {
				s.mu.Lock()
				defer s.mu.Unlock()
				for c := range s.open {
					_ = c.Close()
				}
				return
			}
			go func() {
				talk(c)
				_ = c.Close()
			}()
		}
	}()
}

// counted is a listener that counts what it accepts.
type counted struct {
	net.Listener
	s *Server
}

func (c counted) Accept() (net.Conn, error) {
	conn, err := c.Listener.Accept()
	if err == nil {
		c.s.mu.Lock()
		c.s.connections++
		c.s.open[conn] = true
		c.s.mu.Unlock()
	}
	return conn, err
}

func (s *Server) note(r *http.Request) {
	body, _ := io.ReadAll(r.Body) // what arrived of it
	r.Body = io.NopCloser(bytes.NewReader(body))
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.count++; s.forget {
		s.requests = s.requests[:0]
	}
	scheme := "http"
	if s.tls {
		scheme = "https"
	}
	s.requests = append(s.requests, Request{r.Method, scheme, r.Host, r.RequestURI, r.Header.Clone(), body})
}

// Forget keeps only the last request from now on, for tests with very many.
func (s *Server) Forget() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.forget = true
}

// Connections is how many were accepted.
func (s *Server) Connections() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.connections
}

// Requests is how many arrived.
func (s *Server) Requests() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.count
}

// Last is the last request; the zero Request if there was none.
func (s *Server) Last() Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.requests) == 0 {
		return Request{}
	}
	return s.requests[len(s.requests)-1]
}

// Addr is where the server listens, host and port.
func (s *Server) Addr() string { return s.listener.Addr().String() }

// URL is the address of a path.
func (s *Server) URL(path string) string {
	if s.tls {
		return "https://" + s.Addr() + path
	}
	return "http://" + s.Addr() + path
}

// Dial leads every connection here, whoever it was meant for.
func (s *Server) Dial(ctx context.Context, network, _ string) (net.Conn, error) {
	var d net.Dialer
	return d.DialContext(ctx, network, s.Addr())
}
