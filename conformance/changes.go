package conformance

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// A Change is one difference between what two releases of a tool say of themselves.
type Change struct {
	At       string `json:"at"`   // the command, schema or code, and the place in it
	What     string `json:"what"` // one line
	Breaking bool   `json:"breaking"`
}

// Changes says what became of the promises of a release: what breaks a caller of
// before comes first, each part by its place. Removing or renaming breaks, and so do
// another exit code, a stricter input, a higher default limit, and a result that
// lacks what its schema promised under the same major. What is new does not. Under
// a new contract_version nothing does.
func Changes(before, after *Describe) []Change {
	d := &differ{free: after.ContractVersion > before.ContractVersion}
	d.commands(before, after)
	for _, old := range before.ErrorCodes {
		i := slices.IndexFunc(after.ErrorCodes, func(c ErrorCode) bool { return c.Code == old.Code })
		switch {
		case i < 0:
			d.breaks(old.Code, "the error code is gone")
		case after.ErrorCodes[i].Exit != old.Exit:
			d.breaks(old.Code, "its exit code was %d and is %d", old.Exit, after.ErrorCodes[i].Exit)
		}
	}
	for _, c := range after.ErrorCodes {
		if !slices.ContainsFunc(before.ErrorCodes, func(old ErrorCode) bool { return c.Code == old.Code }) {
			d.adds(c.Code, "a new error code")
		}
	}
	for name, old := range before.Schemas {
		if now, ok := after.Schemas[name]; ok {
			var was, is shape
			if json.Unmarshal(old, &was) == nil && json.Unmarshal(now, &is) == nil {
				d.result(name, &was, &is, 0)
			}
		}
	}
	slices.SortFunc(d.out, func(a, b Change) int {
		if a.Breaking != b.Breaking {
			if a.Breaking {
				return -1
			}
			return 1
		}
		return strings.Compare(a.At+"\x00"+a.What, b.At+"\x00"+b.What)
	})
	return d.out
}

type differ struct {
	free bool // the major rose: anything may change
	out  []Change
}

func (d *differ) breaks(at, format string, args ...any) {
	d.out = append(d.out, Change{at, oneLine(fmt.Sprintf(format, args...), 300), !d.free})
}

func (d *differ) adds(at, format string, args ...any) {
	d.out = append(d.out, Change{at, oneLine(fmt.Sprintf(format, args...), 300), false})
}

func (d *differ) commands(before, after *Describe) {
	find := func(in *Describe, name string) *Command {
		if i := slices.IndexFunc(in.Commands, func(c Command) bool { return c.Name == name }); i >= 0 {
			return &in.Commands[i]
		}
		return nil
	}
	for i := range before.Commands {
		old := &before.Commands[i]
		now := find(after, old.Name)
		if now == nil {
			d.breaks(old.Name, "the command is gone")
			continue
		}
		if old.RW != now.RW || old.Cost != now.Cost {
			d.breaks(old.Name, "it was %s and %s and is %s and %s", old.RW, old.Cost, now.RW, now.Cost)
		}
		if name, major := majorOf(old.ResultSchema); now.ResultSchema != old.ResultSchema {
			if n, m := majorOf(now.ResultSchema); n == name && m > major {
				d.adds(old.Name, "its result is %s, which was %s", now.ResultSchema, old.ResultSchema)
			} else {
				d.breaks(old.Name, "its result is %s, which was %s: a result changes by a new major of its schema", now.ResultSchema, old.ResultSchema)
			}
		}
		if old.Bounded != nil && now.Bounded != nil && now.Bounded.Default > old.Bounded.Default {
			d.breaks(old.Name, "it lists %d by default, and listed %d", now.Bounded.Default, old.Bounded.Default)
		}
		for i, arg := range now.Args {
			if arg.Required && (i >= len(old.Args) || !old.Args[i].Required) {
				d.breaks(old.Name, "it needs <%s>, and did not", arg.Name)
			}
		}
		if len(now.Args) < len(old.Args) {
			d.breaks(old.Name, "it takes %d words, and took %d", len(now.Args), len(old.Args))
		}
		d.flags(old.Name, old.Flags, now.Flags)
	}
	for i := range after.Commands {
		if find(before, after.Commands[i].Name) == nil {
			d.adds(after.Commands[i].Name, "a new command")
		}
	}
	d.flags("every command", before.Universal, after.Universal)
}

func (d *differ) flags(command string, before, after []Flag) {
	for _, old := range before {
		at := command + " " + old.Name
		i := slices.IndexFunc(after, func(f Flag) bool { return f.Name == old.Name })
		if i < 0 {
			d.breaks(at, "the flag is gone")
			continue
		}
		now := after[i]
		if now.Type != old.Type {
			d.breaks(at, "it was a flag of type %s and is one of type %s", old.Type, now.Type)
		}
		if now.Required && !old.Required {
			d.breaks(at, "it is required, and was not")
		}
		if len(now.Enum) > 0 && len(old.Enum) == 0 {
			d.breaks(at, "it takes a closed set of values, and took any")
		}
		for _, value := range old.Enum {
			if len(now.Enum) > 0 && !slices.Contains(now.Enum, value) {
				d.breaks(at, "it no longer takes %q", value)
			}
		}
	}
	for _, now := range after {
		if slices.ContainsFunc(before, func(f Flag) bool { return f.Name == now.Name }) {
			continue
		}
		if at := command + " " + now.Name; now.Required {
			d.breaks(at, "a new flag that is required")
		} else {
			d.adds(at, "a new flag")
		}
	}
}

// A shape is what of a result's schema its readers lean on.
type shape struct {
	Type       any               `json:"type"`
	Properties map[string]*shape `json:"properties"`
	Required   []string          `json:"required"`
	Items      *shape            `json:"items"`
	Additional json.RawMessage   `json:"additionalProperties"`
}

// result compares what a result promised with what it promises. A schema that refers
// to itself ends at the depth where no reader of ours goes.
func (d *differ) result(at string, before, after *shape, depth int) {
	if before == nil || depth > 32 {
		return
	}
	if after == nil {
		d.breaks(at, "nothing is said of it any more")
		return
	}
	if was, is := types(before.Type), types(after.Type); len(was) > 0 {
		for _, t := range is {
			if !slices.Contains(was, t) {
				d.breaks(at, "it may be %s, and was %s", t, strings.Join(was, " or "))
			}
		}
		if len(is) == 0 {
			d.breaks(at, "its type was %s, and is not said", strings.Join(was, " or "))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(before.Properties)) {
		if now, ok := after.Properties[name]; ok {
			d.result(at+"."+name, before.Properties[name], now, depth+1)
		} else {
			d.breaks(at+"."+name, "the field is gone")
		}
	}
	for _, name := range before.Required {
		if _, there := after.Properties[name]; there && !slices.Contains(after.Required, name) {
			d.breaks(at+"."+name, "the field may be absent, and was always there")
		}
	}
	for _, name := range slices.Sorted(maps.Keys(after.Properties)) {
		if _, ok := before.Properties[name]; !ok {
			d.adds(at+"."+name, "a new field")
		}
	}
	d.result(at+"[]", before.Items, after.Items, depth+1)
	d.result(at+".*", values(before), values(after), depth+1)
}

// values is the schema of a map's values, where there is one.
func values(s *shape) *shape {
	v := new(shape)
	if len(s.Additional) == 0 || json.Unmarshal(s.Additional, v) != nil {
		return nil // absent, true or false
	}
	return v
}

// types is the types that a schema allows; none where it does not say.
func types(t any) []string {
	switch t := t.(type) {
	case string:
		return []string{t}
	case []any:
		var out []string
		for _, v := range t {
			if s, ok := v.(string); ok {
				out = append(out, s)
			}
		}
		return out
	}
	return nil
}

// majorOf takes a schema's id apart: tool.name@major.
func majorOf(id string) (string, int) {
	name, major, _ := strings.Cut(id, "@")
	n, err := strconv.Atoi(major)
	if err != nil {
		return id, -1
	}
	return name, n
}
