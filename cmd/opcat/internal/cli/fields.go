package cli

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/opcat/opcat/cmd/opcat/internal/schema"
)

// checkFields reports the first path that no value of the schema can have. It
// looks at the schema alone and so runs before the command does: a typing
// mistake must not cost a metered call, and an empty list has no fields to look at.
func checkFields(s func() schema.Schema, paths []string) *Error {
	if len(paths) == 0 {
		return nil
	}
	text, err := marshal(s())
	if err != nil {
		return asError(err)
	}
	var root map[string]any
	if err := json.Unmarshal(text, &root); err != nil {
		return asError(err)
	}
	shape := shapes{root}
	for _, path := range paths {
		at := []any{root}
		prefix := ""
		for _, step := range strings.Split(path, ".") {
			next := shape.member(at, step)
			if len(next) == 0 {
				return unknownPath(path, prefix, step, shape.names(at))
			}
			at, prefix = next, prefix+step+"."
		}
	}
	return nil
}

// unknownPath names the paths that lie beside the wrong one, the nearest first.
func unknownPath(path, prefix, step string, known []string) *Error {
	e := Fail(UnknownPath, "data has no path '%s'", clip(path, maxGot)).atFlag("--fields", path)
	best := near(step, known, 1)
	for _, k := range slices.Concat(best, known) {
		if full := prefix + k; !slices.Contains(e.Allowed, full) && len(e.Allowed) < maxListed {
			e.Allowed = append(e.Allowed, full)
		}
	}
	switch {
	case len(best) > 0:
		e.Message += "; did you mean '" + prefix + best[0] + "'?"
	case len(known) > 0:
		e.Message += "; known here: " + strings.Join(e.Allowed, ", ")
	}
	return e
}

// shapes walks a JSON Schema by the names of members. Arrays are transparent:
// what is asked of a list is asked of its items.
type shapes struct{ root map[string]any }

// member gives the schemas that a member may have; none when there is no such member.
func (s shapes) member(at []any, name string) []any {
	var out []any
	for _, o := range s.objects(at) {
		props, _ := o["properties"].(map[string]any)
		switch {
		case props[name] != nil:
			out = append(out, props[name])
		case name == "" || strings.Contains(name, "*"):
		case o["additionalProperties"] != nil && o["additionalProperties"] != false:
			out = append(out, o["additionalProperties"]) // names that are data: any may occur
		case open(o):
			out = append(out, true)
		}
	}
	return out
}

// names lists the members that the schemas spell out, sorted.
func (s shapes) names(at []any) []string {
	all := map[string]bool{}
	for _, o := range s.objects(at) {
		props, _ := o["properties"].(map[string]any)
		for name := range props {
			all[name] = true
		}
	}
	return slices.Sorted(maps.Keys(all))
}

// objects flattens schemas to those that can describe an object: through
// references, alternatives and items.
func (s shapes) objects(at []any) []map[string]any {
	var out []map[string]any
	seen := map[string]bool{}
	var visit func(any)
	visit = func(v any) {
		if v == true {
			out = append(out, map[string]any{})
			return
		}
		o, ok := v.(map[string]any)
		if !ok {
			return
		}
		through := false
		if ref, ok := o["$ref"].(string); ok {
			through = true
			if !seen[ref] {
				seen[ref] = true
				visit(s.resolve(ref))
			}
		}
		for _, word := range []string{"anyOf", "oneOf", "allOf"} {
			branches, _ := o[word].([]any)
			for _, b := range branches {
				through = true
				visit(b)
			}
		}
		if items, ok := o["items"]; ok {
			through = true
			visit(items)
		}
		if o["properties"] != nil || o["additionalProperties"] != nil || !through {
			out = append(out, o)
		}
	}
	for _, v := range at {
		visit(v)
	}
	return out
}

// resolve follows a reference within the document.
func (s shapes) resolve(ref string) any {
	var at any = s.root
	for _, step := range strings.Split(strings.TrimPrefix(ref, "#"), "/")[1:] {
		o, _ := at.(map[string]any)
		at = o[step]
	}
	return at
}

// open reports whether a schema leaves open what a value holds.
func open(o map[string]any) bool {
	t := o["type"]
	return o["properties"] == nil && o["enum"] == nil && o["const"] == nil && (t == nil || t == "object")
}

// A picked is a set of paths as a tree; a leaf takes everything below it.
type picked map[string]picked

func pick(paths []string) picked {
	root := picked{}
	for _, path := range paths {
		at := root
		steps := strings.Split(path, ".")
		for i, step := range steps {
			below, known := at[step]
			switch {
			case known && below == nil: // all of it is picked already
			case i == len(steps)-1:
				at[step] = nil
			case !known:
				below = picked{}
				at[step] = below
			}
			if below == nil {
				break
			}
			at = below
		}
	}
	return root
}

// project keeps of v what is picked, in v's order. Lists keep their length.
func (p picked) project(v any) any {
	switch v := v.(type) {
	case *object:
		out := newObject()
		for _, key := range v.keys {
			below, ok := p[key]
			switch {
			case !ok:
			case below == nil:
				out.put(key, v.values[key])
			default:
				out.put(key, below.project(v.values[key]))
			}
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i := range v {
			out[i] = p.project(v[i])
		}
		return out
	}
	return nil
}
