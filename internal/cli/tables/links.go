package tables

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/hitoku/hitoku/internal/cli/flags"
	"github.com/hitoku/hitoku/internal/cli/render"
	"github.com/hitoku/hitoku/internal/document"
	"github.com/hitoku/hitoku/internal/formats"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/protect/ledger"
)

// linking is one run of hitoku links.
type linking struct {
	inputs    flags.Input
	relations []string
	json      bool
}

func NewLinks() *cobra.Command {
	l := &linking{}
	cmd := &cobra.Command{
		Use:   "links FILE...",
		Short: "Plan which tables have to be protected together, and which can be apart",
		Long: `Say which tables share cells, from their metadata alone or from the tables themselves.

A file of metadata has a line a table, with columns table_name, field, hrc_field, indicator,
hrc_indicator, spanning_1, hrc_spanning_1, spanning_2, ..., as analyse_metadata of the R package
rtauargus takes it. Other files are tables.`,
		Example: `  hitoku links metadata.csv --relations equations.txt
  hitoku links turnover_*.csv`,
		Args:              flags.InputArgs,
		ValidArgsFunction: flags.TableFiles,
		RunE:              func(cmd *cobra.Command, args []string) error { return l.run(cmd, args) },
	}
	flags.Declare(cmd,
		l.inputs.Group(),
		flags.In(flags.LedgerGroup, []flags.Flag{
			{Name: "relations", To: &l.relations, Files: []string{"txt"}, Text: "`FILE` of sums between indicators or fields, as in salads = batavia + mache"},
		}),
		flags.In(flags.OutputGroup, []flags.Flag{flags.JSON(&l.json, "print one JSON document")}),
	)
	flags.Common(cmd, "--relations sums.txt", "--total 合計", "--hierarchy activity=nace.hrc", "--encoding cp932", "--json")
	return cmd
}

func (l *linking) run(cmd *cobra.Command, paths []string) error {
	var set ledger.Set
	if err := flags.State(&set, l.relations, nil); err != nil {
		return err
	}
	var tables []ledger.Described
	var releases []*ledger.Release
	for _, path := range paths {
		if meta, err := metadataIn(path); err != nil || meta != nil {
			if err != nil {
				return err
			}
			tables = append(tables, meta...)
			continue
		}
		t, err := l.inputs.Published(cmd, path)
		if err != nil {
			return err
		}
		r := &ledger.Release{Table: t, File: path}
		tables, releases = append(tables, described(r)), append(releases, r)
	}
	plan, err := ledger.Plan(tables, ofIndicators(set.Sums, tables))
	if err != nil {
		return err
	}
	r := newLinks(plan, len(tables))
	if len(releases) > 1 {
		shares, err := ledger.Shares(releases, set.Sums)
		if err != nil {
			return err
		}
		for a := range shares {
			for b := a + 1; b < len(shares); b++ {
				if n := shares[a][b]; n > 0 {
					r.Shares = append(r.Shares, document.LinksShare{First: releases[a].File, Second: releases[b].File, Cells: n})
				}
			}
		}
	}
	if l.json {
		return document.Write(cmd.OutOrStdout(), r)
	}
	return printLinks(cmd.OutOrStdout(), r)
}

// described returns how a table describes itself.
func described(r *ledger.Release) ledger.Described {
	d := ledger.Described{Name: r.File}
	for k := range r.Table.Dims {
		d.Dims = append(d.Dims, ledger.DescribedDim{Name: r.Table.Dims[k].Name})
	}
	return d
}

// ofIndicators returns the sums about indicators or fields; sums about codes of the tables' dimensions are used
// elsewhere.
func ofIndicators(sums []ledger.Sum, tables []ledger.Described) []ledger.Sum {
	return slices.DeleteFunc(slices.Clone(sums), func(s ledger.Sum) bool {
		return s.Dim != "" && slices.ContainsFunc(tables, func(t ledger.Described) bool {
			return slices.ContainsFunc(t.Dims, func(d ledger.DescribedDim) bool { return d.Name == s.Dim || d.Link == s.Dim })
		})
	})
}

// metadataIn reads a file of metadata; nil if it is not one.
func metadataIn(path string) ([]ledger.Described, error) {
	in, err := os.Open(path)
	if err != nil {
		return nil, formats.OSError(path, err)
	}
	defer in.Close()
	head := make([]byte, 4096)
	n, _ := io.ReadFull(in, head) // the file may be shorter
	if n == 0 || !isMetadata(string(head[:n])) {
		return nil, nil
	}
	if _, err = in.Seek(0, io.SeekStart); err != nil {
		return nil, formats.OSError(path, err)
	}
	return readMetadata(in, path)
}

// newLinks describes a plan.
func newLinks(clusters []ledger.Cluster, tables int) *document.Links {
	r := &document.Links{Tables: tables, Clusters: []document.LinksCluster{}}
	for k := range clusters {
		c := &clusters[k]
		d := document.LinksCluster{Fields: c.Fields, Indicators: c.Indicators, Sums: c.Sums}
		names := func(of []int) (all [][]string) {
			for _, n := range of {
				all = append(all, c.Tables[n].Tables)
			}
			return all
		}
		for _, t := range c.Tables {
			d.Tables = append(d.Tables, document.LinksPlanned{Tables: t.Tables, Dims: t.Dims, Indicators: t.Indicators, Within: names(t.Within), Apart: names(t.Total)})
		}
		slices.SortStableFunc(d.Tables, func(a, b document.LinksPlanned) int { return len(b.Dims) - len(a.Dims) }) // those with the most variables first
		r.Clusters = append(r.Clusters, d)
	}
	return r
}

// printLinks writes a plan.
func printLinks(w io.Writer, r *document.Links) error {
	need := 0
	for n, c := range r.Clusters {
		fmt.Fprintf(w, "%d. %s\n", n+1, cmp.Or(strings.Join(slices.Concat(c.Fields, c.Indicators), ", "), i18n.Of(w).Say(i18n.T("tables with cells in common"))))
		for _, s := range c.Sums {
			fmt.Fprintf(w, "   %s\n", s)
		}
		for _, t := range c.Tables {
			render.Tell(w, "   %s: by %s", strings.Join(t.Tables, " + "), i18n.Names("", t.Dims))
			if len(t.Indicators) > 1 {
				render.Tell(w, " and by %s", i18n.Names("", t.Indicators))
			}
			if len(t.Within) > 0 {
				render.Tell(w, "; all of it is in %s", strings.Join(t.Within[0], " + "))
			} else {
				need++
			}
			for _, x := range t.Apart {
				render.Tell(w, "; apart from %s if the totals stay published", strings.Join(x, " + "))
			}
			fmt.Fprintln(w)
		}
	}
	if len(r.Clusters) > 0 {
		fmt.Fprintln(w)
	}
	for _, s := range r.Shares {
		render.Tell(w, "%s and %s have %d cells in common\n", s.First, s.Second, s.Cells)
	}
	return render.Tell(w, "%d tables: %d to protect in %d clusters, which share no cell\n", r.Tables, need, len(r.Clusters))
}
