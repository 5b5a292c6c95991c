// Package openai_chat_completions is POST /v1/chat/completions as OpenAI, and who
// follows it, serves it.
//
// Dialects of the wire are facts of a contract, not names: how reasoning is
// switched (reasoning.wire), which name the cap has (quirks), how a response
// schema travels (structured.transport) and where a cache breakpoint stands
// (cache.breakpoint). A row that states none of them is spoken to as OpenAI's own.
//
// What the model thought stands beside its answer under names that differ. It is kept
// and sent again where the row says that it takes it back: as the text that
// reasoning.history_field names, by reasoning.round_trip always or in requests with
// tools, or as OpenRouter's list of details, where that is the reasoning.wire.
//
// What the wire has no place for, textgen's protocol list leaves out, so that
// admission refuses it. An answer is read in this order: status, error object,
// finish_reason, refusal, content.
package openai_chat_completions

import "github.com/opcat/opcat/dispatch/internal/turn"

// Codec is the protocol.
var Codec = turn.Codec{
	Protocol: "openai_chat_completions",
	Encode:   encode,
	Decode:   decode,
}

// ownTransport is how the wire takes a response schema.
const ownTransport = "native_schema"
