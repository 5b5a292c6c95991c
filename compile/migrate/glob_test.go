package migrate

import (
	"strings"
	"testing"
)

func TestPatterns(t *testing.T) {
	for _, c := range []struct {
		pattern, id string
		literal     int // -1: it does not fit
	}{
		{"acme/chat-1", "acme/chat-1", 11},
		{"acme/chat-1", "acme/chat-10", -1},
		{"ACME/Chat-*", "acme/chat-1", 10},
		{"*", "acme/chat-1", 0},
		{"acme/*", "acme/a/b", 5},
		{"*-mini", "acme/chat-mini", 5},
		{"gpt-*codex*", "gpt-5.3-codex", 9},
		{"gpt-*codex*", "gpt-5.3", -1},
		{"a*b*c", "a-b-b-c", 3},
		{"a*b*c", "a-b-b-d", -1},
		{"chat-?", "chat-1", 5},
		{"chat-?", "chat-", -1},
		{"chat-?", "chat-\u00fc", 5},
		{"chat-[12]", "chat-2", 5},
		{"chat-[!12]", "chat-2", -1},
		{"chat-[a-c]x", "chat-bx", 6},
		{"{gpt,claude}-*", "claude-5", 7},
		{"{gpt,claude}-*", "gemini-5", -1},
		{"a{b,c{d,e}}f", "acef", 4},
		{`chat-\*`, "chat-*", 6},
		{`chat-\*`, "chat-1", -1},
		{"chat[*", "chat[1", 5},   // no glob: read as a prefix
		{"*chat[", "my-chat[", 5}, // as a suffix
		{"chat[", "chat[", 5},     // as one id
		{"{a,b", "{a,b", 4},
	} {
		p := newPattern(c.pattern)
		n, ok := p.match(c.id)
		if !ok {
			n = -1
		}
		if n != c.literal {
			t.Errorf("%s on %s: %d literal characters, want %d", c.pattern, c.id, n, c.literal)
		}
	}
}

func TestVersions(t *testing.T) {
	for id, want := range map[string][2]int{
		"claude-opus-4-8":                              {4, 8},
		"anthropic/claude-haiku-5.5":                   {5, 5},
		"claude-opus-4-20250514":                       {4, 0},
		"claude-sonnet-4-5-20250929":                   {4, 5},
		"anthropic.claude-sonnet-4-5-20250929-v1:0":    {4, 5},
		"claude-3-5-sonnet-20241022":                   {3, 5},
		"claude-opus-5":                                {5, 0},
		"GPT-5.4-mini":                                 {5, 4},
		"openai/gpt-6.1-terra":                         {6, 1},
		"gpt-5-2025-08-07":                             {5, 0},
		"gpt-4o":                                       {4, 0},
		"claude-opus-99999999999999999999999999999999": {1_000_000_000, 0},
	} {
		major, minor, ok := idVersion(id)
		if id == "claude-opus-99999999999999999999999999999999" {
			if !ok || major < 1000 {
				t.Errorf("%s reads as %d", id, major)
			}
			continue
		}
		if !ok || major != want[0] || minor != want[1] {
			t.Errorf("%s reads as %d.%d, want %d.%d", id, major, minor, want[0], want[1])
		}
	}
	for _, id := range []string{"", "claude-", "claude-opus-latest", "gpt-oss-120b", "gemini-4", "nova-2"} {
		if major, minor, ok := idVersion(id); ok {
			t.Errorf("%s has no version, but reads as %d.%d", id, major, minor)
		}
	}
}

// A pattern fits itself when nothing in it is special, a star in its place fits
// whatever stood there, and no input is too odd to be matched.
func FuzzPattern(f *testing.F) {
	for _, s := range []string{"acme/chat-*", "{a,{b,c}}", "[", `\\`, "*[a-", "a?b", "{,}"} {
		f.Add(s, "acme/chat-1")
	}
	f.Fuzz(func(t *testing.T, text, id string) {
		p := newPattern(text)
		p.match(id)
		idVersion(id)
		mayCarryVersion(text)
		low := strings.ToLower(text)
		if _, ok := p.match(low); p.exact && !ok {
			t.Errorf("%q does not fit itself", text)
		}
		if p.exact && !strings.ContainsRune(low, '*') {
			star := newPattern(low + "*")
			if _, ok := star.match(low + strings.ToLower(id)); !ok {
				t.Errorf("%q does not fit what starts with it", low+"*")
			}
		}
	})
}

// What a rule tells apart at a glance, no pattern of it fits.
func TestMayFit(t *testing.T) {
	ids := []string{"a", "b", "ab", "claude-3-5-sonnet", "openai/gpt-5.4", "gpt-5.4-mini", "é", strings.Repeat("x", 70), strings.Repeat("x", 6)}
	patterns := append([]string{"*", "?", "[ab]*", "{a,b}", "{claude,gpt}-*", "{,a}b", `\*a`, "gpt-*", "*-mini", "openai/*", "x*", "{a", "é*", "a*b", ""}, ids...)
	for _, p := range patterns {
		for _, q := range patterns {
			var r rule
			r.fits(newPattern(p))
			r.fits(newPattern(q))
			for _, id := range ids {
				for i := range r.patterns {
					if _, ok := r.patterns[i].match(id); ok && !r.mayFit(id) {
						t.Errorf("%q fits %q, and the rule of %q and %q tells it apart", r.patterns[i].text, id, p, q)
					}
				}
			}
		}
	}
	var r rule
	r.fits(newPattern("gpt-5.4-mini"))
	if r.mayFit("claude-3-5-sonnet") || r.mayFit("gpt-5.4") {
		t.Error("a rule that names one row tells no other apart")
	}
}
