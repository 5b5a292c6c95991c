package cli

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/opcat/opcat/catalog"
	"github.com/opcat/opcat/dispatch"
	"github.com/opcat/opcat/dispatch/wire"
	"github.com/opcat/opcat/operations"
	"github.com/opcat/opcat/operations/price"
)

// dispatchData is one call: what was admitted, what came back, and the receipt.
type dispatchData struct {
	Operation string           `json:"operation"`
	Admitted  operations.Grant `json:"admitted"`
	Sent      bool             `json:"sent"` // false with --dry-run
	Result    json.RawMessage  `json:"result,omitempty"`
	Failure   *dispatchFailure `json:"failure,omitempty"` // the answer is that there is no result
	Receipt   *dispatchReceipt `json:"receipt,omitempty"`
}

type dispatchFailure struct {
	Kind     wire.Kind       `json:"kind"`
	Message  string          `json:"message"`
	Vendor   string          `json:"vendor,omitempty"`
	Withheld json.RawMessage `json:"withheld,omitempty"` // what was read and is no result
}

// dispatchReceipt is what is known of the call when it is over.
type dispatchReceipt struct {
	dispatch.Report
	ServiceTier string        `json:"service_tier,omitempty"`
	Usage       price.Usage   `json:"usage"`
	UsageError  string        `json:"usage_error,omitempty"`
	Cost        price.Receipt `json:"cost"`
}

func routeDispatch() Command {
	var c CatalogFlags
	var limit string
	return Command{
		Path: "route dispatch", Tier: 2, Family: Stage, Cost: Metered,
		Short: "admit one request, send it once, and print its result and receipt",
		Long: "The request goes out once or not at all: nothing is retried, no redirect is followed and no proxy is looked for. " +
			"Credentials are read from the environment at the call and go to their own origins alone. " +
			"With --dry-run everything is checked and nothing is sent.",
		Result: "opcat.dispatch@1",
		Schema: dispatchSchema,
		Flags: append([]Flag{
			DecimalFlag(&limit, "spend-limit", "USD that the call may cost at most; one whose worst case costs more, or cannot be bounded, is not sent").Needed(),
		}, c.Flags()...),
		Args: []Arg{{Name: "file", Usage: "the request as JSON, as `route admit` takes it; - reads it from stdin"}},
		Errors: compileErrors(NotFound, AdmissionRefused, CredentialMissing, CredentialRejected, UpstreamFailed, UpstreamTimeout,
			RateLimited, BudgetExceeded),
		Example: []string{"route", "dispatch", "request.json", "--spend-limit", "0.01"},
		Run: func(ctx context.Context, inv *Invocation) (Result, error) {
			o, err := readOrder(ctx, inv, inv.Args[0])
			if err != nil {
				return Result{}, err
			}
			b, err := c.book(inv)
			if err != nil {
				return Result{}, err
			}
			return dispatchOrder(ctx, inv, b, o, limit)
		},
	}
}

// dispatchOrder admits an order under a limit and sends it.
func dispatchOrder(ctx context.Context, inv *Invocation, b *book, o operations.Order, limit string) (Result, error) {
	bound, err := catalog.ParseDecimal(limit)
	if err != nil {
		return Result{}, err
	}
	if o.Terms.MaxUSD.Compare(bound) > 0 || !o.Terms.MaxUSD.IsKnown() {
		o.Terms.MaxUSD = bound
	}
	if o.Terms.At.IsZero() {
		o.Terms.At = b.at
	}
	fillHoles(inv, b, &o)
	found, err := o.Try(b.Catalog)
	switch {
	case err != nil:
		return Result{}, orderFault(inv.Args[0], err)
	case found.Refusal != nil:
		return Result{}, refused(found.Refusal)
	}
	data := dispatchData{Operation: o.Operation, Admitted: *found.Grant}
	if inv.DryRun {
		return Result{Data: data, Text: data.text}, nil
	}
	client, err := dispatch.NewClient(dispatch.Config{Timeout: inv.Timeout, Lookup: func(name string) (string, bool) {
		v := inv.Getenv(name)
		return v, v != ""
	}})
	if err != nil {
		return Result{}, err
	}
	defer client.Close()
	done, err := dispatch.SendOrder(ctx, client, b.Catalog, o)
	settle(inv, &done)
	failure, failed := errors.AsType[*wire.Failure](err)
	switch {
	case err != nil && !failed:
		return Result{}, notSent(err)
	case failed && !isAnswer(failure.Kind):
		return Result{}, noAnswer(failure, &done.Report)
	case failed:
		data.Failure = &dispatchFailure{Kind: failure.Kind, Message: failure.Message, Vendor: failure.Vendor}
		if failure.Withheld != nil {
			if data.Failure.Withheld, err = operations.Encode(failure.Withheld); err != nil {
				return Result{}, err
			}
		}
	default:
		if data.Result, err = operations.Encode(done.Result); err != nil {
			return Result{}, err
		}
	}
	data.Sent = true
	data.Receipt = &dispatchReceipt{done.Report, done.Meta.ServiceTier, done.Meta.Usage, done.Meta.UsageError, done.Cost}
	warnOfCall(inv, data.Receipt)
	return Result{Data: data, Text: data.text}, nil
}
