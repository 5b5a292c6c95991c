package textgen

import (
	"maps"
	"slices"

	"github.com/opcat/opcat/operations/op"
)

// A room holds the lists of a conversation with two turns.
type room struct {
	messages [2]Message
	parts    [2]Part
}

// Keep copies the request; the copy shares no memory with its receiver that
// anybody could change.
func (r Request) Keep() Request {
	parts := 0
	for i := range r.Messages {
		parts += len(r.Messages[i].Parts)
	}
	var left []Part
	if len(r.Messages) <= 2 && parts <= 2 {
		k := new(room)
		r.Messages, left = op.Into(k.messages[:], r.Messages), k.parts[:]
	} else {
		r.Messages, left = slices.Clone(r.Messages), make([]Part, parts)
	}
	for i := range r.Messages {
		m := &r.Messages[i]
		n := len(m.Parts)
		m.Parts, left = op.Into(left, m.Parts), left[n:]
		if m.ToolCalls != nil {
			m.ToolCalls = slices.Clone(m.ToolCalls)
		}
		if m.Thoughts != nil {
			m.Thoughts = slices.Clone(m.Thoughts)
		}
	}
	r.Tools = slices.Clone(r.Tools)
	r.Outputs = slices.Clone(r.Outputs)
	r.Settings.Stop = slices.Clone(r.Settings.Stop)
	r.Settings.LogitBias = maps.Clone(r.Settings.LogitBias)
	if r.ResponseSchema != nil {
		schema := *r.ResponseSchema
		r.ResponseSchema = &schema
	}
	return r
}
