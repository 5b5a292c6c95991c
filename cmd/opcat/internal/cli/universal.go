package cli

import (
	"time"
)

// universal is what the flags fill that every command takes.
type universal struct {
	json, describe, dryRun, force, yes, noInput, wait, help, version bool

	fields  []string
	limit   int
	cursor  string
	timeout time.Duration
	runDir  string
}

// flags lists the universal flags. A command with lower limits passes its own.
func (u *universal) flags(def, most int) []Flag {
	return []Flag{
		BoolFlag(&u.json, "json", "print one JSON envelope on stdout and nothing else"),
		BoolFlag(&u.describe, "describe", "print what the tool can do as JSON and exit"),
		BoolFlag(&u.dryRun, "dry-run", "do everything but the effect"),
		ListFlag(&u.fields, "fields", nil, "print only these paths of data, such as items.id"),
		IntFlag(&u.limit, "limit", def, 1, most, "how many items of a list to print"),
		BoolFlag(&u.force, "force", "skip a confirmation; never a policy gate"),
		BoolFlag(&u.yes, "yes", "skip a confirmation; never a policy gate"),
		BoolFlag(&u.noInput, "no-input", "fail instead of asking"),
		BoolFlag(&u.wait, "wait", "wait for slow external work, up to --timeout"),
		DurationFlag(&u.timeout, "timeout", 10*time.Minute, "how long --wait waits"),
		PathFlag(&u.runDir, "run-dir", "where artifacts are read and written; else a fresh temporary directory"),
		BoolFlag(&u.help, "help", "print help and exit"),
		BoolFlag(&u.version, "version", "print the version and exit"),
	}
}

// cursorFlag is the one flag that every list takes and nothing else does.
func (u *universal) cursorFlag() Flag {
	f := StringFlag(&u.cursor, "cursor", "where to go on: meta.pagination.next_cursor of the page before")
	f.lists = true
	return f
}
