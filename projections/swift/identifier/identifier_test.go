package identifier

import (
	"regexp"
	"slices"
	"testing"
)

var valid = regexp.MustCompile("^([A-Za-z_][A-Za-z0-9_]*|`[A-Za-z]+`)$")

func TestNames(t *testing.T) {
	for _, tc := range []struct{ word, member, constant string }{
		{"openai_chat_completions", "openaiChatCompletions", "openai_chat_completions"},
		{"acme/o3", "acmeO3", "acme_o3"},
		{"4.1-mini", "_41Mini", "_4_1_mini"},
		{"acme/4.1-mini", "acme41Mini", "acme_4_1_mini"},
		{"class", "`class`", "`class`"},
		{"acme/class", "acmeClass", "acme_class"},
		{"none", "none_", "none_"}, // .none of an optional value is another
		{"self", "self_", "self_"},
		{"5m", "_5m", "_5m"},
		{"模型", "u6a21u578b", "u6a21u578b"},
		{"MiniMax-M3", "MiniMaxM3", "MiniMax_M3"},
		{"/", "_blank", "__blank"},
	} {
		if got := Member(tc.word); got != tc.member {
			t.Errorf("Member(%q) is %s, want %s", tc.word, got, tc.member)
		}
		if got := Constant(tc.word); got != tc.constant {
			t.Errorf("Constant(%q) is %s, want %s", tc.word, got, tc.constant)
		}
	}
}

// Where two ids would have one name, both have another: a name never changes what it
// stands for when an id comes or goes, and no order of the ids matters.
func TestNoNameForTwo(t *testing.T) {
	ids := []string{"p/gpt-4.1", "p/gpt-4-1", "p/gpt-41", "p/m3", "p/M3", "p/é", "p/e\u0301"}
	names := Unique(ids, Constant)
	if plain := Constant(ids[0]); slices.Contains(names, plain) {
		t.Errorf("%s is still a name in %v", plain, names)
	}
	if want := Constant("p/gpt-41"); names[2] != want {
		t.Errorf("%s is not a name in %v", want, names)
	}
	distinct(t, ids, names)
	backwards := slices.Clone(ids)
	slices.Reverse(backwards)
	again := Unique(backwards, Constant)
	slices.Reverse(again)
	if !slices.Equal(names, again) {
		t.Errorf("%v, and in another order %v", names, again)
	}
	// A name with a part of a digest may be an id's own.
	distinct(t, append(ids, names[0]), Unique(append(ids, names[0]), Constant))
}

func distinct(t *testing.T, words, names []string) {
	t.Helper()
	seen := map[string]string{}
	for i, name := range names {
		if !valid.MatchString(name) {
			t.Errorf("%q is named %s", words[i], name)
		}
		if other, ok := seen[name]; ok {
			t.Errorf("%q and %q are both named %s", other, words[i], name)
		}
		seen[name] = words[i]
	}
}

func FuzzUnique(f *testing.F) {
	f.Add("p/gpt-4.1", "p/gpt-4-1", "p/gpt_4_1")
	f.Add("é", "e\u0301", "class")
	f.Add("", "/", "_blank")
	f.Fuzz(func(t *testing.T, a, b, c string) {
		words := []string{a, b, c}
		if a == b || b == c || a == c {
			return
		}
		distinct(t, words, Unique(words, Constant))
		distinct(t, words, Unique(words, Member))
	})
}
