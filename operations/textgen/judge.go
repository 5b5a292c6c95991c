package textgen

import (
	"github.com/opcat/opcat/catalog"
	"github.com/opcat/opcat/operations/op"
)

// judge compares tools and reasoning with what a contract says of them. Settings,
// the response schema among them, are judged like those of every operation.
func judge(c *catalog.Contract, n *op.Needs) op.Complaint {
	t := c.TextGeneration
	if t.Quirks != nil && t.Quirks.RequiresStreaming.Or(false) {
		return op.Complaint{Why: op.Refused, Field: "stream", Got: "none", Note: "it answers only as a stream, and one whole answer is asked for"}
	}
	if n.Has(remoteImage) && t.Image != nil && !t.Image.RemoteURL.Or(true) {
		return op.Complaint{Why: op.Refused, Field: "image.remote_url", Note: "the route takes an image's bytes and fetches none"}
	}
	if !n.Tools {
		return op.Complaint{}
	}
	if t.Tools == nil || !t.Tools.Native.IsKnown() {
		return op.Complaint{Why: op.Unknown, Field: "tools"}
	}
	if !t.Tools.Native.Or(false) {
		return op.Complaint{Why: op.Refused, Field: "tools"}
	}
	if t.Reasoning != nil && t.Reasoning.RequiredForTools.Or(false) {
		if n.At(atEffort).String() == "none" || n.At(atThinking).String() == "disabled" {
			return op.Complaint{Why: op.Clash, Field: "tools", Note: "the model calls tools inside its reasoning, and the request switches reasoning off"}
		}
	}
	return op.Complaint{}
}

func limit(c *catalog.Contract, name string) (n catalog.Opt[int64]) {
	t := c.TextGeneration
	switch {
	case name == "tools" && t.Tools != nil:
		return t.Tools.Max
	case t.Limits == nil:
	case name == "images":
		return t.Limits.Images
	case name == "stop":
		return t.Limits.Stop
	}
	return n
}
