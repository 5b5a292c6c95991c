package migrate

import "strings"

// idVersion reads the version that an id carries, in the two namings that
// version_min knows: claude-<family>-4-5-20250929, claude-3-5-sonnet, gpt-5.4-mini.
// A number of four digits or more in the second place is a date and no minor
// version.
func idVersion(id string) (major, minor int, ok bool) {
	id = strings.ToLower(id)
	if _, rest, found := strings.Cut(id, "claude-"); found {
		for rest != "" {
			if major, minor, ok = leadingVersion(rest); ok {
				return major, minor, true
			}
			_, rest, _ = strings.Cut(rest, "-")
		}
		return 0, 0, false
	}
	if _, rest, found := strings.Cut(id, "gpt-"); found {
		return leadingVersion(rest)
	}
	return 0, 0, false
}

// leadingVersion reads 4, 4.5 or 4-5 at the start of s.
func leadingVersion(s string) (major, minor int, ok bool) {
	major, n := leadingNumber(s)
	if n == 0 {
		return 0, 0, false
	}
	if n < len(s) && (s[n] == '.' || s[n] == '-') {
		next, k := leadingNumber(s[n+1:])
		ends := n+1+k == len(s) || !letter(s[n+1+k])
		if k > 0 && next < 1000 && (s[n] == '.' || ends) {
			minor = next
		}
	}
	return major, minor, true
}

// leadingNumber reads the digits at the start of s; a number too long to be a
// version is as large as a date.
func leadingNumber(s string) (value, digits int) {
	for digits < len(s) && s[digits] >= '0' && s[digits] <= '9' {
		if value < 1e9 {
			value = value*10 + int(s[digits]-'0')
		}
		digits++
	}
	return value, digits
}

func letter(c byte) bool { return c >= 'a' && c <= 'z' }

// mayCarryVersion reports whether an id that a pattern fits can be one whose
// version is read: it names a versioned family, or leaves the family open.
func mayCarryVersion(pattern string) bool {
	pattern = strings.ToLower(pattern)
	if strings.Contains(pattern, "claude") || strings.Contains(pattern, "gpt") {
		return true
	}
	fixed := pattern
	if i := strings.IndexAny(pattern, `*?[{\`); i >= 0 {
		fixed = pattern[:i]
	} else {
		return false
	}
	name := fixed[strings.LastIndexByte(fixed, '/')+1:]
	return name == "" || strings.HasPrefix("claude-", name) || strings.HasPrefix("gpt-", name)
}
