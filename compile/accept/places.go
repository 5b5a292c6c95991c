package accept

import (
	"bytes"

	"github.com/opcat/opcat/diag"
	"github.com/pelletier/go-toml/v2/unstable"
)

// places are where the entries of a file and their keys stand. The parser that
// reads the entries gives no place, so the syntax tree is walked for them.
type places struct {
	file    diag.Pos
	top     map[string]diag.Pos
	entries []map[string]diag.Pos // "" is the entry itself
}

func placesOf(name string, src []byte) places {
	p := places{file: diag.Pos{File: name, Line: 1, Col: 1}, top: map[string]diag.Pos{}}
	var parser unstable.Parser
	parser.Reset(src)
	in := p.top
	for parser.NextExpression() {
		e := parser.Expression()
		it := e.Key()
		if !it.Next() {
			continue
		}
		first := it.Node()
		at := placeOf(name, src, int(first.Raw.Offset))
		switch e.Kind {
		case unstable.ArrayTable:
			in = map[string]diag.Pos{"": at}
			if string(first.Data) == "accept" && it.IsLast() {
				p.entries = append(p.entries, in)
			} else {
				p.top[string(first.Data)] = at
			}
		case unstable.Table:
			in = map[string]diag.Pos{"": at}
			p.top[string(first.Data)] = at
		case unstable.KeyValue:
			in[string(first.Data)] = at
			if string(first.Data) == "accept" && e.Value().Kind == unstable.Array {
				p.inline(name, src, e.Value(), at)
			}
		}
	}
	return p
}

// inline notes the entries of `accept = [{ ... }]`.
func (p *places) inline(name string, src []byte, list *unstable.Node, at diag.Pos) {
	for items := list.Children(); items.Next(); {
		if items.Node().Kind != unstable.InlineTable {
			continue
		}
		in := map[string]diag.Pos{"": at}
		for kvs := items.Node().Children(); kvs.Next(); {
			if kvs.Node().Kind != unstable.KeyValue {
				continue
			}
			if it := kvs.Node().Key(); it.Next() {
				pos := placeOf(name, src, int(it.Node().Raw.Offset))
				if len(in) == 1 {
					in[""] = pos
				}
				in[string(it.Node().Data)] = pos
			}
		}
		p.entries = append(p.entries, in)
	}
}

func (p places) entry(i int) diag.Pos { return p.field(i, "") }

// field is the place of an entry's key; the entry's own if the key is not there.
func (p places) field(i int, key string) diag.Pos {
	if i >= len(p.entries) {
		return p.file
	}
	if at, ok := p.entries[i][key]; ok {
		return at
	}
	return p.entries[i][""]
}

// key is the place of a key of the file itself.
func (p places) key(name string) diag.Pos {
	if at, ok := p.top[name]; ok {
		return at
	}
	return p.entry(0)
}

func placeOf(name string, src []byte, off int) diag.Pos {
	before := src[:min(max(off, 0), len(src))]
	return diag.Pos{File: name, Line: 1 + bytes.Count(before, []byte{'\n'}), Col: len(before) - bytes.LastIndexByte(before, '\n')}
}
