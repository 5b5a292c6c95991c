package cli

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"
)

// Streams is the world as the tool sees it.
type Streams struct {
	In     io.Reader
	Out    io.Writer
	Err    io.Writer
	InTTY  bool
	OutTTY bool
	ErrTTY bool
	Getenv func(string) string
	Now    func() time.Time
}

// An Invocation is one run of a command: its words and the universal flags, and
// the only ways out of Run beside the result.
type Invocation struct {
	Command *Command
	Args    []string // as many as the command's Args, without the optional ones left out

	DryRun  bool          // do everything but the effect
	Wait    bool          // wait for slow external work, at most Timeout
	Timeout time.Duration // 10m unless told
	Limit   int           // within the command's bounds
	Cursor  string        // "" for the first page; Paginate reads it
	NoInput bool          // never ask

	streams   Streams
	confirmed bool   // --force or --yes
	dir       string // --run-dir as given
	flags     []given
	report    *report
	progress  *progress
	app       *App
}

// Getenv reads the environment. A command declares what it reads in App.Env.
func (inv *Invocation) Getenv(name string) string { return inv.streams.Getenv(name) }

// Now is the clock, for dates that default to today and for stamps.
func (inv *Invocation) Now() time.Time { return inv.streams.Now().UTC() }

// Warn adds a warning to what is said beside the result, on success and on failure.
// The envelope holds the first twenty.
func (inv *Invocation) Warn(code, format string, args ...any) {
	inv.report.warn(Warning{Code: code, Message: oneLine(fmt.Sprintf(format, args...), maxMessage)})
}

// Truncated marks the result as cut. hint names the flag that widens it.
func (inv *Invocation) Truncated(hint string) { inv.report.truncate(hint) }

// Spent adds to the cost of the run: what is known to be spent, and what a hold
// retains because it may have been. Callers sum it, so it is reported on failure too.
func (inv *Invocation) Spent(known, uncertain NanoUSD) { inv.report.spend(known, uncertain) }

// Used adds to the model tokens of the run; with known false the total is unknown.
func (inv *Invocation) Used(tokens int64, known bool) { inv.report.use(tokens, known) }

// Confirm asks a person before going on. --yes and --force answer for them; where
// nobody can be asked it is INPUT_REQUIRED. It is courtesy: policy is the gate's.
func (inv *Invocation) Confirm(question string) error {
	if inv.confirmed {
		return nil
	}
	if inv.NoInput || !inv.streams.InTTY {
		return Fail(InputRequired, "%s needs a confirmation: %s", inv.Command.Path, question).
			Where(At{Flag: "--yes"}).Saying(inv.app.Tool + " " + inv.Command.Path + " --yes")
	}
	fmt.Fprintf(inv.streams.Err, "%s [y/N] ", visible(question))
	answer, err := bufio.NewReader(inv.streams.In).ReadString('\n')
	if answer = strings.ToLower(strings.TrimSpace(answer)); err == nil && (answer == "y" || answer == "yes") {
		return nil
	}
	return Fail(InputRequired, "%s was not confirmed", inv.Command.Path)
}

// RunDir gives the directory for the run's artifacts: --run-dir, made if it is
// missing, or a fresh temporary one, the same for every call of a run.
func (inv *Invocation) RunDir() (RunDir, error) {
	if inv.dir == "" {
		fresh, err := os.MkdirTemp("", inv.app.Tool+"-run-*")
		if err != nil {
			return RunDir{}, Fail(Internal, "no temporary run dir can be made: %s", asError(err).Message).
				Saying(inv.app.Tool + " " + inv.Command.Path + " --run-dir <dir>")
		}
		inv.dir = fresh
	} else if err := makeDir(inv.dir); err != nil {
		return RunDir{}, err
	}
	inv.report.setRunDir(inv.dir)
	return RunDir{path: inv.dir, app: inv.app, now: inv.Now}, nil
}

// filter is a digest of what chose the items of a list: the arguments and the
// command's own flags. A universal flag changes how a list is printed, not what is in it.
func (inv *Invocation) filter() string {
	words := slices.Clone(inv.Args)
	var flags []string
	for _, g := range inv.flags {
		if slices.ContainsFunc(inv.Command.Flags, func(f Flag) bool { return f.Name == g.flag.Name }) {
			flags = append(flags, "--"+g.flag.Name+"="+g.value)
		}
	}
	slices.Sort(flags)
	return digest(append(words, flags...)...)
}
