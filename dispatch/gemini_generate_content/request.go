package gemini_generate_content

import (
	"github.com/go-json-experiment/json/jsontext"

	"github.com/opcat/opcat/catalog"
	"github.com/opcat/opcat/dispatch/internal/post"
)

type request struct {
	SystemInstruction *content    `json:"systemInstruction,omitzero"`
	Contents          []content   `json:"contents"`
	Tools             []tools     `json:"tools,omitzero"`
	ToolConfig        *toolConfig `json:"toolConfig,omitzero"`
	ServiceTier       string      `json:"serviceTier,omitzero"`
	GenerationConfig  generation  `json:"generationConfig,omitzero"`
}

type content struct {
	Role  string `json:"role,omitzero"`
	Parts []part `json:"parts"`
}

// part has one of its members, and the signature of a thought or not beside it;
// or it is a thought, written as it came.
type part struct {
	Text             *post.Text        `json:"text,omitzero"`
	InlineData       *blob             `json:"inlineData,omitzero"`
	FileData         *fileData         `json:"fileData,omitzero"`
	FunctionCall     *functionCall     `json:"functionCall,omitzero"`
	FunctionResponse *functionResponse `json:"functionResponse,omitzero"`

	Thought jsontext.Value `json:",embed"`
}

type blob struct {
	MimeType string    `json:"mimeType"`
	Data     post.Text `json:"data"`
}

type fileData struct {
	MimeType string `json:"mimeType,omitzero"`
	FileURI  string `json:"fileUri"`
}

type functionCall struct {
	ID   string         `json:"id,omitzero"`
	Name string         `json:"name"`
	Args jsontext.Value `json:"args,omitzero"`
}

type functionResponse struct {
	ID       string   `json:"id,omitzero"`
	Name     string   `json:"name"`
	Response response `json:"response"`
}

// response is what a tool gave: its text under the name that the API documents.
type response struct {
	Output post.Text `json:"output"`
}

type tools struct {
	FunctionDeclarations []declaration `json:"functionDeclarations"`
}

type declaration struct {
	Name        string         `json:"name"`
	Description string         `json:"description,omitzero"`
	Parameters  jsontext.Value `json:"parametersJsonSchema"`
}

type toolConfig struct {
	FunctionCallingConfig callingConfig `json:"functionCallingConfig"`
}

type callingConfig struct {
	Mode    string   `json:"mode"`
	Allowed []string `json:"allowedFunctionNames,omitzero"`
}

type generation struct {
	MaxOutputTokens    catalog.Opt[int64] `json:"maxOutputTokens,omitzero"`
	Temperature        jsontext.Value     `json:"temperature,omitzero"`
	TopP               jsontext.Value     `json:"topP,omitzero"`
	TopK               catalog.Opt[int64] `json:"topK,omitzero"`
	Seed               catalog.Opt[int64] `json:"seed,omitzero"`
	PresencePenalty    jsontext.Value     `json:"presencePenalty,omitzero"`
	FrequencyPenalty   jsontext.Value     `json:"frequencyPenalty,omitzero"`
	StopSequences      []string           `json:"stopSequences,omitzero"`
	ResponseLogprobs   bool               `json:"responseLogprobs,omitzero"`
	Logprobs           catalog.Opt[int64] `json:"logprobs,omitzero"`
	ResponseMimeType   string             `json:"responseMimeType,omitzero"`
	ResponseJSONSchema jsontext.Value     `json:"responseJsonSchema,omitzero"`
	ResponseModalities []string           `json:"responseModalities,omitzero"`
	ThinkingConfig     *thinkingConfig    `json:"thinkingConfig,omitzero"`
}

type thinkingConfig struct {
	ThinkingBudget catalog.Opt[int64] `json:"thinkingBudget,omitzero"`
	ThinkingLevel  string             `json:"thinkingLevel,omitzero"`
}
