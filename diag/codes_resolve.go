package diag

// The codes of stage resolve: rules that grant too much or disagree, and
// references that lead nowhere, round in a circle or across operations.
// UNKNOWN_PROVIDER, RULE_AMBIGUOUS and RULE_MATCHES_NOTHING are migrate's and
// found here too.
const (
	GlobGrants     Code = "GLOB_GRANTS"
	NarrowsNothing Code = "NARROWS_NOTHING"
	RuleTarget     Code = "RULE_TARGET"

	UnknownReference          Code = "UNKNOWN_REFERENCE"
	ReferenceProviderMismatch Code = "REFERENCE_PROVIDER_MISMATCH"
	SelectorCycle             Code = "SELECTOR_CYCLE"
	SelectorCrossesOperation  Code = "SELECTOR_CROSSES_OPERATION"
	SelectorWithoutOperation  Code = "SELECTOR_WITHOUT_OPERATION"

	InheritForbidden Code = "INHERIT_FORBIDDEN"
	InheritMissing   Code = "INHERIT_MISSING"
	InheritCycle     Code = "INHERIT_CYCLE"
	FactHasTwoOwners Code = "FACT_HAS_TWO_OWNERS"

	AliasLoop                   Code = "ALIAS_LOOP"
	AliasCrossesOperation       Code = "ALIAS_CROSSES_OPERATION"
	DefaultCrossesOperation     Code = "DEFAULT_CROSSES_OPERATION"
	DefaultEnded                Code = "DEFAULT_ENDED"
	LadderCrossesOperation      Code = "LADDER_CROSSES_OPERATION"
	SuccessorCrossesOperation   Code = "SUCCESSOR_CROSSES_OPERATION"
	EquivalenceCrossesOperation Code = "EQUIVALENCE_CROSSES_OPERATION"
)

// resolveBase is a small clean tree that the pages add files to.
const resolveBase = `-- catalog_sources/acme.toml --
schema = "1.0"
[provider.acme]
name = "Acme"
credential = { scheme = "bearer", env = ["ACME_KEY"], origins = ["https://api.acme.example"] }
endpoint.openai_chat_completions = { url = "https://api.acme.example/v1/chat/completions" }
endpoint.openai_embeddings = { url = "https://api.acme.example/v1/embeddings" }
[[model]]
provider = "acme"
wire_model = "chat-1"
equivalence_group = "g"
limits = { context_tokens = 128000 }
[[model]]
provider = "acme"
wire_model = "vec-1"
-- capability_sources/acme.toml --
schema = "1.0"
[[provider.acme]]
models = ["chat-1"]
[provider.acme.operations.text_generation]
protocol = "openai_chat_completions"
input_kinds = ["text"]
[[provider.acme]]
models = ["vec-1"]
[provider.acme.operations.embedding]
protocol = "openai_embeddings"
input_kinds = ["text"]
dimensions = 64
`

var resolveCodes = []Entry{
	{
		Code: GlobGrants, Stage: "resolve",
		Title: "a pattern that would grant something",
		Why:   "a pattern speaks of rows that its author has not looked at: an unserved sibling would be admitted",
		Wrong: resolveBase + `-- capability_sources/more.toml --
schema = "1.0"
[[provider.acme]]
model_match = "chat-*"
[provider.acme.operations.text_generation]
input_kinds = ["text", "image"]
`,
		Right: resolveBase + `-- capability_sources/more.toml --
schema = "1.0"
[[provider.acme]]
model_match = "chat-*"
[provider.acme.operations.text_generation]
limits = { stop = 4 }
`,
	},
	{
		Code: NarrowsNothing, Stage: "resolve",
		Title: "a pattern of a higher layer that narrows no row",
		Why:   "whoever wrote it takes a limit to be raised that stands as it was: a pattern of any layer leaves the smaller one",
		Wrong: resolveBase + `-- capability_sources/more.toml --
schema = "1.0"
[[provider.acme]]
models = ["chat-1"]
[provider.acme.operations.text_generation]
limits = { stop = 4 }
-- user/capability_sources/house.toml --
schema = "1.0"
[[provider.acme]]
add = true
model_match = "chat-*"
[provider.acme.operations.text_generation]
limits = { stop = 9 }
`,
		Right: resolveBase + `-- capability_sources/more.toml --
schema = "1.0"
[[provider.acme]]
models = ["chat-1"]
[provider.acme.operations.text_generation]
limits = { stop = 4 }
-- user/capability_sources/house.toml --
schema = "1.0"
[[provider.acme]]
add = true
model_match = "chat-*"
[provider.acme.operations.text_generation]
limits = { stop = 2 }
`,
	},
	{
		Code: RuleTarget, Stage: "resolve",
		Title: "a rule that names no rows, or names them in two ways",
		Why:   "what it says would reach no row, or more rows than one reads in it",
		Wrong: resolveBase + `-- capability_sources/more.toml --
schema = "1.0"
[[provider.acme]]
models = ["chat-1"]
model_match = "chat-*"
[provider.acme.operations.text_generation]
limits = { stop = 4 }
`,
		Right: resolveBase + `-- capability_sources/more.toml --
schema = "1.0"
[[provider.acme]]
models = ["chat-1"]
[provider.acme.operations.text_generation]
limits = { stop = 4 }
`,
	},
	{
		Code: UnknownReference, Stage: "resolve",
		Title: "a reference to a row or alias that is not there",
		Why:   "whoever follows it fails at run time, far from the mistake",
		Wrong: resolveBase + `-- catalog_sources/more.toml --
schema = "1.0"
[alias.small]
text_generation = "acme/chat-11"
`,
		Right: resolveBase + `-- catalog_sources/more.toml --
schema = "1.0"
[alias.small]
text_generation = "acme/chat-1"
`,
	},
	{
		Code: ReferenceProviderMismatch, Stage: "resolve",
		Title: "a reference to a row of another provider",
		Why:   "the call would be made with another key, at another price",
		Wrong: resolveBase + `-- catalog_sources/more.toml --
schema = "1.0"
[provider.bolt]
name = "Bolt"
[default.text_generation.runtime]
bolt = "acme/chat-1"
`,
		Right: resolveBase + `-- catalog_sources/more.toml --
schema = "1.0"
[default.text_generation.runtime]
acme = "acme/chat-1"
`,
	},
	{
		Code: SelectorCycle, Stage: "resolve",
		Title: "a selector that follows itself",
		Why:   "there is no row behind it whose limits and price would hold",
		Wrong: resolveBase + `-- catalog_sources/more.toml --
schema = "1.0"
[[model]]
provider = "acme"
wire_model = "latest"
selects = "chat"
current = "acme/latest"
`,
		Right: resolveBase + `-- catalog_sources/more.toml --
schema = "1.0"
[[model]]
provider = "acme"
wire_model = "latest"
selects = "chat"
current = "acme/chat-1"
`,
	},
	{
		Code: SelectorCrossesOperation, Stage: "resolve",
		Title: "a selector and a row behind it that do different jobs",
		Why:   "the moving name would be admitted for what the row behind it can't do",
		Wrong: resolveBase + `-- catalog_sources/more.toml --
schema = "1.0"
[[model]]
provider = "acme"
wire_model = "latest"
selects = "chat"
current = "acme/vec-1"
-- capability_sources/more.toml --
schema = "1.0"
[[provider.acme]]
models = ["latest"]
[provider.acme.operations.text_generation]
protocol = "openai_chat_completions"
input_kinds = ["text"]
`,
		Right: resolveBase + `-- catalog_sources/more.toml --
schema = "1.0"
[[model]]
provider = "acme"
wire_model = "latest"
selects = "chat"
current = "acme/chat-1"
-- capability_sources/more.toml --
schema = "1.0"
[[provider.acme]]
models = ["latest"]
[provider.acme.operations.text_generation]
protocol = "openai_chat_completions"
input_kinds = ["text"]
`,
	},
	{
		Code: SelectorWithoutOperation, Stage: "resolve",
		Title: "a picker selector that names no operation",
		Why:   "the cheapest row of all may be one that can't do the job at all",
		Wrong: resolveBase + `-- catalog_sources/more.toml --
schema = "1.0"
[presentation.variant.cheap]
selector = { kind = "cheapest_hosted" }
`,
		Right: resolveBase + `-- catalog_sources/more.toml --
schema = "1.0"
[presentation.variant.cheap]
selector = { kind = "cheapest_hosted", operation = "text_generation" }
`,
	},
	{
		Code: InheritForbidden, Stage: "resolve",
		Title: "a row that inherits what another provider can't say",
		Why:   "a reseller's price and promises are its own",
		Wrong: resolveBase + `-- catalog_sources/more.toml --
schema = "1.0"
[provider.bolt]
name = "Bolt"
credential = { scheme = "none" }
endpoint.openai_chat_completions = { url = "https://bolt.example/v1" }
[[model]]
provider = "bolt"
wire_model = "chat-1"
inherits = { from = "acme/chat-1", fields = ["price"] }
`,
		Right: resolveBase + `-- catalog_sources/more.toml --
schema = "1.0"
[provider.bolt]
name = "Bolt"
credential = { scheme = "none" }
endpoint.openai_chat_completions = { url = "https://bolt.example/v1" }
[[model]]
provider = "bolt"
wire_model = "chat-1"
inherits = { from = "acme/chat-1", fields = ["limits"] }
`,
	},
	{
		Code: InheritMissing, Stage: "resolve",
		Title: "an inherited field that the other row does not state",
		Why:   "the row would be left without a fact that its table seems to give it",
		Wrong: resolveBase + `-- catalog_sources/more.toml --
schema = "1.0"
[provider.bolt]
name = "Bolt"
credential = { scheme = "none" }
endpoint.openai_chat_completions = { url = "https://bolt.example/v1" }
[[model]]
provider = "bolt"
wire_model = "chat-1"
inherits = { from = "acme/chat-1", fields = ["released"] }
`,
		Right: resolveBase + `-- catalog_sources/more.toml --
schema = "1.0"
[provider.bolt]
name = "Bolt"
credential = { scheme = "none" }
endpoint.openai_chat_completions = { url = "https://bolt.example/v1" }
[[model]]
provider = "bolt"
wire_model = "chat-1"
inherits = { from = "acme/chat-1", fields = ["limits"] }
`,
	},
	{
		Code: InheritCycle, Stage: "resolve",
		Title: "a row that inherits from itself",
		Why:   "no row in the circle states the fact",
		Wrong: resolveBase + `-- catalog_sources/more.toml --
schema = "1.0"
[provider.bolt]
name = "Bolt"
credential = { scheme = "none" }
endpoint.openai_chat_completions = { url = "https://bolt.example/v1" }
[[model]]
provider = "bolt"
wire_model = "chat-1"
inherits = { from = "bolt/chat-1", fields = ["limits"] }
`,
		Right: resolveBase + `-- catalog_sources/more.toml --
schema = "1.0"
[provider.bolt]
name = "Bolt"
credential = { scheme = "none" }
endpoint.openai_chat_completions = { url = "https://bolt.example/v1" }
[[model]]
provider = "bolt"
wire_model = "chat-1"
inherits = { from = "acme/chat-1", fields = ["limits"] }
`,
	},
	{
		Code: FactHasTwoOwners, Stage: "resolve",
		Title: "a field that is inherited and stated",
		Why:   "when the two differ, nobody knows which one is right",
		Wrong: resolveBase + `-- catalog_sources/more.toml --
schema = "1.0"
[provider.bolt]
name = "Bolt"
credential = { scheme = "none" }
endpoint.openai_chat_completions = { url = "https://bolt.example/v1" }
[[model]]
provider = "bolt"
wire_model = "chat-1"
limits = { context_tokens = 8192 }
inherits = { from = "acme/chat-1", fields = ["limits.context_tokens"] }
`,
		Right: resolveBase + `-- catalog_sources/more.toml --
schema = "1.0"
[provider.bolt]
name = "Bolt"
credential = { scheme = "none" }
endpoint.openai_chat_completions = { url = "https://bolt.example/v1" }
[[model]]
provider = "bolt"
wire_model = "chat-1"
inherits = { from = "acme/chat-1", fields = ["limits.context_tokens"] }
`,
	},
	{
		Code: AliasLoop, Stage: "resolve",
		Title: "aliases that lead in a circle",
		Why:   "following them never ends",
		Wrong: resolveBase + `-- catalog_sources/more.toml --
schema = "1.0"
[alias.a]
text_generation = "b"
[alias.b]
text_generation = "a"
`,
		Right: resolveBase + `-- catalog_sources/more.toml --
schema = "1.0"
[alias.a]
text_generation = "b"
[alias.b]
text_generation = "acme/chat-1"
`,
	},
	{
		Code: AliasCrossesOperation, Stage: "resolve",
		Title: "an alias to a row that does another job",
		Why:   "asked for text, the caller would be sent to a model that writes none",
		Wrong: resolveBase + `-- catalog_sources/more.toml --
schema = "1.0"
[alias.small]
text_generation = "acme/vec-1"
`,
		Right: resolveBase + `-- catalog_sources/more.toml --
schema = "1.0"
[alias.small]
embedding = "acme/vec-1"
`,
	},
	{
		Code: DefaultCrossesOperation, Stage: "resolve",
		Title: "a default that does another job",
		Why:   "a call that names no model would be sent to one that can't serve it",
		Wrong: resolveBase + `-- catalog_sources/more.toml --
schema = "1.0"
[default.text_generation.runtime]
acme = "acme/vec-1"
`,
		Right: resolveBase + `-- catalog_sources/more.toml --
schema = "1.0"
[default.embedding.runtime]
acme = "acme/vec-1"
`,
	},
	{
		Code: DefaultEnded, Stage: "resolve",
		Title: "a default whose row has ended",
		Why:   "every call that names no model fails from that day on",
		Wrong: resolveBase + `-- catalog_sources/more.toml --
schema = "1.0"
[[model]]
provider = "acme"
wire_model = "chat-0"
lifecycle = { deprecated = true, note = "old", ends_on = "2026-01-01" }
[default.text_generation.runtime]
acme = "acme/chat-0"
-- capability_sources/more.toml --
schema = "1.0"
[[provider.acme]]
models = ["chat-0"]
[provider.acme.operations.text_generation]
protocol = "openai_chat_completions"
input_kinds = ["text"]
`,
		Right: resolveBase + `-- catalog_sources/more.toml --
schema = "1.0"
[[model]]
provider = "acme"
wire_model = "chat-0"
lifecycle = { deprecated = true, note = "old", ends_on = "2099-01-01" }
[default.text_generation.runtime]
acme = "acme/chat-0"
-- capability_sources/more.toml --
schema = "1.0"
[[provider.acme]]
models = ["chat-0"]
[provider.acme.operations.text_generation]
protocol = "openai_chat_completions"
input_kinds = ["text"]
`,
	},
	{
		Code: LadderCrossesOperation, Stage: "resolve",
		Title: "a ladder step that does another job",
		Why:   "the climb would end on a model that can't do the job at all",
		Wrong: resolveBase + `-- catalog_sources/more.toml --
schema = "1.0"
[ladder.up]
operation = "text_generation"
steps = [{ row = "acme/vec-1" }]
`,
		Right: resolveBase + `-- catalog_sources/more.toml --
schema = "1.0"
[ladder.up]
operation = "text_generation"
steps = [{ row = "acme/chat-1" }]
`,
	},
	{
		Code: SuccessorCrossesOperation, Stage: "resolve",
		Title: "a successor that does another job",
		Why:   "whoever moves to it loses what the old row did",
		Wrong: resolveBase + `-- catalog_sources/more.toml --
schema = "1.0"
[[model]]
provider = "acme"
wire_model = "chat-0"
lifecycle = { deprecated = true, note = "old", successor = "acme/vec-1" }
-- capability_sources/more.toml --
schema = "1.0"
[[provider.acme]]
models = ["chat-0"]
[provider.acme.operations.text_generation]
protocol = "openai_chat_completions"
input_kinds = ["text"]
`,
		Right: resolveBase + `-- catalog_sources/more.toml --
schema = "1.0"
[[model]]
provider = "acme"
wire_model = "chat-0"
lifecycle = { deprecated = true, note = "old", successor = "acme/chat-1" }
-- capability_sources/more.toml --
schema = "1.0"
[[provider.acme]]
models = ["chat-0"]
[provider.acme.operations.text_generation]
protocol = "openai_chat_completions"
input_kinds = ["text"]
`,
	},
	{
		Code: EquivalenceCrossesOperation, Stage: "resolve",
		Title: "members of an equivalence group that do different jobs",
		Why:   "a call that fails over would land on a model that can't serve it",
		Wrong: resolveBase + `-- catalog_sources/more.toml --
schema = "1.0"
[[model]]
provider = "acme"
wire_model = "chat-2"
equivalence_group = "g"
-- capability_sources/more.toml --
schema = "1.0"
[[provider.acme]]
models = ["chat-2"]
[provider.acme.operations.embedding]
protocol = "openai_embeddings"
input_kinds = ["text"]
dimensions = 64
`,
		Right: resolveBase + `-- catalog_sources/more.toml --
schema = "1.0"
[[model]]
provider = "acme"
wire_model = "chat-2"
equivalence_group = "g"
-- capability_sources/more.toml --
schema = "1.0"
[[provider.acme]]
models = ["chat-2"]
[provider.acme.operations.text_generation]
protocol = "openai_chat_completions"
input_kinds = ["text"]
`,
	},
}
