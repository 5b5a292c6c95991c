package cli

import (
	"cmp"
	"context"
	"os"
	"strings"

	"github.com/opcat/opcat/catalog"
)

func snapshotGet() Command {
	var source string
	return Command{
		Path: "snapshot get", Tier: 1, Family: CRUD,
		Short:   "one compiled catalog: its digest, its date and how much it holds",
		Result:  "opcat.snapshot@1",
		Schema:  snapshotSchema,
		Flags:   []Flag{PathFlag(&source, "source", "read this catalog.json instead, and adopt nothing")},
		Args:    []Arg{{Name: "name", Usage: "the snapshot's name, embedded if left out", Optional: true}},
		Errors:  []Code{NotFound, ArtifactMissing, ArtifactInvalid, ConflictingFlags},
		Example: []string{"snapshot", "get"},
		Run: func(_ context.Context, inv *Invocation) (Result, error) {
			if source != "" {
				if len(inv.Args) > 0 {
					return Result{}, Fail(ConflictingFlags, "--source names the snapshot; leave '%s' out", clip(inv.Args[0], maxGot)).Where(At{Flag: "--source"})
				}
				c, err := readCatalog(source)
				if err != nil {
					return Result{}, err
				}
				return Result{Data: newSnapshotItem(inv, candidate, c)}, nil
			}
			all, err := snapshots(inv)
			if err != nil {
				return Result{}, err
			}
			var names []string
			for _, s := range all {
				if names = append(names, s.Name); s.Name == cmp.Or(strings.Join(inv.Args, ""), embedded) {
					return Result{Data: s}, nil
				}
			}
			return Result{}, Missing("snapshot", inv.Args[0], names, "opcat snapshot list")
		},
	}
}

// readCatalog reads a compiled catalog that somebody else wrote, to the last row.
func readCatalog(path string) (*catalog.Catalog, error) {
	info, err := os.Stat(path)
	if err == nil {
		err = regular(path)
	}
	if err != nil {
		return nil, unreadable("--source", path, err)
	}
	if info.Size() > catalog.MaxSize {
		return nil, Fail(ArtifactInvalid, "'%s' has %d bytes; a catalog has at most %d", clip(path, maxGot), info.Size(), catalog.MaxSize).atFlag("--source", path)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, unreadable("--source", path, err)
	}
	c, err := catalog.Open(text)
	if err != nil {
		return nil, Fail(ArtifactInvalid, "'%s' is no catalog: %v", clip(path, maxGot), err).atFlag("--source", path)
	}
	return c, nil
}
