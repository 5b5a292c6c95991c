package json

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/opcat/opcat/catalog"
	committed "github.com/opcat/opcat/gen/json"
	"github.com/opcat/opcat/projections/emit"
)

// The committed snapshot is whole, and its files are what its catalog emits.
func TestCommittedSnapshot(t *testing.T) {
	c, err := committed.Catalog()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Verify(); err != nil {
		t.Fatal(err)
	}
	record, err := committed.Provenance()
	if err != nil {
		t.Fatal(err)
	}
	if record.Digest() != c.Digest() {
		t.Errorf("provenance is about %s, the catalog is %s", record.Digest(), c.Digest())
	}
	for r := range c.Refs() {
		if _, err := record.Row(r); err != nil {
			t.Error(err)
		}
	}
	files, err := Emitter.Emit(c)
	if err != nil {
		t.Fatal(err)
	}
	diffs, err := emit.Check("../../gen/json", files)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range diffs {
		if d.Kind != emit.Extra { // provenance, which the sources give
			t.Errorf("%s\nto mend it: %s", d, emit.Mend("gen"))
		}
	}
}

// Whoever lays the catalog out anew has the same catalog: what docs/json.md says to
// try, with jq.
func TestAnyLayoutHasTheDigest(t *testing.T) {
	c, err := committed.Catalog()
	if err != nil {
		t.Fatal(err)
	}
	again, err := catalog.Open(c.Pretty())
	if err != nil || again.Digest() != c.Digest() || len(c.Pretty()) < len(c.JSON())*11/10 {
		t.Errorf("the pretty form: %v", err)
	}
	if _, err := exec.LookPath("jq"); err != nil {
		if os.Getenv("CI") != "" {
			t.Fatal(err)
		}
		t.Skip("jq is not here")
	}
	for name, text := range map[string][]byte{"pretty": c.Pretty(), "compact": []byte(strings.ReplaceAll(c.JSON(), "\n", "")), "canonical": []byte(c.JSON())} {
		jq := exec.Command("jq", "-r", "-f", "../../docs/catalog.jq")
		jq.Stdin = bytes.NewReader(text)
		out, err := jq.Output()
		if err != nil {
			t.Fatal(err)
		}
		if sum := sha256.Sum256(out); "sha256:"+hex.EncodeToString(sum[:]) != c.Digest() {
			t.Errorf("%s: jq gives another text", name)
		}
	}
}
