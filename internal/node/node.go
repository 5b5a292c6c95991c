// Package node runs the JavaScript tools of tools/node in tests.
//
// A machine without node, or where `make setup` did not install the tools, skips the
// test that asks; where CI is set it fails instead, so that a check that nobody ran
// is never a pass.
package node

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// Root is the folder of the module that the test runs in.
func Root(t testing.TB) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for ; ; dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir
		}
		if dir == filepath.Dir(dir) {
			t.Fatal("no go.mod around the test")
		}
	}
}

// Tool is a command that runs an installed tool, in the folder of the module.
func Tool(t testing.TB, name string, args ...string) *exec.Cmd {
	t.Helper()
	return run(t, filepath.Join("node_modules", ".bin", name), args)
}

// Script is a command that runs a script of tools/node, in the folder of the module.
func Script(t testing.TB, name string, args ...string) *exec.Cmd {
	t.Helper()
	return run(t, name, args)
}

func run(t testing.TB, file string, args []string) *exec.Cmd {
	t.Helper()
	root := Root(t)
	tools := filepath.Join(root, "tools", "node")
	missing := t.Skipf
	if os.Getenv("CI") != "" {
		missing = t.Fatalf
	}
	program, err := exec.LookPath("node")
	if err != nil {
		missing("node is not on the PATH")
	}
	if _, err := os.Stat(filepath.Join(tools, "node_modules")); err != nil {
		missing("the tools of tools/node are not installed: run make setup")
	}
	cmd := exec.Command(program, append([]string{filepath.Join(tools, file)}, args...)...)
	cmd.Dir = root
	return cmd
}
