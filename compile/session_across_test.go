package compile_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/opcat/opcat/compile"
	"github.com/opcat/opcat/diag"
)

// An edit of one provider shows where another one, or a name, depends on it: in a
// finding, or in what a row takes over.
func TestEditedShowsElsewhere(t *testing.T) {
	for _, tc := range []struct {
		name, path, old, new string
		code                 diag.Code // what is found; "" if the edit is right
		holds                string    // in the catalog, if nothing is found
	}{
		{"another's key", "catalog_sources/beta.toml", "BETA_KEY", "GATE_KEY", diag.CredentialShared, ""},
		{"a key in a hole of another's URL", "catalog_sources/beta.toml", `"BETA_KEY"`, `"ACME_TENANT"`, diag.VariableInvalid, ""},
		{"a row that a ladder names", "catalog_sources/gates.toml", `wire_model = "small"`, `wire_model = "smaller"`, diag.UnknownReference, ""},
		{"an operation that an alias asks for", "capability_sources/gates.toml", `models = ["sort-1"]`, `models = ["sort-2"]`, diag.AliasCrossesOperation, ""},
		{"a successor that has ended", "catalog_sources/beta.toml", `wire_model = "talk"`, "wire_model = \"talk\"\nlifecycle = { deprecated = true, note = \"old\", ends_on = \"2026-01-01\" }", diag.SuccessorEnded, ""},
		{"a group that differs in tier", "catalog_sources/acme-2/rows.toml", `equivalence_group = "chat"`, "equivalence_group = \"chat\"\npresentation = { tier = \"small\" }", diag.EquivalenceContradicts, ""},
		{"an effort that the portal asks for", "capability_sources/acme.toml", `values = ["low", "high"]`, `values = ["low"]`, diag.DefaultNotAllowed, ""},
		{"a limit that another row inherits", "catalog_sources/beta.toml", "context_tokens = 64000", "context_tokens = 65000", "",
			`{"id":"gate/beta/talk","provider":"gate","wire_model":"beta/talk","equivalence_group":"mini","inherits":{"from":"beta/talk","fields":["limits"]},"limits":{"context_tokens":65000`},
		{"a price date nearer than any", "catalog_sources/acme.toml", "2027-02-01", "2026-12-24", "", `"until":"2026-12-24"`},
		{"the nearest price date moved away", "catalog_sources/acme.toml", "2027-01-31", "2027-03-31", "", `"until":"2027-02-01"`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			d := newDesk(treesOf(t, "testdata/edited.txtar"), nil)
			session, r := compile.Start(d.input())
			if len(r.Diags) > 0 {
				t.Fatal(r.Diags)
			}
			text := d.text(place{0, tc.path})
			if strings.Count(text, tc.old) == 0 {
				t.Fatalf("%s does not say %s", tc.path, tc.old)
			}
			d.put(0, tc.path, []byte(strings.Replace(text, tc.old, tc.new, 1)))
			got := session.Edited("bundled", tc.path)
			if diff := difference(got, compile.Run(d.input())); diff != "" {
				t.Fatal(diff)
			}
			switch {
			case tc.code != "" && !slices.ContainsFunc(got.Diags, func(d diag.Diagnostic) bool { return d.Code == tc.code }):
				t.Errorf("no %s in:\n%v", tc.code, got.Diags)
			case tc.code == "" && (got.Catalog == nil || !strings.Contains(got.Catalog.JSON(), tc.holds)):
				t.Errorf("no %s; found:\n%v", tc.holds, got.Diags)
			}
		})
	}
}
