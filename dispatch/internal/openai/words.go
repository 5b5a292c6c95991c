package openai

// Tier is our word for the service tier that an answer names; a word that is not
// ours stays as it is.
func Tier(word string) string {
	if word == "default" {
		return "standard"
	}
	return word
}

// TierWord is the wire's word for one of our service tiers.
func TierWord(tier string) string {
	if tier == "standard" {
		return "default"
	}
	return tier
}

// CacheMode is the wire's word for whether the server may mark what it caches by
// itself; without that, and without marks of the caller, nothing is cached.
func CacheMode(on, asked bool) string {
	switch {
	case !asked:
		return ""
	case on:
		return "implicit"
	}
	return "explicit"
}
