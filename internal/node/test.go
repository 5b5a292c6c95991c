package node

import (
	"os/exec"
	"testing"
)

// Test is a command that runs files of tests in node's own runner, in the folder of
// the module.
func Test(t testing.TB, files ...string) *exec.Cmd {
	t.Helper()
	cmd := Script(t, "")
	cmd.Args = append([]string{cmd.Args[0], "--test"}, files...)
	return cmd
}
