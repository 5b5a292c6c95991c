package check

import (
	"github.com/opcat/opcat/compile/tree"
	"github.com/opcat/opcat/diag"
)

// The three ways to run a server on the user's machine: how it is started says
// how it is stopped and what it speaks.
var localRuntimes = [][3]string{
	{"daemon_api", "keep_alive_zero", "ollama_api"},
	{"managed_process", "pid", "open_ai_compatible"},
	{"external", "external", "open_ai_compatible"},
}

// localRuntime finds runtimes that would be started one way and stopped another,
// which leaves a server running or kills one that is not ours.
func (p *provider) localRuntime() {
	r := p.Table.Get("local_runtime")
	if r == nil {
		return
	}
	parts := [3]*tree.Node{r.Get("kind"), r.Get("stop"), r.Get("wire_protocol")}
	var first *tree.Node
	got := ""
	for _, n := range parts {
		if n == nil {
			continue
		}
		if first == nil {
			first = n
		}
		if got != "" {
			got += ", "
		}
		got += n.Str()
	}
	var allowed []string
	for _, t := range localRuntimes {
		fits := true
		for i, n := range parts {
			fits = fits && (n == nil || n.Str() == t[i])
		}
		if fits {
			return
		}
		allowed = append(allowed, t[0]+" with "+t[1]+" and "+t[2])
	}
	d := diag.Diagnostic{Code: diag.LocalRuntimeIncoherent, At: first.At(), Message: "kind, stop and wire_protocol do not go together", Got: got, Allowed: allowed}
	for _, n := range parts {
		if n != nil && n != first {
			d.Notes = append(d.Notes, note(n, n.Name()+" = "+quote(n.Str()))...)
		}
	}
	p.add(d)
}
