package wire

import (
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/opcat/opcat/catalog"
)

// StatusFailure is what a response outside 2xx means where the protocol says
// nothing more exact. Vendor is the code in the body, if there is one; message is
// ours.
func StatusFailure(r Response, vendor string) *Failure {
	f := &Failure{Kind: statusKind(r.Status), Vendor: Bounded(vendor), Status: r.Status}
	f.Message = "HTTP " + strconv.Itoa(r.Status)
	f.RetryAfterMS = RetryAfter(r.Header)
	return f
}

// ErrorInside is what an error in an answer with a status of success means: its
// code can be the status that a gateway got. One that says nothing is the
// server's.
func ErrorInside(code string) Kind {
	status, err := strconv.Atoi(code)
	switch {
	case err != nil || status < 400 || status > 599:
		return ServerError
	case status == http.StatusBadGateway || status == http.StatusGatewayTimeout || status == 524:
		return Overloaded
	}
	return statusKind(status)
}

func statusKind(status int) Kind {
	switch status {
	case http.StatusUnauthorized, http.StatusForbidden:
		return Unauthorized
	case http.StatusPaymentRequired:
		return QuotaExhausted
	case http.StatusNotFound:
		return ModelMissing
	case http.StatusRequestEntityTooLarge:
		return InputTooLong
	case http.StatusTooManyRequests:
		return RateLimited
	case http.StatusServiceUnavailable, 529:
		return Overloaded
	case http.StatusRequestTimeout: // the server's own clock ran out: nothing is wrong with the request
		return ServerError
	}
	switch {
	case status >= 400 && status < 500:
		return BadRequest
	case status >= 500:
		return ServerError
	}
	return Invalid
}

// RetryAfter reads retry-after-ms, then retry-after in seconds or as a date, in
// milliseconds; a date counts from the response's own Date. Absent or unreadable
// is unknown, not zero.
func RetryAfter(h http.Header) catalog.Opt[int64] {
	if ms := h.Get("Retry-After-Ms"); ms != "" {
		exact, err := Number(ms).Decimal()
		whole, _, _ := strings.Cut(string(exact), ".")
		if n, errWhole := strconv.ParseInt(whole, 10, 64); err == nil && errWhole == nil && n >= 0 {
			return catalog.Known(n)
		}
	}
	s := strings.TrimSpace(h.Get("Retry-After"))
	if s == "" {
		return catalog.Opt[int64]{}
	}
	if n, err := strconv.ParseInt(s, 10, 32); err == nil && n >= 0 {
		return catalog.Known(n * 1000)
	}
	at, err := http.ParseTime(s)
	now, errNow := http.ParseTime(h.Get("Date"))
	if err != nil || errNow != nil || at.Before(now) {
		return catalog.Opt[int64]{}
	}
	return catalog.Known(at.Sub(now).Milliseconds())
}

// Seconds reads a duration as protocol buffers write it in JSON ("12s", "0.5s"),
// in milliseconds.
func Seconds(s string) catalog.Opt[int64] {
	digits, ok := strings.CutSuffix(s, "s")
	if !ok || strings.Trim(digits, "0123456789.") != "" {
		return catalog.Opt[int64]{}
	}
	d, err := time.ParseDuration(s)
	if err != nil {
		return catalog.Opt[int64]{}
	}
	return catalog.Known(d.Milliseconds())
}

// What is kept of a vendor's own words, and of ours, in bytes.
const maxVendorWord, maxMessage = 80, 200

// Bounded keeps a vendor's code or word short and printable.
func Bounded(s string) string { return bounded(s, maxVendorWord) }

func bounded(s string, room int) string {
	s = strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return -1
		}
		return r
	}, strings.ToValidUTF8(s, ""))
	if len(s) <= room {
		return s
	}
	for room > 0 && s[room]&0xc0 == 0x80 {
		room--
	}
	return s[:room]
}
