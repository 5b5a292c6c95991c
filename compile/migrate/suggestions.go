package migrate

// writeSuggestions keeps the patterns by which format 0 guessed a provider from an
// id, for messages only (L37): they serve nothing.
func (m *migration) writeSuggestions() {
	seen := map[string]bool{}
	for _, f := range m.catalog {
		for rule := range f.Table.Get("inference_rules").Each() {
			provider := rule.Get("provider")
			if provider == nil || m.testDouble(provider) {
				continue
			}
			pattern, at := "", rule.Get("exact")
			switch {
			case at != nil:
				pattern = at.Str()
			case rule.Get("pattern") != nil:
				at = rule.Get("pattern")
				pattern = at.Str()
			case rule.Get("contains") != nil:
				at = rule.Get("contains")
				pattern = "*" + at.Str() + "*"
			default:
				continue
			}
			if seen[pattern] {
				m.moved("L37", at, "", "inference rule "+quote(pattern), "dropped").Note = "an earlier rule has the pattern"
				continue
			}
			seen[pattern] = true
			m.say(m.into(f.File, f.Broken, "suggest"), pattern, at, provider.Str())
			m.moved("L37", at, "", "inference rule "+quote(pattern)+" to "+provider.Str(), "suggest")
		}
	}
}
