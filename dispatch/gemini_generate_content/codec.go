// Package gemini_generate_content is POST …/models/{model}:generateContent, as the
// Gemini API and Vertex AI serve it.
//
// System messages that come first stand apart; the assistant is the role model,
// and what a tool gave is the user's. A level of thinking and a budget exclude
// each other. A prompt that was blocked has no candidate and comes with HTTP 200.
//
// A call of a tool may have no id here; it then gets one of its own, by which the
// next request finds its name again. What the model thought, and the signatures on
// its parts and calls, come back as they are and are sent again in their places: a
// model that wants them refuses a turn after a call without them.
package gemini_generate_content

import "github.com/opcat/opcat/dispatch/internal/turn"

// Codec is the protocol.
var Codec = turn.Codec{
	Protocol: "gemini_generate_content",
	Encode:   encode,
	Decode:   decode,
}

// ownTransport is how the wire takes a response schema.
const ownTransport = "native_schema"
