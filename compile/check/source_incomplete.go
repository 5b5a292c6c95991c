package check

import (
	"github.com/opcat/opcat/compile/tree"
	"github.com/opcat/opcat/diag"
)

// A source without the day it was read can't be trusted when it changes; a day
// without a source says nothing.

// halfSource finds a source without a date and a date without a source. Format 0
// could not always say both.
func halfSource(source, date *tree.Node, what string, add func(diag.Diagnostic)) {
	switch {
	case legacy(source), legacy(date):
	case source != nil && date == nil:
		add(diag.Diagnostic{Code: diag.SourceIncomplete, At: source.KeyAt(), Message: what + ": a source without the day it was read", Got: source.Str(), Help: "add checked_on"})
	case source == nil && date != nil:
		add(diag.Diagnostic{Code: diag.SourceIncomplete, At: date.KeyAt(), Message: what + ": a day without the source that was read", Got: date.Str(), Help: "add source"})
	}
}

func (r *row) sources() {
	if r.Broken {
		return
	}
	halfSource(r.limits[kLimSource], r.limits[kLimDate], "the limits", r.add)
	halfSource(r.life[kLifeSource], r.life[kLifeDate], "the lifecycle", r.add)
	for i := 0; i < len(r.prices) && r.pricedBy(1<<pSource|1<<pDate); i++ {
		p := &r.prices[i]
		if (p.k[pSource] == nil) != (p.k[pDate] == nil) {
			halfSource(p.k[pSource], p.k[pDate], "the price of "+p.meterName(), r.add)
		}
	}
}
