// Package files is the source tree as the target of a plan: an item changes one file,
// whole or not at all.
//
// What an item does is in its parameters: the splices that turn the file that was
// read into the file that is wanted, and for each row what changes and why. The
// splices can be undone, so the tree that a plan was made of can be seen again while
// half of the plan has been applied.
package files

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"slices"
	"strings"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/opcat/opcat/edit"
	"github.com/opcat/opcat/internal/folders"
	"github.com/opcat/opcat/plan"
	"github.com/opcat/opcat/plan/apply"
)

// Roots are the folders of a tree that plans may change.
var Roots = []string{"catalog_sources", "capability_sources"}

// Params are the parameters of an item.
type Params struct {
	File    string        `json:"file"`
	SHA256  string        `json:"sha256"` // of the file as it is wanted
	Changes []Change      `json:"changes"`
	Edits   []edit.Splice `json:"edits"`
}

// A brief is what the parameters say of a file without its text: of a plan's items all
// briefs are held, and the edits of one at a time.
type brief struct {
	File    string         `json:"file"`
	SHA256  string         `json:"sha256"`
	Changes skipped        `json:"changes"`
	Edits   skipped        `json:"edits"`
	Unknown jsontext.Value `json:",unknown"` // makes the item another one than any planner's: it is not done
}

// skipped is a value that is not looked at.
type skipped struct{}

// UnmarshalJSONFrom implements json.UnmarshalerFrom.
func (*skipped) UnmarshalJSONFrom(d *jsontext.Decoder) error { return d.SkipValue() }

// A Change is one fact of one row, as people read it.
type Change struct {
	Resource string `json:"resource"`        // "acme/chat-2"
	Field    string `json:"field,omitempty"` // "limits.output_tokens"; "" for all of it
	From     string `json:"from,omitempty"`
	To       string `json:"to,omitempty"`
	Reason   string `json:"reason"`
	Source   string `json:"source,omitempty"`
}

// Read reads the parameters of an item.
func Read(it *plan.Item) (*Params, error) { return readAs[Params](it) }

func readAs[T any](it *plan.Item) (*T, error) {
	p := new(T)
	if err := jsonv2.Unmarshal(it.Params, p); err != nil {
		return nil, plan.Fail(plan.Invalid, "the params of item '%s' cannot be read: %s", it.ID, strings.ReplaceAll(err.Error(), "\n", " ")).OnItem(it.ID)
	}
	return p, nil
}

// Edit makes the item that turns a file into another; old is nil for a file that is
// not there. It is nil where nothing changes.
func Edit(file string, old []byte, splices []edit.Splice, changes []Change, reason string, after ...string) (*plan.Item, error) {
	wanted, err := edit.Apply(old, splices)
	if err != nil || bytes.Equal(wanted, old) && old != nil {
		return nil, err
	}
	params, err := json.Marshal(Params{File: file, SHA256: plan.Digest(wanted), Changes: notNil(changes), Edits: notNil(splices)})
	if err != nil {
		return nil, err
	}
	it := &plan.Item{ID: file, Action: "update", Reason: reason, Params: params, Targets: targets(changes)}
	if old == nil {
		it.Action = "create"
		it.Preconditions = append(it.Preconditions, plan.Precondition{FileAbsent: &file})
	} else {
		it.Preconditions = append(it.Preconditions, plan.Precondition{FileSHA256: &plan.FileSHA256{Path: file, SHA256: plan.Digest(old)}})
	}
	if len(after) > 0 {
		it.Preconditions = append(it.Preconditions, plan.Landed(after...))
	}
	return it, nil
}

func notNil[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

func targets(changes []Change) []string {
	out := []string{}
	for _, c := range changes {
		out = append(out, c.Resource)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// A Tree is a source tree on the disk.
type Tree struct {
	dir     string
	briefs  map[*plan.Item]*brief
	root    *os.Root        // once it was needed
	top     *os.File        // its folder
	folders map[string]bool // whose names are not durable yet
	staged  map[string]bool // files that are whole and durable under another name
}

// Open opens the tree in a folder.
func Open(dir string) *Tree {
	return &Tree{dir: dir, briefs: map[*plan.Item]*brief{}, folders: map[string]bool{}, staged: map[string]bool{}}
}

func (t *Tree) open() (err error) {
	if t.root != nil {
		return nil
	}
	if t.root, err = os.OpenRoot(t.dir); err != nil {
		return err
	}
	if t.top, err = t.root.Open("."); err != nil {
		return errors.Join(err, t.Close())
	}
	return nil
}

// Close closes the tree.
func (t *Tree) Close() error {
	if t.root == nil {
		return nil
	}
	err := t.root.Close()
	if t.top != nil {
		err = errors.Join(err, t.top.Close())
	}
	t.root, t.top = nil, nil
	return err
}

func (t *Tree) read(it *plan.Item) (*brief, error) {
	if b := t.briefs[it]; b != nil {
		return b, nil
	}
	b, err := readAs[brief](it)
	if err == nil {
		t.briefs[it] = b
	}
	return b, err
}

// Outside says why an item would change what lies outside of the roots; "" if it does
// not.
func (t *Tree) Outside(it *plan.Item) string {
	p, err := t.read(it)
	if err != nil {
		return err.Error()
	}
	return outside(p.File)
}

func outside(file string) string {
	root, _, below := strings.Cut(file, "/")
	if !fs.ValidPath(file) || !below || !slices.Contains(Roots, root) || strings.ContainsAny(file, "\\\x00") {
		return fmt.Sprintf("'%s' does not lie in %s", file, strings.Join(Roots, " or "))
	}
	if base := path.Base(file); !strings.HasSuffix(file, ".toml") && base != RecordName {
		return fmt.Sprintf("'%s' is no fragment", file)
	}
	return ""
}

// RecordName is the file beside a provider's fragments that says what was written by
// upstream's plans.
const RecordName = ".upstream"

// Check implements apply.Target.
func (t *Tree) Check(it *plan.Item) error {
	p, err := t.read(it)
	if err != nil {
		return err
	}
	invalid := func(format string, args ...any) error {
		return plan.Fail(plan.Invalid, "item '%s': "+format, append([]any{it.ID}, args...)...).OnItem(it.ID)
	}
	if it.Action != "create" && it.Action != "update" {
		return invalid("files are created and updated, and never '%s'", it.Action)
	}
	file, sum := 0, ""
	for _, pre := range it.Preconditions {
		switch {
		case pre.FileAbsent != nil && *pre.FileAbsent == p.File && it.Action == "create":
			file++
		case pre.FileSHA256 != nil && pre.FileSHA256.Path == p.File && it.Action == "update":
			file, sum = file+1, pre.FileSHA256.SHA256
		case pre.LedgerState != nil:
		default:
			return invalid("a precondition is not one of a file's change")
		}
	}
	if file != 1 || sum == "" && it.Action == "update" {
		return invalid("it does not say what the file must hold")
	}
	return nil
}

// before is the digest that the file must have; "" for one that must be absent.
func before(it *plan.Item) string {
	for _, pre := range it.Preconditions {
		if pre.FileSHA256 != nil {
			return pre.FileSHA256.SHA256
		}
	}
	return ""
}

// Moved implements apply.Target.
func (t *Tree) Moved(p *plan.Plan) ([]string, error) {
	tree, err := Load(t.dir)
	if err != nil {
		return nil, err
	}
	now := tree.Digests()
	wanted := map[string]string{}
	for i := range p.Items {
		params, err := t.read(&p.Items[i])
		if err != nil {
			return nil, err
		}
		wanted[params.File] = params.SHA256
	}
	var moved []string
	for file, sum := range now {
		if sum != p.Base.Files[file] && sum != wanted[file] {
			moved = append(moved, file)
		}
	}
	for file := range p.Base.Files {
		if _, there := now[file]; !there {
			moved = append(moved, file)
		}
	}
	slices.Sort(moved)
	return moved, nil
}

// Look implements apply.Target.
func (t *Tree) Look(it *plan.Item) (apply.State, string, error) {
	p, err := t.read(it)
	if err != nil {
		return apply.Unknown, "", err
	}
	src, err := t.file(p.File)
	sum := ""
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return apply.Unknown, "", err
	default:
		sum = plan.Digest(src)
	}
	switch sum {
	case p.SHA256:
		return apply.Done, sum, nil
	case before(it):
		return apply.Undone, sum, nil
	}
	return apply.Elsewhere, sum, nil
}

// file reads a file of the tree; never one behind a link.
func (t *Tree) file(name string) ([]byte, error) {
	if err := t.open(); err != nil {
		return nil, err
	}
	if info, err := t.root.Lstat(name); err != nil {
		return nil, err
	} else if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is no regular file", name)
	}
	return t.root.ReadFile(name)
}

// Ready implements apply.Target: it writes each file beside its place, and makes all of
// them durable at once.
func (t *Tree) Ready(items []*plan.Item) {
	var wrote, temps []string
	for _, it := range items {
		p, err := t.read(it)
		if err != nil {
			continue
		}
		wanted, err := t.wanted(it, p)
		if err == nil {
			err = t.stage(p.File, wanted)
		}
		if err == nil {
			wrote, temps = append(wrote, p.File), append(temps, tempOf(p.File))
		}
	}
	if len(wrote) == 0 || folders.Sync(t.top, t.root, temps) != nil {
		return // each by itself, which says of which it could not be
	}
	for _, name := range wrote {
		t.staged[name] = true
	}
}

// wanted is what an item makes of its file, which is still as the plan found it.
func (t *Tree) wanted(it *plan.Item, p *brief) ([]byte, error) {
	src, err := t.asFound(it, p)
	if err != nil {
		return nil, err
	}
	if len(p.Unknown) > 0 {
		return nil, plan.Fail(plan.Invalid, "the params of %s hold what nobody knows", p.File).OnItem(it.ID)
	}
	all, err := Read(it)
	if err != nil {
		return nil, err
	}
	wanted, err := edit.Apply(src, all.Edits)
	if err != nil || plan.Digest(wanted) != p.SHA256 {
		return nil, plan.Fail(plan.Invalid, "the edits of %s do not give what the plan says", p.File).OnItem(it.ID)
	}
	return wanted, nil
}

// asFound reads the file of an item; nil where it is not there. It is as the plan says
// that it was.
func (t *Tree) asFound(it *plan.Item, p *brief) ([]byte, error) {
	src, err := t.file(p.File)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		src = nil
	case err != nil:
		return nil, err
	}
	if sum := before(it); src != nil && plan.Digest(src) != sum || src == nil && sum != "" {
		return nil, plan.Fail(plan.Stale, "%s changed while the plan was applied", p.File).OnFile(p.File)
	}
	return src, nil
}

// Do implements apply.Target.
func (t *Tree) Do(it *plan.Item) (string, error) {
	p, err := t.read(it)
	if err != nil {
		return "", err
	}
	if t.staged[p.File] {
		delete(t.staged, p.File)
		if _, err = t.asFound(it, p); err == nil {
			err = t.root.Rename(tempOf(p.File), p.File)
		}
		if err != nil {
			return "", errors.Join(err, t.root.Remove(tempOf(p.File)))
		}
		return p.SHA256, nil
	}
	wanted, err := t.wanted(it, p)
	if err != nil {
		return "", err
	}
	if err := t.write(p.File, wanted); err != nil {
		return "", err
	}
	return p.SHA256, nil
}

// write puts a file of the tree in its place.
func (t *Tree) write(name string, data []byte) error {
	if err := t.folder(path.Dir(name)); err != nil {
		return err
	}
	return replace(t.root, name, data)
}

// stage writes a file of the tree beside its place.
func (t *Tree) stage(name string, data []byte) error {
	if err := t.folder(path.Dir(name)); err != nil {
		return err
	}
	f, err := beside(t.root, name, data)
	if err == nil {
		err = f.Close()
	}
	return err
}

// folder makes a folder of the tree, which something is about to be put in.
func (t *Tree) folder(name string) error {
	if err := t.open(); err != nil {
		return err
	}
	if t.folders[name] {
		return nil
	}
	if err := t.root.MkdirAll(name, 0o755); err != nil {
		return err
	}
	for ; name != "."; name = path.Dir(name) { // it may be new itself, and so may the one that it is in
		t.folders[name] = true
	}
	t.folders["."] = true
	return nil
}

// Settle implements apply.Target: it makes the names of what was written durable, those
// of all folders at once.
func (t *Tree) Settle() error {
	if len(t.folders) == 0 {
		return nil
	}
	if err := folders.Sync(t.top, t.root, slices.Sorted(maps.Keys(t.folders))); err != nil {
		return err
	}
	clear(t.folders)
	return nil
}

// Replace puts a file in its place, whole or not at all: it is written beside it, made
// durable, and renamed there. A file that was there keeps its mode.
func Replace(root *os.Root, name string, data []byte) error {
	if err := replace(root, name, data); err != nil {
		return err
	}
	return syncFolder(root, path.Dir(name))
}

func replace(root *os.Root, name string, data []byte) error {
	f, err := beside(root, name, data)
	if err != nil {
		return err
	}
	if err = errors.Join(f.Sync(), f.Close()); err == nil {
		err = root.Rename(tempOf(name), name)
	}
	if err != nil {
		return errors.Join(err, root.Remove(tempOf(name)))
	}
	return nil
}

// tempOf is what a file is called until it is whole. Of applies there is one at a time:
// what a killed one left is written over.
func tempOf(name string) string {
	return path.Join(path.Dir(name), ".opcat-"+path.Base(name)+".tmp")
}

// beside writes a file under its other name. One that was there keeps its mode.
func beside(root *os.Root, name string, data []byte) (*os.File, error) {
	mode := fs.FileMode(0o644)
	if info, err := root.Lstat(name); err == nil {
		mode = info.Mode().Perm()
	}
	f, err := root.OpenFile(tempOf(name), os.O_WRONLY|os.O_CREATE|os.O_TRUNC, mode)
	if err != nil {
		return nil, err
	}
	if _, err := f.Write(data); err != nil {
		return nil, errors.Join(err, f.Close(), root.Remove(tempOf(name)))
	}
	return f, nil
}

// syncFolder makes a rename durable, where the system can.
func syncFolder(root *os.Root, folder string) error {
	d, err := root.Open(folder)
	if err != nil {
		return err
	}
	if err := d.Sync(); err != nil && !errors.Is(err, errors.ErrUnsupported) && !errors.Is(err, os.ErrInvalid) {
		return errors.Join(err, d.Close())
	}
	return d.Close()
}

// Before is the tree as it was when the plan was made, with what has been applied of
// the plan taken back.
func (t *Tree) Before(tree *Snapshot, p *plan.Plan) (*Snapshot, error) {
	back := tree.Clone()
	for i := range p.Items {
		it := &p.Items[i]
		params, err := t.read(it)
		if err != nil {
			return nil, err
		}
		src, there := tree.File(params.File)
		if !there || plan.Digest(src) != params.SHA256 {
			continue
		}
		sum := before(it)
		if sum == "" {
			back.Remove(params.File)
			continue
		}
		all, err := Read(it)
		if err != nil {
			return nil, err
		}
		old, err := edit.Apply(src, edit.Inverse(all.Edits))
		if err != nil || plan.Digest(old) != sum {
			return nil, plan.Fail(plan.Invalid, "the edits of %s cannot be taken back", params.File).OnItem(it.ID)
		}
		back.Put(params.File, old)
	}
	return back, nil
}

// After is the tree as items leave it.
func (s *Snapshot) After(items []plan.Item) (*Snapshot, error) {
	after := s.Clone()
	for i := range items {
		params, err := Read(&items[i])
		if err != nil {
			return nil, err
		}
		src, _ := s.File(params.File)
		wanted, err := edit.Apply(src, params.Edits)
		if err != nil {
			return nil, err
		}
		after.Put(params.File, wanted)
	}
	return after, nil
}
