package check

import (
	"strings"

	"github.com/opcat/opcat/compile/tree"
	"github.com/opcat/opcat/diag"
)

// evidence finds contracts that claim more support than they show. "Documented"
// without the page and "probed" without the call are what everybody else's
// catalogs say of everything.
func (c *contract) evidence() {
	e := c.kids[c.k.evidence]
	if e == nil {
		return
	}
	support := e.Get("support")
	source, date := e.Get("source"), e.Get("checked_on")
	var lacks []string
	needs := func(names ...string) {
		for _, name := range names {
			if e.Get(name) == nil {
				lacks = append(lacks, name)
			}
		}
	}
	switch support.Str() {
	case "documented":
		needs("source", "checked_on")
	case "probed":
		needs("probed_on", "receipt")
		if len(c.Op.Settings) > 0 {
			needs("settings")
		}
	}
	if len(lacks) > 0 && !c.partial() {
		c.add(diag.Diagnostic{Code: diag.EvidenceIncomplete, At: support.At(), Message: support.Str() + " support lacks " + strings.Join(lacks, ", "), Got: support.Str(),
			Help: "add " + strings.Join(lacks, ", ") + ", or claim less"})
	}
	if support.Str() != "documented" && !c.partial() {
		halfSource(source, date, "the evidence", c.add)
	}
	for n := e.Get("settings").First(); n != nil; n = n.Next() {
		c.honoured(n)
	}
}

// honoured compares a setting that a probe saw honoured with what the contract
// says of it. A higher layer may refuse it all the same.
func (c *contract) honoured(n *tree.Node) {
	s := c.setting(n.Str())
	d := diag.Diagnostic{Code: diag.EvidenceContradicts, At: n.At(), Got: n.Str()}
	switch {
	case s == nil && !c.partial():
		d.Message = quote(n.Str()) + " was seen honoured, and the contract does not state it"
		d.Notes = []diag.Note{{At: c.place(), Message: "the contract"}}
		d.Help = "state the setting, or take it out of the evidence"
	case s != nil && !admits(s) && !overruled(n, s):
		d.Message = quote(n.Str()) + " was seen honoured, and the contract refuses it"
		d.Notes = note(s, "refused here")
		d.Help = "mend one of the two"
	default:
		return
	}
	c.add(d)
}
