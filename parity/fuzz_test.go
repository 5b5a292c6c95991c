package parity

import (
	"encoding/json"
	"testing"
)

// No question ends the library, however it is put; one that is none is an error, and
// an answer is JSON.
func FuzzQuestion(f *testing.F) {
	all, err := Questions()
	if err != nil {
		f.Fatal(err)
	}
	for i := 0; i < len(all); i += 7 {
		f.Add([]byte(all[i].Asked))
	}
	f.Add([]byte(`{"id":"made/x","kind":"cost","operation":"text_generation","row":"acme/tiered","usage":null}`))
	f.Add([]byte(`{"id":"made/x","kind":"routes","operation":"nothing"}`))
	c, err := Catalog("made")
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, asked []byte) {
		answer, err := library(c, asked)
		if err != nil {
			return
		}
		b, err := json.Marshal(answer)
		if err != nil || !json.Valid(b) {
			t.Errorf("%s: %v is no answer: %v", asked, answer, err)
		}
		file, err := json.Marshal(map[string]any{"questions": []any{map[string]any{"id": string(asked), "kind": "x", "answer": nil}}})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := decode(file); err == nil {
			t.Errorf("a question of no kind is read: %s", file)
		}
	})
}
