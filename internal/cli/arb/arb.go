// Package arb provides the verb that runs batch files of τ-ARGUS.
package arb

import (
	"errors"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/hitoku/hitoku/internal/arb"
	"github.com/hitoku/hitoku/internal/cli"
	"github.com/hitoku/hitoku/internal/cli/flags"
	"github.com/hitoku/hitoku/internal/i18n"
)

func New() *cobra.Command {
	cmd := verb(func(cmd *cobra.Command, _ string) io.Writer { return cmd.ErrOrStderr() }, false, &comparing{})
	cmd.Use = "arb " + operands
	flags.Common(cmd, "--compare old", "--page migration.html", "--encoding cp1252", "--wall-limit 10m", "--quiet")
	return cmd
}

// operands are the operands that τ-ARGUS takes.
const operands = "FILE.arb [LOG [TEMPDIR [DATADIR]]]"

// verb returns the command that runs a batch file. It writes its lines to words, which may be nil; log is LOG. With
// read, callers read LOG themselves, so that a failure told there is not repeated. c is nil if outputs are not
// compared.
func verb(words func(cmd *cobra.Command, log string) io.Writer, read bool, c *comparing) *cobra.Command {
	var engine flags.Engine
	quiet, encoding, wall := false, "", flags.Clock{}
	cmd := &cobra.Command{
		Short: "Run a batch file of τ-ARGUS",
		Long: `Run a τ-ARGUS batch file, called as TauArgus.exe is: open microdata or tables, apply
the rules, protect, write the output types. Methods map to hitoku's own: OPT and NET
to the exact search, MOD to sub-tables along the hierarchies, GH to a good pattern in
seconds; the log says so.
Table 0 protects all tables as one. Log lines go to LOG, or the file that <LOGBOOK>
names, and to standard error. TEMPDIR is not needed. Files named without a folder are
looked for beside the batch file and in DATADIR, others from the working folder first;
outputs are written in DATADIR, else beside the batch file. - is no LOG, TEMPDIR or
DATADIR, and /v is passed over.

A file without a byte order mark that is not UTF-8 is CP1252, as on the machines that
τ-ARGUS runs on, unless --encoding or a line // --encoding NAME of the batch says otherwise.
Outputs have the encoding and the line ends of the data.

A copy of or link to hitoku called TauArgus, or TauArgus.exe, is this verb: packages that
start τ-ARGUS start it. Without LOG its lines go to standard output; /v alone tells the version.

With --compare DIR all operands are batch files. They are carried out without writing anything, and
every output is laid beside the one of its name that τ-ARGUS wrote, in DIR or in a folder of DIR called like
the batch: values, statuses, what is withheld, its cost, and by the same exact audit which sensitive cells are
not protected. The choice of secondary cells is no difference.

Exit codes are those of τ-ARGUS: 0 done, 2 a command failed, 3 input could not be read. With --compare: 0 all
values and statuses are the same, 1 some differ, 2 some output could not be compared.`,
		Example: `  hitoku arb run.arb run.log
  hitoku arb --compare old jobs/*.arb --page migration.html`,
		Args: func(_ *cobra.Command, args []string) error {
			if c.on() && len(args) > 0 {
				return nil
			}
			if n := len(places(args)); n < 1 || n > 4 {
				return i18n.Errorf("arb: want FILE.arb and at most three more arguments, not %d", n)
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := engine.Check(); err != nil {
				return err
			}
			ctx, stop := wall.Start(cmd.Context(), cmd.ErrOrStderr())
			defer stop()
			opt := &arb.Options{Version: cli.Version(), LP: engine.LP, Workers: engine.Workers, Encoding: encoding}
			if c.on() {
				if !quiet {
					opt.Words = words(cmd, "")
				}
				return c.run(ctx, cmd, args, opt)
			}
			args = places(args)
			if len(args) > 1 {
				opt.Log = args[1]
			}
			if len(args) > 3 {
				opt.Data = args[3]
			}
			if !quiet {
				opt.Words = words(cmd, opt.Log)
			}
			err := arb.Run(ctx, args[0], opt)
			var failed *arb.Error
			if !errors.As(err, &failed) {
				return err
			}
			if !read || !opt.Logged(err) {
				cli.Say(cmd.ErrOrStderr(), err)
			}
			if failed.Read {
				return cli.Limit
			}
			return cli.Usage
		},
	}
	told := flags.Encoding(&encoding, "all inputs, and so of outputs")
	told.Else = "cp1252 where a file is not UTF-8"
	groups := []flags.Group{flags.In(flags.InputGroup, append([]flags.Flag{told}, c.inputs()...)), engine.Group(), flags.In(flags.SearchGroup, []flags.Flag{wall.Flag()})}
	groups = append(groups, c.pages()...)
	flags.Declare(cmd, append(groups, flags.In(flags.OutputGroup, append(c.outputs(), flags.Flag{Name: "quiet", Short: "q", To: &quiet, Text: "log lines to the log only"})))...)
	return cmd
}

// places returns the operands without /v, by which τ-ARGUS shows its progress; - stands for no operand.
func places(args []string) []string {
	var out []string
	for n, a := range args {
		if strings.EqualFold(a, "/v") {
			continue
		}
		if n > 0 && a == "-" {
			a = ""
		}
		out = append(out, a)
	}
	return out
}
