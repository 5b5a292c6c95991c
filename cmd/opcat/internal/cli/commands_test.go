package cli

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/opcat/opcat/conformance"
)

// The list of commands keeps the rules of the contract that need no run.
func TestCommandsKeepTheContract(t *testing.T) {
	commands := Commands()
	universal := new(universal).flags(DefaultLimit, MaxLimit)
	word := regexp.MustCompile(`^[a-z][a-z0-9]{2,23}$`)
	seen := map[string]bool{}
	for i := range commands {
		c := &commands[i]
		bad := func(format string, args ...any) { t.Helper(); t.Errorf(c.Path+": "+format, args...) }
		words := strings.Fields(c.Path)
		if len(words) < 1 || len(words) > 2 || strings.Join(words, " ") != c.Path || seen[c.Path] {
			bad("is not one resource and one verb, once")
		}
		seen[c.Path] = true
		for _, w := range words {
			if _, banned := forbidden[w]; banned || !word.MatchString(w) {
				bad("%q cannot be a word of a command", w)
			}
		}
		if tier1 := slices.Contains(tier1, c.verb()); tier1 != (c.Tier == 1) || c.Tier < 1 || c.Tier > 2 {
			bad("tier %d", c.Tier)
		}
		if want := family(c.verb()); c.Family != want {
			bad("family %q, want %q", c.Family, want)
		}
		if (c.rw() == Write) != (c.verb() == "apply") {
			bad("class %s", c.rw())
		}
		if c.verb() == "list" && c.Bounded == nil {
			bad("a list without bounds")
		}
		if !regexp.MustCompile(`^opcat(\.[a-z][a-z0-9_]*)+@[0-9]+$`).MatchString(c.Result) || c.Schema()["type"] != "object" {
			bad("result %q of type %v", c.Result, c.Schema()["type"])
		}
		if len(c.Example) < len(words) || strings.Join(c.Example[:len(words)], " ") != c.Path {
			bad("the example is of another command: %v", c.Example)
		}
		if c.Short == "" || strings.HasSuffix(c.Short, ".") || c.Run == nil {
			bad("has no summary, or one that ends in a period, or does nothing")
		}
		for _, code := range c.Errors {
			if !code.registered() {
				bad("the code %s is not registered", code)
			}
		}
		for j, f := range c.Flags {
			same := func(g Flag) bool { return g.Name == f.Name }
			if slices.ContainsFunc(universal, same) || f.Name == "cursor" || slices.ContainsFunc(c.Flags[:j], same) {
				bad("--%s is taken", f.Name)
			}
			if f.Usage == "" || (f.Type == EnumType) && len(f.Enum) == 0 {
				bad("--%s is not described", f.Name)
			}
		}
	}
	for path := range seen { // what can be applied can be planned
		if resource, ok := strings.CutSuffix(path, " apply"); ok && !seen[resource+" plan"] {
			t.Errorf("%s has no plan", resource)
		}
	}
}

func family(verb string) Family {
	switch {
	case verb == "plan", verb == "apply":
		return Mutation
	case slices.Contains(tier1, verb):
		return CRUD
	}
	return Stage
}

// The describe document and every schema in it compile.
func TestOpcatDescribesItself(t *testing.T) {
	doc, err := Opcat().Describe()
	if err != nil {
		t.Fatal(err)
	}
	checker, err := conformance.NewAnswers(doc)
	if err != nil {
		t.Fatal(err)
	}
	if err := checker.Compile(); err != nil {
		t.Error(err)
	}
}

// No two schemas share a name unless they are the same.
func TestResultNamesAreUnique(t *testing.T) {
	byName := map[string]string{}
	for _, c := range Commands() {
		text, err := marshal(c.Schema())
		if err != nil {
			t.Fatal(err)
		}
		if old, ok := byName[c.Result]; ok && old != string(text) {
			t.Errorf("%s is two schemas", c.Result)
		}
		byName[c.Result] = string(text)
	}
}
