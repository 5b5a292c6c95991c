package conformance

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// ContractVersion is the major of the tool contract that is checked.
const ContractVersion = 0

// What a describe document may hold at most: beyond it nothing is probed.
const (
	maxDescribe = 8 << 20
	maxCommands = 500
	maxFlags    = 200
)

// A Describe is what a tool says of itself: the required core, and what this
// package uses of the rest.
type Describe struct {
	ContractVersion int                       `json:"contract_version"`
	Tool            string                    `json:"tool"`
	Version         string                    `json:"version"`
	Purpose         string                    `json:"purpose"`
	Universal       []Flag                    `json:"universal_flags"`
	Commands        []Command                 `json:"commands"`
	Stages          []Stages                  `json:"stages"`
	ErrorCodes      []ErrorCode               `json:"error_codes"`
	Schemas         map[string]jsontext.Value `json:"schemas"`
	Env             []EnvVar                  `json:"env"`
}

// A Command is one command of the document.
type Command struct {
	Name         string   `json:"name"`
	Verb         string   `json:"verb"`
	Tier         int      `json:"tier"`
	RW           string   `json:"rw"`
	Cost         string   `json:"cost"`
	Scope        string   `json:"scope"`
	Flags        []Flag   `json:"flags"`
	Args         []Arg    `json:"args"`
	ResultSchema string   `json:"result_schema"`
	Bounded      *Bounded `json:"bounded"`
	Errors       []string `json:"errors"`
	Example      []string `json:"example"`
	Aliases      []string `json:"aliases"`
}

// A Flag is one flag. Its name has its dashes.
type Flag struct {
	Name     string         `json:"name"`
	Type     string         `json:"type"`
	Required bool           `json:"required"`
	Enum     []string       `json:"enum"`
	Min      jsontext.Value `json:"min"`
	Default  jsontext.Value `json:"default"`
}

// An Arg is a word after the verb.
type Arg struct {
	Name     string `json:"name"`
	Required bool   `json:"required"`
}

// Bounded is the limits of a list.
type Bounded struct {
	Default int `json:"default_limit"`
	Max     int `json:"max_limit"`
}

// Stages is a pipeline in its order.
type Stages struct {
	Pipeline string   `json:"pipeline"`
	Order    []string `json:"order"`
}

// An ErrorCode is a registered code.
type ErrorCode struct {
	Code      string `json:"code"`
	Exit      int    `json:"exit"`
	Retryable bool   `json:"retryable"`
}

// An EnvVar is a variable that the tool reads.
type EnvVar struct {
	Name   string `json:"name"`
	Secret bool   `json:"secret"`
}

// ReadDescribe reads a describe document. Members it does not know are let be.
func ReadDescribe(text []byte) (*Describe, error) {
	if len(text) > maxDescribe {
		return nil, fmt.Errorf("the describe document has %d bytes; at most %d are read", len(text), maxDescribe)
	}
	d := new(Describe)
	if err := jsonv2.Unmarshal(text, d); err != nil {
		return nil, errors.New(oneLine(err.Error(), 300))
	}
	if len(d.Commands) > maxCommands {
		return nil, fmt.Errorf("the describe document has %d commands; at most %d are probed", len(d.Commands), maxCommands)
	}
	for i := range d.Commands {
		if n := len(d.Commands[i].Flags); n > maxFlags {
			return nil, fmt.Errorf("the command %q has %d flags; at most %d are probed", d.Commands[i].Name, n, maxFlags)
		}
	}
	return d, nil
}

// problems says what the core lacks, which ReadDescribe lets pass.
func (d *Describe) problems(text []byte) []string {
	var out []string
	bad := func(format string, args ...any) { out = append(out, fmt.Sprintf(format, args...)) }
	var top map[string]jsontext.Value
	if err := jsonv2.Unmarshal(text, &top); err != nil {
		return []string{err.Error()}
	}
	for _, member := range []string{"contract_version", "tool", "commands"} {
		if _, ok := top[member]; !ok {
			bad("it has no member %q", member)
		}
	}
	if d.ContractVersion != ContractVersion {
		bad("contract_version is %d; this suite checks %d", d.ContractVersion, ContractVersion)
	}
	if !toolName().MatchString(d.Tool) {
		bad("tool is %q", d.Tool)
	}
	if len(d.Commands) == 0 {
		bad("it has no commands")
	}
	var raw struct {
		Commands []map[string]jsontext.Value `json:"commands"`
	}
	_ = jsonv2.Unmarshal(text, &raw) // ReadDescribe read it
	seen := map[string]bool{}
	for i, c := range d.Commands {
		if c.Name == "" || seen[c.Name] {
			bad("command %d: the name %q is empty or not its own", i, c.Name)
		}
		seen[c.Name] = true
		for _, member := range []string{"name", "verb", "tier", "rw", "flags", "result_schema"} {
			if _, ok := raw.Commands[i][member]; !ok {
				bad("command %q has no member %q", c.Name, member)
			}
		}
		if c.RW != "read" && c.RW != "write" {
			bad("command %q: rw is %q, not read or write", c.Name, c.RW)
		}
		if !schemaName().MatchString(c.ResultSchema) {
			bad("command %q: result_schema is %q, not <tool>.<name>@<major>", c.Name, c.ResultSchema)
		}
		for _, f := range c.Flags {
			if !strings.HasPrefix(f.Name, "--") || !slices.Contains(flagTypes, f.Type) {
				bad("command %q: the flag %q has the type %q; types are %s", c.Name, f.Name, f.Type, strings.Join(flagTypes, ", "))
			}
			if f.Type == "enum" && len(f.Enum) == 0 {
				bad("command %q: %s is an enum without words", c.Name, f.Name)
			}
		}
	}
	return out
}

var flagTypes = []string{"bool", "int", "number", "string", "enum", "path", "duration", "list"}

// command finds a command by its path.
func (d *Describe) command(path string) *Command {
	for i := range d.Commands {
		if d.Commands[i].Name == path {
			return &d.Commands[i]
		}
	}
	return nil
}

// resource is the word before the verb; "" for a flat command.
func (c *Command) resource() string {
	r, _, ok := strings.Cut(c.Name, " ")
	if !ok {
		return ""
	}
	return r
}

func (c *Command) words() []string { return strings.Fields(c.Name) }

// harmless reports whether the command may be run as it stands: it changes nothing
// and spends nothing.
func (c *Command) harmless() bool { return c.RW == "read" && c.Cost != "metered" }

func (c *Command) flag(name string) *Flag {
	for i := range c.Flags {
		if c.Flags[i].Name == name {
			return &c.Flags[i]
		}
	}
	return nil
}

// resources lists the first words of two-word commands, each once.
func (d *Describe) resources() []string {
	var out []string
	for i := range d.Commands {
		if r := d.Commands[i].resource(); r != "" && !slices.Contains(out, r) {
			out = append(out, r)
		}
	}
	return out
}

// after lists the words that may follow a resource, or the tool.
func (d *Describe) after(resource string) []string {
	var out []string
	for i := range d.Commands {
		w := d.Commands[i].words()
		next := ""
		switch {
		case resource == "" && len(w) > 0:
			next = w[0]
		case len(w) == 2 && w[0] == resource:
			next = w[1]
		}
		if next != "" && !slices.Contains(out, next) {
			out = append(out, next)
		}
	}
	return out
}

// secrets names the variables that hold a secret.
func (d *Describe) secrets() []string {
	var out []string
	for _, e := range d.Env {
		if e.Secret {
			out = append(out, e.Name)
		}
	}
	return out
}
