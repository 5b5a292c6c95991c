package dispatch

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/opcat/opcat/dispatch/wire"
)

// maxAhead is how much memory a promise of a long body is worth before it comes,
// and usualBody what one is worth that does not say how long it is.
const (
	maxAhead  = 1 << 20
	usualBody = 8 << 10
)

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
	var b bytes.Buffer
	ahead := int64(usualBody)
	if r.ContentLength > 0 {
		ahead = min(r.ContentLength, maxAhead)
	}
	b.Grow(int(ahead) + bytes.MinRead)
	n, err := b.ReadFrom(io.LimitReader(from, c.maxBody+1))
	switch {
	case n > c.maxBody:
		return nil, c.tooLarge(r)
	case err != nil:
		f := c.failed(r.Request.Context(), err)
		f.Status = r.StatusCode
		return nil, f
	}
	return b.Bytes(), nil
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
