package main

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/opcat/opcat/internal/typenames"
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
		fmt.Fprintf(&b, "  %s: {\n    inputs: %s,\n    outputs: %s,\n    questions: %s,\n    meters: %s,\n    usual: [", o.Name, list(o.Inputs), list(o.Outputs), list(typenames.Questions(o)), list(o.Meters))
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

// places are the kinds of input and of questions that a wire takes; misfit.js says it
// for those of text.
func places(o *op.Operation, p *op.Protocol) string {
	inputs, questions, ok := typenames.Places(o, p)
	if !ok {
		return ""
	}
	out := ", inputs: " + list(inputs)
	if questions != nil {
		out += ", questions: " + list(questions)
	}
	return out
}
