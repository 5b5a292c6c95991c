package diag

// The codes of stage layer: facts stated twice in one layer, overlays that meet
// nothing, and what a layer may not change. ORIGIN_NOT_ALLOWED is check's and
// found here too; LAYER_RIGHT and LIMIT_WIDENED are found by resolve as well,
// where a rule of a higher layer meets what the lower ones promise.
const (
	DuplicateRow  Code = "DUPLICATE_ROW"
	DuplicateFact Code = "DUPLICATE_FACT"

	PatchDangles           Code = "PATCH_DANGLES"
	AddMeetsExisting       Code = "ADD_MEETS_EXISTING"
	UnsetRequired          Code = "UNSET_REQUIRED"
	UnsetContradicts       Code = "UNSET_CONTRADICTS"
	UnsetMatchesNothing    Code = "UNSET_MATCHES_NOTHING"
	TombstoneRevived       Code = "TOMBSTONE_REVIVED"
	SuppressMatchesNothing Code = "SUPPRESS_MATCHES_NOTHING"

	OperationChangedByOverlay Code = "OPERATION_CHANGED_BY_OVERLAY"
	LayerRight                Code = "LAYER_RIGHT"
	CredentialNotAllowed      Code = "CREDENTIAL_NOT_ALLOWED"
	LimitWidened              Code = "LIMIT_WIDENED"
	OverlayClaimUnsourced     Code = "OVERLAY_CLAIM_UNSOURCED"
	EndpointPromiseLost       Code = "ENDPOINT_PROMISE_LOST"
	PriceUntrusted            Code = "PRICE_UNTRUSTED"
)

// layerBase is a small clean tree that the pages lay a layer over.
const layerBase = `-- catalog_sources/acme.toml --
schema = "1.0"
[provider.acme]
name = "Acme"
credential = { scheme = "bearer", env = ["ACME_KEY"], origins = ["https://api.acme.example"] }
endpoint.openai_chat_completions = { url = "https://api.acme.example/v1/chat/completions" }
[[model]]
provider = "acme"
wire_model = "chat-1"
name = "Chat 1"
limits = { context_tokens = 128000 }
price = [{ meter = "input_token", usd_per_million = "2" }]
-- capability_sources/acme.toml --
schema = "1.0"
[[provider.acme]]
models = ["chat-1"]
[provider.acme.operations.text_generation]
protocol = "openai_chat_completions"
input_kinds = ["text"]
`

var layerCodes = []Entry{
	{
		Code: DuplicateRow, Stage: "layer",
		Title: "a row defined twice in one layer",
		Why:   "the later file would win, and which one is later is an accident of names",
		Wrong: layerBase + `-- catalog_sources/more.toml --
schema = "1.0"
[[model]]
provider = "acme"
wire_model = "chat-1"
name = "again"
`,
		Right: layerBase + `-- catalog_sources/more.toml --
schema = "1.0"
[[model]]
provider = "acme"
wire_model = "chat-2"
name = "another"
`,
	},
	{
		Code: DuplicateFact, Stage: "layer",
		Title: "a fact stated twice in one layer",
		Why:   "whoever mends one of the two leaves the other standing",
		Wrong: layerBase + `-- catalog_sources/more.toml --
schema = "1.0"
[provider.acme]
name = "Acme Inc"
`,
		Right: layerBase + `-- catalog_sources/more.toml --
schema = "1.0"
[provider.acme]
docs = "https://docs.acme.example"
`,
	},
	{
		Code: PatchDangles, Stage: "layer",
		Title: "an overlay that meets nothing",
		Why:   "a misspelt id would add a ghost in place of the change that was meant",
		Wrong: layerBase + `-- user/catalog_sources/house.toml --
schema = "1.0"
[[model]]
provider = "acme"
wire_model = "chat-11"
limits = { output_tokens = 100 }
`,
		Right: layerBase + `-- user/catalog_sources/house.toml --
schema = "1.0"
[[model]]
provider = "acme"
wire_model = "chat-1"
limits = { output_tokens = 100 }
`,
	},
	{
		Code: AddMeetsExisting, Stage: "layer",
		Title: "add = true over something that is there",
		Why:   "what was to be new would quietly change what others rely on",
		Wrong: layerBase + `-- user/catalog_sources/house.toml --
schema = "1.0"
[provider.acme]
add = true
name = "Acme"
`,
		Right: layerBase + `-- user/catalog_sources/house.toml --
schema = "1.0"
[provider.acme]
name = "Acme, ours"
`,
	},
	{
		Code: UnsetRequired, Stage: "layer",
		Title: "an unset of a key that its table must have",
		Why:   "what is left would be no provider and no contract any more",
		Wrong: layerBase + `-- user/catalog_sources/house.toml --
schema = "1.0"
[provider.acme]
unset = ["credential"]
`,
		Right: layerBase + `-- user/catalog_sources/house.toml --
schema = "1.0"
[[model]]
provider = "acme"
wire_model = "chat-1"
unset = ["name"]
`,
	},
	{
		Code: UnsetContradicts, Stage: "layer",
		Title: "a key unset and stated in one table",
		Why:   "one of the two is a leftover, and only the author knows which",
		Wrong: layerBase + `-- user/catalog_sources/house.toml --
schema = "1.0"
[[model]]
provider = "acme"
wire_model = "chat-1"
unset = ["name"]
name = "Chat"
`,
		Right: layerBase + `-- user/catalog_sources/house.toml --
schema = "1.0"
[[model]]
provider = "acme"
wire_model = "chat-1"
name = "Chat"
`,
	},
	{
		Code: UnsetMatchesNothing, Stage: "layer",
		Title: "an unset of what no lower layer states",
		Why:   "the layer below has changed, or the field that was meant is another one",
		Wrong: layerBase + `-- user/catalog_sources/house.toml --
schema = "1.0"
[[model]]
provider = "acme"
wire_model = "chat-1"
unset = ["stream_timeout"]
`,
		Right: layerBase + `-- user/catalog_sources/house.toml --
schema = "1.0"
[[model]]
provider = "acme"
wire_model = "chat-1"
unset = ["name"]
`,
	},
	{
		Code: TombstoneRevived, Stage: "layer",
		Title: "a removed row defined again",
		Why:   "a removal is a decision; a later file must not undo it by accident",
		Wrong: layerBase + `-- host/catalog_sources/house.toml --
schema = "1.0"
remove = [{ row = "acme/chat-1", reason = "not for us" }]
-- user/catalog_sources/house.toml --
schema = "1.0"
[[model]]
provider = "acme"
wire_model = "chat-1"
name = "Back"
`,
		Right: layerBase + `-- host/catalog_sources/house.toml --
schema = "1.0"
remove = [{ row = "acme/chat-1", reason = "not for us" }]
-- user/catalog_sources/house.toml --
schema = "1.0"
revive = [{ row = "acme/chat-1", reason = "reviewed" }]
[[model]]
provider = "acme"
wire_model = "chat-1"
name = "Back"
`,
	},
	{
		Code: SuppressMatchesNothing, Stage: "layer",
		Title: "a removal of a row that is nowhere",
		Why:   "the row that was to go is still there under its right name",
		Wrong: layerBase + `-- user/catalog_sources/house.toml --
schema = "1.0"
remove = [{ row = "acme/chat-11", reason = "not for us" }]
`,
		Right: layerBase + `-- user/catalog_sources/house.toml --
schema = "1.0"
remove = [{ row = "acme/chat-1", reason = "not for us" }]
`,
	},
	{
		Code: OperationChangedByOverlay, Stage: "layer",
		Title: "what a row does changed without saying so",
		Why:   "a decision model that becomes a chat driver by a stray rule is billed and answers wrongly",
		Wrong: layerBase + `-- user/capability_sources/house.toml --
schema = "1.0"
[[provider.acme]]
add = true
models = ["chat-1"]
[provider.acme.operations.moderation]
protocol = "openai_moderations"
input_kinds = ["text"]
`,
		Right: layerBase + `-- user/catalog_sources/house.toml --
schema = "1.0"
[[model]]
provider = "acme"
wire_model = "chat-1"
change_operations = { from = ["text_generation"], to = ["text_generation", "moderation"] }
-- user/capability_sources/house.toml --
schema = "1.0"
[[provider.acme]]
add = true
models = ["chat-1"]
[provider.acme.operations.moderation]
protocol = "openai_moderations"
input_kinds = ["text"]
`,
	},
	{
		Code: LayerRight, Stage: "layer",
		Title: "a change that its layer may not make",
		Why:   "a project or run layer comes with a repository or an environment: it may not say what is dialled or what a route can do",
		Wrong: layerBase + `-- project/catalog_sources/house.toml --
schema = "1.0"
[[model]]
provider = "acme"
wire_model = "chat-1"
region = [{ name = "eu", wire_model = "chat-9" }]
`,
		Right: layerBase + `-- user/catalog_sources/house.toml --
schema = "1.0"
[[model]]
provider = "acme"
wire_model = "chat-1"
region = [{ name = "eu", wire_model = "chat-9" }]
`,
	},
	{
		Code: CredentialNotAllowed, Stage: "layer",
		Title: "a credential named by a project or run layer",
		Why:   "a cloned repository could send a stored key to a host of its own",
		Wrong: layerBase + `-- project/catalog_sources/house.toml --
schema = "1.0"
[provider.mine]
add = true
name = "Mine"
credential = { scheme = "bearer", env = ["ACME_KEY"], origins = ["https://mine.example"] }
`,
		Right: layerBase + `-- project/catalog_sources/house.toml --
schema = "1.0"
[provider.mine]
add = true
name = "Mine"
credential = { scheme = "none" }
endpoint.openai_chat_completions = { url = "http://localhost:8080/v1/chat/completions" }
`,
	},
	{
		Code: LimitWidened, Stage: "layer",
		Title: "a limit widened without the right or the source to",
		Why:   "a wider limit lets a larger request through, and a larger bill",
		Wrong: layerBase + `-- user/catalog_sources/house.toml --
schema = "1.0"
[[model]]
provider = "acme"
wire_model = "chat-1"
limits = { context_tokens = 999999 }
`,
		Right: layerBase + `-- user/catalog_sources/house.toml --
schema = "1.0"
[[model]]
provider = "acme"
wire_model = "chat-1"
limits = { context_tokens = 999999, source = "https://acme.example/m", checked_on = "2026-11-01" }
`,
	},
	{
		Code: OverlayClaimUnsourced, Stage: "layer",
		Title: "a stricter data-control promise without a source",
		Why:   "private text would be sent on the word of whoever wrote the overlay",
		Wrong: layerBase + `-- user/catalog_sources/house.toml --
schema = "1.0"
[provider.acme.data_controls]
training_default = "does_not_train"
`,
		Right: layerBase + `-- user/catalog_sources/house.toml --
schema = "1.0"
[provider.acme.data_controls]
training_default = "trains"
sources = ["https://acme.example/policy"]
checked_on = "2026-11-01"
`,
	},
	{
		Code: EndpointPromiseLost, Stage: "layer",
		Title: "a provider redirected to another origin",
		Why:   "promises that were made for the old endpoint say nothing about the new one",
		Wrong: layerBase + `-- user/catalog_sources/house.toml --
schema = "1.0"
[provider.acme]
credential.origins = ["https://proxy.example"]
endpoint.openai_chat_completions = { url = "https://proxy.example/v1" }
`,
		Right: layerBase + `-- user/catalog_sources/house.toml --
schema = "1.0"
[provider.acme]
endpoint.openai_chat_completions = { url = "https://api.acme.example/v2/chat/completions" }
`,
	},
	{
		Code: PriceUntrusted, Stage: "layer",
		Title: "a lower price from a project or run layer",
		Why:   "a bound computed with it would let money be spent that nobody allowed",
		Wrong: layerBase + `-- project/catalog_sources/house.toml --
schema = "1.0"
[[model]]
provider = "acme"
wire_model = "chat-1"
price = [{ meter = "input_token", usd_per_million = "0.01" }]
`,
		Right: layerBase + `-- project/catalog_sources/house.toml --
schema = "1.0"
[[model]]
provider = "acme"
wire_model = "chat-1"
price = [{ meter = "input_token", usd_per_million = "5" }]
`,
	},
}
