package arb

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/hitoku/hitoku/internal/arb"
	"github.com/hitoku/hitoku/internal/cli"
	"github.com/hitoku/hitoku/internal/cli/flags"
	"github.com/hitoku/hitoku/internal/i18n"
)

// Called reports whether the path of a program has the name of τ-ARGUS: TauArgus or TauArgus.exe, in any case, in a
// folder of any system.
func Called(program string) bool {
	name := strings.ToLower(program[strings.LastIndexAny(program, `/\`)+1:])
	return strings.TrimSuffix(name, ".exe") == "tauargus"
}

// IsBatch reports whether args begin with a batch file of τ-ARGUS, where a verb should stand.
func IsBatch(args []string) bool {
	return len(args) > 0 && strings.EqualFold(filepath.Ext(args[0]), ".arb")
}

// TauArgus returns the program that packages start in place of τ-ARGUS: the verb arb without its name. Its lines and
// its errors go to LOG alone, which such a package shows itself; without LOG they go to standard output and error.
func TauArgus() *cobra.Command {
	root := verb(func(cmd *cobra.Command, log string) io.Writer {
		if log != "" {
			return nil
		}
		return cmd.OutOrStdout()
	}, true, nil)
	root.Use = "TauArgus " + operands
	root.Example = "  TauArgus run.arb run.log"
	root.Version = cli.Version()
	root.SilenceErrors, root.SilenceUsage = true, true
	root.SetFlagErrorFunc(flags.FlagError)
	root.CompletionOptions.DisableDefaultCmd = true
	need, run := root.Args, root.RunE
	root.Args = func(cmd *cobra.Command, args []string) error {
		if len(args) > 0 && len(places(args)) == 0 { // /v
			return nil
		}
		if err := need(cmd, args); err != nil {
			return i18n.Errorf("TauArgus here is hitoku, which has no windows: want %s", operands)
		}
		return nil
	}
	root.RunE = func(cmd *cobra.Command, args []string) error {
		if len(places(args)) == 0 {
			_, err := fmt.Fprintln(cmd.OutOrStdout(), arb.VersionLine(cli.Version()))
			return err
		}
		ctx, stop := withCaller(cmd.Context())
		defer stop()
		cmd.SetContext(ctx)
		return run(cmd, args)
	}
	return root
}
