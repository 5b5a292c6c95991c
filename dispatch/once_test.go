package dispatch

import (
	"context"
	"encoding/binary"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/opcat/opcat/dispatch/wire"
	"github.com/opcat/opcat/internal/stub"
)

// One admitted request is one request on the wire, with the credential where the
// scheme wants it and nothing that would have it sent again.
func TestOneRequest(t *testing.T) {
	cases := []struct {
		route, host, uri, header, value string
	}{
		{"bearer/embed-1", "api.bearer.example", "/v1/embeddings", "Authorization", "Bearer " + canary},
		{"header/embed-1", "api.header.example", "/v1/embeddings", "X-Api-Key", canary},
		{"query/embed-1", "api.query.example", "/v1/embeddings?key=" + canary + "&v=1", "Authorization", ""},
		{"local/embed-1", "localhost:8080", "/v1/embeddings", "Authorization", ""},
	}
	for _, c := range cases {
		t.Run(c.route, func(t *testing.T) {
			s := stub.NewTLS(t, answering("embed-1"))
			if c.host == "localhost:8080" {
				s = stub.New(t, answering("embed-1"))
			}
			answer, report, err := send(t.Context(), newClient(t, s), admit(t, c.route))
			if err != nil {
				t.Fatal(err)
			}
			if s.Connections() != 1 || s.Requests() != 1 || report.Attempts != 1 || report.Boundary != Complete || report.Status != 200 || report.Proof.Valid() {
				t.Errorf("%d connections, %d requests, report %+v", s.Connections(), s.Requests(), report)
			}
			if v := answer.Result.Vectors; len(v) != 1 || v[0].Floats[0] != 0.5 {
				t.Errorf("answer %+v", answer)
			}
			r := s.Last()
			if r.Method != http.MethodPost || r.Host != c.host || r.URI != c.uri || r.Header.Get(c.header) != c.value {
				t.Errorf("%s https://%s%s with %s: %q", r.Method, r.Host, r.URI, c.header, r.Header.Get(c.header))
			}
			if got := string(r.Body); got != `{"model":"embed-1","input":["hello"],"encoding_format":"float"}` {
				t.Errorf("body %s", got)
			}
			for _, name := range []string{"Idempotency-Key", "X-Idempotency-Key", "Expect", "Cookie"} {
				if v := r.Header.Values(name); len(v) > 0 {
					t.Errorf("%s: %q was sent", name, v)
				}
			}
			if r.Header.Get("Accept-Encoding") != "identity" {
				t.Errorf("Accept-Encoding: %q", r.Header.Get("Accept-Encoding"))
			}
			if team := r.Header.Get("X-Team"); (team == "blue") != (c.route == "bearer/embed-1") {
				t.Errorf("X-Team: %q", team)
			}
		})
	}
}

// D21: a redirect is not followed, and the server it points to sees nothing.
func TestRedirectIsRefused(t *testing.T) {
	second := stub.New(t, answering("embed-1"))
	both := func(c *Config) { // the vendor is the first server, everybody else is who they say
		first := c.Dial
		c.Dial = func(ctx context.Context, network, addr string) (net.Conn, error) {
			if strings.HasSuffix(addr, ".example:443") {
				return first(ctx, network, addr)
			}
			return (&net.Dialer{}).DialContext(ctx, network, addr)
		}
	}
	var to atomic.Value
	first := stub.NewTLS(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/again" {
			answering("embed-1")(w, r)
			return
		}
		target := strings.Split(to.Load().(string), " ")
		w.Header().Set("Location", target[1])
		w.WriteHeader(map[string]int{"301": 301, "302": 302, "303": 303, "307": 307, "308": 308, "300": 300}[target[0]])
	})
	for _, target := range []string{
		"307 " + second.URL("/v1/embeddings"), "303 " + second.URL("/v1/embeddings"), "302 " + second.URL("/"), "301 " + second.URL("/"), "308 " + second.URL("/"),
		"302 /again", "303 /again", "307 /again", "300 /again",
	} {
		for _, route := range []string{"bearer/embed-1", "header/embed-1", "query/embed-1"} {
			to.Store(target)
			before := first.Requests()
			_, report, err := send(t.Context(), newClient(t, first, both), admit(t, route))
			if n := second.Connections(); n != 0 {
				t.Fatalf("%s %s: the other server has %d connections", target, route, n)
			}
			if n := first.Requests() - before; n != 1 {
				t.Fatalf("%s %s: %d requests", target, route, n)
			}
			if f, ok := err.(*wire.Failure); !ok || f.Kind != wire.RedirectRefused || report.Attempts != 1 || report.Boundary != Sent {
				t.Errorf("%s %s: %v, %+v", target, route, err, report)
			}
		}
	}
}

// frames speaks just enough of HTTP/2 to answer each request with frames that ask
// a client to try again.
func frames(requests *atomic.Int32, answer func(stream uint32) []byte) func(net.Conn) {
	return func(c net.Conn) {
		if _, err := io.ReadFull(c, make([]byte, len("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"))); err != nil {
			return
		}
		_, _ = c.Write([]byte{0, 0, 0, 4, 0, 0, 0, 0, 0}) // our settings: the defaults
		for {
			var head [9]byte
			if _, err := io.ReadFull(c, head[:]); err != nil {
				return
			}
			if _, err := io.CopyN(io.Discard, c, int64(head[0])<<16|int64(head[1])<<8|int64(head[2])); err != nil {
				return
			}
			switch kind, flags := head[3], head[4]; {
			case kind == 1: // HEADERS
				requests.Add(1)
				_, _ = c.Write(answer(binary.BigEndian.Uint32(head[5:])))
			case kind == 4 && flags == 0: // SETTINGS: acknowledged
				_, _ = c.Write([]byte{0, 0, 0, 4, 1, 0, 0, 0, 0})
			}
		}
	}
}

// What HTTP/2 lets a server ask for, a second try on the same or a new connection,
// it does not get.
func TestNothingIsReplayedOverHTTP2(t *testing.T) {
	stream := func(id uint32, kind byte, code uint32) []byte {
		b := binary.BigEndian.AppendUint32([]byte{0, 0, 4, kind, 0}, id)
		return binary.BigEndian.AppendUint32(b, code)
	}
	for name, answer := range map[string]func(uint32) []byte{
		"REFUSED_STREAM": func(id uint32) []byte { return stream(id, 3, 7) },
		"PROTOCOL_ERROR": func(id uint32) []byte { return stream(id, 3, 1) },
		"GOAWAY before the stream": func(uint32) []byte { // last stream 0, no error
			return append(binary.BigEndian.AppendUint32([]byte{0, 0, 8, 7, 0}, 0), 0, 0, 0, 0, 0, 0, 0, 0)
		},
	} {
		t.Run(name, func(t *testing.T) {
			var requests atomic.Int32
			s := stub.Frames(t, frames(&requests, answer))
			_, report, err := send(t.Context(), newClient(t, s), admit(t, "bearer/embed-1"))
			if n := requests.Load(); n != 1 {
				t.Fatalf("%d requests reached the server, %d connections; report %+v", n, s.Connections(), report)
			}
			wantFailure(t, s, report, err, wire.TransportFailed)
		})
	}
}

// A call over HTTP/2 is one request too.
func TestHTTP2IsSpoken(t *testing.T) {
	s := stub.NewTLS(t, func(w http.ResponseWriter, r *http.Request) {
		if r.ProtoMajor != 2 {
			t.Errorf("spoke %s", r.Proto)
		}
		answering("embed-1")(w, r)
	})
	c := newClient(t, s)
	for range 3 {
		if _, report, err := send(t.Context(), c, admit(t, "bearer/embed-1")); err != nil || report.Attempts != 1 {
			t.Fatal(err, report)
		}
	}
	if s.Connections() != 1 || s.Requests() != 3 {
		t.Errorf("%d connections, %d requests", s.Connections(), s.Requests())
	}
}

// A connection that was kept and that the server then drops is not tried again:
// the request may have been read.
func TestStaleConnectionIsNotReplayed(t *testing.T) {
	var requests atomic.Int32
	s := stub.Raw(t, func(c net.Conn, r *http.Request) {
		if requests.Add(1) == 2 {
			_ = c.Close()
			return
		}
		body := vector("embed-1")
		_, _ = io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-Length: "+itoa(len(body))+"\r\n\r\n"+body)
	})
	c := newClient(t, s)
	a := admit(t, "local/embed-1")
	if _, _, err := send(t.Context(), c, a); err != nil {
		t.Fatal(err)
	}
	_, report, err := send(t.Context(), c, a)
	if n := s.Requests(); n != 2 {
		t.Fatalf("%d requests for two calls", n)
	}
	wantFailure(t, s, report, err, wire.TransportFailed)
	if _, _, err := send(t.Context(), c, a); err != nil || s.Connections() != 2 {
		t.Errorf("the next call: %v, %d connections", err, s.Connections())
	}
}

// A proxy comes from the configuration alone.
func TestProxyOfTheEnvironmentIsIgnored(t *testing.T) {
	proxy := stub.New(t, func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(http.StatusBadGateway) })
	for _, name := range []string{"HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy"} {
		t.Setenv(name, proxy.URL(""))
	}
	t.Setenv("NO_PROXY", "")
	s := stub.NewTLS(t, answering("embed-1"))
	if _, _, err := send(t.Context(), newClient(t, s), admit(t, "bearer/embed-1")); err != nil || proxy.Connections() != 0 {
		t.Errorf("%v; %d connections to the proxy", err, proxy.Connections())
	}

	// One that is configured is asked to connect, and never sees the credential or
	// plain http.
	through, err := url.Parse(proxy.URL(""))
	if err != nil {
		t.Fatal(err)
	}
	direct := func(c *Config) { c.Proxy, c.Dial = through, nil }
	_, report, err := send(t.Context(), newClient(t, s, direct), admit(t, "bearer/embed-1"))
	if f, ok := err.(*wire.Failure); !ok || f.Kind != wire.TransportFailed || report.Boundary != NeverConnected || !report.Proof.Valid() {
		t.Errorf("%v, %+v", err, report)
	}
	if r := proxy.Last(); proxy.Requests() != 1 || r.Method != http.MethodConnect || r.Header.Get("Authorization") != "" || len(r.Body) > 0 {
		t.Errorf("the proxy saw %+v", r)
	}
	plain := stub.New(t, answering("embed-1"))
	if _, _, err := send(t.Context(), newClient(t, plain, func(c *Config) { c.Proxy = through }), admit(t, "local/embed-1")); err != nil || proxy.Requests() != 1 {
		t.Errorf("%v; %d requests to the proxy", err, proxy.Requests())
	}
	for _, bad := range []string{"http://user:secret@proxy.example", "socks5://proxy.example", "http:///x"} {
		u, err := url.Parse(bad)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := NewClient(Config{Proxy: u}); err == nil || strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: %v", bad, err)
		}
	}
}

// No connection is a proof that nothing was sent; anything after it is not.
func TestBoundary(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	dead := l.Addr().String()
	_ = l.Close()
	s := stub.New(t, answering("embed-1"))
	refused := func(c *Config) {
		c.Dial = func(ctx context.Context, network, _ string) (net.Conn, error) {
			return (&net.Dialer{}).DialContext(ctx, network, dead)
		}
	}
	_, report, err := send(t.Context(), newClient(t, s, refused), admit(t, "bearer/embed-1"))
	if f, ok := err.(*wire.Failure); !ok || f.Kind != wire.TransportFailed || f.Message != "no connection: connection refused" {
		t.Errorf("%v", err)
	}
	if report.Boundary != NeverConnected || report.Attempts != 0 || !report.Proof.Valid() || report.Served.Asked != "embed-1" {
		t.Errorf("%+v", report)
	}

	// A server that is not trusted never sees the request.
	tls := stub.NewTLS(t, answering("embed-1"))
	_, report, err = send(t.Context(), newClient(t, tls, func(c *Config) { c.Roots = nil }), admit(t, "bearer/embed-1"))
	if f, ok := err.(*wire.Failure); !ok || f.Message != "the server's certificate is not trusted: nobody that is trusted vouches for it" || tls.Requests() != 0 {
		t.Errorf("%v; %d requests", err, tls.Requests())
	}
	if report.Boundary != NeverConnected || !report.Proof.Valid() {
		t.Errorf("%+v", report)
	}

	// Nor does one that speaks no TLS.
	_, report, err = send(t.Context(), newClient(t, s), admit(t, "bearer/embed-1"))
	if err == nil || s.Requests() != 0 || report.Boundary != NeverConnected {
		t.Errorf("%v; %d requests; %+v", err, s.Requests(), report)
	}
}
