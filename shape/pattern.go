package shape

import (
	"fmt"
	"strings"
	"sync"
)

// Pattern is a regular expression for the texts of a kind, anchored at both ends; ""
// for a kind that is not written as a text of a fixed form. It says what the decoder
// of fragments accepts, no more and no less.
//
// It keeps to what the engines of Go, ECMAScript (with the u flag) and Rust read
// alike: no look-around, no classes by name, no escapes of code points.
func (k Kind) Pattern() string { return patterns()[k] }

const (
	idPart = `[a-z0-9][a-z0-9._-]{0,63}`
	hole   = `\{` + idPart + `\}`

	amountPart = `[0-9]{1,18}(\.[0-9]{1,18})?`
	clockPart  = `([01][0-9]|2[0-3]):[0-5][0-9]`
	portPart   = `(:[0-9]{1,5})?`

	escapePart = `%[0-9A-Fa-f]{2}`
	pathPart   = `(/([^\x00-\x20\x7f{}%#?]|` + escapePart + `|` + hole + `)*)?(\?([^\x00-\x20\x7f{}#]|` + hole + `)*)?`
	sourcePart = `(/([^\x00-\x20\x7f%#?]|` + escapePart + `)*)?(\?[^\x00-\x20\x7f#]*)?(#([^\x00-\x20\x7f%]|` + escapePart + `)*)?`
)

// inner is a character of an id on somebody's wire: no control. Outer ones are no
// blanks either, and Unicode has more of those than ASCII.
const (
	inner = `[^\x00-\x1f\x7f]`
	outer = "[^\\x00-\\x20\\x7f\u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]"
	wire  = outer + `(` + inner + `*` + outer + `)?`
)

// patterns are made when somebody asks: most programs never do.
var patterns = sync.OnceValue(func() map[Kind]string {
	return map[Kind]string{
		Text:     `^[^\x00-\x08\x0b-\x1f\x7f]+$`,
		ID:       `^` + idPart + `$`,
		WireID:   `^` + wire + `$`,
		Glob:     `^` + wire + `$`,
		RowID:    `^` + idPart + `/` + wire + `$`,
		Amount:   `^` + amountPart + `$`,
		Number:   `^-?` + amountPart + `$`,
		Date:     `^` + datePart() + `(T` + clockPart + `:[0-5][0-9](\.[0-9]+)?(Z|[+-]` + clockPart + `))?$`,
		Duration: `^(([1-9][0-9]{0,4}(\.[0-9]{1,3})?|0\.[0-9]{0,2}[1-9])(h|m|s|ms)){1,4}$`,
		Clock:    `^(` + clockPart + `|24:00)$`,
		Offset:   `^[+-]((0[0-9]|1[0-3]):[0-5][0-9]|14:00)$`,
		URL:      `^(https://` + hostPart("A-Z", "A-F", hole) + `|http://` + loopbackPart("A-Z") + `)` + portPart + pathPart + `$`,
		Origin:   `^(https://` + hostPart("", "", hole) + `|http://` + loopbackPart("") + `)` + portPart + `$`,
		Source:   `^(https://` + hostPart("A-Z", "A-F", "") + portPart + sourcePart + `|pkg:[^\x00-\x20\x7f/]+/[^\x00-\x20\x7f]+)$`,
		EnvName:  `^[A-Za-z_][A-Za-z0-9_]*$`,
		Header:   "^[A-Za-z0-9!#$%&'*+.^_`|~-]+$",
		Range:    `^` + comparator() + `(( ?, ?| | ?\|\| ?)` + comparator() + `){0,5}$`,
		Semver:   `^` + number + `(\.` + number + `){2}(-` + prerelease(3) + `)?(\+[0-9A-Za-z-]{1,20}(\.[0-9A-Za-z-]{1,20}){0,3})?$`,
	}
})

// datePart is a day that exists: months have their length, and every fourth year a
// day more but for centuries that 400 does not divide.
func datePart() string {
	leap := `([0-9]{2}(0[48]|[2468][048]|[13579][26])|([02468][048]|[13579][26])00)`
	return `([0-9]{4}-((0[13578]|1[02])-(0[1-9]|[12][0-9]|3[01])|(0[469]|11)-(0[1-9]|[12][0-9]|30)|02-(0[1-9]|1[0-9]|2[0-8]))|` + leap + `-02-29)`
}

// hostPart is a host: a name, which may have holes, or an IPv6 address in brackets.
func hostPart(letters, hex, holes string) string {
	name := `[a-z` + letters + `0-9._-]`
	if holes != "" {
		name = `(` + name + `|` + holes + `)`
	}
	group := `[0-9a-f` + hex + `]{1,4}`
	forms := []string{fmt.Sprintf(`(%[1]s:){7}%[1]s`, group), fmt.Sprintf(`(%s:){1,7}:`, group)}
	for before := 6; before > 0; before-- { // groups before the run of zeros, the rest after it
		forms = append(forms, fmt.Sprintf(`(%[1]s:){1,%[2]d}(:%[1]s){1,%[3]d}`, group, before, 7-before))
	}
	forms = append(forms, fmt.Sprintf(`:((:%s){1,7}|:)`, group))
	return `(` + name + `+|\[(` + strings.Join(forms, `|`) + `)\])`
}

// loopbackPart is this machine, the one host that plain http may go to.
func loopbackPart(letters string) string {
	const octet = `(25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])`
	return `(([a-z` + letters + `0-9._-]|` + hole + `)*\.localhost|localhost|127(\.` + octet + `){3}|\[::1\])`
}

const number = `(0|[1-9][0-9]{0,8})`

// prerelease is what stands after a version's hyphen: an identifier, and up to more
// of them.
func prerelease(more int) string {
	const identifier = `(0|[1-9][0-9]{0,8}|[0-9]{0,9}[A-Za-z-][0-9A-Za-z-]{0,9})`
	return fmt.Sprintf(`%[1]s(\.%[1]s){0,%[2]d}`, identifier, more)
}

// comparator is one condition of a version range.
func comparator() string {
	return `(=|!=|>=?|<=?|~|\^)? ?(\*|` + number + `(\.(` + number + `|[xX*])){0,2}(-` + prerelease(1) + `)?)`
}
