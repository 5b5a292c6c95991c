package check

import (
	"strings"

	"github.com/opcat/opcat/compile/tree"
	"github.com/opcat/opcat/diag"
	"github.com/opcat/opcat/operations"
)

// senses are the strengths that claim an input kind.
var senses = map[string]string{"vision": "image", "audio": "audio", "video": "video", "pdf": "pdf"}

// strengths finds rows praised for what they can't do. A strength is a claim
// about quality; it never grants the ability. In format 0 it is the migrator's
// warning.
func (r *row) strengths() {
	listed := r.model[kShown].Get("strengths")
	if listed == nil || r.Broken || legacy(listed) {
		return
	}
	for n := listed.First(); n != nil; n = n.Next() {
		kind := senses[n.Str()]
		if kind == "" || len(r.contracts) == 0 {
			continue
		}
		var without *tree.Node
		for i := range r.contracts {
			in := r.contracts[i].kids[r.contracts[i].k.inputs]
			if in == nil || in.Has(kind) || overruled(n, in) {
				without = nil
				break
			}
			without = in
		}
		if without != nil {
			r.add(diag.Diagnostic{Code: diag.StrengthWithoutAbility, At: n.At(), Message: "the row is praised for " + n.Str() + ", and no contract of it takes " + kind, Got: n.Str(),
				Notes: note(without, "what it takes: "+list(without.Strings())), Help: `remove the strength, or add "` + kind + `" to input_kinds`})
		}
	}
}

// reviewers finds partners that are named to pair with and to avoid at once.
func (r *row) reviewers() {
	with, avoid := r.model[kShown].Get("complementary_with"), r.model[kShown].Get("avoid_as_reviewer_for")
	if with == nil || avoid == nil {
		return
	}
	for n := with.First(); n != nil; n = n.Next() {
		for m := avoid.First(); m != nil; m = m.Next() {
			if m.Str() == n.Str() {
				r.add(diag.Diagnostic{Code: diag.ReviewerContradicts, At: m.At(), Message: quote(m.Str()) + " is named to pair with and to avoid", Got: m.Str(),
					Notes: note(n, "named to pair with here"), Help: "keep one"})
			}
		}
	}
}

// legacyOperations are words that once named an operation.
var legacyOperations = []string{"decision", "decisions", "evaluation", "embeddings", "rerank", "chat"}

// family finds families and lineages that name an operation. A family tells where
// weights come from; read as an operation it would grant one.
func (r *row) family() {
	for _, key := range [...]string{"family", "lineage"} {
		n := r.model[kMeta].Get(key)
		if n == nil {
			continue
		}
		if operations.Lookup(n.Str()) != nil || contains(legacyOperations, n.Str()) {
			r.add(diag.Diagnostic{Code: diag.FamilyAsOperation, At: n.At(), Message: quote(n.Str()) + " is an operation, and a " + key + " grants none", Got: n.Str(),
				Help: "name the family of the weights; a contract under capability_sources grants the operation"})
		} else if n.Str() != strings.ToLower(n.Str()) || strings.ContainsAny(n.Str(), " \t\n") {
			d := diag.Diagnostic{Code: diag.BadText, At: n.At(), Message: "the " + key + " is a lower-case token", Got: n.Str(),
				Help: "write " + quote(strings.ReplaceAll(strings.ToLower(n.Str()), " ", "-"))}
			r.add(d)
		}
	}
}

// architecture finds weights of which more are active than there are.
func (r *row) architecture() {
	a := r.model[kMeta].Get("architecture")
	total, active := a.Get("parameter_count_b"), a.Get("active_parameter_count_b")
	if total == nil || active == nil {
		return
	}
	switch c := compare(active.Str(), total.Str()); {
	case c > 0:
		r.add(diag.Diagnostic{Code: diag.ArchitectureContradicts, At: active.At(), Message: "more parameters are active (" + active.Str() + " billion) than there are (" + total.Str() + " billion)", Got: active.Str(),
			Allowed: []string{"<= " + total.Str()}, Notes: note(total, "all parameters"), Help: "mend one of the two"})
	case c < 0 && a.Get("moe").IsFalse():
		r.add(diag.Diagnostic{Code: diag.ArchitectureContradicts, At: a.Get("moe").At(), Message: "the row is no mixture of experts, and only some of its parameters are active", Got: "moe = false",
			Notes: note(active, active.Str()+" of "+total.Str()+" billion"), Help: "say moe = true, or remove active_parameter_count_b"})
	}
}
