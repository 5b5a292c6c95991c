package migrate

import (
	"sync"

	"github.com/opcat/opcat/compile/legacy"
	"github.com/opcat/opcat/compile/tree"
	"github.com/opcat/opcat/diag"
)

// options writes the generation options (L25). What nobody says of an option
// stays unknown. A condition on effort goes before the plain flag: it says more.
func (w *writer) options() {
	extra, excluded, efforts := w.node("advanced_generation_options"), w.node("reasoning_excluded_portable_options"), w.node("portable_option_effort_support")
	flags := optionFlags()
	for i, option := range legacy.PortableOptions {
		if w.settings.Get(option) != nil {
			continue // written with tools or cache
		}
		flag := w.flag(flags[i])
		if at := efforts.Get(option); at.First() != nil {
			w.when(option, at, "effort", at.Strings()...)
			continue
		}
		switch {
		case flag.IsFalse():
			w.supported(option, false, flag)
		case excluded.Has(option):
			w.whileOff(option, excluded)
		case flag != nil:
			w.supported(option, true, flag)
		case extra.Has(option):
			w.supported(option, true, extra)
		}
	}
	for i, option := range legacy.PortableOptions {
		if n := w.flag(flags[i]); n != nil {
			w.movedBy("L25", n, textOperation+".settings.", option)
		}
	}
	for _, n := range []*tree.Node{extra, excluded, efforts} {
		if n != nil {
			w.movedBy("L25", n, textOperation+".settings")
		}
	}
	w.carry(optionQualification())
}

var optionQualification = groupOf("routing", "L25", "portable_option_qualification", "option_qualification")

// optionFlags gives for each portable option the index of the fact that flags it; -1
// if it has none.
var optionFlags = sync.OnceValue(func() []int {
	out := make([]int, len(legacy.PortableOptions))
	for i, option := range legacy.PortableOptions {
		out[i] = -1
		if key := legacy.Rule().Key(option + "_supported"); key != nil {
			out[i] = key.Index
		}
	}
	return out
})

// flag is the fact of the index; nil if there is none or nobody states it.
func (a *answer) flag(index int) *tree.Node {
	if index < 0 {
		return nil
	}
	return a.facts[index].node
}

// whileOff writes an option that may be asked for only while reasoning is off. A
// route whose reasoning has no off that a caller could ask for refuses it.
func (w *writer) whileOff(option string, src *tree.Node) {
	levels := w.node("reasoning_effort_levels")
	if levels == nil {
		levels = w.lower("settings", "effort", "values")
	}
	modes := w.settings.Get("thinking").Get("values")
	if modes == nil {
		modes = w.lower("settings", "thinking", "values")
	}
	switch word := w.offWord(); {
	case levels == nil && w.node("reasoning_none_supported").IsTrue(), levels.Has("none"):
		w.when(option, src, "effort", "none")
	case modes.Has(word) && word != "":
		w.when(option, src, "thinking", word)
	default:
		w.supported(option, false, src)
		if !w.told.has(src) {
			move := w.migration.moved("L25", src, w.row.RowID(), show(src), textOperation+".settings."+option+" = refused")
			move.Note = "nothing that a caller may ask for switches reasoning off"
			move.Named = true
		}
	}
}

func (v *view) judgeOptions() {
	excluded, efforts := v.get("reasoning_excluded_portable_options"), v.get("portable_option_effort_support")
	if excluded.node == nil || efforts.node == nil {
		return
	}
	for at := range efforts.node.Each() {
		if !excluded.node.Has(at.Name()) || at.First() == nil || at.Len() == 1 && at.Has("none") {
			continue
		}
		v.quarrel(excluded, efforts, diag.Diagnostic{Code: diag.OptionContradicts,
			Message: at.Name() + " is excluded while reasoning and admitted at effort " + joined(at, func(n *tree.Node) string { return n.Str() }),
			Got:     "both", Allowed: []string{"one of the two rules"}})
		return
	}
}
