package cli

import (
	"errors"
	"fmt"
)

// ContractVersion is the major of the tool contract that opcat keeps.
const ContractVersion = 0

// envelope is what --json prints, in the contract's order.
type envelope struct {
	OK              bool   `json:"ok"`
	ContractVersion int    `json:"contract_version"`
	Tool            string `json:"tool"`
	Command         string `json:"command"`
	Data            any    `json:"data,omitempty"` // absent on failure
	Error           *Error `json:"error"`
	Meta            meta   `json:"meta"`
}

// shape makes a command's data what is printed of it: integers that a reader with
// floating point would change become strings, long strings of a list are cut, and
// --fields is applied.
func (r *run) shape(data any, bounded bool) (*object, error) {
	text, err := marshal(data)
	if err != nil {
		return nil, err
	}
	v, err := parse(text)
	if err != nil {
		return nil, err
	}
	whole, ok := v.(*object)
	if !ok {
		return nil, errors.New("the data of a result is not a JSON object")
	}
	cuts := 0
	walk(whole, func(v any) any {
		if bounded {
			cutTo, was := cutString(v)
			if was {
				cuts++
			}
			v = cutTo
		}
		return safeNumber(v)
	})
	if cuts > 0 {
		r.report.truncate(fmt.Sprintf("%s cut at %d bytes: the `get` command prints them whole, or leave them out with --fields",
			count(cuts, "string"), maxListString))
	}
	if len(r.flags.fields) > 0 {
		whole = pick(r.flags.fields).project(whole).(*object) // an object projects to one
	}
	return whole, nil
}

// envelope frames a result or an error.
func (r *run) envelope(data *object, outcome Outcome, failed *Error) envelope {
	e := envelope{
		OK: failed == nil, ContractVersion: ContractVersion, Tool: r.app.Tool, Command: r.call.at.path, Error: failed,
		Meta: r.report.meta(failed == nil, r.bounded()),
	}
	if failed == nil {
		e.Data = data
	}
	e.Meta.Schema = r.schema
	if failed != nil {
		e.Meta.Warnings = append(e.Meta.Warnings, warningsOf(failed.found)...)
	}
	e.Meta.Warnings = e.Meta.Warnings[:min(len(e.Meta.Warnings), maxListed)]
	e.Meta.DurationMS = max(0, r.streams.Now().Sub(r.began).Milliseconds())
	e.Meta.Outcome = outcome.wire(e.Meta.CostUSD)
	return e
}
