package cli

import (
	"slices"
	"strings"
)

// A call is an argv understood. It holds as much as could be understood even
// when there is an error, so that the envelope can name its command.
type call struct {
	tool  string
	at    *node // the longest known path
	lost  bool  // a word of the path was not known
	flags []given
	args  []string
	err   *Error // the first thing wrong, in the order of argv

	universal []Flag
}

// given is one flag as it was written, its value split off.
type given struct {
	flag  Flag
	value string
}

// wants reports whether a boolean flag stands anywhere in argv. Since no flag
// takes a word that starts with two dashes as its value, this needs no parsing:
// a broken call that asks for JSON gets its error as JSON.
func wants(argv []string, name string) bool {
	for _, word := range argv {
		switch word {
		case "--":
			return false
		case "--" + name, "--" + name + "=true":
			return true
		}
	}
	return false
}

// read understands argv without setting anything. It is stricter than pflag: no
// word after a boolean flag is taken for its value, no flag is taken for the
// value of another, an unknown flag takes nothing, and a scalar is given once.
func read(tool string, root *node, universal []Flag, argv []string) *call {
	c := &call{tool: tool, at: root, universal: universal}
	literal := false
	for i := 0; i < len(argv); i++ {
		switch word := argv[i]; {
		case literal, word == "-", !strings.HasPrefix(word, "-"):
			c.word(word)
		case word == "--":
			literal = true
		default:
			i += c.flag(word, argv[i+1:])
		}
	}
	if c.at.command == nil && !c.lost {
		c.fail(c.at.incomplete(tool))
	}
	if c.at.command != nil {
		c.complete()
	}
	return c
}

// fail keeps the first error.
func (c *call) fail(e *Error) {
	if c.err == nil {
		c.err = e
	}
}

// word takes the next word of the path, or an argument once the path is whole.
func (c *call) word(word string) {
	switch {
	case c.lost:
		return
	case c.at.command != nil:
		c.arg(word)
	case c.at.child(word) != nil:
		c.at = c.at.child(word)
	default:
		c.lost = true
		c.fail(c.at.unknown(c.tool, word))
	}
}

func (c *call) arg(word string) {
	takes := c.at.command.Args
	if len(c.args) == len(takes) {
		c.fail(Fail(InvalidValue, "'%s' takes %s (got one more: '%s')", c.name(), count(len(takes), "argument"), clip(word, maxGot)).
			given(word).Saying(c.name() + " --help"))
		return
	}
	what := "<" + takes[len(c.args)].Name + ">"
	if word == "" {
		c.fail(Fail(InvalidValue, "%s is empty", what).atFlag(what, word))
	} else if e := checkText(what, word); e != nil {
		c.fail(e.atFlag(what, word))
	}
	c.args = append(c.args, word)
}

// flag takes one flag and gives the number of words it took after its own.
func (c *call) flag(word string, rest []string) (taken int) {
	name, value, valued := strings.Cut(word, "=")
	if name == "-h" {
		name = "--help"
	}
	f, ok := c.lookup(name)
	if !ok {
		c.fail(c.unknownFlag(name))
		return 0
	}
	switch {
	case valued:
	case f.Type == BoolType:
		value = "true"
		if len(rest) > 0 && (rest[0] == "true" || rest[0] == "false") {
			c.fail(Fail(InvalidValue, "%s takes no value after it (got: '%s')", name, rest[0]).
				atFlag(name, rest[0]).Saying(name + "=" + rest[0]))
			return 1
		}
	case len(rest) == 0 || strings.HasPrefix(rest[0], "--"):
		c.fail(Fail(InvalidValue, "%s needs a value", name).Where(At{Flag: name}))
		return 0
	default:
		value, taken = rest[0], 1
	}
	if f.Type != ListType && c.has(f.Name) {
		c.fail(Fail(DuplicateFlag, "%s is given more than once", name).atFlag(name, value))
	}
	c.flags = append(c.flags, given{f, value})
	return taken
}

// asks reports whether a boolean flag was given as true.
func (c *call) asks(name string) bool {
	return slices.ContainsFunc(c.flags, func(g given) bool { return g.flag.Name == name && g.value == "true" })
}

// lookup finds a flag by its name with dashes: a universal one, or one of the
// command's own once the command is known.
func (c *call) lookup(name string) (Flag, bool) {
	all := c.universal
	if c.at.command != nil {
		all = slices.Concat(c.universal, c.at.command.Flags)
	}
	for _, f := range all {
		if "--"+f.Name == name {
			return f, true
		}
	}
	return Flag{}, false
}

func (c *call) has(name string) bool {
	return slices.ContainsFunc(c.flags, func(g given) bool { return g.flag.Name == name })
}

// unknownFlag lists the flags there are. A flag that belongs to a command is not
// known before the command is.
func (c *call) unknownFlag(name string) *Error {
	e := Fail(UnknownFlag, "%s is not a flag of '%s'", clip(name, maxGot), c.name()).atFlag(name, name).Saying(c.name() + " --help")
	if c.at.command == nil {
		e.Message += "; flags of a command stand after its verb"
	}
	e.At.Flag = clip(name, maxGot)
	for _, f := range c.universal {
		if !f.lists || c.bounded() {
			e.Allowed = append(e.Allowed, "--"+f.Name)
		}
	}
	if c.at.command != nil {
		for _, f := range c.at.command.Flags {
			e.Allowed = append(e.Allowed, "--"+f.Name)
		}
	}
	slices.Sort(e.Allowed)
	if best := near(name, e.Allowed, 1); len(best) > 0 {
		e.Message += ", the nearest: " + best[0]
	}
	return e
}

func (c *call) bounded() bool { return c.at.command != nil && c.at.command.Bounded != nil }

// complete checks what can only be known at the end of argv.
func (c *call) complete() {
	for _, g := range c.flags {
		if g.flag.lists && !c.bounded() {
			c.fail(c.unknownFlag("--" + g.flag.Name))
		}
	}
	for _, f := range c.at.command.Flags {
		if f.Required && !c.has(f.Name) {
			c.fail(Fail(MissingFlag, "'%s' needs --%s: %s", c.name(), f.Name, f.Usage).
				Where(At{Flag: "--" + f.Name}).Saying(c.example()))
		}
	}
	for i, a := range c.at.command.Args {
		if !a.Optional && i >= len(c.args) {
			c.fail(Fail(MissingFlag, "'%s' needs <%s>: %s", c.name(), a.Name, a.Usage).
				Where(At{Flag: "<" + a.Name + ">"}).Saying(c.example()))
		}
	}
}

// name is the command as a person types it.
func (c *call) name() string { return strings.TrimSpace(c.tool + " " + c.at.path) }

func (c *call) example() string {
	return strings.Join(append([]string{c.tool}, c.at.command.Example...), " ")
}

// canonical is the call in the one spelling that cobra reads: path, flags with
// their values attached, then the arguments behind a double dash.
func (c *call) canonical() []string {
	out := strings.Fields(c.at.path)
	for _, g := range c.flags {
		out = append(out, "--"+g.flag.Name+"="+g.value)
	}
	return append(append(out, "--"), c.args...)
}
