package check

import (
	"testing"

	"github.com/opcat/opcat/compile/form"
	"github.com/opcat/opcat/operations"
	"github.com/opcat/opcat/shape"
)

// TestCompare: decimals are compared exactly, whatever their length.
func TestCompare(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{
		{"1", "1", 0}, {"1", "1.0", 0}, {"0", "-0.00", 0}, {"2", "10", -1}, {"0.1", "0.09", 1}, {"0.10", "0.1", 0},
		{"-1", "1", -1}, {"-2", "-1", -1}, {"-0.5", "-0.50", 0}, {"1000", "999.999999999999999999", 1},
		{"999999999999999999.000000000000000001", "999999999999999999", 1}, {"007", "7", 0}, {"0", "0.000000000000000001", -1},
	} {
		sign := func(n int) int {
			switch {
			case n < 0:
				return -1
			case n > 0:
				return 1
			}
			return 0
		}
		if got := sign(compare(c.a, c.b)); got != c.want {
			t.Errorf("compare(%s, %s) = %d, want %d", c.a, c.b, got, c.want)
		}
		if got := sign(compare(c.b, c.a)); got != -c.want {
			t.Errorf("compare(%s, %s) = %d, want %d", c.b, c.a, got, -c.want)
		}
	}
}

// TestTimes: an amount moves between units without losing a digit.
func TestTimes(t *testing.T) {
	for _, c := range []struct {
		s     string
		power int
		want  string
	}{
		{"15000", -6, "0.015"}, {"0.0000002", 6, "0.2"}, {"0.000000042", 6, "0.042"}, {"100", -2, "1"}, {"3.3", 0, "3.3"},
	} {
		if got := times(c.s, c.power); got != c.want {
			t.Errorf("times(%s, %d) = %s, want %s", c.s, c.power, got, c.want)
		}
	}
}

// TestInstant: a day begins at midnight UTC, and an offset moves a time.
func TestInstant(t *testing.T) {
	if instant("2026-11-30") != instant("2026-11-30T00:00:00Z") || instant("2026-11-30") != instant("2026-11-30T02:00:00+02:00") {
		t.Error("a day is its midnight in UTC")
	}
	if instant("2026-11-30") >= instant("2026-12-01") {
		t.Error("days follow each other")
	}
}

// TestOrigin: one origin has one spelling.
func TestOrigin(t *testing.T) {
	for url, want := range map[string]string{
		"https://API.acme.example:443/v1":         "https://api.acme.example",
		"http://localhost:80/x":                   "http://localhost",
		"http://localhost:8080?x":                 "http://localhost:8080",
		"https://{Region}.ACME.example/{model}":   "https://{Region}.acme.example",
		"https://acme.example:8443":               "https://acme.example:8443",
		"https://acme.example.evil.example/acme/": "https://acme.example.evil.example",
	} {
		if got := origin(url); got != want {
			t.Errorf("origin(%s) = %s, want %s", url, got, want)
		}
	}
}

// TestPatternsOfHosts: what fills a part of a host can't leave it.
func TestPatternsOfHosts(t *testing.T) {
	for pattern, want := range map[string]bool{
		"[a-z0-9-]{1,63}": true, "eu|us": true, `[a-z]+\.[a-z]+`: true, "": true,
		".*": false, "[^.]+": false, `\S+`: false, `a/b`: false, `x@y`: false, `(?i)k`: false, `[a-z:]+`: false, `\w+`: false,
	} {
		if got := onlyHostBytes(pattern); got != want {
			t.Errorf("%q: %v, want %v", pattern, got, want)
		}
	}
}

// TestPlaces: the checks read keys by their places, so the places must be those of
// the shapes.
func TestPlaces(t *testing.T) {
	if n := len(form.Price().Keys); n > widePrice {
		t.Errorf("a price entry has %d keys, and %d fit", n, widePrice)
	}
	if n := len(meterNames); n > 63 {
		t.Errorf("%d meters do not fit a set of 64 bits", n)
	}
	names := []string{"values", "min", "max", "default", "required", "when"}
	for _, o := range operations.All() {
		k := o.Contract().Key("settings")
		if k == nil {
			continue
		}
		for _, s := range k.Type.Table.Keys {
			if s.Name == "exclusive" {
				continue
			}
			rule := s.Type.Member(shape.FormTable).Table
			for i, want := range names {
				if rule.Keys[i].Name != want {
					t.Errorf("%s: key %d of %s is %s, not %s", o.Name, i, s.Name, rule.Keys[i].Name, want)
				}
			}
		}
	}
}
