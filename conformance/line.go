package conformance

import (
	"slices"
	"strings"
)

// A line is the words of a call, taken apart so that a probe can change one.
type line struct {
	path  []string
	flags []pair
	args  []string
}

type pair struct{ name, value string }

// split takes argv apart by what the command and the contract say of flags.
func split(c *Command, argv []string) line {
	l := line{path: c.words()}
	rest := argv[min(len(l.path), len(argv)):]
	for i := 0; i < len(rest); i++ {
		word := rest[i]
		if !strings.HasPrefix(word, "--") || word == "--" {
			if word != "--" {
				l.args = append(l.args, word)
			}
			continue
		}
		name, value, valued := strings.Cut(word, "=")
		if !valued && typeOf(c, name) != "bool" && i+1 < len(rest) {
			i++
			value = rest[i]
		}
		l.flags = append(l.flags, pair{name, value})
	}
	return l
}

func typeOf(c *Command, name string) string {
	if f := c.flag(name); f != nil {
		return f.Type
	}
	return universalTypes[name]
}

// universalTypes are the flags that every command takes.
var universalTypes = map[string]string{
	"--json": "bool", "--describe": "bool", "--dry-run": "bool", "--fields": "list", "--limit": "int", "--force": "bool",
	"--yes": "bool", "--no-input": "bool", "--wait": "bool", "--timeout": "duration", "--run-dir": "path", "--help": "bool",
	"--version": "bool", "--cursor": "string",
}

// with gives the line with a flag set to a value, in place of any it has.
func (l line) with(name, value string) line {
	l = l.without(name)
	l.flags = append(l.flags, pair{name, value})
	return l
}

func (l line) without(name string) line {
	l.flags = slices.DeleteFunc(slices.Clone(l.flags), func(p pair) bool { return p.name == name })
	return l
}

func (l line) has(name string) bool {
	return slices.ContainsFunc(l.flags, func(p pair) bool { return p.name == name })
}

// argv is the words again. A flag without a value is written alone.
func (l line) argv(c *Command) []string {
	out := slices.Clone(l.path)
	out = append(out, l.args...)
	for _, p := range l.flags {
		switch {
		case typeOf(c, p.name) == "bool" && p.value == "":
			out = append(out, p.name)
		case p.value == "" || strings.HasPrefix(p.value, "-"):
			out = append(out, p.name+"="+p.value)
		default:
			out = append(out, p.name, p.value)
		}
	}
	return out
}

// made is a line that is well formed for the command, made up from its types. What
// it names is not there.
func made(c *Command) line {
	l := line{path: c.words()}
	for _, a := range c.Args {
		if a.Required {
			l.args = append(l.args, "nothing-has-this-name")
		}
	}
	for _, f := range c.Flags {
		if f.Required {
			l.flags = append(l.flags, pair{f.Name, f.some()})
		}
	}
	return l
}

// some is a value that the flag's type takes.
func (f *Flag) some() string {
	switch {
	case len(f.Enum) > 0:
		return f.Enum[0]
	case f.Type == "int" && f.Min.Kind() == '0':
		return string(f.Min)
	case f.Type == "int", f.Type == "number":
		return "1"
	case f.Type == "duration":
		return "1s"
	}
	return "nothing-has-this-name"
}
