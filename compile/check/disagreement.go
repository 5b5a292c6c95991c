package check

import (
	"slices"
	"strings"

	"github.com/opcat/opcat/compile/form"
	"github.com/opcat/opcat/compile/tree"
	"github.com/opcat/opcat/diag"
	"github.com/opcat/opcat/shape"
)

// disagreements finds recorded disagreements about fields that do not exist: the
// value that lost would belong to nothing, and nobody would look at it again. One value
// that lost is recorded once, whoever else states it too.
func (r *row) disagreements() {
	for d := r.model[kDiffers].First(); d != nil; d = d.Next() {
		n := d.Get("field")
		if n == nil {
			continue
		}
		for e := r.model[kDiffers].First(); e != d; e = e.Next() {
			if strings.HasPrefix(n.Str(), "price.") {
				break // a meter's name says nothing of the conditions
			}
			if e.Get("field").Str() == n.Str() && d.Get("value") != nil && tree.Equal(e.Get("value"), d.Get("value")) {
				r.add(diag.Diagnostic{Code: diag.EntryTwice, At: n.At(), Message: "the disagreement over " + quote(n.Str()) + " is recorded twice with one value", Got: d.Get("value").Str(),
					Notes: note(e.Get("field"), "first recorded here"), Help: "keep one; its why may name who else states the value"})
				break
			}
		}
		if bad, known := unknownPath(n.Str()); bad != "" {
			known = slices.DeleteFunc(known, func(s string) bool { return s == "add" || s == "unset" })
			f := diag.Diagnostic{Code: diag.UnknownField, At: n.At(), Message: quote(n.Str()) + " is no field of a row or of a contract: " + quote(bad) + " is not known there", Got: n.Str(), Allowed: known,
				Help: `write the path of the key, as in "limits.context_tokens", "price.input_token" or "operations.embedding.dimensions"`}
			if form.Operations().Key(bad) != nil {
				f.Help = "did you mean " + quote("operations."+n.Str()) + "?"
			} else if near, ok := diag.Nearest(bad, known); ok {
				f.Help = "did you mean " + quote(strings.Replace(n.Str(), bad, near, 1)) + "?"
			}
			r.add(f)
		}
	}
}

// unknownPath follows a dotted path through a row as the catalog has it: its own
// keys, and its contracts below operations. It gives the part that leads nowhere
// and what may stand there; "" if the path is good.
func unknownPath(path string) (bad string, known []string) {
	parts := strings.Split(path, ".")
	t := shape.Rec(form.Model())
	if parts[0] == "operations" && len(parts) > 1 {
		t, parts = shape.Rec(form.Operations()), parts[1:]
	}
	for _, part := range parts {
		switch t.Kind {
		case shape.Union:
			var next *shape.Type
			for _, m := range t.Of {
				if m.Kind == shape.Record || m.Kind == shape.List || m.Kind == shape.Map {
					next = m
					break
				}
			}
			if next == nil {
				return part, nil
			}
			t = next
		case shape.List:
			t = t.Elem
			if t.Kind == shape.Record && t.Table == form.Price() && contains(meterNames, part) {
				continue // price.<meter>
			}
		}
		if t.Kind == shape.List {
			t = t.Elem
		}
		switch t.Kind {
		case shape.Record:
			k := t.Table.Key(part)
			if k == nil || k.Type == nil {
				names := t.Table.Names()
				if t.Table == form.Price() {
					names = append(append([]string{}, meterNames...), names...)
				}
				return part, names
			}
			t = k.Type
		case shape.Map:
			t = t.Elem
		case shape.Any:
			return "", nil
		default:
			return part, nil
		}
	}
	return "", nil
}
