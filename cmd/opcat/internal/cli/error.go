package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/opcat/opcat/diag"
)

// Sizes that an error object keeps to, in bytes and entries.
const (
	maxMessage = 500
	maxGot     = 200
	maxListed  = 20 // allowed values named in a message; causes; warnings
)

// An Error is why a command failed, as the envelope prints it.
type Error struct {
	Code    Code     // decides the exit and whether to retry
	Message string   // one line; made so, and cut, when printed
	Allowed []string // what would have been taken, for a closed set or a range
	Got     *string  // what was given; nil where nothing was
	At      *At      // where; nil where there is no place
	Hint    string   // one command to try next
	Causes  []*Error // findings behind it; their codes may be diagnostic codes
	More    int      // causes left out besides

	text  string    // how a person reads it, where that is not made from the fields
	found diag.List // what a person reads of a compile: the causes and the warnings, in one order
}

// At is a place: a flag, or a file, or an item of a list.
type At struct {
	Flag   string `json:"flag,omitempty"`
	File   string `json:"file,omitempty"` // relative to the working or run dir
	Line   int    `json:"line,omitempty"`
	Column int    `json:"column,omitempty"`
	Item   string `json:"item,omitempty"`
}

// Error gives the code and the message.
func (e *Error) Error() string { return string(e.Code) + ": " + e.Message }

// Fail makes an error of a code and a message.
func Fail(code Code, format string, args ...any) *Error {
	return &Error{Code: code, Message: fmt.Sprintf(format, args...)}
}

// Saying adds the command to try next and gives the error back.
func (e *Error) Saying(hint string) *Error { e.Hint = hint; return e }

// Where adds the place and gives the error back.
func (e *Error) Where(at At) *Error { e.At = &at; return e }

// given adds what was given.
func (e *Error) given(got string) *Error { e.Got = &got; return e }

// atFlag adds the flag and what it was given.
func (e *Error) atFlag(name, got string) *Error {
	return e.Where(At{Flag: name}).given(got)
}

// NotIn is the error for a word outside a closed set. what names the place in the
// message: "--operation", "the verb".
func NotIn(code Code, what, got string, allowed []string) *Error {
	listed := strings.Join(allowed[:min(len(allowed), maxListed)], ", ")
	if n := len(allowed) - maxListed; n > 0 {
		listed += fmt.Sprintf(" and %d more", n)
	}
	e := Fail(code, "%s must be one of: %s (got: '%s')", what, listed, clip(got, maxGot/4))
	e.Allowed = allowed
	return e.given(got)
}

// Missing is the NOT_FOUND error for an id, with up to five ids near it. what
// names the kind: "model", "diagnostic"; list is the command that prints all.
func Missing(what, id string, known []string, list string) *Error {
	e := Fail(NotFound, "there is no %s '%s'", what, clip(id, maxGot)).given(id).Saying(list)
	e.Allowed = near(id, known, 5)
	if len(e.Allowed) > 0 {
		e.Message += ", the nearest: " + strings.Join(e.Allowed, ", ")
	}
	return e.Where(At{Item: clip(id, maxGot)})
}

// FromDiagnostics is the error of a stage that found mistakes in its sources, each
// a cause. The envelope prints the first twenty and counts the rest; a person sees
// them all. Warnings are no causes: the envelope has a place of its own for them, and
// a person reads them where they stand.
func FromDiagnostics(code Code, found diag.List) *Error {
	e := causedBy(code, found, diag.Diagnostic.IsError)
	e.found = slices.DeleteFunc(slices.Clone(found), func(d diag.Diagnostic) bool { return d.Accepted != "" })
	if n := countFindings(found).Warning; n > 0 {
		e.Message += ", and " + count(n, "warning")
	}
	return e
}

// causedBy is the error that some of the findings cause.
func causedBy(code Code, found diag.List, cause func(diag.Diagnostic) bool) *Error {
	e := &Error{Code: code}
	files := map[string]bool{}
	for _, d := range found {
		if !cause(d) {
			continue
		}
		if d.At.File != "" {
			files[d.At.File] = true
		}
		e.found = append(e.found, d)
		cause := &Error{Code: Code(d.Code), Message: d.Message, Allowed: d.Allowed, Hint: d.Help, At: atOf(d.At)}
		if d.Got != "" {
			cause.given(d.Got)
		}
		for _, n := range d.Notes { // a conflict names both places
			cause.Causes = append(cause.Causes, &Error{Code: cause.Code, Message: n.Message, At: atOf(n.At)})
		}
		e.Causes = append(e.Causes, cause)
	}
	e.Message = count(len(e.Causes), "mistake")
	if len(files) > 0 {
		e.Message += " in " + count(len(files), "file")
	}
	return e
}

// atOf is the place of a finding; nil for one that has none.
func atOf(p diag.Pos) *At {
	if p.File == "" {
		return nil
	}
	file := p
	file.Line, file.Col = 0, 0
	return &At{File: file.String(), Line: p.Line, Column: p.Col}
}

// asError makes any error printable. What is not an *Error is our fault, and an
// operating system's errno is named: it is what a person needs to mend a full disk.
func asError(err error) *Error {
	var e *Error
	switch {
	case errors.As(err, &e):
		return e
	case errors.Is(err, context.Canceled):
		return interrupted()
	}
	msg := err.Error()
	var path *fs.PathError
	var link *os.LinkError
	switch {
	// Only the last element of a path is said: the rest may name a machine.
	case errors.As(err, &path):
		msg = fmt.Sprintf("%s %s: %v", path.Op, filepath.Base(path.Path), path.Err)
	case errors.As(err, &link):
		msg = fmt.Sprintf("%s %s: %v", link.Op, filepath.Base(link.New), link.Err)
	}
	if name := errno(err); name != "" {
		msg = name + ": " + msg
	}
	return Fail(Internal, "%s", msg)
}

// interrupted is what a signal leaves of a command that only reads.
func interrupted() *Error {
	return Fail(Internal, "the command was interrupted before it finished").Saying("interrupted")
}

// errno names the errors that a full or closed disk gives.
func errno(err error) string {
	for _, known := range []struct {
		n    syscall.Errno
		name string
	}{
		{syscall.ENOSPC, "ENOSPC"}, {syscall.EACCES, "EACCES"}, {syscall.EPERM, "EPERM"}, {syscall.EROFS, "EROFS"},
		{syscall.EDQUOT, "EDQUOT"}, {syscall.EFBIG, "EFBIG"}, {syscall.EIO, "EIO"}, {syscall.EMFILE, "EMFILE"}, {syscall.ENFILE, "ENFILE"},
		{syscall.ENAMETOOLONG, "ENAMETOOLONG"}, {syscall.ENOENT, "ENOENT"}, {syscall.ENOTDIR, "ENOTDIR"},
		{syscall.EISDIR, "EISDIR"}, {syscall.ELOOP, "ELOOP"},
	} {
		if errors.Is(err, known.n) {
			return known.name
		}
	}
	return ""
}

// errorJSON is an Error on the wire, in the order that the contract prints.
type errorJSON struct {
	Code      Code     `json:"code"`
	Message   string   `json:"message"`
	Retryable bool     `json:"retryable"`
	Allowed   []string `json:"allowed,omitempty"`
	Got       *string  `json:"got,omitempty"`
	At        *At      `json:"at,omitempty"`
	Hint      string   `json:"hint,omitempty"`
	Causes    []*Error `json:"causes,omitempty"`
	More      int      `json:"more,omitempty"`
}

// MarshalJSON prints the error within its bounds.
func (e *Error) MarshalJSON() ([]byte, error) {
	out := errorJSON{
		Code: e.Code, Message: e.line(), Retryable: e.Code.retryable(), Allowed: e.Allowed, At: e.At,
		Hint: oneLine(e.Hint, maxMessage), Causes: e.Causes, More: e.More,
	}
	if e.Got != nil {
		got := clip(*e.Got, maxGot)
		out.Got = &got
	}
	if n := len(out.Causes) - maxListed; n > 0 {
		out.Causes, out.More = out.Causes[:maxListed], out.More+n
	}
	return marshal(out)
}

// line is the message on one line of at most 500 bytes.
func (e *Error) line() string { return oneLine(e.Message, maxMessage) }
