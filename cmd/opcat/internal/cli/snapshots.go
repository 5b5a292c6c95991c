package cli

import (
	"os"
	"path/filepath"

	"github.com/opcat/opcat/catalog"
	snapshot "github.com/opcat/opcat/gen/json"
	"github.com/opcat/opcat/gen/selection"
	"github.com/opcat/opcat/plan"
	"github.com/opcat/opcat/plan/accepted"
	"github.com/opcat/opcat/plan/signed"
	"golang.org/x/mod/sumdb/note"
)

// The names of the snapshots that a machine can have.
const (
	embedded  = "embedded"  // in the program: the default, and the floor
	adopted   = "accepted"  // a newer one, taken in by snapshot apply
	candidate = "candidate" // one that --source names
)

// publishersVar names the file of the keys whose snapshots are adopted.
const publishersVar = "OPCAT_PUBLISHERS"

// publishers reads the keys of those whose snapshots are adopted: from the file that
// the environment names, or from the machine's own.
func publishers(inv *Invocation) ([]note.Verifier, error) {
	text, err := keyFile(inv, publishersVar, "publishers")
	if err != nil || text == nil {
		return nil, err
	}
	keys, err := signed.Keys(text)
	if err != nil {
		return nil, Fail(SignatureInvalid, "the keys of the publishers cannot be read: %v", err).Where(At{Item: publishersVar})
	}
	return keys, nil
}

// keyFile reads the keys of people whom this machine trusts; nil where there are none.
// The sources have no say in it.
func keyFile(inv *Invocation, variable, name string) ([]byte, error) {
	path := inv.Getenv(variable)
	if path == "" && inv.app.HostLayer != "" {
		path = filepath.Join(inv.app.HostLayer, name)
		if _, err := os.Stat(path); err != nil {
			return nil, nil
		}
	}
	if path == "" {
		return nil, nil
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, Fail(ArtifactInvalid, "the keys of the %s cannot be read: %s", name, asError(err).Message).Where(At{Item: variable})
	}
	return text, nil
}

// snapshotDir is where the adopted snapshot lies; "" where a user has no place for it.
func snapshotDir(inv *Invocation) string {
	state := inv.Getenv("XDG_STATE_HOME")
	if home := inv.Getenv("HOME"); !filepath.IsAbs(state) && filepath.IsAbs(home) {
		state = filepath.Join(home, ".local", "state")
	}
	if !filepath.IsAbs(state) {
		return ""
	}
	return filepath.Join(state, "opcat", "snapshot")
}

// adoptedSnapshot is the snapshot that this machine has adopted; nil for none. One that
// is damaged is warned of, and is none.
func adoptedSnapshot(inv *Invocation) (*catalog.Catalog, *accepted.Record) {
	dir := snapshotDir(inv)
	if dir == "" {
		return nil, nil
	}
	store := accepted.At(dir)
	record, err := store.Record()
	var c *catalog.Catalog
	if err == nil && record != nil {
		c, err = store.Catalog(record)
	}
	if err != nil {
		e := asError(problem(err))
		inv.Warn(string(e.Code), "the snapshot in the program is used: %s", e.Message)
		return nil, nil
	}
	return c, record
}

// newest is the snapshot that queries read: the adopted one where it is newer than the
// program's own.
func newest(inv *Invocation) (*catalog.Catalog, *accepted.Record, error) {
	own, err := selection.Catalog()
	if err != nil {
		return nil, nil, err
	}
	c, record := adoptedSnapshot(inv)
	if record == nil || record.Version <= accepted.VersionOf(own) {
		return own, nil, nil
	}
	if !inv.Now().Before(record.Expires) {
		inv.Warn("SNAPSHOT_EXPIRED", "the adopted snapshot expired at %s: adopt a newer one with %s snapshot plan", record.Expires.Format("2006-01-02"), inv.app.Tool)
	}
	return c, record, nil
}

// provenanceOf is what a snapshot says of where its facts came from.
func provenanceOf(record *accepted.Record) func() (*catalog.Provenance, error) {
	if record == nil {
		return snapshot.Provenance
	}
	return func() (*catalog.Provenance, error) {
		return nil, Fail(NotFound, "the adopted snapshot says nothing of where its facts came from; compile the sources that it was made of with --sources")
	}
}

// release reads a candidate and its note, and verifies both.
func release(inv *Invocation, source, noteFile string) (r *accepted.Release, c *catalog.Catalog, inputs []plan.Input, err error) {
	keys, err := publishers(inv)
	if err != nil {
		return nil, nil, nil, err
	}
	signed, err := readInput("--note", noteFile)
	if err != nil {
		return nil, nil, nil, err
	}
	if r, err = accepted.ReadNote(signed, keys); err != nil {
		return nil, nil, nil, problem(err)
	}
	text, err := readUpTo("--source", source, catalog.MaxSize)
	if err != nil {
		return nil, nil, nil, err
	}
	if c, err = r.Open(text); err != nil {
		return nil, nil, nil, problem(err)
	}
	return r, c, []plan.Input{{Name: candidate, Path: source, SHA256: plan.Digest(text)}, {Name: "note", Path: noteFile, SHA256: plan.Digest(signed)}}, nil
}
