package diag

// The codes of stage migrate about providers, rows and what names them, and those
// of accept files, which are read beside it. Many of the mistakes that format 0
// can hold can be said in today's form too; those codes are registered by the
// stage that looks for them there.
const (
	OperationsEmpty                Code = "OPERATIONS_EMPTY"
	OperationDuplicate             Code = "OPERATION_DUPLICATE"
	UnknownOperation               Code = "UNKNOWN_OPERATION"
	OperationSpelledTwice          Code = "OPERATION_SPELLED_TWICE"
	LegacyModelType                Code = "LEGACY_MODEL_TYPE"
	EmbeddingFlagContradictsOutput Code = "EMBEDDING_FLAG_CONTRADICTS_OUTPUT"
	EmbeddingFlagContradictsDim    Code = "EMBEDDING_FLAG_CONTRADICTS_DIM"
	EmbeddingDimWithoutOperation   Code = "EMBEDDING_DIM_WITHOUT_OPERATION"
	FeatureWithoutEndpoint         Code = "FEATURE_WITHOUT_ENDPOINT"
	DecisionEndpointInChatField    Code = "DECISION_ENDPOINT_IN_CHAT_FIELD"
	LabelContradictsOperation      Code = "LABEL_CONTRADICTS_OPERATION"
	UnknownLabel                   Code = "UNKNOWN_LABEL"
	OperationAsLabel               Code = "OPERATION_AS_LABEL"
	DialectContradictsOperation    Code = "DIALECT_CONTRADICTS_OPERATION"
	UnknownDialect                 Code = "UNKNOWN_DIALECT"
	RegistrationNeedsExactID       Code = "REGISTRATION_NEEDS_EXACT_ID"
	RegistrationInvalid            Code = "REGISTRATION_INVALID"
	ImportCacheInvalid             Code = "IMPORT_CACHE_INVALID"
	ImportMissing                  Code = "IMPORT_MISSING"
	InferenceCannotAdmit           Code = "INFERENCE_CANNOT_ADMIT"
	PriceFallbackDiffers           Code = "PRICE_FALLBACK_DIFFERS"
	OperationDroppedByOverlay      Code = "OPERATION_DROPPED_BY_OVERLAY"
	OverlayType                    Code = "OVERLAY_TYPE"
	SuppressShape                  Code = "SUPPRESS_SHAPE"
	RetiredField                   Code = "RETIRED_FIELD"
	AcceptInvalid                  Code = "ACCEPT_INVALID"
	AcceptStale                    Code = "ACCEPT_STALE"
)

var migrateRowCodes = []Entry{
	{
		Code: OperationsEmpty, Stage: "migrate",
		Title: "a row lists no operation",
		Why:   "a row that does nothing can't be selected, and an empty list is no statement that it does text",
		Wrong: `[models."acme/none-1"]
name = "Example"
provider = "acme"
context_window = 8192
operations = []
`,
		Right: `[models."acme/none-1"]
name = "Example"
provider = "acme"
context_window = 8192
operations = ["text_generation"]
`,
	},
	{
		Code: OperationDuplicate, Stage: "migrate",
		Title: "an operation is listed twice",
		Why:   "one of the two was meant to be another operation",
		Wrong: `[models."acme/twin-1"]
name = "Example"
provider = "acme"
context_window = 8192
operations = ["decision", "decision"]
`,
		Right: `[models."acme/twin-1"]
name = "Example"
provider = "acme"
context_window = 8192
operations = ["text_generation", "decision"]
`,
	},
	{
		Code: UnknownOperation, Stage: "migrate",
		Title: "a word is no operation of the registry",
		Why:   "read as text, a misspelt operation would offer a row for requests that it can't answer",
		Wrong: `[models."acme/typo-1"]
name = "Example"
provider = "acme"
context_window = 8192
operations = ["decison"]
`,
		Right: `[models."acme/typo-1"]
name = "Example"
provider = "acme"
context_window = 8192
operations = ["decision"]
`,
	},
	{
		Code: OperationSpelledTwice, Stage: "migrate",
		Title: "one operation is listed in two spellings",
		Why:   "it reads as two jobs, and the next editor changes only one of them",
		Wrong: `[models."acme/judge-1"]
name = "Example"
provider = "acme"
context_window = 8192
operations = ["decision", "decision_evaluation"]
`,
		Right: `[models."acme/judge-1"]
name = "Example"
provider = "acme"
context_window = 8192
operations = ["decision_evaluation"]
`,
	},
	{
		Code: LegacyModelType, Stage: "migrate",
		Title: "an exclusive type stands beside a set of operations",
		Why:   "the type says that the row does one thing only, the set may say more; readers would pick either",
		Wrong: `[models."acme/old-1"]
name = "Example"
provider = "acme"
context_window = 8192
model_type = "llm"
operations = ["text_generation", "decision"]
`,
		Right: `[models."acme/old-1"]
name = "Example"
provider = "acme"
context_window = 8192
operations = ["text_generation", "decision"]
`,
	},
	{
		Code: EmbeddingFlagContradictsOutput, Stage: "migrate",
		Title: "the embedding flag and the output disagree",
		Why:   "one reader would dial the row for vectors, the other for text",
		Wrong: `[models."acme/vec-1"]
name = "Example"
provider = "acme"
context_window = 8192
is_embedding_model = true
output_modalities = ["text_generation"]
embedding_dim = 768
`,
		Right: `[models."acme/vec-1"]
name = "Example"
provider = "acme"
context_window = 8192
operations = ["embedding"]
embedding_dim = 768
`,
	},
	{
		Code: EmbeddingFlagContradictsDim, Stage: "migrate",
		Title: "the embedding flag says no, the vector width says yes",
		Why:   "a width alone makes a row of format 0 an embedding row, whatever the flag says",
		Wrong: `[models."acme/vec-2"]
name = "Example"
provider = "acme"
context_window = 8192
is_embedding_model = false
embedding_dim = 1024
`,
		Right: `[models."acme/vec-2"]
name = "Example"
provider = "acme"
context_window = 8192
operations = ["embedding"]
embedding_dim = 1024
`,
	},
	{
		Code: EmbeddingDimWithoutOperation, Stage: "migrate",
		Title: "a vector width on a row that does not embed",
		Why:   "the width belongs to an embedding contract; elsewhere it may be a misplaced output limit",
		Wrong: `[models."acme/chat-1"]
name = "Example"
provider = "acme"
context_window = 8192
operations = ["text_generation"]
embedding_dim = 1536
`,
		Right: `[models."acme/vec-3"]
name = "Example"
provider = "acme"
context_window = 8192
operations = ["embedding"]
embedding_dim = 1536
`,
	},
	{
		Code: FeatureWithoutEndpoint, Stage: "migrate",
		Title: "a label claims an interface that has no path",
		Why:   "a path is never invented, so every call would fail",
		Wrong: `[providers.acme]
base_url = "https://api.acme.example/v1"
chat_endpoint = "/chat/completions"
features = ["embeddings"]
`,
		Right: `[providers.acme]
base_url = "https://api.acme.example/v1"
chat_endpoint = "/chat/completions"
embeddings_endpoint = "/embeddings"
features = ["embeddings"]
`,
	},
	{
		Code: DecisionEndpointInChatField, Stage: "migrate",
		Title: "a decision path stands in the chat endpoint",
		Why:   "read as a chat endpoint it would take chat requests that it can't answer",
		Wrong: `[providers.acme]
base_url = "https://decide.acme.example/v1"
chat_endpoint = "/systemone"
`,
		Right: `schema = "1.0"

[provider.acme.endpoint.typesafe_system_one]
url = "https://decide.acme.example/v1/systemone"
`,
	},
	{
		Code: LabelContradictsOperation, Stage: "migrate",
		Title: "a label needs an operation that the row does not do",
		Why:   "labels grant nothing; a picker that believes one offers what is refused later",
		Wrong: `[models."acme/chat-2"]
name = "Example"
provider = "acme"
context_window = 8192
operations = ["text_generation"]
capabilities = ["embeddings"]
`,
		Right: `[models."acme/chat-2"]
name = "Example"
provider = "acme"
context_window = 8192
operations = ["text_generation"]
capabilities = ["streaming"]
`,
	},
	{
		Code: UnknownLabel, Stage: "migrate",
		Title: "a label that means nothing",
		Why:   "it would vanish in the migration without anybody having read it",
		Wrong: `[models."acme/chat-3"]
name = "Example"
provider = "acme"
context_window = 8192
capabilities = ["telepathy"]
`,
		Right: `[models."acme/chat-3"]
name = "Example"
provider = "acme"
context_window = 8192
capabilities = ["tools"]
`,
	},
	{
		Code: OperationAsLabel, Stage: "migrate",
		Title: "a routing route carries its operation as a label",
		Why:   "a label is a string that nobody checks; routes follow from rows and their contracts",
		Wrong: `[[routing_routes]]
provider = "acme"
model = "chat-9"
capabilities = ["text_generation"]
`,
		Right: `[[routing_routes]]
provider = "acme"
model = "chat-9"
operations = ["text_generation"]
`,
	},
	{
		Code: DialectContradictsOperation, Stage: "migrate",
		Title: "the dialect belongs to another operation than the row's",
		Why:   "a request encoded in it would ask for a job that the row does not do",
		Wrong: `[models."acme/vec-4"]
name = "Example"
provider = "acme"
context_window = 8192
embedding_dim = 768
api_dialect = "openai_chat"
`,
		Right: `[models."acme/vec-4"]
name = "Example"
provider = "acme"
context_window = 8192
embedding_dim = 768
`,
	},
	{
		Code: UnknownDialect, Stage: "migrate",
		Title: "a dialect that no protocol has",
		Why:   "read as the usual chat dialect it would send requests that the server can't read",
		Wrong: `[models."acme/chat-4"]
name = "Example"
provider = "acme"
context_window = 8192
api_dialect = "openai_chatt"
`,
		Right: `[models."acme/chat-4"]
name = "Example"
provider = "acme"
context_window = 8192
api_dialect = "openai_chat"
`,
	},
	{
		Code: RegistrationNeedsExactID, Stage: "migrate",
		Title: "a registration of a pattern",
		Why:   "a registration grants; a pattern would grant to every id that anybody makes up",
		Wrong: `[models."acme/chat-*"]
name = "Example"
provider = "acme"
context_window = 8192
[models."acme/chat-*".registration]
aliases = ["all"]
`,
		Right: `[models."acme/chat-5"]
name = "Example"
provider = "acme"
context_window = 8192
[models."acme/chat-5".registration]
aliases = ["five"]
`,
	},
	{
		Code: RegistrationInvalid, Stage: "migrate",
		Title: "a registration that can't be expanded",
		Why:   "it names a row, an alias or a place in a picker that is not there or not its own",
		Wrong: `[models."acme/chat-6"]
name = "Example"
provider = "acme"
context_window = 8192
[models."acme/chat-6".registration]
supersedes = ["acme/chat-6"]
`,
		Right: `[models."acme/chat-5"]
name = "Example"
provider = "acme"
context_window = 8192
tier = "mid"
[models."acme/chat-6"]
name = "Example"
provider = "acme"
context_window = 8192
[models."acme/chat-6".registration]
supersedes = ["acme/chat-5"]
`,
	},
	{
		Code: ImportCacheInvalid, Stage: "migrate",
		Title: "the pinned facts can't be read",
		Why:   "rows import their windows and prices from this file; a guess in their place would be a wrong price",
		Wrong: `-- catalog_sources/models-dev.json --
{"schema": "another.v9", "models": {}}
`,
		Right: `-- catalog_sources/models-dev.json --
{"schema": "harn.models-dev.v1", "upstream_sha256": "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef", "models": {}}
`,
	},
	{
		Code: ImportMissing, Stage: "migrate",
		Title: "a row imports a fact that is not pinned",
		Why:   "what is not there stays unknown, and the row says that it is known",
		Wrong: `-- catalog_sources/models-dev.json --
{"schema": "harn.models-dev.v1", "upstream_sha256": "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef", "models": {"acme": {"chat-7": {"release_date": "2026-05-01"}}}}
-- catalog_sources/acme.toml --
[models."acme/chat-7"]
name = "Example"
provider = "acme"
context_window = 8192
models_dev = { provider = "acme", model = "chat-77", fields = ["released"] }
`,
		Right: `-- catalog_sources/models-dev.json --
{"schema": "harn.models-dev.v1", "upstream_sha256": "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef", "models": {"acme": {"chat-7": {"release_date": "2026-05-01"}}}}
-- catalog_sources/acme.toml --
[models."acme/chat-7"]
name = "Example"
provider = "acme"
context_window = 8192
models_dev = { provider = "acme", model = "chat-7", fields = ["released"] }
`,
	},
	{
		Code: InferenceCannotAdmit, Stage: "migrate",
		Title: "a reference that only a name pattern would meet",
		Why:   "a pattern guesses a provider from a name; it serves nothing, so the reference leads nowhere",
		Wrong: `[[inference_rules]]
pattern = "chat-*"
provider = "acme"

[aliases.next]
id = "chat-99"
provider = "acme"
`,
		Right: `[aliases.next]
id = "acme/chat-8"
provider = "acme"

[models."acme/chat-8"]
name = "Example"
provider = "acme"
context_window = 8192
`,
	},
	{
		Code: PriceFallbackDiffers, Stage: "migrate",
		Title: "a provider's coarse price and a row's price differ",
		Why:   "a row of this provider that lost its price would settle at the coarse one, unseen",
		Wrong: `[providers.acme]
base_url = "https://api.acme.example/v1"
chat_endpoint = "/chat/completions"
cost_per_1k_in = 0.003

[models."acme/chat-9"]
name = "Example"
provider = "acme"
context_window = 8192
pricing = { input_per_mtok = 1.0, output_per_mtok = 2.0 }
`,
		Right: `[providers.acme]
base_url = "https://api.acme.example/v1"
chat_endpoint = "/chat/completions"
cost_per_1k_in = 0.001

[models."acme/chat-9"]
name = "Example"
provider = "acme"
context_window = 8192
pricing = { input_per_mtok = 1.0, output_per_mtok = 2.0 }
`,
	},
	{
		Code: OperationDroppedByOverlay, Stage: "migrate",
		Title: "a copy of a row leaves out what it does",
		Why:   "format 0 reads silence as text: the copy would turn a decision row into a chat driver",
		Wrong: `-- catalog_sources/acme.toml --
[models."acme/judge-1"]
name = "Example"
provider = "acme"
context_window = 8192
operations = ["decision"]
-- host/catalog_sources/house.toml --
[models."acme/judge-1"]
name = "Example"
provider = "acme"
context_window = 8192
`,
		Right: `-- catalog_sources/acme.toml --
[models."acme/judge-1"]
name = "Example"
provider = "acme"
context_window = 8192
operations = ["decision"]
-- host/catalog_sources/house.toml --
[patch.models."acme/judge-1"]
name = "Judge 1"
`,
	},
	{
		Code: OverlayType, Stage: "migrate",
		Title: "a patch whose value the row can't take",
		Why:   "the patched row would not decode, and the old one would stand as if nothing had been said",
		Wrong: `-- catalog_sources/acme.toml --
[models."acme/chat-1"]
name = "Example"
provider = "acme"
context_window = 8192
-- host/catalog_sources/house.toml --
[patch.models."acme/chat-1"]
stream_timeout = "soon"
`,
		Right: `-- catalog_sources/acme.toml --
[models."acme/chat-1"]
name = "Example"
provider = "acme"
context_window = 8192
-- host/catalog_sources/house.toml --
[patch.models."acme/chat-1"]
stream_timeout = 120.0
`,
	},
	{
		Code: SuppressShape, Stage: "migrate",
		Title: "a suppressed route that names no provider",
		Why:   "such an entry matches nothing, so the route that it means stays",
		Wrong: `-- catalog_sources/acme.toml --
[models."acme/chat-1"]
name = "Example"
provider = "acme"
context_window = 8192
-- host/catalog_sources/house.toml --
[suppress]
routes = ["acme/chat-1"]
`,
		Right: `-- catalog_sources/acme.toml --
[models."acme/chat-1"]
name = "Example"
provider = "acme"
context_window = 8192
-- host/catalog_sources/house.toml --
[suppress]
routes = ["acme:acme/chat-1"]
`,
	},
	{
		Code: RetiredField, Stage: "migrate",
		Title: "a field that format 0 itself had given up",
		Why:   "its programs no longer read it, so what it says has not been true for long",
		Wrong: `fallback_model = "acme/chat-1"
`,
		Right: `[provider_defaults.acme]
runtime = "acme/chat-1"

[models."acme/chat-1"]
name = "Example"
provider = "acme"
context_window = 8192
`,
	},
	{
		Code: AcceptInvalid, Stage: "migrate",
		Title: "an entry of an accept file that can't be used",
		Why:   "an entry that says nothing exact would let mistakes pass that nobody has looked at",
		Wrong: `-- catalog_sources/acme.toml --
[models."acme/chat-3"]
name = "Example"
provider = "acme"
context_window = 8192
capabilities = ["telepathy"]
-- accept.toml --
[[accept]]
code = "UNKNOWN_LABEL"
count = 1
`,
		Right: `-- catalog_sources/acme.toml --
[models."acme/chat-3"]
name = "Example"
provider = "acme"
context_window = 8192
capabilities = ["telepathy"]
-- accept.toml --
[[accept]]
code = "UNKNOWN_LABEL"
count = 1
why = "reported to the maintainers of that tree"
`,
	},
	{
		Code: AcceptStale, Stage: "migrate",
		Title: "an entry of an accept file that fits no finding",
		Why:   "what it was written for is gone or has changed, and it might let something new pass",
		Wrong: `-- catalog_sources/acme.toml --
[models."acme/chat-3"]
name = "Example"
provider = "acme"
context_window = 8192
capabilities = ["telepathy"]
-- accept.toml --
[[accept]]
code = "UNKNOWN_LABEL"
count = 3
why = "reported to the maintainers of that tree"
`,
		Right: `-- catalog_sources/acme.toml --
[models."acme/chat-3"]
name = "Example"
provider = "acme"
context_window = 8192
capabilities = ["telepathy"]
-- accept.toml --
[[accept]]
code = "UNKNOWN_LABEL"
count = 1
why = "reported to the maintainers of that tree"
`,
	},
}
