package check

import (
	"github.com/Masterminds/semver/v3"
	"github.com/opcat/opcat/diag"
)

// snapshot finds rows that are an immutable build and a moving name at once.
// Whoever pins such a row does not know whether the answer may change under it.
func (r *row) snapshot() {
	snap, selects, current := r.model[kSnapshot], r.model[kSelects], r.model[kCurrent]
	if snap != nil && selects != nil {
		r.add(diag.Diagnostic{Code: diag.SnapshotContradicts, At: selects.KeyAt(), Message: "the row is an immutable build and follows a moving name at once", Got: selects.Str(),
			Allowed: []string{"snapshot", "selects"}, Notes: note(snap, "the build"), Help: "keep one: a build is a row of its own"})
	}
	if current != nil && selects == nil && !r.Broken {
		d := diag.Diagnostic{Code: diag.SnapshotContradicts, At: current.KeyAt(), Message: "only a moving name follows another row", Got: current.Str(),
			Help: "add selects, the logical model that the name follows; or remove current"}
		if snap != nil {
			d.Notes = note(snap, "this row is a build")
			d.Help = "remove current"
		}
		r.add(d)
	}
	if logical := r.model[kLogical]; logical != nil && selects != nil && logical.Str() != selects.Str() {
		r.add(diag.Diagnostic{Code: diag.SnapshotContradicts, At: selects.At(), Message: "the row follows " + quote(selects.Str()) + " and is " + quote(logical.Str()), Got: selects.Str(),
			Allowed: []string{logical.Str()}, Notes: note(logical, "the logical model"), Help: "a moving name follows its own logical model"})
	}
}

// version finds builds whose version is said twice and differs. Rules with a
// version range read the one, people the other.
func (r *row) version() {
	snap, version := r.model[kSnapshot], r.model[kVersion]
	if snap == nil || version == nil || snap.Str() == version.Str() {
		return
	}
	if _, err := semver.StrictNewVersion(snap.Str()); err != nil {
		return // no version by itself, so it is said apart
	}
	r.add(diag.Diagnostic{Code: diag.VersionContradicts, At: version.At(), Message: "the version differs from the snapshot, which is a version itself", Got: version.Str(),
		Allowed: []string{snap.Str()}, Notes: note(snap, "the snapshot"), Help: "remove version: the snapshot says it"})
}
