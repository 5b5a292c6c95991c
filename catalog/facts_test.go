package catalog_test

import (
	"reflect"
	"testing"

	"github.com/opcat/opcat/catalog"
	snapshot "github.com/opcat/opcat/gen/json"
	"github.com/opcat/opcat/internal/testcat/market"
)

// What is read of a row alone is what decoding all of it gives.
func TestFactsAgreeWithRows(t *testing.T) {
	bundled, err := snapshot.Catalog()
	if err != nil {
		t.Fatal(err)
	}
	made, err := market.New(500, 2)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []*catalog.Catalog{bundled, made} {
		for ref := range c.Refs() {
			row := ref.Row()
			var limits catalog.Limits
			if row.Limits != nil {
				limits = *row.Limits
			}
			tier := ""
			if row.Presentation != nil {
				tier = row.Presentation.Tier
			}
			if l := ref.Lifecycle(); ref.Name() != row.Name || (l == nil) != (row.Lifecycle == nil) || l != nil && *l != *row.Lifecycle {
				t.Errorf("%s: name %q, lifecycle %v", ref.ID(), ref.Name(), l)
			}
			if ref.Limits() != limits || ref.RegionalOnly() != row.RegionalOnly || ref.StatesDataControls() != (row.DataControls != nil) || ref.Tier() != tier {
				t.Errorf("%s: limits %+v, regional only %v, data controls %v, tier %q", ref.ID(), ref.Limits(), ref.RegionalOnly(), ref.StatesDataControls(), ref.Tier())
			}
			if got := ref.AppendPrices(nil); !reflect.DeepEqual(row.Price, got) {
				t.Errorf("%s: prices %+v, of the row %+v", ref.ID(), got, row.Price)
			}
			if n, ok := c.ProviderNumber(row.Provider); !ok || n != ref.ProviderNumber() || c.ProviderIDs()[n] != row.Provider {
				t.Errorf("%s: provider number %d", ref.ID(), ref.ProviderNumber())
			}
		}
	}
}
