package dispatch

import (
	"github.com/opcat/opcat/dispatch/anthropic_messages"
	"github.com/opcat/opcat/dispatch/cohere_embed"
	"github.com/opcat/opcat/dispatch/cohere_rerank"
	"github.com/opcat/opcat/dispatch/gemini_embed"
	"github.com/opcat/opcat/dispatch/jina_embeddings"
	"github.com/opcat/opcat/dispatch/jina_rerank"
	"github.com/opcat/opcat/dispatch/mistral_embeddings"
	"github.com/opcat/opcat/dispatch/ollama_embed"
	"github.com/opcat/opcat/dispatch/openai_chat_completions"
	"github.com/opcat/opcat/dispatch/openai_embeddings"
	"github.com/opcat/opcat/dispatch/openai_moderations"
	"github.com/opcat/opcat/dispatch/openai_responses"
	"github.com/opcat/opcat/dispatch/tei_embed"
	"github.com/opcat/opcat/dispatch/tei_rerank"
	"github.com/opcat/opcat/dispatch/vllm_rerank"
	"github.com/opcat/opcat/dispatch/voyage_embeddings"
	"github.com/opcat/opcat/dispatch/voyage_rerank"
	"github.com/opcat/opcat/operations/decision"
)

// The executors of the registry's members. A protocol is one folder and one line
// here.
var (
	TextGeneration = NewExecutor(
		openai_chat_completions.Codec,
		openai_responses.Codec,
		anthropic_messages.Codec,
	)
	Embedding = NewExecutor(
		openai_embeddings.Codec,
		gemini_embed.Codec,
		cohere_embed.Codec,
		voyage_embeddings.Codec,
		mistral_embeddings.Codec,
		jina_embeddings.Codec,
		ollama_embed.Codec,
		tei_embed.Codec,
	)
	DecisionEvaluation = NewExecutor[decision.Request, decision.Result]()
	Reranking          = NewExecutor(
		cohere_rerank.Codec,
		voyage_rerank.Codec,
		jina_rerank.Codec,
		vllm_rerank.Codec,
		tei_rerank.Codec,
	)
	Moderation = NewExecutor(
		openai_moderations.Codec,
	)
)
