package questions

import (
	"fmt"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/opcat/opcat/catalog"
	"github.com/opcat/opcat/operations/decision"
)

// What the cases of the protocols cannot show, as no route of the catalog admits
// it: legends that are lists, boxes, instructions that are null.
func TestForms(t *testing.T) {
	score := decision.Question{ID: "q", Kind: "score", Levels: []string{"calm", "furious"}}
	box := decision.Question{ID: "q", Kind: "box", Instructions: "Where is the door?"}
	list := Form{Boolean: "noul", Probability: "noul", LegendList: true}
	cases := []struct {
		name   string
		form   Form
		q      decision.Question
		answer string
		want   string // a part of the error; "" for none
	}{
		{"a list", list, score, `{"type":"score","score":0.9,"legend":["calm","furious"],"probabilities":{"0":0.1,"1":0.9}}`, ""},
		{"a list in another order", list, score, `{"type":"score","score":0.9,"legend":["furious","calm"],"probabilities":{"0":0.1,"1":0.9}}`, "legend"},
		{"a map in place of a list", list, score, `{"type":"score","score":0.9,"legend":{"0":"calm","1":"furious"},"probabilities":{"0":0.1,"1":0.9}}`, "legend"},
		{"a list in place of a map", SystemOne, score, `{"type":"score","score":0.9,"legend":["calm","furious"],"probabilities":{"0":0.1,"1":0.9}}`, "legend"},
		{"no legend", SystemOne, score, `{"type":"score","score":0.9,"probabilities":{"0":0.1,"1":0.9}}`, ""},
		{"a box", SystemOne, box, `{"type":"box","box":{"top":0.1,"bottom":0.5,"left":0,"right":1},"confidence":null}`, ""},
		{"an empty box", SystemOne, box, `{"type":"box","box":{"top":0.5,"bottom":0.5,"left":0,"right":1}}`, "empty"},
		{"a box without a side", SystemOne, box, `{"type":"box","box":{"top":0.1,"bottom":0.5,"left":0}}`, "side"},
		{"a box beyond the image", SystemOne, box, `{"type":"box","box":{"top":0.1,"bottom":0.5,"left":0,"right":1.5}}`, "side"},
		{"no box", SystemOne, box, `{"type":"box"}`, "no box"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			answers := map[string]jsontext.Value{"q": jsontext.Value(c.answer)}
			_, err := c.form.Read([]decision.Question{c.q}, answers, catalog.Opt[int64]{})
			if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want %q", err, c.want)
			}
		})
	}
}

func TestNullInstructions(t *testing.T) {
	q := []decision.Question{{ID: "q", Kind: "boolean", True: "asks for a new item"}}
	for form, want := range map[*Form]string{
		{Boolean: "noul", True: "true", False: "false"}:                         `{"q":{"type":"noul","criteria":{"true":"asks for a new item"}}}`,
		{Boolean: "noul", True: "true", False: "false", NullInstructions: true}: `{"q":{"type":"noul","instructions":null,"criteria":{"true":"asks for a new item"}}}`,
	} {
		got, err := form.Write(q)
		if s := strings.TrimSpace(string(got)); err != nil || s != want {
			t.Errorf("got %s, %v; want %s", s, err, want)
		}
	}
}

// However many probabilities there are, rounding each of them to the decimals of
// the contract never spoils a distribution, and a whole unit more always does.
func TestRoundingIsAllowedAndNoMore(t *testing.T) {
	two := catalog.Known[int64](2)
	for n := 2; n <= 60; n++ {
		ps := make([]catalog.Decimal, n)
		// The exact shares are 1/n: two decimals of each are off by half a unit at most.
		share := catalog.Decimal(roundedShare(n))
		for i := range ps {
			ps[i] = share
		}
		if err := Sum(ps, two); err != nil {
			t.Errorf("%d times %s: %v", n, share, err)
		}
	}
	if err := Sum([]catalog.Decimal{"0.5", "0.52"}, two); err == nil {
		t.Error("0.5 and 0.52 are no rounded distribution")
	}
}

func roundedShare(n int) string {
	hundredths := (200 + n) / (2 * n) // 100/n, rounded half up
	return fmt.Sprintf("0.%02d", hundredths)
}
