package diag

// checkRowCodes are the reference pages of the check stage's codes about rows and providers.
var checkRowCodes = []Entry{
	{
		Code: NoOperation, Stage: "check",
		Title: "a row that nothing can be asked of",
		Why:   "a reader that fills the gap offers every such row for chat, whatever it is",
		Wrong: `schema = "1.0"
[provider.acme]
name = "Acme"
credential = { scheme = "none" }
endpoint.openai_embeddings = { url = "https://api.acme.example/v1/embeddings" }
[[model]]
provider = "acme"
wire_model = "bge-m3"
`,
		Right: `-- catalog_sources/acme.toml --
schema = "1.0"
[provider.acme]
name = "Acme"
credential = { scheme = "none" }
endpoint.openai_embeddings = { url = "https://api.acme.example/v1/embeddings" }
[[model]]
provider = "acme"
wire_model = "bge-m3"
-- capability_sources/acme.toml --
schema = "1.0"
[[provider.acme]]
models = ["bge-m3"]
[provider.acme.operations.embedding]
protocol = "openai_embeddings"
input_kinds = ["text"]
dimensions = 1024
`,
	},
	{
		Code: ListedAndGranted, Stage: "check",
		Title: "a row listed as what a contract grants it",
		Why:   "listed_as is for jobs without a contract: pickers show such a row apart and nothing selects it",
		Wrong: `-- catalog_sources/acme.toml --
schema = "1.0"
[[model]]
provider = "acme"
wire_model = "chat-1"
listed_as = ["text_generation"]
-- capability_sources/acme.toml --
schema = "1.0"
[[provider.acme]]
models = ["chat-1"]
[provider.acme.operations.text_generation]
protocol = "openai_chat_completions"
input_kinds = ["text"]
`,
		Right: `-- catalog_sources/acme.toml --
schema = "1.0"
[[model]]
provider = "acme"
wire_model = "chat-1"
listed_as = ["speech"]
-- capability_sources/acme.toml --
schema = "1.0"
[[provider.acme]]
models = ["chat-1"]
[provider.acme.operations.text_generation]
protocol = "openai_chat_completions"
input_kinds = ["text"]
`,
	},
	{
		Code: ProviderEmpty, Stage: "check",
		Title: "a provider without rows",
		Why:   "a bad edit that loses the rows of a provider would pass as a valid, smaller catalog",
		Wrong: `schema = "1.0"
[provider.acme]
name = "Acme"
credential = { scheme = "bearer", env = ["ACME_KEY"], origins = ["https://api.acme.example"] }
`,
		Right: `schema = "1.0"
[provider.acme]
name = "Acme"
credential = { scheme = "bearer", env = ["ACME_KEY"], origins = ["https://api.acme.example"] }

[[model]]
provider = "acme"
wire_model = "chat-1"
`,
	},
	{
		Code: OperationWithoutEndpoint, Stage: "check",
		Title: "a contract that no endpoint of the provider serves",
		Why:   "a path is never invented, and a chat endpoint does not serve a decision",
		Wrong: `-- catalog_sources/acme.toml --
schema = "1.0"
[provider.acme]
name = "Acme"
credential = { scheme = "none" }
endpoint.openai_chat_completions = { url = "https://api.acme.example/v1/chat" }

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
		Right: `-- catalog_sources/acme.toml --
schema = "1.0"
[provider.acme]
name = "Acme"
credential = { scheme = "none" }
endpoint.typesafe_system_one = { url = "https://api.acme.example/v1/systemone" }

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
		Code: UnknownProtocol, Stage: "check",
		Title: "an endpoint of a protocol that does not exist",
		Why:   "no contract ever finds such an endpoint",
		Wrong: `schema = "1.0"
[provider.acme]
endpoint.openai_embedings = { url = "https://api.acme.example/v1/embeddings" }
`,
		Right: `schema = "1.0"
[provider.acme]
endpoint.openai_embeddings = { url = "https://api.acme.example/v1/embeddings" }
`,
	},
	{
		Code: DialectUnknown, Stage: "check",
		Title: "a dialect that its protocol does not have",
		Why:   "no codec speaks it, so nothing could be sent",
		Wrong: `schema = "1.0"
[provider.acme]
endpoint.typesafe_system_one = { url = "https://api.acme.example/v1/systemone", dialect = "naze" }
`,
		Right: `schema = "1.0"
[provider.acme]
endpoint.typesafe_system_one = { url = "https://api.acme.example/v1/systemone", dialect = "nace" }
`,
	},
	{
		Code: ProtocolRepeated, Stage: "check",
		Title: "an entry of a protocol list that never serves",
		Why:   "the entry before it, of the same protocol, always serves first",
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
protocol = ["openai_responses", "openai_responses"]
input_kinds = ["text"]
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
protocol = ["openai_responses", "openai_chat_completions"]
input_kinds = ["text"]
`,
	},
	{
		Code: FieldNotApplicable, Stage: "check",
		Title: "a key that something beside it makes meaningless",
		Why:   "one reader takes it as true and the next ignores it",
		Wrong: `schema = "1.0"
[[model]]
provider = "acme"
wire_model = "chat-1"
price = [
  { meter = "input_token", usd_per_million = "2", ceiling = "3" },
]
`,
		Right: `schema = "1.0"
[[model]]
provider = "acme"
wire_model = "chat-1"
price = [
  { meter = "input_token", dynamic = true, ceiling = "3" },
]
`,
	},
	{
		Code: FlagOfOtherOperation, Stage: "check",
		Title: "a fact of text on a row that writes none",
		Why:   "such a fact makes a row that only judges or embeds look like a chat driver",
		Wrong: `-- catalog_sources/acme.toml --
schema = "1.0"
[[model]]
provider = "acme"
wire_model = "embed-1"
reasoning_mode = [{ id = "deep", request = { param_path = ["mode"], value = "deep" } }]
-- capability_sources/acme.toml --
schema = "1.0"
[[provider.acme]]
models = ["embed-1"]
[provider.acme.operations.embedding]
protocol = "openai_embeddings"
input_kinds = ["text"]
dimensions = 768
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
`,
	},
	{
		Code: SourceIncomplete, Stage: "check",
		Title: "a source without a date, or a date without a source",
		Why:   "what a page says changes; without the day it was read nobody can tell which is newer",
		Wrong: `schema = "1.0"
[[model]]
provider = "acme"
wire_model = "chat-1"
limits = { context_tokens = 8192, source = "https://acme.example/m" }
`,
		Right: `schema = "1.0"
[[model]]
provider = "acme"
wire_model = "chat-1"
limits = { context_tokens = 8192, source = "https://acme.example/m", checked_on = "2026-11-01" }
`,
	},
	{
		Code: EvidenceIncomplete, Stage: "check",
		Title: "a claim of support that does not show what it rests on",
		Why:   "\"documented\" without the page and \"probed\" without the call say nothing",
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
evidence = { support = "documented" }
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
evidence = { support = "documented", source = "https://acme.example/m", checked_on = "2026-11-01" }
`,
	},
	{
		Code: EvidenceContradicts, Stage: "check",
		Title: "a setting seen honoured that the contract does not take",
		Why:   "one of the two was not looked at again",
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
evidence = { support = "probed", probed_on = "2026-11-01", receipt = "r-1", settings = ["temperature"] }
settings = { temperature = "refused" }
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
evidence = { support = "probed", probed_on = "2026-11-01", receipt = "r-1", settings = ["temperature"] }
settings = { temperature = "supported" }
`,
	},
	{
		Code: EmbeddingDimensionMissing, Stage: "check",
		Title: "an embedding contract without a width",
		Why:   "callers size their index by it",
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
`,
	},
	{
		Code: DimensionsContradict, Stage: "check",
		Title: "widths of a vector that contradict each other",
		Why:   "a vector of another width can't be written into an index, or worse, can",
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
dimensions = { default = 768, allowed = [256, 512] }
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
dimensions = { default = 768, allowed = [256, 512, 768] }
`,
	},
	{
		Code: LimitExceedsWindow, Stage: "check",
		Title: "a limit above the window that holds it",
		Why:   "one of the two was copied from another row, and whoever plans by it overruns",
		Wrong: `schema = "1.0"
[[model]]
provider = "acme"
wire_model = "chat-1"
limits = { context_tokens = 200000, input_tokens = 250000 }
`,
		Right: `schema = "1.0"
[[model]]
provider = "acme"
wire_model = "chat-1"
limits = { context_tokens = 200000, input_tokens = 168000 }
`,
	},
	{
		Code: RangeReversed, Stage: "check",
		Title: "a minimum above its maximum",
		Why:   "such a range admits nothing, and code that tests one end lets everything through",
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
limits = { score_levels_min = 9, score_levels_max = 2 }
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
limits = { score_levels_min = 2, score_levels_max = 9 }
`,
	},
	{
		Code: EntryTwice, Stage: "check",
		Title: "two entries of a list with one name",
		Why:   "they are read as one, and which one depends on who reads",
		Wrong: `schema = "1.0"
[[model]]
provider = "acme"
wire_model = "chat-1"
tier = [{ id = "flex", label = "Flex" }, { id = "flex", label = "Cheap" }]
`,
		Right: `schema = "1.0"
[[model]]
provider = "acme"
wire_model = "chat-1"
tier = [{ id = "flex", label = "Flex" }]
`,
	},
	{
		Code: OriginNotAllowed, Stage: "check",
		Title: "an endpoint that the credential may not be sent to",
		Why:   "a changed URL would take the key along to another host",
		Wrong: `schema = "1.0"
[provider.acme]
credential = { scheme = "bearer", env = ["ACME_KEY"], origins = ["https://api.acme.example"] }
endpoint.openai_embeddings = { url = "https://proxy.example/v1/embeddings" }
`,
		Right: `schema = "1.0"
[provider.acme]
credential = { scheme = "bearer", env = ["ACME_KEY"], origins = ["https://api.acme.example"] }
endpoint.openai_embeddings = { url = "https://api.acme.example/v1/embeddings" }
`,
	},
	{
		Code: OriginTooOpen, Stage: "check",
		Title: "an origin whose host a variable decides",
		Why:   "whoever sets the variable gets the key; a hole may vary only what stands left of a fixed domain",
		Wrong: `schema = "1.0"
[provider.acme]
credential = { scheme = "bearer", env = ["ACME_KEY"], origins = ["https://{host}"] }
`,
		Right: `schema = "1.0"
[provider.acme]
credential = { scheme = "bearer", env = ["ACME_KEY"], origins = ["https://{region}.acme.example"] }
`,
	},
	{
		Code: CredentialShared, Stage: "check",
		Title: "one credential of two providers that send it to different origins",
		Why:   "a provider copied without its env changed hands the first vendor's key to the second",
		Wrong: `schema = "1.0"
[provider.acme]
credential = { scheme = "bearer", env = ["ACME_KEY"], origins = ["https://api.acme.example"] }

[provider.bolt]
credential = { scheme = "bearer", env = ["ACME_KEY"], origins = ["https://bolt.example"] }
`,
		Right: `schema = "1.0"
[provider.acme]
credential = { scheme = "bearer", env = ["ACME_KEY"], origins = ["https://api.acme.example"] }

[provider.bolt]
credential = { scheme = "bearer", env = ["BOLT_KEY"], origins = ["https://bolt.example"] }
`,
	},
	{
		Code: HeaderReserved, Stage: "check",
		Title: "a fixed header that the request writes itself",
		Why:   "it would overwrite what the request says, or carry a key past its origins",
		Wrong: `schema = "1.0"
[provider.acme]
headers = { "Authorization" = "Bearer abc" }
`,
		Right: `schema = "1.0"
[provider.acme]
headers = { "X-Team" = "search" }
`,
	},
	{
		Code: VariableUndeclared, Stage: "check",
		Title: "a hole of a URL that nothing fills",
		Why:   "the request would go to an address with a brace in it, or to none",
		Wrong: `schema = "1.0"
[provider.acme]
endpoint.cloudflare_run = { url = "https://api.acme.example/{account}/run" }
`,
		Right: `schema = "1.0"
[provider.acme]
endpoint.cloudflare_run = { url = "https://api.acme.example/{account}/run", variable = { account = { env = "ACME_ACCOUNT" } } }
`,
	},
	{
		Code: VariableUnused, Stage: "check",
		Title: "a variable that fills no hole",
		Why:   "it was meant for a hole that is spelt otherwise (a warning)",
		Wrong: `schema = "1.0"
[provider.acme]
endpoint.openai_embeddings = { url = "https://api.acme.example/v1", variable = { account = { env = "ACME_ACCOUNT" } } }
`,
		Right: `schema = "1.0"
[provider.acme]
endpoint.openai_embeddings = { url = "https://api.acme.example/{account}/v1", variable = { account = { env = "ACME_ACCOUNT" } } }
`,
	},
	{
		Code: VariableInvalid, Stage: "check",
		Title: "a variable that is never filled, or could fill a hole with the wrong thing",
		Why:   "a slash or an at sign in a host moves the whole origin",
		Wrong: `schema = "1.0"
[provider.acme]
endpoint.openai_embeddings = { url = "https://{site}.acme.example/v1", variable = { site = { env = "ACME_SITE", pattern = ".*" } } }
`,
		Right: `schema = "1.0"
[provider.acme]
endpoint.openai_embeddings = { url = "https://{site}.acme.example/v1", variable = { site = { env = "ACME_SITE", pattern = "[a-z0-9-]{1,63}" } } }
`,
	},
}
