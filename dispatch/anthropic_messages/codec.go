// Package anthropic_messages is POST /v1/messages.
//
// The wire wants a cap in every request and its own version in a header; the
// version decides which settings there are. System messages that come first stand
// apart from the turns, turns of the same role in a row are one, and what a tool
// gave is the user's. A response schema is an output format or, on older models,
// the parameters of the one tool, which is then forced. Thinking with a budget
// gets half of the cap.
//
// Tokens that were read from or written to the cache are counted beside
// input_tokens, not inside. A refusal comes with HTTP 200 and a stop reason.
//
// What the model thought comes back as it is, signed, and is sent again in its
// place: a model that called a tool while thinking wants it (a contract's
// reasoning.round_trip echo_signed). Texts, calls and thoughts keep their order,
// where a text follows a call too.
package anthropic_messages

import "github.com/opcat/opcat/dispatch/internal/turn"

// Codec is the protocol.
var Codec = turn.Codec{
	Protocol: "anthropic_messages",
	Encode:   encode,
	Decode:   decode,
}

// ownTransport is how the wire takes a response schema.
const ownTransport = "native_schema"

// ownVersion is the version of the wire that is spoken where neither the contract
// nor its endpoint names one.
const ownVersion = "2023-06-01"
