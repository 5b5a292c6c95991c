package plan

import (
	"testing"
	"time"
)

// FuzzDecode: whatever bytes come, a plan is read or refused; what is read has one
// checksum, however it is laid out; and the quick look at numbers lets none pass that the
// exact one refuses.
func FuzzDecode(f *testing.F) {
	made, err := New("opcat", "fragment plan", "p-1", Base{Files: map[string]string{"a": "sha256:0"}, Inputs: []Input{}, Options: map[string]string{}},
		[]Item{{ID: "a", Action: "create", Reason: "r", Params: []byte(`{"b":"é\u0001","a":[1,{}]}`), Targets: []string{}, Impact: []byte("null")}}, nil,
		time.Date(2026, 11, 30, 0, 0, 0, 0, time.UTC), time.Hour)
	if err != nil {
		f.Fatal(err)
	}
	text, err := made.MarshalIndent()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(text)
	f.Add([]byte(`{"a":1.0}`))
	f.Add([]byte(`{"a":"\\","b":9007199254740992}`))
	f.Add([]byte(`{"ok":true,"meta":{}}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		p, err := Decode(text)
		if err != nil {
			return
		}
		if err := exactNumbers(text); err != nil {
			t.Errorf("the quick look lets pass %q: %v", text, err)
		}
		sum, err := p.Sum()
		if err != nil {
			t.Fatal(err)
		}
		laid, err := p.MarshalIndent()
		if err != nil {
			t.Fatal(err)
		}
		if again, err := sumOf(laid); err != nil || again != sum {
			t.Errorf("%s, and laid out %s: %v", sum, again, err)
		}
	})
}
