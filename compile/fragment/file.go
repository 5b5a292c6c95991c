package fragment

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/Masterminds/semver/v3"
	"github.com/opcat/opcat/compile/form"
	"github.com/opcat/opcat/compile/legacy"
	"github.com/opcat/opcat/compile/tree"
	"github.com/opcat/opcat/diag"
	"github.com/opcat/opcat/shape"
	"github.com/pelletier/go-toml/v2/unstable"
)

// MaxBytes is the largest file that is read.
const MaxBytes = 8 << 20

// File decodes the bytes of one file. Its path says by its first folder under
// which root it lies; src may not be changed afterwards.
func File(file *tree.File, src []byte) (Fragment, diag.List) {
	return newDecoder().decode(file, src)
}

func newDecoder() *decoder {
	return &decoder{keys: map[mapKey]*shape.Key{}, roots: map[*form.Root]*shape.Key{}, said: map[*shape.Key]*said{},
		heads: map[*shape.Type]*said{},
		wide:  map[*tree.Node]map[string]*tree.Node{}}
}

// decode reads one file; the decoder is ready for the next one afterwards.
func (d *decoder) decode(file *tree.File, src []byte) (Fragment, diag.List) {
	d.begin(file, src)
	f := Fragment{File: file, Src: src}
	if !d.readable() {
		f.Root, f.Table, f.Broken, file.Broken = rootOf(file.Path, false), d.discard(), true, true
		f.Table.File = file
		return f, d.diags
	}
	version, legacyFormat := d.format()
	f.Legacy, file.Legacy = legacyFormat, legacyFormat
	f.Root = rootOf(file.Path, legacyFormat)
	if version != nil {
		d.report(nil, *version)
		f.Table, f.Broken, file.Broken = d.discard(), true, true
		f.Table.File = file
		return f, d.diags
	}
	f.Table = d.tree(d.rootKey(f.Root))
	d.sayFormat(&f)
	f.Strays = d.strays(f)
	f.Broken = d.diags.HasErrors()
	file.Broken = f.Broken
	return f, d.diags
}

func (d *decoder) begin(file *tree.File, src []byte) {
	d.file, d.diags, d.stray, d.unsaid = file, nil, nil, nil
	d.whole, d.base, d.src = src, 0, src
	d.lines.reset()
}

func rootOf(path string, legacyFormat bool) *form.Root {
	capability := strings.HasPrefix(path, form.Capabilities.Name+"/")
	switch {
	case capability && legacyFormat:
		return legacy.Capabilities
	case capability:
		return form.Capabilities
	case legacyFormat:
		return legacy.Catalog
	}
	return form.Catalog
}

func (d *decoder) rootKey(root *form.Root) *shape.Key {
	k := d.roots[root]
	if k == nil {
		k = &shape.Key{Type: shape.Rec(root.Table()), Index: -1}
		d.roots[root] = k
	}
	return k
}

func (d *decoder) legacyRoot(t *shape.Table) bool {
	return t == legacy.Catalog.Table() || t == legacy.Capabilities.Table()
}

// leading reports whether a key of the top of a legacy file is a row's field.
func (d *decoder) leading(name string) bool {
	return strings.HasPrefix(d.file.Path, form.Catalog.Name+"/") && legacy.Model().Key(name) != nil
}

// readable refuses bytes that no parser should see.
func (d *decoder) readable() bool {
	at := diag.Pos{Layer: d.file.Layer, File: d.file.Path, Line: 1, Col: 1}
	const help = "save the file as UTF-8 without a byte-order mark"
	switch {
	case len(d.src) > MaxBytes:
		d.report(nil, diag.Diagnostic{Code: diag.FileTooLarge, At: at, Message: fmt.Sprintf("the file is larger than %d MiB", MaxBytes>>20), Help: "split it: files may be split and renamed freely"})
	case bytes.HasPrefix(d.src, []byte("\xef\xbb\xbf")):
		d.report(nil, diag.Diagnostic{Code: diag.ByteOrderMark, At: at, Message: "the file starts with a UTF-8 byte-order mark (bytes EF BB BF at offset 0)", Help: help})
	case bytes.HasPrefix(d.src, []byte("\xff\xfe")) || bytes.HasPrefix(d.src, []byte("\xfe\xff")):
		d.report(nil, diag.Diagnostic{Code: diag.InvalidUTF8, At: at, Message: "the file is UTF-16 (a byte-order mark at offset 0); UTF-8 is required", Help: help})
	case !utf8.Valid(d.src):
		off := firstInvalid(d.src)
		at := d.at(uint32(off))
		d.report(nil, diag.Diagnostic{Code: diag.InvalidUTF8, At: at, Message: fmt.Sprintf("byte 0x%02X at offset %d is not UTF-8, which is required", d.src[off], off), Help: help})
	case bytes.IndexByte(d.src, 0) >= 0:
		off := bytes.IndexByte(d.src, 0)
		at := d.at(uint32(off))
		d.report(nil, diag.Diagnostic{Code: diag.InvalidUTF8, At: at, Message: fmt.Sprintf("NUL byte at offset %d; a fragment is UTF-8 text without control characters", off), Help: "take it out"})
	default:
		return true
	}
	return false
}

// format finds the file's `schema` before anything else is read, since it
// decides which keys are known. It gives a finding if the version can't be read.
func (d *decoder) format() (*diag.Diagnostic, bool) {
	d.parser.Reset(d.src)
	for d.parser.NextExpression() {
		e := d.parser.Expression()
		if e.Kind == unstable.Table || e.Kind == unstable.ArrayTable {
			break
		}
		if e.Kind != unstable.KeyValue {
			continue
		}
		it := e.Key()
		it.Next()
		name := string(it.Node().Data)
		if _, near := diag.Nearest(name, []string{"schema"}); near {
			return nil, false // misspelt, which is said of the key
		}
		if name != "schema" || !it.IsLast() {
			continue
		}
		v := e.Value()
		if v.Kind != unstable.String {
			break // the tree's own type check says so
		}
		text := string(v.Data)
		if text == form.Version {
			return nil, false
		}
		return d.version(text, v.Raw.Offset), false
	}
	return nil, !d.sawSchema()
}

// sawSchema: a schema of the wrong type is today's format, wrongly written.
func (d *decoder) sawSchema() bool {
	if d.parser.Error() != nil { // what could not be parsed is no expression yet
		return bytes.HasPrefix(bytes.TrimLeft(d.src, " \t\r\n"), []byte("schema"))
	}
	e := d.parser.Expression()
	if e == nil || e.Kind != unstable.KeyValue {
		return false
	}
	it := e.Key()
	return it.Next() && string(it.Node().Data) == "schema"
}

var formatVersion = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(form.VersionPattern) })

func (d *decoder) version(text string, off uint32) *diag.Diagnostic {
	own := semver.MustParse(form.Version)
	f := diag.Diagnostic{Code: diag.BadSchema, At: d.at(off), Got: text, Allowed: []string{form.Version}}
	v, err := semver.NewVersion(text)
	switch {
	case err != nil || v.Prerelease() != "":
		f.Message = fmt.Sprintf("schema %q is not a version of the fragment format", text)
	case v.Major() > own.Major():
		f.Code = diag.NewerSchema
		f.Message = fmt.Sprintf("schema %q is newer than this program reads; opcat %d.0 or later reads it", text, v.Major())
		f.Help = "use a newer opcat"
	case v.Major() < own.Major():
		f.Message = fmt.Sprintf("schema %q was never a format; the legacy dialect says no schema at all", text)
	case !formatVersion().MatchString(text):
		f.Message = fmt.Sprintf("schema %q is another spelling of version %s", text, own.Original())
	default:
		return nil // a newer minor adds keys: one that we do not know is reported where it stands
	}
	return &f
}
