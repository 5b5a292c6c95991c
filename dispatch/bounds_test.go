package dispatch

import (
	"bytes"
	"compress/gzip"
	"context"
	"io"
	"net"
	"net/http"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/opcat/opcat/dispatch/wire"
	"github.com/opcat/opcat/internal/stub"
	"github.com/opcat/opcat/operations"
	"github.com/opcat/opcat/operations/embedding"
)

func itoa(n int) string { return strconv.Itoa(n) }

// D22: one deadline holds for the whole call, whatever trickles in before it.
func TestOneDeadline(t *testing.T) {
	drip := func(c net.Conn, text string) {
		for i := range len(text) {
			if _, err := c.Write([]byte{text[i]}); err != nil {
				return
			}
			time.Sleep(20 * time.Millisecond)
		}
	}
	const deadline = 300 * time.Millisecond
	cases := map[string]*stub.Server{
		"the header drips": stub.Raw(t, func(c net.Conn, _ *http.Request) { drip(c, "HTTP/1.1 200 OK\r\nX-Long: "+strings.Repeat("a", 1000)) }),
		"the body drips": stub.Raw(t, func(c net.Conn, _ *http.Request) {
			_, _ = io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n")
			drip(c, strings.Repeat(" ", 1000))
		}),
		"interim answers drip": stub.Raw(t, func(c net.Conn, _ *http.Request) {
			for range 100 {
				if _, err := io.WriteString(c, "HTTP/1.1 102 Processing\r\n\r\n"); err != nil {
					return
				}
				time.Sleep(20 * time.Millisecond)
			}
		}),
		"nothing comes": stub.Raw(t, func(c net.Conn, _ *http.Request) { time.Sleep(time.Second) }),
	}
	for name, s := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			client, a := newClient(t, s, func(c *Config) { c.Timeout = deadline }), admit(t, "local/embed-1")
			timely(t, deadline, func() {
				before := s.Connections()
				_, report, err := send(t.Context(), client, a)
				f, ok := err.(*wire.Failure)
				if !ok || f.Kind != wire.TimedOut || f.Message != "no whole answer within 300ms" || report.Boundary != Sent || report.Attempts != 1 {
					t.Errorf("%v, %+v", err, report)
				}
				if n := s.Connections() - before; n != 1 {
					t.Errorf("%d connections", n)
				}
			})
		})
	}
	t.Run("the handshake hangs", func(t *testing.T) {
		t.Parallel()
		s := stub.Silent(t)
		client, a := newClient(t, s, func(c *Config) { c.Timeout = deadline }), admit(t, "bearer/embed-1")
		timely(t, deadline, func() {
			_, report, err := send(t.Context(), client, a)
			if f, ok := err.(*wire.Failure); !ok || f.Kind != wire.TimedOut || report.Boundary != NeverConnected || !report.Proof.Valid() {
				t.Errorf("%v, %+v", err, report)
			}
		})
	})
	t.Run("connecting takes too long", func(t *testing.T) {
		t.Parallel()
		hang := func(ctx context.Context, _, _ string) (net.Conn, error) { <-ctx.Done(); return nil, ctx.Err() }
		s := stub.New(t, answering("embed-1"))
		_, report, err := send(t.Context(), newClient(t, s, func(c *Config) { c.Dial, c.ConnectTimeout = hang, 100*time.Millisecond }), admit(t, "bearer/embed-1"))
		if f, ok := err.(*wire.Failure); !ok || f.Kind != wire.TimedOut || f.Message != "no connection within 100ms" || report.Boundary != NeverConnected {
			t.Errorf("%v, %+v", err, report)
		}
	})
	t.Run("the caller gives up", func(t *testing.T) {
		t.Parallel()
		s := stub.Raw(t, func(c net.Conn, _ *http.Request) { time.Sleep(time.Second) })
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(100*time.Millisecond, cancel)
		_, report, err := send(ctx, newClient(t, s), admit(t, "local/embed-1"))
		wantFailure(t, s, report, err, wire.Cancelled)
	})
	t.Run("the caller's own deadline", func(t *testing.T) {
		t.Parallel()
		s := stub.Raw(t, func(c net.Conn, _ *http.Request) { time.Sleep(time.Second) })
		ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
		defer cancel()
		_, report, err := send(ctx, newClient(t, s), admit(t, "local/embed-1"))
		wantFailure(t, s, report, err, wire.TimedOut)
	})
	t.Run("given up before it began", func(t *testing.T) {
		s := stub.New(t, answering("embed-1"))
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		_, report, err := send(ctx, newClient(t, s), admit(t, "local/embed-1"))
		if f, ok := err.(*wire.Failure); !ok || f.Kind != wire.Cancelled || !report.Proof.Valid() || s.Connections() != 0 {
			t.Errorf("%v, %+v; %d connections", err, report, s.Connections())
		}
	})
}

// timely checks that a call ends at its deadline, to a tenth of a second. A busy
// machine may be late itself, but not each time.
func timely(t *testing.T, deadline time.Duration, call func()) {
	t.Helper()
	var took time.Duration
	for range 4 {
		began := time.Now()
		call()
		if took = time.Since(began); took < deadline {
			break
		}
		if took <= deadline+100*time.Millisecond {
			return
		}
	}
	t.Errorf("ended after %v, want %v", took, deadline)
}

// inGzip is like openai_embeddings, but lets the answer be compressed.
var inGzip = NewExecutor(func() wire.Codec[embedding.Request, embedding.Result] {
	codec := Embedding.codecs[0]
	encode := codec.Encode
	codec.Encode = func(a operations.Admitted[embedding.Request]) (wire.Request, error) {
		q, err := encode(a)
		q.Header.Set("Accept-Encoding", "gzip")
		return q, err
	}
	return codec
}())

func gzipped(t *testing.T, b []byte) []byte {
	t.Helper()
	var out bytes.Buffer
	z := gzip.NewWriter(&out)
	if _, err := z.Write(b); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// D23: what was not asked for is refused, and what was is bounded by what it
// unfolds to.
func TestEncodings(t *testing.T) {
	good := []byte(vector("embed-1"))
	bomb := bytes.Repeat(gzipped(t, make([]byte, 1<<20)), 64) // members of a stream follow each other
	if len(bomb) > 70<<10 {
		t.Fatalf("the bomb has %d bytes", len(bomb))
	}
	cases := []struct {
		name, encoding string
		body           []byte
		asked          bool
		want           wire.Kind
	}{
		{"asked and given", "gzip", gzipped(t, good), true, ""},
		{"asked and not needed", "", good, true, ""},
		{"identity is no encoding", "identity", good, false, ""},
		{"never asked", "gzip", gzipped(t, good), false, wire.EncodingRefused},
		{"a bomb, asked", "gzip", bomb, true, wire.BodyLimit},
		{"a bomb, never asked", "gzip", bomb, false, wire.EncodingRefused},
		{"brotli", "br", good, true, wire.EncodingRefused},
		{"zstd", "zstd", good, true, wire.EncodingRefused},
		{"twice", "gzip, gzip", gzipped(t, gzipped(t, good)), true, wire.EncodingRefused},
		{"not what it says", "gzip", good, true, wire.EncodingRefused},
		{"broken in the middle", "gzip", gzipped(t, bytes.Repeat(good, 1000))[:200], true, wire.TransportFailed},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			s := stub.NewTLS(t, func(w http.ResponseWriter, r *http.Request) {
				if c.encoding != "" {
					w.Header().Set("Content-Encoding", c.encoding)
				}
				_, _ = w.Write(c.body)
			})
			e := Embedding
			if c.asked {
				e = inGzip
			}
			client := newClient(t, s, func(c *Config) { c.MaxBody = 1 << 20 })
			a := admit(t, "bearer/embed-1")
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			answer, report, err := e.Send(t.Context(), client, a)
			runtime.ReadMemStats(&after)
			if grown := after.TotalAlloc - before.TotalAlloc; grown > 16<<20 {
				t.Errorf("%d bytes of memory went through", grown)
			}
			if c.want != "" {
				wantFailure(t, s, report, err, c.want)
			} else if err != nil || len(answer.Result.Vectors) != 1 {
				t.Errorf("%v, %+v", err, answer)
			}
		})
	}
}

// Sizes are bounded, whatever the answer claims or leaves out.
func TestSizes(t *testing.T) {
	endless := func(w io.Writer) {
		block := bytes.Repeat([]byte(" "), 64<<10)
		for range 1 << 30 / len(block) { // a GiB, unless nobody wants it
			if _, err := w.Write(block); err != nil {
				return
			}
		}
	}
	body := vector("embed-1")
	cases := []struct {
		name   string
		answer func(net.Conn)
		want   wire.Kind
	}{
		{"a GiB, as announced", func(c net.Conn) {
			_, _ = io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-Length: 1073741824\r\n\r\n")
			endless(c)
		}, wire.BodyLimit},
		{"a GiB without a word", func(c net.Conn) {
			_, _ = io.WriteString(c, "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n")
			endless(c)
		}, wire.BodyLimit},
		{"D07a: shorter than announced", func(c net.Conn) {
			_, _ = io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\n"+body)
			_ = c.Close()
		}, wire.TransportFailed},
		{"a chunk that never ends", func(c net.Conn) {
			_, _ = io.WriteString(c, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nff\r\n"+body)
			_ = c.Close()
		}, wire.TransportFailed},
		{"D07b: whole by its length, cut as JSON", func(c net.Conn) {
			_, _ = io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-Length: 20\r\n\r\n"+body[:20])
		}, wire.Invalid},
		{"an endless header", func(c net.Conn) {
			_, _ = io.WriteString(c, "HTTP/1.1 200 OK\r\n")
			for i := range 1 << 20 {
				if _, err := io.WriteString(c, "X-"+itoa(i)+": "+strings.Repeat("a", 1000)+"\r\n"); err != nil {
					return
				}
			}
		}, wire.BodyLimit},
		{"no HTTP at all", func(c net.Conn) { _, _ = io.WriteString(c, "what do you want?\r\n\r\n"); _ = c.Close() }, wire.TransportFailed},
		{"another protocol", func(c net.Conn) {
			_, _ = io.WriteString(c, "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n")
		}, wire.TransportFailed},
		{"nothing", func(c net.Conn) { _ = c.Close() }, wire.TransportFailed},
		{"an empty answer", func(c net.Conn) { _, _ = io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n") }, wire.Invalid},
		{"an error inside a success", func(c net.Conn) {
			e := `{"error":{"code":502,"message":"upstream"}}`
			_, _ = io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-Length: "+itoa(len(e))+"\r\n\r\n"+e)
		}, wire.Overloaded},
		{"HTML", func(c net.Conn) {
			_, _ = io.WriteString(c, "HTTP/1.1 500 Oops\r\nContent-Length: 15\r\n\r\n<html>no</html>")
		}, wire.ServerError},
		{"D19: too many requests", func(c net.Conn) {
			_, _ = io.WriteString(c, "HTTP/1.1 429 No\r\nRetry-After: 7\r\nX-Request-Id: req_1\r\nContent-Length: 2\r\n\r\n{}")
		}, wire.RateLimited},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			s := stub.Raw(t, func(conn net.Conn, _ *http.Request) { c.answer(conn) })
			client := newClient(t, s, func(c *Config) { c.MaxBody = 1 << 20 })
			a := admit(t, "local/embed-1")
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			began := time.Now()
			_, report, err := send(t.Context(), client, a)
			runtime.ReadMemStats(&after)
			if grown := after.TotalAlloc - before.TotalAlloc; grown > 16<<20 {
				t.Errorf("%d bytes of memory went through", grown)
			}
			if took := time.Since(began); took > time.Second {
				t.Errorf("took %v", took)
			}
			f := wantFailure(t, s, report, err, c.want)
			if s.Requests() != 1 {
				t.Errorf("%d requests", s.Requests())
			}
			if c.want == wire.RateLimited && (report.RequestID != "req_1" || report.RetryAfterMS.Or(0) != 7000 || f.RetryAfterMS.Or(0) != 7000 || report.Boundary != Complete) {
				t.Errorf("%+v, %+v", report, f)
			}
		})
	}
}

// A body that did not say how long it is was read in room that others use after it: what
// a caller holds of it stays, and nothing of it stays there.
func TestBodiesShareNoRoom(t *testing.T) {
	c := newClient(t, stub.Silent(t))
	read := func(text string) []byte {
		body, failure := c.readBody(&http.Response{Body: io.NopCloser(strings.NewReader(text)), ContentLength: -1}, false)
		if failure != nil {
			t.Fatal(failure)
		}
		return body
	}
	for range 100 {
		first := read("it repeats " + canary)
		if second := read("no"); string(first) != "it repeats "+canary || string(second) != "no" {
			t.Fatalf("%q and %q", first, second)
		}
		b := rooms.Get().(*bytes.Buffer)
		if b.Len() > 0 || bytes.Contains(b.Bytes()[:b.Cap()], []byte("canary")) {
			t.Fatal("the room holds what was in it")
		}
		rooms.Put(b)
	}
}
