package check

import (
	"strings"

	"github.com/opcat/opcat/compile/tree"
	"github.com/opcat/opcat/diag"
)

// A fact that something beside it makes meaningless is read by one person as
// true and by the next as ignored. It is refused instead.

// moot is the finding that a key means nothing beside another fact.
func moot(n, beside *tree.Node, message, help string) diag.Diagnostic {
	d := diag.Diagnostic{Code: diag.FieldNotApplicable, At: n.KeyAt(), Message: message, Got: n.Str(), Help: help}
	if n.Key.Name == "" {
		d.At = n.At()
	}
	if beside != nil {
		d.Notes = against(beside)
	}
	return d
}

// notApplicable finds keys of a provider that its kind or scheme has no use for.
func (p *provider) notApplicable() {
	scheme := p.credential.Get("scheme")
	if p.credential != nil && scheme != nil {
		for n := p.credential.First(); n != nil; n = n.Next() {
			var message string
			switch name := n.Name(); {
			case scheme.Str() == "none" && (name == "env" || name == "origins" || name == "header" || name == "query"):
				message = quote(name) + " means nothing where there is no credential"
			case name == "header" && scheme.Str() != "header", name == "query" && scheme.Str() != "query":
				message = quote(name) + " is the field of scheme " + quote(name) + ", not of " + quote(scheme.Str())
			default:
				continue
			}
			p.add(moot(n, scheme, message, "remove it, or change the scheme"))
		}
	}
	kind := p.Table.Get("kind")
	if n := p.Table.Get("process"); n != nil && kind.Str() != "agent" {
		p.add(moot(n, kind, "only an agent has a process", `remove it, or say kind = "agent"`))
	}
	if n := p.Table.Get("local_runtime"); n != nil && kind != nil && kind.Str() != "local" && kind.Str() != "api" {
		p.add(moot(n, kind, "a provider of kind "+quote(kind.Str())+" is not started on the user's machine", `remove it, or say kind = "local"`))
	}
	if h := p.Table.Get("healthcheck"); h.Get("path") != nil && h.Get("url") != nil {
		p.add(moot(h.Get("path"), h.Get("url"), "the health check has both a path and a url", "keep one"))
	}
	if r := p.Table.Get("local_runtime"); r != nil && r.Get("lora_modules_arg") == nil {
		for _, name := range []string{"lora_modules_value_format", "max_lora_rank_arg"} {
			if n := r.Get(name); n != nil {
				p.add(moot(n, nil, quote(name)+" means nothing without lora_modules_arg", "add lora_modules_arg, or remove it"))
			}
		}
	}
	for l := p.Table.Get("fallback_price").First(); l != nil; l = l.Next() {
		var e price
		e.read(l)
		e.notApplicable(p.add)
	}
}

// notApplicable finds keys of a row's prices and parts that mean nothing there.
func (r *row) notApplicable() {
	for i := 0; i < len(r.prices) && r.pricedBy(1<<pCeiling|1<<pLifetime|1<<pGuard); i++ {
		r.prices[i].notApplicable(r.add)
	}
}

func (p *price) notApplicable(add func(diag.Diagnostic)) {
	if n := p.k[pCeiling]; n != nil && !p.k[pDynamic].IsTrue() {
		add(moot(n, p.amount(), "a ceiling bounds a price that changes from call to call, and this one is fixed", "remove it, or say dynamic = true instead of the amount"))
	}
	if n := p.k[pLifetime]; n != nil && p.k[pMeter] != nil && !strings.HasPrefix(p.meterName(), "cache_") {
		add(moot(n, p.k[pMeter], quote(p.meterName())+" has no cache lifetime", "remove it; only the cache_ meters have one"))
	}
	if n := p.k[pGuard]; n.IsTrue() && !p.aboveGuard() {
		d := moot(n, p.amount(), "the price is not above the guard, so it needs no exemption", "remove it: a later mistake would pass unseen")
		d.Warning = true
		add(d)
	}
}

// upstreams are the decision protocols that can be told which server to use.
var upstreams = []string{"openrouter_decisions", "vercel_evaluate", "vercel_sdk_decision"}

// notApplicable finds keys of a contract that its protocol or its inputs have no
// use for.
func (c *contract) notApplicable() {
	inputs := c.kids[c.k.inputs]
	if n := c.get(c.k.upstream); n != nil && len(c.protocols) > 0 {
		if w := c.protocols[0].name; !contains(upstreams, w.Str()) {
			d := moot(n, w, w.Str()+" dials its server directly: there is no upstream to pin", "remove it")
			d.Allowed = []string{"no upstream"}
			c.add(d)
		}
	}
	if n := c.limit(c.k.lim.images); n != nil && inputs != nil && !inputs.Has("image") && !overruled(n, inputs) {
		c.add(moot(n, inputs, "the contract takes no images, so their number has no limit", `add "image" to input_kinds, or remove the limit`))
	}
	if n := c.get(c.k.image).Get("remote_url"); n.IsTrue() && inputs != nil && !inputs.Has("image") && !overruled(n, inputs) {
		c.add(moot(n, inputs, "the contract takes no images, so none by URL", `add "image" to input_kinds, or remove it`))
	}
	if n := c.get(c.k.searchUnit); n != nil {
		if m := c.kids[c.k.meters]; m != nil && !m.Has("search_unit") && !overruled(n, m) {
			c.add(moot(n, m, "the contract is not billed by search unit", `add "search_unit" to meters, or remove it`))
		}
	}
	for i := range c.alternatives {
		a := &c.alternatives[i]
		for _, b := range [...]*tree.Node{a.k[sMin], a.k[sMax]} {
			if b != nil && !numeric(a.kind) {
				c.add(moot(b, nil, quote(b.Name())+" bounds numbers, and the values of "+quote(a.setting.Name())+" are none", "list the values instead: values = [...]"))
			}
		}
	}
}

func contains(list []string, s string) bool {
	for _, v := range list {
		if v == s {
			return true
		}
	}
	return false
}
