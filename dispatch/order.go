package dispatch

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/opcat/opcat/catalog"
	"github.com/opcat/opcat/dispatch/wire"
	"github.com/opcat/opcat/operations"
	"github.com/opcat/opcat/operations/op"
	"github.com/opcat/opcat/operations/price"
)

// A Done is what came of an order that was admitted, in whatever operation.
type Done struct {
	Result any           // of the operation's own type; nil if the call has none
	Meta   wire.Meta     // what the answer says beside its result, or the failure
	Report Report        // how far the request came
	Cost   price.Receipt // of the usage that the answer states, line by line
	Worst  price.Amount  // what the call was admitted to cost at most; see Bound
	Bound  bool          // a bound was asked for
}

// SendOrder admits an order and sends it, once. The errors are those of admission
// and of Executor.Send; what was sent has a report and a cost with a failure too.
func SendOrder(ctx context.Context, c *Client, from *catalog.Catalog, o operations.Order) (Done, error) {
	for _, send := range senders {
		if done, mine, err := send(ctx, c, from, o); mine {
			return done, err
		}
	}
	return Done{Report: unsent()}, fmt.Errorf("dispatch: nothing sends a request of type %T", o.Request)
}

// A sender sends an order if its request is of the sender's operation.
type sender func(context.Context, *Client, *catalog.Catalog, operations.Order) (done Done, mine bool, err error)

// senders is every member of the registry.
var senders = []sender{
	orders(TextGeneration),
	orders(Embedding),
	orders(DecisionEvaluation),
	orders(Reranking),
	orders(Moderation),
}

func orders[R op.Request[R], A any](e Executor[R, A]) sender {
	return func(ctx context.Context, c *Client, from *catalog.Catalog, o operations.Order) (Done, bool, error) {
		request, mine := o.Request.(R)
		if !mine {
			return Done{}, false, nil
		}
		done := Done{Report: unsent()}
		a, err := operations.Admit(from, o.Route, request, o.Terms)
		if err != nil {
			return done, true, err
		}
		done.Worst, done.Bound = a.PriceBound()
		answer, report, err := e.Send(ctx, c, a)
		done.Report, done.Meta = report, answer.Meta
		if failure, ok := errors.AsType[*wire.Failure](err); ok {
			done.Meta = failure.Meta
		}
		if err == nil {
			done.Result = answer.Result
		}
		if report.Attempts > 0 {
			done.Cost = Cost(a, done.Meta)
		}
		return done, true, err
	}
}

// Cost is what a call comes to by its usage, exactly, with the vendor's own figure
// beside it. A tier that the answer names is the one that is billed, and so is a
// model: another one than was asked for costs what its own row says, or nobody knows
// what.
func Cost[R op.Request[R]](a operations.Admitted[R], m wire.Meta) price.Receipt {
	call := a.Call()
	if m.ServiceTier != "" {
		call.ServiceTier = m.ServiceTier
	}
	usage := m.Usage
	if m.UsageError != "" {
		usage = price.Usage{Unknown: uncounted(usage)}
	}
	sheet := pricesOf(a, m.Served)
	receipt := price.Unpriced(usage, price.OtherModel)
	if sheet != nil {
		receipt = sheet.Cost(usage, call)
	}
	receipt.Vendor(m.VendorUSD)
	receipt.FundingFeePercent = a.Provider().PlatformFeePercent
	return receipt
}

// pricesOf are the prices of the model that an answer names, which the row that was
// admitted has for itself and for its builds without a row of their own; nil if nobody
// states them.
func pricesOf[R op.Request[R]](a operations.Admitted[R], served string) *price.Sheet {
	asked := a.WireModel()
	if served == "" || served == asked {
		return a.Prices()
	}
	if sheet, ok := a.PricesOf(served); ok {
		return sheet
	}
	if isDated(asked, served) {
		return a.Prices()
	}
	if build := undated(served); build != served {
		if sheet, ok := a.PricesOf(build); ok {
			return sheet
		}
	}
	return nil
}

// uncounted are the meters of a usage that cannot be trusted, all of them.
func uncounted(u price.Usage) []string {
	names := slices.Clone(u.Unknown)
	for _, l := range u.Lines {
		if !slices.Contains(names, l.Meter) {
			names = append(names, l.Meter)
		}
	}
	return names
}
