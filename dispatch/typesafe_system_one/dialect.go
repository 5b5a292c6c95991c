package typesafe_system_one

import "github.com/opcat/opcat/dispatch/internal/questions"

// A dialect is what a server does otherwise than the plain wire.
type dialect struct {
	form            questions.Form
	servedInRouting bool // routing.model names the model that answered; model is always the same name
}

// dialects are all that are known, by the names that endpoints and contracts use.
var dialects = map[string]dialect{
	"":       {form: questions.SystemOne},
	"eu_jev": {form: form(func(f *questions.Form) { f.NullInstructions = true })},
	"laya":   {form: questions.SystemOne, servedInRouting: true},
	"nace":   {form: form(func(f *questions.Form) { f.LegendList = true })},
}

func form(change func(*questions.Form)) questions.Form {
	f := questions.SystemOne
	change(&f)
	return f
}
