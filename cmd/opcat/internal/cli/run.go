package cli

import (
	"context"
	"fmt"
	"io"
	"runtime/debug"
	"slices"
	"time"
)

// defaultGrace is how long a command may take to notice a signal before the tool
// answers without it.
const defaultGrace = 2 * time.Second

// run is one run of the tool.
type run struct {
	app     *App
	streams Streams
	began   time.Time
	json    bool
	call    *call
	flags   *universal
	schema  string // of the data it will print
	report  *report
}

// Run parses argv, runs the command it names and writes the result. It gives the
// exit of the contract, never panics and writes to stdout once.
func (a *App) Run(ctx context.Context, argv []string, streams Streams) (exit int) {
	r := &run{app: a, streams: streams, began: streams.Now(), json: wants(argv, "json"),
		call: &call{tool: a.Tool, at: &node{}}, flags: &universal{}, report: &report{}}
	defer func() {
		if p := recover(); p != nil {
			exit = r.fail(r.panicked(p))
		}
	}()
	if wants(argv, "describe") {
		text, err := a.Describe()
		if err != nil {
			return r.fail(asError(err))
		}
		return r.writeLine(text)
	}
	return r.do(ctx, argv)
}

// do is a run from argv to exit.
func (r *run) do(ctx context.Context, argv []string) int {
	tree := newTree(r.app.Commands())
	shape := append(new(universal).flags(DefaultLimit, MaxLimit), new(universal).cursorFlag())
	r.call = read(r.app.Tool, tree, shape, argv)
	command := r.call.at.command
	if command != nil {
		r.schema = command.Result
	}
	top := r.app.buildCobra(tree, r.flags, command)

	switch {
	case r.call.lost: // there is nothing to print help for
		return r.fail(r.call.err)
	case r.call.asks("help"):
		return r.answer("help", helpText(top, r.call))
	case r.call.asks("version"):
		return r.answer("version", r.app.Version)
	case command == nil && !r.json:
		_, _ = io.WriteString(r.streams.Err, helpText(top, r.call)+"\n")
	}
	if r.call.err != nil {
		return r.fail(r.call.err)
	}
	if e := fill(top, r.call); e != nil {
		return r.fail(e)
	}
	if e := checkFields(command.Schema, r.flags.fields); e != nil {
		return r.fail(e)
	}
	inv := r.invocation(command)
	if inv.dir != "" {
		if _, err := inv.RunDir(); err != nil {
			return r.fail(asError(err))
		}
	}
	result, err := r.execute(ctx, inv)
	inv.Progress(0, 0, "")
	interrupt := ctx.Err() != nil
	switch {
	case interrupt && (err != nil || command.rw() == Read):
		return r.fail(interrupted())
	case err != nil:
		return r.fail(asError(err))
	}
	exit := r.succeed(result)
	if interrupt { // what an interrupted apply reports is partial, and a re-run resumes it
		return exitInternal
	}
	return exit
}

// invocation is what the command gets to see.
func (r *run) invocation(command *Command) *Invocation {
	u := r.flags
	return &Invocation{
		Command: command, Args: r.call.args,
		DryRun: u.dryRun, Wait: u.wait, Timeout: u.timeout, Limit: u.limit, Cursor: u.cursor, NoInput: u.noInput,
		streams: r.streams, confirmed: u.force || u.yes, dir: u.runDir, flags: r.call.flags, report: r.report, app: r.app,
		progress: r.progress(),
	}
}

// progress goes to a terminal that a person looks at, and nowhere else.
func (r *run) progress() *progress {
	if !r.streams.ErrTTY || !r.streams.OutTTY || r.json || r.streams.Getenv("TERM") == "dumb" {
		return nil
	}
	return &progress{w: r.streams.Err, tool: r.app.Tool}
}

// execute runs the command and waits for it; after a signal only for a while.
func (r *run) execute(ctx context.Context, inv *Invocation) (Result, error) {
	type end struct {
		result Result
		err    error
	}
	ends := make(chan end, 1)
	go func() {
		e := end{err: Fail(Internal, "'%s' ended without a result", inv.Command.Path)}
		defer func() {
			if p := recover(); p != nil {
				e = end{err: r.panicked(p)}
			}
			ends <- e
		}()
		result, err := inv.Command.Run(ctx, inv)
		e = end{result, err}
	}()
	select {
	case e := <-ends:
		return e.result, e.err
	case <-ctx.Done():
	}
	grace := r.app.grace
	if grace == 0 {
		grace = defaultGrace
	}
	select {
	case e := <-ends:
		return e.result, e.err
	case <-time.After(grace):
		return Result{}, interrupted()
	}
}

// panicked turns a panic into an error and leaves its stack on stderr.
func (r *run) panicked(p any) *Error {
	_, _ = fmt.Fprintf(r.streams.Err, "%s: panic: %v\n%s", r.app.Tool, p, debug.Stack())
	return Fail(Internal, "unexpected failure: %v", p).Saying("report this with the lines on stderr")
}

// bounded reports whether the result is a page of a list.
func (r *run) bounded() bool { return r.call.bounded() }

// succeed writes a result.
func (r *run) succeed(result Result) int {
	data, err := r.shape(result.Data, r.bounded())
	if err != nil {
		return r.fail(asError(err))
	}
	if !r.json {
		if r.printResult(data, result) != nil {
			return exitInternal
		}
		return exitOK
	}
	text, err := marshal(r.envelope(data, result.Outcome, nil))
	if err != nil {
		return r.fail(asError(err))
	}
	return r.writeLine(text)
}

// fail writes an error and gives its exit.
func (r *run) fail(e *Error) int {
	if !e.Code.registered() {
		e = Fail(Internal, "the code %s is not registered: %s", e.Code, e.Message)
	}
	if !r.json {
		r.printError(e)
		return e.Code.exit()
	}
	text, err := marshal(r.envelope(nil, Outcome{}, e))
	if err != nil {
		// Only a broken report can do this; say at least that.
		r.report = &report{}
		text, _ = marshal(r.envelope(nil, Outcome{}, Fail(Internal, "the envelope cannot be written: %v", err)))
		e = Fail(Internal, "")
	}
	if exit := r.writeLine(text); exit != exitOK {
		return exit
	}
	return e.Code.exit()
}

// answer writes what --help and --version give: as it is, or with --json framed.
func (r *run) answer(name, text string) int {
	if !r.json {
		if name == "version" {
			text = fmt.Sprintf("%s %s (tool contract %d)\n", r.app.Tool, text, ContractVersion)
		}
		return r.write([]byte(text))
	}
	own := r.app.ownSchemas()
	r.schema = own[slices.IndexFunc(own, func(o ownSchema) bool { return o.name == r.app.Tool+"."+name+"@1" })].name
	data := newObject()
	data.put(name, text)
	if name == "version" {
		data.put("contract_version", ContractVersion)
	}
	framed, err := marshal(r.envelope(data, Outcome{}, nil))
	if err != nil {
		return r.fail(asError(err))
	}
	return r.writeLine(framed)
}

// writeLine writes one JSON value on a line of its own.
func (r *run) writeLine(text []byte) int {
	return r.write(append(escapeControls(text), '\n'))
}

// write writes all of stdout at once. A reader that went away is no error to report.
func (r *run) write(text []byte) int {
	if _, err := r.streams.Out.Write(text); err != nil {
		return exitInternal
	}
	return exitOK
}
