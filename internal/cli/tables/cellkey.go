package tables

import (
	"cmp"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/hitoku/hitoku/internal/cli"
	"github.com/hitoku/hitoku/internal/cli/flags"
	"github.com/hitoku/hitoku/internal/cli/render"
	"github.com/hitoku/hitoku/internal/document"
	"github.com/hitoku/hitoku/internal/formats"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/recordkey"
	"github.com/hitoku/hitoku/methods/cellkey"
	"github.com/hitoku/hitoku/table"
	"github.com/hitoku/hitoku/table/tabulate"
)

// perturbing is one run of hitoku cellkey.
type perturbing struct {
	tabulation
	recordKey string
	id        string
	cellKey   string
	seed      flags.Seed
	ptable    string
	noise     int
	variance  float64
	threshold int
	stay      float64
	design    string
	layout    string
	office    string
	magnify   string
	scaling   string
	small     string
	parity    bool
	zeros     bool
	digits    int
	mix       bool
	additive  bool
	attack    bool
	secret    string
}

func NewCellKey() *cobra.Command {
	p := &perturbing{}
	cmd := &cobra.Command{
		Use:   "cellkey FILE... --table SPEC (--record-key COLUMN | --id COLUMN --seed-file FILE) --max-noise D --variance V",
		Short: "Add noise to counts and totals by cell keys, the same for the same records",
		Long: `Count records in tables, as hitoku tabulate does, and add noise to every count: a number looked up
in a perturbation table by the count and the cell key, the fractional part of the sum of the keys of
its records. The same records have the same noise in every table, so that asking twice tells
nothing more. Published counts do not add up; --additive makes them, at the price of more noise.

Keys stand in a column (--record-key), or are drawn from what identifies a record by a keyed hash of
the secret in --seed-file. The perturbation table is designed for the largest entropy with mean 0,
variance V, noise of at most D and no counts from 1 to --threshold, as the R package ptable
does, or read from a file for τ-ARGUS (--ptable). Instead of records, a table with cell keys can be
perturbed (--cell-key).

A table with a response has totals in place of counts, whose noise is proportional to what --magnify
names, by the scale of --scaling and a perturbation table for magnitudes. With a weight, counts and
totals are those of the population.

--attack tells what an intruder makes of the result who knows the perturbation table but no
key: averages over all relations, intervals of the true counts, differences of one record. The exit
code is 1 then where a cell is disclosed.`,
		Example: `  hitoku cellkey persons.csv --table "dims region,age" --id person --seed-file keys.seed --max-noise 3 --variance 2 -o counts.csv
  hitoku cellkey persons.csv --table "dims region,age" --record-key key --ptable ptable.csv --attack --json -o counts.csv
  hitoku cellkey table.csv --cell-key ckey --ptable ptable.csv -o counts.csv`,
		Args:              flags.InputArgs,
		ValidArgsFunction: flags.TableFiles,
		RunE:              func(cmd *cobra.Command, args []string) error { return p.run(cmd, args) },
	}
	flags.Declare(cmd,
		flags.In(flags.RecordsGroup, p.recordFlags()),
		flags.In(flags.ReleaseGroup, []flags.Flag{
			{Name: "record-key", To: &p.recordKey, Excludes: []string{"id", "cell-key"}, Text: "`column` with the record keys, fractions of 1"},
			{Name: "id", To: &p.id, Excludes: []string{"cell-key"}, Text: "`column` that identifies a record, from which its key is drawn"},
			p.seed.FileFlag(),
			{Name: "seed", Rare: true, To: &p.seed.Text, Excludes: []string{"seed-file"}, Text: "`text`: secret that decides all randomness, in place of --seed-file, for trials: others can read it on the command line and guess a short one"},
			{Name: "cell-key", To: &p.cellKey, Beside: []string{"cell-key", "ptable", "max-noise", "variance", "threshold", "stay", "ptable-out", "ptable-layout", "output", "office", "json", "quiet"}, Text: "the input is a table, and this `column` of it has the cell keys"},
			{Name: "ptable", To: &p.ptable, Files: []string{"csv", "txt"}, Excludes: []string{"max-noise", "variance", "threshold", "stay"}, Text: "`file` with the perturbation table, as ptable and destatis write it"},
			{Name: "max-noise", To: &p.noise, Needs: []string{"variance"}, Wanted: true, Unless: []string{"ptable"}, Text: "the largest noise `D` of a perturbation table to design"},
			{Name: "variance", To: &p.variance, Needs: []string{"max-noise"}, Text: "its variance `V`"},
			{Name: "threshold", To: &p.threshold, Needs: []string{"max-noise"}, Text: "no count from 1 to `js` is published"},
			{Name: "stay", Rare: true, To: &p.stay, Needs: []string{"max-noise"}, Text: "the least `chance` of no noise, lowered where the variance needs it"},
			{Name: "magnify", To: &p.magnify, Offer: []string{"top:", "mean", "spread", "value"}, Needs: []string{"ptable", "scaling"}, Text: "what the noise of totals is proportional to: top:K, the K largest contributions; mean; spread, the largest less the smallest; value, the total itself"},
			{Name: "scaling", To: &p.scaling, Needs: []string{"magnify"}, Text: "`N(s1,e2,...)` or F(s0,s1,x,q,e2,...), as τ-ARGUS has them: the share s1 of a contribution, falling to s0 above x by the flex function, times e of the second largest contribution and so on"},
			{Name: "small-ptable", Rare: true, To: &p.small, Files: []string{"csv", "txt"}, Needs: []string{"magnify"}, Text: "`file` with the perturbation table of small contributions", Else: "that of type small_cells in --ptable, if there is one"},
			{Name: "parity", Rare: true, To: &p.parity, Needs: []string{"magnify"}, Text: "take the perturbation tables even and odd, by the number of records"},
			{Name: "zeros", Rare: true, To: &p.zeros, Needs: []string{"magnify"}, Text: "keys of records whose response is 0 count for that of a cell, too"},
			{Name: "key-digits", Rare: true, To: &p.digits, Default: recordkey.Decimals, Range: "[1, ∞)", Needs: []string{"magnify"}, Text: "decimals `N` of the record keys, by which a cell key is turned for each contribution"},
			{Name: "mix-keys", To: &p.mix, Needs: []string{"id"}, Text: "the key of a cell is a keyed hash of the sum of its record keys, so that keys of margins tell nothing of those of their parts"},
			{Name: "ptable-out", To: &p.design, Files: []string{"csv"}, Writes: true, Text: "write the perturbation table to this `file`"},
			{Name: "ptable-layout", Rare: true, To: &p.layout, From: []string{"tauargus", "sas", "destatis"}, Default: "tauargus", Needs: []string{"ptable-out"}, Text: "its layout"},
		}),
		flags.In(flags.OutputGroup, []flags.Flag{
			{Name: "output", Short: "o", To: &p.output, Files: []string{"csv"}, Writes: true, Stdout: true, Text: "write the table to this `file`, or several to NAME.csv in this directory", Else: "standard output", More: "Hierarchies are written beside it as .hrc"},
			{Name: "office", To: &p.office, Files: []string{"csv"}, Writes: true, Text: "write true counts, cell keys and noise of one table to this `file`, which is for the office only"},
			{Name: "additive", To: &p.additive, Excludes: []string{"attack"}, Why: "what adds up tells what the cells without others below them tell", Text: "margins are sums of the published cells below them"},
			{Name: "attack", To: &p.attack, Text: "also what an intruder learns"},
			{Name: "json", To: &p.json, Needs: []string{"output"}, Why: "the tables would go to standard output too", Text: "print one JSON document a table, which is for the office"},
			{Name: "quiet", Short: "q", To: &p.quiet, Text: "say nothing about what was read"},
		}),
	)
	flags.Common(cmd, `--table "dims region,age"`, "--id person", "--max-noise 3", "--variance 2", "-o counts.csv")
	return cmd
}

// recordFlags returns the flags of tabulate about how to count.
func (p *perturbing) recordFlags() []flags.Flag {
	all := slices.DeleteFunc(p.records(), func(f flags.Flag) bool {
		return slices.Contains([]string{"decimal", "thousands", "request"}, f.Name)
	})
	for k := range all {
		if all[k].Name == "table" {
			all[k].Unless = []string{"cell-key"}
			all[k].Text = "`SPEC` of a table, like \"dims A,B; name T\" (hitoku tabulate --help)"
		}
	}
	return all
}

func (p *perturbing) run(cmd *cobra.Command, args []string) error {
	if err := p.checkNoise(args); err != nil {
		return err
	}
	tables, err := p.tables()
	if err != nil {
		return err
	}
	var all []keyed
	records := int64(0)
	if p.cellKey != "" {
		name := strings.TrimSuffix(filepath.Base(args[0]), filepath.Ext(args[0]))
		c, err := cellkey.ReadCSV(args[0], name, p.cellKey)
		if err != nil {
			return err
		}
		all = append(all, &keyedCounts{Counts: c})
	} else {
		if p.id != "" {
			if p.secret, err = p.seed.Secret(cmd.ErrOrStderr()); err != nil {
				return err
			}
		}
		results, n, err := p.results(cmd, args, p.adapt)
		if err != nil {
			return err
		}
		records = n
		for _, r := range results {
			k, err := p.keyed(r)
			if err != nil {
				return err
			}
			all = append(all, k)
		}
	}
	if p.design != "" {
		if err := formats.Save(p.design, func(w io.Writer) error { return tables.Counts.Write(w, p.layout, "") }); err != nil {
			return err
		}
	}
	return p.publish(cmd, tables, all, records)
}

// checkNoise returns an error for flags that conflict.
func (p *perturbing) checkNoise(args []string) error {
	if err := p.check(args); err != nil {
		return err
	}
	switch {
	case p.cellKey != "":
		if len(args) > 1 {
			return i18n.New("--cell-key takes one table")
		}
	case p.recordKey == "" && p.id == "":
		return i18n.New("want --record-key COLUMN, or --id COLUMN and --seed-file FILE: noise is drawn from keys of records")
	case p.id != "":
		return p.seed.Check(append([]string{p.output, p.office, p.design, p.ptable}, args...)...)
	case p.seed != (flags.Seed{}):
		return i18n.New("--seed-file is for keys that --id draws; those of --record-key stand in the file")
	}
	if p.office != "" && len(p.specs) > 1 {
		return i18n.New("--office is about one table")
	}
	return nil
}

// tables designs or reads the perturbation tables.
func (p *perturbing) tables() (cellkey.File, error) {
	if p.ptable == "" {
		t, err := (&cellkey.Design{D: p.noise, V: p.variance, JS: p.threshold, Stay: []float64{p.stay}}).Table()
		if err != nil {
			return cellkey.File{}, i18n.Errorf("--max-noise, --variance: %w", err)
		}
		return cellkey.File{Counts: t}, nil
	}
	f, err := cellkey.Read(p.ptable)
	if err != nil || p.small == "" {
		return f, err
	}
	g, err := cellkey.Read(p.small)
	if err != nil {
		return cellkey.File{}, err
	}
	if f.Small = g.Small; g.Small == nil {
		f.Small = g.All
	}
	if f.Small == nil {
		return cellkey.File{}, i18n.Errorf("%s: no perturbation table of type small_cells or all", p.small)
	}
	return f, nil
}

// adapt adds the record keys to a table.
func (p *perturbing) adapt(_ *tabulate.Source, s *tabulate.Spec) error {
	switch {
	case s.Holding != "":
		return i18n.New("--table: keys are of records, so a table has no holding")
	case s.Response != "" && p.magnify == "":
		return i18n.Errorf("--table: the totals of %s need --magnify and --scaling, which say how large their noise is", s.Response)
	case s.Response == "" && p.magnify != "" && p.ptable != "" && s.Shadow != "":
		return i18n.New("--table: a shadow variable without a response")
	case (s.Response != "" || s.Weight != "") && (p.attack || p.additive):
		return i18n.New("--attack and --additive are for numbers of records, without response and weight")
	}
	if s.Response != "" {
		by, err := cellkey.ParseMagnifier(p.magnify)
		if err != nil {
			return i18n.Errorf("--magnify %w", err)
		}
		if by.Kind == "top" && s.Weight != "" {
			return i18n.New("--magnify top: with weights a contribution stands for several; want mean, spread or value")
		}
		s.Top, s.Least = by.K, by.Kind == "spread"
	}
	s.Rules, s.Key = nil, p.recordKey
	if p.id == "" {
		return nil
	}
	s.Key, s.KeySecret = p.id, p.secret
	return nil
}

// publish perturbs and writes the tables.
func (p *perturbing) publish(cmd *cobra.Command, tables cellkey.File, all []keyed, records int64) error {
	dir := len(all) > 1
	if info, err := os.Stat(p.output); err == nil && info.IsDir() {
		dir = true
	}
	if dir {
		if err := os.MkdirAll(p.output, 0o777); err != nil {
			return i18n.Errorf("-o: %w", err)
		}
	}
	code := cli.Done
	for _, c := range all {
		if err := c.perturb(tables, p); err != nil {
			return err
		}
		name, dims := c.about()
		doc := c.document(tables)
		doc.Records, doc.Additive, doc.File = records, p.additive, p.output
		if counts, ok := c.(*keyedCounts); ok && p.attack {
			a, err := counts.Attack(cmd.Context(), tables.Counts, nil)
			if err != nil {
				return i18n.Errorf("table %s: --attack: %w", name, err)
			}
			switch doc.Attack = attackDocument(counts.Counts, a); doc.Attack.Verdict {
			case document.Unprotected:
				code = cli.Worst(code, cli.Verdict)
			case document.Unsettled:
				code = cli.Worst(code, cli.Limit)
			}
		}
		if dir {
			if strings.ContainsAny(name, `/\`) {
				return i18n.Errorf("table %s: its name cannot be that of a file", name)
			}
			doc.File = filepath.Join(p.output, name+".csv")
		}
		if err := p.write(cmd, c, dims, doc); err != nil {
			return err
		}
	}
	return code.Result()
}

// write writes one table and its report.
func (p *perturbing) write(cmd *cobra.Command, c keyed, dims []table.Dimension, doc *document.Perturbation) error {
	if p.office != "" {
		if err := formats.Save(p.office, c.WriteOffice); err != nil {
			return err
		}
	}
	if doc.File == "" {
		content, err := formats.Released("standard output", released(c, dims), c.WriteCSV)
		if err != nil {
			return err
		}
		if _, err := render.FileOn(cmd.OutOrStdout()).Write(content); err != nil {
			return err
		}
		if !p.quiet {
			return printPerturbation(cmd.ErrOrStderr(), doc)
		}
		return nil
	}
	refuse := refuser(cmd, p.output)
	if err := refuse(doc.File); err != nil {
		return err
	}
	if err := formats.SaveReleased(doc.File, released(c, dims), c.WriteCSV); err != nil {
		return err
	}
	if _, err := writeTrees(doc.File, dims, refuse); err != nil {
		return err
	}
	if p.json {
		return document.Write(cmd.OutOrStdout(), doc)
	}
	return printPerturbation(cmd.OutOrStdout(), doc)
}

// printPerturbation prints the report in words.
func printPerturbation(w io.Writer, doc *document.Perturbation) error {
	name := cmp.Or(doc.File, doc.Table)
	adds := i18n.T("the numbers do not add up")
	if doc.Additive {
		adds = i18n.T("margins are sums of the cells below them")
	}
	render.Tell(w, "%s: noise on %d of %d cells, %d of them published as 0; %s\n", name, doc.Changed, doc.Cells, doc.Zeros, adds)
	render.Tell(w, "  distance: mean %s, at most %s; relative: mean %s, at most %s; Hellinger %s\n",
		short(doc.Absolute.Mean), short(doc.Absolute.Max), short(doc.Relative.Mean), short(doc.Relative.Max), short(doc.Hellinger))
	return printNoiseAttack(w, doc.Attack)
}

// nine rounds x to nine decimals, so that documents are the same on every machine.
func nine(x float64) float64 { return math.Round(x*1e9) / 1e9 }

// short formats a number with at most three decimals.
func short(x float64) string {
	return strconv.FormatFloat(float64(int64(float64(x*1000)+0.5))/1000, 'f', -1, 64)
}
