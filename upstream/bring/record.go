package bring

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/opcat/opcat/plan/files"
)

// A record is what plans of upstream have written for one provider: which upstreams
// listed a row, and a mark for each fact. A fact is the upstream's to change only
// while its mark fits: a value that is not as it was written is a person's.
type record map[string]*entry // by wire id

type entry struct {
	catalogs []string
	marks    map[string]string // from the key's part of a mark to the value's
}

// recordHead is the first line of a record's file.
const recordHead = "# What `opcat upstream apply` wrote here. A fact that is not as it was written is a person's and stays. Not to be edited.\n"

// readRecord reads a record's file.
func readRecord(name string, src []byte) (record, error) {
	r := record{}
	lines := bufio.NewScanner(bytes.NewReader(src))
	lines.Buffer(nil, 1<<20)
	for n := 1; lines.Scan(); n++ {
		line := lines.Text()
		if n == 1 && strings.HasPrefix(line, "#") {
			continue
		}
		parts := strings.Split(line, "\t")
		if len(parts) != 3 || r[parts[0]] != nil || len(parts[2])%(2*half) != 0 {
			return nil, fmt.Errorf("%s:%d is no line of a record; take back what was changed there", name, n)
		}
		e := &entry{catalogs: strings.Split(parts[1], ","), marks: map[string]string{}}
		for s := parts[2]; s != ""; s = s[2*half:] {
			e.marks[s[:half]] = s[half : 2*half]
		}
		r[parts[0]] = e
	}
	return r, lines.Err()
}

// write writes the record's file; nothing for an empty record.
func (r record) write() []byte {
	if len(r) == 0 {
		return nil
	}
	var b bytes.Buffer
	b.WriteString(recordHead)
	for _, wire := range slices.Sorted(maps.Keys(r)) {
		e := r[wire]
		fmt.Fprintf(&b, "%s\t%s\t", wire, strings.Join(e.catalogs, ","))
		for _, k := range slices.Sorted(maps.Keys(e.marks)) {
			b.WriteString(k + e.marks[k])
		}
		b.WriteByte('\n')
	}
	return b.Bytes()
}

// Recorded is the rows that plans brought in, by the upstreams that listed each. A line
// that is none is left to who reads whole records.
func Recorded(t *files.Snapshot) map[string][]string {
	out := map[string][]string{}
	for _, name := range t.Names() {
		if path.Base(name) != files.RecordName {
			continue
		}
		src, _ := t.File(name)
		provider := path.Base(path.Dir(name))
		for line := range bytes.Lines(src) {
			wire, rest, _ := strings.Cut(string(line), "\t")
			catalogs, _, ok := strings.Cut(rest, "\t")
			if !ok || wire == "" { // the provider's own facts
				continue
			}
			for catalog := range strings.SplitSeq(catalogs, ",") {
				out[catalog] = append(out[catalog], provider+"/"+wire)
			}
		}
	}
	return out
}

// half is the length of each part of a mark: 24 bits.
const half = 4

func mark(s string) string {
	sum := sha256.Sum256([]byte(s))
	return base64.RawURLEncoding.EncodeToString(sum[:3])
}

// note records that a fact was written.
func (e *entry) note(f *fact) { e.marks[mark(f.key)] = mark(f.full) }

// ours reports whether a fact is as it was written.
func (e *entry) ours(f *fact) bool { return e.marks[mark(f.key)] == mark(f.full) }

// wrote reports whether a fact was written once, whatever has become of it.
func (e *entry) wrote(key string) bool { _, ok := e.marks[mark(key)]; return ok }
