package conformance

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"syscall"
)

const apartFlags = syscall.CLONE_NEWUSER | syscall.CLONE_NEWNET

// prepare gives a probe a process group of its own and, where it can be, no network.
func prepare(cmd *exec.Cmd, apart bool) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if apart {
		cmd.SysProcAttr.Cloneflags = apartFlags
		cmd.SysProcAttr.UidMappings = []syscall.SysProcIDMap{{ContainerID: os.Getuid(), HostID: os.Getuid(), Size: 1}}
		cmd.SysProcAttr.GidMappings = []syscall.SysProcIDMap{{ContainerID: os.Getgid(), HostID: os.Getgid(), Size: 1}}
	}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}

// apart takes the network from the thread of this goroutine, and so from all that is
// started on it; it needs a right that root has. The thread ends with the goroutine.
func apart() bool {
	runtime.LockOSThread()
	return syscall.Unshare(syscall.CLONE_NEWNET) == nil
}

// canIsolate tries whether a process without a network can be made here.
func canIsolate() bool {
	cmd := exec.Command("/bin/true")
	prepare(cmd, true)
	cmd.Cancel = nil // it is for a command with a context
	return cmd.Run() == nil
}

func terminate(cmd *exec.Cmd) { _ = cmd.Process.Signal(syscall.SIGTERM) }

// sweep ends what a probe left in its group.
func sweep(cmd *exec.Cmd) { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }

// kill ends every process that has the mark in its environment, also one that left
// its group and its session.
func kill(mark string) {
	files, _ := filepath.Glob("/proc/[0-9]*/environ")
	for _, file := range files {
		pid, err := strconv.Atoi(filepath.Base(filepath.Dir(file)))
		if err != nil || pid == os.Getpid() {
			continue
		}
		env, err := os.ReadFile(file)
		if err != nil {
			continue
		}
		for _, v := range bytes.Split(env, []byte{0}) {
			if string(v) == mark {
				_ = syscall.Kill(pid, syscall.SIGKILL)
			}
		}
	}
}
