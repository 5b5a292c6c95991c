package diag

// The codes of stage migrate about providers, rows and what names them. Many of
// the mistakes that format 0 can hold can be said in today's form too; those codes
// are registered by the stage that looks for them there.
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
)

var migrateRowCodes = []Entry{}
