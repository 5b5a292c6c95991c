//go:build !unix

package conformance

import "os/exec"

func prepare(*exec.Cmd, bool) {}

func apart() bool { return false }

func canIsolate() bool { return false }

func terminate(cmd *exec.Cmd) { _ = cmd.Process.Kill() }

func sweep(*exec.Cmd) {}

func kill(string) {}
