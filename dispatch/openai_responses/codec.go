// Package openai_responses is POST /v1/responses as OpenAI, and who follows it,
// serves it.
//
// The schema stands flat in text.format, the cap is max_output_tokens, and an
// answer is a list of typed items in no fixed order. Nothing is stored at the
// server. HTTP says 200 for an answer that failed or is not whole, so status is
// read before anything else; then refusals, then the text.
//
// Since nothing is stored, what the model thought can be sent again only if it comes
// back sealed. It is asked for so on rows that reason (reasoning.modes), kept as it
// is with what the model said on the way to its answer, and sent again in its place,
// as are the phases of messages. A reasoning item without a seal is left out: its id
// leads nowhere.
package openai_responses

import "github.com/opcat/opcat/dispatch/internal/turn"

// Codec is the protocol.
var Codec = turn.Codec{
	Protocol: "openai_responses",
	Encode:   encode,
	Decode:   decode,
}

// ownTransport is how the wire takes a response schema.
const ownTransport = "native_schema"
