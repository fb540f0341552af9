package tables

import (
	"bufio"
	"io"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/hitoku/hitoku/internal/cli"
	"github.com/hitoku/hitoku/internal/cli/flags"
	"github.com/hitoku/hitoku/internal/cli/render"
	"github.com/hitoku/hitoku/internal/document"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/layout"
)

// layoutInspection is one run of hitoku inspect.
type layoutInspection struct {
	inputs flags.Input
	json   bool
}

func NewInspect() *cobra.Command {
	n := &layoutInspection{}
	cmd := &cobra.Command{
		Use:   "inspect INPUT...",
		Short: "Tell how the tables in a file are laid out, and what adds up in them",
		Long: `Read a workbook, a text file or a PX file as an office lays it out, with title, headers of several
rows, subtotals, notes and marks, and print what was understood: the tables, their dimensions with
trees, the measures, the marks, the sums that were checked, what was left aside and why. What adds up
is taken from the numbers. With --json every cell is told with its address.

What was understood wrongly is corrected by flags, or in the file that --save-layout writes and
--layout reads. suppress, audit, attack, report and convert take the same flags.`,
		Example: `  hitoku inspect table.xlsx
  hitoku inspect --range A3:K40 --save-layout table.toml table.xlsx`,
		Args:              flags.InputArgs,
		ValidArgsFunction: flags.TableFiles,
		RunE: func(cmd *cobra.Command, args []string) error {
			return cli.EachInput(cmd, args, !n.json, func(k int) (cli.Code, error) { return cli.Done, n.one(cmd, args[k]) })
		},
	}
	flags.Declare(cmd,
		n.inputs.TextGroup(),
		n.inputs.LayoutGroup(),
		flags.In(flags.OutputGroup, []flags.Flag{flags.JSON(&n.json, "print one JSON document a file, with every cell")}),
	)
	flags.Common(cmd, "--sheet 表1", "--range A3:K40", "--tolerance 1", "--save-layout table.toml", "--json")
	return cmd
}

func (n *layoutInspection) one(cmd *cobra.Command, path string) error {
	var stdin io.Reader
	if path == "-" {
		stdin = cmd.InOrStdin()
	}
	s, err := n.inputs.Inspect(cmd, path, stdin)
	if err != nil {
		return err
	}
	w := bufio.NewWriter(cmd.OutOrStdout())
	if n.json {
		if err := document.Write(w, inspectionOf(s)); err != nil {
			return err
		}
		return w.Flush()
	}
	reader := i18n.Of(cmd.OutOrStdout())
	for _, line := range append(s.Reading.Words(), s.Account(nil).Words()) {
		w.WriteString(reader.Say(line) + "\n")
	}
	return w.Flush()
}

// inspectionOf returns the document about a file that was read.
func inspectionOf(s *layout.Source) *document.Inspection {
	r := s.Reading
	d := &document.Inspection{File: document.InspectedFile(r.File)}
	d.File.Name = filepath.Base(r.File.Name)
	for _, t := range r.Tables {
		d.Tables = append(d.Tables, inspectedTable(t))
	}
	if len(d.Tables) == 1 {
		d.InspectedTable, d.Tables = &d.Tables[0], nil
	}
	for _, a := range r.Aside {
		d.Aside = append(d.Aside, document.SetAside{Sheet: a.Sheet, Ref: a.Ref, Why: a.Why.String()})
	}
	for _, a := range r.Ambiguities {
		d.Ambiguities = append(d.Ambiguities, document.TwoReadings{Question: a.Question.String(), Readings: render.English(a.Readings), Options: a.Options})
	}
	a := s.Account(nil)
	d.Account = &document.NumberAccount{Numbers: a.Numbers, Unknown: a.Unknown}
	for k, of := range a.Roles {
		role := document.NumberRole{Role: of.What, Numbers: len(of.Refs)}
		if k > 0 { // values are listed with the cells
			role.Refs = of.Refs
		}
		d.Account.Roles = append(d.Account.Roles, role)
	}
	return d
}

func inspectedTable(t *layout.Table) document.InspectedTable {
	d := document.InspectedTable{Name: t.Name, Title: t.Title, Kind: t.Kind, Unit: t.Unit}
	if t.UnitMultiplier > 1 {
		d.UnitMultiplier = t.UnitMultiplier
	}
	if t.NotAdditive {
		d.Additive = new(bool)
	}
	for _, x := range t.Dimensions {
		y := document.InspectedDimension{Name: x.Name, Role: x.Role, Additive: x.Additive}
		for _, c := range x.Codes {
			y.Codes = append(y.Codes, document.InspectedCode(c))
		}
		d.Dimensions = append(d.Dimensions, y)
	}
	for i := range t.Cells {
		c := &t.Cells[i]
		d.Cells = append(d.Cells, document.InspectedCell{Codes: c.Codes, Value: exactOf(c.Value), Mark: c.Mark, Means: c.Means, Flag: c.Flag, Formula: c.Formula, Sheet: c.Sheet, Ref: c.Ref, MarkRef: c.MarkRef, Written: c.Written})
	}
	for _, x := range t.Derived {
		d.Derived = append(d.Derived, document.DerivedNumber{How: x.How, Of: x.Of, Value: exactOf(x.Value), Sheet: x.Sheet, Ref: x.Ref, Formula: x.Formula})
	}
	for _, n := range t.Notes {
		d.Notes = append(d.Notes, document.InspectedNote(n))
	}
	for _, r := range t.Relations {
		d.Relations = append(d.Relations, document.CheckedSum{Dimension: t.Dimensions[r.Dim].Name, Total: r.Total, Parts: r.Parts, Checked: r.Checked, Unknown: r.Unknown, Missed: r.Missed})
	}
	return d
}

func exactOf(v *layout.Decimal) document.Exact {
	if v == nil {
		return ""
	}
	return document.Exact(*v)
}
