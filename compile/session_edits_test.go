package compile_test

import (
	"bytes"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing/fstest"

	"github.com/opcat/opcat/compile"
	"github.com/opcat/opcat/compile/fragment"
)

// A desk is source trees, one for each layer, that are edited by chance.
type desk struct {
	base, now []fstest.MapFS
	pick      func(n int) int // one of n
}

func newDesk(layers []fstest.MapFS, pick func(int) int) *desk {
	d := &desk{base: layers, pick: pick}
	for _, l := range layers {
		d.now = append(d.now, maps.Clone(l))
	}
	return d
}

func (d *desk) input() compile.Input {
	in := compile.Input{AsOf: "2026-11-30"}
	for rank, fsys := range d.now {
		in.Trees = append(in.Trees, fragment.Tree{FS: fsys, Layer: compile.Layers[rank], Rank: rank})
	}
	return in
}

// put writes a file; nil removes it.
func (d *desk) put(layer int, path string, text []byte) {
	if text == nil {
		delete(d.now[layer], path)
		return
	}
	d.now[layer][path] = &fstest.MapFile{Data: text, Mode: 0o644}
}

// A place is one file of the desk.
type place struct {
	layer int
	path  string
}

func (d *desk) places() (all []place) {
	for i, fsys := range d.now {
		for _, p := range slices.Sorted(maps.Keys(fsys)) {
			all = append(all, place{i, p})
		}
	}
	return all
}

func (d *desk) text(p place) string { return string(d.now[p.layer][p.path].Data) }

// An edit is what one call of Edited is told.
type edit struct {
	what  string
	layer int
	paths []string
}

// mend puts everything back in the first layer that was changed; it is false if
// none was.
func (d *desk) mend() (edit, bool) {
	for i, fsys := range d.base {
		e := edit{what: "mend", layer: i}
		for p := range d.now[i] {
			if fsys[p] == nil {
				e.paths = append(e.paths, p)
			}
		}
		for p, f := range fsys {
			if d.now[i][p] == nil || !bytes.Equal(f.Data, d.now[i][p].Data) {
				e.paths = append(e.paths, p)
			}
		}
		if len(e.paths) > 0 {
			clear(d.now[i]) // the compile holds on to the tree
			maps.Copy(d.now[i], fsys)
			return e, true
		}
	}
	return edit{}, false
}

var (
	saying = regexp.MustCompile(`([a-z_]+) = ("[^"]*"|\[[^\]{}]*\]|\{[^{}]*\}|true|false|\d+)`)
	amount = regexp.MustCompile(`(usd_per_[a-z]+ = "|_tokens = |max = "|images = |\bname = "[^"]*)[1-9]`)
	digit  = regexp.MustCompile(`[0-9]`)
)

// edit changes one or two files as a person may, or may not.
func (d *desk) edit() edit {
	all := d.places()
	if len(all) == 0 {
		return edit{what: "nothing"}
	}
	at := all[d.pick(len(all))]
	text := d.text(at)
	e := edit{layer: at.layer, paths: []string{at.path}}
	switch d.pick(24) {
	case 0, 1, 2, 3, 4, 5, 6, 7: // a price, a limit, a name: nearly always right
		text = d.otherDigit(text, amount)
		e.what = "amount"
	case 8, 9: // also a date, an id
		text = d.otherDigit(text, digit)
		e.what = "digit"
	case 10, 11, 12, 13: // what another place says under the same key
		said := saying.FindAllStringSubmatchIndex(text, -1)
		if len(said) > 0 {
			m := said[d.pick(len(said))]
			values := d.values(text[m[2]:m[3]])
			text = text[:m[4]] + values[d.pick(len(values))] + text[m[5]:]
		}
		e.what = "value"
	case 14: // a line lost
		lines := strings.SplitAfter(text, "\n")
		i := d.pick(len(lines))
		text = strings.Join(slices.Delete(lines, i, i+1), "")
		e.what = "line lost"
	case 15: // a row, rule or provider lost
		blocks := splitBlocks(text)
		i := d.pick(len(blocks))
		text = strings.Join(slices.Delete(blocks, i, i+1), "")
		e.what = "block lost"
	case 16, 17: // a row or rule more, mostly under another name
		blocks := splitBlocks(d.text(all[d.pick(len(all))]))
		b := blocks[d.pick(len(blocks))]
		if d.pick(4) > 0 {
			b = regexp.MustCompile(`(wire_model = |models = \[)"`).ReplaceAllString(b, fmt.Sprintf(`${1}"n%d-`, d.pick(3)))
		}
		text += "\n" + b
		e.what = "block more"
	case 18, 19: // moved, split or gone
		switch d.pick(3) {
		case 0:
			d.put(at.layer, at.path, nil)
			e.what = "file gone"
			return e
		case 1:
			moved := strings.Replace(at.path, ".toml", fmt.Sprintf("-%d.toml", d.pick(3)), 1)
			d.put(at.layer, at.path, nil)
			d.put(at.layer, moved, []byte(text))
			e.what, e.paths = "file moved", append(e.paths, moved)
			return e
		}
		blocks := splitBlocks(text)
		i := 1 + d.pick(len(blocks))
		rest := strings.Replace(at.path, ".toml", "-rest.toml", 1)
		d.put(at.layer, rest, []byte(blocks[0]+strings.Join(blocks[min(i, len(blocks)):], "")))
		text = strings.Join(blocks[:min(i, len(blocks))], "")
		e.what, e.paths = "file split", append(e.paths, rest)
	case 20, 21, 22: // only places move
		head, rest, _ := strings.Cut(text, "\n")
		text = head + "\n# a note\n" + rest
		e.what = "note"
	case 23:
		text = text[:d.pick(len(text)+1)]
		e.what = "cut off"
	}
	d.put(at.layer, at.path, []byte(text))
	return e
}

// otherDigit puts another digit in the place of one that ends a match.
func (d *desk) otherDigit(text string, where *regexp.Regexp) string {
	found := where.FindAllStringIndex(text, -1)
	if len(found) == 0 {
		return text
	}
	end := found[d.pick(len(found))][1]
	return text[:end-1] + fmt.Sprint(1+d.pick(9)) + text[end:]
}

// values lists what the trees say under a key.
func (d *desk) values(key string) (values []string) {
	for _, p := range d.places() {
		for _, m := range saying.FindAllStringSubmatch(d.text(p), -1) {
			if m[1] == key {
				values = append(values, m[2])
			}
		}
	}
	return values
}

// splitBlocks cuts a file into its head and what each `[[` or top-level table
// starts. There is at least the head.
func splitBlocks(text string) []string {
	var blocks []string
	var b strings.Builder
	for line := range strings.SplitAfterSeq(text, "\n") {
		starts := strings.HasPrefix(line, "[[") || strings.HasPrefix(line, "[") && !strings.Contains(line, ".operations.")
		if starts && (b.Len() > 0 || len(blocks) > 0) {
			blocks = append(blocks, b.String())
			b.Reset()
		}
		b.WriteString(line)
	}
	return append(blocks, b.String())
}
