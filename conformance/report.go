package conformance

import (
	"cmp"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"slices"
	"strings"
	"time"
)

// A Level says what a failed check means.
type Level string

// A tool that fails a must does not conform; a should is advice.
const (
	Must   Level = "must"
	Should Level = "should"
)

// A Status is how a check ended.
type Status string

// The ends of a check, worst first.
const (
	Failed  Status = "fail"
	Errored Status = "error" // it could not be made
	Skipped Status = "skip"  // it was not made; never a pass
	Passed  Status = "pass"
)

var worst = []Status{Failed, Errored, Skipped, Passed}

// A Result is how one check ended.
type Result struct {
	ID     string  `json:"id"`
	Level  Level   `json:"level"`
	Status Status  `json:"status"`
	Asks   string  `json:"asks"`             // what the check wants
	Saw    string  `json:"saw"`              // what there was instead, or what was looked at
	Mend   string  `json:"mend,omitempty"`   // how to mend it, or the profile's key that enables the check
	Probes []Probe `json:"probes,omitempty"` // the runs that show it, enough to do them again by hand
	More   int     `json:"more,omitempty"`   // failures besides

	Took time.Duration `json:"-"`
}

// A Probe is one run that a failure was seen in.
type Probe struct {
	Saw    string   `json:"saw"`
	Argv   []string `json:"argv"` // after the binary
	Env    []string `json:"env,omitempty"`
	Exit   int      `json:"exit"` // -1 where a signal ended it
	Stdout string   `json:"stdout"`
	Stderr string   `json:"stderr"`
}

// A Report is how all of them ended, worst first.
type Report struct {
	Tool     string   `json:"tool"`
	Contract int      `json:"contract_version"`
	Passed   int      `json:"passed"`
	Failed   int      `json:"failed"` // errors among them
	Skipped  int      `json:"skipped"`
	Runs     int64    `json:"runs"`     // of the binary
	Isolated bool     `json:"isolated"` // whether probes had no network
	Results  []Result `json:"results"`

	Took time.Duration `json:"-"`

	Describe *Describe `json:"-"` // what the tool said of itself; never nil
}

// Unproven is what no report of this suite shows.
const Unproven = "not shown: that reads have no remote effect, that costs are true, that a sandboxed apply is what a real one would be"

// OK reports whether the tool conforms: no check that it must pass failed, and at
// least one passed.
func (r *Report) OK() bool { return len(r.Broken(Must)) == 0 && r.Passed > 0 }

// Broken are the checks of a level that failed or could not be made; of Should,
// those of both levels.
func (r *Report) Broken(level Level) []Result {
	var out []Result
	for _, c := range r.Results {
		if (c.Status == Failed || c.Status == Errored) && (level == Should || c.Level == Must) {
			out = append(out, c)
		}
	}
	return out
}

// Summary is the last line of a report.
func (r *Report) Summary() string {
	return fmt.Sprintf("%d passed, %d failed, %d skipped", r.Passed, r.Failed, r.Skipped)
}

// count fills in the counts and puts the worst first.
func (r *Report) count() {
	for _, c := range r.Results {
		switch c.Status {
		case Passed:
			r.Passed++
		case Skipped:
			r.Skipped++
		default:
			r.Failed++
		}
	}
	slices.SortStableFunc(r.Results, func(a, b Result) int {
		return cmp.Or(slices.Index(worst, a.Status)-slices.Index(worst, b.Status), strings.Compare(string(a.Level), string(b.Level)), strings.Compare(a.ID, b.ID))
	})
}

// byID are the results in the order of the checks.
func (r *Report) byID() []Result {
	return slices.SortedFunc(slices.Values(r.Results), func(a, b Result) int { return strings.Compare(a.ID, b.ID) })
}

// JSON is the whole report.
func (r *Report) JSON() ([]byte, error) {
	text, err := json.MarshalIndent(r, "", " ")
	return append(text, '\n'), err
}

// TAP is the report in the Test Anything Protocol, version 14.
func (r *Report) TAP() []byte {
	var b strings.Builder
	fmt.Fprintf(&b, "TAP version 14\n1..%d\n", len(r.Results))
	for i, c := range r.byID() {
		not, directive := "", ""
		switch c.Status {
		case Failed, Errored:
			not = "not "
		case Skipped:
			directive = " # SKIP " + strings.ReplaceAll(c.Saw, "#", `\#`)
		case Passed:
		}
		fmt.Fprintf(&b, "%sok %d - %s %s%s\n", not, i+1, c.ID, strings.ReplaceAll(c.Asks, "#", `\#`), directive)
		if not != "" {
			fmt.Fprintf(&b, "# %s\n", c.Saw)
		}
	}
	return []byte(b.String())
}

// JUnit is the report as CI systems read it.
func (r *Report) JUnit() ([]byte, error) {
	type message struct {
		Message string `xml:"message,attr"`
		Text    string `xml:",chardata"`
	}
	type testcase struct {
		Name    string   `xml:"name,attr"`
		Class   string   `xml:"classname,attr"`
		Failure *message `xml:"failure,omitempty"`
		Error   *message `xml:"error,omitempty"`
		Skipped *message `xml:"skipped,omitempty"`
	}
	type suite struct {
		XMLName  xml.Name   `xml:"testsuite"`
		Name     string     `xml:"name,attr"`
		Tests    int        `xml:"tests,attr"`
		Failures int        `xml:"failures,attr"`
		Errors   int        `xml:"errors,attr"`
		Skipped  int        `xml:"skipped,attr"`
		Cases    []testcase `xml:"testcase"`
	}
	s := suite{Name: "conformance of " + r.Tool, Tests: len(r.Results), Skipped: r.Skipped}
	for _, c := range r.byID() {
		tc := testcase{Name: c.ID + " " + c.Asks, Class: "conformance." + string(c.Level)}
		m := &message{Message: c.Saw, Text: c.Mend}
		switch c.Status {
		case Failed:
			tc.Failure = m
			s.Failures++
		case Errored:
			tc.Error = m
			s.Errors++
		case Skipped:
			tc.Skipped = m
		case Passed:
		}
		s.Cases = append(s.Cases, tc)
	}
	text, err := xml.MarshalIndent(s, "", " ")
	return append(append([]byte(xml.Header), text...), '\n'), err
}
