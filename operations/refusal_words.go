package operations

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/opcat/opcat/catalog"
	"github.com/opcat/opcat/operations/op"
)

// refuse puts a reason into words. name is the route as it was asked for.
func (r *route) refuse(name string, why reason) *Refusal {
	f := &Refusal{Code: why.code, Route: name, Operation: r.op.Name, Field: why.Field, Got: why.Got, Allowed: slices.Clone(why.Allowed)}
	switch why.code {
	case RouteEnded:
		r.ended(f)
	case PriceAboveBound:
		f.Message = "the worst case costs " + why.Got + " USD, " + why.Allowed[0] + " is asked"
		f.Help = "make the input smaller, or raise the bound"
		if slices.Contains(r.op.SettingNames(), "max_output_tokens") {
			f.Help = "lower max_output_tokens or the input, or raise the bound"
		}
	case PriceUnknown:
		f.Message = "no bound can be kept: " + why.Note
	case BoundUnenforceable:
		f.Message = "no bound can be kept: " + why.Note
	default:
		f.Message = why.message(subjectName(why))
		if why.Why == op.Missing && why.code == NoProtocol && why.Field != "protocol" {
			f.Message = "the endpoint's URL has a hole that nothing fills: {" + why.Field + "}"
			f.Help = "give the variable " + quote(why.Field) + " in the terms"
			if why.Note != "" {
				f.Help += "; " + why.Note
			}
		}
	}
	return f
}

// ended names when the row ended and what follows it.
func (r *route) ended(f *Refusal) {
	f.Message = "the row " + quote(r.row.ID) + " is past its end"
	l := r.row.Lifecycle
	for _, d := range []catalog.Date{l.EndsOn, l.AnnouncedEnd} {
		if d != "" {
			f.Message += ", " + string(d)
			break
		}
	}
	if l.Successor != "" {
		f.Allowed = []string{l.Successor}
		f.Help = "its successor is " + l.Successor
	}
}

// subjectName says what a complaint is about.
func subjectName(why reason) string {
	switch why.Field {
	case "input_kinds":
		return quote(why.Got) + " as an input"
	case "output_kinds":
		return quote(why.Got) + " as an output"
	case "question_kinds":
		return "questions of kind " + quote(why.Got)
	case "protocol":
		return "the protocol " + quote(why.Got)
	case "support":
		return "support of " + quote(why.Got)
	case "provider":
		return "the provider " + quote(why.Got)
	case "region":
		if why.Got == "" {
			return "a region"
		}
		return "the region " + quote(why.Got)
	}
	if why.Got != "" && why.Why != op.TooMany && why.Why != op.TooFew {
		return why.Field + " " + quote(why.Got)
	}
	return why.Field
}

// message is one line: whether it is refused, unknown, missing or too much.
func (why reason) message(subject string) string {
	s := ""
	switch {
	case why.code == ConstraintUnmet:
		return why.constraint(subject)
	case why.code == NoProtocol && why.Why == op.Missing:
		return "nothing can be sent: " + why.Note
	}
	switch why.Why {
	case op.Unknown:
		s = "nobody stated whether the route takes " + subject + "; what is unknown is refused"
	case op.Missing:
		s = subject + " must be given"
	case op.Clash:
		s = "the request asks for what does not go together: " + subject
	case op.TooMany:
		s = why.Field + ": " + strconv.FormatInt(why.Size, 10) + " is more than the limit, " + strconv.FormatInt(why.Limit, 10)
	case op.TooFew:
		s = why.Field + ": " + strconv.FormatInt(why.Size, 10) + " is less than the limit, " + strconv.FormatInt(why.Limit, 10)
	default:
		s = "the route refuses " + subject
		if why.code == NoProtocol || why.code == OriginDenied {
			s = "nothing can be sent: " + subject
		}
	}
	if len(why.Allowed) > 0 && why.Why != op.TooMany {
		s += "; it takes " + strings.Join(why.Allowed, ", ")
	}
	if why.Note != "" {
		s += " (" + why.Note + ")"
	}
	return s
}

// constraint is one line about a demand beside the request.
func (why reason) constraint(subject string) string {
	has := strings.Join(why.Allowed, ", ")
	s := "the route does not meet a constraint: " + subject
	switch {
	case why.Field == "provider":
		return s + " is not among those asked for, " + has
	case why.Why == op.Missing:
		return subject + " must be named; the row has " + has
	case why.Why == op.Unknown && why.Note == "":
		return s + " is asked for, and nobody stated what it has"
	case why.Note != "":
		return s + " (" + why.Note + ")"
	}
	return s + " is asked for, and it has " + has
}

// expired is the refusal of a catalog that is too old.
func expired(c *catalog.Catalog, name string, o *op.Operation, t *Terms) *Refusal {
	age := t.at(c).Sub(c.AsOf()).Truncate(time.Second)
	return &Refusal{Code: SnapshotExpired, Route: name, Operation: o.Name, Field: "max_age", Got: strconv.FormatInt(int64(age/time.Second), 10),
		Allowed: []string{"at most " + t.MaxAge.String()},
		Message: "the catalog is of " + string(catalog.DateOf(c.AsOf())) + ", which is " + age.String() + " before the request",
		Help:    "compile or fetch a newer catalog"}
}

func quote(s string) string { return strconv.Quote(s) }
