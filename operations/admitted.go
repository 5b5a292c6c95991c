package operations

import (
	"slices"
	"strconv"

	"github.com/opcat/opcat/catalog"
	"github.com/opcat/opcat/operations/op"
)

// IsZero reports whether nothing was admitted: the zero value, which dispatch
// refuses.
func (a Admitted[R]) IsZero() bool { return a.a == nil }

// Request is a copy of what was admitted.
func (a Admitted[R]) Request() R { return a.a.request.Keep().Request }

// Settings are the options that the route will honour, in the registry's order:
// what the caller asked for and nothing else.
func (a Admitted[R]) Settings() []op.SettingValue { return slices.Clone(a.a.settings) }

// RowID is the id of the row: provider/wire_model.
func (a Admitted[R]) RowID() string { return a.a.row.ID }

// WireModel is the model as it is dialled, in the region that was asked for.
func (a Admitted[R]) WireModel() string { return a.a.model }

// Protocol is the wire encoding.
func (a Admitted[R]) Protocol() string { return a.a.protocol }

// URL is the endpoint with its holes filled, the model's too.
func (a Admitted[R]) URL() string { return a.a.url }

// APIVersion is the version of the protocol that the contract or its endpoint
// names; "" if neither does.
func (a Admitted[R]) APIVersion() string { return a.a.version }

// OutputCap is the number of output tokens that is to be sent as the cap: the one
// that was asked for, lowered or computed. Unknown: none is sent.
func (a Admitted[R]) OutputCap() (n catalog.Opt[int64]) {
	for _, s := range a.a.settings {
		if s.Name == "max_output_tokens" {
			if v, err := strconv.ParseInt(s.Value.String(), 10, 64); err == nil {
				return catalog.Known(v)
			}
		}
	}
	return n
}

// Dialect is the dialect of the protocol; "" for the plain wire.
func (a Admitted[R]) Dialect() string { return a.a.dialect }

// Contract is the row's promise. It is not to be changed.
func (a Admitted[R]) Contract() *catalog.Contract { return a.a.contract }

// Provider is who serves. It is not to be changed.
func (a Admitted[R]) Provider() *catalog.Provider { return a.a.provider }

// Digest is the digest of the catalog that admitted it.
func (a Admitted[R]) Digest() string { return a.a.digest }
