// Package arrows holds the list of which package may import which. Imports form
// no circle anyway; the list keeps them in the one direction that the design
// gives, and says why each arrow is there. Its test is all that it is for.
package arrows

// A room is a package of ours with what lies under it: "compile" is also
// "compile/fragment", but compile/form, the format as data, is a room of its own. Rooms import each other only along an arrow.
type arrow struct {
	from, to string
	why      string
}

// arrows is every import between rooms that is allowed.
var arrows = []arrow{
	{"catalog", "diag", "a row's place in the sources is a diag.Pos"},
	{"catalog", "shape", "a closed set of the catalog is a shape"},

	{"operations", "diag", "a contract that is wrong is said with a code"},
	{"operations", "shape", "settings and results have shapes"},
	{"operations", "catalog", "Select and Admit read rows"},

	{"compile/form", "shape", "the fragment format is shapes"},
	{"compile/form", "catalog", "closed sets of the format are the catalog's"},
	{"compile/form", "operations", "and contracts are the registry's"},

	{"compile", "compile/form", "it reads that format"},
	{"compile", "diag", "every stage gives findings"},
	{"compile", "shape", "what a fragment may hold is a shape"},
	{"compile", "catalog", "a compile ends in a catalog"},
	{"compile", "operations", "rows are checked against the registry"},
	{"compile", "edit", "what is written as a fragment is spelt as TOML"},

	{"dispatch", "shape", "answers are decoded by shape"},
	{"dispatch", "catalog", "an endpoint and its credential are the catalog's"},
	{"dispatch", "operations", "only what was admitted is sent"},

	{"upstream", "catalog", "what an upstream says is said in the catalog's words"},
	{"upstream", "operations", "an operation is a member of the registry"},
	{"upstream", "shape", "and is held to its shape"},
	{"upstream", "compile", "an upstream in our own format is compiled"},
	{"upstream", "compile/form", "what is written is in that format"},
	{"upstream", "diag", "what is wrong in it has codes"},
	{"upstream", "plan", "what it brings in is a plan"},
	{"upstream", "edit", "of edits"},

	{"plan", "edit", "an item of a source tree is edits of a file"},
	{"plan", "catalog", "a snapshot that is adopted is a catalog"},

	{"projections", "diag", "the docs list every code"},
	{"projections", "shape", "the schema projection prints shapes"},
	{"projections", "catalog", "a projection is a function of the catalog"},
	{"projections", "operations", "the registry is projected too"},
	{"projections", "compile/form", "the fragment format is projected as schemas"},

	{"predicate", "shape", "requests and receipts have shapes"},
	{"predicate", "catalog", "a receipt names the snapshot"},
	{"predicate", "operations", "an evaluation is admitted"},
	{"predicate", "dispatch", "an evaluation is sent"},

	{"parity", "diag", "a question may be about a finding"},
	{"parity", "shape", "answers have shapes"},
	{"parity", "catalog", "every projection is asked about one catalog"},
	{"parity", "operations", "the questions are those of Select and Admit"},
	{"parity", "compile", "a fixture is compiled first"},
	{"parity", "projections", "what is compared is what they made"},
	{"parity", "gen", "the bundled catalog is asked too"},

	{"gen", "shape", "generated Go is ordinary Go over the same types"},
	{"gen", "catalog", "the generated snapshot is read as a catalog"},
	{"gen", "operations", "generated routes are typed by operation"},

	{"internal/testcat", "catalog", "it makes small catalogs"},
	{"internal/testcat", "operations", "and rows that serve an operation"},
	{"internal/testcat", "compile", "from sources"},
	{"internal/testcat", "diag", "and says what is wrong with them"},
	{"internal/testcat", "compile/form", "in today's format"},
	{"internal/testcat", "shape", "by the same shapes"},

	{"internal/codectest", "catalog", "it asks a catalog"},
	{"internal/codectest", "operations", "to admit a request"},
	{"internal/codectest", "dispatch", "and runs a codec on it"},
	{"internal/codectest", "gen", "the embedded catalog's routes are those of users"},
	{"internal/codectest", "internal/golden", "cases are files that a person reads"},

	{"internal/costtest", "catalog", "it asks what usages cost under prices"},
	{"internal/costtest", "operations", "and has Go's answers"},
	{"internal/costtest", "gen", "of the bundled rows too"},

	{"internal/typenames", "shape", "a table's type has its name in every language"},
	{"internal/typenames", "catalog", "and so have meters"},
	{"internal/typenames", "operations", "which lend each other prices"},

	{"conformance", "seam", "an envelope that does not map to a job result is no envelope"},

	{"cmd", "*", "the tool is where everything meets; so is any other program"},
}

// leaves import nothing of ours, so that anything may import them.
var leaves = []string{"diag", "shape", "edit", "seam", "catalog_sources", "capability_sources", "internal/golden", "internal/arrows", "internal/stub", "internal/sixth", "internal/node", "internal/swiftc"}

// shared are helpers without a subject of their own: leaves that every room but
// another leaf may import.
var shared = []struct{ room, why string }{
	{"internal/canon", "what is digested is written in one canonical form"},
	{"internal/hugepage", "memory is asked for in one way"},
	{"internal/folders", "many files are written and made durable in one way"},
	{"internal/pattern", "a pattern costs nothing at start"},
	{"internal/blob", "the flat catalog is written and read in one layout"},
	{"internal/lent", "what was admitted is lent inside this module alone"},
}

// testOnly are rooms that only tests may import.
var testOnly = []string{"internal/golden", "internal/arrows", "internal/testcat", "internal/stub", "internal/codectest", "internal/costtest", "internal/node", "internal/swiftc"}

// unlinked are modules that a program which only picks routes must not link.
var unlinked = []struct{ room, module, why string }{
	{"catalog", "github.com/BurntSushi/toml", "run time reads no TOML"},
	{"catalog", "github.com/pelletier/go-toml", "run time reads no TOML"},
	{"catalog", "github.com/spf13/cobra", "a library has no command line"},
	{"operations", "github.com/BurntSushi/toml", "run time reads no TOML"},
	{"operations", "github.com/pelletier/go-toml", "run time reads no TOML"},
	{"operations", "github.com/spf13/cobra", "a library has no command line"},
}
