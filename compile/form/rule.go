package form

import (
	"github.com/opcat/opcat/operations"
	"github.com/opcat/opcat/shape"
)

// Operations is `[provider.<id>.operations]` under a rule: one contract for each
// operation.
var Operations = func() *shape.Table {
	var keys []*shape.Key
	for _, o := range operations.All() {
		c := o.Contract()
		keys = append(keys, shape.F(o.Name, shape.Rec(shape.Extend(c, overlay()...))))
	}
	return shape.New("the operations of a rule", keys...)
}()

// Rule is `[[provider.<id>]]` of a capability fragment: rows, and what they are
// granted or held to.
var Rule = shape.New("a rule",
	shape.F("models", shape.SetOf(shape.Of(shape.WireID)).Full()).Says("wire ids, always literal; may grant"),
	shape.F("model_match", shape.Of(shape.Glob)).Says("a pattern; it narrows only"),
	shape.F("model_version", shape.Of(shape.Range)),
	shape.F("operations", shape.Rec(Operations)).Always(),
	shape.F("add", yesno()).Says("the rule is new in this layer"),
)
