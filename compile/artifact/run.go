package artifact

import "github.com/opcat/opcat/diag"

// A Run is what every stage hands on beside its result.
type Run struct {
	AsOf     string    `json:"as_of,omitempty"`  // the date that the compile is for, once it is settled
	Accept   *Accept   `json:"accept,omitempty"` // the accept file, once one is named
	Findings diag.List `json:"findings"`         // what this stage and those before it found, before anything is accepted
}

// Accept is the accept file of a compile. It marks findings of all stages, so each
// hands it on.
type Accept struct {
	Name string `json:"name"`
	Text string `json:"text"`
}

// written is the run as an artifact holds it: an empty list, never null.
func (r Run) written() Run {
	if r.Findings == nil {
		r.Findings = diag.List{}
	}
	return r
}
