package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/hitoku/hitoku/lp"
	_ "github.com/hitoku/hitoku/lp/all" // every back end of this build
)

// engineFlags say what computes.
type engineFlags struct {
	lp      string
	workers int
}

func (e *engineFlags) add(cmd *cobra.Command) {
	cmd.Flags().StringVar(&e.lp, "lp", "simplex", "LP back end `NAME`: simplex, gonum, and clp, clpdl, lpsolve where built in")
	cmd.Flags().IntVar(&e.workers, "workers", 0, "goroutines; 0 means one a processor. The result does not depend on it")
	complete(cmd, "lp", lp.Backends()...)
}

// check fails where this build lacks the back end.
func (e *engineFlags) check() error {
	if e.workers < 0 {
		return fmt.Errorf("--workers %d: want 0 or more", e.workers)
	}
	s, err := lp.Open(e.lp)
	if err != nil {
		return fmt.Errorf("--lp: %w", err)
	}
	return s.Close()
}
