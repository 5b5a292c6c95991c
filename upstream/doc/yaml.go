package doc

import (
	"fmt"
	"strings"

	"go.yaml.in/yaml/v3"
)

// YAML reads a YAML document. An alias is refused: with it a few bytes can stand
// for gigabytes, and no catalog needs one.
func YAML(src []byte) (v Value, err error) {
	defer func() { // the library's scanner has panicked on what nobody should write
		if p := recover(); p != nil {
			v, err = Value{}, fmt.Errorf("no YAML: %v", p)
		}
	}()
	var root yaml.Node
	if err := yaml.Unmarshal(src, &root); err != nil {
		return Value{}, fmt.Errorf("no YAML: %s", strings.TrimPrefix(err.Error(), "yaml: "))
	}
	if root.Kind != yaml.DocumentNode || len(root.Content) != 1 {
		return Value{}, nil
	}
	return fromYAML(root.Content[0], 0)
}

func fromYAML(n *yaml.Node, depth int) (v Value, err error) {
	if depth >= MaxDepth {
		return Value{Kind: TooMuch}, nil
	}
	switch n.Kind {
	case yaml.MappingNode:
		v.Kind = Map
		v.Kids = make([]Value, 0, len(n.Content)/2)
		for i := 0; i+1 < len(n.Content); i += 2 {
			if n.Content[i].Kind != yaml.ScalarNode {
				return v, fmt.Errorf("line %d: a key that is no word", n.Content[i].Line)
			}
			kid, err := fromYAML(n.Content[i+1], depth+1)
			if err != nil {
				return v, err
			}
			kid.Name = n.Content[i].Value
			_, again := v.Get(kid.Name)
			v.Twice = v.Twice || again
			v.Kids = append(v.Kids, kid)
		}
	case yaml.SequenceNode:
		v.Kind = List
		for _, c := range n.Content {
			kid, err := fromYAML(c, depth+1)
			if err != nil {
				return v, err
			}
			v.Kids = append(v.Kids, kid)
		}
	case yaml.ScalarNode:
		return scalar(n), nil
	case yaml.AliasNode:
		return v, fmt.Errorf("line %d: an alias; aliases are not read", n.Line)
	}
	return v, nil
}

func scalar(n *yaml.Node) Value {
	if len(n.Value) > MaxText {
		return Value{Kind: TooMuch}
	}
	switch n.ShortTag() {
	case "!!null":
		return Value{}
	case "!!bool":
		return Value{Kind: Bool, Text: strings.ToLower(n.Value)}
	case "!!int", "!!float":
		return Value{Kind: Number, Text: strings.ReplaceAll(n.Value, "_", "")}
	}
	return Value{Kind: Text, Text: n.Value}
}
