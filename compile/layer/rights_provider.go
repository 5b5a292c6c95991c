package layer

import (
	"github.com/opcat/opcat/compile/tree"
	"github.com/opcat/opcat/diag"
	"github.com/opcat/opcat/shape"
)

// anyLayer lists what every layer may change of a provider that lower layers
// state. All else says where a call goes, with which key, or what it costs.
var anyLayer = map[string]bool{
	"name": true, "docs": true, "quota": true, "presentation": true, "performance": true,
	"data_controls": true, "fallback_price": true, "platform_fee_percent": true, // each with rights of its own
	"add": true, "unset": true,
}

// providerRights judges what a layer above the weakest says of a provider; below
// is nil where it brings the provider.
func (m *merger) providerRights(below, above *tree.Node) {
	from := trustOf(above)
	if from == bundled {
		return
	}
	if from == untrusted {
		m.noVariables(above, above)
		if below == nil {
			m.ownProvider(above)
		} else {
			m.othersProvider(below, above)
		}
	}
	m.dataControls(below.Get("data_controls"), above, "", from)
}

// noVariables refuses every environment variable that a project or run layer
// names: a credential is its variable, whichever provider names it. A provider
// that such a layer brings could else send the key of another one to itself.
func (m *merger) noVariables(n, root *tree.Node) {
	t := n.Type()
	for c := range n.Each() {
		kind := c.Type()
		switch {
		case t != nil && t.Kind == shape.Map && t.KeyKind == shape.EnvName:
			m.namesVariable(c.KeyAt(), c, root, c.Key.Name)
		case kind != nil && kind.Kind == shape.List && kind.Elem.Kind == shape.EnvName:
			for item := range c.Each() {
				m.namesVariable(item.At(), c, root, item.Str())
			}
		case kind != nil && kind.Kind == shape.EnvName:
			m.namesVariable(c.At(), c, root, c.Str())
		default:
			m.noVariables(c, root)
		}
	}
}

func (m *merger) namesVariable(at diag.Pos, n, root *tree.Node, name string) {
	m.refuse(diag.CredentialNotAllowed, at, n, nil, "a "+layerName(root)+" layer names the environment variable "+name, noNames)
}

const noNames = "a project or run layer names no variable at all; move the provider to the user layer"

// ownProvider judges a provider that an untrusted layer brings: it has no
// credential, and it starts no program.
func (m *merger) ownProvider(above *tree.Node) {
	switch s := above.Path("credential", "scheme"); {
	case s == nil || s.Str() == "none":
	case above.Path("credential", "env").First() != nil: // each variable was refused
		m.leaveOut(s)
	default:
		m.refuse(diag.CredentialNotAllowed, s.At(), s, nil, "a provider of a "+layerName(above)+" layer takes a credential: scheme "+quote(s.Str()),
			"write scheme = \"none\", or move the provider to the user layer")
	}
	for _, name := range []string{"process", "local_runtime"} {
		if c := above.Get(name); c != nil {
			m.refuse(diag.LayerRight, c.KeyAt(), c, nil, "a "+layerName(above)+" layer may not say what program to start", "move the provider to the user layer")
		}
	}
}

// othersProvider judges what an untrusted layer says of a provider that it did
// not bring.
func (m *merger) othersProvider(below, above *tree.Node) {
	for c := range above.Each() {
		name := c.Key.Name
		switch {
		case name == "unset":
			for item := range c.Each() {
				if head := first(item.Str()); head == "fallback_price" || head == "platform_fee_percent" || !anyLayer[head] {
					m.notYours(head, item.At(), item, or(below.Get(head), below), "unset "+item.Str())
				}
			}
		case name == "platform_fee_percent":
			if was, is := decimal(below.Get(name).Str()), decimal(c.Str()); is == nil || was == nil || is.Cmp(was) < 0 {
				m.refuse(diag.LayerRight, c.At(), c, or(below.Get(name), below), "a "+layerName(c)+" layer may not lower a fee", "move it to the user layer")
			}
		case name == "fallback_price" && below.Get(name) == nil:
			m.refuse(diag.LayerRight, c.KeyAt(), c, below, "a "+layerName(c)+" layer may not state prices that nobody below states", "move them to the user layer")
		case name == "quota" || name == "presentation" || name == "performance":
		case !anyLayer[name]:
			m.notYours(name, c.KeyAt(), c, or(below.Get(name), below), "change "+name)
		}
	}
}

// notYours refuses a change of a lower layer's provider. Two of the reasons have
// codes of their own: the key, and where it is sent.
func (m *merger) notYours(name string, at diag.Pos, above, below *tree.Node, what string) {
	code := diag.LayerRight
	switch name {
	case "credential":
		code = diag.CredentialNotAllowed
	case "endpoint", "healthcheck":
		code = diag.OriginNotAllowed
	}
	m.refuse(code, at, above, below, "a "+layerName(above)+" layer may not "+what+" of a provider of a lower layer", "move it to the user layer")
}
