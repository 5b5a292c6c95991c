package diag

// checkFactCodes are the reference pages of the check stage's codes about prices, lifecycles and identities.
var checkFactCodes = []Entry{
	{
		Code: PriceAmount, Stage: "check",
		Title: "a price with no amount, or with two",
		Why:   "what nobody stated is unknown, never zero; of two amounts a reader picks one",
		Wrong: `schema = "1.0"
[[model]]
provider = "acme"
wire_model = "chat-1"
price = [
  { meter = "input_token" },
]
`,
		Right: `schema = "1.0"
[[model]]
provider = "acme"
wire_model = "chat-1"
price = [
  { meter = "input_token", usd_per_million = "2" },
]
`,
	},
	{
		Code: PriceUnit, Stage: "check",
		Title: "an amount whose key is not of the meter's unit",
		Why:   "a price read in the wrong unit is wrong by a factor of a million",
		Wrong: `schema = "1.0"
[[model]]
provider = "acme"
wire_model = "chat-1"
price = [
  { meter = "input_token", usd_per_unit = "0.000002" },
]
`,
		Right: `schema = "1.0"
[[model]]
provider = "acme"
wire_model = "chat-1"
price = [
  { meter = "input_token", usd_per_million = "2" },
]
`,
	},
	{
		Code: PriceCurrency, Stage: "check",
		Title: "an amount without its currency, or the other way round",
		Why:   "an amount whose currency is guessed is a wrong amount",
		Wrong: `schema = "1.0"
[[model]]
provider = "acme"
wire_model = "chat-1"
price = [
  { meter = "input_token", per_million = "2" },
]
`,
		Right: `schema = "1.0"
[[model]]
provider = "acme"
wire_model = "chat-1"
price = [
  { meter = "input_token", currency = "EUR", per_million = "2" },
]
`,
	},
	{
		Code: PriceAboveGuard, Stage: "check",
		Title: "a price above 1,000 USD per million tokens",
		Why:   "it is nearly always an amount per token in the field per million; the exemption is written in the open",
		Wrong: `schema = "1.0"
[[model]]
provider = "acme"
wire_model = "chat-1"
price = [
  { meter = "input_token", usd_per_million = "15000" },
]
`,
		Right: `schema = "1.0"
[[model]]
provider = "acme"
wire_model = "chat-1"
price = [
  { meter = "input_token", usd_per_million = "15000", above_guard = true },
]
`,
	},
	{
		Code: PriceOverlap, Stage: "check",
		Title: "two prices that can both fit a call",
		Why:   "neither states all that the other does, so which one bills would depend on the order of a file",
		Wrong: `schema = "1.0"
[[model]]
provider = "acme"
wire_model = "chat-1"
price = [
  { meter = "input_token", usd_per_million = "4", above_input_tokens = 1000 },
  { meter = "input_token", usd_per_million = "1", valid_until = "2027-01-01" },
]
`,
		Right: `schema = "1.0"
[[model]]
provider = "acme"
wire_model = "chat-1"
price = [
  { meter = "input_token", usd_per_million = "4", above_input_tokens = 1000 },
  { meter = "input_token", usd_per_million = "1", valid_until = "2027-01-01" },
  { meter = "input_token", usd_per_million = "2", above_input_tokens = 1000, valid_until = "2027-01-01" },
]
`,
	},
	{
		Code: PriceLifetimeMixed, Stage: "check",
		Title: "a meter some of whose prices name a cache lifetime",
		Why:   "the entry without one would be borrowed for the longer lifetime, which costs more",
		Wrong: `schema = "1.0"
[[model]]
provider = "acme"
wire_model = "chat-1"
price = [
  { meter = "cache_write_token", usd_per_million = "6.25" },
  { meter = "cache_write_token", usd_per_million = "10", cache_lifetime = "1h" },
]
`,
		Right: `schema = "1.0"
[[model]]
provider = "acme"
wire_model = "chat-1"
price = [
  { meter = "cache_write_token", usd_per_million = "6.25", cache_lifetime = "5m" },
  { meter = "cache_write_token", usd_per_million = "10", cache_lifetime = "1h" },
]
`,
	},
	{
		Code: PriceConditionUnmet, Stage: "check",
		Title: "a price that no call of the row can meet",
		Why:   "it looks like a price in every table and is in no bill",
		Wrong: `schema = "1.0"
[[model]]
provider = "acme"
wire_model = "chat-1"
region = [{ name = "eu-west-1" }]
price = [{ meter = "input_token", usd_per_million = "2", region = "eu-west1" }]
`,
		Right: `schema = "1.0"
[[model]]
provider = "acme"
wire_model = "chat-1"
region = [{ name = "eu-west-1" }]
price = [{ meter = "input_token", usd_per_million = "2", region = "eu-west-1" }]
`,
	},
	{
		Code: TierAboveWindow, Stage: "check",
		Title: "a price tier that begins where the window ends",
		Why:   "no request reaches it: a billing threshold was once entered as the window that way",
		Wrong: `schema = "1.0"
[[model]]
provider = "acme"
wire_model = "chat-1"
limits = { context_tokens = 512000 }
price = [{ meter = "input_token", usd_per_million = "1.2", above_input_tokens = 512000 }]
`,
		Right: `schema = "1.0"
[[model]]
provider = "acme"
wire_model = "chat-1"
limits = { context_tokens = 1048576 }
price = [{ meter = "input_token", usd_per_million = "1.2", above_input_tokens = 512000 }]
`,
	},
	{
		Code: MeterNotInOperation, Stage: "check",
		Title: "a price of what no call of the row is billed by",
		Why:   "an output price on an embedding charges callers twice for their input",
		Wrong: `-- catalog_sources/acme.toml --
schema = "1.0"
[[model]]
provider = "acme"
wire_model = "embed-1"
price = [{ meter = "output_token", usd_per_million = "0.15" }]
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
price = [{ meter = "input_token", usd_per_million = "0.15" }]
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
		Code: UnboundedMeter, Stage: "check",
		Title: "an output price that a decision would be billed by",
		Why:   "nothing says how many tokens a decision writes, so no budget could ever admit it",
		Wrong: `-- catalog_sources/acme.toml --
schema = "1.0"
[[model]]
provider = "acme"
wire_model = "judge-1"
price = [{ meter = "output_token", usd_per_million = "1.5" }]
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
[[model]]
provider = "acme"
wire_model = "judge-1"
price = [{ meter = "output_token", usd_per_million = "0" }]
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
		Code: LifecycleContradicts, Stage: "check",
		Title: "dates that contradict the state of a row",
		Why:   "whether a row has ended is computed from them: a wrong one offers a dead model or hides a living one",
		Wrong: `schema = "1.0"
[[model]]
provider = "acme"
wire_model = "chat-1"
lifecycle = { ends_on = "2027-01-31" }
`,
		Right: `schema = "1.0"
[[model]]
provider = "acme"
wire_model = "chat-1"
lifecycle = { announced_end = "2027-01-31" }
`,
	},
	{
		Code: SuccessorEnded, Stage: "check",
		Title: "a successor that has ended itself",
		Why:   "whoever follows the advice meets the same error again (a warning)",
		Wrong: `schema = "1.0"
[[model]]
provider = "acme"
wire_model = "chat-1"
lifecycle = { successor = "acme/chat-2" }

[[model]]
provider = "acme"
wire_model = "chat-2"
lifecycle = { deprecated = true, note = "old", ends_on = "2025-01-31" }
`,
		Right: `schema = "1.0"
[[model]]
provider = "acme"
wire_model = "chat-1"
lifecycle = { successor = "acme/chat-2" }

[[model]]
provider = "acme"
wire_model = "chat-2"
`,
	},
	{
		Code: SnapshotContradicts, Stage: "check",
		Title: "a row that is an immutable build and follows another",
		Why:   "whoever pins it does not know whether the answer may change",
		Wrong: `schema = "1.0"
[[model]]
provider = "acme"
wire_model = "chat-1"
snapshot = "2026-07-31"
selects = "chat"
`,
		Right: `schema = "1.0"
[[model]]
provider = "acme"
wire_model = "chat-1"
snapshot = "2026-07-31"
`,
	},
	{
		Code: VersionContradicts, Stage: "check",
		Title: "a version that differs from the snapshot",
		Why:   "rules read the one and people the other",
		Wrong: `schema = "1.0"
[[model]]
provider = "acme"
wire_model = "chat-1"
snapshot = "1.13.0"
version = "1.14.0"
`,
		Right: `schema = "1.0"
[[model]]
provider = "acme"
wire_model = "chat-1"
snapshot = "1.13.0"
`,
	},
	{
		Code: SelectorContradicts, Stage: "check",
		Title: "a moving name that says something else than the row behind it",
		Why:   "the vendor moves the name, the copy of the old price stays, and every call is billed by it",
		Wrong: `schema = "1.0"
[[model]]
provider = "acme"
wire_model = "flash-3"
limits = { context_tokens = 1000000 }

[[model]]
provider = "acme"
wire_model = "flash-latest"
selects = "flash"
current = "acme/flash-3"
limits = { context_tokens = 200000 }
`,
		Right: `schema = "1.0"
[[model]]
provider = "acme"
wire_model = "flash-3"
limits = { context_tokens = 1000000 }

[[model]]
provider = "acme"
wire_model = "flash-latest"
selects = "flash"
current = "acme/flash-3"
`,
	},
	{
		Code: WireRouteAmbiguous, Stage: "check",
		Title: "two rows that dial one wire id of a provider",
		Why:   "whose price and limits hold for the call can't be told",
		Wrong: `schema = "1.0"
[provider.acme]
name = "Acme"

[[model]]
provider = "acme"
wire_model = "chat-1"
region = [{ name = "us", wire_model = "us.chat-1" }]

[[model]]
provider = "acme"
wire_model = "us.chat-1"
`,
		Right: `schema = "1.0"
[provider.acme]
name = "Acme"

[[model]]
provider = "acme"
wire_model = "chat-1"
region = [{ name = "us", wire_model = "us.chat-1" }]
`,
	},
	{
		Code: RegionMissing, Stage: "check",
		Title: "a row that is dialled by a region's id alone and names none",
		Why:   "no call could be made, or the bare id would be dialled after all",
		Wrong: `schema = "1.0"
[[model]]
provider = "acme"
wire_model = "chat-1"
regional_only = true
`,
		Right: `schema = "1.0"
[[model]]
provider = "acme"
wire_model = "chat-1"
regional_only = true
region = [{ name = "eu", wire_model = "eu.chat-1" }]
`,
	},
	{
		Code: FamilyAsOperation, Stage: "check",
		Title: "a family that names an operation",
		Why:   "a family tells where weights come from; read as an operation it would grant one",
		Wrong: `schema = "1.0"
[[model]]
provider = "acme"
wire_model = "chat-1"
metadata = { family = "embedding" }
`,
		Right: `schema = "1.0"
[[model]]
provider = "acme"
wire_model = "chat-1"
metadata = { family = "bge" }
`,
	},
	{
		Code: StrengthWithoutAbility, Stage: "check",
		Title: "a strength that the row has no ability for",
		Why:   "a strength is a claim about quality and grants nothing",
		Wrong: `-- catalog_sources/acme.toml --
schema = "1.0"
[[model]]
provider = "acme"
wire_model = "chat-1"
presentation = { strengths = ["vision"] }
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
presentation = { strengths = ["vision"] }
-- capability_sources/acme.toml --
schema = "1.0"
[[provider.acme]]
models = ["chat-1"]
[provider.acme.operations.text_generation]
protocol = "openai_chat_completions"
input_kinds = ["text", "image"]
`,
	},
	{
		Code: ReviewerContradicts, Stage: "check",
		Title: "a partner to pair with and to avoid",
		Why:   "a reviewer is picked by the list that is read first",
		Wrong: `schema = "1.0"
[[model]]
provider = "acme"
wire_model = "chat-1"
presentation = { complementary_with = ["qwen"], avoid_as_reviewer_for = ["qwen"] }
`,
		Right: `schema = "1.0"
[[model]]
provider = "acme"
wire_model = "chat-1"
presentation = { complementary_with = ["qwen"] }
`,
	},
	{
		Code: ArchitectureContradicts, Stage: "check",
		Title: "more parameters active than there are",
		Why:   "the two numbers were swapped, or one is in another unit",
		Wrong: `schema = "1.0"
[[model]]
provider = "acme"
wire_model = "chat-1"
metadata = { architecture = { parameter_count_b = "3", active_parameter_count_b = "30" } }
`,
		Right: `schema = "1.0"
[[model]]
provider = "acme"
wire_model = "chat-1"
metadata = { architecture = { parameter_count_b = "30", active_parameter_count_b = "3" } }
`,
	},
	{
		Code: EquivalenceContradicts, Stage: "check",
		Title: "members of a failover class that differ in kind",
		Why:   "a caller who falls over gets another class of answer than was asked for",
		Wrong: `schema = "1.0"
[[model]]
provider = "acme"
wire_model = "chat-1"
equivalence_group = "chat"
presentation = { tier = "small" }

[[model]]
provider = "acme"
wire_model = "chat-2"
equivalence_group = "chat"
presentation = { tier = "frontier" }
`,
		Right: `schema = "1.0"
[[model]]
provider = "acme"
wire_model = "chat-1"
equivalence_group = "chat"
presentation = { tier = "small" }

[[model]]
provider = "acme"
wire_model = "chat-2"
equivalence_group = "chat"
presentation = { tier = "small" }
`,
	},
	{
		Code: DataControlsContradict, Stage: "check",
		Title: "promises about data that contradict themselves or rest on nothing",
		Why:   "a promise that can be read two ways is read in the reader's favour",
		Wrong: `schema = "1.0"
[provider.acme]
data_controls = { control_scope = "per_request", training_default = "unspecified" }
`,
		Right: `schema = "1.0"
[provider.acme]
data_controls = { control_scope = "account", training_default = "unspecified" }
`,
	},
	{
		Code: LocalRuntimeIncoherent, Stage: "check",
		Title: "a server that is started one way and stopped another",
		Why:   "it is left running, or one that is not ours is killed",
		Wrong: `schema = "1.0"
[provider.acme]
local_runtime = { kind = "daemon_api", stop = "pid", wire_protocol = "ollama_api" }
`,
		Right: `schema = "1.0"
[provider.acme]
local_runtime = { kind = "daemon_api", stop = "keep_alive_zero", wire_protocol = "ollama_api" }
`,
	},
	{
		Code: PresentationContradicts, Stage: "check",
		Title: "a picker that contradicts itself",
		Why:   "it shows a choice that nobody can make, or two automatic ones",
		Wrong: `schema = "1.0"
[presentation.family.chat]
label = "Chat"
dimensions = [{ key = "size", kind = "model", ordered_values = [{ value = "small" }] }]
presets = [{ id = "quick", coordinates = { size = "tiny" } }]
`,
		Right: `schema = "1.0"
[presentation.family.chat]
label = "Chat"
dimensions = [{ key = "size", kind = "model", ordered_values = [{ value = "small" }] }]
presets = [{ id = "quick", coordinates = { size = "small" } }]
`,
	},
}
