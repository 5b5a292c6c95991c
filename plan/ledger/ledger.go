// Package ledger keeps what has been done, and what was about to be: an append-only
// file beside the target of a plan.
//
// Each record names the digest of the one before, so a record that was changed or
// lost is noticed. A record is durable before Append returns. A half-written last
// line is what a killed run leaves: it was promised to nobody and is cut off.
//
// Package ledger does not know what an item does, nor whether it is done.
package ledger

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/opcat/opcat/plan"
)

// Schema is the name and major of a record.
const Schema = "opcat.ledger@1"

// Name is the ledger's file in the root of a target.
const Name = ".opcat-ledger.jsonl"

// A Kind is what a record says.
type Kind string

// The kinds of records.
const (
	Intent  Kind = "intent"  // it is about to be executed
	Confirm Kind = "confirm" // it is as wanted
	Failed  Kind = "failed"
	Skipped Kind = "skipped"
)

// A Record is one line of the ledger.
type Record struct {
	Schema         string `json:"schema"`
	Prev           string `json:"prev"` // the digest of the line before; "" on the first
	At             string `json:"at"`
	Kind           Kind   `json:"kind"`
	Checksum       string `json:"checksum"` // of the plan
	PlanID         string `json:"plan_id"`
	ItemID         string `json:"item_id"`
	IdempotencyKey string `json:"idempotency_key"`
	Params         string `json:"params,omitempty"`   // intent: the digest of the parameters
	Result         string `json:"result,omitempty"`   // confirm: the digest of what is there now
	Observed       bool   `json:"observed,omitempty"` // confirm: found done, not done now
	Code           string `json:"code,omitempty"`     // failed
	Why            string `json:"why,omitempty"`      // failed, skipped
}

// A State is what the ledger holds of one plan.
type State struct {
	Head  string            // of the whole ledger
	Last  map[string]Record // of this plan: the last record of each item
	Ahead bool              // this plan's records, and no other's, follow the head that it was made at
	since bool
}

// Read replays the ledger in a folder for one plan. head is the ledger's head when
// the plan was made. A ledger that is not there is an empty one.
func Read(dir, checksum, head string) (*State, error) {
	s := &State{Last: map[string]Record{}, Ahead: true, since: head == ""}
	_, err := replay(dir, func(r *Record, line string) {
		switch {
		case s.since && r.Checksum != checksum:
			s.Ahead = false
		case line == head:
			s.since = true
		}
		if r.Checksum == checksum {
			s.Last[r.ItemID] = *r
		}
		s.Head = line
	})
	if !s.since { // the head that the plan names is gone
		s.Ahead = false
	}
	return s, err
}

// Head is the digest of the last record; "" where there is none.
func Head(dir string) (string, error) {
	head := ""
	_, err := replay(dir, func(_ *Record, line string) { head = line })
	return head, err
}

// replay reads every whole record and gives the length of the file that they take.
func replay(dir string, each func(r *Record, digest string)) (size int64, err error) {
	name := filepath.Join(dir, Name)
	if info, err := os.Stat(name); err == nil && !info.Mode().IsRegular() { // to open a pipe is to wait for somebody to write
		return 0, plan.Fail(plan.StateCorrupt, "%s is not a regular file; look what happened to it, and move it away when that is clear", Name).OnFile(Name)
	}
	f, err := os.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil
	} else if err != nil {
		return 0, err
	}
	defer f.Close()
	lines := bufio.NewReaderSize(f, 64<<10)
	prev := ""
	for n := 1; ; n++ {
		line, err := lines.ReadBytes('\n')
		if err == io.EOF {
			return size, nil // what follows the last line break was promised to nobody
		} else if err != nil {
			return size, err
		}
		var r Record
		d := json.NewDecoder(bytes.NewReader(line))
		d.DisallowUnknownFields()
		if err := d.Decode(&r); err != nil || r.Schema != Schema {
			return size, corrupt(n, "is no record of %s", Schema)
		}
		if r.Prev != prev {
			return size, corrupt(n, "does not follow the record before it: one was changed or taken out")
		}
		prev = lineDigest(line)
		each(&r, prev)
		size += int64(len(line))
	}
}

func corrupt(line int, format string, args ...any) error {
	return plan.Fail(plan.StateCorrupt, "line %d of %s %s; look what happened to the file, and move it away when that is clear",
		line, Name, fmt.Sprintf(format, args...)).OnFile(Name)
}

func lineDigest(line []byte) string {
	sum := sha256.Sum256(bytes.TrimSuffix(line, []byte("\n")))
	return hex.EncodeToString(sum[:])
}

// A Ledger is one that is being written. Its writer holds the target's lock.
type Ledger struct {
	file *os.File
	head string
	size int64
	now  func() time.Time
}

// Open opens the ledger of a folder for appending and makes it if need be.
func Open(dir string, now func() time.Time) (*Ledger, error) {
	l := &Ledger{now: now}
	var err error
	if l.size, err = replay(dir, func(_ *Record, line string) { l.head = line }); err != nil {
		return nil, err
	}
	if l.file, err = os.OpenFile(filepath.Join(dir, Name), os.O_RDWR|os.O_CREATE, 0o644); err != nil {
		return nil, err
	}
	if err := l.file.Truncate(l.size); err != nil {
		return nil, errors.Join(err, l.file.Close())
	}
	return l, nil
}

// Close closes the file.
func (l *Ledger) Close() error { return l.file.Close() }

// Append writes records and makes them durable, all of them before it returns.
func (l *Ledger) Append(records ...Record) error {
	var text []byte
	head := l.head
	for _, r := range records {
		r.Schema, r.Prev, r.At = Schema, head, l.now().UTC().Format(time.RFC3339)
		line, err := json.Marshal(r)
		if err != nil {
			return err
		}
		head = lineDigest(line)
		text = append(append(text, line...), '\n')
	}
	_, err := l.file.WriteAt(text, l.size)
	if err == nil {
		err = l.file.Sync()
	}
	if err != nil {
		p := plan.Fail(plan.JournalFailed, "the ledger cannot be written: %v", err).OnFile(Name)
		p.Err = err
		return p
	}
	l.head, l.size = head, l.size+int64(len(text))
	return nil
}
