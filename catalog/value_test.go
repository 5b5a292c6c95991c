package catalog_test

import (
	"cmp"
	"testing"
	"time"

	"github.com/opcat/opcat/catalog"
)

func TestDecimalCompare(t *testing.T) {
	ordered := []catalog.Decimal{"", "-10", "-9.5", "-9.25", "-0.1", "0", "0.000000042", "0.1", "0.11", "0.2", "1", "9", "9.9", "10", "100"}
	for i, a := range ordered {
		for j, b := range ordered {
			want := 0
			if i < j {
				want = -1
			} else if i > j {
				want = 1
			}
			if got := a.Compare(b); got != want {
				t.Errorf("%q against %q is %d, want %d", a, b, got, want)
			}
			if a != "" && b != "" && a.Rat().Cmp(b.Rat()) != want {
				t.Errorf("%q against %q differs from the exact values", a, b)
			}
		}
	}
}

// What is small enough to be counted in millionths is ordered as its text is.
func TestMicros(t *testing.T) {
	all := []catalog.Decimal{"0", "1", "-1", "0.2", "0.20", "-0.2", "2", "10", "9", "0.000001", "0.0000001", "-0", "007", "999999999999", "999999999999.999999",
		"-999999999999.999999", "1000000000000", "", "-", ".5", "5.", "1e3", "1.2.3", " 1", "+1", "0.1", "0.11", "0.09", "9223372036854775808"}
	counted := 0
	for _, a := range all {
		x, ok := a.Micros()
		if !ok {
			continue
		}
		counted++
		if own, err := catalog.ParseDecimal(string(a)); err != nil || own != a {
			t.Errorf("%q is counted, and spelled %q, %v", a, own, err)
		}
		for _, b := range all {
			if y, ok := b.Micros(); ok && cmp.Compare(x, y) != a.Compare(b) {
				t.Errorf("%q is %d and %q is %d", a, x, b, y)
			}
		}
	}
	if counted != 15 {
		t.Errorf("%d are counted", counted)
	}
}

func TestDecimalIsExact(t *testing.T) {
	for in, want := range map[string]catalog.Decimal{"0.80": "0.8", "100": "100", "0.0000002": "0.0000002", "3.30": "3.3", "-0.0": "0"} {
		if got, err := catalog.ParseDecimal(in); err != nil || got != want {
			t.Errorf("%q is %q, %v", in, got, err)
		}
	}
	for _, in := range []string{"", "1e3", "1,5", "inf", "+1", ".5"} {
		if got, err := catalog.ParseDecimal(in); err == nil {
			t.Errorf("%q is %q", in, got)
		}
	}
	if catalog.Decimal("").IsKnown() || catalog.Decimal("").IsZero() || !catalog.Decimal("0").IsZero() || catalog.Decimal("").Rat() != nil {
		t.Error("unknown and zero are taken for one another")
	}
}

func day(s string) time.Time {
	t, err := catalog.ParseDate(s)
	if err != nil {
		panic(err)
	}
	return t
}

// A retired row is served the day before its end and not on the day itself; the
// date is an input, so that history stays what it was.
func TestLifecycleState(t *testing.T) {
	deprecated := catalog.Known(true)
	for _, tc := range []struct {
		name string
		life *catalog.Lifecycle
		at   string
		want catalog.State
	}{
		{"nothing known", nil, "2026-11-30", catalog.Active},
		{"a successor alone", &catalog.Lifecycle{Successor: "a/b"}, "2026-11-30", catalog.Active},
		{"announced", &catalog.Lifecycle{AnnouncedEnd: "2026-08-07T09:00:00Z"}, "2026-08-06", catalog.Announced},
		{"announced and past", &catalog.Lifecycle{AnnouncedEnd: "2026-08-07T09:00:00Z"}, "2026-08-08", catalog.Ended},
		{"deprecated without end", &catalog.Lifecycle{Deprecated: deprecated}, "2040-01-01", catalog.Deprecated},
		{"deprecated, before its end", &catalog.Lifecycle{Deprecated: deprecated, EndsOn: "2027-01-31"}, "2027-01-30T23:59:59Z", catalog.Deprecated},
		{"deprecated, at its end", &catalog.Lifecycle{Deprecated: deprecated, EndsOn: "2027-01-31"}, "2027-01-31", catalog.Ended},
		{"an end in another zone", &catalog.Lifecycle{EndsOn: "2027-01-31T01:00:00+02:00"}, "2027-01-30T23:00:00Z", catalog.Ended},
		{"not deprecated", &catalog.Lifecycle{Deprecated: catalog.Known(false)}, "2026-11-30", catalog.Active},
	} {
		if got := tc.life.State(day(tc.at)); got != tc.want {
			t.Errorf("%s at %s: %s, want %s", tc.name, tc.at, got, tc.want)
		}
	}
}

func TestHolds(t *testing.T) {
	h := catalog.Holds{From: "2026-11-01", Until: "2026-12-01"}
	for at, want := range map[string]bool{"2026-10-31": false, "2026-11-01": true, "2026-11-30T23:59:59Z": true, "2026-12-01": false} {
		if h.Holds(day(at)) != want {
			t.Errorf("at %s it is %v", at, !want)
		}
	}
	if !(catalog.Holds{}).Holds(day("1999-01-01")) {
		t.Error("a catalog in which nothing changes holds always")
	}
}

func TestDateOf(t *testing.T) {
	for in, want := range map[string]catalog.Date{
		"2026-11-30": "2026-11-30", "2026-11-30T00:00:00Z": "2026-11-30", "2026-11-30T02:00:00+02:00": "2026-11-30",
		"2026-12-24T18:00:00+02:00": "2026-12-24T16:00:00Z", "2028-02-29": "2028-02-29",
	} {
		if got := catalog.DateOf(day(in)); got != want {
			t.Errorf("%s is %s, want %s", in, got, want)
		}
	}
	for _, in := range []string{"", "2026-02-30", "2026-13-01", "2027-02-29", "30.11.2026", "2026-11-30 09:00"} {
		if _, err := catalog.ParseDate(in); err == nil {
			t.Errorf("%q is a date", in)
		}
	}
}
