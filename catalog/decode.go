package catalog

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/opcat/opcat/internal/canon"
)

// A decoder reads canonical JSON, and nothing else: known keys in their one
// order, no blanks, no superfluous escapes or zeros. What it accepts is what the
// encoder writes. Its first error stands; after it everything reads as empty.
//
// Strings are views of the text. The text is a string, so nobody can change it.
type decoder struct {
	s   string
	i   int
	err error

	ordered     bool   // free-form tables must have their keys in order
	contractsAt int    // where the contracts of the row that was read stand
	spans       []span // and where each of them does
}

// A span is the place of one contract.
type span struct{ start, end int }

// maxNesting bounds free-form values; everything else is bounded by its shape.
const maxNesting = 64

func (d *decoder) fail(why string) {
	if d.err == nil {
		d.err = fmt.Errorf("byte %d: %s", d.i, why)
	}
	d.i = len(d.s)
}

// missing reports that a key is not where it must stand.
func (d *decoder) missing(key, found string) {
	if found == "" {
		d.fail("no " + key)
		return
	}
	d.fail("unknown or misplaced key " + strconv.Quote(found) + " where " + key + " must stand")
}

// peek is the next byte; 0 at the end.
func (d *decoder) peek() byte {
	if d.i < len(d.s) {
		return d.s[d.i]
	}
	return 0
}

func (d *decoder) eat(c byte) bool {
	if d.i < len(d.s) && d.s[d.i] == c {
		d.i++
		return true
	}
	return false
}

// open starts a table and gives its first key; "" if it is empty.
func (d *decoder) open() string {
	if !d.eat('{') {
		d.fail("no table")
		return ""
	}
	if d.eat('}') {
		return ""
	}
	return d.name()
}

// next gives the key after a value; "" at the end of the table.
func (d *decoder) next() string {
	if d.eat('}') {
		return ""
	}
	if !d.eat(',') {
		d.fail("no comma or brace after a value")
		return ""
	}
	return d.name()
}

func (d *decoder) name() string {
	k := d.text()
	if !d.eat(':') {
		d.fail("no colon after a key")
		return ""
	}
	return k
}

// close ends a table: a key that nobody took is unknown, repeated or out of order.
func (d *decoder) close(k string) {
	if k != "" {
		d.fail("unknown or misplaced key " + strconv.Quote(k))
	}
}

// text reads a string that is not empty.
func (d *decoder) text() string {
	s := d.string()
	if s == "" {
		d.fail("an empty text")
	}
	return s
}

func (d *decoder) string() string {
	if !d.eat('"') {
		d.fail("no string")
		return ""
	}
	for j := d.i; j < len(d.s); j++ {
		c := d.s[j]
		if plain[c] {
			continue
		}
		switch {
		case c == '"':
			s := d.s[d.i:j]
			d.i = j + 1
			return s
		case c == '\\':
			return d.escaped(j)
		default:
			d.fail("a control character in a string")
			return ""
		}
	}
	d.fail("a string without end")
	return ""
}

// plain are the bytes that stand for themselves in a string.
var plain = func() (p [256]bool) {
	for c := range p {
		p[c] = c >= ' ' && c != '"' && c != '\\'
	}
	return p
}()

// escaped reads the rest of a string that has an escape at j.
func (d *decoder) escaped(j int) string {
	b := []byte(d.s[d.i:j])
	for j < len(d.s) {
		c := d.s[j]
		switch {
		case c == '"':
			d.i = j + 1
			return string(b)
		case c < ' ':
			d.i = j
			d.fail("a control character in a string")
			return ""
		case c != '\\':
			b = append(b, c)
			j++
			continue
		}
		char, size := unescape(d.s[j:])
		if size == 0 {
			d.i = j
			d.fail("an escape that is not needed or not known")
			return ""
		}
		b = append(b, char)
		j += size
	}
	d.fail("a string without end")
	return ""
}

// unescape reads one escape of the canonical spelling and its length.
func unescape(s string) (char byte, size int) {
	if len(s) < 2 {
		return 0, 0
	}
	if i := strings.IndexByte(`"\btnfr`, s[1]); i >= 0 {
		return "\"\\\b\t\n\f\r"[i], 2
	}
	if len(s) < 6 || s[1:5] != "u000" && s[1:5] != "u001" {
		return 0, 0
	}
	low := strings.IndexByte("0123456789abcdef", s[5])
	if low < 0 {
		return 0, 0
	}
	c := (s[4]-'0')<<4 | byte(low)
	if strings.IndexByte("\b\t\n\f\r", c) >= 0 {
		return 0, 0
	}
	return c, 6
}

// word reads a member of a closed set.
func (d *decoder) word(words []string) string {
	s := d.string()
	for _, w := range words {
		if w == s {
			return w
		}
	}
	d.fail("unknown word " + strconv.Quote(s))
	return ""
}

func (d *decoder) bool() bool {
	switch {
	case strings.HasPrefix(d.s[d.i:], "true"):
		d.i += 4
		return true
	case strings.HasPrefix(d.s[d.i:], "false"):
		d.i += 5
		return false
	}
	d.fail("neither true nor false")
	return false
}

// count reads an integer of at least min, and at most max if that is not 0.
func (d *decoder) count(min, max int64) int64 {
	quoted := d.eat('"')
	start, n := d.i, int64(0)
	for d.i < len(d.s) && '0' <= d.s[d.i] && d.s[d.i] <= '9' {
		n = 10*n + int64(d.s[d.i]-'0')
		d.i++
	}
	digits := d.s[start:d.i]
	var err error
	if len(digits) == 0 || len(digits) > 18 { // or it may not fit
		n, err = strconv.ParseInt(digits, 10, 64)
	}
	switch {
	case err != nil:
		d.fail("no count")
	case len(digits) > 1 && digits[0] == '0' || quoted != (n > canon.MaxInteger):
		d.fail("a count in another spelling than its own")
	case quoted && !d.eat('"'):
		d.fail("a count without end")
	case n < min || max != 0 && n > max:
		d.fail("a count out of range")
	default:
		return n
	}
	return 0
}

func (d *decoder) decimal() Decimal {
	s := d.string()
	if !canon.IsDecimal(s) || canon.Decimal(s) != s {
		d.fail("not a decimal number in its one spelling: " + strconv.Quote(s))
		return ""
	}
	return Decimal(s)
}

func (d *decoder) date() Date {
	s := d.string()
	if !isDay(s) {
		if _, err := ParseDate(s); err != nil {
			d.fail(err.Error())
			return ""
		}
	}
	return Date(s)
}

// isDay recognises a plain day quickly; the 29th of February is left to ParseDate.
func isDay(s string) bool {
	if len(s) != 10 || s[4] != '-' || s[7] != '-' {
		return false
	}
	for i := 0; i < 10; i++ {
		if i != 4 && i != 7 && (s[i] < '0' || s[i] > '9') {
			return false
		}
	}
	month, day := (s[5]-'0')*10+s[6]-'0', (s[8]-'0')*10+s[9]-'0'
	return 1 <= month && month <= 12 && 1 <= day && day <= daysIn[month]
}

var daysIn = [...]byte{0, 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31}

func (d *decoder) value() Value {
	if d.peek() == '"' {
		return TextValue(d.text())
	}
	return BoolValue(d.bool())
}

// any reads a free-form value and keeps its text.
func (d *decoder) any() JSON {
	start := d.i
	d.ordered = true
	d.skip(maxNesting)
	d.ordered = false
	if d.err != nil {
		return ""
	}
	return JSON(d.s[start:d.i])
}

func (d *decoder) skip(depth int) {
	if depth == 0 {
		d.fail("nested too deep")
		return
	}
	switch c := d.peek(); {
	case c == '"':
		d.string()
	case c == '{':
		d.i++
		if d.eat('}') {
			return
		}
		before := ""
		for first := true; d.err == nil; first = false {
			k := d.string()
			if d.ordered && !first && k <= before {
				d.fail("a key that is repeated or out of order")
			}
			before = k
			if !d.eat(':') {
				d.fail("no colon after a key")
			}
			d.skip(depth - 1)
			if d.eat('}') {
				return
			}
			if !d.eat(',') {
				d.fail("no comma or brace after a value")
			}
		}
	case c == '[':
		d.i++
		if d.eat(']') {
			return
		}
		for d.err == nil {
			d.skip(depth - 1)
			if d.eat(']') {
				return
			}
			if !d.eat(',') {
				d.fail("no comma or bracket after an item")
			}
		}
	case c == 't' || c == 'f':
		d.bool()
	default:
		d.integer()
	}
}

// integer reads a free-form integer. Other numbers are decimal strings.
func (d *decoder) integer() {
	start := d.i
	d.eat('-')
	for d.i < len(d.s) && '0' <= d.s[d.i] && d.s[d.i] <= '9' {
		d.i++
	}
	n, err := strconv.ParseInt(d.s[start:d.i], 10, 64)
	if err != nil || n > canon.MaxInteger || n < -canon.MaxInteger || strconv.FormatInt(n, 10) != d.s[start:d.i] {
		d.fail("not a value")
	}
}

func list[T any](d *decoder, item func(*decoder) T, nonEmpty bool) []T {
	items := []T{}
	if !d.eat('[') {
		d.fail("no list")
		return nil
	}
	if d.eat(']') {
		if nonEmpty {
			d.fail("an empty list")
		}
		return items
	}
	for d.err == nil {
		items = append(items, item(d))
		if d.eat(']') {
			return items
		}
		if !d.eat(',') {
			d.fail("no comma or bracket after an item")
		}
	}
	return nil
}

// wordSet reads a set of words: in the order of the closed set, each once.
func (d *decoder) wordSet(words []string, nonEmpty bool) []string {
	at := -1
	return list(d, func(d *decoder) string {
		w := d.word(words)
		i := slices.Index(words, w)
		if i <= at && d.err == nil {
			d.fail("a set with a repeated or misplaced member " + w)
		}
		at = i
		return w
	}, nonEmpty)
}

// textSet reads a set of texts in byte order.
func (d *decoder) textSet(nonEmpty bool) []string {
	before := ""
	return list(d, func(d *decoder) string {
		s := d.text()
		if s <= before && d.err == nil {
			d.fail("a set with a repeated or misplaced member " + strconv.Quote(s))
		}
		before = s
		return s
	}, nonEmpty)
}

func (d *decoder) countSet(min, max int64, nonEmpty bool) []int64 {
	before := int64(-1)
	return list(d, func(d *decoder) int64 {
		n := d.count(min, max)
		if n <= before && d.err == nil {
			d.fail("a set with a repeated or misplaced count")
		}
		before = n
		return n
	}, nonEmpty)
}

func mapOf[T any](d *decoder, value func(*decoder) T) map[string]T {
	m := map[string]T{}
	before := ""
	k := d.open()
	for ; k != ""; k = d.next() {
		if k <= before {
			d.fail("a key that is repeated or out of order: " + strconv.Quote(k))
			return nil
		}
		before = k
		m[k] = value(d)
	}
	if d.err != nil {
		return nil
	}
	return m
}

func ref[T any](v T) *T { return &v }

func put[T any](m *map[string]T, k string, v T) {
	if *m == nil {
		*m = map[string]T{}
	}
	(*m)[k] = v
}

// contracts reads a row's operations in the registry's order.
func (d *decoder) contracts() []Contract {
	cs := []Contract{}
	at := -1
	d.contractsAt, d.spans = d.i, d.spans[:0]
	k := d.open()
	for ; k != ""; k = d.next() {
		i := slices.Index(operationNames, k)
		if i <= at {
			d.fail("unknown or misplaced operation " + strconv.Quote(k))
			return nil
		}
		at = i
		start := d.i
		cs = append(cs, d.contract(k))
		d.spans = append(d.spans, span{start, d.i})
	}
	d.close(k)
	return cs
}

// whole decodes one value that is all of the text.
func whole[T any](s string, read func(*decoder) T) (T, error) {
	d := decoder{s: s}
	v := read(&d)
	if d.err == nil && d.i != len(s) {
		d.fail("more text after the value")
	}
	if d.err != nil {
		var none T
		return none, d.err
	}
	return v, nil
}

var errNotUTF8 = errors.New("the text is not UTF-8")
