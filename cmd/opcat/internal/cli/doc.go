// Package cli is opcat's command line: every command as a value, and the one
// machine that parses, runs and prints them by the tool contract.
//
// A command declares its flags, calls one function of a library package and
// hands back a value (see [Command]); it never writes to stdout, never exits and
// never formats. From the list in commands.go come the cobra tree, --help and
// --describe, so none of the three can say something that the others do not.
//
// What happens to an argv, in order: --describe wins over everything (describe.go);
// the words are read strictly (argv.go) and handed to cobra in one canonical
// spelling (tree.go); --fields is checked against the schema of the result before
// anything runs (fields.go); the command runs under signals and a recover (run.go);
// the result is bounded, projected and written in one write (envelope.go, human.go).
//
// Package cli does not know what a catalog is: the files named for a command do.
package cli
