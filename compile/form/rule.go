package form

import (
	"sync"

	"github.com/opcat/opcat/operations"
	"github.com/opcat/opcat/shape"
)

// Operations is `[provider.<id>.operations]` under a rule: one contract for each
// operation.
var Operations = sync.OnceValue(func() *shape.Table {
	var keys []*shape.Key
	for _, o := range operations.All() {
		c := shape.Extend(o.Contract(), overlay()...)
		c.Foreign = func(name string) string { return ownerOf(name, o.Name) }
		keys = append(keys, shape.F(o.Name, shape.Rec(c)))
	}
	return shape.New("the operations of a rule", keys...)
})

// Rule is `[[provider.<id>]]` of a capability fragment: rows, and what they are
// granted or held to.
var Rule = sync.OnceValue(func() *shape.Table {
	return shape.New("a rule",
		shape.F("models", shape.SetOf(shape.Of(shape.WireID)).Full()).Says("wire ids, always literal; may grant"),
		shape.F("model_match", shape.Of(shape.Glob)).Says("a pattern; it narrows only"),
		shape.F("model_version", shape.Of(shape.Range)).Says("narrows to rows whose version is in the range"),
		shape.F("operations", shape.Rec(Operations())).Always().Says("a contract for each operation"),
		shape.F("add", yesno()).ForLayers().Says("the rule is new in this layer"),
	)
})

// ownerOf names an operation other than own whose contracts have the key.
func ownerOf(key, own string) string {
	for _, o := range operations.All() {
		for _, k := range o.Keys {
			if o.Name != own && k.Name == key && k.Moved == "" {
				return o.Name
			}
		}
	}
	return ""
}
