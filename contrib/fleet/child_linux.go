package nats

import (
	"os/exec"
	"runtime"
	"syscall"
)

// run runs cmd, which is killed if this process is, and which a signal to the terminal's
// group does not reach: the worker ends it. The kernel takes the end of the thread that
// started a program for that of the process, so that the thread is kept.
func run(cmd *exec.Cmd) error {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL, Setpgid: true}
	return cmd.Run()
}
