// Package conformance holds any tool against the tool contract: its describe
// document, its envelopes, flags and codes, its lists, stages, plans and applies.
//
// It is a black box. A tool is a binary; what is looked at is argv, environment,
// stdin, files and how the process ends. The commands are learned from --describe,
// the probes are made from them, and a [Profile] says what no describe document
// can: arguments that work, files they need, how to make an upstream fail. No write
// is ever made for real: writes get --dry-run, a broken plan, or the profile's own
// files in a directory that is thrown away.
//
// Each probe runs in a fresh working directory with a home of its own, without a
// terminal, with nothing of the caller's environment, for a bounded time and with
// bounded output; where the system allows it, without a network. What it started
// is killed with it.
//
// What it cannot prove: that reads have no remote effect, that costs are true, that
// an apply in a sandbox is what a real one would be. Conformance is shape; safety
// is the runtime's work.
package conformance
