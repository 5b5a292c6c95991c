package gate

import (
	"slices"
	"time"

	"github.com/opcat/opcat/plan"
	"github.com/opcat/opcat/plan/signed"
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

// ReadApprovers reads their keys, as signed.Keys does.
func ReadApprovers(text []byte, now time.Time) (*Approvers, error) {
	keys, err := signed.Keys(text)
	return &Approvers{keys: keys, now: now}, err
}

// check verifies that a signed note approves this plan under this policy.
func (a *Approvers) check(p *plan.Plan, policy string, text []byte) error {
	invalid := func(format string, args ...any) error {
		return plan.Fail(plan.ApprovalInvalid, "the approval is not valid: "+format, args...)
	}
	if a == nil || len(a.keys) == 0 {
		return invalid("no approver is known on this machine")
	}
	n, err := signed.Open(text, a.keys, ApprovalSchema, "plan", "policy_version", "approval_id", "approver", "expires")
	if err != nil {
		return invalid("%v", err)
	}
	says := n.Says
	expires, err := time.Parse(time.RFC3339, says["expires"])
	switch {
	case says["plan"] != p.Checksum:
		return invalid("it is for the plan %s, and this one is %s", says["plan"], p.Checksum)
	case says["policy_version"] != policy:
		return invalid("it is under the policy %s, and this one is %s", says["policy_version"], policy)
	case p.ApprovalID != nil && says["approval_id"] != *p.ApprovalID:
		return invalid("it is %s, and the plan names %s", says["approval_id"], *p.ApprovalID)
	case err != nil || !a.now.Before(expires):
		return invalid("it expired at %s", says["expires"])
	}
	if !slices.Contains(n.Signers, says["approver"]) {
		return invalid("%s did not sign it", says["approver"])
	}
	return nil
}
