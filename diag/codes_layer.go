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

var layerCodes = []Entry{}
