package risk

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"math/big"
	"math/bits"
	"math/rand/v2"
	"slices"

	"github.com/spf13/cobra"

	"github.com/hitoku/hitoku/internal/cli"
	"github.com/hitoku/hitoku/internal/cli/flags"
	"github.com/hitoku/hitoku/internal/cli/render"
	"github.com/hitoku/hitoku/internal/document"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/records"
	"github.com/hitoku/hitoku/risk"
	"github.com/hitoku/hitoku/table"
)

// mixApply is hitoku risk mix.
type mixApply struct {
	applyFlags
	noise     laplaceApply // mix shares some of its flags
	columns   []string
	values    []string
	matrices  []string
	bits      []string
	invariant bool
	rho       []*big.Rat
	k         *big.Rat
	weight    string
	sample    int64
	share     *big.Rat
}

func newRiskMix() *cobra.Command {
	p := &mixApply{}
	p.noise.digits = -1
	cmd := &cobra.Command{
		Use:   "mix FILE [--attribute A,...] [--matrix A=FILE] [--bits A=LO,HI] [--number X,...] (--rho RHO,... --sigma S,... | --k K) --seed-file FILE -o OUT",
		Short: "Change categories and numbers of a file in one pass, and say what that guarantees",
		Long: `Each value is changed by itself:

  --attribute   kept with chance rho, else one of the column's values, each equally likely; with
                --invariant that of a random record, which keeps the expected counts
  --matrix      by a matrix of chances like that of hitoku risk matrix, with names; with
                --invariant by the invariant matrix made from it and the counts of the file
  --bits        each bit of a whole number LO … HI is kept with chance rho, else 0 or 1
  --number      Laplace noise as of hitoku risk laplace

Then M records are drawn (--sample), or each with a chance of its own (--share). Each link by the
columns changed alone has a chance of at most 1/k: the ratios of all columns multiply,

  k = 1 + (n−m)·alpha + (m−1)·beta,   noise: alpha = exp(−R/sigma), beta = alpha² .

With --k one rho is found for all columns but those of --matrix, the largest that reaches k, with
sigma = tan(w·(1−rho)) times the range of each --number. The file is read several times.`,
		Example: `  hitoku risk mix persons.csv --attribute sex,job --number age --k 5 --seed-file mix.seed -o release.csv
  hitoku risk mix persons.csv --matrix job=job.csv --invariant --share 0.1 --seed-file mix.seed -o release.csv`,
		Args: flags.InputArgs,
		RunE: named(p.run),
	}
	flags.Declare(cmd, p.groups(slices.Concat([]flags.Flag{
		{Name: "attribute", To: &p.columns, Split: true, Wanted: true, Unless: []string{"matrix", "bits", "number"}, Text: "`column` for retention–replacement; repeatable, or with commas"},
		{Name: "values", To: &p.values, Text: "`COLUMN=a,b,...`: the values of a column of --attribute", Else: "those of the file"},
		{Name: "matrix", To: &p.matrices, Text: "`COLUMN=FILE`: a column changed by the chances of a file with names"},
		{Name: "invariant", To: &p.invariant, Text: "keep the expected number of records with each value"},
		{Name: "bits", To: &p.bits, Text: "`COLUMN=LO,HI`: a column of whole numbers changed bit by bit"},
		{Name: "rho", To: ratsValue{&p.rho}, Excludes: []string{"k"}, Text: "chance that a value or bit is kept, one for all columns of --attribute and --bits or one each (`numbers` with commas)"},
		{Name: "number", To: &p.noise.columns, Split: true, Text: "`column` of numbers that gets noise; repeatable, or with commas"},
		{Name: "range", To: &p.noise.ranges, Needs: []string{"number"}, Text: "`COLUMN=LO,HI`: the range of a column of --number; a value outside is an error", Else: "that of the file"},
		{Name: "sigma", To: ratsValue{&p.noise.sigma}, Needs: []string{"number"}, Excludes: []string{"k"}, Text: "scale of the noise, one for all columns or one each (`numbers` with commas)"},
		{Name: "digits", To: &p.noise.digits, Default: -1, Needs: []string{"number"}, Text: "`N` decimals of numbers with noise, at most those of the grid", Else: "those of the column"},
		{Name: "clamp", To: &p.noise.clamp, Needs: []string{"number"}, Text: "bring numbers with noise back to their range"},
		{Name: "k", To: ratValue{&p.k}, Range: "[1, ∞)", Text: "target k: find rho and sigma"},
		{Name: "weight", To: &p.weight, From: []string{"pi/4", "pi/2"}, Default: "pi/4", Needs: []string{"k"}, Text: "w of sigma = tan(w·(1−rho))"},
		{Name: "sample", To: &p.sample, Excludes: []string{"share"}, Text: "`number` of changed records to publish", Else: "all"},
		{Name: "share", To: ratValue{&p.share}, Text: "publish each record by itself with this chance, exact (`number` like 0.1 or 1/3)"},
	}, p.noise.missingFlags("number")))...)
	flags.Common(cmd, "--attribute sex,job", "--number income", "--k 5", "--seed-file mix.seed", "-o release.csv")
	return cmd
}

// mixing is a run of hitoku risk mix.
type mixing struct {
	*mixApply
	cmd     *cobra.Command
	path    string
	l       risk.Layout
	n, m    int64
	group   int64       // the fewest records that lack the same numbers, or n
	spans   []risk.Span // the ranges of numeric attributes
	mixture risk.Mixture
	free    []*document.MixedColumn // columns whose rho --k finds, in the order of the mixture
	counts  map[string][]int64      // numbers of records, keyed by the column of --attribute
	lengths []*big.Rat              // the lengths of the ranges
	doc     *document.Mixture
}

func (p *mixApply) run(cmd *cobra.Command, args []string) error {
	path, l, names, err := p.open(cmd, args)
	if err != nil {
		return err
	}
	x := &mixing{mixApply: p, cmd: cmd, path: path, l: l, counts: map[string][]int64{}}
	changed, err := x.names()
	if err != nil {
		return err
	}
	if err := p.beside.look(cmd, args, l, changed); err != nil {
		return err
	}
	if err := x.records(); err != nil {
		return err
	}
	if x.n == 0 {
		return i18n.Errorf("%s: %w", path, records.ErrNone)
	}
	x.m = cmp.Or(p.sample, x.n)
	if err := (risk.Sampling{N: x.n, M: x.m, N0: x.n}).Check(); err != nil {
		return i18n.Errorf("--sample: %w", err)
	}
	x.doc = &document.Mixture{Release: p.files(path, x.n), Target: target(p.k), Columns: []document.MixedColumn{}}
	x.doc.Group = p.noise.fewest(cmd, x.n, x.group)
	d := newMeasure(x.doc, "mix")
	if err := x.columnsOf(); err != nil {
		return err
	}
	if p.k != nil {
		ok, err := x.find()
		if err != nil {
			return err
		}
		if !ok {
			return d.infeasible(cmd, &p.out, i18n.T("no retention and noise reach k = %s with %d records; nothing is written", p.k.RatString(), x.group))
		}
	} else if err := x.given(); err != nil {
		return err
	}
	for c := range x.mixture.Noise {
		p.noise.round(cmd, &x.mixture.Noise[c])
	}
	k := x.guarantee(x.mixture, x.worst())
	d.limits = p.limit.roughly(k)
	written := x.m
	if err := p.save(cmd, d, &x.doc.Written, p.k != nil, path, x.about(), func(w io.Writer, rng *rand.Rand) (err error) {
		release := p.release(x.n, x.m)
		release.Missing = p.noise.mode()
		written, err = x.mixture.Mask(cmd.Context(), w, path, l, release, p.share, rng)
		return err
	}); err != nil {
		return err
	}
	x.describe(k, written)
	x.doc.Untouched = p.untouched(cmd, names, changed)
	return x.print(d)
}

// print prints the document, with a table of the columns.
func (x *mixing) print(d *measure) error {
	t := render.NewColumns(2, "column", "changed by", "values", "rho", "range", "sigma", "alpha", "beta").Words(1)
	filled(t, x.doc.Columns, func(c document.MixedColumn) []any {
		return []any{c.Column, c.Mechanism, c.Values, c.Rho, c.Range, c.Sigma, c.Alpha, c.Beta}
	})
	d.doc.Judge(d.limits)
	err := x.out.print(x.cmd, d.doc, func(w io.Writer) {
		d.table(w)
		fmt.Fprintln(w)
		t.Print(w)
	}, d.limits)
	if err == nil && x.refused {
		return cli.Verdict
	}
	return err
}

// worst returns the number of published records for which k is least; with --share all records may be published.
func (x *mixing) worst() int64 {
	if x.share != nil {
		return x.n
	}
	return x.m
}

// guarantee returns k of a mixture with that many records published. Noise distinguishes records that lack different
// numbers, so k is that of the smallest group that lacks the same, and no more of a group can be published than it has.
func (x *mixing) guarantee(m risk.Mixture, published int64) float64 {
	return m.K(x.group, min(published, x.group))
}

// records counts the records, without those that a missing number excludes, and examines the numbers.
func (x *mixing) records() (err error) {
	if len(x.noise.columns) == 0 {
		x.n, err = risk.Count(x.cmd.Context(), x.path, x.l)
		x.group = x.n
		return err
	}
	missing := x.noise.mode()
	if x.invariant && missing.Mode == risk.Drop {
		return i18n.New("--invariant: counts are those of all records, and --missing drop leaves some out: want --missing own or refuse")
	}
	x.n, x.group, x.spans, err = risk.Spans(x.cmd.Context(), x.path, x.l, x.noise.columns, missing)
	return err
}

// names returns all columns that are changed, each once.
func (x *mixing) names() ([]string, error) {
	all := slices.Concat(x.columns, x.noise.columns)
	for _, list := range []struct {
		flag  string
		texts []string
	}{{"matrix", x.matrices}, {"bits", x.bits}} {
		for _, text := range list.texts {
			name, _, err := aColumn(list.flag, text)
			if err != nil {
				return nil, err
			}
			all = append(all, name)
		}
	}
	for i, name := range all {
		if slices.Contains(all[:i], name) {
			return nil, i18n.Errorf("column %s is to be changed twice", name)
		}
	}
	return all, nil
}

// columnsOf reads what the mixture needs from the file; chances and scales are not set.
func (x *mixing) columnsOf() error {
	if err := x.attributes(); err != nil {
		return err
	}
	if err := x.transitions(); err != nil {
		return err
	}
	for _, text := range x.bits {
		name, ends, err := aColumn("bits", text)
		if err != nil {
			return err
		}
		b := risk.Bits{Column: name}
		if len(ends) != 2 {
			return i18n.Errorf("--bits %s: want COLUMN=LO,HI", text)
		}
		for i, to := range []*int64{&b.Low, &b.High} {
			v, err := table.ParseDecimal(ends[i])
			whole, ok := v.At(0)
			if err != nil || !ok {
				return i18n.Errorf("--bits %s: want whole numbers LO,HI", text)
			}
			*to = whole
		}
		if b.High < b.Low {
			return i18n.Errorf("--bits %s: %d is above %d", text, b.Low, b.High)
		}
		x.mixture.Bits = append(x.mixture.Bits, b)
	}
	if len(x.noise.columns) == 0 {
		return nil
	}
	declared, err := x.noise.declared()
	if err != nil {
		return err
	}
	x.mixture.Noise, x.lengths, err = x.noise.perturbations(x.cmd, x.spans, declared)
	return err
}

// attributes adds the columns of retention–replacement.
func (x *mixing) attributes() error {
	p := pramApply{columns: x.columns, values: x.values}
	declared, err := p.declared()
	if err != nil {
		return err
	}
	_, sets, counts, err := risk.ValueCounts(x.cmd.Context(), x.path, x.l, x.columns)
	if err != nil {
		return err
	}
	for c, name := range x.columns {
		r := risk.Replacement{Column: name, Values: sets[c]}
		if v := declared[name]; v != nil {
			if x.invariant {
				return i18n.Errorf("--values %s: with --invariant the values are those of the file", name)
			}
			r.Values, r.Declared = v, true
		} else {
			cli.Note(x.cmd.ErrOrStderr(), "column %s: the release tells which %d values the file has; --values %s=... declares them instead", name, len(sets[c]), name)
		}
		x.counts[name] = counts[c]
		x.mixture.Replace = append(x.mixture.Replace, r)
	}
	return nil
}

// transitions adds the columns changed by a matrix.
func (x *mixing) transitions() error {
	for _, text := range x.matrices {
		name, file, err := aColumn("matrix", text)
		if err != nil || len(file) != 1 {
			return i18n.Errorf("--matrix %s: want COLUMN=FILE", text)
		}
		a, before, after, err := readNamedMatrix(file[0])
		if err != nil {
			return err
		}
		if before == nil {
			return i18n.Errorf("--matrix %s: %s: want names of values in the first line and the first column", name, file[0])
		}
		t := risk.Transition{Column: name, Before: before, After: after, Declared: true, Chances: a}
		if x.invariant {
			_, values, counts, err := risk.ValueCounts(x.cmd.Context(), x.path, x.l, []string{name})
			if err != nil {
				return err
			}
			number := make([]int64, len(before))
			for i, v := range values[0] {
				if at := slices.Index(before, v); at >= 0 { // other values are an error when they occur
					number[at] = counts[0][i]
				}
			}
			t.Chances, t.After = risk.Invariant(a, number), before
		}
		x.mixture.Transit = append(x.mixture.Transit, t)
	}
	return nil
}

// set gives all columns except those of matrices a chance, one for all or one each, and with --invariant their
// matrices.
func (x *mixing) set(rho []*big.Rat) (m risk.Mixture) {
	at := 0
	next := func() *big.Rat {
		r := rho[min(at, len(rho)-1)]
		at++
		return r
	}
	m.Transit = slices.Clone(x.mixture.Transit)
	for _, r := range x.mixture.Replace {
		r.Rho = next()
		if x.invariant {
			m.Transit = append(m.Transit, risk.Transition{Column: r.Column, Before: r.Values, After: r.Values, Chances: risk.Proportional(r.Rho, x.counts[r.Column])})
			continue
		}
		m.Replace = append(m.Replace, r)
	}
	for _, b := range x.mixture.Bits {
		b.Rho = next()
		m.Bits = append(m.Bits, b)
	}
	m.Noise = x.mixture.Noise
	return m
}

// kept returns how many columns have a chance to be kept.
func (x *mixing) kept() int { return len(x.mixture.Replace) + len(x.mixture.Bits) }

// given takes chances and scales from the flags.
func (x *mixing) given() error {
	switch n := x.kept(); {
	case n > 0 && x.rho == nil:
		return i18n.New("--attribute, --bits: want --rho or --k")
	case n == 0 && x.rho != nil:
		return i18n.New("--rho: no column of --attribute or --bits")
	case len(x.rho) > 1 && len(x.rho) != n:
		return i18n.Errorf("--rho: %d numbers for %d columns, want 1 or %d", len(x.rho), n, n)
	case len(x.noise.columns) > 0 && x.noise.sigma == nil:
		return i18n.New("--number: want --sigma or --k")
	}
	for _, r := range x.rho {
		if err := (risk.Attribute{Values: 2, Rho: r}).Check(); err != nil {
			return i18n.Errorf("--rho: %w", err)
		}
	}
	if err := x.noise.scale(x.mixture.Noise, x.lengths); err != nil {
		return err
	}
	x.remember(x.rho)
	x.mixture = x.set(x.rho)
	return nil
}

// remember starts the descriptions of the columns that have a chance to be kept.
func (x *mixing) remember(rho []*big.Rat) {
	at := 0
	add := func(column, mechanism string, values int64, declared bool) {
		c := &document.MixedColumn{Column: column, Mechanism: mechanism, Values: document.Some(values), From: map[bool]string{true: "declared", false: "file"}[declared]}
		c.Rho, _ = document.Ratio(rho[min(at, len(rho)-1)])
		x.free = append(x.free, c)
		at++
	}
	for _, r := range x.mixture.Replace {
		add(r.Column, map[bool]string{true: "proportional", false: "retention"}[x.invariant], int64(len(r.Values)), r.Declared)
	}
	for _, b := range x.mixture.Bits {
		add(b.Column, "bits", int64(bits.Len64(uint64(b.High-b.Low))), true)
	}
}

// chanceUnit is the step of the chances that find tries: 12 decimals.
const chanceUnit = 1_000_000_000_000

// find sets the largest chance with 12 decimals, the same for all columns, that reaches k, and the noise that goes with
// it.
func (x *mixing) find() (bool, error) {
	if x.kept() == 0 && len(x.noise.columns) == 0 {
		return false, i18n.New("--k: no column of --attribute, --bits or --number")
	}
	w := math.Pi / 4
	if x.weight == "pi/2" {
		w = math.Pi / 2
	}
	sigma := func(j int64) float64 { return math.Tan(w * float64(chanceUnit-j) / chanceUnit) }
	reaches := func(j int64) (bool, error) {
		rho := big.NewRat(j, chanceUnit)
		for c := range x.mixture.Noise {
			length, _ := x.lengths[c].Float64()
			s := new(big.Rat).SetFloat64(sigma(j) * length)
			if s == nil || x.weight == "pi/2" && j == 0 {
				return false, i18n.Errorf("column %s: no scale", x.mixture.Noise[c].Column)
			}
			var err error
			if x.mixture.Noise[c].Noise, err = risk.NewGrid(s); err != nil {
				return false, i18n.Errorf("column %s: %w", x.mixture.Noise[c].Column, err)
			}
		}
		m := x.set([]*big.Rat{rho})
		if len(m.Noise) == 0 {
			return m.Guarantee().K(x.group, min(x.worst(), x.group)).Cmp(x.k) >= 0, nil
		}
		const slack = 1e-13 // allows for floating-point rounding
		return new(big.Rat).SetFloat64(x.guarantee(m, x.worst())*(1-slack)).Cmp(x.k) >= 0, nil
	}
	low, high := int64(0), int64(chanceUnit)
	if x.weight == "pi/2" && len(x.mixture.Noise) > 0 {
		low = 1000 // at which the scale is 6·10^8 ranges
	}
	if ok, err := reaches(low); !ok || err != nil {
		return false, err
	}
	if ok, err := reaches(high); err != nil {
		return false, err
	} else if ok {
		low = high
	}
	for high-low > 1 { // invariant: low reaches k, high does not
		mid := low + (high-low)/2
		ok, err := reaches(mid)
		if err != nil {
			return false, err
		}
		if ok {
			low = mid
		} else {
			high = mid
		}
	}
	if _, err := reaches(low); err != nil {
		return false, err
	}
	rho := []*big.Rat{big.NewRat(low, chanceUnit)}
	x.doc.Rho, _ = document.Ratio(rho[0])
	if len(x.mixture.Noise) > 0 {
		x.doc.Sigma = document.Some(sigma(low))
	}
	x.remember(rho)
	x.mixture = x.set(rho)
	return true, nil
}

// about returns what the release is made from, for its key.
func (x *mixing) about() (list []string) {
	m := &x.mixture
	for _, r := range m.Replace {
		list = append(list, fmt.Sprintf("%q %s %q", r.Column, r.Rho.RatString(), r.Values))
	}
	for _, t := range m.Transit {
		text := fmt.Sprintf("%q %q %q", t.Column, t.Before, t.After)
		for _, row := range t.Chances {
			for _, c := range row {
				text += " " + c.RatString()
			}
		}
		list = append(list, text)
	}
	for _, b := range m.Bits {
		list = append(list, fmt.Sprintf("%q bits %d %d %s", b.Column, b.Low, b.High, b.Rho.RatString()))
	}
	for _, p := range m.Noise {
		list = append(list, fmt.Sprintf("%q %d %d", p.Column, p.Noise.Exp, p.Noise.T))
	}
	if x.share != nil {
		list = append(list, "share "+x.share.RatString())
	}
	return append(append(list, x.noise.aboutMissing()...), fmt.Sprint("m ", x.m))
}

// describe puts what was done to the columns into the document.
func (x *mixing) describe(k float64, written int64) {
	doc := x.doc
	ratios := func(c *document.MixedColumn, g risk.Guarantee) {
		c.Alpha, _ = g.Alpha.Float64()
		c.Beta, _ = g.Beta.Float64()
		doc.Columns = append(doc.Columns, *c)
	}
	one := func(m risk.Mixture) risk.Guarantee { return m.Guarantee() }
	free := x.free
	take := func() *document.MixedColumn { c := free[0]; free = free[1:]; return c }
	m := &x.mixture
	matrices := len(x.matrices)
	for _, r := range m.Replace {
		ratios(take(), one(risk.Mixture{Replace: []risk.Replacement{r}}))
	}
	for _, t := range m.Transit[matrices:] { // --attribute --invariant
		ratios(take(), t.Chances.Guarantee())
	}
	for _, b := range m.Bits {
		ratios(take(), b.Guarantee())
	}
	for _, t := range m.Transit[:matrices] {
		c := &document.MixedColumn{Column: t.Column, Mechanism: "matrix", Values: document.Some(int64(len(t.Before))), From: "declared"}
		if x.invariant {
			c.Mechanism = "invariant matrix"
		}
		ratios(c, t.Chances.Guarantee())
	}
	for i, p := range m.Noise {
		c := document.MixedColumn{Column: p.Column, Mechanism: "laplace", From: "file", Digits: document.Some(int64(p.Digits))}
		if slices.ContainsFunc(x.noise.ranges, func(text string) bool { name, _, _ := aColumn("range", text); return name == p.Column }) {
			c.From = "declared"
		}
		c.Range, _ = document.Ratio(x.lengths[i])
		s, _ := p.Noise.Sigma().Float64()
		c.Sigma = document.Some(s)
		alone := risk.Mixture{Noise: []risk.Perturbation{p}}
		c.Alpha, c.Beta = alone.K(2, 1)-1, alone.K(2, 2)-1
		doc.Columns = append(doc.Columns, c)
	}
	doc.M, doc.K = document.SomeIf(x.share == nil, x.m), document.Some(k)
	done, _ := doc.Written.Written.Get()
	if x.share != nil {
		doc.Share, _ = document.Ratio(x.share)
		if done && written > 0 {
			doc.M, doc.KOfThisSize = document.Some(written), document.Some(x.guarantee(*m, written))
		}
	} else if x.m < x.n {
		doc.KWithout = document.Some(x.guarantee(*m, x.n))
	}
	doc.OrderKnown = x.order()
	doc.Explained = document.Explained{Formula: "1 + (n−m)·alpha + (m−1)·beta, products over the columns; noise: exp(−R/sigma) and its square", Source: "Kikuchi, Theorem 5.1; Laplace noise for Pk-anonymity, section 6.1"}
}
