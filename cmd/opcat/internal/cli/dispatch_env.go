package cli

import (
	"maps"
	"slices"

	snapshot "github.com/opcat/opcat/gen/json"
	"github.com/opcat/opcat/operations"
)

// dispatchEnv is what a call reads of the environment for the providers that the
// binary knows: credentials, and the variables of endpoints. A provider of another
// layer brings its own.
func dispatchEnv() []EnvVar {
	c, err := snapshot.Catalog()
	if err != nil {
		return nil // whoever asks the catalog for anything is told
	}
	secret := map[string]bool{}
	for p := range c.Providers() {
		if p.Credential != nil && p.Credential.Scheme != "aws_sigv4" && p.Credential.Scheme != "gcp_adc" { // those are never read
			for _, name := range p.Credential.Env {
				secret[name] = true
			}
		}
		for _, e := range p.Endpoint {
			for _, v := range e.Variable {
				if _, known := secret[v.Env]; !known && v.Env != "" {
					secret[v.Env] = false
				}
			}
		}
	}
	var vars []EnvVar
	for _, name := range slices.Sorted(maps.Keys(secret)) {
		vars = append(vars, EnvVar{Name: name, UsedBy: []string{"route dispatch"}, Secret: secret[name]})
	}
	return vars
}

// fillHoles reads the environment for the holes of the route's endpoints that the
// request's own terms leave open.
func fillHoles(inv *Invocation, b *book, o *operations.Order) {
	variables := map[string]string{}
	for hole, name := range o.Environment(b.Catalog) {
		if value := inv.Getenv(name); value != "" {
			variables[hole] = value
		}
	}
	maps.Copy(variables, o.Terms.Variables)
	o.Terms.Variables = variables
}
