package cli

import (
	"slices"
	"strings"
	"testing"
)

func TestUsageErrors(t *testing.T) {
	s := newShop(things(3)...)
	long := strings.Repeat("x", 10_000)
	for _, tc := range []struct {
		argv    string // fields; ␀ stands for NUL, ∅ for an empty word
		code    Code
		command string
		got     string
	}{
		{"", UnknownCommand, "", ""},
		{"thing", UnknownCommand, "thing", ""},
		{"thing lst", UnknownCommand, "thing", "lst"},
		{"thing ls", ForbiddenVerb, "thing", "ls"},
		{"make", ForbiddenVerb, "", "make"},
		{"∅", UnknownCommand, "", ""},
		{"thing list --nope", UnknownFlag, "thing list", "--nope"},
		{"--kind cup thing list", UnknownFlag, "", "--kind"}, // a command's flag stands after the verb
		{"thing list -x", UnknownFlag, "thing list", "-x"},
		{"thing list ---limit=1", UnknownFlag, "thing list", "---limit"},
		{"thing list --limit", InvalidValue, "thing list", ""},
		{"thing list --limit --kind=cup", InvalidValue, "thing list", ""},
		{"thing list --limit 2 --limit=2", DuplicateFlag, "thing list", "2"},
		{"thing list --yes --yes", DuplicateFlag, "thing list", "true"},
		{"thing list --yes false", InvalidValue, "thing list", "false"},
		{"thing list --yes=maybe", InvalidValue, "thing list", "maybe"},
		{"thing list --limit 101", InvalidRange, "thing list", "101"}, // the command's own maximum
		{"thing list --limit ∅", InvalidRange, "thing list", ""},
		{"thing list --kind Cup", InvalidEnum, "thing list", "Cup"},
		{"thing list --kind " + long, InvalidEnum, "thing list", clip(long, maxGot)},
		{"thing list --timeout soon", InvalidValue, "thing list", "soon"},
		{"thing list --timeout 0s", InvalidRange, "thing list", "0s"},
		{"thing list --timeout -1s", InvalidRange, "thing list", "-1s"},
		{"thing list --run-dir ∅", InvalidValue, "thing list", ""},
		{"thing list --fields id,,kind", InvalidValue, "thing list", "id,,kind"},
		{"thing list extra", InvalidValue, "thing list", "extra"},
		{"thing get", MissingFlag, "thing get", ""},
		{"thing get ∅", InvalidValue, "thing get", ""},
		{"thing get a␀b", InvalidValue, "thing get", "a\x00b"},
		{"thing get --cursor x a", UnknownFlag, "thing get", "--cursor"},
		{"thing fail", MissingFlag, "thing fail", ""},
		{"thing fail --code " + long, InvalidValue, "thing fail", clip(long, maxGot)},
		{"thing echo --amount -1", InvalidValue, "thing echo", "-1"},
		{"thing echo --amount 1e3", InvalidValue, "thing echo", "1e3"},
		{"thing echo --day yesterday", InvalidValue, "thing echo", "yesterday"},
		{"thing echo --layers bundled,moon", InvalidEnum, "thing echo", "bundled,moon"},
	} {
		argv := strings.Fields(tc.argv)
		for i := range argv {
			argv[i] = strings.ReplaceAll(strings.ReplaceAll(argv[i], "␀", "\x00"), "∅", "")
		}
		r := s.fails(t, tc.code, argv...)
		if r.exit != 2 || r.env.Command != tc.command || r.env.Error.Got != tc.got || r.writes != 1 {
			t.Errorf("%q: exit %d, command %q, got %q", argv, r.exit, r.env.Command, r.env.Error.Got)
		}
		// The flags may also stand first, and --json in the middle.
		s.fails(t, tc.code, append([]string{"--json=true", "--no-input"}, argv...)[1:]...)
	}
}

func TestFlagsReachTheCommand(t *testing.T) {
	s := newShop(things(3)...)
	r := s.run(t, "--dry-run", "--limit", "7", "thing", "--timeout=90s", "echo", "--amount", "0.250", "--tags", "a,b", "--json",
		"--tags=c", "--day", "2026-11-30", "--as-of", "2026-11-30T12:00:00+02:00", "--layers", "bundled,user")
	v, _ := r.env.Data.Value.(map[string]any)
	for key, want := range map[string]any{"amount": "0.250", "day": "2026-11-30T00:00:00Z", "as_of": "2026-11-30T10:00:00Z",
		"limit": 7.0, "timeout": "1m30s", "dry": true} {
		if v[key] != want {
			t.Errorf("%s is %v, want %v", key, v[key], want)
		}
	}
	tags, _ := v["tags"].([]any)
	if !slices.Equal(tags, []any{"a", "b", "c"}) {
		t.Errorf("tags are %v", tags)
	}
	// A dash alone and what follows a double dash are words.
	if r := s.fails(t, NotFound, "thing", "get", "-"); r.env.Error.Got != "-" {
		t.Errorf("got %s", r.out)
	}
	r = s.run(t, "--json", "thing", "get", "--", "--limit")
	if r.env.Error == nil || r.env.Error.Code != string(NotFound) || r.env.Error.Got != "--limit" {
		t.Errorf("got %s", r.out)
	}
}

// The ids nearest to a wrong one are named.
func TestMissingNamesTheNearest(t *testing.T) {
	r := newShop(things(20)...).fails(t, NotFound, "thing", "get", "t01")
	if r.exit != 3 || len(r.env.Error.Allowed) != 5 || r.env.Error.Hint != "shop thing list" {
		t.Errorf("got %s", r.out)
	}
}

// Whatever the words are, the answer to --json keeps the contract.
func FuzzArgv(f *testing.F) {
	for _, seed := range []string{"thing list", "thing list --limit 1", "thing\x01get\x00", "--describe", "--fields items.id thing list",
		"thing get -- --x", "-h", "--version", "thing list --cursor eyJ2IjoxfQ", "thing echo --tags a,b --day 2026-01-01", "ls", "--", "thing value", "\x7f \u009b"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, line string) {
		if strings.Contains(line, "hang") || strings.Contains(line, "wait") || strings.Contains(line, "apply") ||
			strings.Contains(line, "run-dir") || strings.Contains(line, "files") {
			return // it would block, or write
		}
		s := newShop(things(3)...)
		s.run(t, append([]string{"--json"}, strings.Split(line, " ")...)...)
		s.run(t, strings.Split(line, " ")...)
	})
}
