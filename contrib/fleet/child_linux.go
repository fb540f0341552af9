package nats

import (
	"os/exec"
	"runtime"
	"syscall"
)

// run runs cmd. The program is killed if this process is, and does not receive signals to the terminal's
// process group; the worker ends it. The kernel kills it when the thread that started it ends, so the goroutine
// is locked to that thread.
func run(cmd *exec.Cmd) error {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL, Setpgid: true}
	return cmd.Run()
}
