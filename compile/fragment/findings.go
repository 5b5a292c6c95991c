package fragment

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/opcat/opcat/compile/form"
	"github.com/opcat/opcat/compile/legacy"
	"github.com/opcat/opcat/compile/tree"
	"github.com/opcat/opcat/diag"
	"github.com/opcat/opcat/operations"
	"github.com/opcat/opcat/shape"
	"github.com/pelletier/go-toml/v2/unstable"
)

// report adds a finding about n, which then goes no further.
func (d *decoder) report(n *tree.Node, f diag.Diagnostic) {
	if n != nil {
		n.Mark |= markBad
	}
	d.bad = true
	d.diags = append(d.diags, f)
}

// at is the place of an offset of the current file.
func (d *decoder) at(off uint32) diag.Pos {
	line, col := d.lineAt(off)
	return diag.Pos{Layer: d.file.Layer, File: d.file.Path, Line: line, Col: col}
}

func (d *decoder) nameOf(k *shape.Key) string {
	if k.Name == "" {
		return "an item of the list"
	}
	return strconv.Quote(k.Name)
}

// required reports keys that a table must have and lacks.
func (d *decoder) required(n *tree.Node) {
	if n.Mark&markBad != 0 {
		return
	}
	t := n.Type().Table
	for _, k := range t.Keys {
		if k.Need != shape.Always || d.find(n, k) != nil || misspelt(n, k) {
			continue
		}
		d.report(nil, diag.Diagnostic{Code: diag.MissingKey, At: n.KeyAt(), Message: t.Name + " lacks " + strconv.Quote(k.Name),
			Help: k.Ask()})
	}
}

// misspelt reports whether a table has a key in another spelling, or without the table
// around it: that it is unknown has been said.
func misspelt(n *tree.Node, k *shape.Key) bool {
	for c := n.First(); c != nil; c = c.Next() {
		if c.Key.Index != unknownIndex {
			continue
		}
		if near, ok := diag.Nearest(c.Key.Name, n.Type().Table.Names()); ok && near == k.Name {
			return true
		}
		if n.Type().Table == form.Rule() && k.Name == "operations" && ofContract(c.Key.Name) {
			return true
		}
	}
	return false
}

// twice reports a key or table that the file writes a second time.
func (d *decoder) twice(first *tree.Node, part part, how string) {
	at := first.KeyAt()
	if first.Name() == "" {
		at = first.At()
	}
	d.report(nil, diag.Diagnostic{Code: diag.DuplicateKey, At: d.at(part.off), Message: strconv.Quote(part.name) + " is written twice",
		Notes: []diag.Note{{At: at, Message: "it " + how}}, Help: "keep one of the two"})
}

// repeated reports a key that a table has already. Where it is the first one of an entry,
// a new entry is meant and its header is missing: then the rest is no mistake.
func (d *decoder) repeated(t *table, there *tree.Node, part part) {
	if t.over {
		d.bad = true
		return
	}
	d.twice(there, part, "is already written here")
	if t.node.Name() == "" && t.node.Mark&markHeader != 0 && there == t.node.First() && there.Next() != nil {
		t.over = true
		d.diags[len(d.diags)-1].Help = "write the [[...]] header of a new entry above it, or keep one of the two"
	}
}

func (d *decoder) tooDeep(off uint32) {
	d.report(nil, diag.Diagnostic{Code: diag.NestedTooDeep, At: d.at(off), Message: fmt.Sprintf("tables and arrays nest more than %d deep", maxDepth),
		Help: "flatten it: no fact of a catalog lies this deep"})
}

// newer says what TOML 1.1 allows in an inline table or a string, by its first byte.
var newer = map[byte]string{
	'\n': "a line break in an inline table", '\r': "a line break in an inline table", '#': "a comment in an inline table",
	',': "a comma after the last key of an inline table", '\\': "this escape",
}

func (d *decoder) newerTOML(n *tree.Node, off uint32) {
	what, known := newer[d.src[off]]
	if !known {
		what = "this"
	}
	d.report(n, diag.Diagnostic{Code: diag.NewerTOML, At: d.at(off),
		Message: what + " is TOML 1.1; fragments are TOML 1.0",
		Help:    `an inline table stays on one line, without comments and without a comma after its last key; \e and \x are no escapes`})
}

// unknown reports a key that its table does not have: misspelt, misplaced or
// of another time.
func (d *decoder) unknown(at *tree.Node, t *shape.Table, part part) {
	name := part.name
	f := diag.Diagnostic{Code: diag.UnknownField, At: d.at(part.off), Message: fmt.Sprintf("%q is not a field of %s", name, t.Name), Got: name}
	switch k := t.Key(name); {
	case k != nil && k.Moved != "":
		f.Help = k.Moved
	case t.Foreign != nil && t.Foreign(name) != "":
		f.Code = diag.FieldOfOtherOperation
		f.Message = fmt.Sprintf("%q belongs to %s, not to %s", name, t.Foreign(name), t.Name)
		f.Allowed = t.Names()
		f.Help = "remove it, or write it under operations." + t.Foreign(name)
	case t == form.Catalog.Table() && form.Capabilities.Table().Key(name) != nil, t == form.Capabilities.Table() && form.Catalog.Table().Key(name) != nil:
		f.Code = diag.WrongRoot
		f.Message = fmt.Sprintf("%q belongs under %s", name, other(t))
		f.Help = moveIt
		d.astray(f, part)
		return
	case d.legacyRoot(t) && (form.Catalog.Table().Key(name) != nil || form.Capabilities.Table().Key(name) != nil):
		f.Message = fmt.Sprintf("%q is a table of today's format, but the file does not say its format", name)
		d.noSchema(f)
		return
	case t == legacy.Rule() && form.Rule().Key(name) != nil:
		f.Message = fmt.Sprintf("%q is a key of today's rules, but the file does not say its format", name)
		d.noSchema(f)
		return
	case d.legacyRoot(t) && part.last && d.leading(name):
		f.Code = diag.LeadingKey
		f.Message = fmt.Sprintf("%q stands before the first table, so it belongs to no row", name)
		f.Help = `move it below a [models."<id>"] header`
	default:
		f.Allowed = t.Names()
		if t == form.Operations() || t == form.Alias() {
			f.Code = diag.UnknownOperation
			f.Message = fmt.Sprintf("%q is not in the registry of operations", name)
			f.Allowed = operations.Names()
		}
		if t == form.Rule() && ofContract(name) {
			f.Help = "write it in a contract: below a header [provider.<id>.operations.<operation>]"
		} else if currency, key, ok := inOtherMoney(name); t == form.Price() && ok {
			f.Help = fmt.Sprintf("write currency = %q and the amount as %s", currency, key)
		} else if near, ok := nearest(name, f.Allowed); ok {
			f.Help = fmt.Sprintf("did you mean %q?", near)
		}
	}
	d.report(nil, f)
}

// nearest is the known word that another one most likely means: one that is spelt nearly
// alike, or that it is the beginning of, as "input" is of "input_token".
func nearest(word string, known []string) (string, bool) {
	if near, ok := diag.Nearest(word, known); ok {
		return near, true
	}
	i := slices.IndexFunc(known, func(v string) bool { return strings.HasPrefix(v, word+"_") })
	if i < 0 {
		return "", false
	}
	return known[i], true
}

// inOtherMoney reads a key that names the money of a price as the keys of US dollars do.
func inOtherMoney(name string) (currency, key string, ok bool) {
	currency, key, _ = strings.Cut(name, "_")
	currency = strings.ToUpper(currency)
	known := []string{"AUD", "BRL", "CAD", "CHF", "CNY", "EUR", "GBP", "INR", "JPY", "KRW", "SEK", "SGD"}
	if currency == "RMB" {
		currency = "CNY"
	}
	return currency, key, slices.Contains(known, currency) && (key == "per_million" || key == "per_unit")
}

// ofContract reports whether a contract of any operation has the key.
func ofContract(name string) bool {
	return slices.ContainsFunc(form.Operations().Keys, func(k *shape.Key) bool {
		return k.Type != nil && k.Type.Kind == shape.Record && k.Type.Table.Key(name) != nil
	})
}

func other(t *shape.Table) string {
	if t == form.Catalog.Table() {
		return form.Capabilities.Name
	}
	return form.Catalog.Name
}

func (d *decoder) unknownEnum(n, in *tree.Node, t *shape.Type) {
	f := diag.Diagnostic{Code: diag.UnknownEnum, At: n.At(), Message: fmt.Sprintf("%q is not a value of %s", n.Str(), d.nameOf(n.Key)), Got: n.Str(), Allowed: t.Values}
	if n.Key.Name == "" && in.Key.Name != "" {
		f.Message = fmt.Sprintf("%q is not a value of %q", n.Str(), in.Key.Name)
	} else if n.Key.Name == "" {
		f.Message = fmt.Sprintf("%q is not one of the known values", n.Str())
	}
	near, ok := nearest(n.Str(), t.Values)
	if meter := form.OtherMeters[n.Str()]; meter != "" && n.Key == form.Price().Key("meter") {
		near, ok = meter, true
	}
	if ok {
		f.Help = fmt.Sprintf("did you mean %q?", near)
	}
	d.report(n, f)
}

// badValue reports a string of the wrong form. The value of a header is not
// echoed: it may be a secret.
func (d *decoder) badValue(n, in *tree.Node, t *shape.Type, why string) {
	f := diag.Diagnostic{Code: codeOf(t.Kind), At: n.At(), Got: n.Str(), Allowed: []string{t.Describe()}}
	if in != nil && in.Key.Type.Kind == shape.Map && in.Key.Type.KeyKind == shape.Header {
		f.Got = ""
	}
	if n.Key.Need != shape.Optional { // what must be said can't be left out
		why = strings.TrimSuffix(why, leaveOut)
	}
	f.Message = d.nameOf(n.Key) + " " + why
	if t.Kind == shape.Amount && strings.EqualFold(n.Str(), "free") {
		f.Help = `what is free costs "0"`
	}
	d.report(n, f)
}

func codeOf(k shape.Kind) diag.Code {
	switch k {
	case shape.Amount, shape.Number:
		return diag.BadDecimal
	case shape.Date, shape.Duration, shape.Clock, shape.Offset:
		return diag.BadTime
	case shape.URL, shape.Origin, shape.Source:
		return diag.BadURL
	case shape.Header:
		return diag.BadHeader
	case shape.Range, shape.Semver:
		return diag.BadVersion
	case shape.ID, shape.WireID, shape.RowID, shape.EnvName, shape.Glob:
		return diag.BadID
	}
	return diag.BadText
}

func (d *decoder) badKey(t *shape.Type, part part, why string) {
	d.report(nil, diag.Diagnostic{Code: codeOf(t.KeyKind), At: d.at(part.off), Message: fmt.Sprintf("%q %s", part.name, why), Got: part.name})
}

// wrongForm reports a header of the wrong kind: a table where tables are meant,
// or the other way round.
func (d *decoder) wrongForm(key *shape.Key, at *tree.Node, part part, form shape.Form) {
	f := diag.Diagnostic{Code: diag.WrongType, At: d.at(part.off), Got: form.String(), Allowed: []string{key.Type.Describe()},
		Message: fmt.Sprintf("%s must be %s", d.nameOf(key), key.Type.Describe())}
	if at.Key.Name == "provider" {
		d.wrongRootOfProvider(&f, part.name, form)
		d.astray(f, part)
		return
	}
	if form == shape.FormTable && key.Type.Kind == shape.List && key.Type.Elem.Member(form) != nil {
		f.Help = "write two brackets on each side, and the header again for each entry"
	}
	d.report(nil, f)
}

// wrongRootOfProvider: [provider.x] is a provider and [[provider.x]] a rule; each
// has its root.
func (d *decoder) wrongRootOfProvider(f *diag.Diagnostic, id string, form shape.Form) {
	f.Code = diag.WrongRoot
	f.Got, f.Allowed = "", nil
	if form == shape.FormTable {
		f.Message = fmt.Sprintf("[provider.%s] is a provider's table and belongs under catalog_sources", id)
		f.Help = fmt.Sprintf(moveIt+"; a rule is written [[provider.%s]]", id)
		return
	}
	f.Message = fmt.Sprintf("[[provider.%s]] is a rule and belongs under capability_sources", id)
	f.Help = fmt.Sprintf(moveIt+"; a provider's table is written [provider.%s]", id)
}

// wrongValue reports a value written in a way that its key does not take.
func (d *decoder) wrongValue(key *shape.Key, in, n *tree.Node, v *unstable.Node) {
	raw := ""
	if v.Raw.Length > 0 && v.Kind != unstable.InlineTable {
		raw = string(d.src[v.Raw.Offset : v.Raw.Offset+v.Raw.Length])
	}
	f := diag.Diagnostic{Code: diag.WrongType, At: n.At(), Got: n.Form.String(), Allowed: []string{key.Type.Describe()},
		Message: fmt.Sprintf("%s must be %s, not %s", d.nameOf(key), key.Type.Describe(), n.Form)}
	exact := key.Type.Member(shape.FormString)
	switch {
	case n.Form == shape.FormFloat && strings.HasSuffix(raw, "inf") || n.Form == shape.FormFloat && strings.HasSuffix(raw, "nan"):
		f.Code, f.Got = diag.NotANumber, raw
		f.Message = fmt.Sprintf("%s is %s, which is no amount", d.nameOf(key), raw)
		f.Help = "write the number as a string, or leave the key out if it is not known"
	case (n.Form == shape.FormFloat || n.Form == shape.FormInteger) && exact != nil && (exact.Kind == shape.Amount || exact.Kind == shape.Number):
		f.Code, f.Got = diag.FloatForDecimal, raw
		f.Message = fmt.Sprintf("%s must be exact: a decimal in quotes, not a number that is rounded to binary", d.nameOf(key))
		f.Help = fmt.Sprintf("write %q", raw)
	case n.Form == shape.FormDate:
		f.Code, f.Got = diag.BareDate, raw
		f.Message = fmt.Sprintf("%s is a bare date", d.nameOf(key))
		f.Help = fmt.Sprintf("write it in quotes: %q", raw)
	case n.Form == shape.FormString && key.Type.Member(shape.FormInteger) != nil && onlyDigits(strings.Trim(raw, `"'`)):
		f.Help = "write it without quotes: " + strings.Trim(raw, `"'`)
	case n.Form == shape.FormString && key.Type.Member(shape.FormBool) != nil && (raw == `"true"` || raw == `"false"`):
		f.Help = "write it without quotes: " + strings.Trim(raw, `"'`)
	case n.Form != shape.FormList && n.Form != shape.FormTable && key.Type.Kind == shape.List && key.Type.Elem.Member(n.Form) != nil:
		f.Help = "write a list: [" + raw + "]"
	case n.Form == shape.FormTable && key.Type.Kind == shape.List && key.Type.Elem.Member(n.Form) != nil && in.Key.Name != "provider":
		f.Help = "write a list of tables, even for one: [{ ... }]"
	case in != nil && in.Key.Name == "provider" && (n.Form == shape.FormList || n.Form == shape.FormTable):
		form := n.Form
		d.wrongRootOfProvider(&f, key.Name, form)
		n.Mark |= markBad
		d.astray(f, part{last: true})
		return
	}
	d.report(n, f)
}
