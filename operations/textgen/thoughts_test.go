package textgen

import "testing"

// What a caller does to a thought afterwards does not reach what was kept.
func TestThoughtsAreKept(t *testing.T) {
	said := []Part{{Kind: "text", Text: "Hi"}}
	r := Request{Messages: []Message{{Role: "assistant", Parts: said, Thoughts: []Thought{{Route: "a/b", Data: `{}`}}}}}
	kept := r.Keep()
	r.Messages[0].Thoughts[0].Route = "a/c"
	if got := kept.Messages[0].Thoughts[0].Route; got != "a/b" {
		t.Errorf("the thought is now of %s", got)
	}
}
