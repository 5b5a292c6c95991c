package diag

import "testing"

func TestOneLine(t *testing.T) {
	for in, want := range map[string]string{
		"":                        "",
		`a "b" größer 日本`:         `a "b" größer 日本`,
		"a\nerror FORGED: b\x1b[": `a\nerror FORGED: b\x1b[`,
		"a\u2028b\u202ec":         `a\u2028b\u202ec`,
	} {
		if got := OneLine(in); got != want {
			t.Errorf("OneLine(%q) = %q, want %q", in, got, want)
		}
	}
}
