package migrate

import "github.com/opcat/opcat/diag"

// cache writes the prompt cache (L27). What a provider says of all its routes is
// left out where the route has no cache.
func (w *writer) cache() {
	on := w.node("prompt_caching")
	for _, name := range cacheFacts {
		g := w.get(name)
		if g.node == nil || !on.IsTrue() && g.rule == nil {
			continue
		}
		if name == "prompt_cache_ttls" {
			w.values("prompt_cache_ttl", g.node, g.node.Strings()...)
			w.movedBy("L27", g.node, textOperation+".settings.prompt_cache_ttl")
		}
	}
	w.carry(cacheOn())
	if on.IsTrue() || w.get("prompt_cache_min_prefix_tokens").rule != nil {
		w.carry(cachePrefix())
	}
	if on.IsTrue() || w.get("cache_breakpoint_style").rule != nil {
		w.carry(cacheBreakpoint())
	}
}

// cacheFacts describe a prompt cache that is there.
var cacheFacts = []string{"prompt_cache_ttls", "prompt_cache_min_prefix_tokens", "cache_breakpoint_style"}

var (
	cacheOn         = groupOf("cache", "L27", "prompt_caching", "on")
	cachePrefix     = groupOf("cache", "L27", "prompt_cache_min_prefix_tokens", "min_prefix_tokens")
	cacheBreakpoint = groupOf("cache", "L27", "cache_breakpoint_style", "breakpoint")
)

func (v *view) judgeCache() {
	on := v.get("prompt_caching")
	if !on.node.IsFalse() {
		return
	}
	for _, name := range cacheFacts {
		g := v.get(name)
		if g.node == nil || name == "prompt_cache_ttls" && g.node.First() == nil || g.node.Str() == "none" {
			continue
		}
		v.quarrel(g, on, diag.Diagnostic{Code: diag.CacheFactWithoutCache,
			Message: name + " describes a prompt cache, and there is none", Got: spell(g.node), Allowed: []string{"prompt_caching = true"}})
	}
}
