package want

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
)

// Digest is the digest of all that the set says, row by row: there is never a copy of the
// whole in memory.
func (s *Set) Digest() (string, error) {
	h := sha256.New()
	write := func(v any) error {
		text, err := json.Marshal(v)
		h.Write(append(text, '\n'))
		return err
	}
	for i := range s.Providers {
		p := &s.Providers[i]
		if err := write(struct {
			ID       string
			Provider any
			Why      []Why
		}{p.ID, p.Provider, p.Why}); err != nil {
			return "", err
		}
		for j := range p.Rows {
			r := &p.Rows[j]
			text, err := r.Row.MarshalJSON() // as json.Marshal has it, without looking at it again
			if err != nil {
				return "", err
			}
			h.Write(append(text, '\n'))
			if err := write(struct{ Why, Doubts, From any }{r.Why, r.Doubts, r.From}); err != nil {
				return "", err
			}
		}
	}
	if err := write(s.Held); err != nil {
		return "", err
	}
	return "sha256:" + hex.EncodeToString(h.Sum(nil)), nil
}
