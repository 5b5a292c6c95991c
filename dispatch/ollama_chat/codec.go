// Package ollama_chat is POST /api/chat of an Ollama server.
//
// The server streams, cuts an over-long conversation and shifts its window unless
// it is told not to, and is told so. Sampling and the cap stand in options. A model
// that is only loaded or unloaded answers as well, with nothing; that is no turn.
package ollama_chat

import "github.com/opcat/opcat/dispatch/internal/turn"

// Codec is the protocol.
var Codec = turn.Codec{
	Protocol: "ollama_chat",
	Encode:   encode,
	Decode:   decode,
}

// ownTransport is how the wire takes a response schema.
const ownTransport = "format_schema"
