package check

import "github.com/opcat/opcat/diag"

// uncertainties are what each operation's result can say of its own reliability.
var uncertainties = map[string][]string{
	"text_generation":     {"none", "self_reported"},
	"embedding":           {"none"},
	"decision_evaluation": {"binary_probability", "distribution", "self_reported"},
	"reranking":           {"binary_probability", "score"},
	"moderation":          {"none", "binary_probability", "score"},
}

// uncertainty finds contracts that promise a kind of uncertainty which their
// result can't carry. A threshold on a number that is no probability decides by
// chance.
func (c *contract) uncertainty() {
	n := c.kids[c.k.uncertainty]
	if n == nil {
		return
	}
	may := uncertainties[c.Op.Name]
	d := diag.Diagnostic{Code: diag.UncertaintyContradictsOperation, At: n.At(), Got: n.Str(), Allowed: may}
	switch kinds := c.get(c.k.kinds); {
	case may != nil && !contains(may, n.Str()):
		d.Message = "a result of " + c.Op.Name + " carries no " + n.Str()
	case n.Str() == "binary_probability" && kinds != nil && (kinds.Has("choice") || kinds.Has("score") || kinds.Has("box")):
		d.Message = "only a yes/no answer is one probability, and the contract answers more than that"
		d.Allowed, d.Notes = []string{"distribution", "self_reported"}, note(kinds, "the kinds of questions")
	default:
		return
	}
	c.add(d)
}
