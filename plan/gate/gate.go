// Package gate decides whether a plan may be applied: by itself, with the approval of
// a person, or not at all.
//
// It is a function of the plan, the policy and a fresh look at the target, outside of
// whoever made the plan. It trusts no figure of the planner: what a plan says of its
// own impact is not read. No flag reaches it.
//
// A platform with a policy of its own puts its own function in the place of Standing.
package gate

import (
	"fmt"

	"github.com/opcat/opcat/plan"
)

// A Verdict is what the gate says of a plan.
type Verdict string

// The verdicts.
const (
	Auto          Verdict = "auto"
	NeedsApproval Verdict = "needs_approval"
	Deny          Verdict = "deny"
)

// A Ruling is a verdict with its reason.
type Ruling struct {
	Verdict Verdict
	Why     string
	Item    string // the item that decided; "" for the whole plan
}

// A Look is a fresh look at the target.
type Look struct {
	// Fresh is the plan that the same command makes now of the same base.
	Fresh *plan.Plan

	// Outside says why an item would change what lies outside of the declared roots;
	// "" if it does not.
	Outside func(*plan.Item) string
}

// A Policy judges plans.
type Policy struct {
	Version string
	Judge   func(*plan.Plan, Look) Ruling
}

// Standing is the stock policy. It lets pass by itself what a fresh plan says too, to
// the byte, inside the declared source roots; anything else in there needs a person,
// and anything outside is denied.
var Standing = Policy{Version: "opcat-standing-1", Judge: standing}

func standing(p *plan.Plan, look Look) Ruling {
	for i := range p.Items {
		if why := look.Outside(&p.Items[i]); why != "" {
			return Ruling{Deny, why, p.Items[i].ID}
		}
	}
	if look.Fresh == nil {
		return Ruling{NeedsApproval, "there is no fresh plan to hold it against", ""}
	}
	fresh := map[string]*plan.Item{}
	for i := range look.Fresh.Items {
		fresh[look.Fresh.Items[i].ID] = &look.Fresh.Items[i]
	}
	for i := range p.Items {
		it := &p.Items[i]
		if f := fresh[it.ID]; f == nil || !same(it, f) {
			return Ruling{NeedsApproval, "a fresh plan does not say the same", it.ID}
		}
	}
	if n := len(look.Fresh.Items) - len(p.Items); n > 0 {
		return Ruling{NeedsApproval, fmt.Sprintf("a fresh plan has %d more items", n), ""}
	}
	return Ruling{Auto, "a fresh plan says the same, inside the source roots", ""}
}

// same reports whether two items do the same under the same conditions. Their keys say
// so too, but the key of a plan that was tampered with is not to be trusted.
func same(a, b *plan.Item) bool {
	return a.Action == b.Action && a.Reason == b.Reason && a.ParamsDigest() == b.ParamsDigest() && a.ConditionsDigest() == b.ConditionsDigest()
}

// Pass puts a plan through the gate with the approval that came with it; nil text for
// none.
func Pass(p *plan.Plan, policy Policy, look Look, approval []byte, approvers *Approvers) error {
	if p.PolicyVersion != policy.Version {
		return plan.Fail(plan.Stale, "the plan was judged against the policy %s, and this one is %s; plan again", p.PolicyVersion, policy.Version)
	}
	ruling := policy.Judge(p, look)
	if ruling.Verdict == Deny {
		return plan.Fail(plan.PolicyDenied, "%s", ruling.Why).OnItem(ruling.Item)
	}
	approved := false
	if approval != nil {
		if err := approvers.check(p, policy.Version, approval); err != nil {
			return err
		}
		approved = true
	}
	if ruling.Verdict == Auto || approved {
		return nil
	}
	return plan.Fail(plan.ApprovalRequired, "a person must approve this plan: %s", ruling.Why).OnItem(ruling.Item)
}
