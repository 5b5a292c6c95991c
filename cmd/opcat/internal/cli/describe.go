package cli

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/opcat/opcat/cmd/opcat/internal/schema"
)

// describeDoc is opcat.describe@0: what the tool can do, for a caller that reads
// no help text. It depends on the registry alone, so it is the same on every run.
type describeDoc struct {
	ContractVersion int                      `json:"contract_version"`
	Tool            string                   `json:"tool"`
	Version         string                   `json:"version"`
	Purpose         string                   `json:"purpose"`
	UniversalFlags  []flagDoc                `json:"universal_flags"`
	Commands        []commandDoc             `json:"commands"`
	Stages          []pipelineDoc            `json:"stages"`
	ErrorCodes      []codeDoc                `json:"error_codes"`
	Schemas         map[string]schema.Schema `json:"schemas"`
	Env             []EnvVar                 `json:"env"`
}

type flagDoc struct {
	Name     string   `json:"name"`
	Type     FlagType `json:"type"`
	Required bool     `json:"required"`
	Enum     []string `json:"enum,omitempty"`
	Min      *int     `json:"min,omitempty"`
	Max      *int     `json:"max,omitempty"`
	Default  any      `json:"default"` // null: none
	Summary  string   `json:"summary"`
}

type argDoc struct {
	Name     string `json:"name"`
	Required bool   `json:"required"`
	Summary  string `json:"summary"`
}

type commandDoc struct {
	Name         string      `json:"name"`
	Verb         string      `json:"verb"`
	Tier         int         `json:"tier"`
	RW           RW          `json:"rw"`
	Cost         Cost        `json:"cost"`
	Family       Family      `json:"family"`
	Summary      string      `json:"summary"`
	Flags        []flagDoc   `json:"flags"`
	Args         []argDoc    `json:"args"`
	ResultSchema string      `json:"result_schema"`
	Bounded      *boundedDoc `json:"bounded,omitempty"`
	Errors       []Code      `json:"errors"`
	Example      []string    `json:"example"`
}

type boundedDoc struct {
	DefaultLimit int `json:"default_limit"`
	MaxLimit     int `json:"max_limit"`
}

type pipelineDoc struct {
	Pipeline string   `json:"pipeline"`
	Order    []string `json:"order"`
}

type codeDoc struct {
	Code      Code `json:"code"`
	Exit      int  `json:"exit"`
	Retryable bool `json:"retryable"`
}

// An EnvVar is a variable of the environment that commands read.
type EnvVar struct {
	Name   string   `json:"name"`
	UsedBy []string `json:"used_by"`
	Secret bool     `json:"secret"`
}

// Describe gives the describe document, one JSON object on one line.
func (a *App) Describe() ([]byte, error) {
	doc := describeDoc{
		ContractVersion: ContractVersion, Tool: a.Tool, Version: a.Version, Purpose: a.Purpose,
		UniversalFlags: flagDocs(new(universal).flags(DefaultLimit, MaxLimit)), Commands: []commandDoc{},
		Stages: []pipelineDoc{}, Schemas: map[string]schema.Schema{}, Env: []EnvVar{},
	}
	if a.Env != nil {
		doc.Env = a.Env()
	}
	commands := a.Commands()
	for i := range commands {
		c := &commands[i]
		doc.Commands = append(doc.Commands, c.doc())
		doc.Schemas[c.Result] = schema.Root(c.Result, c.Schema())
	}
	for _, own := range a.ownSchemas() {
		doc.Schemas[own.name] = schema.Root(own.name, own.schema)
	}
	slices.SortFunc(doc.Commands, func(a, b commandDoc) int { return strings.Compare(a.Name, b.Name) })
	for _, p := range a.Pipelines {
		order := []string{}
		for _, s := range p.Stages {
			order = append(order, s.Name)
		}
		doc.Stages = append(doc.Stages, pipelineDoc{p.Name, order})
	}
	for exit, codes := range registry {
		for _, code := range codes {
			doc.ErrorCodes = append(doc.ErrorCodes, codeDoc{code, exit, code.retryable()})
		}
	}
	return marshal(doc)
}

func (c *Command) doc() commandDoc {
	out := commandDoc{
		Name: c.Path, Verb: c.verb(), Tier: c.Tier, RW: c.rw(), Cost: c.cost(), Family: c.Family, Summary: c.Short,
		Flags: flagDocs(c.allFlags()), Args: []argDoc{}, ResultSchema: c.Result, Errors: c.codes(), Example: c.Example,
	}
	for _, a := range c.Args {
		out.Args = append(out.Args, argDoc{a.Name, !a.Optional, a.Usage})
	}
	if c.Bounded != nil {
		def, most := c.limits()
		out.Bounded = &boundedDoc{def, most}
	}
	return out
}

// allFlags is the command's own flags, and --cursor of a list.
func (c *Command) allFlags() []Flag {
	if c.Bounded == nil {
		return c.Flags
	}
	return append(slices.Clone(c.Flags), new(universal).cursorFlag())
}

// codes is what the command can fail with: what its flags and arguments can, what
// every command can, and what it declares.
func (c *Command) codes() []Code {
	out := []Code{Internal, UnknownFlag, DuplicateFlag, InvalidRange, InvalidValue, UnknownPath}
	for _, f := range c.Flags {
		if len(f.Enum) > 0 {
			out = append(out, InvalidEnum)
		}
		if f.Required {
			out = append(out, MissingFlag)
		}
	}
	for _, a := range c.Args {
		if !a.Optional {
			out = append(out, MissingFlag)
		}
	}
	if c.Bounded != nil {
		out = append(out, InvalidCursor, StaleCursor)
	}
	out = append(out, c.Errors...)
	slices.Sort(out)
	return slices.Compact(out)
}

func flagDocs(flags []Flag) []flagDoc {
	out := []flagDoc{}
	for _, f := range flags {
		d := flagDoc{Name: "--" + f.Name, Type: f.Type, Required: f.Required, Enum: f.Enum, Summary: f.Usage}
		switch {
		case f.Type == IntType:
			d.Min, d.Max, d.Default = &f.min, &f.max, json.Number(f.Default)
		case f.Default != "":
			d.Default = f.Default
		}
		out = append(out, d)
	}
	return out
}

// ownSchema is the data of an answer that no command gives.
type ownSchema struct {
	name   string
	schema schema.Schema
}

// ownSchemas are --help and --version with --json.
func (a *App) ownSchemas() []ownSchema {
	return []ownSchema{
		{a.Tool + ".help@1", schema.Object(schema.Prop("help", schema.String()))},
		{a.Tool + ".version@1", schema.Object(schema.Prop("version", schema.String()),
			schema.Prop("contract_version", schema.Int()))},
	}
}
