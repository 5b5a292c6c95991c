package cli

import "slices"

// A Code is what a caller branches on when a command fails. Codes are stable;
// new ones may be added, none changes its exit.
type Code string

// The codes of the contract, by exit.
const (
	Internal           Code = "INTERNAL"
	StateCorrupt       Code = "STATE_CORRUPT"
	JournalWriteFailed Code = "JOURNAL_WRITE_FAILED"

	UnknownCommand   Code = "UNKNOWN_COMMAND"
	UnknownFlag      Code = "UNKNOWN_FLAG"
	MissingFlag      Code = "MISSING_FLAG"
	DuplicateFlag    Code = "DUPLICATE_FLAG"
	InvalidEnum      Code = "INVALID_ENUM"
	InvalidRange     Code = "INVALID_RANGE"
	InvalidValue     Code = "INVALID_VALUE"
	UnknownPath      Code = "UNKNOWN_PATH"
	InvalidCursor    Code = "INVALID_CURSOR"
	InputRequired    Code = "INPUT_REQUIRED"
	ForbiddenVerb    Code = "FORBIDDEN_VERB"
	ConflictingFlags Code = "CONFLICTING_FLAGS"

	NotFound             Code = "NOT_FOUND"
	ArtifactMissing      Code = "ARTIFACT_MISSING"
	ArtifactInvalid      Code = "ARTIFACT_INVALID"
	SchemaMismatch       Code = "SCHEMA_MISMATCH"
	DecodeFailed         Code = "DECODE_FAILED"
	Contradiction        Code = "CONTRADICTION"
	ValidationFailed     Code = "VALIDATION_FAILED"
	DriftFound           Code = "DRIFT_FOUND"
	ReplayMismatch       Code = "REPLAY_MISMATCH"
	PlanInvalid          Code = "PLAN_INVALID"
	PlanChecksumMismatch Code = "PLAN_CHECKSUM_MISMATCH"
	PlanStale            Code = "PLAN_STALE"
	PlanExpired          Code = "PLAN_EXPIRED"
	StaleCursor          Code = "STALE_CURSOR"
	CredentialMissing    Code = "CREDENTIAL_MISSING"
	CredentialRejected   Code = "CREDENTIAL_REJECTED"
	UnsupportedVersion   Code = "UNSUPPORTED_VERSION"
	ConformanceFailed    Code = "CONFORMANCE_FAILED"
	SnapshotRollback     Code = "SNAPSHOT_ROLLBACK"
	SignatureInvalid     Code = "SIGNATURE_INVALID"
	AdmissionRefused     Code = "ADMISSION_REFUSED"

	UpstreamFailed  Code = "UPSTREAM_FAILED"
	UpstreamTimeout Code = "UPSTREAM_TIMEOUT"
	RateLimited     Code = "RATE_LIMITED"
	LockBusy        Code = "LOCK_BUSY"
	PartialApply    Code = "PARTIAL_APPLY"

	ApprovalRequired  Code = "APPROVAL_REQUIRED"
	ApprovalInvalid   Code = "APPROVAL_INVALID"
	PolicyDenied      Code = "POLICY_DENIED"
	BudgetExceeded    Code = "BUDGET_EXCEEDED"
	ScopeDenied       Code = "SCOPE_DENIED"
	ReconcileRequired Code = "RECONCILE_REQUIRED"
)

// The exits of the contract. The process returns no other.
const (
	exitOK       = 0
	exitInternal = 1
	exitUsage    = 2
	exitInput    = 3
	exitUpstream = 4
	exitPolicy   = 5
)

// registry is every code by its exit: the only place that joins the two.
var registry = [...][]Code{
	exitInternal: {Internal, StateCorrupt, JournalWriteFailed},
	exitUsage: {UnknownCommand, UnknownFlag, MissingFlag, DuplicateFlag, InvalidEnum, InvalidRange, InvalidValue,
		UnknownPath, InvalidCursor, InputRequired, ForbiddenVerb, ConflictingFlags},
	exitInput: {NotFound, ArtifactMissing, ArtifactInvalid, SchemaMismatch, DecodeFailed, Contradiction,
		ValidationFailed, DriftFound, ReplayMismatch, PlanInvalid, PlanChecksumMismatch, PlanStale, PlanExpired,
		StaleCursor, CredentialMissing, CredentialRejected, UnsupportedVersion, ConformanceFailed, SnapshotRollback,
		SignatureInvalid, AdmissionRefused},
	exitUpstream: {UpstreamFailed, UpstreamTimeout, RateLimited, LockBusy, PartialApply},
	exitPolicy:   {ApprovalRequired, ApprovalInvalid, PolicyDenied, BudgetExceeded, ScopeDenied, ReconcileRequired},
}

// exit is the process's exit for a code; a code that is not registered is our fault.
func (c Code) exit() int {
	for exit, codes := range registry {
		if slices.Contains(codes, c) {
			return exit
		}
	}
	return exitInternal
}

// registered reports whether the code has an exit of its own.
func (c Code) registered() bool {
	return c == Internal || c.exit() != exitInternal || slices.Contains(registry[exitInternal], c)
}

// retryable reports whether the same call could succeed later: somebody else's fault.
func (c Code) retryable() bool { return c.exit() == exitUpstream }
