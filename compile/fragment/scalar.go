package fragment

import (
	"bytes"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/opcat/opcat/compile/tree"
	"github.com/opcat/opcat/diag"
	"github.com/opcat/opcat/internal/canon"
	"github.com/opcat/opcat/shape"
	"github.com/pelletier/go-toml/v2/unstable"
)

// scalar reads a string, number or boolean of the type into n.
func (d *decoder) scalar(n *tree.Node, t *shape.Type, in *tree.Node, v *unstable.Node) {
	switch n.Form {
	case shape.FormString:
		if int(v.Raw.Length) == len(v.Data)+2 { // one line, nothing escaped
			n.SetText(alias(v.Data))
		} else {
			n.SetText(d.text(n, v))
		}
	case shape.FormInteger:
		n.SetText(d.integer(n, v))
	case shape.FormBool:
		n.SetText("false")
		if v.Data[0] == 't' {
			n.SetText("true")
		}
	case shape.FormFloat:
		n.SetText(d.float(n, v))
	}
	if n.Mark&markBad != 0 {
		return
	}
	switch t.Kind {
	case shape.Enum:
		if word, ok := t.Word(n.Str()); ok {
			n.SetText(word)
		} else {
			d.unknownEnum(n, in, t)
		}
	case shape.Count:
		d.inRange(n, t)
	case shape.Bool, shape.Any, shape.Float:
	default:
		if n.Str() == d.good[t.Kind] && n.Str() != "" { // sources and dates repeat from row to row
			n.SetText(d.good[t.Kind])
			return
		}
		if why := badText(t.Kind, n.Str()); why != "" {
			d.badValue(n, in, t, why)
			return
		}
		if t.Kind == shape.Amount || t.Kind == shape.Number {
			n.SetText(canon.Decimal(n.Str()))
		}
		d.good[t.Kind] = n.Str()
	}
}

// text reads a string of several lines or with escapes. It aliases the file's bytes
// if there are none.
func (d *decoder) text(n *tree.Node, v *unstable.Node) string {
	raw := d.src[v.Raw.Offset : v.Raw.Offset+v.Raw.Length]
	multiline := len(raw) >= 6 && raw[0] == raw[1] && raw[1] == raw[2]
	if raw[0] == '"' {
		if i := newerEscape(raw); i >= 0 {
			d.newerTOML(n, v.Raw.Offset+uint32(i))
		}
	}
	if multiline && bytes.Contains(v.Data, []byte("\r\n")) {
		return strings.ReplaceAll(string(v.Data), "\r\n", "\n") // the same value as from a file with LF ends
	}
	return alias(v.Data)
}

// newerEscape finds an escape that TOML 1.0 does not have: \e and \x.
func newerEscape(raw []byte) int {
	for i := 0; i+1 < len(raw); i++ {
		if raw[i] != '\\' {
			continue
		}
		if raw[i+1] == 'e' || raw[i+1] == 'x' {
			return i
		}
		i++
	}
	return -1
}

func (d *decoder) integer(n *tree.Node, v *unstable.Node) string {
	s := alias(v.Data)
	if plain := s[0] != '0' || len(s) == 1; plain && len(s) < 19 && strings.IndexByte(s, '_') < 0 && s[0] != '+' && s[0] != '-' {
		return s
	}
	i, err := strconv.ParseInt(s, 0, 64)
	if err != nil {
		d.report(n, diag.Diagnostic{Code: diag.OutOfRange, At: n.At(), Message: d.nameOf(n.Key) + " does not fit a 64-bit integer", Got: s})
		return s
	}
	return strconv.FormatInt(i, 10)
}

// float keeps the exact number that a float is written as.
func (d *decoder) float(n *tree.Node, v *unstable.Node) string {
	s := strings.ReplaceAll(string(v.Data), "_", "")
	switch strings.TrimLeft(s, "+-") {
	case "inf", "nan":
		d.report(n, diag.Diagnostic{Code: diag.NotANumber, At: n.At(), Message: d.nameOf(n.Key) + " is " + s + ", which is no amount", Got: s,
			Help: "write the number, or leave the key out if it is not known"})
		return s
	}
	if exp := strings.IndexAny(s, "eE"); exp >= 0 {
		// an exponent of thousands of digits is no number that a catalog holds
		if e, err := strconv.Atoi(s[exp+1:]); err != nil || e > 64 || e < -64 {
			d.report(n, diag.Diagnostic{Code: diag.OutOfRange, At: n.At(), Message: d.nameOf(n.Key) + " has an exponent out of range", Got: s})
			return s
		}
		if r, ok := new(big.Rat).SetString(s); ok {
			prec, _ := r.FloatPrec()
			return r.FloatString(prec)
		}
	}
	return strings.TrimPrefix(s, "+")
}

func (d *decoder) inRange(n *tree.Node, t *shape.Type) {
	i := n.Int()
	if i >= t.Min && (t.Max == 0 || i <= t.Max) {
		return
	}
	want := ">= " + strconv.FormatInt(t.Min, 10)
	if t.Max != 0 {
		want = strconv.FormatInt(t.Min, 10) + " to " + strconv.FormatInt(t.Max, 10)
	}
	msg := d.nameOf(n.Key) + " is out of range"
	help := ""
	if i == 0 {
		help = "leave the key out if the number is not known: unknown is not zero"
	}
	d.report(n, diag.Diagnostic{Code: diag.OutOfRange, At: n.At(), Message: msg, Got: n.Str(), Allowed: []string{want}, Help: help})
}

// set sorts a list whose order means nothing and refuses a repeat.
func (d *decoder) set(n *tree.Node, t *shape.Type) {
	if n.First() == n.Last() {
		return
	}
	n.Sort(itemOrder(t.Elem))
	for a := n.First(); a != nil && a.Next() != nil; a = a.Next() {
		b := a.Next()
		if a.Str() == b.Str() && a.Form == b.Form { // the sort is stable: a stands before b in the file
			d.report(b, diag.Diagnostic{Code: diag.DuplicateItem, At: b.At(), Message: strconv.Quote(b.Str()) + " is listed twice in " + d.nameOf(n.Key),
				Got: b.Str(), Notes: []diag.Note{{At: a.At(), Message: "first listed here"}}, Help: "keep one"})
		}
	}
}

// itemOrder is the canonical order of a set: as declared for an enum, by value
// for counts, by bytes otherwise.
func itemOrder(t *shape.Type) func(a, b *tree.Node) int {
	switch t.Kind {
	case shape.Enum:
		return func(a, b *tree.Node) int { return slices.Index(t.Values, a.Str()) - slices.Index(t.Values, b.Str()) }
	case shape.Count:
		return func(a, b *tree.Node) int {
			switch x, y := a.Int(), b.Int(); {
			case x < y:
				return -1
			case x > y:
				return 1
			}
			return 0
		}
	}
	return func(a, b *tree.Node) int { return strings.Compare(a.Str(), b.Str()) }
}
