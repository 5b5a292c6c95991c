package fragment

import (
	"fmt"
	"net/netip"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode"

	"github.com/opcat/opcat/shape"
)

// badText says why a string is not of the kind; "" if it is.
func badText(k shape.Kind, s string) string {
	switch k {
	case shape.Text, shape.WireID, shape.Glob:
		return badPlain(k, s)
	case shape.ID:
		return badID(s)
	case shape.RowID:
		provider, wire, ok := strings.Cut(s, "/")
		if !ok {
			return `is not a row id: it has no slash between provider and wire id`
		}
		if why := badID(provider); why != "" {
			return "is not a row id: its provider part " + why
		}
		return badPlain(shape.WireID, wire)
	case shape.Amount, shape.Number:
		return badDecimal(s, k == shape.Number)
	case shape.Date:
		return badDate(s)
	case shape.Duration:
		if !matches(k, s) {
			return `is not a duration above zero, such as "120s"`
		}
	case shape.Clock:
		return badClock(s)
	case shape.Offset:
		return badOffset(s)
	case shape.URL:
		return badURL(s)
	case shape.Origin:
		return badOrigin(s)
	case shape.Source:
		return badSource(s)
	case shape.EnvName:
		for i, c := range []byte(s) {
			if !(c == '_' || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z' || i > 0 && c >= '0' && c <= '9') {
				return "is not the name of an environment variable"
			}
		}
		if s == "" {
			return "is empty"
		}
	case shape.Header:
		return badHeader(s)
	case shape.Range:
		if !matches(k, s) {
			return "is not a version range"
		}
	case shape.Semver:
		if !matches(k, s) {
			return "is not a version: three numbers, as in 1.13.0, and perhaps a pre-release"
		}
	}
	return ""
}

// matches looks for the pattern of a kind that few files use, or that is seldom
// written out.
func matches(k shape.Kind, s string) bool {
	return rare[k]().MatchString(s)
}

var rare = map[shape.Kind]func() *regexp.Regexp{
	shape.Date: compiled(shape.Date), shape.Duration: compiled(shape.Duration), shape.Range: compiled(shape.Range), shape.Semver: compiled(shape.Semver),
}

func compiled(k shape.Kind) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(k.Pattern()) })
}

// leaveOut is the advice of an empty text that need not be there.
const leaveOut = "; leave the key out instead"

func badPlain(k shape.Kind, s string) string {
	if s == "" {
		return "is empty" + leaveOut
	}
	for i := 0; i < len(s); i++ {
		if c := s[i]; (c < ' ' || c == 0x7f) && !(k == shape.Text && (c == '\n' || c == '\t')) {
			return "holds a control character"
		}
	}
	if k != shape.Text && (s[0] == ' ' || s[len(s)-1] == ' ' || s[0] >= 0x80 && strings.TrimSpace(s) != s || s[len(s)-1] >= 0x80 && strings.TrimSpace(s) != s) {
		return "has blanks around it"
	}
	return ""
}

func badID(s string) string {
	if s == "" {
		return "is empty"
	}
	if len(s) > 64 {
		return "is longer than 64 characters"
	}
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || i > 0 && (c == '.' || c == '_' || c == '-') {
			continue
		}
		return "is not an id: lower-case letters, digits, and after the first character . _ -"
	}
	return ""
}

func badDecimal(s string, signed bool) string {
	digits := s
	if signed {
		digits = strings.TrimPrefix(s, "-")
	}
	if isDecimal(digits) {
		return ""
	}
	whole, frac, point := strings.Cut(digits, ".")
	switch {
	case s == "":
		return "is empty; leave the key out if the number is not known"
	case strings.TrimSpace(s) != s:
		return "has blanks around the number"
	case strings.HasPrefix(s, "+"):
		return "has a plus sign; write the digits alone"
	case point && (whole == "" && onlyDigits(frac) || frac == "" && onlyDigits(whole)):
		return "has no digit on one side of the point; write one, such as 0"
	case strings.Contains(s, ","):
		return "has a comma; the decimal separator is a point and there is no other"
	case !signed && strings.HasPrefix(s, "-"):
		return "is negative, and a rate never is; a price that depends is written dynamic = true"
	case strings.ContainsAny(s, "eE") && onlyDigits(strings.Trim(s, "+-.eE")[:min(1, len(strings.Trim(s, "+-.eE")))]):
		return "has an exponent; write the digits out"
	case strings.HasPrefix(s, "$") || strings.HasPrefix(s, "€"):
		return "has a currency sign; the key says the currency"
	case onlyDigits(whole) && onlyDigits(frac):
		return "has more than 18 digits on one side of the point"
	}
	return `is not a decimal such as "0.042"`
}

// isDecimal: 1 to 18 digits, and perhaps a point and 1 to 18 more.
func isDecimal(s string) bool {
	digits := 0
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '.' && digits == i && 1 <= digits && digits <= 18: // the first point
			digits = 0
		case '0' <= c && c <= '9':
			digits++
		default:
			return false
		}
	}
	return 1 <= digits && digits <= 18
}

func onlyDigits(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return s != ""
}

func badDate(s string) string {
	if len(s) == 10 && s[4] == '-' && s[7] == '-' && onlyDigits(s[:4]) && onlyDigits(s[5:7]) && onlyDigits(s[8:]) {
		year, _ := strconv.Atoi(s[:4])
		month, _ := strconv.Atoi(s[5:7])
		day, _ := strconv.Atoi(s[8:])
		if month >= 1 && month <= 12 && day >= 1 && day <= time.Date(year, time.Month(month)+1, 0, 0, 0, 0, 0, time.UTC).Day() {
			return ""
		}
		return "is a date that does not exist"
	}
	if _, err := time.Parse(time.RFC3339, s); err != nil || !matches(shape.Date, s) { // Parse is laxer than the standard
		return `is not a date such as "2026-11-30", nor a time with offset such as "2026-11-30T09:00:00Z"`
	}
	return ""
}

func badClock(s string) string {
	if s == "24:00" {
		return ""
	}
	if _, err := time.Parse("15:04", s); err != nil || len(s) != 5 {
		return `is not a time of day "HH:MM"`
	}
	return ""
}

func badOffset(s string) string {
	if len(s) != 6 || s[0] != '+' && s[0] != '-' || badClock(s[1:]) != "" || s[1:] > "14:00" {
		return `is not an offset such as "+00:00"`
	}
	return ""
}

// badURL allows holes such as {model}: they stand for text without a slash.
func badURL(s string) string {
	filled, why := fillHoles(s)
	if why != "" {
		return why
	}
	u, err := url.Parse(filled)
	if err != nil || badHost(u.Host) {
		return "is not a URL"
	}
	return badScheme(u, s)
}

// badHost wants a name of letters, digits, points, hyphens and underlines or an IPv6
// address in brackets, and perhaps a port.
func badHost(s string) bool {
	host, port := s, ""
	if inside, ok := strings.CutPrefix(s, "["); ok {
		inside, port, ok = strings.Cut(inside, "]")
		ip, err := netip.ParseAddr(inside)
		if !ok || err != nil || !ip.Is6() || strings.ContainsAny(inside, ".%") {
			return true
		}
	} else {
		if i := strings.IndexByte(s, ':'); i >= 0 {
			host, port = s[:i], s[i:]
		}
		for i := 0; i < len(host); i++ {
			c := host[i]
			if !(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '.' || c == '-' || c == '_') {
				return true
			}
		}
	}
	return host == "" || port != "" && (len(port) > 6 || port[0] != ':' || !onlyDigits(port[1:]))
}

func badScheme(u *url.URL, s string) string {
	switch {
	case u.User != nil:
		return "holds a user name or password; a credential is named by its variable"
	case strings.IndexByte(s, '#') >= 0:
		return "has a fragment"
	case strings.IndexByte(s, ' ') >= 0:
		return "has a blank in it"
	case strings.HasPrefix(s, "https://"):
		return ""
	case !strings.HasPrefix(s, "http://"):
		return "is not an https URL"
	case !loopback(u.Hostname()):
		return "is plain http to a host that is not this machine; use https"
	}
	return ""
}

func loopback(host string) bool {
	if host == "localhost" || strings.HasSuffix(host, ".localhost") {
		return true
	}
	ip, err := netip.ParseAddr(host)
	return err == nil && ip.IsLoopback() && (ip.Is4() || host == "::1")
}

func fillHoles(s string) (string, string) {
	var b strings.Builder
	for {
		before, rest, ok := strings.Cut(s, "{")
		b.WriteString(before)
		if !ok {
			break
		}
		name, after, ok := strings.Cut(rest, "}")
		if !ok || badID(name) != "" {
			return "", "has a hole that is not closed or not named, as in {model}"
		}
		b.WriteString("hole")
		s = after
	}
	if strings.Contains(b.String(), "}") {
		return "", "has a } without a {"
	}
	return b.String(), ""
}

func badOrigin(s string) string {
	filled, why := fillHoles(s)
	if why != "" {
		return why
	}
	u, err := url.Parse(filled)
	if err != nil || badHost(u.Host) {
		return `is not an origin such as "https://api.acme.example"`
	}
	if u.Path != "" || u.RawQuery != "" || u.ForceQuery {
		return "has a path; an origin is scheme, host and port"
	}
	if u.Host != strings.ToLower(u.Host) {
		return "has capital letters in its host"
	}
	return badScheme(u, s)
}

func badSource(s string) string {
	if rest, ok := strings.CutPrefix(s, "pkg:"); ok {
		kind, name, ok := strings.Cut(rest, "/")
		if !ok || kind == "" || name == "" || strings.ContainsFunc(s, blank) {
			return `is not a purl such as "pkg:pypi/acme@1.0.0"`
		}
		return ""
	}
	u, err := url.Parse(s)
	if err != nil || !strings.HasPrefix(s, "https://") || u.User != nil || badHost(u.Host) || strings.ContainsFunc(s, blank) {
		return "is neither an https URL nor a package (pkg:...)"
	}
	return ""
}

// blank is what no URL holds: a space or a control character.
func blank(c rune) bool { return c <= ' ' || c == 0x7f }

func badHeader(s string) string {
	if s == "" {
		return "is empty"
	}
	for _, c := range s {
		if c > unicode.MaxASCII || !(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.ContainsRune("!#$%&'*+-.^_`|~", c)) {
			return fmt.Sprintf("is not a header name: %q may not stand in one", c)
		}
	}
	return ""
}

// BadText says why a text is none of a kind, as the decoder does; "" if it is one.
func BadText(k shape.Kind, s string) string { return badText(k, s) }
