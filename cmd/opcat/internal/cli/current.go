package cli

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/opcat/opcat/compile/fragment"
	"github.com/opcat/opcat/projections/emit"
)

// A current says that a generated tree was current: which program made which bytes
// of which input. Where all three have the same digests again, so has the answer,
// and nothing is compiled. Times and sizes of files say nothing.
//
// It lies in the user's cache and not in the tree: a tree comes from others, who
// could say there whatever they like.
type current struct {
	Program string   `json:"program"`
	Inputs  string   `json:"inputs"`
	Outputs string   `json:"outputs"`
	Data    compiled `json:"data"`

	path string // where it lies
}

// currentFile is where the record of a tree lies; "" where there is no cache. A
// user without one gets none.
func currentFile(inv *Invocation, tree string) string {
	cache := inv.Getenv("XDG_CACHE_HOME")
	if home := inv.Getenv("HOME"); !filepath.IsAbs(cache) && filepath.IsAbs(home) {
		cache = filepath.Join(home, ".cache")
	}
	abs, err := filepath.Abs(tree)
	if err != nil || !filepath.IsAbs(cache) || !isDir(cache) {
		return ""
	}
	return filepath.Join(cache, "opcat", "current-"+hexSHA256([]byte(abs))+".json")
}

// newCurrent begins the record of a tree that is being checked: the program and its
// input. It is nil where no record can be kept.
func newCurrent(inv *Invocation, tree string, in *Sources, b *built) *current {
	c := &current{Program: programDigest(), path: currentFile(inv, tree)}
	if c.path == "" || c.Program == "" || len(b.found) > 0 {
		return nil // the answer would have to say again what was found
	}
	c.Inputs = in.digest(func(t fragment.Tree) ([sha256.Size]byte, bool) { return t.SumOf(b.fragments) })
	if c.Inputs == "" {
		return nil
	}
	return c
}

// remember keeps the record of a tree that is current now. One that cannot be kept
// is missed by nobody.
func (c *current) remember(files []emit.File, data compiled) {
	if c == nil {
		return
	}
	c.Outputs, c.Data = outputDigest(files), data
	c.Data.Tree = &treeReport{Path: data.Tree.Path, Files: len(files), Changed: []string{}}
	if text, err := marshal(c); err == nil && os.MkdirAll(filepath.Dir(c.path), 0o700) == nil {
		_ = replaceFile(c.path, text)
	}
}

// recall gives what a check of the tree has to say, where that is known already.
func recall(inv *Invocation, tree string, in *Sources) (data compiled, ok bool) {
	path := currentFile(inv, tree)
	if path == "" {
		return data, false
	}
	text, err := os.ReadFile(path)
	var was current
	if err != nil || json.Unmarshal(text, &was) != nil || was.Program != programDigest() {
		return data, false
	}
	var inputs, outputs string
	var wg sync.WaitGroup
	wg.Go(func() { inputs = in.digest(fragment.Tree.Sum) })
	wg.Go(func() { outputs = treeDigest(tree) })
	wg.Wait()
	if inputs == "" || was.Inputs != inputs || outputs == "" || was.Outputs != outputs {
		return data, false
	}
	was.Data.Tree.Path = tree
	return was.Data, true
}

// digest names everything that a compile reads; "" where it cannot be named. The
// sources that the program carries are part of the program.
func (s *Sources) digest(of func(fragment.Tree) ([sha256.Size]byte, bool)) string {
	var b bytes.Buffer
	part := func(text string) {
		b.Write(binary.AppendUvarint(nil, uint64(len(text))))
		b.WriteString(text)
	}
	part(s.AsOf)
	for _, t := range s.Trees {
		part(t.Layer)
		if _, inside := t.FS.(carried); inside {
			continue
		}
		sum, ok := of(t)
		if !ok {
			return ""
		}
		part(string(sum[:]))
	}
	for _, o := range s.Overlays {
		part("overlay")
		part(o.Name)
		part(string(o.Src))
	}
	if s.accepts != nil {
		part("accept")
		part(s.accepts.Name)
		part(s.accepts.Text)
	}
	return hexSHA256(b.Bytes())
}

// outputDigest names files with their bytes.
func outputDigest(files []emit.File) string {
	sums := map[string]string{}
	for _, f := range files {
		sums[f.Path] = f.SHA256()
	}
	return joinSums(sums)
}

// treeDigest is outputDigest of what lies in a tree; "" where anything in it is not
// a plain file. Hidden files are nobody's, but for what a killed run left.
func treeDigest(tree string) string {
	var paths []string
	err := filepath.WalkDir(tree, func(p string, e fs.DirEntry, err error) error {
		hidden := err == nil && strings.HasPrefix(e.Name(), ".") && p != tree
		switch {
		case err != nil:
			return err
		case hidden && strings.HasPrefix(e.Name(), ".opcat-"), !e.IsDir() && !hidden && !e.Type().IsRegular():
			return fs.ErrInvalid
		case !e.IsDir() && !hidden:
			paths = append(paths, p)
		}
		return nil
	})
	if err != nil {
		return ""
	}
	sums := make([]string, len(paths))
	var next atomic.Int64
	var wg sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(paths)) {
		wg.Go(func() {
			buf := make([]byte, 128<<10)
			for i := int(next.Add(1)) - 1; i < len(paths); i = int(next.Add(1)) - 1 {
				sums[i] = fileDigest(paths[i], buf)
			}
		})
	}
	wg.Wait()
	byPath := map[string]string{}
	for i, p := range paths {
		rel, err := filepath.Rel(tree, p)
		if err != nil || sums[i] == "" {
			return ""
		}
		byPath[filepath.ToSlash(rel)] = sums[i]
	}
	return joinSums(byPath)
}

func joinSums(sums map[string]string) string {
	var lines []string
	for path, sum := range sums {
		lines = append(lines, sum+" "+path+"\x00")
	}
	slices.Sort(lines)
	return hexSHA256([]byte(strings.Join(lines, "")))
}

// fileDigest reads a file through a buffer; "" if it cannot be read.
func fileDigest(path string, buf []byte) string {
	f, err := os.Open(path)
	if err != nil {
		return ""
	}
	defer f.Close()
	h := sha256.New()
	for {
		n, err := f.Read(buf)
		h.Write(buf[:n])
		if err == io.EOF {
			return hex.EncodeToString(h.Sum(nil))
		}
		if err != nil {
			return ""
		}
	}
}

// programDigest names the program that runs: the build id that the linker wrote
// into it, whose last part is a digest of the program's content, or the digest of
// the file where there is none.
var programDigest = sync.OnceValue(func() string {
	path, err := os.Executable()
	if err != nil {
		return ""
	}
	f, err := os.Open(path)
	if err != nil {
		return ""
	}
	defer f.Close()
	head := make([]byte, 64<<10)
	n, _ := io.ReadFull(f, head) // a shorter file is read to its end
	if id := buildID(head[:n]); id != "" {
		return "build " + id
	}
	return fileDigest(path, head)
})

// buildID finds the build id near the start of a program: in an ELF note, or where
// other formats have it, before the text. It has four parts.
func buildID(head []byte) string {
	id := ""
	note := []byte("\x04\x00\x00\x00Go\x00\x00")
	if before, after, ok := bytes.Cut(head, note); ok && len(before) >= 4 {
		if size := binary.LittleEndian.Uint32(before[len(before)-4:]); int64(size) <= int64(len(after)) {
			id = string(after[:size])
		}
	} else if _, after, ok := bytes.Cut(head, []byte("\xff Go build ID: \"")); ok {
		text, _, _ := bytes.Cut(after, []byte("\"\n \xff"))
		id = string(text)
	}
	if strings.Count(id, "/") != 3 || strings.ContainsFunc(id, unsafeRune) {
		return ""
	}
	return id
}
