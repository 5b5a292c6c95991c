package cli

import (
	"context"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"
	"time"

	"golang.org/x/term"
)

// An App is a tool: its name and its commands.
type App struct {
	Tool      string // the binary's name; never argv[0]
	Version   string // semver
	Purpose   string // one sentence
	Commands  func() []Command
	Pipelines []Pipeline
	Chains    []Chain         // jobs of several commands, for the skill text
	Env       func() []EnvVar // what commands read of the environment; nil for nothing
	HostLayer string          // the folder of the machine's own fragments; "" for none

	grace time.Duration     // how long a command may take to notice a signal
	step  func(step string) // called after each step of an apply that is durable; for tests
}

// version is set by a release build: -ldflags "-X ...cli.version=1.4.0".
var version string

// Opcat is the tool itself.
func Opcat() *App {
	v := version
	if info, ok := debug.ReadBuildInfo(); v == "" && ok && info.Main.Version != "(devel)" {
		v = info.Main.Version
	}
	if v == "" {
		v = "0.0.0-dev"
	}
	return &App{
		Tool:      "opcat",
		Version:   v,
		Purpose:   "Compile and query a provider catalog by typed operation.",
		Commands:  Commands,
		Pipelines: []Pipeline{catalogPipeline},
		Chains:    chains(),
		Env:       func() []EnvVar { return append(catalogEnv(), planEnv()...) },
		HostLayer: "/etc/opcat",
	}
}

// catalogPipeline is the order of the compiler's stages.
var catalogPipeline = Pipeline{Name: "catalog", Stages: []PipelineStage{
	{Name: "decode", Major: 1},
	{Name: "migrate", Major: 1},
	{Name: "layer", Major: 1},
	{Name: "resolve", Major: 1},
	{Name: "check", Major: 1},
	{Name: "project", Major: 1},
}}

// System is the process's own streams.
func System() Streams {
	return Streams{
		In: os.Stdin, Out: os.Stdout, Err: os.Stderr,
		InTTY: term.IsTerminal(int(os.Stdin.Fd())), OutTTY: term.IsTerminal(int(os.Stdout.Fd())),
		ErrTTY: term.IsTerminal(int(os.Stderr.Fd())),
		Getenv: os.Getenv, Now: time.Now,
	}
}

// Main runs the tool over the process's arguments and gives its exit. An interrupt
// ends the command with an envelope; a second one ends the process.
func (a *App) Main(argv []string, streams Streams) int {
	// A closed stdout is then an error of Write, and exits 1 without a word.
	signal.Ignore(syscall.SIGPIPE)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop)
	return a.Run(ctx, argv, streams)
}
