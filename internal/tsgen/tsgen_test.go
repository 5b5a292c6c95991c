package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/opcat/opcat/shape"
)

// The types of package ts are those of the shapes.
func TestGeneratedFilesAreCurrent(t *testing.T) {
	for _, f := range files() {
		got, err := os.ReadFile(filepath.Join("../../projections/ts", f.path))
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, f.data) {
			t.Errorf("projections/ts/%s is stale: run `make gen`", f.path)
		}
	}
}

// A new key of a shape is a property, whatever its type.
func TestTypesFollowShapes(t *testing.T) {
	inner := shape.New("a part of a thing", shape.F("is-odd", shape.Of(shape.Bool)).Means("false"))
	got := string(types(shape.New("a thing",
		shape.F("id", shape.Of(shape.RowID)).Always().Says("who it is"),
		shape.F("sizes", shape.ListOf(shape.OneOf(shape.CountOf(1, 0), shape.Rec(inner)))),
		shape.F("parts", shape.MapOf(shape.Text, shape.Rec(inner))),
		shape.F("kind", shape.ListOf(shape.EnumOf("a", "b"))),
		shape.F("costs", shape.Of(shape.Amount)),
		shape.F("more", shape.Of(shape.Any)),
	), []string{"embedding"}, nil))
	for _, want := range []string{
		"export type Operation = \"embedding\";\n",
		"/** A thing. */\nexport interface Thing {\n  /** who it is */\n  readonly id: RowIdText;\n  readonly sizes?: readonly (number | ThingPart)[];\n" +
			"  readonly parts?: { readonly [key: string]: ThingPart };\n  readonly kind?: readonly (\"a\" | \"b\")[];\n  readonly costs?: Decimal;\n  readonly more?: Json;\n}\n",
		"export interface ThingPart {\n  /** left out, it is false */\n  readonly \"is-odd\"?: boolean;\n}\n",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no\n%s\nin\n%s", want, got)
		}
	}
}
