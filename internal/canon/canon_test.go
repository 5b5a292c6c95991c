package canon

import (
	"encoding/json"
	"math/big"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

func TestDecimal(t *testing.T) {
	for in, want := range map[string]string{
		"0": "0", "0.80": "0.8", "100": "100", "100.00": "100", "007": "7", "0.0": "0", "-0": "0", "-0.00": "0",
		"-0.50": "-0.5", "-1.25": "-1.25", "-010": "-10", "0.000000042": "0.000000042", "00.5": "0.5", "10": "10", "0.10": "0.1",
	} {
		if got := Decimal(in); got != want {
			t.Errorf("Decimal(%q) = %q, want %q", in, got, want)
		}
		if !IsDecimal(in) {
			t.Errorf("IsDecimal(%q) is false", in)
		}
	}
	for _, in := range []string{"", "-", ".5", "5.", "1e3", "+1", "1,000", "inf", "nan", "--1", "1.2.3", " 1"} {
		if IsDecimal(in) {
			t.Errorf("IsDecimal(%q) is true", in)
		}
	}
}

func TestCountAboveTheFloatLimitIsAString(t *testing.T) {
	for in, want := range map[string]string{
		"0": "0", "65536": "65536", "9007199254740991": "9007199254740991", "9007199254740992": `"9007199254740992"`,
		"9223372036854775807": `"9223372036854775807"`,
	} {
		if got := string(AppendCount(nil, in)); got != want {
			t.Errorf("AppendCount(%q) = %s, want %s", in, got, want)
		}
	}
}

// The spelling is another JSON library's reading: nothing is lost or added.
func FuzzString(f *testing.F) {
	for _, s := range []string{"", "a/b:c@d", "\"\\\b\t\n\f\r\x00\x1f\x7f", "<&>\u2028\u2029", "héllo \U0001F600", "\xff\xfe"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got := AppendString(nil, s)
		if !utf8.Valid(got) {
			t.Fatalf("%q is not UTF-8", got)
		}
		var back string
		if err := json.Unmarshal(got, &back); err != nil {
			t.Fatalf("%s: %v", got, err)
		}
		if utf8.ValidString(s) && back != s {
			t.Fatalf("%q came back as %q", s, back)
		}
		if again, _ := jsontext.AppendQuote(nil, s); string(again) != string(got) { // it mends alike, with an error
			t.Fatalf("%q became %s, and %s elsewhere", s, got, again)
		}
	})
}

func FuzzDecimal(f *testing.F) {
	f.Add("0.80")
	f.Add("-000.100")
	f.Fuzz(func(t *testing.T, s string) {
		if !IsDecimal(s) {
			return
		}
		got := Decimal(s)
		if !IsDecimal(got) || Decimal(got) != got {
			t.Fatalf("%q became %q", s, got)
		}
		a, _ := new(big.Rat).SetString(s)
		b, _ := new(big.Rat).SetString(got)
		if a.Cmp(b) != 0 {
			t.Fatalf("%q became %q", s, got)
		}
	})
}

// A byte that needs an escape is found wherever it stands, and nothing else is escaped:
// the JSON library that requests are written with spells all of it alike.
func TestEveryByteAtEveryPlace(t *testing.T) {
	for _, filler := range []string{"m", "\x7f", "ü", "\n", `"`} {
		for n := range 20 {
			for at := range n {
				before, after := strings.Repeat(filler, at), strings.Repeat(filler, n-at-1)
				for c := range rune(0x100) {
					text := before + string(c) + after
					want, err := jsontext.AppendQuote(nil, text)
					if got := AppendString(nil, text); err != nil || string(got) != string(want) {
						t.Fatalf("%q at %d of %d became %s, not %s (%v)", c, at, n, got, want, err)
					}
				}
				if got := AppendString(nil, before+"\xc3"+after); !utf8.Valid(got) {
					t.Fatalf("half a rune at %d of %d became %q", at, n, got)
				}
			}
		}
	}
}
