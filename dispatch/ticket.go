package dispatch

import (
	"context"
	"net/url"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/opcat/opcat/dispatch/wire"
	"github.com/opcat/opcat/operations"
	"github.com/opcat/opcat/operations/op"
)

// An Executor sends the requests of one operation: the codecs of its protocols.
type Executor[R op.Request[R], A any] struct{ codecs []wire.Codec[R, A] }

// NewExecutor makes an Executor of codecs, one for each protocol.
func NewExecutor[R op.Request[R], A any](codecs ...wire.Codec[R, A]) Executor[R, A] {
	return Executor[R, A]{slices.Clone(codecs)}
}

// Protocols are those that the executor speaks, in its order.
func (e Executor[R, A]) Protocols() []string {
	names := make([]string, len(e.codecs))
	for i, c := range e.codecs {
		names[i] = c.Protocol
	}
	return names
}

// Send sends what was admitted, once, and reads the answer. The error is an
// *Unsent or an *operations.Refusal where nothing was sent, and a *wire.Failure
// where the call has no result; the usage that a failure was billed is in it.
func (e Executor[R, A]) Send(ctx context.Context, c *Client, a operations.Admitted[R]) (wire.Answer[A], Report, error) {
	t, err := e.Ticket(c, a)
	if err != nil {
		return wire.Answer[A]{}, unsent(), err
	}
	return t.Send(ctx)
}

// unsent is the report of a request that never left.
func unsent() Report { return Report{Boundary: NeverConnected, Proof: NotDispatched{true}} }

// A Ticket is the right to send one admitted request once: Send or Abandon, then
// it is spent.
type Ticket[A any] struct {
	client   *Client
	parcel   parcel
	asked    string  // the model as it is dialled
	promise  string  // the contract's served_model
	unbilled []int64 // statuses that the endpoint does not bill
	decode   func(wire.Response) (wire.Answer[A], *wire.Failure)
	spent    atomic.Bool
}

// Ticket encodes what was admitted. It opens no connection and reads no
// credential; what it refuses is never sent.
func (e Executor[R, A]) Ticket(c *Client, a operations.Admitted[R]) (*Ticket[A], error) {
	if a.IsZero() {
		return nil, &Unsent{Code: NotAdmitted, Message: "the value was not made by operations.Admit"}
	}
	i := slices.IndexFunc(e.codecs, func(k wire.Codec[R, A]) bool { return k.Protocol == a.Protocol() })
	if i < 0 {
		return nil, &Unsent{Code: NoCodec, Message: "no codec here speaks " + a.Protocol() + "; there is one for " + strings.Join(e.Protocols(), ", ")}
	}
	codec := e.codecs[i]
	q, err := codec.Encode(a)
	if err == nil && len(q.Body) == 0 {
		err = errNoBody
	}
	if err != nil {
		return nil, &Unsent{Code: NotEncoded, Message: err.Error()}
	}
	t := &Ticket[A]{client: c, asked: a.WireModel(), promise: a.Contract().ServedModel, unbilled: a.Provider().Endpoint[a.Protocol()].UnbilledStatuses,
		decode: func(r wire.Response) (wire.Answer[A], *wire.Failure) { return codec.Decode(a, r) }}
	t.parcel.body, t.parcel.credential = q.Body, a.Credential()
	var u *Unsent
	if t.parcel.header, u = headers(q, a.Headers(), t.parcel.credential); u != nil {
		return nil, u
	}
	if t.parcel.url, err = url.Parse(q.URL); err != nil {
		return nil, &Unsent{Code: NotEncoded, Message: "the codec made no URL"}
	}
	if r := mayGo(t.parcel.url, q.URL, a.URL(), t.parcel.credential); r != nil {
		r.Route, r.Operation = a.RowID(), a.Contract().Operation
		return nil, r
	}
	return t, nil
}

// Abandon gives the ticket up. The proof is valid unless the ticket was spent.
func (t *Ticket[A]) Abandon() NotDispatched {
	return NotDispatched{t.spent.CompareAndSwap(false, true)}
}

// Send sends the request and reads the answer, once; later calls send nothing and
// prove nothing. The errors are those of Executor.Send.
func (t *Ticket[A]) Send(ctx context.Context) (wire.Answer[A], Report, error) {
	var none wire.Answer[A]
	if !t.spent.CompareAndSwap(false, true) {
		return none, Report{}, &Unsent{Code: TicketSpent, Message: "a ticket is sent or abandoned once"}
	}
	key, u := readSecret(t.parcel.credential, t.client.lookup)
	if u != nil {
		return none, unsent(), u
	}
	r, report, failure := t.client.exchange(ctx, t.parcel, key)
	report.Served.Asked = t.asked
	report.Unbilled = report.Boundary == Complete && slices.Contains(t.unbilled, int64(r.Status))
	if failure != nil {
		report.note(r, &failure.Meta)
		return none, report, failure
	}
	answer, failure := t.decode(r)
	if failure != nil {
		report.note(r, &failure.Meta)
		if failure.Served != "" { // what was cut off or refused may be another model's too; why there is no result stays first
			report.Served, _ = judgeServed(t.promise, t.asked, failure.Served)
		}
		if failure.RetryAfterMS.IsKnown() {
			report.RetryAfterMS = failure.RetryAfterMS
		}
		return none, report, failure
	}
	report.note(r, &answer.Meta)
	if report.Served, failure = judgeServed(t.promise, t.asked, answer.Served); failure != nil {
		failure.Status, failure.Meta = r.Status, answer.Meta // it is billed all the same
		return none, report, failure
	}
	return answer, report, nil
}

// note takes down what a response says of the call in its header, where the codec
// found nothing better in its body.
func (r *Report) note(response wire.Response, m *wire.Meta) {
	if response.Header == nil {
		return
	}
	if m.RequestID == "" {
		m.RequestID = requestID(response.Header)
	}
	r.RequestID = m.RequestID
	r.RetryAfterMS = wire.RetryAfter(response.Header)
}
