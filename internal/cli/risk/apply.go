package risk

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/hitoku/hitoku/document"
	"github.com/hitoku/hitoku/internal/cli"
	"github.com/hitoku/hitoku/internal/cli/flags"
	"github.com/hitoku/hitoku/risk"
	"github.com/hitoku/hitoku/table"
	"github.com/hitoku/hitoku/table/tableio"
)

// applyFlags are what the mechanisms share: they read a file of records, and write it
// changed.
type applyFlags struct {
	seed      flags.Seed
	output    string
	encoding  string
	separator string
	keepOrder bool
	beside    besideFlags
	limit     minK
	out       riskOutput
	refused   bool // for a column that identifies
}

// groups have their flags, behind those of a mechanism.
func (a *applyFlags) groups(mechanism []flags.Flag) []flags.Group {
	return []flags.Group{
		flags.In(flags.RecordsGroup, []flags.Flag{
			a.beside.dropped(),
			flags.Encoding(&a.encoding, "the records"),
			{Name: "separator", To: &a.separator, Text: "`character` between the fields", Else: "of comma, semicolon and tab the most frequent in the header"},
		}),
		flags.In(flags.ReleaseGroup, mechanism),
		a.seed.Group(),
		flags.In(flags.LimitsGroup, []flags.Flag{a.limit.flag()}),
		flags.In(flags.OutputGroup, []flags.Flag{
			{Name: "output", Short: "o", To: &a.output, Files: []string{"csv"}, Writes: true, Wanted: true, Text: "`file` to write, compressed if it ends in .gz; it is complete or untouched"},
			{Name: "keep-order", To: &a.keepOrder, Excludes: []string{"shuffle"}, Text: "write the records in the order of the file instead of a random one; to who knows that order it tells who they are"},
			{Name: "shuffle", To: new(bool), Default: true, Hidden: true}, // now the default
			a.out.flag(),
		}),
	}
}

// open checks the arguments and reads the names of the columns.
func (a *applyFlags) open(args []string) (path string, l risk.Layout, names []string, err error) {
	switch {
	case len(args) != 1:
		return "", l, nil, fmt.Errorf("%d files, want one", len(args))
	case args[0] == "-":
		return "", l, nil, errors.New("standard input cannot be read twice; give a file")
	case len(a.separator) > 1:
		return "", l, nil, fmt.Errorf("--separator %q: want one character", a.separator)
	}
	if err := a.seed.Check(args[0], a.output); err != nil {
		return "", l, nil, err
	}
	l.Encoding = a.encoding
	if a.separator != "" {
		l.Separator = a.separator[0]
	}
	names, err = risk.Header(args[0], l)
	return args[0], l, names, err
}

// save writes the release, unless a limit is not kept or a target was given beside a column that identifies,
// and notes that in done. Releases with
// the same seed share its randomness only if what is drawn is the same: what they are
// about is in the key, see risk.NewRand. A refused one draws no seed.
func (a *applyFlags) save(cmd *cobra.Command, doc *measure, done *document.Written, target bool, path string, about []string, write func(io.Writer, *rand.Rand) error) error {
	words := cmd.ErrOrStderr()
	refused := slices.ContainsFunc(doc.limits, func(l document.Limit) bool { return !l.Met })
	if len(a.beside.found) > 0 {
		a.beside.warn(cmd)
		a.refused = len(doc.limits) > 0 || target
	}
	refused = refused || a.refused
	done.SetWritten(!refused)
	if refused {
		fmt.Fprintln(words, "hitoku: nothing is written")
		return nil
	}
	digest, err := tableio.Digest(path)
	if err != nil {
		return err
	}
	secret, err := a.seed.Secret(words)
	if err != nil {
		return err
	}
	rng := risk.NewRand(cmd.Name(), secret, append(about, digest)...)
	err = tableio.Save(a.output, func(w io.Writer) error { return write(w, rng) })
	if err == nil && a.keepOrder {
		fmt.Fprintln(words, "hitoku: --keep-order: the records are in the order of the file; to who knows that order the release guarantees nothing")
	}
	return err
}

// release is what of a file is published.
func (a *applyFlags) release(n, m int64) risk.Release {
	return risk.Release{N: n, M: m, KeepOrder: a.keepOrder, Drop: a.beside.drop}
}

// order lowers the guarantee of a release whose records are in the order of the file.
func (a *applyFlags) order() (o document.OrderKnown) {
	if a.keepOrder {
		o.K = 1
	}
	return o
}

// files says what was read and written.
func (a *applyFlags) files(path string, n int64) document.Release {
	return document.Release{File: path, Output: a.output, Shuffled: !a.keepOrder, N: n, Beside: a.beside.note()}
}

// print prints the document. No k is reached beside a column that identifies.
func (a *applyFlags) print(cmd *cobra.Command, doc *measure) error {
	err := doc.print(cmd, &a.out)
	if err == nil && a.refused {
		return cli.Verdict
	}
	return err
}

// untouched names the columns that a guarantee leaves out.
func (a *applyFlags) untouched(cmd *cobra.Command, names, columns []string) document.Untouched {
	rest := []string{}
	for _, name := range names {
		if !slices.Contains(columns, name) && !slices.Contains(a.beside.drop, name) {
			rest = append(rest, name)
		}
	}
	if len(rest) > 0 {
		fmt.Fprintf(cmd.ErrOrStderr(), "hitoku: the guarantee is that of %s; published as they are: %s\n", strings.Join(columns, ", "), tableio.ShowList(rest))
	}
	return document.Untouched{Untouched: document.Some(rest)}
}

// named puts the verb before an error, but not before an exit code or a fault of a file.
// An error after an interrupt is the interrupt.
func named(cmd *cobra.Command, err error) error {
	var code cli.Code
	var fault *tableio.Error
	switch {
	case err == nil || errors.As(err, &code):
		return err
	case cmd.Context().Err() != nil:
		fmt.Fprintln(cmd.ErrOrStderr(), "hitoku: interrupted, nothing is written")
		return cli.Limit
	case errors.As(err, &fault):
		return err
	}
	return fmt.Errorf("risk %s: %w", cmd.Name(), err)
}

// aColumn is COLUMN=a,b,c, the list as in a line of CSV.
func aColumn(flag, text string) (name string, values []string, err error) {
	name, list, ok := strings.Cut(text, "=")
	if !ok || name == "" {
		return "", nil, fmt.Errorf("--%s %q: want COLUMN=a,b,...", flag, text)
	}
	values, err = csv.NewReader(strings.NewReader(list)).Read()
	if err != nil {
		return "", nil, fmt.Errorf("--%s %q: want COLUMN=a,b,..., in quotes where a comma is part of a value", flag, text)
	}
	return name, values, nil
}

// once checks columns that are to be changed.
func once(columns []string) error {
	for i, name := range columns {
		if slices.Contains(columns[:i], name) {
			return fmt.Errorf("--attribute %s given twice", name)
		}
	}
	return nil
}

// pramApply is hitoku risk pram.
type pramApply struct {
	applyFlags
	columns []string
	values  []string
	rho     []*big.Rat
	k       *big.Rat
	sample  int64
}

// newRiskPRAM is hitoku risk pram.
func newRiskPRAM() *cobra.Command {
	p := &pramApply{}
	cmd := &cobra.Command{
		Use:   "pram FILE --attribute A,... (--rho RHO,... | --k K) [--sample M] --seed-file FILE -o OUT",
		Short: "Randomise columns of a file by retention–replacement, and say what that guarantees",
		Long: `Each value of the columns is kept with chance rho and otherwise replaced by one of the
column's values, each equally likely, itself included; with --sample, M of the randomised records
are then drawn without replacement. They are written in random order; other columns stay as
they are, byte by byte. Chances are exact fractions. The file is read several times.

The values are those of the file, which the release then tells, unless --values declares
them. The guarantee, that of hitoku risk retention, is about the columns randomised: each
link by them alone has a chance of at most 1/k. With --k the largest rho that reaches k is taken.`,
		Example: `  hitoku risk pram persons.csv --attribute sex,job --rho 0.7 --seed-file pram.seed -o release.csv
  hitoku risk pram persons.csv --attribute job --k 5 --sample 1000 --seed-file pram.seed -o release.csv --json`,
		Args: flags.InputArgs,
		RunE: func(cmd *cobra.Command, args []string) error { return named(cmd, p.run(cmd, args)) },
	}
	flags.Declare(cmd, p.groups([]flags.Flag{
		{Name: "attribute", To: &p.columns, Split: true, Wanted: true, Text: "`column` to randomise; repeatable, or with commas"},
		{Name: "values", To: &p.values, Text: "`COLUMN=a,b,...`: the values of a column", Else: "those of the file"},
		{Name: "rho", To: ratsValue{&p.rho}, Wanted: true, Unless: []string{"k"}, Excludes: []string{"k"}, Text: "chance that a value is kept, one for all columns or one each (`numbers` with commas)"},
		{Name: "k", To: ratValue{&p.k}, Text: "target k: find rho"},
		{Name: "sample", To: &p.sample, Text: "`number` of randomised records to publish", Else: "all"},
	})...)
	return cmd
}

func (p *pramApply) run(cmd *cobra.Command, args []string) error {
	path, l, names, err := p.open(args)
	if err != nil {
		return err
	}
	if err := once(p.columns); err != nil {
		return err
	}
	if len(p.rho) > 1 && len(p.rho) != len(p.columns) {
		return fmt.Errorf("--rho: %d numbers for %d columns, want 1 or %d", len(p.rho), len(p.columns), len(p.columns))
	}
	declared := map[string][]string{}
	for _, text := range p.values {
		name, values, err := aColumn("values", text)
		if err != nil {
			return err
		}
		if !slices.Contains(p.columns, name) || declared[name] != nil {
			return fmt.Errorf("--values %s: want a column of --attribute, once", name)
		}
		declared[name] = values
	}
	if err := p.beside.look(cmd, args, l, p.columns); err != nil {
		return err
	}
	n, sets, err := risk.ValueSets(cmd.Context(), path, l, p.columns)
	if err != nil {
		return err
	}
	if n == 0 {
		return fmt.Errorf("%s: no records", path)
	}
	m := p.sample
	if m == 0 {
		m = n
	}
	if err := risk.CheckSample(n, m); err != nil {
		return fmt.Errorf("--sample: %w", err)
	}
	var columns []risk.Replacement
	var numbers []int64
	for c, name := range p.columns {
		x := risk.Replacement{Column: name, Values: sets[c]}
		if values := declared[name]; values != nil {
			x.Values, x.Declared = values, true
		}
		columns = append(columns, x)
		numbers = append(numbers, int64(len(x.Values)))
	}
	doc := &document.PRAM{Release: p.files(path, n), M: m, Target: target(p.k)}
	d := newMeasure(doc, "pram")
	rho := p.rho
	if p.k != nil {
		if err := targetK(p.k); err != nil {
			return err
		}
		safe, ok := risk.SafeRetention(numbers, n, m, p.k)
		if !ok {
			return d.infeasible(cmd, &p.out, fmt.Sprintf("no retention reaches k = %s with %d records; nothing is written", p.k.RatString(), n))
		}
		rho = []*big.Rat{safe}
	}
	var attributes []risk.Attribute
	from := []string{}
	for c := range columns {
		columns[c].Rho = rho[min(c, len(rho)-1)]
		a := risk.Attribute{Values: numbers[c], Rho: columns[c].Rho}
		if err := a.Check(); err != nil {
			return err
		}
		attributes = append(attributes, a)
		if from = append(from, "file"); columns[c].Declared {
			from[c] = "declared"
		} else {
			fmt.Fprintf(cmd.ErrOrStderr(), "hitoku: column %s: the release tells which %d values the file has; --values %s=... declares them instead\n", p.columns[c], numbers[c], p.columns[c])
		}
	}
	g := risk.Retention(attributes)
	d.limits = p.limit.exactly(g.K(n, m))
	about := []string{}
	for _, x := range columns {
		about = append(about, fmt.Sprintf("%q %s %q", x.Column, x.Rho.RatString(), x.Values))
	}
	if err := p.save(cmd, d, &doc.Written, p.k != nil, path, about, func(w io.Writer, rng *rand.Rand) error {
		return risk.Randomise(cmd.Context(), w, path, l, columns, p.release(n, m), rng)
	}); err != nil {
		return err
	}
	doc.Attributes, doc.Values, doc.From = p.columns, numbers, from
	doc.Rho, doc.RhoFloat = document.Ratios(rho)
	doc.Replaced, doc.OrderKnown, doc.Explained = replaced(g, n, m), p.order(), pramSource
	doc.Untouched = p.untouched(cmd, names, p.columns)
	return p.print(cmd, d)
}

// laplaceApply is hitoku risk laplace.
type laplaceApply struct {
	applyFlags
	columns []string
	ranges  []string
	sigma   []*big.Rat
	k       *big.Rat
	digits  int
	clamp   bool
}

// newRiskLaplace is hitoku risk laplace.
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
		RunE: func(cmd *cobra.Command, args []string) error { return named(cmd, p.run(cmd, args)) },
	}
	flags.Declare(cmd, p.groups([]flags.Flag{
		{Name: "attribute", To: &p.columns, Split: true, Wanted: true, Text: "`column` of numbers; repeatable, or with commas"},
		{Name: "range", To: &p.ranges, Text: "`COLUMN=LO,HI`: the range of a column; a value outside is an error", Else: "that of the file"},
		{Name: "sigma", To: ratsValue{&p.sigma}, Wanted: true, Unless: []string{"k"}, Excludes: []string{"k"}, Text: "scale of the noise, one for all columns or one each (`numbers` with commas)"},
		{Name: "k", To: ratValue{&p.k}, Text: "target k: find the scales"},
		{Name: "digits", To: &p.digits, Default: -1, Text: "decimals of the results, at most those of the grid", Else: "those of the column"},
		{Name: "clamp", To: &p.clamp, Text: "bring results back to the range"},
	})...)
	return cmd
}

func (p *laplaceApply) run(cmd *cobra.Command, args []string) error {
	path, l, names, err := p.open(args)
	if err != nil {
		return err
	}
	if err := once(p.columns); err != nil {
		return err
	}
	if len(p.sigma) > 1 && len(p.sigma) != len(p.columns) {
		return fmt.Errorf("--sigma: %d numbers for %d columns, want 1 or %d", len(p.sigma), len(p.columns), len(p.columns))
	}
	for _, sigma := range p.sigma {
		if sigma.Sign() < 0 {
			return fmt.Errorf("--sigma %s: want at least 0", sigma.RatString())
		}
	}
	declared := map[string][2]table.Decimal{}
	for _, text := range p.ranges {
		name, ends, err := aColumn("range", text)
		if err != nil {
			return err
		}
		if _, dup := declared[name]; dup || !slices.Contains(p.columns, name) {
			return fmt.Errorf("--range %s: want a column of --attribute, once", name)
		}
		var r [2]table.Decimal
		if len(ends) != 2 {
			return fmt.Errorf("--range %s: want COLUMN=LO,HI", text)
		}
		for i, end := range ends {
			if r[i], err = table.ParseDecimal(end); err != nil {
				return fmt.Errorf("--range %s: %w", text, err)
			}
		}
		declared[name] = r
	}
	if err := p.beside.look(cmd, args, l, p.columns); err != nil {
		return err
	}
	n, spans, err := risk.Spans(cmd.Context(), path, l, p.columns)
	if err != nil {
		return err
	}
	if n == 0 {
		return fmt.Errorf("%s: no records", path)
	}
	doc := &document.Laplace{Release: p.files(path, n), Target: target(p.k)}
	d := newMeasure(doc, "laplace")
	var lengths []*big.Rat
	from := []string{}
	columns := make([]risk.Perturbation, len(p.columns))
	for c, name := range p.columns {
		s := spans[c]
		from = append(from, "file")
		if r, ok := declared[name]; ok {
			s.Min, s.Max, from[c] = r[0], r[1], "declared"
			if s.Length().Sign() < 0 {
				return fmt.Errorf("--range %s: %s is above %s", name, r[0], r[1])
			}
		} else {
			fmt.Fprintf(cmd.ErrOrStderr(), "hitoku: column %s: the scale tells the range %s to %s of the file; --range %s=LO,HI declares one instead\n", name, s.Min, s.Max, name)
		}
		lengths = append(lengths, s.Length())
		columns[c] = risk.Perturbation{Column: name, Min: s.Min, Max: s.Max, Digits: s.Decimals, Clamp: p.clamp}
		if p.digits >= 0 {
			columns[c].Digits = p.digits
		}
	}
	if p.k != nil {
		if err := targetK(p.k); err != nil {
			return err
		}
		ok, err := risk.SetNoise(n, columns, p.k)
		if err != nil {
			return err
		}
		if !ok {
			return d.infeasible(cmd, &p.out, fmt.Sprintf("no noise reaches k = %s with %d records; nothing is written", p.k.RatString(), n))
		}
	}
	var scales, grids []float64
	digits := []int64{}
	about := []string{}
	for c := range columns {
		x := &columns[c]
		if p.k == nil && lengths[c].Sign() > 0 {
			if x.Noise, err = risk.NewGrid(p.sigma[min(c, len(p.sigma)-1)]); err != nil {
				return fmt.Errorf("--sigma: %w", err)
			}
		}
		if most := x.Noise.Digits(); x.Noise.T > 0 && x.Digits > most {
			x.Digits = most
			if p.digits > most {
				fmt.Fprintf(cmd.ErrOrStderr(), "hitoku: column %s: results are multiples of 2^%d and get %d decimals, not %d, which would tell nothing more\n", x.Column, x.Noise.Exp, most, p.digits)
			}
		}
		scales, digits = append(scales, floats([]*big.Rat{x.Noise.Sigma()})[0]), append(digits, int64(x.Digits))
		step := 0.0
		if x.Noise.T > 0 {
			step = math.Ldexp(1, x.Noise.Exp)
		}
		grids = append(grids, step)
		about = append(about, fmt.Sprintf("%q %d %d", x.Column, x.Noise.Exp, x.Noise.T))
	}
	k := risk.GridK(n, columns)
	d.limits = p.limit.roughly(k)
	if err := p.save(cmd, d, &doc.Written, p.k != nil, path, about, func(w io.Writer, rng *rand.Rand) error {
		return risk.Perturb(cmd.Context(), w, path, l, columns, p.release(n, n), rng)
	}); err != nil {
		return err
	}
	doc.Attributes, doc.From, doc.Scales, doc.Grids, doc.Digits, doc.K = p.columns, from, document.Some(scales), grids, digits, document.Some(k)
	doc.Ranges, doc.RangesFloat = document.Ratios(lengths)
	doc.OrderKnown = p.order()
	doc.Explained = document.Explained{Formula: "1 + (n−1)·exp(−2·Σ range/sigma), ranges between multiples", Source: "Laplace noise for Pk-anonymity, Theorem 6.1"}
	doc.Untouched = p.untouched(cmd, names, p.columns)
	return p.print(cmd, d)
}

// sampleApply is hitoku risk sample.
type sampleApply struct {
	applyFlags
	m, n0 int64
	p, k  *big.Rat
}

// newRiskSample is hitoku risk sample.
func newRiskSample() *cobra.Command {
	p := &sampleApply{}
	cmd := &cobra.Command{
		Use:   "sample FILE (--m M | --p P | --k K --n0 N0) --seed-file FILE -o OUT",
		Short: "Draw a sample of the records of a file, and say what that guarantees",
		Long: `m of the n records are drawn without replacement, each subset equally likely, and written
byte by byte as they stand, in random order. The file is read several times.

With --n0 the risk against an attacker who knows that many of the n records is shown: that
of hitoku risk sampling. With --k the largest sample that keeps k is drawn. Sampling
alone does not protect against one who knows all the records.`,
		Example: `  hitoku risk sample persons.csv --p 0.1 --n0 100 --seed-file sample.seed -o release.csv
  hitoku risk sample persons.csv --k 5 --n0 100 --seed-file sample.seed -o release.csv`,
		Args: flags.InputArgs,
		RunE: func(cmd *cobra.Command, args []string) error { return named(cmd, p.run(cmd, args)) },
	}
	flags.Declare(cmd, p.groups([]flags.Flag{
		{Name: "m", To: &p.m, Wanted: true, Unless: []string{"p", "k"}, Excludes: []string{"p", "k"}, Text: "`number` of records to publish"},
		{Name: "p", To: ratValue{&p.p}, Excludes: []string{"k"}, Text: "share to publish, exact: m = ⌊p·n⌋ (`number` like 0.1 or 1/3)"},
		{Name: "k", To: ratValue{&p.k}, Text: "target k: find the largest m"},
		{Name: "n0", To: &p.n0, Text: "`number` of records the attacker knows"},
	})...)
	return cmd
}

func (p *sampleApply) run(cmd *cobra.Command, args []string) error {
	path, l, _, err := p.open(args)
	if err != nil {
		return err
	}
	if p.n0 == 0 && (p.k != nil || p.limit.want != nil) {
		return errors.New("k needs --n0, the number of records the attacker knows")
	}
	if err := p.beside.look(cmd, args, l, nil); err != nil {
		return err
	}
	n, err := risk.Count(cmd.Context(), path, l)
	if err != nil {
		return err
	}
	if n == 0 {
		return fmt.Errorf("%s: no records", path)
	}
	// Of the two documents of a sample one is printed, by whether a k or a size was asked for.
	sized, reaching := &document.Sample{Release: p.files(path, n)}, &document.SampleTarget{Release: p.files(path, n)}
	d, written, drawn, hit := newMeasure(sized, "sample"), &sized.Written, &sized.Drawn, &sized.Hit
	m := p.m
	switch {
	case p.p != nil:
		if m, err = risk.SampleSize(n, p.p); err != nil {
			return fmt.Errorf("--p: %w", err)
		}
	case p.k != nil:
		if err := targetK(p.k); err != nil {
			return err
		}
		if err := (risk.Sampling{N: n, N0: p.n0, M: 1}).Check(); err != nil {
			return err
		}
		d, written, drawn, hit = newMeasure(reaching, "sample"), &reaching.Written, &reaching.Drawn, &reaching.Hit
		reaching.Known.N0, reaching.Target = p.n0, target(p.k)
		var ok bool
		if m, ok = risk.MaxSample(n, p.n0, p.k); !ok {
			hit.Risk, hit.K = document.Null[document.Rational](), document.Null[document.Rational]()
			return d.infeasible(cmd, &p.out, fmt.Sprintf("no sample of %d records keeps k = %s against %d known ones; nothing is written", n, p.k.RatString(), p.n0))
		}
	}
	s := risk.Sampling{N: n, N0: max(p.n0, 1), M: m}
	if p.n0 < 0 {
		s.N0 = p.n0 // for the message
	}
	if err := s.Check(); err != nil {
		return err
	}
	k := new(big.Rat).Inv(s.Risk())
	if p.n0 > 0 {
		d.limits = p.limit.exactly(k)
	}
	if err := p.save(cmd, d, written, p.k != nil, path, nil, func(w io.Writer, rng *rand.Rand) error {
		return risk.Sample(cmd.Context(), w, path, l, p.release(n, m), rng)
	}); err != nil {
		return err
	}
	drawn.M = document.Some(m)
	drawn.P, drawn.PFloat = document.Ratio(big.NewRat(m, n))
	if p.n0 > 0 {
		sized.Known.N0 = p.n0
		hit.Risk, hit.RiskFloat = document.Ratio(s.Risk())
		hit.K, hit.KFloat = document.Ratio(k)
		hit.OrderKnown = p.order()
		hit.Reference = document.Reference{Formula: "n0/(n−m+1), 1 if n−n0 < m−1", Source: "Kikuchi, Claim 4.1"}
	}
	return p.print(cmd, d)
}
