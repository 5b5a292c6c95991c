package plan

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/opcat/opcat/internal/pattern"
)

// MaxBytes is the largest plan that is read.
const MaxBytes = 64 << 20

var (
	idPattern     = pattern.Lazy(`^pl_[a-z2-7]{26}$`)
	digestPattern = pattern.Lazy(`^sha256:[0-9a-f]{64}$`)
)

// Read reads a plan strictly and checks that it is whole, that its checksum is its
// own, that it has not expired, and that it is for this tool and command: what comes
// before any look at the target.
func Read(text []byte, tool, command string, now time.Time) (*Plan, error) {
	p, err := Decode(text)
	if err != nil {
		return nil, err
	}
	if sum, err := sumOf(text); err != nil || sum != p.Checksum {
		return nil, Fail(ChecksumMismatch, "the plan was changed after it was made: its checksum is %s, and its contents give %s; plan again", p.Checksum, sum)
	}
	expiry, err := time.Parse(time.RFC3339, p.Expiry)
	if err != nil { // Decode has looked
		return nil, Fail(Invalid, "expiry is no time: %s", p.Expiry)
	}
	if !now.Before(expiry) {
		return nil, Fail(Expired, "the plan expired at %s; plan again", p.Expiry)
	}
	switch {
	case p.Tool != tool || p.Schema != Schema(tool):
		return nil, Fail(Invalid, "the plan is %s of %s, and this is %s, which applies %s", p.Schema, p.Tool, tool, Schema(tool))
	case p.Command != command:
		return nil, Fail(Invalid, "the plan was made by '%s', and this applies what '%s' makes", p.Command, command)
	}
	return p, nil
}

// Decode reads a plan strictly: an unknown member, a wrong type, an unknown action
// or precondition or an item id given twice makes it invalid.
func Decode(text []byte) (*Plan, error) {
	if len(text) > MaxBytes {
		return nil, Fail(Invalid, "the plan is larger than %d MiB", MaxBytes>>20)
	}
	if err := numbers(text); err != nil {
		return nil, Fail(Invalid, "the plan cannot be read: %v", err)
	}
	p := new(Plan)
	if err := jsonv2.Unmarshal(text, p, jsonv2.RejectUnknownMembers(true)); err != nil {
		if isEnvelope(text) {
			return nil, Fail(Invalid, "this is the answer of a command and not a plan: name the file that `plan --out FILE` writes")
		}
		return nil, Fail(Invalid, "the plan cannot be read: %v", oneLine(err))
	}
	return p, p.whole()
}

// isEnvelope tells an answer with --json, which people take for the plan in it.
func isEnvelope(text []byte) bool {
	var head struct {
		OK   *bool           `json:"ok"`
		Meta json.RawMessage `json:"meta"`
	}
	return json.Unmarshal(text, &head) == nil && head.OK != nil && head.Meta != nil
}

func oneLine(err error) string { return strings.ReplaceAll(err.Error(), "\n", " ") }

// numbers refuses a number that has more than one spelling: a plan holds integers
// below 2^53, and decimals as strings, so that its canonical form is unambiguous.
func numbers(text []byte) error {
	if !suspect(text) {
		return nil
	}
	return exactNumbers(text)
}

func exactNumbers(text []byte) error {
	d := jsontext.NewDecoder(bytes.NewReader(text))
	for {
		tok, err := d.ReadToken()
		if err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
		if tok.Kind() != '0' {
			continue
		}
		s := tok.String()
		digits := strings.TrimPrefix(s, "-")
		if strings.ContainsAny(s, ".eE") || s == "-0" || len(digits) > 16 || len(digits) == 16 && digits >= "9007199254740992" {
			return fmt.Errorf("the number %s is no integer below 2^53 at %s", s, d.StackPointer())
		}
	}
}

// suspect reports whether a text may hold a number that is no integer below 2^53, by its
// bytes alone: a plan is megabytes of text and a handful of numbers.
func suspect(text []byte) bool {
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '"':
			for i++; i < len(text) && text[i] != '"'; i++ {
				if text[i] == '\\' {
					i++
				}
			}
		case c == '-':
			return true
		case c >= '0' && c <= '9':
			end := i
			for end < len(text) && text[end] >= '0' && text[end] <= '9' {
				end++
			}
			if end-i > 15 || end < len(text) && (text[end] == '.' || text[end] == 'e' || text[end] == 'E') {
				return true
			}
			i = end - 1
		}
	}
	return false
}

// whole checks what types do not say.
func (p *Plan) whole() error {
	created, err1 := time.Parse(time.RFC3339, p.Created)
	expiry, err2 := time.Parse(time.RFC3339, p.Expiry)
	switch {
	case !strings.HasSuffix(p.Schema, fmt.Sprintf(".plan@%d", Version)):
		return Fail(Invalid, "the schema '%s' is none that this version reads; it reads plans @%d", p.Schema, Version)
	case p.ContractVersion != 0:
		return Fail(Invalid, "the plan is of contract version %d, not 0", p.ContractVersion)
	case !idPattern().MatchString(p.ID):
		return Fail(Invalid, "plan_id '%s' is none", p.ID)
	case err1 != nil || err2 != nil:
		return Fail(Invalid, "created and expiry must be RFC 3339 times (got: '%s', '%s')", p.Created, p.Expiry)
	case expiry.Sub(created) > MaxLife || !expiry.After(created):
		return Fail(Invalid, "a plan lives longer than nothing and at most %s, and this one from %s to %s", MaxLife, p.Created, p.Expiry)
	case !digestPattern().MatchString(p.Checksum):
		return Fail(Invalid, "checksum '%s' is no digest", p.Checksum)
	case p.PolicyVersion == "":
		return Fail(Invalid, "the plan names no policy_version")
	case p.Items == nil || p.Base.Files == nil:
		return Fail(Invalid, "the plan has no %s", map[bool]string{true: "items", false: "base.files"}[p.Items == nil])
	}
	seen := map[string]bool{}
	for i := range p.Items {
		it := &p.Items[i]
		if err := it.whole(); err != nil {
			return err
		}
		if seen[it.ID] {
			return Fail(Invalid, "two items have the id '%s'", it.ID).OnItem(it.ID)
		}
		seen[it.ID] = true
	}
	return nil
}

func (it *Item) whole() error {
	switch {
	case it.ID == "":
		return Fail(Invalid, "an item has no id")
	case !slices.Contains(Actions, it.Action):
		return Fail(Invalid, "the action of item '%s' must be one of: %s (got: '%s')", it.ID, strings.Join(Actions, ", "), it.Action).OnItem(it.ID)
	case it.Reason == "":
		return Fail(Invalid, "item '%s' gives no reason", it.ID).OnItem(it.ID)
	case !digestPattern().MatchString(it.IdempotencyKey):
		return Fail(Invalid, "item '%s' has no idempotency_key", it.ID).OnItem(it.ID)
	case len(it.Params) == 0 || it.Params[0] != '{':
		return Fail(Invalid, "the params of item '%s' are no object", it.ID).OnItem(it.ID)
	}
	for _, pre := range it.Preconditions {
		if pre.kinds() != 1 {
			return Fail(Invalid, "a precondition of item '%s' is not of one kind", it.ID).OnItem(it.ID)
		}
	}
	return nil
}

func (p *Precondition) kinds() (n int) {
	for _, set := range []bool{p.FileSHA256 != nil, p.FileAbsent != nil, p.ResourceVersion != nil, p.LedgerState != nil, p.SnapshotVersionAbove != nil} {
		if set {
			n++
		}
	}
	return n
}
