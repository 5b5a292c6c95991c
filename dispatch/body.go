package dispatch

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"

	"github.com/opcat/opcat/dispatch/wire"
)

// maxAhead is how much memory a promise of a long body is worth before it comes.
const maxAhead = 1 << 20

// rooms take usual bodies that do not say how long they are. What was in one is wiped:
// a server may repeat the credential.
var rooms = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// readBody reads a whole body, decompressed if that was asked for, within the
// client's bound. Neither memory nor time depends on what the answer claims.
func (c *Client) readBody(r *http.Response, gzipAsked bool) ([]byte, *wire.Failure) {
	if r.ContentLength > c.maxBody {
		return nil, c.tooLarge(r)
	}
	from, failure := decoded(r, gzipAsked)
	if failure != nil {
		return nil, failure
	}
	b, open := new(bytes.Buffer), r.ContentLength < 0
	if open {
		b = rooms.Get().(*bytes.Buffer)
		b.Grow(usualExchange)
	} else {
		b.Grow(int(min(r.ContentLength, maxAhead)) + bytes.MinRead)
	}
	n, err := b.ReadFrom(io.LimitReader(from, c.maxBody+1))
	switch {
	case n > c.maxBody:
		return nil, c.tooLarge(r)
	case err != nil:
		f := c.failed(r.Request.Context(), err)
		f.Status = r.StatusCode
		return nil, f
	}
	body := b.Bytes()
	if open && len(body) < usualExchange {
		body = bytes.Clone(body)
		clear(b.Bytes())
		b.Reset()
		rooms.Put(b)
	}
	return body, nil
}

func (c *Client) tooLarge(r *http.Response) *wire.Failure {
	return &wire.Failure{Kind: wire.BodyLimit, Status: r.StatusCode, Message: fmt.Sprintf("the answer is larger than %d bytes", c.maxBody)}
}

// decoded is the body without its encoding. One that nobody asked for is refused:
// an answer that has to be guessed at is no answer.
func decoded(r *http.Response, gzipAsked bool) (io.Reader, *wire.Failure) {
	encoding := strings.ToLower(strings.TrimSpace(strings.Join(r.Header.Values("Content-Encoding"), ", ")))
	switch {
	case encoding == "", encoding == "identity":
		return r.Body, nil
	case encoding == "gzip" && gzipAsked:
		z, err := gzip.NewReader(r.Body)
		if err != nil {
			return nil, &wire.Failure{Kind: wire.EncodingRefused, Status: r.StatusCode, Message: "the answer says that it is gzip, and is not"}
		}
		return z, nil
	}
	return nil, &wire.Failure{Kind: wire.EncodingRefused, Status: r.StatusCode,
		Message: "the answer is encoded in a way that was not asked for", Vendor: wire.Bounded(encoding)}
}
