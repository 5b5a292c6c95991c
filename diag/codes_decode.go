package diag

// The codes of stage decode: what a single file says wrongly.
const (
	UnknownField          Code = "UNKNOWN_FIELD"
	FieldOfOtherOperation Code = "FIELD_OF_OTHER_OPERATION"
	WrongRoot             Code = "WRONG_ROOT"
	SchemaMissing         Code = "SCHEMA_MISSING"
	LeadingKey            Code = "LEADING_KEY"
	UnknownEnum           Code = "UNKNOWN_ENUM"
	WrongType             Code = "WRONG_TYPE"
	FloatForDecimal       Code = "FLOAT_FOR_DECIMAL"
	NotANumber            Code = "NOT_A_NUMBER"
	BareDate              Code = "BARE_DATE"
	BadDecimal            Code = "BAD_DECIMAL"
	BadTime               Code = "BAD_TIME"
	BadURL                Code = "BAD_URL"
	BadHeader             Code = "BAD_HEADER"
	BadVersion            Code = "BAD_VERSION"
	BadID                 Code = "BAD_ID"
	BadText               Code = "BAD_TEXT"
	OutOfRange            Code = "OUT_OF_RANGE"
	EmptyList             Code = "EMPTY_LIST"
	DuplicateItem         Code = "DUPLICATE_ITEM"
	DuplicateKey          Code = "DUPLICATE_KEY"
	MissingKey            Code = "MISSING_KEY"
	NestedTooDeep         Code = "NESTED_TOO_DEEP"
	NewerTOML             Code = "NEWER_TOML"
	Syntax                Code = "SYNTAX"
	InvalidUTF8           Code = "INVALID_UTF8"
	ByteOrderMark         Code = "BYTE_ORDER_MARK"
	NewerSchema           Code = "NEWER_SCHEMA"
	BadSchema             Code = "BAD_SCHEMA"
	FileTooLarge          Code = "FILE_TOO_LARGE"
	UnreadableFile        Code = "UNREADABLE_FILE"
	DanglingLink          Code = "DANGLING_LINK"
	LinkLeavesTree        Code = "LINK_LEAVES_TREE"
	LinkToFolder          Code = "LINK_TO_FOLDER"
	EmptyTree             Code = "EMPTY_TREE"
)

var decodeCodes = []Entry{
	{
		Code: UnknownField, Stage: "decode",
		Title: "a key that its table does not have",
		Why:   "a misspelt price or limit is dropped in silence elsewhere, and the default stays in force",
		Wrong: `schema = "1.0"
[[model]]
provider = "acme"
wire_modle = "chat-1"
`,
		Right: `schema = "1.0"
[[model]]
provider = "acme"
wire_model = "chat-1"
`,
	},
	{
		Code: FieldOfOtherOperation, Stage: "decode",
		Title: "a key of another operation's contract",
		Why:   "a contract that mixes operations would be dialled by a wire that can't carry it",
		Wrong: `-- capability_sources/acme.toml --
schema = "1.0"
[[provider.acme]]
models = ["embed-1"]
[provider.acme.operations.embedding]
protocol = "openai_embeddings"
input_kinds = ["text"]
dimensions = 768
question_kinds = ["boolean"]
`,
		Right: `-- capability_sources/acme.toml --
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
		Code: WrongRoot, Stage: "decode",
		Title: "a fact under the root of the other kind",
		Why:   "who serves and what a row can do are owned by different files, reviewed by different people",
		Wrong: `-- capability_sources/acme.toml --
schema = "1.0"
[[model]]
provider = "acme"
wire_model = "chat-1"
`,
		Right: `-- catalog_sources/acme.toml --
schema = "1.0"
[[model]]
provider = "acme"
wire_model = "chat-1"
`,
	},
	{
		Code: SchemaMissing, Stage: "decode",
		Title: "today's tables in a file that does not say its format",
		Why:   "a file without a schema is read in the legacy dialect, where these tables do not exist",
		Wrong: `[[model]]
provider = "acme"
wire_model = "chat-1"
`,
		Right: `schema = "1.0"
[[model]]
provider = "acme"
wire_model = "chat-1"
`,
	},
	{
		Code: LeadingKey, Stage: "decode",
		Title: "a row's field before the first table of a legacy file",
		Why:   "the key belongs to no row, or to the last row of whatever file comes before",
		Wrong: `tier = "mid"
[models."acme/chat-1"]
name = "Chat 1"
provider = "acme"
context_window = 8192
`,
		Right: `[models."acme/chat-1"]
name = "Chat 1"
provider = "acme"
context_window = 8192
tier = "mid"
`,
	},
	{
		Code: UnknownEnum, Stage: "decode",
		Title: "a word outside its closed set",
		Why:   "an unknown word read as a default picks a wire, a meter or an operation that nobody chose",
		Wrong: `schema = "1.0"
[provider.acme]
name = "Acme"
kind = "gatway"
`,
		Right: `schema = "1.0"
[provider.acme]
name = "Acme"
kind = "gateway"
`,
	},
	{
		Code: WrongType, Stage: "decode",
		Title: "a value of the wrong type",
		Why:   "a number in quotes or a list where one value is meant is guessed at differently by each reader",
		Wrong: `schema = "1.0"
[[model]]
provider = "acme"
wire_model = "chat-1"
limits = { context_tokens = "8192" }
`,
		Right: `schema = "1.0"
[[model]]
provider = "acme"
wire_model = "chat-1"
limits = { context_tokens = 8192 }
`,
	},
	{
		Code: FloatForDecimal, Stage: "decode",
		Title: "a binary number where an exact decimal is meant",
		Why:   "0.1 has no exact binary form: sums of such prices drift and differ between languages",
		Wrong: `schema = "1.0"
[[model]]
provider = "acme"
wire_model = "chat-1"
price = [{ meter = "input_token", usd_per_million = 0.1 }]
`,
		Right: `schema = "1.0"
[[model]]
provider = "acme"
wire_model = "chat-1"
price = [{ meter = "input_token", usd_per_million = "0.1" }]
`,
	},
	{
		Code: NotANumber, Stage: "decode",
		Title: "inf or nan",
		Why:   "neither is an amount, and every comparison with nan is false, a budget check too",
		Wrong: `schema = "1.0"
[[model]]
provider = "acme"
wire_model = "chat-1"
price = [{ meter = "input_token", usd_per_million = inf }]
`,
		Right: `schema = "1.0"
[[model]]
provider = "acme"
wire_model = "chat-1"
price = [{ meter = "input_token", usd_per_million = "4" }]
`,
	},
	{
		Code: BareDate, Stage: "decode",
		Title: "a TOML date without quotes",
		Why:   "a local date has no zone; a date here is a string and means midnight UTC",
		Wrong: `schema = "1.0"
[[model]]
provider = "acme"
wire_model = "chat-1"
released = 2026-11-01
`,
		Right: `schema = "1.0"
[[model]]
provider = "acme"
wire_model = "chat-1"
released = "2026-11-01"
`,
	},
	{
		Code: BadDecimal, Stage: "decode",
		Title: "a string that is no exact decimal",
		Why:   "a comma, a sign, an exponent or a currency mark is read differently by each consumer",
		Wrong: `schema = "1.0"
[[model]]
provider = "acme"
wire_model = "chat-1"
price = [{ meter = "input_token", usd_per_million = "0,042" }]
`,
		Right: `schema = "1.0"
[[model]]
provider = "acme"
wire_model = "chat-1"
price = [{ meter = "input_token", usd_per_million = "0.042" }]
`,
	},
	{
		Code: BadTime, Stage: "decode",
		Title: "a string that is no date, duration or time of day",
		Why:   "a lifecycle or a dated price would begin at a moment nobody meant",
		Wrong: `schema = "1.0"
[[model]]
provider = "acme"
wire_model = "chat-1"
released = "2026-02-30"
`,
		Right: `schema = "1.0"
[[model]]
provider = "acme"
wire_model = "chat-1"
released = "2026-02-28"
`,
	},
	{
		Code: BadURL, Stage: "decode",
		Title: "a URL, origin or source of the wrong form",
		Why:   "a request or a credential would go to a place that was never meant, or in the clear",
		Wrong: `schema = "1.0"
[provider.acme]
name = "Acme"
endpoint.openai_chat_completions = { url = "http://api.acme.example/v1/chat/completions" }
`,
		Right: `schema = "1.0"
[provider.acme]
name = "Acme"
endpoint.openai_chat_completions = { url = "https://api.acme.example/v1/chat/completions" }
`,
	},
	{
		Code: BadHeader, Stage: "decode",
		Title: "a string that is no header name",
		Why:   "a blank or a line break in a header lets its author write further headers",
		Wrong: `schema = "1.0"
[provider.acme]
name = "Acme"
headers = { "X Team" = "a" }
`,
		Right: `schema = "1.0"
[provider.acme]
name = "Acme"
headers = { "X-Team" = "a" }
`,
	},
	{
		Code: BadVersion, Stage: "decode",
		Title: "a version or version range that can't be read",
		Why:   "a rule with such a bound would never match, and nobody would notice",
		Wrong: `-- capability_sources/acme.toml --
schema = "1.0"
[[provider.acme]]
model_match = "chat-*"
model_version = ">=one"
operations = {}
`,
		Right: `-- capability_sources/acme.toml --
schema = "1.0"
[[provider.acme]]
model_match = "chat-*"
model_version = ">=1.0.0"
operations = {}
`,
	},
	{
		Code: BadID, Stage: "decode",
		Title: "a string that is no id",
		Why:   "ids become file names, types and map keys: one form everywhere keeps them apart",
		Wrong: `schema = "1.0"
[provider.Acme]
name = "Acme"
`,
		Right: `schema = "1.0"
[provider.acme]
name = "Acme"
`,
	},
	{
		Code: BadText, Stage: "decode",
		Title: "a text that is empty or holds control characters",
		Why:   "an empty text reads as a value although nothing was said; a control character can forge output",
		Wrong: `schema = "1.0"
[provider.acme]
name = ""
`,
		Right: `schema = "1.0"
[provider.acme]
name = "Acme"
`,
	},
	{
		Code: OutOfRange, Stage: "decode",
		Title: "a number outside its range",
		Why:   "a limit of zero is a guess written down: unknown is said by leaving the key out",
		Wrong: `schema = "1.0"
[[model]]
provider = "acme"
wire_model = "chat-1"
limits = { context_tokens = 0 }
`,
		Right: `schema = "1.0"
[[model]]
provider = "acme"
wire_model = "chat-1"
`,
	},
	{
		Code: EmptyList, Stage: "decode",
		Title: "a list that must name something",
		Why:   "an empty list is read as everything by one consumer and as nothing by another",
		Wrong: `schema = "1.0"
[[model]]
provider = "acme"
wire_model = "job-1"
listed_as = []
`,
		Right: `schema = "1.0"
[[model]]
provider = "acme"
wire_model = "job-1"
listed_as = ["speech"]
`,
	},
	{
		Code: DuplicateItem, Stage: "decode",
		Title: "the same item twice in a set",
		Why:   "a repeat is a slip: one of the two was meant to be something else",
		Wrong: `schema = "1.0"
[[model]]
provider = "acme"
wire_model = "job-1"
listed_as = ["speech", "speech"]
`,
		Right: `schema = "1.0"
[[model]]
provider = "acme"
wire_model = "job-1"
listed_as = ["speech"]
`,
	},
	{
		Code: DuplicateKey, Stage: "decode",
		Title: "a key or table written twice in one file",
		Why:   "which of the two counts depends on the reader",
		Wrong: `schema = "1.0"
[provider.acme]
name = "Acme"
name = "Acme AI"
`,
		Right: `schema = "1.0"
[provider.acme]
name = "Acme AI"
`,
	},
	{
		Code: MissingKey, Stage: "decode",
		Title: "a table without a key that it must have",
		Why:   "a price without a meter or a row without a provider means nothing",
		Wrong: `schema = "1.0"
[[model]]
provider = "acme"
`,
		Right: `schema = "1.0"
[[model]]
provider = "acme"
wire_model = "chat-1"
`,
	},
	{
		Code: NestedTooDeep, Stage: "decode",
		Title: "tables or arrays nested more than 64 deep",
		Why:   "no fact lies that deep; such a file is broken or made to break a reader",
		Wrong: `schema = "1.0"
[role.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a]
b = 1
`,
		Right: `schema = "1.0"
[role.a]
b = 1
`,
	},
	{
		Code: NewerTOML, Stage: "decode",
		Title: "TOML 1.1 in a TOML 1.0 file",
		Why:   "other tools that read the same file refuse it or read it differently",
		Wrong: `schema = "1.0"
[[model]]
provider = "acme"
wire_model = "chat-1"
limits = {
  context_tokens = 8192,
}
`,
		Right: `schema = "1.0"
[[model]]
provider = "acme"
wire_model = "chat-1"
limits = { context_tokens = 8192 }
`,
	},
	{
		Code: Syntax, Stage: "decode",
		Title: "text that is no TOML",
		Why:   "nothing behind the place could be read, so a part of the file is missing",
		Wrong: `schema = "1.0"
[[model]
provider = "acme"
`,
		Right: `schema = "1.0"
[[model]]
provider = "acme"
wire_model = "chat-1"
`,
	},
	{
		Code: InvalidUTF8, Stage: "decode",
		Title: "bytes that are not UTF-8 text",
		Why:   "a file read in another code page gives other ids and other prices",
		Wrong: `# the byte 0x94 in a comment, UTF-16, or a NUL
`,
		Right: `# plain UTF-8
`,
	},
	{
		Code: ByteOrderMark, Stage: "decode",
		Title: "a byte-order mark at the start",
		Why:   "parsers disagree about it, and the first key is not what it seems",
		Wrong: `# EF BB BF before the first key
`,
		Right: `# the first key at offset 0
`,
	},
	{
		Code: NewerSchema, Stage: "decode",
		Title: "a format of a newer major version",
		Why:   "a program that guesses at a newer format drops what it does not know",
		Wrong: `schema = "2.0"
`,
		Right: `schema = "1.0"
`,
	},
	{
		Code: BadSchema, Stage: "decode",
		Title: "a format version that can't be read",
		Why:   "which keys are known depends on it",
		Wrong: `schema = "latest"
`,
		Right: `schema = "1.0"
`,
	},
	{
		Code: FileTooLarge, Stage: "decode",
		Title: "a file over 8 MiB",
		Why:   "no fragment is that large; a generated blob in the tree stalls every compile",
		Wrong: `# more than 8388608 bytes
`,
		Right: `# the same rows in several files
`,
	},
	{
		Code: UnreadableFile, Stage: "decode",
		Title: "a file or folder that can't be read",
		Why:   "its rows would be missing without a word",
		Wrong: `# a file without read permission
`,
		Right: `# the file made readable
`,
	},
	{
		Code: DanglingLink, Stage: "decode",
		Title: "a link that leads nowhere",
		Why:   "the rows behind it are gone and nobody is told",
		Wrong: `# acme.toml -> gone.toml
`,
		Right: `# acme.toml, a file
`,
	},
	{
		Code: LinkLeavesTree, Stage: "decode",
		Title: "a link that leads out of the source tree",
		Why:   "what is compiled must lie in the tree that was reviewed",
		Wrong: `# acme.toml -> /etc/acme.toml
`,
		Right: `# acme.toml, a file
`,
	},
	{
		Code: LinkToFolder, Stage: "decode",
		Title: "a link to a folder",
		Why:   "a folder reached twice states each of its facts twice",
		Wrong: `# acme -> ../other
`,
		Right: `# acme, a folder
`,
	},
	{
		Code: EmptyTree, Stage: "decode",
		Title: "no row at all",
		Why:   "an empty catalog in place of a good one refuses every model",
		Wrong: `# no .toml file under catalog_sources or capability_sources, or none with a row
`,
		Right: `# at least one provider with a row
`,
	},
}
