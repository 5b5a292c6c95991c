package dispatch

import (
	"slices"
	"testing"

	"github.com/opcat/opcat/operations"
)

// Every member of the registry is here, with an executor whose codecs are those
// that the registry says there are.
func TestEveryProtocolHasItsCodec(t *testing.T) {
	if len(members) != len(operations.All()) {
		t.Errorf("%d operations are sent, and the registry has %d", len(members), len(operations.All()))
	}
	for _, m := range members {
		var want []string
		for _, p := range m.op.Protocols {
			if p.Codec {
				want = append(want, p.Name)
			}
		}
		if !slices.Equal(m.protocols, want) {
			t.Errorf("%s: the codecs are %q, and the registry says %q", m.op.Name, m.protocols, want)
		}
	}
}
