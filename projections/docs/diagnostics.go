package docs

import (
	"slices"
	"sync"

	"github.com/opcat/opcat/diag"
	"github.com/opcat/opcat/projections/emit"
)

var stages = []struct{ name, what string }{
	{"decode", "what one file says wrongly"},
	{"migrate", "legacy fields that can't be rewritten"},
	{"layer", "facts stated twice, and overlays that meet nothing or may not"},
	{"resolve", "rules, aliases and inheritance that lead nowhere or disagree"},
	{"check", "facts that contradict each other"},
}

// diagnostics is the reference of the compiler's findings: a page for each stage, and
// a list of all. It is the same for every catalog.
var diagnostics = sync.OnceValue(func() []emit.File {
	codes := diag.Codes()
	p := newPage("diagnostics/", "Diagnostics")
	p.para(count(len(codes), "code", "codes") + " name the mistakes that a compile finds. A finding says the place, what was got and what is allowed; ")
	p.code("opcat diagnostic get CODE")
	p.text(" prints the same as the page here. A code is never used again for anything else.")
	p.table("Codes", "Code", "Stage", "What it is")
	for _, e := range codes {
		p.row("")
		p.linkCode(target{"diagnostics/" + e.Stage, string(e.Code)}, string(e.Code))
		p.cell()
		p.text(e.Stage)
		p.cell()
		p.text(e.Title)
	}
	files := p.files()
	for _, stage := range stages {
		p := newPage("diagnostics/"+stage.name, "Diagnostics of stage "+stage.name)
		p.para("The stage finds " + stage.what + ".")
		for _, e := range codes {
			if e.Stage == stage.name {
				p.entry(e)
			}
		}
		files = append(files, p.files()...)
	}
	return slices.Clip(files) // callers append
})

func (p *page) entry(e diag.Entry) {
	p.headingAt(2, string(e.Code), string(e.Code))
	p.para("")
	p.strong(sentence(e.Title))
	p.text(" " + sentence(e.Why))
	for _, example := range []struct{ intro, toml string }{{"This is refused:", e.Wrong}, {"This is not:", e.Right}} {
		if example.toml != "" {
			p.para(example.intro)
			p.pre("toml", example.toml)
		}
	}
}
