package post

import (
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// body has texts wherever a request may have one.
type body struct {
	One   Text           `json:"one"`
	Maybe *Text          `json:"maybe,omitzero"`
	Empty Text           `json:"empty,omitempty"`
	Zero  Text           `json:"zero,omitzero"`
	List  []Text         `json:"list"`
	Raw   jsontext.Value `json:"raw,omitzero"`
	Name  string         `json:"name"`
	Own   own            `json:"own"`
	Any   any            `json:"any"`
	More  []body         `json:"more,omitzero"`
}

// own writes its text by itself, as some protocols need it.
type own struct{ text Text }

func (o own) MarshalJSONTo(e *jsontext.Encoder) error { return json.MarshalEncode(e, &o.text) }

func bodyOf(texts [3]string) body {
	text := func(i int) Text { return Text(texts[i]) }
	maybe := text(1)
	b := body{One: text(0), Maybe: &maybe, Empty: text(2), Zero: text(1), List: []Text{text(2), text(0), ""}, Name: texts[0],
		Raw: jsontext.Value(`{"a":"\u002e","b":["."],"c":""}`), Own: own{text(1)}, Any: []Text{text(2)}}
	b.More = []body{{One: text(2)}, {Empty: text(1), Own: own{text(0)}}}
	return b
}

// A body is written as the JSON library writes it with its texts in place.
func check(t *testing.T, texts [3]string) {
	t.Helper()
	b := bodyOf(texts)
	want, wantErr := json.Marshal(&b, json.Deterministic(true), jsontext.PreserveRawStrings(true))
	got, err := JSON("https://a.example", &b)
	if (err != nil) != (wantErr != nil) {
		t.Errorf("%q: %v, and %v from the library", texts, err, wantErr)
	}
	if err == nil && string(got.Body) != string(want) {
		t.Errorf("%q:\n%s, not\n%s", texts, got.Body, want)
	}
}

var texts = []string{"", ".", `"."`, `""`, "a", "say \"rain\"\n", strings.Repeat("Rain is likely. ", 100), strings.Repeat("\u00fc\x01", 70), strings.Repeat("\\", 300),
	"half a rune \xc3", "\xff"}

func TestTextsAreInTheirPlaces(t *testing.T) {
	for _, a := range texts {
		for _, b := range texts {
			for _, c := range texts {
				check(t, [3]string{a, b, c})
			}
		}
	}
}

// What is wrong is refused and not mended.
func TestTextThatIsNotUTF8IsRefused(t *testing.T) {
	if q, err := JSON("https://a.example", []Text{"fine", "half a rune \xc3"}); err == nil {
		t.Errorf("written: %s", q.Body)
	}
}

// A writer that is used again holds nothing of the body before, whether that was written or not.
func TestNothingIsLeftForTheNextBody(t *testing.T) {
	w := writers.New().(*writer)
	for _, before := range []any{[]Text{"what", "I said"}, []Text{"what", "I said", "\xff"}} {
		_, _ = w.write(before)
		w.forget()
		if b, err := w.write([]Text{"mine"}); err != nil || string(b) != `["mine"]` {
			t.Errorf("after %q: %s, %v", before, b, err)
		}
		for _, p := range w.texts[len(w.texts):cap(w.texts)] {
			if p.text != "" {
				t.Errorf("%q is still held", p.text)
			}
		}
		w.forget()
	}
}

func TestManyAtOnce(t *testing.T) {
	var wait sync.WaitGroup
	for i := range 8 {
		wait.Go(func() {
			for range 200 {
				check(t, [3]string{texts[i%len(texts)], texts[(i+3)%len(texts)], "mine"})
			}
		})
	}
	wait.Wait()
}

func FuzzText(f *testing.F) {
	for _, s := range texts {
		f.Add(s, "b", s)
	}
	f.Fuzz(func(t *testing.T, a, b, c string) {
		check(t, [3]string{a, b, c})
		if valid := utf8.ValidString(a + "|" + b + "|" + c); valid {
			if _, err := JSON("", bodyOf([3]string{a, b, c})); err != nil {
				t.Fatal(err)
			}
		}
	})
}
