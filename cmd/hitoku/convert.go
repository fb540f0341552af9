package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/hitoku/hitoku/table/argus"
	"github.com/hitoku/hitoku/table/tableio"
)

// convert is one run of hitoku convert.
type convert struct {
	conversion
	to     string
	output string
	style  styleFlags
}

// newConvert is hitoku convert.
func newConvert() *cobra.Command {
	c := &convert{}
	var about strings.Builder
	for _, f := range formats {
		fmt.Fprintf(&about, "\n  %-13s %s", f.name, f.about)
		if len(f.extensions) > 0 {
			fmt.Fprintf(&about, " (%s)", strings.Join(f.extensions, ", "))
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
				return fmt.Errorf("convert: want one input, not %d", len(args))
			}
			return nil
		},
		ValidArgsFunction: tableFiles,
		RunE:              func(cmd *cobra.Command, args []string) error { return c.run(cmd, args[0]) },
	}
	f := cmd.Flags()
	c.inputs.add(cmd)
	f.Var(newChoice(&c.to, formatNames(false)), "to", "format of the output (default: that of its extension)")
	f.StringVarP(&c.output, "output", "o", "", "write to this `file`")
	f.BoolVar(&c.lossy, "lossy", false, "leave out what the format of the output has no place for")
	f.Var(newDecimal(&c.bounds.policy.Lower), "lower", "no cell is below this; needed where values are negative and the input has no bounds (default: the input's, else 0)")
	f.Var(newDecimal(&c.bounds.policy.Upper), "upper", "and no cell is above this (default: the input's bounds, else none)")
	c.style.add(cmd)
	f.BoolVar(&c.mask, "mask", false, "mask the values of withheld cells in PX, SDMX and XLSX files (default: keep them beside their flags)")
	f.StringVar(&c.options, "options", "", "options of a τ-ARGUS output type, like `AS+QU-`")
	complete(cmd, "to", formatNames(false)...)
	completeFiles(cmd, "output", formatExtensions()...)
	return cmd
}

func (c *convert) run(cmd *cobra.Command, path string) error {
	var to *format
	switch of := formatsOf(c.output); {
	case c.output == "":
		return fmt.Errorf("convert: no output; say -o FILE")
	case c.to != "":
		to = formatNamed(tableio.Format(c.to))
	case len(of) == 0:
		return fmt.Errorf("-o %s: no format has this extension; say --to %s", c.output, strings.Join(formatNames(false), ", "))
	default:
		to = of[0]
	}
	in, err := c.inputs.read(cmd, path, &c.bounds)
	if err != nil {
		return err
	}
	if in.Style, err = c.style.style(c.inputs.null); err != nil {
		return err
	}
	if err := c.style.fits(cmd.Flags(), to.name); err != nil || c.mask && !slices.Contains(to.style, "flag") {
		if err == nil {
			err = fmt.Errorf("--mask is of no use for a %s file", to.name)
		}
		return fmt.Errorf("-o %s: %w", c.output, err)
	}
	if c.output == tableio.Stdout && to.name == argus.Format {
		return fmt.Errorf("-o %s: a τ-ARGUS table is several files; give one a name", c.output)
	}
	if to.write == nil {
		return fmt.Errorf("-o %s: %s files are read only", c.output, to.name)
	}
	tau := strings.HasPrefix(string(to.name), "tau")
	if c.options != "" && (!tau || to.name == argus.Format) {
		return fmt.Errorf("-o %s: --options is of no use for a %s file", c.output, to.name)
	}
	if t := c.inputs.tau; t != nil && t.HasShadow() && !tau && !c.lossy {
		return fmt.Errorf("-o %s: a %s file has no place for shadow values; --lossy leaves them out", c.output, to.name)
	}
	if err := to.write(c.output, in, &c.conversion); err != nil {
		return fmt.Errorf("-o %s: %w", c.output, err)
	}
	return nil
}
