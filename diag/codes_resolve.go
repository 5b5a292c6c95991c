package diag

// The codes of stage resolve: rules that grant too much or disagree, and
// references that lead nowhere, round in a circle or across operations.
// UNKNOWN_PROVIDER, RULE_AMBIGUOUS and RULE_MATCHES_NOTHING are migrate's and
// found here too.
const (
	GlobGrants Code = "GLOB_GRANTS"
	RuleTarget Code = "RULE_TARGET"

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

var resolveCodes = []Entry{}
