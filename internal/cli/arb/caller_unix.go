//go:build unix

package arb

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/hitoku/hitoku/internal/i18n"
)

// The signals ignored when the program began; they are read at once because catching a signal changes that.
var hangupIgnored, interruptIgnored = signal.Ignored(syscall.SIGHUP), signal.Ignored(syscall.SIGINT)

// errCaller ends a run whose caller has ended.
var errCaller = i18n.New("the program that started this one has ended")

// withCaller returns a context that also ends when the program that started this one and waits for it ends: a package
// in R or Python that was killed would otherwise leave a search running for nobody. A caller is not watched if this
// program was detached on purpose: by nohup, by & in a script or at a terminal, or in a session of its own.
func withCaller(ctx context.Context) (context.Context, context.CancelFunc) {
	if syscall.Getpgrp() == os.Getpid() || hangupIgnored && !ignores(os.Getppid(), syscall.SIGHUP) || interruptIgnored && !ignores(os.Getppid(), syscall.SIGINT) {
		return ctx, func() {}
	}
	above := callers()
	ctx, cancel := context.WithCancelCause(ctx)
	stop := make(chan struct{})
	go func() {
		tick := time.NewTicker(time.Second)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				for pid, parent := range above {
					if now := parentOf(pid); now > 0 && now != parent {
						cancel(errCaller)
						return
					}
				}
			case <-ctx.Done():
				return
			case <-stop:
				return
			}
		}
	}()
	return ctx, func() { close(stop); cancel(nil) }
}

// callers returns this program and, if a shell stands between it and its caller, that shell: process → its parent.
func callers() map[int]int {
	up := os.Getppid()
	above := map[int]int{os.Getpid(): up}
	words, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", up))
	if err != nil {
		return above
	}
	line := strings.Split(string(words), "\x00")
	if len(line) > 1 && strings.HasSuffix(line[0], "sh") && line[1] == "-c" {
		if parent := parentOf(up); parent > 0 {
			above[up] = parent
		}
	}
	return above
}

// parentOf returns the parent of a process, 0 if it cannot be found.
func parentOf(pid int) int {
	if pid == os.Getpid() {
		return os.Getppid()
	}
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0
	}
	_, rest, _ := strings.Cut(string(text), ") ") // after the name
	if f := strings.Fields(rest); len(f) > 1 {
		parent, _ := strconv.Atoi(f[1])
		return parent
	}
	return 0
}

// ignores reports whether a process ignores a signal, as far as the system tells: shells and nohup make a process that
// is to outlive them ignore signals that they do not ignore themselves.
func ignores(pid int, sig syscall.Signal) bool {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return false
	}
	_, mask, _ := strings.Cut(string(text), "SigIgn:")
	mask, _, _ = strings.Cut(mask, "\n")
	ignored, err := strconv.ParseUint(strings.TrimSpace(mask), 16, 64)
	return err == nil && ignored>>(sig-1)&1 == 1
}
