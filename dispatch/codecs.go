package dispatch

import (
	"github.com/opcat/opcat/dispatch/anthropic_messages"
	"github.com/opcat/opcat/dispatch/cloudflare_run"
	"github.com/opcat/opcat/dispatch/cohere_embed"
	"github.com/opcat/opcat/dispatch/cohere_rerank"
	"github.com/opcat/opcat/dispatch/databricks_ai_decide"
	"github.com/opcat/opcat/dispatch/gemini_embed"
	"github.com/opcat/opcat/dispatch/gemini_generate_content"
	"github.com/opcat/opcat/dispatch/google_decisions"
	"github.com/opcat/opcat/dispatch/jina_embeddings"
	"github.com/opcat/opcat/dispatch/jina_rerank"
	"github.com/opcat/opcat/dispatch/mistral_embeddings"
	"github.com/opcat/opcat/dispatch/ollama_chat"
	"github.com/opcat/opcat/dispatch/ollama_embed"
	"github.com/opcat/opcat/dispatch/openai_chat_completions"
	"github.com/opcat/opcat/dispatch/openai_decisions"
	"github.com/opcat/opcat/dispatch/openai_embeddings"
	"github.com/opcat/opcat/dispatch/openai_moderations"
	"github.com/opcat/opcat/dispatch/openai_responses"
	"github.com/opcat/opcat/dispatch/openrouter_decisions"
	"github.com/opcat/opcat/dispatch/parallel_decisions"
	"github.com/opcat/opcat/dispatch/tei_embed"
	"github.com/opcat/opcat/dispatch/tei_rerank"
	"github.com/opcat/opcat/dispatch/typesafe_system_one"
	"github.com/opcat/opcat/dispatch/vercel_evaluate"
	"github.com/opcat/opcat/dispatch/vllm_rerank"
	"github.com/opcat/opcat/dispatch/voyage_embeddings"
	"github.com/opcat/opcat/dispatch/voyage_rerank"
)

// The executors of the registry's members. A protocol is one folder and one line
// here.
var (
	TextGeneration = NewExecutor(
		openai_chat_completions.Codec,
		openai_responses.Codec,
		anthropic_messages.Codec,
		gemini_generate_content.Codec,
		ollama_chat.Codec,
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
	DecisionEvaluation = NewExecutor(
		typesafe_system_one.Codec,
		openai_decisions.Codec,
		openrouter_decisions.Codec,
		vercel_evaluate.Codec,
		google_decisions.Codec,
		cloudflare_run.Codec,
		databricks_ai_decide.Codec,
		parallel_decisions.Codec,
	)
	Reranking = NewExecutor(
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
