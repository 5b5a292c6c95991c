package upstream

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"
	"github.com/opcat/opcat/catalog"
	"github.com/opcat/opcat/compile/accept"
	"github.com/opcat/opcat/compile/fragment"
	"github.com/opcat/opcat/shape"
	"github.com/opcat/opcat/upstream/fact"
)

// A Manifest says which upstreams there are, where they lie and which version they
// are of. Versions are written down, since most catalogs do not say their own.
type Manifest struct {
	Upstream []Entry `toml:"upstream"`
}

// An Entry is one upstream of a manifest.
type Entry struct {
	Reader    string `toml:"reader"`
	Path      string `toml:"path"` // a file or a folder, relative to the manifest
	URL       string `toml:"url"`  // what rows name as their source
	Version   string `toml:"version"`
	License   string `toml:"license"` // as SPDX has it
	Date      string `toml:"date"`    // of that version
	CheckedOn string `toml:"checked_on"`
	AsOf      string `toml:"as_of"`  // of a tree that is compiled
	Accept    string `toml:"accept"` // its accept file
}

// ParseManifest reads a manifest and reports every mistake in it.
func ParseManifest(src []byte) (Manifest, error) {
	var m Manifest
	meta, err := toml.NewDecoder(bytes.NewReader(src)).Decode(&m)
	if err != nil {
		return m, err
	}
	var bad []error
	seen := map[string]bool{}
	for _, k := range meta.Undecoded() {
		bad = append(bad, fmt.Errorf("%s is no key of a manifest; an [[upstream]] has reader, path, url, version, license, date, checked_on, as_of, accept", k))
	}
	for i, e := range m.Upstream {
		at := fmt.Sprintf("upstream %d (%s)", i+1, e.Reader)
		if _, ok := Find(e.Reader); !ok {
			bad = append(bad, fmt.Errorf("%s: %q is no reader; there are %s", at, e.Reader, strings.Join(Names(), ", ")))
		}
		if seen[e.Reader] { // rows say by this name where they are from
			bad = append(bad, fmt.Errorf("%s: another upstream has this reader already", at))
		}
		seen[e.Reader] = true
		if e.Path == "" {
			bad = append(bad, fmt.Errorf("%s: path is missing: the file or folder to read", at))
		}
		if e.Version == "" {
			bad = append(bad, fmt.Errorf("%s: version is missing: a fact names the version that it is from", at))
		}
		if why := fragment.BadText(shape.Text, e.License); why != "" && e.License != "" {
			bad = append(bad, fmt.Errorf("%s: license %q %s", at, e.License, why))
		}
		if why := fragment.BadText(shape.Source, e.URL); why != "" {
			bad = append(bad, fmt.Errorf("%s: url %q %s", at, e.URL, why))
		}
		for key, date := range map[string]string{"checked_on": e.CheckedOn, "date": e.Date} {
			if why := fragment.BadText(shape.Date, date); why != "" && (date != "" || key == "checked_on") {
				bad = append(bad, fmt.Errorf("%s: %s %q %s", at, key, date, why))
			}
		}
	}
	if len(m.Upstream) == 0 && len(bad) == 0 {
		bad = append(bad, errors.New("it names no [[upstream]]"))
	}
	slices.SortFunc(bad, func(a, b error) int { return strings.Compare(a.Error(), b.Error()) })
	return m, errors.Join(bad...)
}

// Names lists the readers by name.
func Names() (out []string) {
	for _, r := range Readers() {
		out = append(out, r.Name)
	}
	return out
}

// An absent is what a manifest leads to and is not there. It says so in the words of
// the manifest, and is an fs.ErrNotExist.
type absent string

func (a absent) Error() string        { return string(a) }
func (a absent) Is(target error) bool { return target == fs.ErrNotExist }

// missing is the absent file or folder where err says that there is none; else err.
func missing(err error, format string, args ...any) error {
	if errors.Is(err, fs.ErrNotExist) {
		return absent(fmt.Sprintf(format, args...))
	}
	return err
}

// readFile reads a small file. What is no ordinary one is not opened: a pipe would
// keep us waiting.
func readFile(file string) ([]byte, error) {
	if st, err := os.Stat(file); err == nil && !st.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is no ordinary file", filepath.Base(file))
	}
	return os.ReadFile(file)
}

// ReadManifest reads the manifest in a file.
func ReadManifest(file string) (Manifest, error) {
	src, err := readFile(file)
	if err != nil {
		return Manifest{}, missing(err, "there is no file %q that names the upstreams", file)
	}
	m, err := ParseManifest(src)
	if err != nil {
		err = fmt.Errorf("%s: %w", file, err)
	}
	return m, err
}

// Load reads the upstreams of the manifest file: all, or those of the named readers.
// A path is opened below its own folder, and no link leads out of it.
func Load(file string, only ...string) ([]fact.Catalog, error) {
	m, err := ReadManifest(file)
	if err != nil {
		return nil, err
	}
	var out []fact.Catalog
	for _, e := range m.Upstream {
		if len(only) > 0 && !slices.Contains(only, e.Reader) {
			continue
		}
		c, err := e.load(filepath.Dir(file))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", e.Reader, err)
		}
		out = append(out, c)
	}
	return out, nil
}

func (e *Entry) load(dir string) (fact.Catalog, error) {
	at := filepath.Join(dir, filepath.FromSlash(e.Path))
	st, err := os.Stat(at)
	if err != nil {
		return fact.Catalog{}, missing(err, "there is nothing at its path %q", e.Path)
	}
	folder, name := at, "."
	if !st.IsDir() {
		folder, name = filepath.Dir(at), filepath.Base(at)
	}
	disk, err := fragment.Open(folder)
	if err != nil {
		return fact.Catalog{}, err
	}
	defer disk.Close()
	in := Input{FS: disk, Name: name, AsOf: e.AsOf}
	if e.Accept != "" {
		if in.Accept, err = e.accepted(dir); err != nil {
			return fact.Catalog{}, err
		}
	}
	return e.Read(in)
}

// Read reads the upstream from an input whose source the entry says.
func (e *Entry) Read(in Input) (fact.Catalog, error) {
	r, ok := Find(e.Reader)
	if !ok {
		return fact.Catalog{}, fmt.Errorf("%q is no reader", e.Reader)
	}
	in.Source = fact.Source{Name: e.Reader, Kind: r.Kind, URL: e.URL, Version: e.Version, License: e.License, Date: catalog.Date(e.Date), Checked: catalog.Date(e.CheckedOn)}
	return r.Read(in)
}

func (e *Entry) accepted(dir string) (*accept.File, error) {
	src, err := readFile(filepath.Join(dir, filepath.FromSlash(e.Accept)))
	if err != nil {
		return nil, missing(err, "there is no accept file %q", e.Accept)
	}
	file, diags := accept.Read(path.Base(e.Accept), src)
	if len(diags) > 0 {
		return nil, errors.New(diags.String())
	}
	return file, nil
}
