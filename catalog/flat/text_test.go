package flat_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/opcat/opcat/gen/go/op"
	"github.com/opcat/opcat/gen/go/opcatalog"
)

// A value that is printed, in whatever way, is a few words and never the blob.
func TestPrintedValuesAreShort(t *testing.T) {
	const id = "openai/text-embedding-3-small"
	route, ok := opcatalog.Lookup[op.Embedding](id)
	if !ok {
		t.Fatal("no such route")
	}
	provider, ok := opcatalog.FindProvider("openai")
	if !ok {
		t.Fatal("no such provider")
	}
	row := route.Row()
	for name, c := range map[string]struct {
		value any
		want  string
	}{
		"catalog":    {opcatalog.Catalog(), opcatalog.Digest()},
		"route":      {route, "embedding:" + id},
		"no route":   {opcatalog.Route[op.Embedding]{}, ""},
		"row":        {row, id},
		"provider":   {provider, "value at "},
		"limits":     {row.Limits(), "value at "},
		"price":      {row.Price().At(0), "value at "},
		"prices":     {row.Price(), "value at "},
		"lifecycle":  {row.Lifecycle(), ""},
		"contract":   {route.Contract(), "value at "},
		"kinds":      {route.Contract().InputKinds(), "value at "},
		"settings":   {route.Contract().Settings(), "value at "},
		"endpoints":  {provider.Endpoint(), "value at "},
		"credential": {provider.Credential(), "value at "},
	} {
		for _, verb := range []string{"%v", "%+v", "%s", "%#v"} {
			got := fmt.Sprintf(verb, c.value)
			if !strings.HasPrefix(got, c.want) || len(got) > 100 {
				t.Errorf("%s as %s: %.100q of %d bytes, not %q", name, verb, got, len(got), c.want)
			}
		}
	}
}
