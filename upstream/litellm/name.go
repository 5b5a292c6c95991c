package litellm

import (
	"fmt"
	"strings"
)

// A name is what the key of an entry says.
type name struct {
	wire       string
	region     string // "us-east-1", "eu"
	variant    string // "1024-x-1024", "hd 1024-x-1792"
	commitment string // "1-month-commitment"
}

func (n name) plain() bool { return n.region == "" && n.variant == "" && n.commitment == "" }

// routes are the words of the router that differ from the provider's own id.
var routes = map[string]string{
	"bedrock_converse": "bedrock", "azure_text": "azure", "amazon_nova": "amazon-nova", "cohere_chat": "cohere", "fireworks_ai-embedding-models": "fireworks_ai",
	"text-completion-openai": "openai", "codestral": "codestral",
}

// zones are the regions of Azure that a name may hold.
var zones = map[string]string{"eu": "eu", "us": "us", "global": "global", "global-standard": "global-standard"}

var qualities = map[string]bool{"low": true, "medium": true, "high": true, "standard": true, "hd": true, "auto": true}

// parseName takes a key apart. What stands before the model's own id is the router's
// word, a region, a size or a quality; the rest is the id, slashes and all.
func parseName(provider, key string) (n name, why string) {
	route := provider
	if r, ok := routes[provider]; ok {
		route = r
	} else if strings.HasPrefix(provider, "vertex_ai-") {
		route = "vertex_ai"
	}
	rest, routed := strings.CutPrefix(key, route+"/")
	if first, _, ok := strings.Cut(rest, "/"); !routed && ok && strings.HasPrefix(first, route) && first != route && !strings.ContainsAny(first, "-._:") {
		return n, fmt.Sprintf("the key begins with %q, which is the word %q and something else", first, route)
	}
	for {
		first, after, ok := strings.Cut(rest, "/")
		if !ok {
			break
		}
		switch {
		case isSize(first) || strings.HasSuffix(first, "-steps") || qualities[first] && hasSize(after):
			n.variant = strings.TrimSpace(n.variant + " " + first)
		case first == route && n.variant != "":
		case route == "bedrock" && first == "invoke":
		case route == "bedrock" && strings.HasSuffix(first, "-commitment"):
			n.commitment = first
		case route == "bedrock" && first == "*":
		case route == "bedrock" && isRegion(first):
			n.region = first
		case route == "azure" && zones[first] != "":
			n.region = first
		default:
			n.wire = rest
			return n, ""
		}
		rest = after
	}
	n.wire = rest
	return n, ""
}

func hasSize(rest string) bool {
	first, _, ok := strings.Cut(rest, "/")
	return ok && isSize(first)
}

// isSize: 1024-x-1024, max-x-max.
func isSize(s string) bool {
	a, b, ok := strings.Cut(s, "-x-")
	return ok && edge(a) && edge(b)
}

func edge(s string) bool {
	return s == "max" || s != "" && strings.Trim(s, "0123456789") == ""
}

// isRegion: us-east-1, ap-southeast-2, us-gov-west-1.
func isRegion(s string) bool {
	parts := strings.Split(s, "-")
	last := parts[len(parts)-1]
	return len(parts) >= 3 && len(parts[0]) == 2 && last != "" && strings.Trim(last, "0123456789") == ""
}
