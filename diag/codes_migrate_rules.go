package diag

// The codes of stage migrate about rules. Some of what legacy rules get wrong can
// be said in today's form too; those codes are check's.
const (
	OperationSetMismatch      Code = "OPERATION_SET_MISMATCH"
	OperationWithoutContract  Code = "OPERATION_WITHOUT_CONTRACT"
	ContractWithoutOperation  Code = "CONTRACT_WITHOUT_OPERATION"
	WildcardCannotAdmit       Code = "WILDCARD_CANNOT_ADMIT"
	ChatFactOnNonTextRow      Code = "CHAT_FACT_ON_NON_TEXT_ROW"
	LabelContradictsContract  Code = "LABEL_CONTRADICTS_CONTRACT"
	ProtocolStatedTwice       Code = "PROTOCOL_STATED_TWICE"
	NoProtocol                Code = "NO_PROTOCOL"
	ProtocolFactNotApplicable Code = "PROTOCOL_FACT_NOT_APPLICABLE"

	ProtocolNeedsOperation            Code = "PROTOCOL_NEEDS_OPERATION"
	ProtocolNeedsCapability           Code = "PROTOCOL_NEEDS_CAPABILITY"
	DecisionLimitsMissing             Code = "DECISION_LIMITS_MISSING"
	DecisionKindsEmpty                Code = "DECISION_KINDS_EMPTY"
	ImplementationContradictsProtocol Code = "IMPLEMENTATION_CONTRADICTS_PROTOCOL"

	AliasContradicts      Code = "ALIAS_CONTRADICTS"
	EffortContradicts     Code = "EFFORT_CONTRADICTS"
	EffortNoneContradicts Code = "EFFORT_NONE_CONTRADICTS"
	FlagContradicts       Code = "FLAG_CONTRADICTS"
	BatchContradicts      Code = "BATCH_CONTRADICTS"
	OptionContradicts     Code = "OPTION_CONTRADICTS"

	FamilyCrossesOperation  Code = "FAMILY_CROSSES_OPERATION"
	FamilyCycle             Code = "FAMILY_CYCLE"
	UnknownProvider         Code = "UNKNOWN_PROVIDER"
	RuleAmbiguous           Code = "RULE_AMBIGUOUS"
	VersionBoundInvalid     Code = "VERSION_BOUND_INVALID"
	VersionBoundUnparseable Code = "VERSION_BOUND_UNPARSEABLE"
	RuleMatchesNothing      Code = "RULE_MATCHES_NOTHING"
	ProviderFactsContradict Code = "PROVIDER_FACTS_CONTRADICT"
)

var migrateRuleCodes = []Entry{
	{
		Code: OperationSetMismatch, Stage: "migrate",
		Title: "a row and its contract do different jobs",
		Why:   "one of the two was copied from another row, and readers would believe either",
		Wrong: `-- catalog_sources/acme.toml --
[providers.acme]
base_url = "https://api.acme.example/v1"
auth_style = "none"
chat_endpoint = "/chat/completions"
[models."acme/vec-1"]
name = "Example"
provider = "acme"
context_window = 128000
operations = ["embedding"]
-- capability_sources/acme.toml --
[[provider.acme]]
model_match = "acme/vec-1"
[provider.acme.operations.text_generation]
protocol = "openai_chat_completions"
input_kinds = ["text"]
`,
		Right: `-- catalog_sources/acme.toml --
[providers.acme]
base_url = "https://api.acme.example/v1"
auth_style = "none"
chat_endpoint = "/chat/completions"
[models."acme/chat-1"]
name = "Example"
provider = "acme"
context_window = 128000
operations = ["text_generation"]
-- capability_sources/acme.toml --
[[provider.acme]]
model_match = "acme/chat-1"
[provider.acme.operations.text_generation]
protocol = "openai_chat_completions"
input_kinds = ["text"]
`,
	},
	{
		Code: OperationWithoutContract, Stage: "migrate",
		Title: "no rule says how an operation of the row is dialled",
		Why:   "without protocol, kinds and limits nothing could be admitted, or everything would be",
		Wrong: `-- catalog_sources/acme.toml --
[providers.acme]
base_url = "https://api.acme.example/v1"
auth_style = "none"
chat_endpoint = "/chat/completions"
[models."acme/judge-1"]
name = "Example"
provider = "acme"
context_window = 128000
operations = ["decision"]
`,
		Right: `-- catalog_sources/acme.toml --
[providers.acme]
base_url = "https://api.acme.example/v1"
auth_style = "none"
chat_endpoint = "/chat/completions"
[models."acme/judge-1"]
name = "Example"
provider = "acme"
context_window = 128000
operations = ["decision"]
-- capability_sources/acme.toml --
[[provider.acme]]
model_match = "acme/judge-1"
decision_protocol = "typesafe_system_one"
decision_question_kinds = ["boolean"]
decision_limits = { max_choice_options = 20, score_levels_min = 2, score_levels_max = 10, state_window_tokens = 32000 }
`,
	},
	{
		Code: ContractWithoutOperation, Stage: "migrate",
		Title: "a rule describes an operation that the row does not do",
		Why:   "a contract would add a job that nobody offers on that row",
		Wrong: `-- catalog_sources/acme.toml --
[providers.acme]
base_url = "https://api.acme.example/v1"
auth_style = "none"
chat_endpoint = "/chat/completions"
[models."acme/chat-1"]
name = "Example"
provider = "acme"
context_window = 128000
operations = ["text_generation"]
-- capability_sources/acme.toml --
[[provider.acme]]
model_match = "acme/chat-1"
decision_protocol = "typesafe_system_one"
decision_question_kinds = ["boolean"]
decision_limits = { max_choice_options = 20, score_levels_min = 2, score_levels_max = 10, state_window_tokens = 32000 }
`,
		Right: `-- catalog_sources/acme.toml --
[providers.acme]
base_url = "https://api.acme.example/v1"
auth_style = "none"
chat_endpoint = "/chat/completions"
[models."acme/judge-1"]
name = "Example"
provider = "acme"
context_window = 128000
operations = ["decision"]
-- capability_sources/acme.toml --
[[provider.acme]]
model_match = "acme/judge-1"
decision_protocol = "typesafe_system_one"
decision_question_kinds = ["boolean"]
decision_limits = { max_choice_options = 20, score_levels_min = 2, score_levels_max = 10, state_window_tokens = 32000 }
`,
	},
	{
		Code: WildcardCannotAdmit, Stage: "migrate",
		Title: "only a bare wildcard describes how a row decides",
		Why:   "the next row that the gateway lists would be dialled the same way, whatever it is",
		Wrong: `-- catalog_sources/acme.toml --
[providers.acme]
base_url = "https://api.acme.example/v1"
auth_style = "none"
chat_endpoint = "/chat/completions"
[models."acme/judge-1"]
name = "Example"
provider = "acme"
context_window = 128000
operations = ["decision"]
-- capability_sources/acme.toml --
[[provider.acme]]
model_match = "*"
decision_protocol = "typesafe_system_one"
decision_question_kinds = ["boolean"]
decision_limits = { max_choice_options = 20, score_levels_min = 2, score_levels_max = 10, state_window_tokens = 32000 }
`,
		Right: `-- catalog_sources/acme.toml --
[providers.acme]
base_url = "https://api.acme.example/v1"
auth_style = "none"
chat_endpoint = "/chat/completions"
[models."acme/judge-1"]
name = "Example"
provider = "acme"
context_window = 128000
operations = ["decision"]
-- capability_sources/acme.toml --
[[provider.acme]]
model_match = "acme/judge-1"
decision_protocol = "typesafe_system_one"
decision_question_kinds = ["boolean"]
decision_limits = { max_choice_options = 20, score_levels_min = 2, score_levels_max = 10, state_window_tokens = 32000 }
`,
	},
	{
		Code: ChatFactOnNonTextRow, Stage: "migrate",
		Title: "a rule for chat rows reaches a row that writes no text",
		Why:   "a decision row that seems to have chat facts is taken for a chat driver",
		Wrong: `-- catalog_sources/acme.toml --
[providers.acme]
base_url = "https://api.acme.example/v1"
auth_style = "none"
chat_endpoint = "/chat/completions"
[models."acme/judge-1"]
name = "Example"
provider = "acme"
context_window = 128000
operations = ["decision"]
-- capability_sources/acme.toml --
[[provider.acme]]
model_match = "acme/judge-1"
decision_protocol = "typesafe_system_one"
decision_question_kinds = ["boolean"]
decision_limits = { max_choice_options = 20, score_levels_min = 2, score_levels_max = 10, state_window_tokens = 32000 }

[[provider.acme]]
model_match = "*"
extends = true
requires_streaming = true
`,
		Right: `-- catalog_sources/acme.toml --
[providers.acme]
base_url = "https://api.acme.example/v1"
auth_style = "none"
chat_endpoint = "/chat/completions"
[models."acme/judge-1"]
name = "Example"
provider = "acme"
context_window = 128000
operations = ["decision"]
-- capability_sources/acme.toml --
[[provider.acme]]
model_match = "acme/judge-1"
decision_protocol = "typesafe_system_one"
decision_question_kinds = ["boolean"]
decision_limits = { max_choice_options = 20, score_levels_min = 2, score_levels_max = 10, state_window_tokens = 32000 }

[[provider.acme]]
model_match = "acme/chat-*"
extends = true
requires_streaming = true
`,
	},
	{
		Code: LabelContradictsContract, Stage: "migrate",
		Title: "a label of a row claims what its rules do not give",
		Why:   "pickers showed the label, and the call failed",
		Wrong: `-- catalog_sources/acme.toml --
[providers.acme]
base_url = "https://api.acme.example/v1"
auth_style = "none"
chat_endpoint = "/chat/completions"
[models."acme/chat-1"]
name = "Example"
provider = "acme"
context_window = 128000
capabilities = ["vision"]
-- capability_sources/acme.toml --
[[provider.acme]]
model_match = "acme/chat-1"
vision = false
`,
		Right: `-- catalog_sources/acme.toml --
[providers.acme]
base_url = "https://api.acme.example/v1"
auth_style = "none"
chat_endpoint = "/chat/completions"
[models."acme/chat-1"]
name = "Example"
provider = "acme"
context_window = 128000
capabilities = ["vision"]
-- capability_sources/acme.toml --
[[provider.acme]]
model_match = "acme/chat-1"
vision = true
`,
	},
	{
		Code: ProtocolStatedTwice, Stage: "migrate",
		Title: "the dialect of a row and the wire of its rule differ",
		Why:   "one program would dial one, another the other",
		Wrong: `-- catalog_sources/acme.toml --
[providers.acme]
base_url = "https://api.acme.example/v1"
auth_style = "none"
chat_endpoint = "/chat/completions"
[models."acme/chat-1"]
name = "Example"
provider = "acme"
context_window = 128000
api_dialect = "openai_chat"
-- capability_sources/acme.toml --
[[provider.acme]]
model_match = "acme/chat-1"
message_wire_format = "anthropic"
`,
		Right: `-- catalog_sources/acme.toml --
[providers.acme]
base_url = "https://api.acme.example/v1"
auth_style = "none"
chat_endpoint = "/chat/completions"
[models."acme/chat-1"]
name = "Example"
provider = "acme"
context_window = 128000
api_dialect = "openai_chat"
-- capability_sources/acme.toml --
[[provider.acme]]
model_match = "acme/chat-1"
message_wire_format = "openai"
`,
	},
	{
		Code: NoProtocol, Stage: "migrate",
		Title: "every text protocol is ruled out",
		Why:   "the row could never be dialled",
		Wrong: `-- catalog_sources/acme.toml --
[providers.acme]
base_url = "https://api.acme.example/v1"
auth_style = "none"
chat_endpoint = "/chat/completions"
-- capability_sources/acme.toml --
[[provider.acme]]
model_match = "acme/chat-*"
chat_completions_unsupported = true
responses_api = false
`,
		Right: `-- catalog_sources/acme.toml --
[providers.acme]
base_url = "https://api.acme.example/v1"
auth_style = "none"
chat_endpoint = "/chat/completions"
-- capability_sources/acme.toml --
[[provider.acme]]
model_match = "acme/chat-*"
chat_completions_unsupported = true
responses_api = true
`,
	},
	{
		Code: ProtocolFactNotApplicable, Stage: "migrate",
		Title: "a choice of endpoint on a dialect that has one",
		Why:   "the field does nothing there, so the rule was meant for another route",
		Wrong: `-- catalog_sources/acme.toml --
[providers.acme]
base_url = "https://api.acme.example/v1"
auth_style = "none"
chat_endpoint = "/chat/completions"
-- capability_sources/acme.toml --
[[provider.acme]]
model_match = "acme/chat-*"
message_wire_format = "openai"
live_endpoint_family = "gemini_interactions"
`,
		Right: `-- catalog_sources/acme.toml --
[providers.acme]
base_url = "https://api.acme.example/v1"
auth_style = "none"
chat_endpoint = "/chat/completions"
-- capability_sources/acme.toml --
[[provider.acme]]
model_match = "acme/chat-*"
message_wire_format = "gemini"
live_endpoint_family = "gemini_interactions"
`,
	},
	{
		Code: ProtocolNeedsOperation, Stage: "migrate",
		Title: "a judgement through a schema on a row that writes no text",
		Why:   "structured_llm asks a chat model, and there is none",
		Wrong: `-- catalog_sources/acme.toml --
[providers.acme]
base_url = "https://api.acme.example/v1"
auth_style = "none"
chat_endpoint = "/chat/completions"
[models."acme/judge-1"]
name = "Example"
provider = "acme"
context_window = 128000
operations = ["decision"]
-- capability_sources/acme.toml --
[[provider.acme]]
model_match = "acme/judge-1"
decision_protocol = "structured_llm"
`,
		Right: `-- catalog_sources/acme.toml --
[providers.acme]
base_url = "https://api.acme.example/v1"
auth_style = "none"
chat_endpoint = "/chat/completions"
[models."acme/judge-1"]
name = "Example"
provider = "acme"
context_window = 128000
operations = ["text_generation", "decision"]
-- capability_sources/acme.toml --
[[provider.acme]]
model_match = "acme/judge-1"
decision_protocol = "structured_llm"
structured_output = "native"
`,
	},
	{
		Code: ProtocolNeedsCapability, Stage: "migrate",
		Title: "a judgement through a schema on a row that carries none",
		Why:   "the answer would be free text, and every verdict a guess",
		Wrong: `-- catalog_sources/acme.toml --
[providers.acme]
base_url = "https://api.acme.example/v1"
auth_style = "none"
chat_endpoint = "/chat/completions"
[models."acme/chat-1"]
name = "Example"
provider = "acme"
context_window = 128000
operations = ["text_generation", "decision"]
-- capability_sources/acme.toml --
[[provider.acme]]
model_match = "acme/chat-1"
decision_protocol = "structured_llm"
structured_output = "none"
`,
		Right: `-- catalog_sources/acme.toml --
[providers.acme]
base_url = "https://api.acme.example/v1"
auth_style = "none"
chat_endpoint = "/chat/completions"
[models."acme/chat-1"]
name = "Example"
provider = "acme"
context_window = 128000
operations = ["text_generation", "decision"]
-- capability_sources/acme.toml --
[[provider.acme]]
model_match = "acme/chat-1"
decision_protocol = "structured_llm"
structured_output = "native"
`,
	},
	{
		Code: DecisionLimitsMissing, Stage: "migrate",
		Title: "a native decision without ceilings",
		Why:   "nothing would bound a request before it is sent",
		Wrong: `-- catalog_sources/acme.toml --
[providers.acme]
base_url = "https://api.acme.example/v1"
auth_style = "none"
chat_endpoint = "/chat/completions"
-- capability_sources/acme.toml --
[[provider.acme]]
model_match = "acme/judge-*"
decision_protocol = "typesafe_system_one"
decision_question_kinds = ["boolean"]
`,
		Right: `-- catalog_sources/acme.toml --
[providers.acme]
base_url = "https://api.acme.example/v1"
auth_style = "none"
chat_endpoint = "/chat/completions"
-- capability_sources/acme.toml --
[[provider.acme]]
model_match = "acme/judge-*"
decision_protocol = "typesafe_system_one"
decision_question_kinds = ["boolean"]
decision_limits = { max_choice_options = 20, score_levels_min = 2, score_levels_max = 10, state_window_tokens = 32000 }
`,
	},
	{
		Code: DecisionKindsEmpty, Stage: "migrate",
		Title: "a decision that answers no kind of question",
		Why:   "no question could ever be admitted",
		Wrong: `-- catalog_sources/acme.toml --
[providers.acme]
base_url = "https://api.acme.example/v1"
auth_style = "none"
chat_endpoint = "/chat/completions"
-- capability_sources/acme.toml --
[[provider.acme]]
model_match = "acme/judge-*"
decision_protocol = "typesafe_system_one"
decision_question_kinds = []
decision_limits = { max_choice_options = 20, score_levels_min = 2, score_levels_max = 10, state_window_tokens = 32000 }
`,
		Right: `-- catalog_sources/acme.toml --
[providers.acme]
base_url = "https://api.acme.example/v1"
auth_style = "none"
chat_endpoint = "/chat/completions"
-- capability_sources/acme.toml --
[[provider.acme]]
model_match = "acme/judge-*"
decision_protocol = "typesafe_system_one"
decision_question_kinds = ["boolean"]
decision_limits = { max_choice_options = 20, score_levels_min = 2, score_levels_max = 10, state_window_tokens = 32000 }
`,
	},
	{
		Code: ImplementationContradictsProtocol, Stage: "migrate",
		Title: "a native contract of a protocol that is not native",
		Why:   "structured_llm is a way of asking a chat model, not an interface of the vendor",
		Wrong: `-- catalog_sources/acme.toml --
[providers.acme]
base_url = "https://api.acme.example/v1"
auth_style = "none"
chat_endpoint = "/chat/completions"
-- capability_sources/acme.toml --
[[provider.acme]]
model_match = "acme/judge-*"
[provider.acme.operations.decision]
implementation = "native"
protocol = "structured_llm"
`,
		Right: `-- catalog_sources/acme.toml --
[providers.acme]
base_url = "https://api.acme.example/v1"
auth_style = "none"
chat_endpoint = "/chat/completions"
-- capability_sources/acme.toml --
[[provider.acme]]
model_match = "acme/judge-*"
[provider.acme.operations.decision]
implementation = "native"
protocol = "typesafe_system_one"
`,
	},
	{
		Code: AliasContradicts, Stage: "migrate",
		Title: "two spellings of one fact have two values",
		Why:   "which one is read depends on the reader",
		Wrong: `-- catalog_sources/acme.toml --
[providers.acme]
base_url = "https://api.acme.example/v1"
auth_style = "none"
chat_endpoint = "/chat/completions"
-- capability_sources/acme.toml --
[[provider.acme]]
model_match = "acme/chat-*"
vision = false
vision_supported = true
`,
		Right: `-- catalog_sources/acme.toml --
[providers.acme]
base_url = "https://api.acme.example/v1"
auth_style = "none"
chat_endpoint = "/chat/completions"
-- capability_sources/acme.toml --
[[provider.acme]]
model_match = "acme/chat-*"
vision = true
`,
	},
	{
		Code: EffortContradicts, Stage: "migrate",
		Title: "efforts are listed and denied",
		Why:   "callers would offer efforts that are refused, or hide ones that work",
		Wrong: `-- catalog_sources/acme.toml --
[providers.acme]
base_url = "https://api.acme.example/v1"
auth_style = "none"
chat_endpoint = "/chat/completions"
-- capability_sources/acme.toml --
[[provider.acme]]
model_match = "acme/chat-*"
reasoning_effort_supported = false
reasoning_effort_levels = ["low", "high"]
`,
		Right: `-- catalog_sources/acme.toml --
[providers.acme]
base_url = "https://api.acme.example/v1"
auth_style = "none"
chat_endpoint = "/chat/completions"
-- capability_sources/acme.toml --
[[provider.acme]]
model_match = "acme/chat-*"
reasoning_effort_levels = ["low", "high"]
`,
	},
	{
		Code: EffortNoneContradicts, Stage: "migrate",
		Title: "effort none is supported and no level, or the other way round",
		Why:   "a caller that switches reasoning off by none is refused, or pays for reasoning",
		Wrong: `-- catalog_sources/acme.toml --
[providers.acme]
base_url = "https://api.acme.example/v1"
auth_style = "none"
chat_endpoint = "/chat/completions"
-- capability_sources/acme.toml --
[[provider.acme]]
model_match = "acme/chat-*"
reasoning_none_supported = true
reasoning_effort_levels = ["high"]
`,
		Right: `-- catalog_sources/acme.toml --
[providers.acme]
base_url = "https://api.acme.example/v1"
auth_style = "none"
chat_endpoint = "/chat/completions"
-- capability_sources/acme.toml --
[[provider.acme]]
model_match = "acme/chat-*"
reasoning_none_supported = true
reasoning_effort_levels = ["none", "high"]
`,
	},
	{
		Code: FlagContradicts, Stage: "migrate",
		Title: "two flags exclude each other",
		Why:   "one of the two requests that they allow is refused",
		Wrong: `-- catalog_sources/acme.toml --
[providers.acme]
base_url = "https://api.acme.example/v1"
auth_style = "none"
chat_endpoint = "/chat/completions"
-- capability_sources/acme.toml --
[[provider.acme]]
model_match = "acme/chat-*"
supports_parallel_tool_calls = true
requires_parallel_tool_calls_false = true
`,
		Right: `-- catalog_sources/acme.toml --
[providers.acme]
base_url = "https://api.acme.example/v1"
auth_style = "none"
chat_endpoint = "/chat/completions"
-- capability_sources/acme.toml --
[[provider.acme]]
model_match = "acme/chat-*"
supports_parallel_tool_calls = false
requires_parallel_tool_calls_false = true
`,
	},
	{
		Code: BatchContradicts, Stage: "migrate",
		Title: "batches are denied and described",
		Why:   "one half was copied from a row that takes them",
		Wrong: `-- catalog_sources/acme.toml --
[providers.acme]
base_url = "https://api.acme.example/v1"
auth_style = "none"
chat_endpoint = "/chat/completions"
-- capability_sources/acme.toml --
[[provider.acme]]
model_match = "acme/chat-*"
batch_api = false
batch_wire_format = "openai"
`,
		Right: `-- catalog_sources/acme.toml --
[providers.acme]
base_url = "https://api.acme.example/v1"
auth_style = "none"
chat_endpoint = "/chat/completions"
-- capability_sources/acme.toml --
[[provider.acme]]
model_match = "acme/chat-*"
batch_api = false
`,
	},
	{
		Code: OptionContradicts, Stage: "migrate",
		Title: "an option is excluded while reasoning and admitted at an effort",
		Why:   "a request with both would be admitted by one rule and refused by the other",
		Wrong: `-- catalog_sources/acme.toml --
[providers.acme]
base_url = "https://api.acme.example/v1"
auth_style = "none"
chat_endpoint = "/chat/completions"
-- capability_sources/acme.toml --
[[provider.acme]]
model_match = "acme/chat-*"
reasoning_excluded_portable_options = ["temperature"]
portable_option_effort_support = { temperature = ["high"] }
`,
		Right: `-- catalog_sources/acme.toml --
[providers.acme]
base_url = "https://api.acme.example/v1"
auth_style = "none"
chat_endpoint = "/chat/completions"
-- capability_sources/acme.toml --
[[provider.acme]]
model_match = "acme/chat-*"
reasoning_excluded_portable_options = ["temperature"]
`,
	},
	{
		Code: FamilyCrossesOperation, Stage: "migrate",
		Title: "a provider without text rows inherits the chat rules of a family",
		Why:   "its rows would seem to have facts of chat",
		Wrong: `-- catalog_sources/acme.toml --
[providers.acme]
base_url = "https://api.acme.example/v1"
auth_style = "none"
chat_endpoint = "/chat/completions"
[providers.judges]
base_url = "https://judges.example/v1"
auth_style = "none"
chat_endpoint = "/systemone"
[models."judges/one"]
name = "Example"
provider = "judges"
context_window = 128000
operations = ["decision"]
-- capability_sources/acme.toml --
[[provider.judges]]
model_match = "judges/one"
decision_protocol = "typesafe_system_one"
decision_question_kinds = ["boolean"]
decision_limits = { max_choice_options = 20, score_levels_min = 2, score_levels_max = 10, state_window_tokens = 32000 }

[provider_family]
judges = "acme"
`,
		Right: `-- catalog_sources/acme.toml --
[providers.acme]
base_url = "https://api.acme.example/v1"
auth_style = "none"
chat_endpoint = "/chat/completions"
[providers.judges]
base_url = "https://judges.example/v1"
auth_style = "none"
chat_endpoint = "/systemone"
[models."judges/one"]
name = "Example"
provider = "judges"
context_window = 128000
operations = ["decision"]
-- capability_sources/acme.toml --
[[provider.judges]]
model_match = "judges/one"
decision_protocol = "typesafe_system_one"
decision_question_kinds = ["boolean"]
decision_limits = { max_choice_options = 20, score_levels_min = 2, score_levels_max = 10, state_window_tokens = 32000 }
`,
	},
	{
		Code: FamilyCycle, Stage: "migrate",
		Title: "families of providers go round",
		Why:   "a search along them would never end",
		Wrong: `-- catalog_sources/acme.toml --
[providers.acme]
base_url = "https://api.acme.example/v1"
auth_style = "none"
chat_endpoint = "/chat/completions"
[providers.bolt]
base_url = "https://api.bolt.example/v1"
auth_style = "none"
chat_endpoint = "/chat/completions"
-- capability_sources/acme.toml --
[provider_family]
acme = "bolt"
bolt = "acme"
`,
		Right: `-- catalog_sources/acme.toml --
[providers.acme]
base_url = "https://api.acme.example/v1"
auth_style = "none"
chat_endpoint = "/chat/completions"
[providers.bolt]
base_url = "https://api.bolt.example/v1"
auth_style = "none"
chat_endpoint = "/chat/completions"
-- capability_sources/acme.toml --
[provider_family]
acme = "bolt"
`,
	},
	{
		Code: UnknownProvider, Stage: "migrate",
		Title: "rules of a provider that nobody declares",
		Why:   "a misspelt name leaves its rows without their rules, silently",
		Wrong: `-- catalog_sources/acme.toml --
[providers.acme]
base_url = "https://api.acme.example/v1"
auth_style = "none"
chat_endpoint = "/chat/completions"
-- capability_sources/acme.toml --
[[provider.amce]]
model_match = "*"
prompt_caching = true
`,
		Right: `-- catalog_sources/acme.toml --
[providers.acme]
base_url = "https://api.acme.example/v1"
auth_style = "none"
chat_endpoint = "/chat/completions"
-- capability_sources/acme.toml --
[[provider.acme]]
model_match = "*"
prompt_caching = true
`,
	},
	{
		Code: RuleAmbiguous, Stage: "migrate",
		Title: "two rules fit a row equally closely and disagree",
		Why:   "which one wins would depend on the order of files",
		Wrong: `-- catalog_sources/acme.toml --
[providers.acme]
base_url = "https://api.acme.example/v1"
auth_style = "none"
chat_endpoint = "/chat/completions"
[models."acme/chat-mini"]
name = "Example"
provider = "acme"
context_window = 128000
-- capability_sources/acme.toml --
[[provider.acme]]
model_match = "acme/chat-*"
vision = true

[[provider.acme]]
model_match = "acme/*-mini"
vision = false
`,
		Right: `-- catalog_sources/acme.toml --
[providers.acme]
base_url = "https://api.acme.example/v1"
auth_style = "none"
chat_endpoint = "/chat/completions"
[models."acme/chat-mini"]
name = "Example"
provider = "acme"
context_window = 128000
-- capability_sources/acme.toml --
[[provider.acme]]
model_match = "acme/chat-*"
vision = true

[[provider.acme]]
model_match = "acme/chat-mini"
vision = false
`,
	},
	{
		Code: VersionBoundInvalid, Stage: "migrate",
		Title: "a version bound that is not [major, minor]",
		Why:   "a bound of another length never matches, so the rule does nothing",
		Wrong: `-- catalog_sources/acme.toml --
[providers.acme]
base_url = "https://api.acme.example/v1"
auth_style = "none"
chat_endpoint = "/chat/completions"
-- capability_sources/acme.toml --
[[provider.acme]]
model_match = "gpt-*"
version_min = [5]
`,
		Right: `-- catalog_sources/acme.toml --
[providers.acme]
base_url = "https://api.acme.example/v1"
auth_style = "none"
chat_endpoint = "/chat/completions"
-- capability_sources/acme.toml --
[[provider.acme]]
model_match = "gpt-*"
version_min = [5, 0]
`,
	},
	{
		Code: VersionBoundUnparseable, Stage: "migrate",
		Title: "a version bound on ids without a version",
		Why:   "the rule can never match, so what it says is lost",
		Wrong: `-- catalog_sources/acme.toml --
[providers.acme]
base_url = "https://api.acme.example/v1"
auth_style = "none"
chat_endpoint = "/chat/completions"
-- capability_sources/acme.toml --
[[provider.acme]]
model_match = "acme/nova-*"
version_min = [2, 0]
`,
		Right: `-- catalog_sources/acme.toml --
[providers.acme]
base_url = "https://api.acme.example/v1"
auth_style = "none"
chat_endpoint = "/chat/completions"
-- capability_sources/acme.toml --
[[provider.acme]]
model_match = "claude-nova-*"
version_min = [2, 0]
`,
	},
	{
		Code: RuleMatchesNothing, Stage: "migrate",
		Title: "a rule names a row that is not served",
		Why:   "the name is misspelt, or the row is gone and the rule stayed",
		Wrong: `-- catalog_sources/acme.toml --
[providers.acme]
base_url = "https://api.acme.example/v1"
auth_style = "none"
chat_endpoint = "/chat/completions"
[models."acme/chat-1"]
name = "Example"
provider = "acme"
context_window = 128000
-- capability_sources/acme.toml --
[[provider.acme]]
model_match = "acme/chat-gone"
native_tools = true
`,
		Right: `-- catalog_sources/acme.toml --
[providers.acme]
base_url = "https://api.acme.example/v1"
auth_style = "none"
chat_endpoint = "/chat/completions"
[models."acme/chat-1"]
name = "Example"
provider = "acme"
context_window = 128000
-- capability_sources/acme.toml --
[[provider.acme]]
model_match = "acme/chat-1"
native_tools = true
`,
	},
	{
		Code: ProviderFactsContradict, Stage: "migrate",
		Title: "two places give one fact of a provider two values",
		Why:   "which one is read would depend on the order of files",
		Wrong: `-- catalog_sources/acme.toml --
[providers.acme]
base_url = "https://api.acme.example/v1"
auth_style = "none"
chat_endpoint = "/chat/completions"
-- capability_sources/a.toml --
[provider_defaults.acme]
seed_supported = false
-- capability_sources/b.toml --
[provider_defaults.acme]
seed_supported = true
`,
		Right: `-- catalog_sources/acme.toml --
[providers.acme]
base_url = "https://api.acme.example/v1"
auth_style = "none"
chat_endpoint = "/chat/completions"
-- capability_sources/a.toml --
[provider_defaults.acme]
seed_supported = false
-- capability_sources/b.toml --
[provider_defaults.acme]
top_k_supported = true
`,
	},
}
