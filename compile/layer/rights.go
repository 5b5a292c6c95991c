package layer

import (
	"strings"

	"github.com/opcat/opcat/compile/tree"
	"github.com/opcat/opcat/diag"
	"github.com/opcat/opcat/shape"
)

// A trust is how far a layer may go. A project layer comes with a repository that
// somebody cloned, a run layer with an environment variable or a flag: neither may
// touch a credential, where it is sent, or what bounds the spending.
type trust uint8

const (
	untrusted trust = iota // project, run, and any layer that has no name here
	user
	host
	bundled
)

func trustOf(n *tree.Node) trust {
	if n == nil || n.File == nil {
		return bundled
	}
	switch n.File.Layer {
	case "bundled":
		return bundled
	case "":
		if n.File.Rank == 0 {
			return bundled
		}
	case "host":
		return host
	case "user":
		return user
	}
	return untrusted
}

// Trusted reports whether the layer that states a value may widen what a lower
// layer promises: bundled, host and user may, project and run may not.
func Trusted(n *tree.Node) bool { return trustOf(n) != untrusted }

func layerName(n *tree.Node) string {
	if n == nil || n.File == nil || n.File.Layer == "" {
		return "higher"
	}
	return n.File.Layer
}

// refuse reports what a layer may not say, with both places, and keeps it out of
// the merge.
func (m *merger) refuse(code diag.Code, at diag.Pos, above, below *tree.Node, message, help string) {
	m.leaveOut(above)
	d := diag.Diagnostic{Code: code, At: at, Message: message, Help: help}
	if below != nil {
		d.Notes = []diag.Note{{At: below.KeyAt(), Message: "stated by the lower layer"}}
	}
	m.add(d)
}

// leaveOut keeps a value out of the merge.
func (m *merger) leaveOut(n *tree.Node) {
	if m.refused == nil {
		m.refused = map[*tree.Node]bool{}
	}
	m.refused[n] = true
}

// first is the name before the first dot of a path.
func first(path string) string {
	head, _, _ := strings.Cut(path, ".")
	return head
}

// or gives the value, or what it is a part of if there is none: a place that a
// finding can point at.
func or(n, whole *tree.Node) *tree.Node {
	if n != nil {
		return n
	}
	return whole
}

// mostNear bounds how many findings look for what was meant: each looks through all
// names, and a tree with thousands of findings has one cause.
const mostNear = 64

// nearest gives the name that was most likely meant. The names are listed only if
// they are looked at.
func (m *merger) nearest(word string, names func() []string) (string, bool) {
	if m.near++; m.near > mostNear {
		return "", false
	}
	return diag.Nearest(word, names())
}

func isCount(n *tree.Node) bool {
	t := n.Type()
	return t != nil && t.Kind == shape.Count
}
