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

var migrateRuleCodes = []Entry{}
