package fragment

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"io/fs"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
)

// A sum is the digest of one file of a tree.
type sum struct {
	path   string
	digest [sha256.Size]byte
}

// Sum is a digest of all that Dir reads of the tree: every path with its bytes. It
// is false where something can't be read as a plain file; what that is, only Dir
// can say.
func (t Tree) Sum() (digest [sha256.Size]byte, ok bool) {
	paths, links, diags := t.list()
	if len(links) > 0 || len(diags) > 0 {
		return digest, false
	}
	sums := make([]sum, len(paths))
	var next atomic.Int64
	var failed atomic.Bool
	var wg sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), 1+len(paths)/16) {
		wg.Go(func() {
			var p pool
			for {
				i := int(next.Add(1)) - 1
				if i >= len(paths) {
					return
				}
				digest, err := t.sum(paths[i], &p)
				if err != nil {
					failed.Store(true)
					return
				}
				sums[i] = sum{paths[i], digest}
			}
		})
	}
	wg.Wait()
	if failed.Load() {
		return digest, false
	}
	return t.total(sums)
}

// sum is the digest of one file. Its bytes are not kept: the next file is read over
// them.
func (t Tree) sum(path string, p *pool) (digest [sha256.Size]byte, err error) {
	disk, ok := t.FS.(*Disk)
	if !ok {
		src, err := readUpTo(t.FS, path)
		return sha256.Sum256(src), err
	}
	used, err := disk.fill(path, MaxBytes+1, p)
	if err != nil {
		return digest, err
	}
	return sha256.Sum256(p.free[:used]), nil
}

// SumOf is Sum of what Dir has read already.
func (t Tree) SumOf(fragments []Fragment) (digest [sha256.Size]byte, ok bool) {
	var sums []sum
	for i := range fragments {
		if f := &fragments[i]; f.File.Layer == t.Layer {
			sums = append(sums, sum{f.File.Path, f.Sum()})
		}
	}
	return t.total(sums)
}

// total is the digest of a list of files and the layer's manifest.
func (t Tree) total(sums []sum) (digest [sha256.Size]byte, ok bool) {
	const manifest = "layer.toml"
	switch src, err := readUpTo(t.FS, manifest); {
	case err == nil:
		sums = append(sums, sum{manifest, sha256.Sum256(src)})
	case !errors.Is(err, fs.ErrNotExist):
		return digest, false
	}
	slices.SortFunc(sums, func(a, b sum) int { return strings.Compare(a.path, b.path) })
	var all bytes.Buffer
	for _, s := range sums {
		all.WriteString(s.path)
		all.WriteByte(0)
		all.Write(s.digest[:])
	}
	return sha256.Sum256(all.Bytes()), true
}
