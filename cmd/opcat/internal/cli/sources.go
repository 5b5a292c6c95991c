package cli

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"time"

	"github.com/opcat/opcat/catalog"
	"github.com/opcat/opcat/compile"
	"github.com/opcat/opcat/compile/accept"
	"github.com/opcat/opcat/compile/artifact"
	"github.com/opcat/opcat/compile/fragment"
)

// Sources is everything that a compile reads, opened.
type Sources struct {
	compile.Input
	accepts *artifact.Accept // the accept file as it is written
	close   []io.Closer
}

// Close releases the folders.
func (s *Sources) Close() {
	for _, c := range s.close {
		_ = c.Close() // only read from
	}
}

// open opens the layers, overlay and accept file that the flags name. generated
// leaves out what only this machine or work tree adds.
func (c *CatalogFlags) open(inv *Invocation, here, generated bool) (*Sources, error) {
	folders, err := c.folders(inv, here, generated)
	if err != nil {
		return nil, err
	}
	s := &Sources{}
	for _, f := range folders {
		t, err := f.tree()
		if err != nil {
			s.Close()
			return nil, err
		}
		if d, ok := t.FS.(io.Closer); ok {
			s.close = append(s.close, d)
		}
		s.Trees = append(s.Trees, t)
	}
	if err := c.rest(inv, s, generated); err != nil {
		s.Close()
		return nil, err
	}
	return s, nil
}

// rest reads the single files that a compile takes, and settles its date.
func (c *CatalogFlags) rest(inv *Invocation, s *Sources, generated bool) error {
	s.AsOf = c.asOf(inv)
	if c.Overlay != "" && !c.reads(compile.RunLayer, false) {
		return Fail(ConflictingFlags, "--overlay is the run layer, which --layers leaves out").Where(At{Flag: "--overlay"})
	}
	name, flag := c.overlay(inv, generated)
	if name != "" {
		src, err := readInput(flag, name)
		if err != nil {
			return err
		}
		s.Overlays = []fragment.Overlaid{{Name: name, Src: src}}
	}
	if c.Accept == "" {
		return nil
	}
	src, err := readInput("--accept", c.Accept)
	if err != nil {
		return err
	}
	s.accepts = &artifact.Accept{Name: c.Accept, Text: string(src)}
	s.Accept, err = readAccept(s.accepts)
	return err
}

// readAccept reads an accept file. One that has mistakes accepts nothing.
func readAccept(a *artifact.Accept) (*accept.File, error) {
	f, found := accept.Read(a.Name, []byte(a.Text))
	if found.HasErrors() {
		return nil, FromDiagnostics(DecodeFailed, found)
	}
	return f, nil
}

// asOf is the date of a compile as the stages spell it: today, unless one is named.
func (c *CatalogFlags) asOf(inv *Invocation) string {
	t := c.AsOf
	if t.IsZero() {
		t = inv.Now().Truncate(24 * time.Hour)
	}
	return string(catalog.DateOf(t))
}

// overlay is the file of the run layer and what names it; "" for none. The variable
// of the environment does not change generated files unless --layers asks for it.
func (c *CatalogFlags) overlay(inv *Invocation, generated bool) (name, by string) {
	if c.Overlay != "" {
		return c.Overlay, "--overlay"
	}
	if c.reads(compile.RunLayer, generated) {
		return inv.Getenv(overlayVar), overlayVar
	}
	return "", ""
}

// overlayVar names a file of the run layer for every command.
const overlayVar = "OPCAT_OVERLAY"

// readInput reads a file that a flag names, but not much more than a fragment may
// have. Whether it is too large is the decoder's to say.
func readInput(flag, path string) ([]byte, error) {
	return readUpTo(flag, path, fragment.MaxBytes)
}

// readUpTo reads a file that a flag names, but not much more than so many bytes.
func readUpTo(flag, path string, most int64) ([]byte, error) {
	if err := regular(path); err != nil {
		return nil, unreadable(flag, path, err)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, unreadable(flag, path, err)
	}
	defer f.Close()
	var b bytes.Buffer
	if info, err := f.Stat(); err == nil {
		b.Grow(int(min(info.Size(), most)) + bytes.MinRead) // read at once, and never copied
	}
	_, err = b.ReadFrom(io.LimitReader(f, most+1))
	src := b.Bytes()
	if err != nil {
		return nil, unreadable(flag, path, err)
	}
	return src, nil
}

// regular refuses what is no file, before it is opened: a pipe would keep us waiting.
func regular(path string) error {
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return errors.New("it is not a regular file")
	}
	return nil
}

func unreadable(flag, path string, err error) *Error {
	if errors.Is(err, fs.ErrNotExist) {
		return Fail(ArtifactMissing, "there is no file '%s'", clip(path, maxGot)).atFlag(flag, path)
	}
	return Fail(ArtifactInvalid, "the file '%s' cannot be read: %s", clip(path, maxGot), asError(err).Message).atFlag(flag, path)
}
