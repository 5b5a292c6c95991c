// Package post writes the requests that codecs make.
package post

import (
	"net/http"

	"github.com/go-json-experiment/json"

	"github.com/opcat/opcat/dispatch/wire"
)

// JSON is a POST of a value as JSON.
func JSON(url string, body any) (wire.Request, error) {
	b, err := json.Marshal(body, json.Deterministic(true))
	if err != nil {
		return wire.Request{}, err
	}
	h := http.Header{}
	h.Set("Content-Type", "application/json")
	h.Set("Accept", "application/json")
	return wire.Request{URL: url, Header: h, Body: b}, nil
}
