package fragment

import (
	"errors"
	"io"
	"io/fs"
	"path"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/opcat/opcat/compile/form"
	"github.com/opcat/opcat/compile/tree"
	"github.com/opcat/opcat/diag"
	"github.com/opcat/opcat/shape"
)

// cacheName is the one file of a legacy tree that is not TOML: pinned facts of
// another catalog, which rows name by key.
const cacheName = "catalog_sources/models-dev.json"

// A Tree is the files of one layer.
type Tree struct {
	FS    fs.FS // slash paths below the layer's root
	Layer string
	Rank  int
}

// Dir decodes every fragment under the two roots of a tree, in path order, and
// checks its layer.toml. Files whose name starts with a dot are an editor's and
// not read.
func Dir(t Tree) ([]Fragment, diag.List) {
	paths, links, diags := t.list()
	links, more := t.follow(links)
	diags = append(diags, more...)
	var lost []Fragment
	for _, d := range diags {
		lost = append(lost, t.lost(d.At.File))
	}
	paths = append(paths, links...)
	slices.Sort(paths)
	slices.Sort(links)

	out := make([]Fragment, len(paths))
	found := make([]diag.List, len(paths))
	workers := min(runtime.GOMAXPROCS(0), 1+len(paths)/16)
	var next atomic.Int64
	var wg sync.WaitGroup
	for range workers {
		wg.Go(func() {
			d := newDecoder()
			for {
				i := int(next.Add(1)) - 1
				if i >= len(paths) {
					return
				}
				out[i], found[i] = t.read(d, paths[i], isOneOf(links, paths[i]))
			}
		})
	}
	wg.Wait()
	diags = append(diags, t.manifest()...)
	return append(out, lost...), diag.Join(append(found, diags)...)
}

func isOneOf(sorted []string, s string) bool {
	_, found := slices.BinarySearch(sorted, s)
	return found
}

// list walks the two roots side by side: in a tree of many folders, listing takes as
// long as decoding.
func (t Tree) list() (paths, links []string, diags diag.List) {
	var found [2]listing
	var wg sync.WaitGroup
	for i, root := range []string{form.Catalog.Name, form.Capabilities.Name} {
		wg.Go(func() { found[i] = t.walk(root) })
	}
	wg.Wait()
	for _, l := range found {
		paths, links, diags = append(paths, l.paths...), append(links, l.links...), append(diags, l.diags...)
	}
	return paths, links, diags
}

// A listing is what a walk found: files, links and what can't be read.
type listing struct {
	paths, links []string
	diags        diag.List
}

// walk lists one root. A link is kept apart: what it leads to decides.
func (t Tree) walk(root string) (l listing) {
	err := fs.WalkDir(t.FS, root, func(p string, e fs.DirEntry, err error) error {
		switch {
		case err != nil && p == root && errors.Is(err, fs.ErrNotExist):
			return fs.SkipDir
		case err != nil:
			l.diags = append(l.diags, t.unreadable(p, err))
			return fs.SkipDir
		case strings.HasPrefix(e.Name(), "."):
			if e.IsDir() {
				return fs.SkipDir
			}
		case e.Type()&fs.ModeSymlink != 0:
			l.links = append(l.links, p)
		case e.IsDir() || !strings.HasSuffix(p, ".toml") && p != cacheName:
		case !e.Type().IsRegular():
			l.diags = append(l.diags, t.unreadable(p, errNotPlain))
		default:
			l.paths = append(l.paths, p)
		}
		return nil
	})
	if err != nil {
		l.diags = append(l.diags, t.unreadable(root, err))
	}
	return l
}

// follow admits links to files inside the tree and refuses the rest. The file
// system itself must refuse to leave its root, as os.Root does.
func (t Tree) follow(links []string) (good []string, diags diag.List) {
	for _, p := range links {
		info, err := fs.Stat(t.FS, p)
		at := t.pos(p)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			diags = append(diags, diag.Diagnostic{Code: diag.DanglingLink, At: at, Message: "the link leads nowhere", Help: "remove it, or restore the file that it names"})
		case err != nil:
			diags = append(diags, diag.Diagnostic{Code: diag.LinkLeavesTree, At: at, Message: "the link leads out of the source tree, or can't be followed",
				Help: "copy the file into the tree: what is compiled must lie in it"})
		case info.IsDir():
			diags = append(diags, diag.Diagnostic{Code: diag.LinkToFolder, At: at, Message: "the link leads to a folder; only links to files are followed", Help: "move the folder here"})
		case strings.HasSuffix(p, ".toml"):
			good = append(good, p)
		}
	}
	return good, diags
}

// Read decodes one file of the tree again. A file that is gone gives a Fragment
// without a File. It reports false where only Dir can tell what there is to read: at
// a link, a folder, what lies behind one or lay in one that is gone, and what is no
// fragment.
func (t Tree) Read(p string) (f Fragment, diags diag.List, ok bool) {
	if !fs.ValidPath(p) || !isFragment(p) {
		return Fragment{}, nil, false
	}
	for i := range len(p) + 1 {
		if i < len(p) && p[i] != '/' {
			continue
		}
		info, err := fs.Lstat(t.FS, p[:i])
		switch {
		case i == len(p) && errors.Is(err, fs.ErrNotExist):
			return Fragment{}, nil, true
		case err != nil, i < len(p) && !info.IsDir(), i == len(p) && !info.Mode().IsRegular():
			return Fragment{}, nil, false
		}
	}
	f, diags = t.read(newDecoder(), p, false)
	return f, diags, true
}

// isFragment reports whether the name of a file makes it a fragment.
func isFragment(p string) bool {
	root, _, below := strings.Cut(p, "/")
	return below && (root == form.Catalog.Name || root == form.Capabilities.Name) && !strings.Contains(p, "/.") &&
		(strings.HasSuffix(p, ".toml") || p == cacheName)
}

// read decodes one file, or says why it can't be read.
func (t Tree) read(d *decoder, p string, link bool) (Fragment, diag.List) {
	src, err := t.bytes(d, p, link)
	if err != nil {
		return t.lost(p), diag.List{t.unreadable(p, err)}
	}
	file := &tree.File{Path: p, Layer: t.Layer, Rank: t.Rank}
	if path.Ext(p) == ".json" {
		return Fragment{File: file, Legacy: true, Cache: true, Src: src}, nil
	}
	f, diags := d.decode(file, src)
	f.linked = link
	return f, diags
}

// lost stands for what could not be read at all: nobody reports as absent what may
// have been there.
func (t Tree) lost(p string) Fragment {
	file := &tree.File{Path: p, Layer: t.Layer, Rank: t.Rank, Broken: true}
	table := (&decoder{}).discard()
	table.File = file
	return Fragment{File: file, Root: rootOf(p+"/", false), Table: table, Broken: true}
}

// manifest checks the layer's own description, if it has one. It adds no fact: a
// layer's rank comes from where it lies.
func (t Tree) manifest() diag.List {
	const name = "layer.toml"
	src, err := readUpTo(t.FS, name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return diag.List{t.unreadable(name, err)}
	}
	d := newDecoder()
	d.begin(&tree.File{Path: name, Layer: t.Layer, Rank: t.Rank}, src)
	if d.readable() {
		d.tree(&shape.Key{Type: shape.Rec(form.Manifest()), Index: -1})
	}
	return d.diags
}

var errNotPlain = errors.New("it is not a regular file")

// bytes reads a file, but never more than is needed to know that it is too large.
func (t Tree) bytes(d *decoder, p string, link bool) ([]byte, error) {
	if disk, ok := t.FS.(*Disk); ok && !link {
		return disk.readPlain(p, &d.pool)
	}
	return readUpTo(t.FS, p)
}

func readUpTo(fsys fs.FS, p string) ([]byte, error) {
	if info, err := fs.Stat(fsys, p); err == nil && !info.Mode().IsRegular() {
		return nil, errNotPlain // opening a pipe would wait for somebody to write
	}
	f, err := fsys.Open(p)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, MaxBytes+1))
}

func (t Tree) pos(p string) diag.Pos { return diag.Pos{Layer: t.Layer, File: p} }

func (t Tree) unreadable(p string, err error) diag.Diagnostic {
	var perr *fs.PathError
	if errors.As(err, &perr) {
		err = perr.Err
	}
	return diag.Diagnostic{Code: diag.UnreadableFile, At: t.pos(p), Message: "can't be read: " + err.Error(), Help: "the rest of the tree was read; make this file readable or remove it"}
}
