package embedding

import (
	"slices"
	"strconv"

	"github.com/opcat/opcat/catalog"
	"github.com/opcat/opcat/operations/op"
)

// judge compares the width and the numbers of the vectors with what a contract
// offers.
func judge(c *catalog.Contract, n *op.Needs) op.Complaint {
	e := c.Embedding
	if w := n.At(atDimensions); !w.IsZero() {
		width, err := strconv.ParseInt(w.String(), 10, 64)
		switch {
		case e.Dimensions == nil:
			return op.Complaint{Why: op.Unknown, Field: "dimensions", Got: w.String()}
		case err != nil || !offers(e.Dimensions, width):
			return op.Complaint{Why: op.Refused, Field: "dimensions", Got: w.String(), Allowed: widths(e.Dimensions)}
		}
	}
	if t := n.At(atElementType); !t.IsZero() {
		switch {
		case e.ElementTypes == nil:
			return op.Complaint{Why: op.Unknown, Field: "element_type", Got: t.String()}
		case !slices.Contains(e.ElementTypes, t.String()):
			return op.Complaint{Why: op.Refused, Field: "element_type", Got: t.String(), Allowed: e.ElementTypes}
		}
	}
	return op.Complaint{}
}

// offers reports whether a vector may be so wide.
func offers(d *catalog.Dimensions, width int64) bool {
	low, hasLow := d.Min.Get()
	high, hasHigh := d.Max.Get()
	switch {
	case width == d.Default || slices.Contains(d.Allowed, width):
		return true
	case hasLow || hasHigh:
		return (!hasLow || width >= low) && (!hasHigh || width <= high)
	}
	return false
}

func widths(d *catalog.Dimensions) []string {
	var all []string
	for _, w := range d.Allowed {
		all = append(all, strconv.FormatInt(w, 10))
	}
	low, hasLow := d.Min.Get()
	high, hasHigh := d.Max.Get()
	switch {
	case hasLow && hasHigh:
		all = append(all, strconv.FormatInt(low, 10)+" to "+strconv.FormatInt(high, 10))
	case hasLow:
		all = append(all, "at least "+strconv.FormatInt(low, 10))
	case hasHigh:
		all = append(all, "at most "+strconv.FormatInt(high, 10))
	case all == nil:
		all = append(all, strconv.FormatInt(d.Default, 10))
	}
	return all
}

func limit(c *catalog.Contract, name string) (n catalog.Opt[int64]) {
	l := c.Embedding.Limits
	if l == nil {
		return n
	}
	switch name {
	case "input_tokens":
		return l.InputTokens
	case "request_tokens":
		return l.RequestTokens
	case "items":
		return l.Items
	}
	return n
}
