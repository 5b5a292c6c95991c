package turn

import (
	"bytes"
	"fmt"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/opcat/opcat/catalog"
	"github.com/opcat/opcat/operations/textgen"
)

// A Place is where a value stands in the body of an answer, for what has to be
// kept as it is without reading every value twice.
type Place struct{ from, to int64 }

// Read reads a value and notes its place.
func (p *Place) Read(d *jsontext.Decoder, into any) error {
	p.from = d.InputOffset()
	err := json.UnmarshalDecode(d, into)
	p.to = d.InputOffset()
	return err
}

// In is the object at a place of the body; the comma and the blanks in front of it
// are left out.
func (p Place) In(body []byte) []byte {
	b := body[p.from:p.to]
	return b[max(0, bytes.IndexByte(b, '{')):]
}

// Think notes what the model thought before the part or the call that comes next.
func (t *Turn) Think(data []byte) error {
	object, err := Object(string(data))
	if err != nil {
		return fmt.Errorf("what the model thought: %w", err)
	}
	t.Thoughts = append(t.Thoughts, textgen.Thought{At: t.pieces(), Data: object})
	return nil
}

// Mark notes what stands of a thought on the part or call that comes next.
func (t *Turn) Mark(name, value string) {
	data, _ := json.Marshal(map[string]string{name: value}) // texts of an answer that was read are written
	t.Thoughts = append(t.Thoughts, textgen.Thought{At: t.pieces(), Inside: true, Data: catalog.JSON(data)})
}

func (t *Turn) pieces() int64 { return int64(len(t.Parts) + len(t.Calls)) }

// Part adds a part.
func (t *Turn) Part(p textgen.Part) { t.Parts = append(t.Parts, p) }

// Call adds a call of a tool, before the part that comes next if one does.
func (t *Turn) Call(c textgen.ToolCall) {
	c.Before = catalog.Known(int64(len(t.Parts)))
	t.Calls = append(t.Calls, c)
}

// Sign ends a turn that has all its parts and calls: it says which calls stand
// behind all parts, and whose the thoughts are. Admission takes each of them back.
func (t *Turn) Sign(a Admitted) error {
	for i := len(t.Calls) - 1; i >= 0 && t.Calls[i].Before.Or(0) == int64(len(t.Parts)); i-- {
		t.Calls[i].Before = catalog.Opt[int64]{}
	}
	if len(t.Thoughts) == 0 {
		return nil
	}
	route, protocol := a.RowID(), a.Protocol()
	for i := range t.Thoughts {
		th := &t.Thoughts[i]
		th.Route, th.Protocol = route, protocol
		if err := th.Check(); err != nil {
			return fmt.Errorf("what the model thought: %w", err)
		}
	}
	return nil
}

// A Thinker goes through a turn that is sent again, piece by piece, and gives the
// thoughts that belong there.
type Thinker struct {
	left []textgen.Thought
	at   int64
}

// Thoughts are those of a turn that was admitted.
func Thoughts(m *textgen.Message) Thinker { return Thinker{left: m.Thoughts} }

// Before gives the next thought that stands before the piece that comes next; nil
// if there is none.
func (t *Thinker) Before() jsontext.Value { return t.take(false) }

// Next gives the mark on the piece that comes next, nil if there is none, and goes
// on to the one after it.
func (t *Thinker) Next() (mark jsontext.Value) {
	mark = t.take(true)
	t.at++
	return mark
}

func (t *Thinker) take(inside bool) jsontext.Value {
	if len(t.left) == 0 || t.left[0].At != t.at || t.left[0].Inside != inside {
		return nil
	}
	data := t.left[0].Data
	t.left = t.left[1:]
	return Raw(data)
}
