package check

import (
	"github.com/opcat/opcat/compile/form"
	"github.com/opcat/opcat/diag"
)

// lifecycle finds dates that contradict the row's state. Whether a row has ended
// is computed from these dates, so a wrong one offers a dead model or hides a
// living one.
func (r *row) lifecycle() {
	deprecated, ends, announced := r.life[kDeprecated], r.life[kEnds], r.life[kAnnounced]
	if ends != nil && !deprecated.IsTrue() && !r.Broken {
		d := diag.Diagnostic{Code: diag.LifecycleContradicts, At: ends.KeyAt(), Message: "the row has an end of service and is not deprecated", Got: ends.Str(),
			Allowed: []string{"deprecated = true", "announced_end"}, Help: "say deprecated = true; a date that is only announced, on an active row, is announced_end"}
		if deprecated != nil {
			d.Notes = note(deprecated, "not deprecated")
		}
		r.add(d)
	}
	if announced != nil && deprecated.IsTrue() {
		r.add(diag.Diagnostic{Code: diag.LifecycleContradicts, At: announced.KeyAt(), Message: "the row is deprecated and its end only announced", Got: announced.Str(),
			Allowed: []string{"ends_on"}, Notes: note(deprecated, "deprecated"), Help: "write ends_on: an announced end is for active rows"})
	}
	released := r.model[kReleased]
	if released == nil {
		return
	}
	for _, i := range [...]int{kEnds, kAnnounced} {
		if end := r.life[i]; end != nil && instant(end.Str()) <= instant(released.Str()) {
			r.add(diag.Diagnostic{Code: diag.LifecycleContradicts, At: end.At(), Message: "the row ends on " + end.Str() + ", before it is released on " + released.Str(), Got: end.Str(),
				Allowed: []string{"a date after " + released.Str()}, Notes: note(released, "released"), Help: "mend one of the two"})
		}
	}
}

// ended reports whether a row's end, stated or announced, has come.
func ended(life kids, asOf int64) (day string, ok bool) {
	for _, i := range [...]int{kEnds, kAnnounced} {
		if n := life[i]; n != nil && instant(n.Str()) <= asOf {
			return n.Str(), true
		}
	}
	return "", false
}

// successor warns of rows whose successor has ended: whoever follows the advice
// meets the same error again.
func (r *row) successor() {
	n := r.life[kSuccessor]
	if n == nil || r.draft.AsOf == "" {
		return
	}
	next := r.lookup(n.Str())
	if next == nil || next == r.Row || next.Table == nil {
		return
	}
	var life kids
	life.read(next.Table.Get("lifecycle"), len(form.Lifecycle().Keys), true)
	day, over := ended(life, r.asOf)
	if !over {
		return
	}
	d := diag.Diagnostic{Code: diag.SuccessorEnded, Warning: true, At: n.At(), Message: "the successor " + quote(n.Str()) + " ended on " + day + ", as of " + r.draft.AsOf, Got: n.Str(),
		Notes: note(next.Table.Get("lifecycle"), "its lifecycle"), Help: "name a row that is served"}
	if s := life[kSuccessor]; s != nil && s.Str() != r.ID {
		d.Help = "its own successor is " + quote(s.Str())
	}
	r.add(d)
}
