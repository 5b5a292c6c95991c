// Package tei is what the protocols of text-embeddings-inference have in common.
package tei

import (
	"net/http"

	"github.com/opcat/opcat/dispatch/internal/detail"
	"github.com/opcat/opcat/dispatch/wire"
)

// Truncation says whether over-long texts are cut, and at which side; the side is
// "" where it is the server's own, the end.
func Truncation(setting string) (cut bool, side string) {
	if setting == "start" {
		return true, "Left"
	}
	return setting == "end", ""
}

// Failure is what a response without a result means. This server has no limit of
// requests: its 429 says that it has no room.
func Failure(r wire.Response) *wire.Failure {
	f := detail.Failure(r)
	if f != nil && r.Status == http.StatusTooManyRequests {
		f.Kind = wire.Overloaded
	}
	return f
}
