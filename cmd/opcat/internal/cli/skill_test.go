package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/opcat/opcat/conformance"
)

// What is generated from the registry beside the code is what the registry says, and
// the output in it is what the commands print. OPCAT_UPDATE=1 writes it anew.
func TestGeneratedTexts(t *testing.T) {
	app := Opcat()
	app.Version = "0.0.0-dev"
	skill, err := app.Skill()
	if err != nil {
		t.Fatal(err)
	}
	fleet, err := app.FleetSkill()
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string][]byte{"spec.yaml": app.Spec(), "skills/opcat/SKILL.md": skill, "skills/tool-contract/SKILL.md": fleet} {
		path := filepath.Join("../../../..", name)
		if os.Getenv("OPCAT_UPDATE") == "1" {
			if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, want, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if got, err := os.ReadFile(path); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s is not what the registry says (%v): run `make gen`", name, err)
		}
	}
}

// Every command in a chain is one that there is.
func TestChainsParse(t *testing.T) {
	app := Opcat()
	tree := newTree(app.Commands())
	shape := append(new(universal).flags(DefaultLimit, MaxLimit), new(universal).cursorFlag())
	for _, chain := range app.Chains {
		for _, s := range chain.Steps {
			if c := read(app.Tool, tree, shape, s.Argv); c.err != nil {
				t.Errorf("%s: %v: %v", chain.Job, s.Argv, c.err)
			}
		}
	}
}

// A stranger reads spec.yaml as YAML and finds the tool in it.
func TestSpecIsYAML(t *testing.T) {
	s, err := conformance.ReadSpec(Opcat().Spec())
	if err != nil || s.Tool != "opcat" || s.ContractVersion == nil || *s.ContractVersion != ContractVersion {
		t.Errorf("got %v: %v", s, err)
	}
}
