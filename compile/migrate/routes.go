package migrate

import (
	"github.com/opcat/opcat/diag"
)

// routes drops the routing routes of format 0 (L40): a route is a row and an
// operation, and computed. One that carries an operation as a label claims what no
// label can.
func (m *migration) routes() {
	for _, f := range m.catalog {
		for n := range f.Table.Get("routing_routes").Each() {
			for label := range n.Get("capabilities").Each() {
				name := operationNamed(label.Str())
				if name == "" {
					continue
				}
				m.report(diag.Diagnostic{Code: diag.OperationAsLabel, At: label.At(), Provider: n.Get("provider").Str(), Fields: []string{"capabilities"},
					Message: "a route carries its operation as a typed value, not as a label", Got: "capabilities: " + label.Str(),
					Allowed: []string{`operations = ["` + name + `"]`}, Help: "take the label away: routes follow from rows and their contracts"})
			}
			m.moved("L40", n, "", "routing route "+n.Get("provider").Str()+":"+n.Get("model").Str(), "dropped").Note = "routes follow from rows and their contracts"
		}
	}
}
