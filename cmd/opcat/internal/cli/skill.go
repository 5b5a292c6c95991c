package cli

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/opcat/opcat/conformance"
)

// A Chain is a job that takes more than one command, as the skill text shows it. Its
// output is what the commands print.
type Chain struct {
	Job   string
	Steps []Step
}

// A Step is one command of a chain.
type Step struct {
	Why   string
	Argv  []string
	Shown bool // run it and show what it prints; else it changes something, or needs a file
}

// chains are the jobs of opcat that a stranger asks for first.
func chains() []Chain {
	asOf := []string{"--as-of", "2026-11-30", "--json"}
	shown := func(why string, words string) Step { return Step{why, append(strings.Fields(words), asOf...), true} }
	told := func(why, words string) Step { return Step{why, strings.Fields(words), false} }
	return []Chain{
		{"Find a route and check a request", []Step{
			shown("Ask for an operation and what it must do; the best route comes first.",
				"route select --operation embedding --dimensions 1024 --min-context 8000 --limit 2 --fields items.id,items.state,items.context_tokens"),
			shown("Read all that is known of the row, with the source of each fact.", "model get openai/text-embedding-3-small --fields model.limits"),
			told("Admit the request before it is sent: a refusal is data, with a code.", "route admit request.json --json"),
			told("Send it once, with a limit in dollars.", "route dispatch request.json --spend-limit 0.01 --json"),
		}},
		{"Change the sources and refresh what is generated", []Step{
			told("Plan the change; nothing is written but the plan.", "fragment plan --sources . --out plan.json --json"),
			told("Apply it by name. Exit 5 means that a person has to approve the plan.", "fragment apply --plan plan.json --json"),
			told("Write the generated tree anew.", "catalog compile --sources . --into gen --json"),
			told("In CI: fail where the tree is not what the sources say.", "catalog compile --sources . --check --json"),
		}},
		{"Go on from an artifact", []Step{
			told("Decode, and keep what the stage made in a run dir.", "catalog decode --sources . --run-dir run --json"),
			told("Run the next stages on it; none is done twice.", "catalog migrate --run-dir run --json"),
			told("Every finding, worst first.", "catalog audit --sources . --json"),
		}},
	}
}

// generatedBy says who writes a file, in a comment of its language.
const generatedBy = "Generated from the registry of commands by `make gen`. Do not edit."

// Spec is spec.yaml: what a caller routes by without running the tool.
func (a *App) Spec() []byte {
	var b bytes.Buffer
	q := strconv.Quote
	fmt.Fprintf(&b, "# %s\ntool: %s\ncontract_version: %d\npurpose: %s\ncommands:\n", generatedBy, a.Tool, ContractVersion, q(a.Purpose))
	for _, c := range a.sorted() {
		fmt.Fprintf(&b, "  - {name: %s, tier: %d, rw: %s, cost: %s, result_schema: %s}\n", q(c.Path), c.Tier, c.rw(), c.cost(), q(c.Result))
	}
	if a.Env != nil {
		b.WriteString("env:\n")
		for _, e := range a.Env() {
			fmt.Fprintf(&b, "  - {name: %s, secret: %v}\n", e.Name, e.Secret)
		}
	}
	return b.Bytes()
}

func (a *App) sorted() []Command {
	return slices.SortedFunc(slices.Values(a.Commands()), func(x, y Command) int { return strings.Compare(x.Path, y.Path) })
}

// fleetRule is what holds for every tool of the contract.
const fleetRule = "Every command takes --json; read --describe; exit 5 means stop."

// skillHead is the frontmatter of a skill and the marker of what it was made from.
func (a *App) skillHead(b *bytes.Buffer, name, description string) error {
	doc, err := a.Describe()
	if err != nil {
		return err
	}
	sum, err := conformance.DescribeDigest(doc)
	if err != nil {
		return err
	}
	fmt.Fprintf(b, "---\nname: %s\ndescription: %s\nmetadata:\n  contract_version: %d\n  tool_version: %s\n---\n<!-- %s From describe sha256:%s -->\n",
		name, strconv.Quote(description), ContractVersion, released(), generatedBy, sum)
	return nil
}

// released is the version of a release build; any other build says that it is none.
func released() string {
	if version != "" {
		return version
	}
	return "0.0.0-dev"
}

// Skill is the tool's own SKILL.md.
func (a *App) Skill() ([]byte, error) {
	var b bytes.Buffer
	resources := []string{}
	for _, c := range a.sorted() {
		if r, _, two := strings.Cut(c.Path, " "); two && !slices.Contains(resources, r) {
			resources = append(resources, r)
		}
	}
	if err := a.skillHead(&b, a.Tool, a.Purpose+" Use it for jobs about: "+strings.Join(resources, ", ")+"."); err != nil {
		return nil, err
	}
	fmt.Fprintf(&b, "\n# %s\n\n%s\n%s\n\n## Commands\n\n", a.Tool, a.Purpose, fleetRule)
	b.WriteString("A free read changes nothing and costs nothing. A metered command spends money and needs its limit. A write is an apply of a plan.\n\n")
	b.WriteString("| command | what it does | class | needs |\n| --- | --- | --- | --- |\n")
	for _, c := range a.sorted() {
		var needs []string
		for _, arg := range c.Args {
			if !arg.Optional {
				needs = append(needs, "`<"+arg.Name+">`")
			}
		}
		for _, f := range c.Flags {
			if f.Required {
				needs = append(needs, "`--"+f.Name+"`")
			}
		}
		class := string(c.rw())
		if c.cost() == Metered {
			class += ", metered"
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s |\n", c.Path, strings.ReplaceAll(c.Short, "|", `\|`), class, strings.Join(needs, " "))
	}
	for _, chain := range a.Chains {
		fmt.Fprintf(&b, "\n## %s\n", chain.Job)
		for _, s := range chain.Steps {
			fmt.Fprintf(&b, "\n%s\n\n```console\n$ %s %s\n", s.Why, a.Tool, strings.Join(s.Argv, " "))
			if s.Shown {
				out, err := a.shown(s.Argv)
				if err != nil {
					return nil, err
				}
				b.Write(out)
			}
			b.WriteString("```\n")
		}
	}
	return b.Bytes(), nil
}

// shown is what a command prints, at a clock that stands still.
func (a *App) shown(argv []string) ([]byte, error) {
	var out, errs bytes.Buffer
	at := time.Date(2026, 11, 30, 0, 0, 0, 0, time.UTC)
	alone := *a
	alone.HostLayer = ""
	exit := alone.Run(context.Background(), argv, Streams{In: strings.NewReader(""), Out: &out, Err: &errs,
		Getenv: func(string) string { return "" }, Now: func() time.Time { return at }})
	if exit != exitOK {
		return nil, fmt.Errorf("%s: exit %d: %s%s", strings.Join(argv, " "), exit, out.String(), errs.String())
	}
	return out.Bytes(), nil
}

// exitMoves is what a caller does about each exit.
var exitMoves = []struct{ means, move string }{
	exitOK:       {"it succeeded", "go on"},
	exitInternal: {"the tool's own fault", "report it; try once more at most"},
	exitUsage:    {"a bad call", "mend the call: `error.allowed`, `error.hint`"},
	exitInput:    {"bad input, or something is missing", "mend the input: `error.at`, `error.causes`"},
	exitUpstream: {"somebody else's fault", "try again where `error.retryable`"},
	exitPolicy:   {"a gate said no", "stop: a person or a policy decides; no flag goes round it"},
}

// FleetSkill is the SKILL.md that holds for every tool of the contract.
func (a *App) FleetSkill() ([]byte, error) {
	var b bytes.Buffer
	if err := a.skillHead(&b, "tool-contract", "How to call any tool of the tool contract: one JSON envelope, exits 0 to 5, codes that say what to do. Use it before the first call of such a tool."); err != nil {
		return nil, err
	}
	fmt.Fprintf(&b, "\n# The tool contract\n\n%s\n\n", fleetRule)
	b.WriteString("`<tool> --describe` lists the commands, their flags, results and errors. With `--json` stdout is one object: `ok`, `data` or `error`, and `meta`\n" +
		"with cost, pagination and run dir. A list is cut: go on with `--cursor`, give `meta.pagination.next_cursor`.\n\n")
	b.WriteString("| exit | means | what to do |\n| --- | --- | --- |\n")
	for exit, m := range exitMoves {
		fmt.Fprintf(&b, "| %d | %s | %s |\n", exit, m.means, m.move)
	}
	b.WriteString("\n| flag | what it does |\n| --- | --- |\n")
	for _, f := range new(universal).flags(DefaultLimit, MaxLimit) {
		fmt.Fprintf(&b, "| `--%s` | %s |\n", f.Name, f.Usage)
	}
	b.WriteString("\n| code | exit |\n| --- | --- |\n")
	for exit, codes := range registry {
		for _, code := range codes {
			fmt.Fprintf(&b, "| `%s` | %d |\n", code, exit)
		}
	}
	return b.Bytes(), nil
}
