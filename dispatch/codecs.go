package dispatch

import (
	"github.com/opcat/opcat/dispatch/cohere_embed"
	"github.com/opcat/opcat/dispatch/gemini_embed"
	"github.com/opcat/opcat/dispatch/jina_embeddings"
	"github.com/opcat/opcat/dispatch/mistral_embeddings"
	"github.com/opcat/opcat/dispatch/ollama_embed"
	"github.com/opcat/opcat/dispatch/openai_embeddings"
	"github.com/opcat/opcat/dispatch/tei_embed"
	"github.com/opcat/opcat/dispatch/voyage_embeddings"
)

// Embedding sends requests for vectors.
var Embedding = NewExecutor(
	openai_embeddings.Codec,
	gemini_embed.Codec,
	cohere_embed.Codec,
	voyage_embeddings.Codec,
	mistral_embeddings.Codec,
	jina_embeddings.Codec,
	ollama_embed.Codec,
	tei_embed.Codec,
)
