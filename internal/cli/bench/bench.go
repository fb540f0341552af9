// Package bench provides the verbs that measure: bench and experiment.
package bench

import (
	"github.com/spf13/cobra"

	"github.com/hitoku/hitoku/internal/cli/flags"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/near"
)

// New returns hitoku bench, which holds the benchmarks.
func New() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "bench",
		Short: "Measure speed and memory",
		Args:  cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return i18n.Errorf("bench: no benchmark %q%s; see hitoku bench --help", args[0], near.Hint(args[0], flags.VerbNames(cmd), ""))
			}
			return i18n.New("bench: which benchmark? see hitoku bench --help")
		},
	}
	cmd.AddCommand(newBenchCSP(), newBenchLP(), newBenchRisk())
	return cmd
}
