package oracle

import (
	"strings"
	"testing"

	cohere "github.com/cohere-ai/cohere-go/v2"
	"github.com/cohere-ai/cohere-go/v2/option"
	v2 "github.com/cohere-ai/cohere-go/v2/v2"

	"github.com/opcat/opcat/catalog"
	"github.com/opcat/opcat/dispatch/cohere_embed"
	"github.com/opcat/opcat/dispatch/cohere_rerank"
	"github.com/opcat/opcat/operations/embedding"
	"github.com/opcat/opcat/operations/rerank"
)

func cohereAt(r *recorder) *v2.Client {
	return v2.NewClient(option.WithBaseURL(r.URL), option.WithToken("none"), option.WithMaxAttempts(1))
}

func TestCohereEmbed(t *testing.T) {
	answer := `{"id":"e1","embeddings":{"float":[[` + strings.TrimSuffix(strings.Repeat("0.25,-0.5,", 128), ",") + `]]},"texts":["red fox"],"meta":{"billed_units":{"input_tokens":3}}}`
	out, read := ours(t, cohere_embed.Codec, "cohere/embed-v4.0", embedding.Request{
		Items:    []embedding.Item{{Kind: "text", Text: "red fox"}},
		Settings: embedding.Settings{Task: "search_document", Dimensions: catalog.Known[int64](256), Truncate: "start"},
	})
	rec := record(t, answer)
	theirs, err := cohereAt(rec).Embed(t.Context(), &cohere.V2EmbedRequest{
		Model: "embed-v4.0", InputType: cohere.EmbedInputTypeSearchDocument, Texts: []string{"red fox"}, OutputDimension: cohere.Int(256),
		EmbeddingTypes: []cohere.EmbeddingType{cohere.EmbeddingTypeFloat}, Truncate: cohere.V2EmbedRequestTruncateStart.Ptr(),
	})
	if err != nil {
		t.Fatal(err)
	}
	sameRequest(t, out, rec)

	a, f := read(answer)
	if f != nil {
		t.Fatal(f)
	}
	equal(t, "vectors", len(a.Result.Vectors), len(theirs.Embeddings.Float))
	equal(t, "length", len(a.Result.Vectors[0].Floats), len(theirs.Embeddings.Float[0]))
	for k, x := range theirs.Embeddings.Float[0] {
		equal(t, "number", float64(a.Result.Vectors[0].Floats[k]), x)
	}
	equal(t, "id", a.RequestID, theirs.Id)
	equal(t, "input", float64(total(a, "input_token")), *theirs.Meta.BilledUnits.InputTokens)
}

// Packed bits come as numbers from 0 to 255; an image stands beside a text.
func TestCohereEmbedImages(t *testing.T) {
	bits := strings.TrimSuffix(strings.Repeat("0,1,128,255,", 8), ",")
	answer := `{"id":"e2","embeddings":{"ubinary":[[` + bits + `],[` + bits + `]]},"meta":{"billed_units":{"input_tokens":3,"images":1}}}`
	const image = "data:image/png;base64,iVBORw0KGgo="
	images := stating(t, `[[provider.cohere]]
models = ["embed-v4.0"]
[provider.cohere.operations.embedding]
input_kinds = ["text", "image"]
`)
	out, read := oursIn(t, images, cohere_embed.Codec, "cohere/embed-v4.0", embedding.Request{
		Items:    []embedding.Item{{Kind: "text", Text: "red fox"}, {Kind: "image", MediaType: "image/png", Data: "iVBORw0KGgo="}},
		Settings: embedding.Settings{Task: "search_document", Dimensions: catalog.Known[int64](256), ElementType: "ubinary"},
	})
	rec := record(t, answer)
	theirs, err := cohereAt(rec).Embed(t.Context(), &cohere.V2EmbedRequest{
		Model: "embed-v4.0", InputType: cohere.EmbedInputTypeSearchDocument, OutputDimension: cohere.Int(256),
		Inputs: []*cohere.EmbedInput{
			{Content: []*cohere.EmbedContent{{Type: "text", Text: &cohere.EmbedText{Text: cohere.String("red fox")}}}},
			{Content: []*cohere.EmbedContent{{Type: "image_url", ImageUrl: &cohere.EmbedImage{ImageUrl: &cohere.EmbedImageUrl{Url: image}}}}},
		},
		EmbeddingTypes: []cohere.EmbeddingType{cohere.EmbeddingTypeUbinary}, Truncate: cohere.V2EmbedRequestTruncateNone.Ptr(),
	})
	if err != nil {
		t.Fatal(err)
	}
	sameRequest(t, out, rec)

	a, f := read(answer)
	if f != nil {
		t.Fatal(f)
	}
	equal(t, "vectors", len(a.Result.Vectors), len(theirs.Embeddings.Ubinary))
	for i, v := range theirs.Embeddings.Ubinary {
		equal(t, "length", len(a.Result.Vectors[i].Bytes), len(v))
		for k, x := range v {
			equal(t, "bits", int(a.Result.Vectors[i].Bytes[k]), x)
		}
	}
}

const rerankAnswer = `{"id":"r1","results":[{"index":1,"relevance_score":0.97},{"index":0,"relevance_score":0.12}],"meta":{"billed_units":{"search_units":1}}}`

func TestCohereRerank(t *testing.T) {
	out, read := ours(t, cohere_rerank.Codec, "cohere/rerank-v3.5", rerank.Request{
		Query:     "fox",
		Documents: []rerank.Document{{Kind: "text", Text: "blue whale"}, {Kind: "text", Text: "red fox"}, {Kind: "text", Text: "grey wolf"}},
		Settings:  rerank.Settings{TopN: catalog.Known[int64](2)},
	})
	rec := record(t, rerankAnswer)
	theirs, err := cohereAt(rec).Rerank(t.Context(), &cohere.V2RerankRequest{
		Model: "rerank-v3.5", Query: "fox", Documents: []string{"blue whale", "red fox", "grey wolf"}, TopN: cohere.Int(2),
	})
	if err != nil {
		t.Fatal(err)
	}
	sameRequest(t, out, rec)

	a, f := read(rerankAnswer)
	if f != nil {
		t.Fatal(f)
	}
	equal(t, "scores", len(a.Result.Scores), len(theirs.Results))
	for i, r := range theirs.Results {
		equal(t, "document", a.Result.Scores[i].Document, int64(r.Index))
		equal(t, "score", number(t, a.Result.Scores[i].Score), r.RelevanceScore)
	}
	equal(t, "id", a.RequestID, *theirs.Id)
	equal(t, "search units", float64(total(a, "search_unit")), *theirs.Meta.BilledUnits.SearchUnits)
}
