package artifact

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/opcat/opcat/catalog"
)

// Checked is the result of stage check: the catalog, and the record of where each
// of its fields came from. There is no catalog if there is any error.
type Checked struct {
	Run
	Catalog    *catalog.Catalog
	Provenance string
}

type checkedBody struct {
	Run
	Catalog    json.RawMessage `json:"catalog"`
	Provenance string          `json:"provenance,omitempty"` // its lines count, so it is text
}

// Body is the JSON of the result.
func (v *Checked) Body() ([]byte, error) {
	if v.Catalog == nil {
		return encode(checkedBody{Run: v.Run.written()})
	}
	return encode(checkedBody{v.Run.written(), json.RawMessage(v.Catalog.JSON()), v.Provenance})
}

// ReadChecked reads what Body wrote.
func ReadChecked(body []byte) (*Checked, error) {
	var b checkedBody
	if err := decode(body, &b); err != nil {
		return nil, err
	}
	v := &Checked{Run: b.Run, Provenance: b.Provenance}
	if string(b.Catalog) == "null" {
		return v, nil
	}
	var err error
	if v.Catalog, err = catalog.Open(b.Catalog); err != nil {
		return nil, err
	}
	record, err := catalog.OpenProvenance(b.Provenance)
	if err != nil {
		return nil, err
	}
	if record.Digest() != v.Catalog.Digest() {
		return nil, errors.New("its record of provenance is about another catalog")
	}
	if string(catalog.DateOf(v.Catalog.AsOf())) != v.AsOf {
		return nil, fmt.Errorf("its catalog was not compiled for %s", v.AsOf)
	}
	return v, nil
}
