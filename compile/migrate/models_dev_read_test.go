package migrate

import (
	"encoding/json"
	"reflect"
	"testing"
)

// FuzzReadPlain: what is read fast is what encoding/json reads.
func FuzzReadPlain(f *testing.F) {
	for _, src := range []string{
		`{"schema": "harn.models-dev.v1", "upstream_sha256": "00", "models": {"a": {"m": {"name": "M", "limit": {"context": 5, "output": 6}, "cost": {"text": {"input": {"price": 1.50, "cache": {"read": 2, "write": [ 3 ]}}, "output": {"price": {"base": 1}}}}}}}}`,
		`{"models": {"a": {"m": {"limit": null, "open_weights": true, "release_date": "2026-11-30"}}}}`,
		`{"models": {"a": null}}`,
		`{"Models": {"a": {"m": {"Name": "M"}}}}`,
		`{"models": {"a": {"m": {"name": "M"}}, "a": {"n": {}}}}`,
		`{"models": {"a": {"m": {"name": 1, "name": 2}}}}`,
		`{"schema": 1}`,
		`{"schema": "a\u0041\ud800"}`,
		`{"models": {}} {}`,
		`{"models": {"a": {"m"`,
		`[]`,
	} {
		f.Add([]byte(src))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		var got, want cache
		if !got.readPlain(src) {
			return
		}
		if err := json.Unmarshal(src, &want); err != nil {
			t.Fatalf("it was read, but %v", err)
		}
		if want.Models == nil {
			got.Models = nil
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("it reads %+v\nwant     %+v", got, want)
		}
	})
}

// The pinned facts of the largest tree are read fast.
func TestReadPlain(t *testing.T) {
	for _, f := range corpusFragments(t, corpus(t)) {
		if f.Cache && !new(cache).readPlain(f.Src) {
			t.Error(f.File.Path + " is read slowly")
		}
	}
}
