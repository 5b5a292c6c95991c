package wire

import (
	"math"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// StatusFailure is what a response outside 2xx means where the protocol says
// nothing more exact. Vendor is the code in the body, if there is one; message is
// ours.
func StatusFailure(r Response, vendor string) *Failure {
	f := &Failure{Kind: statusKind(r.Status), Vendor: Bounded(vendor), Status: r.Status}
	f.Message = "HTTP " + strconv.Itoa(r.Status)
	f.RetryAfter, f.HasRetry = RetryAfter(r.Header)
	return f
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
	}
	switch {
	case status >= 400 && status < 500:
		return BadRequest
	case status >= 500:
		return ServerError
	}
	return Invalid
}

// RetryAfter reads retry-after-ms, then retry-after in seconds or as a date; a
// date counts from the response's own Date. Absent or unreadable is not zero.
func RetryAfter(h http.Header) (time.Duration, bool) {
	if ms, err := strconv.ParseFloat(h.Get("Retry-After-Ms"), 64); err == nil && ms >= 0 && ms < math.MaxInt64/1e6 {
		return time.Duration(ms * float64(time.Millisecond)), true
	}
	s := strings.TrimSpace(h.Get("Retry-After"))
	if n, err := strconv.ParseInt(s, 10, 32); err == nil && n >= 0 {
		return time.Duration(n) * time.Second, true
	}
	at, err := http.ParseTime(s)
	now, errNow := http.ParseTime(h.Get("Date"))
	if err != nil || errNow != nil || at.Before(now) {
		return 0, false
	}
	return at.Sub(now), true
}

// Seconds reads a duration as protocol buffers write it in JSON: "12s", "0.5s".
func Seconds(s string) (time.Duration, bool) {
	digits, ok := strings.CutSuffix(s, "s")
	if !ok || strings.Trim(digits, "0123456789.") != "" {
		return 0, false
	}
	d, err := time.ParseDuration(s)
	return d, err == nil
}

// maxVendorWord bounds what is kept of a vendor's own words.
const maxVendorWord = 80

// Bounded keeps a vendor's code or word short and printable.
func Bounded(s string) string {
	s = strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return -1
		}
		return r
	}, strings.ToValidUTF8(s, ""))
	if len(s) <= maxVendorWord {
		return s
	}
	cut := maxVendorWord
	for cut > 0 && s[cut]&0xc0 == 0x80 {
		cut--
	}
	return s[:cut]
}
