// Package plan is what is to be changed, as a value: what each item does and why,
// from what it was computed, and until when it may be applied.
//
// A plan is data. It is written to a file, judged by a gate (package gate) and
// applied by name alone (package apply). Its checksum covers everything but the
// approval, so what was judged is what is applied.
//
// Package plan does not know what a plan changes: the parameters of its items are
// the planner's, and are carried as they are.
package plan

import (
	"crypto/sha256"
	"encoding/base32"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Version is the major of the plan document.
const Version = 1

// How long a plan may be applied.
const (
	DefaultLife = time.Hour
	MaxLife     = 24 * time.Hour
)

// A Plan is the document opcat.plan@1.
type Plan struct {
	Schema          string  `json:"schema"`
	Tool            string  `json:"tool"`
	Command         string  `json:"command"` // that made it: "fragment plan"
	ContractVersion int     `json:"contract_version"`
	ID              string  `json:"plan_id"`
	Created         string  `json:"created"`
	Expiry          string  `json:"expiry"`
	Base            Base    `json:"base"`
	PolicyVersion   string  `json:"policy_version"`
	ApprovalID      *string `json:"approval_id"` // null until cleared
	Items           []Item  `json:"items"`
	Kept            []Kept  `json:"kept"`
	Checksum        string  `json:"checksum"`
}

// A Base is the digests of all that a plan was computed from.
type Base struct {
	Target     string            `json:"target"`      // the root of what is changed, as the command was told it
	Files      map[string]string `json:"files"`       // of the target: path to digest
	Inputs     []Input           `json:"inputs"`      // read besides
	Options    map[string]string `json:"options"`     // of the command, as far as they change what it plans
	LedgerHead string            `json:"ledger_head"` // "" for a target without a ledger
}

// An Input is something that was read besides the target.
type Input struct {
	Name   string `json:"name"`
	Path   string `json:"path"`
	SHA256 string `json:"sha256"`
}

// An Item is one change: it lands whole or not at all.
type Item struct {
	ID             string          `json:"id"` // the same for the same change, whenever it is planned
	Action         string          `json:"action"`
	Reason         string          `json:"reason"`
	Params         json.RawMessage `json:"params"` // all that is needed to do it
	IdempotencyKey string          `json:"idempotency_key"`
	Targets        []string        `json:"target_resource_ids"`
	Preconditions  []Precondition  `json:"preconditions"`
	Impact         json.RawMessage `json:"projected_impact"` // advice for people; nothing decides by it

	settled []byte // Params, once they are in their canonical form
}

// Actions are what an item may do.
var Actions = []string{"create", "update", "delete", "resolve", "adopt"}

// A Precondition must hold when its item is applied. One of its members is set.
type Precondition struct {
	FileSHA256           *FileSHA256     `json:"file_sha256,omitempty"`
	FileAbsent           *string         `json:"file_absent,omitempty"`
	ResourceVersion      json.RawMessage `json:"resource_version,omitempty"`
	LedgerState          json.RawMessage `json:"ledger_state,omitempty"`
	SnapshotVersionAbove json.RawMessage `json:"snapshot_version_above,omitempty"`
}

// A FileSHA256 says what a file must hold.
type FileSHA256 struct {
	Path   string `json:"path"`
	SHA256 string `json:"sha256"`
}

// A Kept is what the planner saw and leaves as it is, and why: a fact that a person
// has pinned, a row that cannot be taken in.
type Kept struct {
	Resource string `json:"resource"`        // "acme/chat-2"
	Field    string `json:"field,omitempty"` // "limits.output_tokens"; "" for all of it
	Ours     string `json:"ours,omitempty"`
	Theirs   string `json:"theirs,omitempty"`
	Reason   string `json:"reason"`
}

// New frames items as a plan: it gives each its key, and the plan its id and checksum.
func New(tool, command, policy string, base Base, items []Item, kept []Kept, now time.Time, life time.Duration) (*Plan, error) {
	p := &Plan{
		Schema: Schema(tool), Tool: tool, Command: command,
		Created: now.UTC().Format(time.RFC3339), Expiry: now.UTC().Add(life).Format(time.RFC3339),
		Base: base, PolicyVersion: policy, Items: items, Kept: kept,
	}
	if p.Items == nil {
		p.Items = []Item{}
	}
	if p.Kept == nil {
		p.Kept = []Kept{}
	}
	baseSum, err := digest(base)
	if err != nil {
		return nil, err
	}
	for i := range p.Items {
		it := &p.Items[i]
		if it.IdempotencyKey, err = key(tool, command, it, baseSum); err != nil {
			return nil, err
		}
	}
	if p.ID, err = p.id(); err != nil {
		return nil, err
	}
	p.Checksum, err = p.Sum()
	return p, err
}

// Schema names the schema of a tool's plans.
func Schema(tool string) string { return fmt.Sprintf("%s.plan@%d", tool, Version) }

// Sum computes the checksum of the plan as it is now.
func (p *Plan) Sum() (string, error) {
	text, err := json.Marshal(p)
	if err != nil {
		return "", err
	}
	return sumOf(text)
}

// sumOf computes the checksum of a plan's text: the digest of its canonical form without
// the checksum and the approval. The members are brought into that form one by one.
func sumOf(text []byte) (string, error) {
	var members map[string]jsontext.Value
	if err := jsonv2.Unmarshal(text, &members); err != nil {
		return "", err
	}
	delete(members, "checksum")
	delete(members, "approval_id")
	h := sha256.New()
	sep := "{"
	for _, name := range slices.Sorted(maps.Keys(members)) { // members of a plan are ASCII: bytes are in the order of RFC 8785
		v := members[name]
		if err := v.Canonicalize(); err != nil {
			return "", err
		}
		fmt.Fprintf(h, "%s%q:", sep, name)
		h.Write(v)
		sep = ","
	}
	io.WriteString(h, "}")
	return "sha256:" + hex.EncodeToString(h.Sum(nil)), nil
}

// key is the same for the same change of the same world, whatever the time. It is
// another one when the change is made again later: base holds the ledger's head.
func key(tool, command string, it *Item, base string) (string, error) {
	return digest(map[string]any{
		"tool": tool, "command": command, "action": it.Action, "params": it.Params,
		"target_resource_ids": it.Targets, "preconditions": it.Preconditions, "base": base,
	})
}

// id is drawn from what the plan says and when: no two plans share one.
func (p *Plan) id() (string, error) {
	text, err := digest(p)
	if err != nil {
		return "", err
	}
	raw, err := hex.DecodeString(strings.TrimPrefix(text, "sha256:"))
	if err != nil {
		return "", err
	}
	return "pl_" + strings.ToLower(base32.StdEncoding.WithPadding(base32.NoPadding).EncodeToString(raw))[:26], nil
}

// digest is the digest of a value in its canonical form.
func digest(v any) (string, error) {
	text, err := json.Marshal(v)
	if err != nil {
		return "", err
	}
	c := jsontext.Value(text)
	if err := c.Canonicalize(); err != nil {
		return "", err
	}
	return Digest(c), nil
}

// Digest is the digest of bytes as a plan spells it.
func Digest(data []byte) string {
	s := sha256.Sum256(data)
	return "sha256:" + hex.EncodeToString(s[:])
}

// ParamsDigest is the digest of an item's parameters in the form of RFC 8785. They are
// brought into it once: the parameters of all items are nearly the whole of a plan.
func (it *Item) ParamsDigest() string {
	if len(it.Params) == 0 || len(it.settled) == 0 || &it.settled[0] != &it.Params[0] {
		v := jsontext.Value(slices.Clone(it.Params))
		if err := v.Canonicalize(); err != nil {
			return "" // Decode refuses such parameters
		}
		it.Params, it.settled = json.RawMessage(v), v
	}
	return Digest(it.settled)
}

// MarshalIndent writes the document as it lies in a file.
func (p *Plan) MarshalIndent() ([]byte, error) {
	text, err := json.Marshal(p)
	if err != nil {
		return nil, err
	}
	v := jsontext.Value(text)
	if err := v.Indent(jsontext.WithIndent("  ")); err != nil {
		return nil, err
	}
	return append(v, '\n'), nil
}

// ConditionsDigest is the digest of what an item acts on and under which conditions.
func (it *Item) ConditionsDigest() string {
	s, err := digest(map[string]any{"targets": it.Targets, "preconditions": it.Preconditions})
	if err != nil {
		return ""
	}
	return s
}

// Landed asks that other items of the same plan have landed.
func Landed(items ...string) Precondition {
	text, err := json.Marshal(map[string][]string{"landed": items})
	if err != nil {
		panic(err) // texts always marshal
	}
	return Precondition{LedgerState: text}
}

// MustHaveLanded lists the items of the same plan that must have landed before this
// one.
func (it *Item) MustHaveLanded() ([]string, error) {
	var out []string
	for _, pre := range it.Preconditions {
		if pre.LedgerState == nil {
			continue
		}
		var state struct {
			Landed []string `json:"landed"`
		}
		if err := jsonv2.Unmarshal(pre.LedgerState, &state, jsonv2.RejectUnknownMembers(true)); err != nil {
			return nil, Fail(Invalid, "a precondition of item '%s' asks for a state of the ledger that is none: %v", it.ID, oneLine(err)).OnItem(it.ID)
		}
		out = append(out, state.Landed...)
	}
	return out, nil
}
