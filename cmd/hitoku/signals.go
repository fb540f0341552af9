//go:build !js

package main

import (
	"os"
	"os/signal"
	"syscall"
)

// endings are the signals that end a run with what it has: the end of a terminal, too, but where nohup had it ignored.
func endings() []os.Signal {
	all := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) {
		all = append(all, syscall.SIGHUP)
	}
	return all
}
