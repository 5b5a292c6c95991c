package oracle

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"go.yaml.in/yaml/v3"
)

// Every request of a codec's case that goes to OpenAI or Mistral is valid by the
// vendor's own description of its API.
func TestRequestsFitTheVendorsDescriptions(t *testing.T) {
	for _, v := range []struct{ file, origin, prefix string }{
		{"openai.yaml", "https://api.openai.com", "/v1"},
		{"mistral.yaml", "https://api.mistral.ai", ""},
	} {
		t.Run(v.file, func(t *testing.T) {
			a := description(t, v.file)
			requests := emitted(t, v.origin)
			for _, r := range requests {
				if slices.Contains(undescribed, r.path) {
					continue
				}
				if err := a.check(v.file, strings.TrimPrefix(r.path, v.prefix), r.body); err != nil {
					t.Errorf("%s: %v", r.file, err)
				}
			}
			if len(requests) == 0 {
				t.Error("no case sends anything there")
			}
		})
	}
}

// undescribed are paths that are newer than the descriptions.
var undescribed = []string{"/v1/decisions"}

// An api is a vendor's description of its API, whose schemas are JSON Schema.
type api struct{ compiler *jsonschema.Compiler }

func description(t *testing.T, file string) *api {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("..", "..", "shared", "corpus", "openapi", file))
	if err != nil {
		if os.Getenv("CI") != "" {
			t.Fatal("the corpus is not here, and a check without it proves nothing: ", err)
		}
		t.Skip("the corpus is not here")
	}
	var described map[string]any
	if err := yaml.Unmarshal(data, &described); err != nil {
		t.Fatal(err)
	}
	asSchema(described)
	plain, err := json.Marshal(described)
	if err != nil {
		t.Fatal(err)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(plain))
	if err != nil {
		t.Fatal(err)
	}
	a := &api{compiler: jsonschema.NewCompiler()}
	if err := a.compiler.AddResource(file, doc); err != nil {
		t.Fatal(err)
	}
	return a
}

// asSchema makes JSON Schema of a description: a union with a discriminator, whose
// kinds overlap without it, is any of them; and two keywords of an older draft go,
// which stand in a filter that opcat never sends.
func asSchema(v any) {
	switch v := v.(type) {
	case map[string]any:
		delete(v, "$recursiveAnchor")
		delete(v, "$recursiveRef")
		if kinds, ok := v["oneOf"]; ok && v["discriminator"] != nil {
			delete(v, "oneOf")
			v["anyOf"] = kinds
		}
		for _, member := range v {
			asSchema(member)
		}
	case []any:
		for _, item := range v {
			asSchema(item)
		}
	}
}

// check holds a body against the schema of a path, and its members against the
// names that the schema knows: most schemas would let any other by.
func (a *api) check(file, path string, body []byte) error {
	at := "/paths/" + strings.ReplaceAll(path, "/", "~1") + "/post/requestBody/content/application~1json/schema"
	schema, err := a.compiler.Compile(file + "#" + at)
	if err != nil {
		return err
	}
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(body))
	if err != nil {
		return err
	}
	if err := schema.Validate(value); err != nil {
		return err
	}
	known := map[string]bool{}
	names(schema, known, map[*jsonschema.Schema]bool{})
	for name := range value.(map[string]any) {
		if !known[name] {
			return fmt.Errorf("the description has no %q", name)
		}
	}
	return nil
}

// names collects the members that a schema of an object knows.
func names(s *jsonschema.Schema, known map[string]bool, seen map[*jsonschema.Schema]bool) {
	if s == nil || seen[s] {
		return
	}
	seen[s] = true
	for name := range s.Properties {
		known[name] = true
	}
	names(s.Ref, known, seen)
	for _, list := range [][]*jsonschema.Schema{s.AllOf, s.AnyOf, s.OneOf} {
		for _, part := range list {
			names(part, known, seen)
		}
	}
}

// A sent is one request of a codec's case.
type sent struct {
	file, path string
	body       []byte
}

// emitted is what the cases of all codecs send to an origin.
func emitted(t *testing.T, origin string) (requests []sent) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("..", "dispatch", "*", "testdata", "*.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, part := range txtar.Parse(data).Files {
			path, ours := strings.CutPrefix(string(part.Data), "POST "+origin)
			if part.Name != "want/request" || !ours {
				continue
			}
			path, rest, _ := strings.Cut(path, "\n")
			_, body, _ := strings.Cut(rest, "\n\n")
			requests = append(requests, sent{file, path, []byte(body)})
		}
	}
	return requests
}
