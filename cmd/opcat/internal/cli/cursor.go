package cli

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"hash/crc32"
)

// A cursor is where a list goes on. It holds the last key given out and what the
// list was: pages are cut from the same list or not at all.
type cursor struct {
	V        int    `json:"v"`
	Command  string `json:"command"`
	Filter   string `json:"filter"`   // digest of the flags that chose the items
	Snapshot string `json:"snapshot"` // digest of what the items were read from
	Key      string `json:"key"`      // of the last item given out
	Sum      uint32 `json:"sum"`      // over the rest; it tells damage, not forgery
}

const cursorVersion = 1

func (c cursor) sum() uint32 {
	c.Sum = 0
	text, _ := marshal(c) // strings and numbers always marshal
	return crc32.ChecksumIEEE(text)
}

// String is the cursor as the caller gets it: opaque base64url.
func (c cursor) String() string {
	c.V = cursorVersion
	c.Sum = c.sum()
	text, _ := marshal(c)
	return base64.RawURLEncoding.EncodeToString(text)
}

// decodeCursor reads a cursor made by the same command with the same filter.
func decodeCursor(text, command, filter string) (cursor, *Error) {
	bad := func(why string) (cursor, *Error) {
		return cursor{}, Fail(InvalidCursor, "--cursor %s", why).atFlag("--cursor", text)
	}
	raw, err := base64.RawURLEncoding.Strict().DecodeString(text)
	if err != nil {
		return bad("is not a cursor")
	}
	var c cursor
	if json.Unmarshal(raw, &c) != nil || c.V != cursorVersion || c.Sum != c.sum() || c.String() != text {
		return bad("is not a cursor, or is damaged")
	}
	if c.Command != command {
		return bad("was made by '" + c.Command + "', not by '" + command + "'")
	}
	if c.Filter != filter {
		return bad("was made with other flags; repeat the flags of the first page")
	}
	return c, nil
}

// digest is a short digest of words: what tells two filters apart in a cursor.
func digest(words ...string) string {
	h := sha256.New()
	for _, w := range words {
		h.Write([]byte(w))
		h.Write([]byte{0})
	}
	return hex.EncodeToString(h.Sum(nil)[:12])
}
