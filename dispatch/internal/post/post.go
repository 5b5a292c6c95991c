// Package post writes the requests that codecs make.
package post

import (
	"net/http"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/opcat/opcat/dispatch/wire"
)

// JSON is a POST of a value as JSON. Texts in JSON that is sent on, such as what a
// model signed, keep their spelling.
func JSON(url string, body any) (wire.Request, error) {
	b, err := json.Marshal(body, json.Deterministic(true), jsontext.PreserveRawStrings(true))
	if err != nil {
		return wire.Request{}, err
	}
	h := http.Header{}
	h.Set("Content-Type", "application/json")
	h.Set("Accept", "application/json")
	return wire.Request{URL: url, Header: h, Body: b}, nil
}
