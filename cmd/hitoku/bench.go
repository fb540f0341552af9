package main

import (
	"errors"

	"github.com/spf13/cobra"
)

// newBench is hitoku bench, which holds the benchmarks.
func newBench() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "bench",
		Short: "Measure the solver",
		Args:  cobra.ArbitraryArgs,
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) > 0 {
				return errors.New("bench: no benchmark " + args[0] + "; see hitoku bench --help")
			}
			return errors.New("bench: which benchmark? see hitoku bench --help")
		},
	}
	cmd.AddCommand(newBenchCSP())
	return cmd
}
