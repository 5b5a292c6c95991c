package op

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/opcat/opcat/catalog"
)

var threeSettings = Operation{Settings: []Setting{{Name: "first"}, {Name: "second"}, {Name: "third"}}}

// Settings stand in the registry's order and are found by their places, in whatever
// order they are asked for.
func TestSettingsStandInOrder(t *testing.T) {
	for _, order := range [][]int{{0, 1, 2}, {2, 1, 0}, {1, 0, 2}, {2, 0, 1, 0}, {1, 1}, {2}} {
		var n Needs
		n.For(&threeSettings)
		for _, at := range order {
			n.Ask(at, catalog.TextValue(strconv.Itoa(at)))
		}
		asked := slices.Compact(slices.Sorted(slices.Values(order)))
		if len(n.Settings) != len(asked) {
			t.Fatalf("%v: asked for %v", order, n.Settings)
		}
		for i, at := range asked {
			if n.Settings[i].Name != n.Name(at) || !n.Asks(at) || n.At(at) != catalog.TextValue(strconv.Itoa(at)) {
				t.Errorf("%v: asked for %v", order, n.Settings)
			}
		}
		n.Drop(asked[0])
		if n.Asks(asked[0]) || !n.At(asked[0]).IsZero() || len(n.Settings) != len(asked)-1 {
			t.Errorf("%v: without %d it asks for %v", order, asked[0], n.Settings)
		}
		for _, at := range asked[1:] {
			if n.At(at) != catalog.TextValue(strconv.Itoa(at)) {
				t.Errorf("%v: without %d it asks for %v", order, asked[0], n.Settings)
			}
		}
		if !n.At(-1).IsZero() {
			t.Error("the place that is none has a value")
		}
	}
}

func TestCountsAreSpelled(t *testing.T) {
	var n Needs
	for _, v := range []int64{0, 7, 9, 10, 99, 100, 256, 999_999, 123456789012345678, 999999999999999999, 1e18, math.MaxInt64, -1, math.MinInt64} {
		if got, want := n.integer(v), strconv.FormatInt(v, 10); got != want { // later ones find no room
			t.Errorf("%d is spelled %q", v, got)
		}
	}
	var fresh Needs
	a, b := fresh.integer(12), fresh.integer(345)
	if a != "12" || b != "345" {
		t.Errorf("%q and %q", a, b)
	}
}

// A text is valid where the library says so, wherever a bad byte or a longer rune
// stands in it.
func TestValid(t *testing.T) {
	for size := range 80 {
		plain := strings.Repeat("m", size)
		if !valid(plain) {
			t.Fatalf("%d letters are not valid", size)
		}
		for at := range size {
			for _, odd := range []string{"\xff", "\xc3", "é", "\xe2\x82", "€", "\U0001F600"} {
				s := plain[:at] + odd + plain[at+1:]
				if got := valid(s); got != utf8.ValidString(s) {
					t.Fatalf("%q: %v", s, got)
				}
			}
		}
	}
}
