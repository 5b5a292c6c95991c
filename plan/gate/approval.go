package gate

import (
	"bufio"
	"bytes"
	"fmt"
	"strings"
	"time"

	"github.com/opcat/opcat/plan"
	"golang.org/x/mod/sumdb/note"
)

// ApprovalSchema is the first line of an approval.
const ApprovalSchema = "opcat.approval@1"

// Approvers are the people whose approval counts, by their public keys. opcat holds no
// private key and can sign nothing.
type Approvers struct {
	keys []note.Verifier
	now  time.Time
}

// ReadApprovers reads verifier keys, one on a line, as `golang.org/x/mod/sumdb/note`
// writes them; empty lines and lines that start with # are skipped.
func ReadApprovers(text []byte, now time.Time) (*Approvers, error) {
	a := &Approvers{now: now}
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
		a.keys = append(a.keys, key)
	}
	return a, lines.Err()
}

// check verifies that a signed note approves this plan under this policy.
func (a *Approvers) check(p *plan.Plan, policy string, text []byte) error {
	invalid := func(format string, args ...any) error {
		return plan.Fail(plan.ApprovalInvalid, "the approval is not valid: "+format, args...)
	}
	if a == nil || len(a.keys) == 0 {
		return invalid("no approver is known on this machine")
	}
	signed, err := note.Open(text, note.VerifierList(a.keys...))
	if err != nil {
		return invalid("%v", err)
	}
	says := map[string]string{}
	lines := strings.Split(strings.TrimSuffix(signed.Text, "\n"), "\n")
	if lines[0] != ApprovalSchema {
		return invalid("it is no %s", ApprovalSchema)
	}
	for _, line := range lines[1:] {
		key, value, ok := strings.Cut(line, " ")
		if _, twice := says[key]; !ok || twice {
			return invalid("the line '%s' is no field, or one given twice", line)
		}
		says[key] = value
	}
	expires, err := time.Parse(time.RFC3339, says["expires"])
	switch {
	case len(says) != 5 || says["approval_id"] == "":
		return invalid("it must name plan, policy_version, approval_id, approver and expires")
	case says["plan"] != p.Checksum:
		return invalid("it is for the plan %s, and this one is %s", says["plan"], p.Checksum)
	case says["policy_version"] != policy:
		return invalid("it is under the policy %s, and this one is %s", says["policy_version"], policy)
	case p.ApprovalID != nil && says["approval_id"] != *p.ApprovalID:
		return invalid("it is %s, and the plan names %s", says["approval_id"], *p.ApprovalID)
	case err != nil || !a.now.Before(expires):
		return invalid("it expired at %s", says["expires"])
	}
	for _, s := range signed.Sigs {
		if s.Name == says["approver"] {
			return nil
		}
	}
	return invalid("%s did not sign it", says["approver"])
}
