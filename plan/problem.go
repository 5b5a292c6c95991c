package plan

import "fmt"

// The codes of what keeps a plan from being applied. They are those of the tool
// contract.
const (
	Invalid          = "PLAN_INVALID"
	ChecksumMismatch = "PLAN_CHECKSUM_MISMATCH"
	Stale            = "PLAN_STALE"
	Expired          = "PLAN_EXPIRED"
	LockBusy         = "LOCK_BUSY"
	StateCorrupt     = "STATE_CORRUPT"
	ApprovalRequired = "APPROVAL_REQUIRED"
	ApprovalInvalid  = "APPROVAL_INVALID"
	PolicyDenied     = "POLICY_DENIED"
	Reconcile        = "RECONCILE_REQUIRED"
	JournalFailed    = "JOURNAL_WRITE_FAILED"
)

// A Problem is why a plan, or an item of one, is not applied.
type Problem struct {
	Code    string
	Message string
	Item    string // the item that it is about; "" for the whole plan
	File    string // the file that it is about; "" for none
	Err     error
}

func (p *Problem) Error() string { return p.Code + ": " + p.Message }

func (p *Problem) Unwrap() error { return p.Err }

// Fail makes a problem of a code and a message.
func Fail(code, format string, args ...any) *Problem {
	return &Problem{Code: code, Message: fmt.Sprintf(format, args...)}
}

// OnItem adds the item and gives the problem back.
func (p *Problem) OnItem(id string) *Problem { p.Item = id; return p }

// OnFile adds the file and gives the problem back.
func (p *Problem) OnFile(path string) *Problem { p.File = path; return p }
