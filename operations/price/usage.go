// Package price says exactly what a call costs: which price entry of a row holds
// for it, and what the meters of its usage come to.
//
// Amounts are exact decimals. A meter that nobody counted, and a meter that
// nobody priced, leave the cost unknown; neither is ever taken for zero.
package price

import (
	"fmt"
	"strings"

	"github.com/opcat/opcat/catalog"
)

// Usage is what a call was metered at. Each token stands on one line: a token
// read from a cache is not also an input_token, and one spent on reasoning is not
// also an output_token, whatever the protocol counts inside what.
type Usage struct {
	Lines   []Line   `json:"lines"`             // each meter, lifetime and tool once; a count of zero is a line too
	Unknown []string `json:"unknown,omitempty"` // meters that were used and not counted
}

// A Line is one meter's count.
type Line struct {
	Meter         string `json:"meter"`
	CacheLifetime string `json:"cache_lifetime,omitempty"` // of cache writes, where the protocol tells lifetimes apart
	Tool          string `json:"tool,omitempty"`           // of tool_call
	Count         int64  `json:"count"`
}

// Add puts a count on its own line.
func (u *Usage) Add(meter string, count int64) {
	u.Lines = append(u.Lines, Line{Meter: meter, Count: count})
}

// Get is the sum of a meter's lines; false if there is none.
func (u *Usage) Get(meter string) (n int64, ok bool) {
	for _, l := range u.Lines {
		if l.Meter == meter {
			n, ok = n+l.Count, true
		}
	}
	return n, ok
}

// Input is the sum of all input lines, cached ones too: what a price tier looks at.
func (u *Usage) Input() int64 {
	var n int64
	for _, l := range u.Lines {
		if isInputToken(l.Meter) {
			n += l.Count
		}
	}
	return n
}

func isInputToken(meter string) bool {
	switch meter {
	case "input_token", "cache_read_token", "cache_write_token",
		"input_audio_token", "cache_read_audio_token", "cache_write_audio_token",
		"input_image_token", "cache_read_image_token", "cache_write_image_token",
		"input_video_token", "cache_read_video_token", "cache_write_video_token":
		return true
	}
	return false
}

// Check finds what no usage can say: a meter that there is none of, and a count
// below zero.
func (u *Usage) Check() error {
	for i := range u.Lines {
		if l := &u.Lines[i]; l.Count < 0 {
			return fmt.Errorf("a count of %d for %s: a count is 0 or more", l.Count, l.Meter)
		}
		if err := known(u.Lines[i].Meter); err != nil {
			return err
		}
	}
	for _, name := range u.Unknown {
		if err := known(name); err != nil {
			return err
		}
	}
	return nil
}

func known(meter string) error {
	if _, ok := catalog.LookupMeter(meter); !ok {
		return fmt.Errorf("%.40q is not a meter; there are %s", meter, strings.Join(catalog.Meters(), ", "))
	}
	return nil
}
