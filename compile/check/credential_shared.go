package check

import (
	"github.com/opcat/opcat/compile/resolve"
	"github.com/opcat/opcat/compile/tree"
	"github.com/opcat/opcat/diag"
)

// credentialsShared finds providers that name one environment variable and send
// it to different origins. A credential is its variable, whichever provider
// names it: a copied provider table whose env was not changed would hand the
// first vendor's key to the second. A signature (aws_sigv4) does not carry its
// secret, so two providers that only sign are left alone; a layer that may send a
// key of a lower one elsewhere says so by naming it, and which may is not asked here.
func (c *checker) credentialsShared() {
	type use struct {
		by       *resolve.Provider
		env      *tree.Node
		scheme   string
		origins  *tree.Node
		reported bool
	}
	first := map[string]use{}
	for _, p := range c.draft.Providers {
		cred := p.Table.Get("credential")
		origins := cred.Get("origins")
		if origins == nil || p.Broken {
			continue
		}
		u := use{by: p, scheme: cred.Get("scheme").Str(), origins: origins}
		for n := cred.Get("env").First(); n != nil; n = n.Next() {
			u.env = n
			f, ok := first[n.Str()]
			if !ok {
				first[n.Str()] = u
				continue
			}
			if f.by == p || f.scheme == "aws_sigv4" && u.scheme == "aws_sigv4" || sameOrigins(f.origins, origins) || u.reported || overruled(f.env, n) || overruled(n, f.env) {
				continue
			}
			u.reported = true // one finding for a pair of providers, whatever variables they share
			c.add(diag.Diagnostic{Code: diag.CredentialShared, At: n.At(), Provider: p.ID, Got: n.Str(),
				Message: n.Str() + " is also the credential of provider " + quote(f.by.ID) + ", which sends it to other origins",
				Notes: []diag.Note{{At: f.env.At(), Message: "provider " + quote(f.by.ID) + " names it here"},
					{At: f.origins.At(), Message: "its origins: " + list(f.origins.Strings())},
					{At: origins.At(), Message: "the origins here: " + list(origins.Strings())}},
				Help: "name this provider's own variable; if it is one key for both, list the same origins in both"})
		}
	}
}

func sameOrigins(a, b *tree.Node) bool {
	within := func(a, b *tree.Node) bool {
		for n := a.First(); n != nil; n = n.Next() {
			found := false
			for m := b.First(); m != nil && !found; m = m.Next() {
				found = origin(n.Str()) == origin(m.Str())
			}
			if !found {
				return false
			}
		}
		return true
	}
	return within(a, b) && within(b, a)
}
