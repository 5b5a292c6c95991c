package fragment

import (
	"math/rand/v2"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/Masterminds/semver/v3"
	"github.com/opcat/opcat/shape"
)

// texts are where mutations start: good and bad ones of each kind.
var texts = []string{
	"", " ", "a", "acme-1", "Acme", "a b", "acme/chat-1", "acme/ chat", "acme/chat/1 ", "two\nlines", "tab\there", "\x00", "\x7f", "\u00a0a", "a\u2003", "\u3000", "é",
	strings.Repeat("a", 64), strings.Repeat("a", 65), "0", "0.042", "-1.5", "1e5", "1.", ".5", "+1", "123456789012345678", "1234567890123456789", "1,5",
	"2026-11-30", "2024-02-29", "2023-02-29", "1900-02-29", "2000-02-29", "2026-04-31", "2026-11-30T09:00:00Z", "2026-11-30T9:00:00Z", "2026-11-30T09:00:00,5Z",
	"2026-11-30T23:59:59.123+14:00", "2026-11-30T23:59:60Z", "2026-11-30T09:00:00+24:00", "2026-11-30 09:00:00Z", "0000-01-01",
	"120s", "1h30m", "0s", "-5s", "0.5s", "1.5h", "9999999h", "5", "5d", "10ms", "24:00", "23:59", "9:00", "24:01", "+00:00", "-14:00", "+14:01", "00:00",
	"https://api.acme.example/v1", "https://{resource}.acme.example/openai/{model}?api-version=1", "http://localhost:8080/v1", "http://a.localhost", "http://127.0.0.1:1",
	"http://127.1.2.256", "http://[::1]:80/x", "http://acme.example", "https://[2001:db8::1]:443/", "https://[::]", "https://[1:2:3:4:5:6:7:8]", "https://[1:2:3:4:5:6:7::]",
	"https://[::ffff:1.2.3.4]/", "https://user:pw@acme.example", "https://acme.example/#x", "https://acme.example/a%20b", "https://acme.example/a%2", "https://acme.example/a b",
	"https://acme.example:", "https://:443", "https://acme.example:123456", "HTTPS://acme.example", "https://", "https:acme", "ftp://acme.example", "https://ACME.example",
	"https://acme.example?x={model}", "https://a}b", "https://{A}.x", "https://{a", "https://acme.example\\x", "pkg:pypi/acme@1.0.0", "pkg:pypi", "pkg:/a", "pkg:a/b c",
	"ACME_API_KEY", "1A", "a-b", "x-api-key", "x api", "é-key", ">=1.13.0, <2", "^1.2", "~1.2.x", "*", "1 || 2", ">=one", "1.2 - 1.4", "=>1", "v1", ">=01", "1.0.0-rc.1",
	"1.13.0", "1.13", "1.0.0-alpha.1+build.5", "1.0.0-01", "1.0.0-", "1.0.0+", "99999999999.0.0", "chat-*", "gpt-?",
}

const runes = "aAzZ09.-_/:@%{}[]#?&=+, |\\^~<>!*xX\"'\n\t\x00\x7f\u0085\u00a0\u2003éhms"

// Decoder and pattern agree on a text, whatever it is.
func sameAnswer(t *testing.T, k shape.Kind, s string) {
	t.Helper()
	pattern := compiledPatterns[k]
	if why := badText(k, s); (why == "") != pattern.MatchString(s) {
		t.Fatalf("kind %d, %q: the decoder says %q, the pattern %v says %v", k, s, why, pattern, pattern.MatchString(s))
	}
}

var compiledPatterns = func() map[shape.Kind]*regexp.Regexp {
	m := map[shape.Kind]*regexp.Regexp{}
	for k := shape.Text; k <= shape.Union; k++ {
		if p := k.Pattern(); p != "" {
			m[k] = regexp.MustCompile(p)
		}
	}
	return m
}()

func TestPatternsSayWhatTheDecoderTakes(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	alphabet := []rune(runes)
	for k := range compiledPatterns {
		good := 0
		for _, s := range texts {
			sameAnswer(t, k, s)
			if badText(k, s) == "" {
				good++
			}
			for range 300 {
				m := []rune(s)
				for range 1 + r.IntN(3) {
					i := r.IntN(len(m) + 1)
					switch r.IntN(3) {
					case 0:
						m = append(m[:i:i], append([]rune{alphabet[r.IntN(len(alphabet))]}, m[i:]...)...)
					case 1:
						if i < len(m) {
							m = append(m[:i:i], m[i+1:]...)
						}
					case 2:
						if i < len(m) {
							m[i] = alphabet[r.IntN(len(alphabet))]
						}
					}
				}
				sameAnswer(t, k, string(m))
			}
		}
		if good == 0 {
			t.Errorf("no text of kind %d was tried", k)
		}
	}
}

// What the patterns let through, the libraries behind them can read.
func TestPatternsAreNoWiderThanWhatReadsThem(t *testing.T) {
	for _, s := range texts {
		readable(t, s)
	}
}

func readable(t *testing.T, s string) {
	t.Helper()
	if badText(shape.Duration, s) == "" {
		if d, err := time.ParseDuration(s); err != nil || d <= 0 {
			t.Errorf("duration %q: %v %v", s, d, err)
		}
	}
	if badText(shape.Date, s) == "" && len(s) > 10 {
		if _, err := time.Parse(time.RFC3339, s); err != nil {
			t.Error(err)
		}
	}
	if badText(shape.Range, s) == "" {
		if _, err := semver.NewConstraint(s); err != nil {
			t.Errorf("range %q: %v", s, err)
		}
	}
	if badText(shape.Semver, s) == "" {
		if _, err := semver.StrictNewVersion(s); err != nil {
			t.Errorf("version %q: %v", s, err)
		}
	}
	if badText(shape.Source, s) == "" {
		if _, err := url.Parse(s); err != nil {
			t.Error(err)
		}
	}
}

func FuzzPatterns(f *testing.F) {
	for _, s := range texts {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if !utf8.ValidString(s) {
			return // no fragment holds it
		}
		for k := range compiledPatterns {
			sameAnswer(t, k, s)
		}
		readable(t, s)
	})
}
