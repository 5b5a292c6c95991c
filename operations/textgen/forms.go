package textgen

import (
	"slices"

	"github.com/opcat/opcat/operations/op"
)

// The shapes of a request that not every wire takes.
const (
	remoteImage = "image by URL"
	remoteAudio = "audio by URL"
	remoteVideo = "video by URL"
	remotePDF   = "pdf by URL"
	lateSystem  = "system message after the first turn"
	prefill     = "assistant message last"
	textBehind  = "text behind a tool call"

	plainThoughts  = "thoughts as reasoning_content"
	listedThoughts = "thoughts as reasoning_details"
)

// forms notes the shapes that the messages have.
func (r *Request) forms(n *op.Needs) {
	begun := false
	for i := range r.Messages {
		m := &r.Messages[i]
		for k := range m.Parts {
			if m.Parts[k].URL == "" {
				continue
			}
			if form := remote(m.Parts[k].Kind); form != "" {
				n.Form(form)
			}
		}
		if slices.ContainsFunc(m.ToolCalls, func(c ToolCall) bool { return c.Before.IsKnown() }) {
			n.Form(textBehind)
		}
		if m.Role != "system" {
			begun = true
		} else if begun {
			n.Form(lateSystem)
		}
	}
	if k := len(r.Messages); k > 0 && r.Messages[k-1].Role == "assistant" {
		n.Form(prefill)
	}
}

func remote(kind string) string {
	switch kind {
	case "image":
		return remoteImage
	case "audio":
		return remoteAudio
	case "video":
		return remoteVideo
	case "pdf":
		return remotePDF
	}
	return ""
}
