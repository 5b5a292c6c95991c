// Package accepted is the newer snapshot that a machine has adopted, as the target of a
// plan.
//
// A snapshot is published as two files: a compiled catalog, and a signed note that says
// its version, until when it is to be used, and the size and digest of the catalog.
// Versions only rise: one that is not above the binary's own and every one adopted
// before is a rollback, and refused.
//
// What is adopted lies in a folder of its own, and one small record says which it is:
// it is replaced last, so a run that is killed leaves the snapshot of before.
package accepted

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/opcat/opcat/catalog"
	"github.com/opcat/opcat/plan"
	"github.com/opcat/opcat/plan/apply"
	"github.com/opcat/opcat/plan/files"
	"github.com/opcat/opcat/plan/signed"
	"golang.org/x/mod/sumdb/note"
)

// NoteSchema is the first line of a snapshot's note.
const NoteSchema = "opcat.snapshot@1"

// The codes of a snapshot that is not adopted, besides those of plans.
const (
	Rollback         = "SNAPSHOT_ROLLBACK"
	SignatureInvalid = "SIGNATURE_INVALID"
)

// A Release is what a publisher says of a snapshot, signed.
type Release struct {
	Version   int64
	Published time.Time
	Expires   time.Time // after it the snapshot is old news, and prices of it are not to be trusted
	Size      int64     // of catalog.json in bytes
	SHA256    string    // of catalog.json, in hex
}

// ReadNote verifies a note and reads it.
func ReadNote(text []byte, keys []note.Verifier) (*Release, error) {
	invalid := func(format string, args ...any) error {
		return plan.Fail(SignatureInvalid, "the note is not valid: "+format, args...)
	}
	if len(keys) == 0 {
		return nil, invalid("no publisher's key is known on this machine")
	}
	n, err := signed.Open(text, keys, NoteSchema, "version", "published", "expires", "size", "sha256")
	if err != nil {
		return nil, invalid("%v", err)
	}
	r := &Release{SHA256: n.Says["sha256"]}
	number := func(field string, into *int64) {
		v, parse := strconv.ParseInt(n.Says[field], 10, 64)
		if parse != nil || v < 1 || strconv.FormatInt(v, 10) != n.Says[field] {
			err = invalid("%s must be a whole number from 1 on (got: '%s')", field, n.Says[field])
		}
		*into = v
	}
	instant := func(field string, into *time.Time) {
		v, parse := time.Parse(time.RFC3339, n.Says[field])
		if parse != nil {
			err = invalid("%s must be a time such as 2026-12-01T00:00:00Z (got: '%s')", field, n.Says[field])
		}
		*into = v
	}
	number("version", &r.Version)
	number("size", &r.Size)
	instant("published", &r.Published)
	instant("expires", &r.Expires)
	if sum, bad := hex.DecodeString(r.SHA256); bad != nil || len(sum) != sha256.Size {
		err = invalid("sha256 must be 64 hexadecimal digits (got: '%s')", r.SHA256)
	}
	if err == nil && !r.Published.Before(r.Expires) {
		err = invalid("it expires at %s, before it is published", n.Says["expires"])
	}
	return r, err
}

// Open reads a candidate: the catalog that the note is for.
func (r *Release) Open(text []byte) (*catalog.Catalog, error) {
	if sum := sha256.Sum256(text); int64(len(text)) != r.Size || hex.EncodeToString(sum[:]) != r.SHA256 {
		return nil, plan.Fail(SignatureInvalid, "the catalog is not the one that the note signs: it has %d bytes and the SHA-256 %x, and the note says %d and %s",
			len(text), sum, r.Size, r.SHA256)
	}
	c, err := catalog.Open(text)
	if err != nil {
		return nil, plan.Fail(plan.Invalid, "the candidate is no catalog: %v", err)
	}
	return c, nil
}

// VersionOf is the version of the catalog in a binary: its date as a number, 20261130.
// Publishers number theirs from there on.
func VersionOf(c *catalog.Catalog) int64 {
	v, _ := strconv.ParseInt(c.AsOf().Format("20060102"), 10, 64) // eight digits
	return v
}

// recordName is the file that says which snapshot is adopted.
const recordName = "accepted.json"

const recordSchema = "opcat.accepted@1"

// A Record says which snapshot is adopted.
type Record struct {
	Schema    string    `json:"schema"`
	Version   int64     `json:"version"`
	Above     int64     `json:"above"` // the version that was in use before
	Published time.Time `json:"published"`
	Expires   time.Time `json:"expires"`
	Digest    string    `json:"digest"` // of the catalog
	SHA256    string    `json:"sha256"` // of its text as it lies here, in hex
}

func (r *Record) text() string  { return "catalog-" + r.SHA256[:16] + ".json" }
func (r *Record) index() string { return "catalog-" + r.SHA256[:16] + ".idx" }

// A Store is the folder of what has been adopted. It may not be there: then nothing has.
type Store struct{ dir string }

// At is the store in a folder.
func At(dir string) *Store { return &Store{dir} }

// Record is what is adopted; nil for nothing.
func (s *Store) Record() (*Record, error) {
	text, err := os.ReadFile(filepath.Join(s.dir, recordName))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	r := new(Record)
	err = jsonv2.Unmarshal(text, r, jsonv2.RejectUnknownMembers(true))
	if sum, bad := hex.DecodeString(r.SHA256); err != nil || r.Schema != recordSchema || r.Version < 1 || bad != nil || len(sum) != sha256.Size {
		return nil, s.corrupt("%s cannot be read", recordName)
	}
	return r, nil
}

// Catalog opens what is adopted, whole and unchanged.
func (s *Store) Catalog(r *Record) (*catalog.Catalog, error) {
	text, err := os.ReadFile(filepath.Join(s.dir, r.text()))
	if err != nil {
		return nil, s.corrupt("%s cannot be read", r.text())
	}
	if sum := sha256.Sum256(text); hex.EncodeToString(sum[:]) != r.SHA256 {
		return nil, s.corrupt("%s is not what was adopted", r.text())
	}
	// An index of another version of this program is made again.
	if index, err := os.ReadFile(filepath.Join(s.dir, r.index())); err == nil {
		if c, err := catalog.OpenIndexed(string(text), string(index)); err == nil {
			return c, nil
		}
	}
	c, err := catalog.Open(text)
	if err != nil {
		return nil, s.corrupt("%s is no catalog for this program: %v", r.text(), err)
	}
	return c, nil
}

func (s *Store) corrupt(format string, args ...any) error {
	return plan.Fail(plan.StateCorrupt, "the adopted snapshot in %s is damaged: "+format+"; remove that folder and adopt it again", append([]any{s.dir}, args...)...)
}

// Digests is what a plan's base says of the store.
func (s *Store) Digests() (map[string]string, error) {
	text, err := os.ReadFile(filepath.Join(s.dir, recordName))
	if errors.Is(err, fs.ErrNotExist) {
		return map[string]string{}, nil
	} else if err != nil {
		return nil, err
	}
	return map[string]string{recordName: plan.Digest(text)}, nil
}

// params are the parameters of an item.
type params struct {
	Source  string `json:"source"` // the path of the candidate
	Version int64  `json:"version"`
	SHA256  string `json:"sha256"` // of the candidate, in hex
	Digest  string `json:"digest"` // of the catalog in it
}

// InUse is the version that a newer one must be above, and the record of it where it is
// an adopted one. floor is the version of the program's own catalog.
func (s *Store) InUse(floor int64) (int64, *Record, error) {
	r, err := s.Record()
	if err != nil || r == nil || r.Version <= floor {
		return floor, nil, err
	}
	return r.Version, r, nil
}

// Item is the item that adopts a candidate where the version above is in use.
func Item(source string, r *Release, c *catalog.Catalog, above int64, now time.Time) (*plan.Item, error) {
	switch {
	case r.Version <= above:
		return nil, plan.Fail(Rollback, "the snapshot has version %d, and %d is in use: only a newer one is adopted", r.Version, above).OnFile(source)
	case !now.Before(r.Expires):
		return nil, plan.Fail(SignatureInvalid, "the note expired at %s: ask its publisher for a newer snapshot", r.Expires.UTC().Format(time.RFC3339)).OnFile(source)
	}
	text, err := json.Marshal(params{source, r.Version, r.SHA256, c.Digest()})
	if err != nil {
		return nil, err
	}
	return &plan.Item{
		ID: fmt.Sprintf("snapshot-%d", r.Version), Action: "adopt", Reason: fmt.Sprintf("it is newer than %d, which is in use", above), Params: text,
		Targets: []string{"snapshot/accepted"}, Preconditions: []plan.Precondition{{SnapshotVersionAbove: json.RawMessage(strconv.FormatInt(above, 10))}},
	}, nil
}

// A Target adopts one candidate: the one that was read again and verified.
type Target struct {
	*Store
	Source  string
	Release *Release
	Catalog *catalog.Catalog
}

// Outside says why an item would do anything but adopt the candidate; "" if it would not.
func (t *Target) Outside(it *plan.Item) string {
	if err := t.Check(it); err != nil {
		return err.Error()
	}
	return ""
}

func (t *Target) params(it *plan.Item) (*params, int64, error) {
	p := new(params)
	if err := jsonv2.Unmarshal(it.Params, p, jsonv2.RejectUnknownMembers(true)); err != nil {
		return nil, 0, fmt.Errorf("its params cannot be read: %s", strings.ReplaceAll(err.Error(), "\n", " "))
	}
	var above int64 = -1
	if len(it.Preconditions) == 1 && it.Preconditions[0].SnapshotVersionAbove != nil {
		if err := json.Unmarshal(it.Preconditions[0].SnapshotVersionAbove, &above); err != nil {
			above = -1
		}
	}
	switch {
	case it.Action != "adopt":
		return nil, 0, fmt.Errorf("a snapshot is adopted, and never '%s'", it.Action)
	case above < 0:
		return nil, 0, errors.New("it does not say which version it must be above")
	case p.Version <= above:
		return nil, 0, fmt.Errorf("version %d is not above %d", p.Version, above)
	case p.Source != t.Source || p.Version != t.Release.Version || p.SHA256 != t.Release.SHA256 || p.Digest != t.Catalog.Digest():
		return nil, 0, fmt.Errorf("it is not the snapshot that the note signs, version %d", t.Release.Version)
	}
	return p, above, nil
}

// Fresh is the plan that is made now, of the store as it was before any of it was
// carried out: what is adopted already by this plan does not stand in its own way.
func (t *Target) Fresh(floor int64, now time.Time) (*plan.Plan, error) {
	above, record, err := t.InUse(floor)
	if err != nil {
		return nil, err
	}
	if record != nil && record.Version == t.Release.Version && record.Digest == t.Catalog.Digest() {
		above = record.Above
	}
	it, err := Item(t.Source, t.Release, t.Catalog, above, now)
	if err != nil {
		return nil, err
	}
	return &plan.Plan{Items: []plan.Item{*it}}, nil
}

// Check implements apply.Target.
func (t *Target) Check(it *plan.Item) error {
	if _, _, err := t.params(it); err != nil {
		return plan.Fail(plan.Invalid, "item '%s': %v", it.ID, err).OnItem(it.ID)
	}
	return nil
}

// Moved implements apply.Target.
func (t *Target) Moved(p *plan.Plan) ([]string, error) {
	now, err := t.Digests()
	if err != nil {
		return nil, err
	}
	if now[recordName] == p.Base.Files[recordName] {
		return nil, nil
	}
	if r, err := t.Record(); err == nil && r != nil && r.Version == t.Release.Version && r.Digest == t.Catalog.Digest() {
		return nil, nil // by this very plan
	}
	return []string{recordName}, nil
}

// Look implements apply.Target.
func (t *Target) Look(it *plan.Item) (apply.State, string, error) {
	p, above, err := t.params(it)
	if err != nil {
		return apply.Unknown, "", err
	}
	r, err := t.Record()
	switch {
	case err != nil:
		return apply.Unknown, "", err
	case r == nil || r.Version <= above:
		return apply.Undone, "", nil
	case r.Version == p.Version && r.Digest == p.Digest:
		if _, err := t.Store.Catalog(r); err != nil {
			return apply.Unknown, "", err
		}
		return apply.Done, r.Digest, nil
	}
	return apply.Elsewhere, r.Digest, nil
}

// Ready implements apply.Target: there is nothing to share.
func (t *Target) Ready([]*plan.Item) {}

// Settle implements apply.Target: what Do did is durable.
func (t *Target) Settle() error { return nil }

// Do implements apply.Target. The record is replaced last, and then nothing points to
// the files of the snapshot before.
func (t *Target) Do(it *plan.Item) (string, error) {
	_, above, err := t.params(it)
	if err != nil {
		return "", err
	}
	root, err := os.OpenRoot(t.dir)
	if err != nil {
		return "", err
	}
	defer root.Close()
	text := []byte(t.Catalog.JSON())
	sum := sha256.Sum256(text)
	r := &Record{Schema: recordSchema, Version: t.Release.Version, Above: above, Published: t.Release.Published.UTC(), Expires: t.Release.Expires.UTC(),
		Digest: t.Catalog.Digest(), SHA256: hex.EncodeToString(sum[:])}
	record, err := json.Marshal(r)
	if err != nil {
		return "", err
	}
	for _, f := range []struct {
		name string
		data []byte
	}{{r.text(), text}, {r.index(), []byte(t.Catalog.Index())}, {recordName, append(record, '\n')}} {
		if err := files.Replace(root, f.name, f.data); err != nil {
			return "", err
		}
	}
	old, err := fs.Glob(root.FS(), "catalog-*")
	if err != nil {
		return "", err
	}
	for _, name := range old {
		if !slices.Contains([]string{r.text(), r.index()}, name) {
			_ = root.Remove(name) // what stays is only room
		}
	}
	return r.Digest, nil
}
