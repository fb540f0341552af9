package tables

import (
	"cmp"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/hitoku/hitoku/bench"
	"github.com/hitoku/hitoku/internal/cli"
	"github.com/hitoku/hitoku/internal/cli/flags"
	"github.com/hitoku/hitoku/internal/cli/render"
	"github.com/hitoku/hitoku/internal/formats"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/private"
	"github.com/hitoku/hitoku/protect/ledger"
	"github.com/hitoku/hitoku/table"
)

// generation is one run of hitoku generate.
type generation struct {
	shape     string
	hierarchy []string
	spec      bench.Spec
	count     int
	to        string
	output    string
	records   int64
	stream    bool
	published float64
	change    string
	at        string
}

func NewGenerate() *cobra.Command {
	g := &generation{}
	cmd := &cobra.Command{
		Use:   "generate",
		Short: "Draw test tables from a seed",
		Long: `Draw a table with sensitive cells from a family, a shape and a seed, which
together name it: the same call gives the same table everywhere.

  fs     counts, uniform on 0..499; sensitive 1..4, levels equal to the value
  mag    lognormal values; a share of the cells sensitive, levels 15 %
  n1510  counts floor(|N(15,10)|) of a two-way table; sensitive 1..4, width 8,
         margins published

With --stream, a table of two variables is written as it is drawn, which may have
more cells than fit in memory: values of family mag, a cell in play sensitive with
chance --share. With --published 0.96 all margins and 96 % of the groups of inner cells
must stay published.

With --records, draw microdata instead, as CSV, for hitoku tabulate.`,
		Example: `  hitoku generate --shape 20x20 --family fs --seed 7 -o table.csv
  hitoku generate --shape 10 --hierarchy 4.4 --family mag -o table.jj.gz
  hitoku generate --shape 4x4 --family n1510 --seed 1 --count 50 -o t.csv   # t-1.csv to t-50.csv
  hitoku generate --stream --shape 10.10.10.9x10.10.10.9 --published 0.96 -o large.csv
  hitoku generate --records 1000000 --seed 1 -o firms.csv`,
		Args: cli.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if cmd.Flags().Changed("records") {
				return g.microdata(cmd)
			}
			if err := g.check(); err != nil {
				return err
			}
			if g.stream {
				return g.large(cmd)
			}
			return g.run(cmd)
		},
	}
	flags.Declare(cmd,
		flags.In(flags.DrawnGroup, []flags.Flag{
			{Name: "shape", To: &g.shape, Wanted: true, Unless: []string{"hierarchy", "records"}, Text: "`numbers` of codes of each of two to four variables, like 20x20; a tree by its branching, like 10x4.4"},
			{Name: "hierarchy", To: &g.hierarchy, Text: "a further variable with this `TREE`, like 4.4"},
			{Name: "family", To: &g.spec.Family, From: bench.Families(), Text: "how values and sensitive cells are drawn", Else: "fs", More: "The formulas are in package bench"},
			{Name: "share", To: &g.spec.Share, Text: "`share` of sensitive cells in family mag", Else: "0.08"},
			{Name: "seed", To: &g.spec.Seed, Default: 1, Text: "seed `N` of the first table"},
			{Name: "count", To: &g.count, Default: 1, Range: "[1, ∞)", Text: "draw `N` tables from the seeds seed, seed+1, ..., each written to a file with its seed in the name"},
			{Name: "change", To: &g.change, Excludes: []string{"stream", "records"}, Text: "draw the table one period later: the values of the inner cells move by this `SHARE` at most, like 20%"},
			{Name: "at", To: &g.at, Excludes: []string{"stream", "records"}, Text: "`DIM=CODE`: write the cells at this code alone, a regional cut of the table"},
			{Name: "stream", To: &g.stream, Needs: []string{"output"}, Excludes: []string{"family", "count", "to"}, Text: "write a table of two variables as it is drawn, of any size"},
			{Name: "published", To: &g.published, Needs: []string{"stream"}, Text: "`share` of the groups of inner cells that, like all margins, must stay published", Else: "no cell must"},
			{Name: "records", To: &g.records, Range: "[1, ∞)", Excludes: []string{"shape", "hierarchy", "family", "share", "count", "to", "stream"}, Text: "draw microdata of `N` records instead of a table"},
		}),
		flags.In(flags.OutputGroup, []flags.Flag{
			{Name: "to", To: &g.to, From: []string{"csv", "jj"}, Text: "format", Else: "by the extension of the output, else csv"},
			{Name: "output", Short: "o", To: &g.output, Files: []string{"csv", "jj", "jj.gz"}, Writes: true, Stdout: true, Text: "write to this `file`: .csv, .jj or .jj.gz", Else: "standard output"},
		}),
	)
	flags.Common(cmd, "--shape 20,30", "--hierarchy 4.4", "--seed 7", "--count 100", "-o table.csv")
	return cmd
}

func (g *generation) check() error {
	if g.count > 1 && g.output == "" {
		return i18n.Errorf("--count %d needs -o", g.count)
	}
	if g.to == "" {
		switch {
		case flags.IsJJ(g.output):
			g.to = "jj"
		case g.output == "" || strings.HasSuffix(g.output, ".csv"):
			g.to = "csv"
		default:
			return i18n.Errorf("-o %s: want a name that ends in .csv, .jj or .jj.gz, or --to", g.output)
		}
	}
	g.spec.Family = cmp.Or(g.spec.Family, "fs")
	if g.shape != "" {
		var err error
		if g.spec.Shape, err = bench.ParseShape(g.shape); err != nil {
			return i18n.Errorf("--%w", err)
		}
	}
	if g.change != "" {
		c, err := ledger.ParseChange(g.change)
		if err != nil || c.Response != "" || c.P > c.Q {
			return i18n.Errorf("--change %q: want a percentage like 20%%", g.change)
		}
		g.spec.Change = float64(c.P) / float64(c.Q)
	}
	for _, h := range g.hierarchy {
		b, err := bench.ParseBranching(h)
		if err != nil {
			return i18n.Errorf("--hierarchy %w", err)
		}
		g.spec.Shape = append(g.spec.Shape, b)
	}
	return nil
}

// microdata writes records.
func (g *generation) microdata(cmd *cobra.Command) error {
	write := func(w io.Writer) error { return bench.WriteMicrodata(w, g.records, g.spec.Seed) }
	if g.output == "" {
		return write(render.FileOn(cmd.OutOrStdout()))
	}
	return formats.SaveAs(private.Drawn, g.output, write)
}

// large writes a table while it is drawn.
func (g *generation) large(cmd *cobra.Command) error {
	s := bench.LargeSpec{Shape: g.spec.Shape, Share: g.spec.Share, Published: g.published, Seed: g.spec.Seed}
	dims, err := s.Dimensions()
	if err != nil {
		return err
	}
	if err := g.writeTrees(cmd.ErrOrStderr(), &table.Table{Name: s.Name(), Dims: dims}); err != nil {
		return err
	}
	return formats.SaveAs(private.Drawn, g.output, s.Write)
}

func (g *generation) run(cmd *cobra.Command) error {
	for n := range g.count {
		t, err := g.spec.Table()
		if err != nil {
			return err
		}
		if g.at != "" {
			if t, err = cut(t, g.at); err != nil {
				return err
			}
		}
		if n == 0 {
			if err := g.writeTrees(cmd.ErrOrStderr(), t); err != nil {
				return err
			}
		}
		if err := g.write(render.FileOn(cmd.OutOrStdout()), t); err != nil {
			return err
		}
		g.spec.Seed++
	}
	return nil
}

// cut returns the part of t at DIM=CODE.
func cut(t *table.Table, at string) (*table.Table, error) {
	dim, code, ok := strings.Cut(at, "=")
	if !ok {
		return nil, i18n.Errorf("--at %q: want DIM=CODE", at)
	}
	t, err := cutAt(t, dim, code)
	if err != nil {
		return nil, i18n.Errorf("--at %w", err)
	}
	return t, nil
}

// cutAt returns the cells of t at one code of a dimension, which the result lacks, in their order and with their
// statuses and levels. t must have at least two dimensions.
func cutAt(t *table.Table, dim, code string) (*table.Table, error) {
	d := slices.IndexFunc(t.Dims, func(d table.Dimension) bool { return d.Name == dim })
	if d < 0 {
		return nil, i18n.Errorf("table %s has no dimension %q", t.Name, dim)
	}
	at := slices.Index(t.Dims[d].Codes, code)
	if at < 0 {
		return nil, i18n.Errorf("dimension %s has no code %q", dim, code)
	}
	number := func(v int64) table.Number { return table.Num(v, t.Decimals) }
	var records []table.Record
	k := len(t.Dims)
	for i := range t.Len() {
		if t.Coord[i*k+d] != int32(at) {
			continue
		}
		r := table.Record{Value: number(t.Value[i]), Status: t.Status[i], LPL: number(t.LPL[i]), UPL: number(t.UPL[i]), Width: number(t.Width[i]), Lower: number(t.Lower[i])}
		if t.Upper[i] < table.PosInf {
			r.Upper = number(t.Upper[i])
		}
		for e := range t.Dims {
			if e != d {
				r.Codes = append(r.Codes, t.Dims[e].Codes[t.Coord[i*k+e]])
			}
		}
		records = append(records, r)
	}
	return table.Build(t.Name+"-"+code, slices.Delete(slices.Clone(t.Dims), d, d+1), records, t.Counts)
}

// write writes t where the flags say.
func (g *generation) write(stdout io.Writer, t *table.Table) error {
	write := func(w io.Writer) error { return formats.WriteTidy(w, t) }
	if g.to == "jj" {
		write = func(w io.Writer) error { return formats.WriteJJ(w, t) }
	}
	if g.output == "" {
		return write(stdout)
	}
	path := g.output
	if g.count > 1 {
		stem, ext := splitExt(path)
		path = stem + "-" + strconv.FormatUint(g.spec.Seed, 10) + ext
	}
	return formats.SaveAs(private.Drawn, path, write)
}

// writeTrees writes the trees of a CSV table, which has no place for them, to CSV files code,parent beside it, and says
// which flags read it.
func (g *generation) writeTrees(words io.Writer, t *table.Table) error {
	if g.to == "jj" {
		return nil
	}
	stem, _ := splitExt(g.output)
	fs := ""
	for d := range t.Dims {
		dim := &t.Dims[d]
		if dim.Flat() {
			continue
		}
		if g.output == "" {
			return i18n.Errorf("a CSV file has no place for the tree of %s; write to a file with -o, or --to jj", dim.Name)
		}
		path := stem + "-" + dim.Name + ".csv"
		if err := formats.SaveAs(private.Drawn, path, func(w io.Writer) error { return formats.WriteHierarchy(w, dim) }); err != nil {
			return err
		}
		fs += " --hierarchy " + dim.Name + "=" + path
	}
	if fs != "" {
		render.Say(words, t, "read it with%s", fs)
	}
	return nil
}

// splitExt splits the extension off the name of a file; .jj.gz counts as one.
func splitExt(path string) (stem, ext string) {
	for _, ext := range []string{".jj.gz", ".jj", ".csv"} {
		if stem, ok := strings.CutSuffix(path, ext); ok {
			return stem, ext
		}
	}
	return path, ""
}
