package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/opcat/opcat/cmd/opcat/internal/schema"
	"github.com/opcat/opcat/conformance"
)

// A thing is what the commands of these tests list.
type thing struct {
	ID   string `json:"id"`
	Kind string `json:"kind"`
	Note string `json:"note,omitempty"`
}

// A shop is the world of the test tool.
type shop struct {
	things   []thing
	snapshot string
	app      *App
	in       io.Reader
	inTTY    bool
	outTTY   bool
	env      map[string]string
	ctx      context.Context
}

func newShop(things ...thing) *shop {
	s := &shop{things: things, snapshot: "one", in: strings.NewReader(""), ctx: context.Background()}
	s.app = &App{
		Tool: "shop", Version: "1.2.3", Purpose: "Sell things.", Commands: s.commands, grace: 50 * time.Millisecond,
		Pipelines: []Pipeline{{Name: "thing", Stages: []PipelineStage{{Name: "cut", Major: 1}, {Name: "glue", Major: 2,
			Upgrade: func(major int, body json.RawMessage) (json.RawMessage, error) {
				return json.RawMessage(fmt.Sprintf(`{"was":%d}`, major)), nil
			}}, {Name: "paint", Major: 1}}}},
	}
	return s
}

func things(n int) []thing {
	var out []thing
	for i := range n {
		out = append(out, thing{ID: fmt.Sprintf("t%03d", i), Kind: []string{"cup", "pot"}[i%2]})
	}
	return out
}

var thingSchema = schema.Object(schema.Prop("id", schema.String()), schema.Prop("kind", schema.Enum("cup", "pot")),
	schema.Opt("note", schema.String()))

func (s *shop) commands() []Command {
	var kind, code, amount string
	var tags []string
	var day time.Time
	var catalog CatalogFlags
	anything := func() schema.Schema { return schema.Object(schema.Prop("value", schema.Any())) }
	command := func(path string, run func(context.Context, *Invocation) (Result, error)) Command {
		return Command{Path: path, Tier: 2, Family: Stage, Short: "for a test", Result: "shop.any@1", Schema: anything,
			Example: strings.Fields(path), Run: run}
	}
	list := command("thing list", func(_ context.Context, inv *Invocation) (Result, error) {
		chosen := slices.DeleteFunc(slices.Clone(s.things), func(t thing) bool { return kind != "" && t.Kind != kind })
		page, err := Paginate(inv, slices.Values(chosen), func(t thing) string { return t.ID }, s.snapshot, itself)
		return Result{Data: Items(page)}, err
	})
	list.Tier, list.Family, list.Bounded = 1, CRUD, &Bounded{Default: 10, Max: 100}
	list.Result, list.Schema = "shop.thing_list@1", func() schema.Schema { return schema.List(thingSchema) }
	list.Flags = []Flag{EnumFlag(&kind, "kind", []string{"cup", "pot"}, "only these")}

	get := command("thing get", func(_ context.Context, inv *Invocation) (Result, error) {
		var ids []string
		for _, t := range s.things {
			if t.ID == inv.Args[0] {
				return Result{Data: t}, nil
			}
			ids = append(ids, t.ID)
		}
		return Result{}, Missing("thing", inv.Args[0], ids, "shop thing list")
	})
	get.Tier, get.Family, get.Result, get.Schema, get.Errors = 1, CRUD, "shop.thing@1", func() schema.Schema { return thingSchema }, []Code{NotFound}
	get.Args = []Arg{{Name: "id", Usage: "which"}}

	fail := command("thing fail", func(_ context.Context, inv *Invocation) (Result, error) {
		inv.Warn("TRIED", "it was\ntried")
		inv.Spent(1, 2_500_000_000)
		inv.Used(0, false)
		if code == "plain" {
			return Result{}, errors.New("a plain error\nof two lines")
		}
		return Result{}, Fail(Code(code), "it is %s", code)
	})
	fail.Flags = []Flag{StringFlag(&code, "code", "which").Needed()}
	for _, codes := range registry {
		fail.Errors = append(fail.Errors, codes...)
	}

	echo := command("thing echo", func(_ context.Context, inv *Invocation) (Result, error) {
		return Result{Data: map[string]any{"value": map[string]any{"amount": amount, "tags": tags, "day": day,
			"as_of": catalog.AsOf, "layers": catalog.Layers, "limit": inv.Limit, "timeout": inv.Timeout.String(), "dry": inv.DryRun}}}, nil
	})
	echo.Flags = append([]Flag{DecimalFlag(&amount, "amount", "how much"), ListFlag(&tags, "tags", nil, "words"),
		DateFlag(&day, "day", "when")}, catalog.Flags()...)

	value := command("thing value", func(context.Context, *Invocation) (Result, error) {
		return Result{Data: map[string]any{"value": []any{uint64(1) << 60, "two\x1b[31m\u202e", nil, []int{1}}},
			Outcome: Outcome{Unit: USDUnit, Projected: "1.25"}}, nil
	})
	count := command("thing count", func(context.Context, *Invocation) (Result, error) {
		return Result{Data: struct {
			Counts map[string]int `json:"counts"`
			Items  []thing        `json:"items"`
		}{map[string]int{"pot": 1, "cup": 2}, s.things}}, nil
	})
	count.Result, count.Schema = "shop.count@1", func() schema.Schema {
		return schema.Object(schema.Prop("counts", schema.Map(schema.Int())),
			schema.Prop("items", schema.Array(thingSchema)))
	}
	wait := command("thing wait", func(ctx context.Context, _ *Invocation) (Result, error) {
		<-ctx.Done()
		return Result{}, ctx.Err()
	})
	hang := command("thing hang", func(context.Context, *Invocation) (Result, error) { select {} })
	apply := command("thing apply", func(ctx context.Context, _ *Invocation) (Result, error) {
		<-ctx.Done()
		return Result{Data: map[string]any{"value": "partial"}}, nil
	})
	apply.RW, apply.Family, apply.Tier = Write, Mutation, 1
	panics := command("thing break", func(context.Context, *Invocation) (Result, error) {
		var nothing []int
		return Result{Data: nothing[1]}, nil
	})
	confirm := command("thing confirm", func(_ context.Context, inv *Invocation) (Result, error) {
		return Result{Data: map[string]any{"value": true}}, inv.Confirm("sure?")
	})
	confirm.Errors = []Code{InputRequired}
	files := command("thing files", func(_ context.Context, inv *Invocation) (Result, error) {
		dir, err := inv.RunDir()
		if err != nil {
			return Result{}, err
		}
		return Result{Data: map[string]any{"value": dir.Path()}}, dir.WriteFile("a/b.txt", []byte("b"))
	})
	return []Command{list, get, fail, echo, value, count, wait, hang, apply, panics, confirm, files}
}

// reply is one run of the test tool.
type reply struct {
	exit   int
	out    string
	stderr string
	writes int
	env    parsed
}

type parsed struct {
	OK      bool
	Command string
	Data    struct {
		Items []thing
		Value any
	}
	Error *struct {
		Code, Message, Hint, Got string
		Retryable                bool
		Allowed                  []string
		At                       At
	}
	Meta struct {
		Schema         string
		CostUSD        json.Number `json:"cost_usd"`
		Uncertain      json.Number `json:"cost_uncertain_usd"`
		Tokens         *int        `json:"llm_tokens"`
		Pagination     *Pagination
		Truncated      *bool
		TruncationHint string `json:"truncation_hint"`
		RunDir         string `json:"run_dir"`
		Warnings       []Warning
	}
}

type counting struct {
	bytes.Buffer
	writes int
}

func (c *counting) Write(p []byte) (int, error) { c.writes++; return c.Buffer.Write(p) }

// run runs the tool; with --json the answer must keep the contract.
func (s *shop) run(t testing.TB, argv ...string) reply {
	t.Helper()
	var out counting
	var stderr bytes.Buffer
	exit := s.app.Run(s.ctx, argv, Streams{In: s.in, Out: &out, Err: &stderr, InTTY: s.inTTY, OutTTY: s.outTTY,
		Getenv: func(name string) string { return s.env[name] }, Now: time.Now})
	r := reply{exit: exit, out: out.String(), stderr: stderr.String(), writes: out.writes}
	if err := s.checker(t).Check(argv, exit, out.Bytes()); err != nil && s.ctx.Err() == nil {
		t.Fatalf("%q breaks the contract: %v\n%s", argv, err, r.out)
	}
	if json.Valid(out.Bytes()) {
		if err := json.Unmarshal(out.Bytes(), &r.env); err != nil {
			t.Fatal(err)
		}
	}
	return r
}

var checkers = map[string]*conformance.Answers{}

func (s *shop) checker(t testing.TB) *conformance.Answers {
	t.Helper()
	doc, err := s.app.Describe()
	if err != nil {
		t.Fatal(err)
	}
	if checkers[string(doc)] == nil {
		if checkers[string(doc)], err = conformance.NewAnswers(doc); err != nil {
			t.Fatal(err)
		}
	}
	return checkers[string(doc)]
}

// fails runs the tool with --json and gives the error, which must have the code.
func (s *shop) fails(t testing.TB, code Code, argv ...string) reply {
	t.Helper()
	r := s.run(t, append(slices.Clone(argv), "--json")...)
	if r.env.Error == nil || r.env.Error.Code != string(code) {
		t.Fatalf("%q: got %s, want %s", argv, r.out, code)
	}
	return r
}
