//go:build unix && !linux

package conformance

import (
	"os/exec"
	"syscall"
)

func prepare(cmd *exec.Cmd, _ bool) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}

func apart() bool { return false }

func canIsolate() bool { return false }

func terminate(cmd *exec.Cmd) { _ = cmd.Process.Signal(syscall.SIGTERM) }

func sweep(cmd *exec.Cmd) { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }

func kill(string) {} // there is no /proc to find them by
