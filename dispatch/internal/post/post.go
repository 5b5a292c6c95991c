// Package post writes the requests that codecs make.
package post

import (
	"net/http"

	"github.com/opcat/opcat/dispatch/wire"
)

// JSON is a POST of a value as JSON. Texts in JSON that is sent on, such as what a
// model signed, keep their spelling.
func JSON(url string, body any) (wire.Request, error) {
	w := writers.Get().(*writer)
	b, err := w.write(body)
	w.forget()
	writers.Put(w)
	if err != nil {
		return wire.Request{}, err
	}
	return wire.Request{URL: url, Body: b, Header: http.Header{"Content-Type": {"application/json"}, "Accept": {"application/json"}}}, nil
}
