// Package bench are the verbs that measure: bench and experiment.
package bench

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"
)

// New is hitoku bench, which holds the benchmarks.
func New() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "bench",
		Short: "Measure speed and memory",
		Args:  cobra.ArbitraryArgs,
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) > 0 {
				return fmt.Errorf("bench: no benchmark %q; see hitoku bench --help", args[0])
			}
			return errors.New("bench: which benchmark? see hitoku bench --help")
		},
	}
	cmd.AddCommand(newBenchCSP(), newBenchLP(), newBenchRisk())
	return cmd
}
