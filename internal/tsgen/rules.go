package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/opcat/opcat/catalog"
	"github.com/opcat/opcat/operations"
	"github.com/opcat/opcat/operations/op"
	"github.com/opcat/opcat/shape"
)

// rules renders what selection has to know of the registry: which words a query may
// hold, and what each wire has a place for. A protocol without a codec is left out,
// since nothing can be sent that way.
func rules() []byte {
	var b bytes.Buffer
	b.WriteString(header)
	b.WriteString(`/**
 * What a query may ask of an operation, and what its wires have a place for. A kind of setting is the list of its words, or
 * "bool", "count", "number" or "text".
 * @typedef {{ carries: readonly string[], dialects: readonly string[], inputs?: readonly string[], questions?: readonly string[] }} Wire
 * @typedef {{
 *   inputs: readonly string[], outputs: readonly string[], questions: readonly string[], meters: readonly string[],
 *   usual: readonly { meter: string, count: number }[],
 *   settings: { readonly [name: string]: "bool" | "count" | "number" | "text" | readonly string[] },
 *   wires: { readonly [protocol: string]: Wire },
 * }} Rules
 * @type {{ readonly [operation: string]: Rules }}
 */
export const rules = {
`)
	for _, o := range operations.All() {
		fmt.Fprintf(&b, "  %s: {\n    inputs: %s,\n    outputs: %s,\n    questions: %s,\n    meters: %s,\n    usual: [", o.Name, list(o.Inputs), list(o.Outputs), list(questions(o)), list(o.Meters))
		for i, l := range o.Usual.Lines {
			if i > 0 {
				b.WriteString(", ")
			}
			fmt.Fprintf(&b, "{ meter: %q, count: %d }", l.Meter, l.Count)
		}
		b.WriteString("],\n    settings: {\n")
		for _, s := range o.Settings {
			fmt.Fprintf(&b, "      %s: %s,\n", s.Name, kindOf(s))
		}
		b.WriteString("    },\n    wires: {\n")
		for i := range o.Protocols {
			if p := &o.Protocols[i]; p.Codec {
				fmt.Fprintf(&b, "      %s: { carries: %s, dialects: %s%s },\n", p.Name, list(p.Carries), list(p.Dialects), places(o, p))
			}
		}
		b.WriteString("    },\n  },\n")
	}
	b.WriteString("};\n")
	return b.Bytes()
}

func list(words []string) string {
	if words == nil {
		words = []string{}
	}
	b, err := json.Marshal(words)
	if err != nil {
		panic(err) // words are texts
	}
	return string(b)
}

// questions are the kinds of questions of an operation, as its contracts may list them.
func questions(o *op.Operation) []string {
	for _, k := range o.Keys {
		if k.Name == "question_kinds" {
			return k.Type.Elem.Values
		}
	}
	return nil
}

func kindOf(s op.Setting) string {
	switch s.Kind {
	case shape.Enum:
		return list(s.Values)
	case shape.Bool:
		return `"bool"`
	case shape.Count:
		return `"count"`
	case shape.Number:
		return `"number"`
	}
	return `"text"`
}

// places are the kinds of input and of questions that a wire takes, where that is all
// that its misfit function looks at: it is asked about each. That of a text wire looks
// at the contract too, and is written by hand in misfit.js.
func places(o *op.Operation, p *op.Protocol) string {
	if p.Misfit == nil || o.ManyWires {
		return ""
	}
	taken := func(kinds []string, ask func(kind string) *op.Needs) []string {
		return slices.DeleteFunc(slices.Clone(kinds), func(kind string) bool {
			field, _ := p.Misfit(&catalog.Contract{}, ask(kind))
			return field != ""
		})
	}
	out := ", inputs: " + list(taken(o.Inputs, func(kind string) *op.Needs { return &op.Needs{Inputs: []string{kind}} }))
	if kinds := questions(o); kinds != nil {
		out += ", questions: " + list(taken(kinds, func(kind string) *op.Needs { return &op.Needs{Questions: []string{kind}} }))
	}
	return out
}
