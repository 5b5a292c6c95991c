package cli

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/opcat/opcat/dispatch"
	"github.com/opcat/opcat/dispatch/wire"
	"github.com/opcat/opcat/operations"
)

// refused is the error of a request that no route may serve as it stands. A call
// that the limit does not cover is stopped by the limit.
func refused(r *operations.Refusal) *Error {
	code := AdmissionRefused
	if r.Code == operations.PriceAboveBound {
		code = BudgetExceeded
	}
	e := Fail(code, "%s is not admitted to %s: %s; nothing was sent", r.Route, r.Operation, r.Message)
	cause := Fail(Code(r.Code), "%s", r.Message).Saying(r.Help)
	cause.Allowed = r.Allowed
	if r.Got != "" {
		cause = cause.given(r.Got)
	}
	if r.Field != "" {
		cause = cause.Where(At{Item: r.Field})
	}
	e.Causes = []*Error{cause}
	return e.Where(At{Item: clip(r.Route, maxGot)})
}

// notSent is the error of a request that was admitted and did not go out.
func notSent(err error) error {
	if r, ok := errors.AsType[*operations.Refusal](err); ok {
		return refused(r)
	}
	u, ok := errors.AsType[*dispatch.Unsent](err)
	if !ok {
		return err
	}
	code := map[dispatch.UnsentCode]Code{
		dispatch.CredentialMissing: CredentialMissing, dispatch.CredentialInvalid: CredentialRejected,
		dispatch.CredentialUnsupported: AdmissionRefused, dispatch.NoCodec: AdmissionRefused,
	}[u.Code]
	if code == "" {
		code = Internal
	}
	e := Fail(code, "%s", u.Error())
	e.Allowed = u.Env
	return e
}

// isAnswer reports whether a failure is something that the model said: no result,
// and yet an answer.
func isAnswer(k wire.Kind) bool {
	return slices.Contains([]wire.Kind{wire.Refused, wire.Truncated, wire.Filtered, wire.InputTruncated}, k)
}

// noAnswer is the error of a call that brought nothing that may be used.
func noAnswer(f *wire.Failure, r *dispatch.Report) *Error {
	code := UpstreamFailed
	switch f.Kind {
	case wire.Unauthorized:
		code = CredentialRejected
	case wire.RateLimited:
		code = RateLimited
	case wire.QuotaExhausted:
		code = BudgetExceeded
	case wire.TimedOut:
		code = UpstreamTimeout
	case wire.BadRequest, wire.InputTooLong:
		code = ValidationFailed
	case wire.ModelMissing:
		code = NotFound
	}
	e := Fail(code, "%s: %s", f.Kind, f.Message)
	if f.Vendor != "" {
		e.Message += " (" + f.Vendor + ")"
	}
	if r.Boundary == dispatch.NeverConnected {
		e.Message += "; nothing was sent"
	} else {
		e.Message += "; one request was sent"
	}
	if ms, ok := r.RetryAfterMS.Get(); ok {
		e.Message += fmt.Sprintf("; the server says to wait %d ms", ms)
	}
	if r.RequestID != "" {
		e = e.Where(At{Item: clip(r.RequestID, maxGot)})
	}
	return e
}

// settle reports what a call spent. What is not known to be spent, and is not
// proven unspent either, counts up to the worst that was admitted.
func settle(inv *Invocation, d *dispatch.Done) {
	if d.Report.Attempts == 0 || d.Report.Unbilled {
		return
	}
	tokens, counted := int64(0), len(d.Meta.Usage.Lines) > 0 && d.Meta.UsageError == ""
	for _, l := range d.Meta.Usage.Lines {
		if strings.HasSuffix(l.Meter, "_token") {
			tokens += l.Count
		}
	}
	for _, meter := range d.Meta.Usage.Unknown {
		counted = counted && !strings.HasSuffix(meter, "_token")
	}
	inv.Used(tokens, counted)
	if spent, ok := d.Cost.NanoUSD.Get(); ok {
		inv.Spent(NanoUSD(spent), 0)
		return
	}
	if worst, ok := d.Worst.NanoUSD(); ok && d.Bound {
		inv.Spent(0, NanoUSD(worst))
	}
}

// warnOfCall says what a caller should know of a call that has an answer.
func warnOfCall(inv *Invocation, r *dispatchReceipt) {
	if r.Served.Match == dispatch.OtherModel {
		inv.Warn("SERVED_MODEL_DIFFERS", "%s was asked for, and the answer names %s", r.Served.Asked, clip(r.Served.Model, maxGot))
	}
	if !r.Cost.USD.IsKnown() {
		inv.Warn("COST_UNKNOWN", "the cost is unknown: %s", r.Cost.Reasons())
	}
	if d := r.Cost.VendorDifference; d.IsKnown() && !d.IsZero() {
		inv.Warn("COST_DIFFERS", "the vendor says that it cost %s USD; by the catalog it is %s", r.Cost.VendorUSD, r.Cost.USD)
	}
}
