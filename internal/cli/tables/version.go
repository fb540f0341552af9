package tables

import (
	"runtime"
	"strings"

	"github.com/spf13/cobra"

	"github.com/hitoku/hitoku/internal/cli"
	"github.com/hitoku/hitoku/internal/cli/flags"
	"github.com/hitoku/hitoku/internal/cli/render"
	"github.com/hitoku/hitoku/internal/document"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/lp"
)

func NewVersion() *cobra.Command {
	asJSON := false
	cmd := &cobra.Command{
		Use:   "version",
		Short: "Print the version, its commit, the Go it was built with and its LP back ends",
		Args:  cli.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			commit, date := cli.Commit()
			doc := &document.Version{Version: cli.Version(), Commit: commit, Built: date, Go: runtime.Version(), OS: runtime.GOOS, Arch: runtime.GOARCH, LP: lp.Backends()}
			if asJSON {
				return document.Write(cmd.OutOrStdout(), doc)
			}
			var of i18n.Text
			if commit != "" {
				of = i18n.T("commit %s of %s\n", commit, date)
			}
			return render.Tell(cmd.OutOrStdout(), "hitoku %s\n%s%s %s/%s\nLP back ends: %s\n",
				doc.Version, of, doc.Go, doc.OS, doc.Arch, strings.Join(doc.LP, ", "))
		},
	}
	flags.Declare(cmd, flags.In(flags.OutputGroup, []flags.Flag{flags.JSON(&asJSON, "print one JSON document")}))
	return cmd
}
