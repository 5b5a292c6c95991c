package diag

// checkContractCodes are the reference pages of the check stage's codes about contracts.
var checkContractCodes = []Entry{
	{
		Code: DefaultNotAllowed, Stage: "check",
		Title: "a default that the setting itself refuses",
		Why:   "a caller who leaves the setting out is refused for what the catalog filled in",
		Wrong: `-- catalog_sources/acme.toml --
schema = "1.0"
[[model]]
provider = "acme"
wire_model = "chat-1"
-- capability_sources/acme.toml --
schema = "1.0"
[[provider.acme]]
models = ["chat-1"]
[provider.acme.operations.text_generation]
protocol = "openai_chat_completions"
input_kinds = ["text"]
settings = { effort = { values = ["low", "high"], default = "medium" } }
`,
		Right: `-- catalog_sources/acme.toml --
schema = "1.0"
[[model]]
provider = "acme"
wire_model = "chat-1"
-- capability_sources/acme.toml --
schema = "1.0"
[[provider.acme]]
models = ["chat-1"]
[provider.acme.operations.text_generation]
protocol = "openai_chat_completions"
input_kinds = ["text"]
settings = { effort = { values = ["low", "high"], default = "low" } }
`,
	},
	{
		Code: SettingContradicts, Stage: "check",
		Title: "a setting that contradicts itself",
		Why:   "half of what it says is ignored, and which half depends on who reads",
		Wrong: `-- catalog_sources/acme.toml --
schema = "1.0"
[[model]]
provider = "acme"
wire_model = "chat-1"
-- capability_sources/acme.toml --
schema = "1.0"
[[provider.acme]]
models = ["chat-1"]
[provider.acme.operations.text_generation]
protocol = "openai_chat_completions"
input_kinds = ["text"]
settings = { temperature = { values = ["1"], max = "2" } }
`,
		Right: `-- catalog_sources/acme.toml --
schema = "1.0"
[[model]]
provider = "acme"
wire_model = "chat-1"
-- capability_sources/acme.toml --
schema = "1.0"
[[provider.acme]]
models = ["chat-1"]
[provider.acme.operations.text_generation]
protocol = "openai_chat_completions"
input_kinds = ["text"]
settings = { temperature = { min = "0", max = "2" } }
`,
	},
	{
		Code: ExclusiveUndeclared, Stage: "check",
		Title: "a pair of settings one of which the row does not have",
		Why:   "a misspelt name lets the pair through",
		Wrong: `-- catalog_sources/acme.toml --
schema = "1.0"
[[model]]
provider = "acme"
wire_model = "chat-1"
-- capability_sources/acme.toml --
schema = "1.0"
[[provider.acme]]
models = ["chat-1"]
[provider.acme.operations.text_generation]
protocol = "openai_chat_completions"
input_kinds = ["text"]
settings = { temperature = "supported", exclusive = [["temperature", "top_p"]] }
`,
		Right: `-- catalog_sources/acme.toml --
schema = "1.0"
[[model]]
provider = "acme"
wire_model = "chat-1"
-- capability_sources/acme.toml --
schema = "1.0"
[[provider.acme]]
models = ["chat-1"]
[provider.acme.operations.text_generation]
protocol = "openai_chat_completions"
input_kinds = ["text"]
settings = { temperature = "supported", top_p = "supported", exclusive = [["temperature", "top_p"]] }
`,
	},
	{
		Code: WhenOverlaps, Stage: "check",
		Title: "two alternatives of a setting that hold for one request",
		Why:   "it is admitted by the one and refused by the other",
		Wrong: `-- catalog_sources/acme.toml --
schema = "1.0"
[[model]]
provider = "acme"
wire_model = "chat-1"
-- capability_sources/acme.toml --
schema = "1.0"
[[provider.acme]]
models = ["chat-1"]
[provider.acme.operations.text_generation]
protocol = "openai_chat_completions"
input_kinds = ["text"]
settings.effort = { values = ["low", "high"] }
settings.temperature = [
  { when = { effort = ["low", "high"] }, min = "0", max = "2" },
  { when = { effort = ["high"] }, values = ["1"] },
]
`,
		Right: `-- catalog_sources/acme.toml --
schema = "1.0"
[[model]]
provider = "acme"
wire_model = "chat-1"
-- capability_sources/acme.toml --
schema = "1.0"
[[provider.acme]]
models = ["chat-1"]
[provider.acme.operations.text_generation]
protocol = "openai_chat_completions"
input_kinds = ["text"]
settings.effort = { values = ["low", "high"] }
settings.temperature = [
  { when = { effort = ["low"] }, min = "0", max = "2" },
  { when = { effort = ["high"] }, values = ["1"] },
]
`,
	},
	{
		Code: WhenUndeclared, Stage: "check",
		Title: "a condition about a setting that the contract does not declare",
		Why:   "it never holds, and what it guards is refused for good",
		Wrong: `-- catalog_sources/acme.toml --
schema = "1.0"
[[model]]
provider = "acme"
wire_model = "chat-1"
-- capability_sources/acme.toml --
schema = "1.0"
[[provider.acme]]
models = ["chat-1"]
[provider.acme.operations.text_generation]
protocol = "openai_chat_completions"
input_kinds = ["text"]
settings = { temperature = { when = { effort = ["none"] } } }
`,
		Right: `-- catalog_sources/acme.toml --
schema = "1.0"
[[model]]
provider = "acme"
wire_model = "chat-1"
-- capability_sources/acme.toml --
schema = "1.0"
[[provider.acme]]
models = ["chat-1"]
[provider.acme.operations.text_generation]
protocol = "openai_chat_completions"
input_kinds = ["text"]
settings = { effort = { values = ["none", "low"] }, temperature = { when = { effort = ["none"] } } }
`,
	},
	{
		Code: WhenNever, Stage: "check",
		Title: "a condition with a value that never comes",
		Why:   "it never holds, and what it guards is refused for good",
		Wrong: `-- catalog_sources/acme.toml --
schema = "1.0"
[[model]]
provider = "acme"
wire_model = "chat-1"
-- capability_sources/acme.toml --
schema = "1.0"
[[provider.acme]]
models = ["chat-1"]
[provider.acme.operations.text_generation]
protocol = "openai_chat_completions"
input_kinds = ["text"]
settings = { effort = { values = ["low"] }, temperature = { when = { effort = ["none"] } } }
`,
		Right: `-- catalog_sources/acme.toml --
schema = "1.0"
[[model]]
provider = "acme"
wire_model = "chat-1"
-- capability_sources/acme.toml --
schema = "1.0"
[[provider.acme]]
models = ["chat-1"]
[provider.acme.operations.text_generation]
protocol = "openai_chat_completions"
input_kinds = ["text"]
settings = { effort = { values = ["none", "low"] }, temperature = { when = { effort = ["none"] } } }
`,
	},
	{
		Code: OptionNotInProtocol, Stage: "check",
		Title: "an option that the protocol does not carry",
		Why:   "the request would be sent without it, in silence",
		Wrong: `-- catalog_sources/acme.toml --
schema = "1.0"
[[model]]
provider = "acme"
wire_model = "judge-1"
-- capability_sources/acme.toml --
schema = "1.0"
[[provider.acme]]
models = ["judge-1"]
[provider.acme.operations.decision_evaluation]
protocol = "typesafe_system_one"
question_kinds = ["boolean"]
input_kinds = ["text"]
evidence_kind = "input_reference"
settings = { prompt_cache_key = "supported" }
`,
		Right: `-- catalog_sources/acme.toml --
schema = "1.0"
[[model]]
provider = "acme"
wire_model = "judge-1"
-- capability_sources/acme.toml --
schema = "1.0"
[[provider.acme]]
models = ["judge-1"]
[provider.acme.operations.decision_evaluation]
protocol = "openai_decisions"
question_kinds = ["boolean"]
input_kinds = ["text"]
evidence_kind = "input_reference"
settings = { prompt_cache_key = "supported" }
`,
	},
	{
		Code: UpstreamPinMissing, Stage: "check",
		Title: "a gateway contract that does not say who answers",
		Why:   "author and server may differ, and an unpinned answer may be another model's",
		Wrong: `-- catalog_sources/acme.toml --
schema = "1.0"
[[model]]
provider = "acme"
wire_model = "judge-1"
-- capability_sources/acme.toml --
schema = "1.0"
[[provider.acme]]
models = ["judge-1"]
[provider.acme.operations.decision_evaluation]
protocol = "vercel_evaluate"
question_kinds = ["boolean"]
input_kinds = ["text"]
evidence_kind = "input_reference"
`,
		Right: `-- catalog_sources/acme.toml --
schema = "1.0"
[[model]]
provider = "acme"
wire_model = "judge-1"
-- capability_sources/acme.toml --
schema = "1.0"
[[provider.acme]]
models = ["judge-1"]
[provider.acme.operations.decision_evaluation]
protocol = "vercel_evaluate"
question_kinds = ["boolean"]
input_kinds = ["text"]
evidence_kind = "input_reference"
upstream = "bolt"
`,
	},
	{
		Code: QuestionKindNotInProtocol, Stage: "check",
		Title: "a kind of question that the protocol has no form for",
		Why:   "it would be dropped on the way, or answered as another kind",
		Wrong: `-- catalog_sources/acme.toml --
schema = "1.0"
[[model]]
provider = "acme"
wire_model = "judge-1"
-- capability_sources/acme.toml --
schema = "1.0"
[[provider.acme]]
models = ["judge-1"]
[provider.acme.operations.decision_evaluation]
protocol = "openai_decisions"
question_kinds = ["boolean", "box"]
input_kinds = ["text", "image"]
evidence_kind = "input_reference"
`,
		Right: `-- catalog_sources/acme.toml --
schema = "1.0"
[[model]]
provider = "acme"
wire_model = "judge-1"
-- capability_sources/acme.toml --
schema = "1.0"
[[provider.acme]]
models = ["judge-1"]
[provider.acme.operations.decision_evaluation]
protocol = "typesafe_system_one"
question_kinds = ["boolean", "box"]
input_kinds = ["text", "image"]
evidence_kind = "input_reference"
`,
	},
	{
		Code: EvidenceContradictsKind, Stage: "check",
		Title: "evidence that the protocol's answers can't have",
		Why:   "a predicate that demands evidence from its input would accept a web page",
		Wrong: `-- catalog_sources/acme.toml --
schema = "1.0"
[[model]]
provider = "acme"
wire_model = "judge-1"
-- capability_sources/acme.toml --
schema = "1.0"
[[provider.acme]]
models = ["judge-1"]
[provider.acme.operations.decision_evaluation]
protocol = "typesafe_system_one"
question_kinds = ["boolean"]
input_kinds = ["text"]
evidence_kind = "external_citation"
`,
		Right: `-- catalog_sources/acme.toml --
schema = "1.0"
[[model]]
provider = "acme"
wire_model = "judge-1"
-- capability_sources/acme.toml --
schema = "1.0"
[[provider.acme]]
models = ["judge-1"]
[provider.acme.operations.decision_evaluation]
protocol = "typesafe_system_one"
question_kinds = ["boolean"]
input_kinds = ["text"]
evidence_kind = "input_reference"
`,
	},
	{
		Code: UncertaintyContradictsOperation, Stage: "check",
		Title: "a kind of uncertainty that the result can't carry",
		Why:   "a threshold on a number that is no probability decides by chance",
		Wrong: `-- catalog_sources/acme.toml --
schema = "1.0"
[[model]]
provider = "acme"
wire_model = "embed-1"
-- capability_sources/acme.toml --
schema = "1.0"
[[provider.acme]]
models = ["embed-1"]
[provider.acme.operations.embedding]
protocol = "openai_embeddings"
input_kinds = ["text"]
dimensions = 768
uncertainty = "distribution"
`,
		Right: `-- catalog_sources/acme.toml --
schema = "1.0"
[[model]]
provider = "acme"
wire_model = "embed-1"
-- capability_sources/acme.toml --
schema = "1.0"
[[provider.acme]]
models = ["embed-1"]
[provider.acme.operations.embedding]
protocol = "openai_embeddings"
input_kinds = ["text"]
dimensions = 768
uncertainty = "none"
`,
	},
	{
		Code: StructuredContradicts, Stage: "check",
		Title: "a response schema that no transport carries",
		Why:   "the schema would be dropped and prose come back",
		Wrong: `-- catalog_sources/acme.toml --
schema = "1.0"
[[model]]
provider = "acme"
wire_model = "chat-1"
-- capability_sources/acme.toml --
schema = "1.0"
[[provider.acme]]
models = ["chat-1"]
[provider.acme.operations.text_generation]
protocol = "openai_chat_completions"
input_kinds = ["text"]
structured = { transport = "unsupported" }
settings = { response_schema = "supported" }
`,
		Right: `-- catalog_sources/acme.toml --
schema = "1.0"
[[model]]
provider = "acme"
wire_model = "chat-1"
-- capability_sources/acme.toml --
schema = "1.0"
[[provider.acme]]
models = ["chat-1"]
[provider.acme.operations.text_generation]
protocol = "openai_chat_completions"
input_kinds = ["text"]
structured = { transport = "native_schema" }
settings = { response_schema = "supported" }
`,
	},
	{
		Code: StructuredModeWithoutTransport, Stage: "check",
		Title: "a JSON shape without a structured transport",
		Why:   "the shape is asked for in a way that the row does not have",
		Wrong: `-- catalog_sources/acme.toml --
schema = "1.0"
[[model]]
provider = "acme"
wire_model = "chat-1"
-- capability_sources/acme.toml --
schema = "1.0"
[[provider.acme]]
models = ["chat-1"]
[provider.acme.operations.text_generation]
protocol = "openai_chat_completions"
input_kinds = ["text"]
structured = { transport = "unsupported", mode = "native_json" }
`,
		Right: `-- catalog_sources/acme.toml --
schema = "1.0"
[[model]]
provider = "acme"
wire_model = "chat-1"
-- capability_sources/acme.toml --
schema = "1.0"
[[provider.acme]]
models = ["chat-1"]
[provider.acme.operations.text_generation]
protocol = "openai_chat_completions"
input_kinds = ["text"]
structured = { transport = "native_schema", mode = "native_json" }
`,
	},
	{
		Code: ToolFormatContradicts, Stage: "check",
		Title: "a tool format that is preferred and not offered",
		Why:   "a driver that follows the preference writes calls that nobody parses",
		Wrong: `-- catalog_sources/acme.toml --
schema = "1.0"
[[model]]
provider = "acme"
wire_model = "chat-1"
-- capability_sources/acme.toml --
schema = "1.0"
[[provider.acme]]
models = ["chat-1"]
[provider.acme.operations.text_generation]
protocol = "openai_chat_completions"
input_kinds = ["text"]
tools = { native = false, preferred = "native" }
`,
		Right: `-- catalog_sources/acme.toml --
schema = "1.0"
[[model]]
provider = "acme"
wire_model = "chat-1"
-- capability_sources/acme.toml --
schema = "1.0"
[[provider.acme]]
models = ["chat-1"]
[provider.acme.operations.text_generation]
protocol = "openai_chat_completions"
input_kinds = ["text"]
tools = { native = true, preferred = "native" }
`,
	},
	{
		Code: ToolFactWithoutTools, Stage: "check",
		Title: "facts of native tools where there are none",
		Why:   "a driver sends what the row refuses",
		Wrong: `-- catalog_sources/acme.toml --
schema = "1.0"
[[model]]
provider = "acme"
wire_model = "chat-1"
-- capability_sources/acme.toml --
schema = "1.0"
[[provider.acme]]
models = ["chat-1"]
[provider.acme.operations.text_generation]
protocol = "openai_chat_completions"
input_kinds = ["text"]
tools = { native = false, max = 64 }
`,
		Right: `-- catalog_sources/acme.toml --
schema = "1.0"
[[model]]
provider = "acme"
wire_model = "chat-1"
-- capability_sources/acme.toml --
schema = "1.0"
[[provider.acme]]
models = ["chat-1"]
[provider.acme.operations.text_generation]
protocol = "openai_chat_completions"
input_kinds = ["text"]
tools = { native = true, max = 64 }
`,
	},
	{
		Code: CacheFactWithoutCache, Stage: "check",
		Title: "facts of a prompt cache that is not there",
		Why:   "callers mark their prompts and plan for a price that does not come",
		Wrong: `-- catalog_sources/acme.toml --
schema = "1.0"
[[model]]
provider = "acme"
wire_model = "chat-1"
-- capability_sources/acme.toml --
schema = "1.0"
[[provider.acme]]
models = ["chat-1"]
[provider.acme.operations.text_generation]
protocol = "openai_chat_completions"
input_kinds = ["text"]
cache = { on = false, min_prefix_tokens = 1024 }
`,
		Right: `-- catalog_sources/acme.toml --
schema = "1.0"
[[model]]
provider = "acme"
wire_model = "chat-1"
-- capability_sources/acme.toml --
schema = "1.0"
[[provider.acme]]
models = ["chat-1"]
[provider.acme.operations.text_generation]
protocol = "openai_chat_completions"
input_kinds = ["text"]
cache = { on = true, min_prefix_tokens = 1024 }
`,
	},
	{
		Code: BatchIncomplete, Stage: "check",
		Title: "a batch interface that can't be spoken",
		Why:   "without the wire format and the way in a batch is only a claim",
		Wrong: `-- catalog_sources/acme.toml --
schema = "1.0"
[[model]]
provider = "acme"
wire_model = "chat-1"
-- capability_sources/acme.toml --
schema = "1.0"
[[provider.acme]]
models = ["chat-1"]
[provider.acme.operations.text_generation]
protocol = "openai_chat_completions"
input_kinds = ["text"]
batch = { wire_format = "openai" }
`,
		Right: `-- catalog_sources/acme.toml --
schema = "1.0"
[[model]]
provider = "acme"
wire_model = "chat-1"
-- capability_sources/acme.toml --
schema = "1.0"
[[provider.acme]]
models = ["chat-1"]
[provider.acme.operations.text_generation]
protocol = "openai_chat_completions"
input_kinds = ["text"]
batch = { wire_format = "openai", input_mode = "jsonl_file" }
`,
	},
	{
		Code: FilesIncomplete, Stage: "check",
		Title: "references to files, and no word how files are uploaded",
		Why:   "a reference needs a file that the provider has",
		Wrong: `-- catalog_sources/acme.toml --
schema = "1.0"
[[model]]
provider = "acme"
wire_model = "chat-1"
-- capability_sources/acme.toml --
schema = "1.0"
[[provider.acme]]
models = ["chat-1"]
[provider.acme.operations.text_generation]
protocol = "anthropic_messages"
input_kinds = ["text", "file_ref"]
`,
		Right: `-- catalog_sources/acme.toml --
schema = "1.0"
[[model]]
provider = "acme"
wire_model = "chat-1"
-- capability_sources/acme.toml --
schema = "1.0"
[[provider.acme]]
models = ["chat-1"]
[provider.acme.operations.text_generation]
protocol = "anthropic_messages"
input_kinds = ["text", "file_ref"]
files = { wire = "anthropic" }
`,
	},
	{
		Code: RoundTripIncomplete, Stage: "check",
		Title: "reasoning that goes back under a key which is not named",
		Why:   "without it the model loses its reasoning between turns, in silence",
		Wrong: `-- catalog_sources/acme.toml --
schema = "1.0"
[[model]]
provider = "acme"
wire_model = "chat-1"
-- capability_sources/acme.toml --
schema = "1.0"
[[provider.acme]]
models = ["chat-1"]
[provider.acme.operations.text_generation]
protocol = "openai_chat_completions"
input_kinds = ["text"]
reasoning = { round_trip = "echo_same_key" }
`,
		Right: `-- catalog_sources/acme.toml --
schema = "1.0"
[[model]]
provider = "acme"
wire_model = "chat-1"
-- capability_sources/acme.toml --
schema = "1.0"
[[provider.acme]]
models = ["chat-1"]
[provider.acme.operations.text_generation]
protocol = "openai_chat_completions"
input_kinds = ["text"]
reasoning = { round_trip = "echo_same_key", history_field = "reasoning_content" }
`,
	},
	{
		Code: ReasoningOffForTools, Stage: "check",
		Title: "reasoning switched off where tools need it",
		Why:   "the model calls its tools inside its reasoning, so it calls none",
		Wrong: `-- catalog_sources/acme.toml --
schema = "1.0"
[[model]]
provider = "acme"
wire_model = "chat-1"
-- capability_sources/acme.toml --
schema = "1.0"
[[provider.acme]]
models = ["chat-1"]
[provider.acme.operations.text_generation]
protocol = "openai_chat_completions"
input_kinds = ["text"]
reasoning = { required_for_tools = true, auto_overrides = { agent = "off" } }
`,
		Right: `-- catalog_sources/acme.toml --
schema = "1.0"
[[model]]
provider = "acme"
wire_model = "chat-1"
-- capability_sources/acme.toml --
schema = "1.0"
[[provider.acme]]
models = ["chat-1"]
[provider.acme.operations.text_generation]
protocol = "openai_chat_completions"
input_kinds = ["text"]
reasoning = { required_for_tools = true, auto_overrides = { agent = "low" } }
`,
	},
	{
		Code: ReasoningContradicts, Stage: "check",
		Title: "a way to think that the wire does not have",
		Why:   "the request is refused by the vendor, or thinks anyway and is billed",
		Wrong: `-- catalog_sources/acme.toml --
schema = "1.0"
[[model]]
provider = "acme"
wire_model = "chat-1"
-- capability_sources/acme.toml --
schema = "1.0"
[[provider.acme]]
models = ["chat-1"]
[provider.acme.operations.text_generation]
protocol = "openai_chat_completions"
input_kinds = ["text"]
reasoning = { modes = ["adaptive"] }
settings = { thinking = { values = ["enabled"] } }
`,
		Right: `-- catalog_sources/acme.toml --
schema = "1.0"
[[model]]
provider = "acme"
wire_model = "chat-1"
-- capability_sources/acme.toml --
schema = "1.0"
[[provider.acme]]
models = ["chat-1"]
[provider.acme.operations.text_generation]
protocol = "openai_chat_completions"
input_kinds = ["text"]
reasoning = { modes = ["adaptive"] }
settings = { thinking = { values = ["adaptive"] } }
`,
	},
	{
		Code: RoutingContradicts, Stage: "check",
		Title: "an upstream that a gateway is told to use and to avoid",
		Why:   "which list wins depends on the gateway",
		Wrong: `-- catalog_sources/acme.toml --
schema = "1.0"
[[model]]
provider = "acme"
wire_model = "chat-1"
-- capability_sources/acme.toml --
schema = "1.0"
[[provider.acme]]
models = ["chat-1"]
[provider.acme.operations.text_generation]
protocol = "openai_chat_completions"
input_kinds = ["text"]
routing = { allow = ["bolt"], deny = ["bolt"] }
`,
		Right: `-- catalog_sources/acme.toml --
schema = "1.0"
[[model]]
provider = "acme"
wire_model = "chat-1"
-- capability_sources/acme.toml --
schema = "1.0"
[[provider.acme]]
models = ["chat-1"]
[provider.acme.operations.text_generation]
protocol = "openai_chat_completions"
input_kinds = ["text"]
routing = { allow = ["bolt"], deny = ["coil"] }
`,
	},
	{
		Code: TruncateContradicts, Stage: "check",
		Title: "documents that are never cut, and a caller who may ask how",
		Why:   "one of the two is not so, and a cut document is ranked as a whole one",
		Wrong: `-- catalog_sources/acme.toml --
schema = "1.0"
[[model]]
provider = "acme"
wire_model = "rank-1"
-- capability_sources/acme.toml --
schema = "1.0"
[[provider.acme]]
models = ["rank-1"]
[provider.acme.operations.reranking]
protocol = "cohere_rerank"
input_kinds = ["text"]
truncates = "never"
settings = { truncate = { values = ["end"] } }
`,
		Right: `-- catalog_sources/acme.toml --
schema = "1.0"
[[model]]
provider = "acme"
wire_model = "rank-1"
-- capability_sources/acme.toml --
schema = "1.0"
[[provider.acme]]
models = ["rank-1"]
[provider.acme.operations.reranking]
protocol = "cohere_rerank"
input_kinds = ["text"]
truncates = "on_request"
settings = { truncate = { values = ["end"] } }
`,
	},
}
