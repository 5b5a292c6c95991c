package textgen

import (
	"maps"
	"slices"

	"github.com/opcat/opcat/operations/op"
)

// kept is a copy of a request with room for a conversation of ordinary length.
type kept struct {
	op.Kept[Request]
	messages [3]Message
	parts    [2]Part
}

// Keep copies the request; the copy shares no memory with its receiver that
// anybody could change.
func (r Request) Keep() *op.Kept[Request] {
	k := &kept{}
	k.Request = r
	c := &k.Request
	c.Messages = op.Into(k.messages[:], r.Messages)
	room := k.parts[:0]
	for i := range c.Messages {
		m := &c.Messages[i]
		m.Parts = op.Into(room[len(room):], m.Parts)
		if len(m.Parts) <= cap(room)-len(room) {
			room = room[:len(room)+len(m.Parts)]
		}
		m.ToolCalls = slices.Clone(m.ToolCalls)
	}
	c.Tools = slices.Clone(r.Tools)
	c.Outputs = slices.Clone(r.Outputs)
	c.Settings.Stop = slices.Clone(r.Settings.Stop)
	c.Settings.LogitBias = maps.Clone(r.Settings.LogitBias)
	if r.ResponseSchema != nil {
		schema := *r.ResponseSchema
		c.ResponseSchema = &schema
	}
	return &k.Kept
}
