package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/opcat/opcat/shape"
)

// The types of package swift are those of the shapes.
func TestGeneratedFilesAreCurrent(t *testing.T) {
	for _, f := range files() {
		got, err := os.ReadFile(filepath.Join("../../projections/swift", f.path))
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, f.data) {
			t.Errorf("projections/swift/%s is stale: run `make gen`", f.path)
		}
	}
}

// A new key of a shape is a property, whatever its type and its name.
func TestTypesFollowShapes(t *testing.T) {
	inner := shape.New("a part of a thing", shape.F("is-odd", shape.Of(shape.Bool)).Means("false"))
	got := string(types(shape.New("a thing",
		shape.F("id", shape.Of(shape.RowID)).Always().Says("who it is"),
		shape.F("class", shape.Of(shape.Text)),
		shape.F("sizes", shape.OneOf(shape.CountOf(1, 0), shape.Rec(inner))),
		shape.F("parts", shape.MapOf(shape.Text, shape.Rec(inner))),
		shape.F("kinds", shape.ListOf(shape.EnumOf("none", "5m", "a-b", "a_b"))),
		shape.F("costs", shape.Of(shape.Amount)),
		shape.F("more", shape.Of(shape.Any)),
	), []string{"embedding"}))
	for _, want := range []string{
		"/// The facts of a catalog.\npublic struct CatalogFacts: Codable, Hashable, Sendable {\n    /// who it is\n    public let id: String\n    public let `class`: String?\n" +
			"    public let sizes: Sizes?\n    public let parts: [String: ThingPart]?\n    public let kinds: [Kind]?\n    public let costs: Decimal?\n    public let more: JSON?\n",
		"    public enum Kind: String, Codable, CaseIterable, Sendable {\n        case none_ = \"none\"\n        case _5m = \"5m\"\n        case aBD44362 = \"a-b\"\n        case aB648fa9 = \"a_b\"\n",
		"        case count(Int)\n        case table(ThingPart)\n",
		"public struct ThingPart: Codable, Hashable, Sendable {\n    /// left out, it is false\n    public let isOdd: Bool?\n\n    private enum CodingKeys: String, CodingKey {\n        case isOdd = \"is-odd\"\n",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no\n%s\nin\n%s", want, got)
		}
	}
}
