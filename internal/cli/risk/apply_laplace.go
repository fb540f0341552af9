package risk

import (
	"fmt"
	"io"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"

	"github.com/hitoku/hitoku/internal/cli"
	"github.com/hitoku/hitoku/internal/cli/flags"
	"github.com/hitoku/hitoku/internal/document"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/records"
	"github.com/hitoku/hitoku/risk"
	"github.com/hitoku/hitoku/table"
	"github.com/spf13/cobra"
)

// laplaceApply is hitoku risk laplace.
type laplaceApply struct {
	applyFlags
	columns []string
	ranges  []string
	sigma   []*big.Rat
	k       *big.Rat
	digits  int
	clamp   bool
	missing string
	markers []string
}

// mode returns how missing numbers are treated.
func (p *laplaceApply) mode() risk.Missing {
	if p.missing == "refuse" {
		return risk.Missing{}
	}
	return risk.Missing{Mode: risk.MissingMode(p.missing), Markers: p.markers}
}

// missingFlags returns the flags about how missing numbers are written and treated.
func (p *laplaceApply) missingFlags(needs ...string) []flags.Flag {
	return []flags.Flag{
		{Name: "missing", Rare: true, To: &p.missing, From: []string{"refuse", "own", "drop"}, Default: "refuse", Needs: needs, Text: "what a missing number is: a fault, or it stays missing (own), or its record is left out"},
		{Name: "missing-marker", Rare: true, To: &p.markers, Default: []string{""}, Needs: needs, Text: "`value` that stands for a missing number", Else: "the empty field"},
	}
}

// fewest returns the group for the document: the smallest number, of n records, that lack the same numbers, with a
// remark, or 0 if all lack the same.
func (p *laplaceApply) fewest(cmd *cobra.Command, n, group int64) int64 {
	if group == n {
		return 0
	}
	cli.Note(cmd.ErrOrStderr(), "%d records lack the same numbers as few others, which noise cannot hide: k is that of so many records", group)
	return group
}

// aboutMissing returns a part of the key of a release: where numbers are missing, other records draw, and the same
// noise on two records would disclose their difference.
func (p *laplaceApply) aboutMissing() []string {
	missing := p.mode()
	if missing.Mode == "" {
		return nil
	}
	return []string{fmt.Sprintf("missing %s %q", missing.Mode, missing.Markers)}
}

func newRiskLaplace() *cobra.Command {
	p := &laplaceApply{digits: -1}
	cmd := &cobra.Command{
		Use:   "laplace FILE --attribute X,... (--sigma S,... | --k K) --seed-file FILE -o OUT",
		Short: "Add Laplace noise to columns of a file, and say what that guarantees",
		Long: `Discrete Laplace noise is added to each value of the columns: the value is rounded to a
multiple of g, a power of two of about sigma/2^40, and gets z·g with a chance in proportion to
exp(−|z|·g/sigma), drawn with whole numbers alone. The sum is rounded to --digits decimals, at
most as many as g has. Other columns stay as they are, byte by byte. The records are written
in random order. The file is read several times.

With sigma_c the scale of column c and R_c its range, from rounded value to rounded value,
each link by these columns alone has a chance of at most 1/k,

  k = 1 + (n−1)·exp(−2·Σ R_c/sigma_c) .

With --k each column gets the smallest sigma in proportion to its range that reaches k. The range is that
from the smallest to the largest value in the file, which the noise then tells, unless --range
declares it. A column with range 0 gets no noise.`,
		Example: `  hitoku risk laplace persons.csv --attribute age --k 5 --range age=0,110 --clamp --seed-file noise.seed -o release.csv
  hitoku risk laplace persons.csv --attribute age,income --sigma 10,50000 --seed-file noise.seed -o release.csv`,
		Args: flags.InputArgs,
		RunE: named(p.run),
	}
	flags.Declare(cmd, p.groups(slices.Concat([]flags.Flag{
		{Name: "attribute", To: &p.columns, Split: true, Wanted: true, Text: "`column` of numbers; repeatable, or with commas"},
		{Name: "range", To: &p.ranges, Text: "`COLUMN=LO,HI`: the range of a column; a value outside is an error", Else: "that of the file"},
		{Name: "sigma", To: ratsValue{&p.sigma}, Wanted: true, Unless: []string{"k"}, Excludes: []string{"k"}, Text: "scale of the noise, one for all columns or one each (`numbers` with commas)"},
		{Name: "k", To: ratValue{&p.k}, Range: "[1, ∞)", Text: "target k: find the scales"},
		{Name: "digits", Rare: true, To: &p.digits, Default: -1, Text: "`N` decimals of the results, at most those of the grid", Else: "those of the column"},
		{Name: "clamp", Rare: true, To: &p.clamp, Text: "bring results back to the range"},
	}, p.missingFlags()))...)
	flags.Common(cmd, "--attribute income", "--sigma 30", "--k 2", "--seed-file noise.seed", "-o release.csv")
	return cmd
}

func (p *laplaceApply) run(cmd *cobra.Command, args []string) error {
	path, l, names, err := p.open(cmd, args)
	if err != nil {
		return err
	}
	declared, err := p.declared()
	if err != nil {
		return err
	}
	if err := p.beside.look(cmd, args, l, p.columns); err != nil {
		return err
	}
	missing := p.mode()
	all, n, spans, err := risk.Spans(cmd.Context(), path, l, p.columns, missing)
	if err != nil {
		return err
	}
	if n == 0 {
		return i18n.Errorf("%s: %w", path, records.ErrNone)
	}
	doc := &document.Laplace{Release: p.files(path, all), Target: target(p.k)}
	doc.Group = p.fewest(cmd, all, n)
	d := newMeasure(doc, "laplace")
	columns, lengths, err := p.perturbations(cmd, spans, declared)
	if err != nil {
		return err
	}
	if p.k != nil {
		ok, err := risk.SetNoise(n, columns, p.k)
		if err != nil {
			return err
		}
		if !ok {
			return d.infeasible(cmd, &p.out, i18n.T("no noise reaches k = %s with %d records; nothing is written", p.k.RatString(), n))
		}
	} else if err := p.scale(columns, lengths); err != nil {
		return err
	}
	about := []string{}
	for c := range columns {
		p.round(cmd, &columns[c])
		about = append(about, fmt.Sprintf("%q %d %d", columns[c].Column, columns[c].Noise.Exp, columns[c].Noise.T))
	}
	about = append(about, p.aboutMissing()...)
	k := (&risk.Mixture{Noise: columns}).K(n, n)
	d.limits = p.limit.roughly(k)
	if err := p.save(cmd, d, &doc.Written, p.k != nil, path, about, func(w io.Writer, rng *rand.Rand) error {
		release := p.release(all, all)
		release.Missing = missing
		_, err := (&risk.Mixture{Noise: columns}).Mask(cmd.Context(), w, path, l, release, nil, rng)
		return err
	}); err != nil {
		return err
	}
	p.describe(doc, columns, lengths, declared)
	doc.K = document.Some(k)
	doc.Untouched = p.untouched(cmd, names, p.columns)
	return p.print(cmd, d)
}

// declared checks scales and columns and returns the ranges that --range declares.
func (p *laplaceApply) declared() (map[string][2]table.Decimal, error) {
	if err := once(p.columns); err != nil {
		return nil, err
	}
	if len(p.sigma) > 1 && len(p.sigma) != len(p.columns) {
		return nil, i18n.Errorf("--sigma: %d numbers for %d columns, want 1 or %d", len(p.sigma), len(p.columns), len(p.columns))
	}
	for _, sigma := range p.sigma {
		if sigma.Sign() < 0 {
			return nil, i18n.Errorf("--sigma %s: want at least 0", sigma.RatString())
		}
	}
	declared := map[string][2]table.Decimal{}
	for _, text := range p.ranges {
		name, ends, err := aColumn("range", text)
		if err != nil {
			return nil, err
		}
		if _, dup := declared[name]; dup || !slices.Contains(p.columns, name) {
			return nil, i18n.Errorf("--range %s: want a column of --attribute, once", name)
		}
		var r [2]table.Decimal
		if len(ends) != 2 {
			return nil, i18n.Errorf("--range %s: want COLUMN=LO,HI", text)
		}
		for i, end := range ends {
			if r[i], err = table.ParseDecimal(end); err != nil {
				return nil, i18n.Errorf("--range %s: %w", text, err)
			}
		}
		declared[name] = r
	}
	return declared, nil
}

// perturbations returns the columns with their ranges, and the lengths of these; scales are not set.
func (p *laplaceApply) perturbations(cmd *cobra.Command, spans []risk.Span, declared map[string][2]table.Decimal) (columns []risk.Perturbation, lengths []*big.Rat, err error) {
	for c, name := range p.columns {
		s := spans[c]
		if r, ok := declared[name]; ok {
			s.Min, s.Max = r[0], r[1]
			if s.Length().Sign() < 0 {
				return nil, nil, i18n.Errorf("--range %s: %s is above %s", name, r[0], r[1])
			}
		} else {
			cli.Note(cmd.ErrOrStderr(), "column %s: the scale tells the range %s to %s of the file; --range %s=LO,HI declares one instead", name, s.Min, s.Max, name)
		}
		x := risk.Perturbation{Column: name, Min: s.Min, Max: s.Max, Digits: s.Decimals, Clamp: p.clamp}
		if p.digits >= 0 {
			x.Digits = p.digits
		}
		columns, lengths = append(columns, x), append(lengths, s.Length())
	}
	return columns, lengths, nil
}

// scale gives the columns that are not constant the noise of --sigma.
func (p *laplaceApply) scale(columns []risk.Perturbation, lengths []*big.Rat) (err error) {
	for c := range columns {
		if lengths[c].Sign() <= 0 {
			continue
		}
		if columns[c].Noise, err = risk.NewGrid(p.sigma[min(c, len(p.sigma)-1)]); err != nil {
			return i18n.Errorf("--sigma: %w", err)
		}
	}
	return nil
}

// round gives a column as many decimals as its noise has.
func (p *laplaceApply) round(cmd *cobra.Command, x *risk.Perturbation) {
	most := x.Noise.Digits()
	if x.Noise.T == 0 || x.Digits <= most {
		return
	}
	x.Digits = most
	if p.digits > most {
		cli.Note(cmd.ErrOrStderr(), "column %s: results are multiples of 2^%d and get %d decimals, not %d, which would tell nothing more", x.Column, x.Noise.Exp, most, p.digits)
	}
}

// describe puts what was done to the columns into the document.
func (p *laplaceApply) describe(doc *document.Laplace, columns []risk.Perturbation, lengths []*big.Rat, declared map[string][2]table.Decimal) {
	var sigmas []*big.Rat
	doc.Attributes, doc.Digits = p.columns, []int64{}
	for c := range columns {
		x, step, from := &columns[c], 0.0, "file"
		if _, ok := declared[x.Column]; ok {
			from = "declared"
		}
		if x.Noise.T > 0 {
			step = math.Ldexp(1, x.Noise.Exp)
		}
		sigmas, doc.Digits, doc.Grids, doc.From = append(sigmas, x.Noise.Sigma()), append(doc.Digits, int64(x.Digits)), append(doc.Grids, step), append(doc.From, from)
	}
	doc.Scales = document.Some(floats(sigmas))
	doc.Ranges, doc.RangesFloat = document.Ratios(lengths)
	doc.OrderKnown = p.order()
	doc.Explained = document.Explained{Formula: "1 + (n−1)·exp(−2·Σ range/sigma), ranges between multiples", Source: "Laplace noise for Pk-anonymity, Theorem 6.1"}
}
