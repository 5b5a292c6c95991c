package main

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/opcat/opcat/internal/typenames"
	"github.com/opcat/opcat/operations"
	"github.com/opcat/opcat/operations/op"
	"github.com/opcat/opcat/projections/swift/identifier"
	"github.com/opcat/opcat/shape"
)

// rules renders what selection has to know of the registry: which words a query may
// hold, and what each wire has a place for. A protocol without a codec is left out,
// since nothing can be sent that way.
func rules() []byte {
	var b bytes.Buffer
	b.WriteString(header)
	b.WriteString("extension OperationName {\n    var rules: Rules {\n        switch self {\n")
	for _, o := range operations.All() {
		fmt.Fprintf(&b, "        case .%s: %sRules\n", identifier.Member(o.Name), identifier.Member(o.Name))
	}
	b.WriteString("        }\n    }\n}\n")
	for _, o := range operations.All() {
		fmt.Fprintf(&b, "\nprivate let %sRules = Rules(\n    inputs: %s,\n    outputs: %s,\n    questions: %s,\n    meters: [%s],\n    usual: [",
			identifier.Member(o.Name), texts(o.Inputs), texts(o.Outputs), texts(typenames.Questions(o)), meterCases(o.Meters))
		for i, l := range o.Usual.Lines {
			if i > 0 {
				b.WriteString(", ")
			}
			fmt.Fprintf(&b, "UsageLine(.%s, %d)", identifier.Member(l.Meter), l.Count)
		}
		b.WriteString("],\n    settings: [\n")
		for _, s := range o.Settings {
			fmt.Fprintf(&b, "        SettingRule(name: %s, kind: %s),\n", quoted(s.Name), kindOf(s))
		}
		b.WriteString("    ],\n    wires: [")
		none := true
		for i := range o.Protocols {
			p := &o.Protocols[i]
			if !p.Codec {
				continue
			}
			none = false
			fmt.Fprintf(&b, "\n        %s: WirePlace(carries: %s, dialects: %s", quoted(p.Name), texts(p.Carries), texts(p.Dialects))
			if inputs, questions, ok := typenames.Places(o, p); ok {
				fmt.Fprintf(&b, ", inputs: %s", texts(inputs))
				if questions != nil {
					fmt.Fprintf(&b, ", questions: %s", texts(questions))
				}
			}
			b.WriteString("),")
		}
		if none {
			b.WriteString(":])\n")
		} else {
			b.WriteString("\n    ])\n")
		}
	}
	return b.Bytes()
}

func texts(words []string) string {
	all := make([]string, len(words))
	for i, word := range words {
		all[i] = quoted(word)
	}
	return "[" + strings.Join(all, ", ") + "]"
}

func meterCases(names []string) string {
	all := make([]string, len(names))
	for i, name := range names {
		all[i] = "." + identifier.Member(name)
	}
	return strings.Join(all, ", ")
}

func kindOf(s op.Setting) string {
	switch s.Kind {
	case shape.Enum:
		return ".words(" + texts(s.Values) + ")"
	case shape.Bool:
		return ".bool"
	case shape.Count:
		return ".count"
	case shape.Number:
		return ".number"
	}
	return ".text"
}
