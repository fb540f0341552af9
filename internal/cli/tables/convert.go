package tables

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/hitoku/hitoku/internal/cli/flags"
	"github.com/hitoku/hitoku/internal/cli/render"
	"github.com/hitoku/hitoku/internal/formats"
	"github.com/hitoku/hitoku/internal/formats/argus"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/table"
)

// convert is one run of hitoku convert.
type convert struct {
	flags.Conversion
	to     string
	output string
	style  flags.Style
}

func NewConvert() *cobra.Command {
	c := &convert{}
	var about strings.Builder
	for _, f := range flags.Formats {
		fmt.Fprintf(&about, "\n  %-13s %s", f.Name, f.About)
		if len(f.Extensions) > 0 {
			fmt.Fprintf(&about, " (%s)", strings.Join(f.Extensions, ", "))
		}
	}
	cmd := &cobra.Command{
		Use:   "convert INPUT -o OUTPUT",
		Short: "Write a table in another format",
		Long: `Read a table and write it in another format, with every value that is known, whatever
the statuses say: what convert writes is the office's. Only --mask and types 1 to 3 of
τ-ARGUS without AS leave out the values of withheld cells. The format of the output is that of its
extension or of --to:
` + about.String() + `

What the format cannot hold is an error. Without one are left out only names,
contributors and reasons in JJ files, and what the output types of τ-ARGUS never show.`,
		Example: `  hitoku convert table.csv -o table.jj
  hitoku convert --to crosstab --lossy table.csv -o print.csv`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 {
				return i18n.Errorf("convert: want one input, not %d", len(args))
			}
			return nil
		},
		ValidArgsFunction: flags.TableFiles,
		RunE:              func(cmd *cobra.Command, args []string) error { return c.run(cmd, args[0]) },
	}
	flags.Declare(cmd,
		c.Inputs.Group(),
		c.Inputs.LayoutGroup(),
		flags.In(flags.LevelsGroup, c.Bounds.Bounds()),
		flags.In(flags.OutputGroup, []flags.Flag{
			{Name: "to", To: &c.to, From: flags.FormatNames(false), Text: "format of the output", Else: "that of its extension"},
			{Name: "output", Short: "o", To: &c.output, Files: flags.FormatExtensions(), Writes: true, Wanted: true, Text: "write to this `file`"},
			{Name: "lossy", Rare: true, To: &c.Lossy, Text: "leave out what the format of the output has no place for"},
			{Name: "mask", To: &c.Mask, Text: "mask the values of withheld cells in PX, SDMX and XLSX files", Else: "keep them beside their flags"},
			{Name: "options", Rare: true, To: &c.Options, Text: "options of a τ-ARGUS output type, like `AS+QU-`"},
		}),
		c.style.Group(),
	)
	flags.Common(cmd, "-o table.px", "--to sdmx", "--total 合計", "--sheet 表1", "--mask")
	return cmd
}

func (c *convert) run(cmd *cobra.Command, path string) error {
	var to *flags.Format
	switch of := flags.FormatsOf(c.output); {
	case c.to != "":
		to = flags.FormatNamed(formats.Format(c.to))
	case len(of) == 0:
		return i18n.Errorf("-o %s: no format has this extension; say --to %s", c.output, strings.Join(flags.FormatNames(false), ", "))
	default:
		to = of[0]
	}
	in, err := c.Inputs.Read(cmd, path, &c.Bounds)
	if err != nil {
		return err
	}
	if in.Style, err = c.style.Style(c.Inputs.Null); err != nil {
		return err
	}
	if err := c.style.Fits(cmd.Flags(), to.Name); err != nil || c.Mask && !slices.Contains(to.Style, "flag") {
		if err == nil {
			err = i18n.Errorf("--mask is of no use for a %s file", to.Name)
		}
		return i18n.Errorf("-o %s: %w", c.output, err)
	}
	if c.output == formats.Stdout && to.Name == argus.Format {
		return i18n.Errorf("-o %s: a τ-ARGUS table is several files; give one a name", c.output)
	}
	if to.Write == nil {
		return i18n.Errorf("-o %s: %s files are read only", c.output, to.Name)
	}
	tau := strings.HasPrefix(string(to.Name), "tau")
	if c.Options != "" && (!tau || to.Name == argus.Format) {
		return i18n.Errorf("-o %s: --options is of no use for a %s file", c.output, to.Name)
	}
	if t := c.Inputs.Tau; t != nil && t.HasShadow() && !tau && !c.Lossy {
		return i18n.Errorf("-o %s: a %s file has no place for shadow values; --lossy leaves them out", c.output, to.Name)
	}
	if err := to.Write(c.output, in, &c.Conversion); err != nil {
		return i18n.Errorf("-o %s: %w", c.output, err)
	}
	return nil
}

// sayFormulas warns that a spreadsheet would take a code in a CSV output for a formula. The code is not changed,
// because it is the office's.
func sayFormulas(words io.Writer, t *table.Table, output string, format formats.Format) {
	if output == "" || format != formats.Tidy && format != formats.CrossTab {
		return
	}
	for d := range t.Dims {
		for _, c := range t.Dims[d].Codes {
			if len(c) > 1 && strings.ContainsRune("=+-@\t\r", rune(c[0])) {
				render.Say(words, t, "%s: a spreadsheet may take the code %q of %s for a formula; import the column as text", output, c, t.Dims[d].Name)
				return
			}
		}
	}
}
