// Package signed reads signed notes whose text is a schema and named fields, one on a
// line: approvals of plans, and what is published with a snapshot. opcat holds no
// private key and can sign nothing.
package signed

import (
	"bufio"
	"bytes"
	"fmt"
	"slices"
	"strings"

	"golang.org/x/mod/sumdb/note"
)

// Keys reads verifier keys, one on a line, as golang.org/x/mod/sumdb/note writes them;
// empty lines and lines that start with # are skipped.
func Keys(text []byte) ([]note.Verifier, error) {
	var keys []note.Verifier
	lines := bufio.NewScanner(bytes.NewReader(text))
	for n := 1; lines.Scan(); n++ {
		line := strings.TrimSpace(lines.Text())
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		key, err := note.NewVerifier(line)
		if err != nil {
			return nil, fmt.Errorf("line %d is no verifier key: %w", n, err)
		}
		keys = append(keys, key)
	}
	return keys, lines.Err()
}

// A Note is a note that one of the keys has signed.
type Note struct {
	Says    map[string]string // each field once
	Signers []string          // the names of the keys
}

// Open verifies a note and reads it: its first line is the schema, and it has these
// fields and no others.
func Open(text []byte, keys []note.Verifier, schema string, fields ...string) (*Note, error) {
	opened, err := note.Open(text, note.VerifierList(keys...))
	if err != nil {
		return nil, err
	}
	lines := strings.Split(strings.TrimSuffix(opened.Text, "\n"), "\n")
	if lines[0] != schema {
		return nil, fmt.Errorf("it is no %s", schema)
	}
	n := &Note{Says: map[string]string{}}
	for _, line := range lines[1:] {
		key, value, ok := strings.Cut(line, " ")
		if _, twice := n.Says[key]; !ok || twice || value == "" || !slices.Contains(fields, key) {
			return nil, fmt.Errorf("the line '%s' is no field of it, or one given twice", line)
		}
		n.Says[key] = value
	}
	if len(n.Says) != len(fields) {
		return nil, fmt.Errorf("it must name %s and %s", strings.Join(fields[:len(fields)-1], ", "), fields[len(fields)-1])
	}
	for _, s := range opened.Sigs {
		n.Signers = append(n.Signers, s.Name)
	}
	return n, nil
}
