package dispatch

import (
	"strings"

	"github.com/opcat/opcat/dispatch/wire"
)

// Served is which model an answer says it is from.
type Served struct {
	Asked string `json:"asked"`           // the model as it was dialled
	Model string `json:"model,omitempty"` // as the answer names it, verbatim; empty: it does not say
	Match Match  `json:"match,omitempty"` // what the two have to do with each other; empty: there was no answer, nor a failure that names a model
}

// A Match is what a served model's name says about the one that was asked for.
type Match string

// The matches. Only the first two say which build served.
const (
	SameModel     Match = "same"     // the very name
	DatedModel    Match = "dated"    // the name with a date: a build of it
	ResolvedModel Match = "resolved" // what a moving name stood for; the contract says so
	EchoedModel   Match = "echo"     // the request's name repeated, which is evidence of nothing
	UnnamedModel  Match = "unnamed"  // the answer names none, and none was promised
	OtherModel    Match = "other"    // another name, where the contract promises nothing about names
)

// judgeServed is the one place where a served model meets the one that was
// admitted. promise is the contract's served_model; empty: nobody said.
func judgeServed(promise, asked, served string) (Served, *wire.Failure) {
	s := Served{Asked: asked, Model: served}
	same, dated := served == asked, isDated(asked, served)
	switch {
	case served == "":
		s.Match = UnnamedModel
		if promise != "" && promise != "absent" {
			return s, &wire.Failure{Kind: wire.ModelUnnamed, Message: "the answer does not say which model served"}
		}
	case promise == "echo" && same:
		s.Match = EchoedModel
	case same:
		s.Match = SameModel
	case promise == "resolved":
		s.Match = ResolvedModel
	case dated && promise != "exact" && promise != "echo":
		s.Match = DatedModel
	default:
		s.Match = OtherModel
		if promise != "" && promise != "absent" {
			return s, &wire.Failure{Kind: wire.ModelMismatch, Message: "another model served than the one admitted", Vendor: wire.Bounded(served)}
		}
	}
	return s, nil
}

// undated is the name without the date behind it, if there is one.
func undated(name string) string {
	for _, length := range [...]int{len("-2026-10-14"), len("-20261014"), len("-2610")} {
		if at := len(name) - length; at > 0 && isDated(name[:at], name) {
			return name[:at]
		}
	}
	return name
}

// isDated reports whether served is asked with a date behind it: 20261014,
// 2026-10-14 or the year and month alone, 2610.
func isDated(asked, served string) bool {
	date, ok := strings.CutPrefix(served, asked)
	if !ok || date == "" || date[0] != '-' && date[0] != '@' {
		return false
	}
	switch date = date[1:]; len(date) {
	case 10:
		if date[4] != '-' || date[7] != '-' {
			return false
		}
		date = date[:4] + date[5:7] + date[8:]
	case 8, 4:
	default:
		return false
	}
	return strings.Trim(date, "0123456789") == ""
}
