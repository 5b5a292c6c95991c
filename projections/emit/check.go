package emit

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"unicode/utf8"
)

// A Difference is one file of a tree that is not as Write would leave it.
type Difference struct {
	Path string
	Kind Kind

	// Where a stale text first differs: the line, from 1, and what stands there
	// and should, cut to the place of the difference. Line is 0 for a file that is
	// no text.
	Line      int
	Got, Want string
}

// A Kind is how a file differs.
type Kind string

// The kinds of differences.
const (
	Stale   Kind = "stale"   // it holds something else
	Missing Kind = "missing" // it should be there
	Extra   Kind = "extra"   // nothing writes it
	Left    Kind = "left"    // a killed run left it; the next run removes it
)

// String says the difference in a line or three.
func (d Difference) String() string {
	switch {
	case d.Kind == Extra:
		return d.Path + ": extra: nothing generates it; remove it"
	case d.Kind == Left:
		return d.Path + ": left by a run that was killed"
	case d.Kind == Missing:
		return d.Path + ": missing"
	case d.Line == 0:
		return d.Path + ": stale"
	}
	return fmt.Sprintf("%s:%d: stale\n\tgot:  %s\n\twant: %s", d.Path, d.Line, d.Got, d.Want)
}

// Check lists how the tree at dir differs from what Write would leave there, in
// the order of paths. Files whose names start with a dot are nobody's, unless a
// killed run left them.
func Check(dir string, files []File) ([]Difference, error) {
	if err := checkPaths(files); err != nil {
		return nil, err
	}
	ours := make(map[string]bool, len(files))
	for _, f := range files {
		ours[f.Path] = true
	}
	root, err := os.OpenRoot(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return missing(files), nil
	}
	if err != nil {
		return nil, err
	}
	defer root.Close()

	var diffs []Difference
	for _, f := range files {
		got, err := root.ReadFile(f.Path)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			diffs = append(diffs, Difference{Path: f.Path, Kind: Missing})
		case err != nil:
			return nil, fmt.Errorf("emit: %w", err)
		case !f.holds(got):
			diffs = append(diffs, difference(f.Path, got, f.Bytes()))
		}
	}
	err = fs.WalkDir(root.FS(), ".", func(p string, e fs.DirEntry, err error) error {
		switch {
		case err != nil || e.IsDir() || ours[p]:
		case ours[leftOf(p)]:
			diffs = append(diffs, Difference{Path: p, Kind: Left})
		case !strings.HasPrefix(path.Base(p), "."):
			diffs = append(diffs, Difference{Path: p, Kind: Extra})
		}
		return err
	})
	slices.SortStableFunc(diffs, func(a, b Difference) int { return cmp.Compare(a.Path, b.Path) })
	return diffs, err
}

func missing(files []File) []Difference {
	var diffs []Difference
	for _, f := range files {
		diffs = append(diffs, Difference{Path: f.Path, Kind: Missing})
	}
	slices.SortFunc(diffs, func(a, b Difference) int { return cmp.Compare(a.Path, b.Path) })
	return diffs
}

// difference finds the first line at which two texts part.
func difference(p string, got, want []byte) Difference {
	d := Difference{Path: p, Kind: Stale}
	if !isText(got) || !isText(want) {
		return d
	}
	i := 0
	for i < len(got) && i < len(want) && got[i] == want[i] {
		i++
	}
	start := bytes.LastIndexByte(want[:i], '\n') + 1
	d.Line = 1 + bytes.Count(want[:start], []byte("\n"))
	d.Got, d.Want = excerpt(got, start, i), excerpt(want, start, i)
	return d
}

func isText(b []byte) bool { return utf8.Valid(b) && bytes.IndexByte(b, 0) < 0 }

// excerpt shows the line that starts at start around the byte at i.
func excerpt(b []byte, start, i int) string {
	const before, after = 40, 80
	if start >= len(b) {
		return "(the file ends)"
	}
	end := len(b)
	if n := bytes.IndexByte(b[start:], '\n'); n >= 0 {
		end = start + n
	}
	from, to := start, end
	cutFront, cutBack := "", ""
	if i-start > before {
		from, cutFront = i-before, "…"
	}
	if to-max(i, from) > after {
		to, cutBack = max(i, from)+after, "…"
	}
	from = min(from, end)
	return cutFront + strings.ToValidUTF8(string(b[from:to]), "") + cutBack
}
