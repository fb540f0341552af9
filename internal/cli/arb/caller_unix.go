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

// What was ignored when the program began: catching a signal changes it.
var hangupIgnored, interruptIgnored = signal.Ignored(syscall.SIGHUP), signal.Ignored(syscall.SIGINT)

// errCaller ends a run whose caller has ended.
var errCaller = i18n.New("the program that started this one has ended")

// withCaller is ctx, which ends, too, when the program ends that started this one and waits for it: a package in R or Python
// that was killed, of which a search would otherwise go on for nobody. A program that was put aside on purpose is not
// waited for: by nohup, by & of a script or of a terminal, in a session of its own.
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

// callers are this program and, where a shell stands between it and the caller, that: process → its parent.
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

// parentOf is the parent of a process, 0 where nothing tells it.
func parentOf(pid int) int {
	if pid == os.Getpid() {
		return os.Getppid()
	}
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0
	}
	_, rest, _ := strings.Cut(string(text), ") ") // behind the name
	if f := strings.Fields(rest); len(f) > 1 {
		parent, _ := strconv.Atoi(f[1])
		return parent
	}
	return 0
}

// ignores reports whether a process ignores a signal, as far as that is told: shells and nohup let what is to outlive them
// ignore what they do not ignore themselves.
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
