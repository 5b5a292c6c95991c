package conformance

import (
	"crypto/sha256"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
)

// A tree is the files below a directory, each with what tells it from another.
type tree map[string]string

// Bounds of a survey: a tool that writes more has changed what it may not.
const (
	maxSurveyed = 20000
	maxHashed   = 16 << 20
)

// survey looks at every file below root.
func survey(root string) tree {
	t := tree{}
	_ = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return nil // gone since, or not to be read: then it is not compared
		}
		if len(t) > maxSurveyed {
			return fs.SkipAll
		}
		rel, err := filepath.Rel(root, path)
		if err != nil || rel == "." {
			return nil
		}
		t[filepath.ToSlash(rel)] = sign(path, d)
		return nil
	})
	return t
}

func sign(path string, d fs.DirEntry) string {
	switch {
	case d.IsDir():
		return "dir"
	case d.Type()&fs.ModeSymlink != 0:
		to, _ := os.Readlink(path)
		return "link " + to
	case !d.Type().IsRegular():
		return d.Type().String()
	}
	f, err := os.Open(path)
	if err != nil {
		return "unreadable"
	}
	defer f.Close()
	h := sha256.New()
	n, _ := io.Copy(h, io.LimitReader(f, maxHashed))
	return fmt.Sprintf("%d %x", n, h.Sum(nil))
}

// diff lists what differs from another tree, sorted.
func (t tree) diff(old tree) []string {
	var out []string
	for path, is := range t {
		if was, ok := old[path]; !ok || was != is {
			out = append(out, path)
		}
	}
	for path := range old {
		if _, ok := t[path]; !ok {
			out = append(out, path)
		}
	}
	slices.Sort(out)
	return out
}

func itoa(n int64) string { return strconv.FormatInt(n, 10) }
