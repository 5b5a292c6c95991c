package wire

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/opcat/opcat/catalog"
)

// A Number is a JSON number with its digits as they were sent; "" if the member
// was absent. A string, a yes or no, or null in its place is an error: none of
// them is a number, and a null probability is not a zero.
type Number string

// UnmarshalJSONFrom reads a number and nothing else.
func (n *Number) UnmarshalJSONFrom(dec *jsontext.Decoder) error {
	v, err := dec.ReadValue()
	if err != nil {
		return err
	}
	if v.Kind() != '0' {
		return fmt.Errorf("got %s where a number belongs", kindWord(v.Kind()))
	}
	*n = Number(v)
	return nil
}

func kindWord(k jsontext.Kind) string {
	switch k {
	case 'n':
		return "null"
	case 't', 'f':
		return "a yes or no"
	case '"':
		return "a string"
	case '{':
		return "an object"
	case '[':
		return "an array"
	case '0':
		return "a number"
	}
	return "nothing"
}

// maxExponent bounds what a number can grow to when its exponent is written out.
const maxExponent = 40

// Decimal is the exact value, with an exponent written out.
func (n Number) Decimal() (catalog.Decimal, error) {
	digits, exponent, found := strings.Cut(strings.ToLower(string(n)), "e")
	if !found {
		return catalog.ParseDecimal(digits)
	}
	e, err := strconv.Atoi(strings.TrimPrefix(exponent, "+"))
	if err != nil || e > maxExponent || e < -maxExponent {
		return "", fmt.Errorf("the exponent of %.40q is out of range", string(n))
	}
	return catalog.ParseDecimal(shift(digits, e))
}

// shift moves the point of a decimal number by e places to the right.
func shift(digits string, e int) string {
	digits, negative := strings.CutPrefix(digits, "-")
	whole, fraction, _ := strings.Cut(digits, ".")
	if e > 0 {
		fraction += strings.Repeat("0", max(0, e-len(fraction)))
		whole, fraction = whole+fraction[:e], fraction[e:]
	} else {
		whole = strings.Repeat("0", max(0, 1-e-len(whole))) + whole
		whole, fraction = whole[:len(whole)+e], whole[len(whole)+e:]+fraction
	}
	whole = strings.TrimLeft(whole, "0")
	if whole == "" {
		whole = "0"
	}
	out := whole
	if fraction != "" {
		out += "." + fraction
	}
	if negative {
		out = "-" + out
	}
	return out
}

var errCount = errors.New("is not a count")

// count is a whole number of things that were used: 96 and 96.0, not -1, 96.5 or
// "96".
func count(v jsontext.Value) (int64, error) {
	if v.Kind() != '0' {
		return 0, errCount
	}
	if n, err := strconv.ParseInt(string(v), 10, 64); err == nil && n >= 0 { // as nearly all are written
		return n, nil
	}
	d, err := Number(v).Decimal()
	if err != nil {
		return 0, err
	}
	n, err := strconv.ParseInt(string(d), 10, 64)
	if err != nil || n < 0 {
		return 0, errCount
	}
	return n, nil
}

// A Tally reads the counts of a usage object. What cannot be read spoils the
// usage and not the result: Err then says what it was.
type Tally struct{ Err string }

// Count reads a member that may be absent or null; false then, and false if it
// is no count.
func (t *Tally) Count(name string, v jsontext.Value) (int64, bool) {
	if len(v) == 0 || v.Kind() == 'n' {
		return 0, false
	}
	n, err := count(v)
	if err != nil {
		if t.Err == "" {
			t.Err = fmt.Sprintf("%s: %.40q %v", name, string(v), err)
		}
		return 0, false
	}
	return n, true
}

// Inside subtracts counts that lie inside a total; a total that is less than
// what lies in it spoils the usage.
func (t *Tally) Inside(name string, total int64, parts ...int64) int64 {
	for _, p := range parts {
		total -= p
	}
	if total < 0 {
		if t.Err == "" {
			t.Err = name + ": the parts are more than the whole"
		}
		return 0
	}
	return total
}
