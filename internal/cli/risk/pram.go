package risk

import (
	"encoding/csv"
	"fmt"
	"math/big"
	"slices"
	"strconv"

	"github.com/hitoku/hitoku/internal/exact/num"

	"github.com/spf13/cobra"

	"github.com/hitoku/hitoku/internal/cli"
	"github.com/hitoku/hitoku/internal/cli/flags"
	"github.com/hitoku/hitoku/internal/document"
	"github.com/hitoku/hitoku/internal/formats"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/risk"
)

// replaced returns what a guarantee means for n records of which m are published.
func replaced(g risk.Guarantee, n, m int64) (d document.Replaced) {
	d.Alpha, d.AlphaFloat = document.Ratio(g.Alpha)
	d.Beta, d.BetaFloat = document.Ratio(g.Beta)
	d.K, d.KFloat = document.Ratio(g.K(n, m))
	if m < n {
		d.KPRAMOnly, d.KPRAMOnlyReal = document.Ratio(g.K(n, n))
	}
	return d
}

// pramSource is the source of that formula.
var pramSource = document.Explained{Formula: "1 + (n−m)·alpha + (m−1)·beta", Source: "Kikuchi, Theorem 5.1"}

// largest finds the largest m for k, or reports that there is none; d then has only alpha and beta.
func (r *releaseFlags) largest(cmd *cobra.Command, o *riskOutput, doc *measure, d *document.Replaced, g risk.Guarantee, k *big.Rat) (ok bool, err error) {
	m, ok := g.MaxSample(r.n, k)
	if !ok {
		d.Alpha, d.AlphaFloat = document.Ratio(g.Alpha)
		d.Beta, d.BetaFloat = document.Ratio(g.Beta)
		return false, doc.infeasible(cmd, o, i18n.T("no sample reaches k = %s: one record published reaches %s", k.RatString(), both(g.K(r.n, 1))))
	}
	r.m = m
	return true, nil
}

// retentionRisk is hitoku risk retention.
type retentionRisk struct {
	releaseFlags
	values, rho []*big.Rat
	k           *big.Rat
	different   bool
	limit       minK
	out         riskOutput
}

func newRiskRetention() *cobra.Command {
	s := &retentionRisk{}
	cmd := &cobra.Command{
		Use:   "retention --n N [--m M] --values V,... (--rho RHO,... | --k K)",
		Short: "Guarantee of retention–replacement, or the retention or sample for a target",
		Long: `Each attribute of a record is kept with chance rho and otherwise replaced by one of
its V values, each equally likely, itself included; then m of n records are published.
Against an attacker who knows the whole table, each link has a chance of at most 1/k,

  k = 1 + (n−m)·alpha + (m−1)·beta,   alpha = Π (1−rho)/(1+(V−1)rho),   beta = alpha².

With --k and no --rho the largest rho, the same for all attributes, is found, rounded down to
12 decimals so that k is reached exactly; with both, the largest m. Exit code 1 if
there is none.`,
		Example: `  hitoku risk retention --n 10000 --m 2000 --values 2,5 --rho 0.3,0.6
  hitoku risk retention --n 1000 --m 100 --values 10 --k 3
  hitoku risk retention --n 1000 --values 2 --rho 0.5 --k 200`,
		Args: cli.NoArgs,
		RunE: named(s.run),
	}
	flags.Declare(cmd, released(append(s.flags(), []flags.Flag{
		{Name: "values", To: ratsValue{&s.values}, Wanted: true, Text: "number of values of each attribute (`numbers` with commas)"},
		{Name: "rho", To: ratsValue{&s.rho}, Wanted: true, Unless: []string{"k"}, Text: "chance that a value is kept, one for all attributes or one each (`numbers` with commas)"},
		{Name: "k", To: ratValue{&s.k}, Range: "[1, ∞)", Text: "target k: find rho, or m where --rho is given"},
		{Name: "different", To: &s.different, Needs: []string{"rho"}, Text: "a replacement is one of the other values; rho is then the chance that a value stays"},
	}...), &s.limit, &s.out)...)
	flags.Common(cmd, "--n 1000", "--values 2,10", "--rho 0.7", "--k 5", "--m 200")
	return cmd
}

func (s *retentionRisk) run(cmd *cobra.Command, _ []string) error {
	findM := s.k != nil && s.rho != nil
	if findM && s.m != 0 {
		return i18n.New("--rho and --k find m; leave out --m")
	}
	if err := s.releaseFlags.check(); err != nil {
		return err
	}
	values, err := wholes("values", s.values)
	if err != nil {
		return err
	}
	if s.rho != nil && len(s.rho) != 1 && len(s.rho) != len(values) {
		return i18n.Errorf("--rho: %d numbers for %d attributes, want 1 or %d", len(s.rho), len(values), len(values))
	}
	doc := &document.Retention{N: s.n, Values: values, Different: s.different, Target: target(s.k)}
	m := newMeasure(doc, "retention")
	rho := s.rho
	if rho == nil {
		safe, ok := risk.SafeRetention(values, s.n, s.m, s.k)
		if !ok {
			doc.M, doc.Rho = document.Some(s.m), document.Null[[]document.Rational]()
			return m.infeasible(cmd, &s.out, i18n.T("no retention reaches k = %s: complete replacement reaches %d", s.k.RatString(), s.n))
		}
		rho = []*big.Rat{safe}
	}
	var attributes []risk.Attribute
	for i, v := range values {
		a := risk.Attribute{Values: v, Rho: rho[min(i, len(rho)-1)], Different: s.different}
		if err := a.Check(); err != nil {
			return err
		}
		attributes = append(attributes, a)
	}
	g := risk.Retention(attributes)
	if findM {
		if ok, err := s.largest(cmd, &s.out, m, &doc.Replaced, g, s.k); !ok {
			return err
		}
	}
	doc.M, doc.Replaced, doc.Explained = document.Some(s.m), replaced(g, s.n, s.m), pramSource
	doc.Rho, doc.RhoFloat = document.Ratios(rho)
	m.limits = s.limit.exactly(g.K(s.n, s.m))
	return m.print(cmd, &s.out)
}

// matrixRisk is hitoku risk matrix.
type matrixRisk struct {
	releaseFlags
	k       *big.Rat
	sharper bool
	limit   minK
	out     riskOutput
}

func newRiskMatrix() *cobra.Command {
	s := &matrixRisk{}
	cmd := &cobra.Command{
		Use:   "matrix FILE.csv --n N [--m M | --k K]",
		Short: "Guarantee of PRAM with a matrix of transition probabilities",
		Long: `FILE.csv holds the chances A[u][u'] that a value u becomes u': a row for each value
before, a column for each value after, numbers like 0.75 or 3/4, rows that add up to 1. If
the first field is not a number, the first line and the first column are names. m of n
randomised records are published. Against an attacker who knows the whole table,
each link has a chance of at most 1/k,

  k = 1 + (n−m)·alpha + (m−1)·beta
  alpha = min A[v][u']/A[u][u'],   beta = min A[u][v']A[v][u']/(A[u][u']A[v][v']) .

With --k the largest m that reaches k is found; exit code 1 if there is none.`,
		Example: `  hitoku risk matrix transitions.csv --n 1000 --m 200`,
		Args:    flags.InputArgs,
		RunE:    named(s.run),
	}
	flags.Declare(cmd, released(append(s.flags(), []flags.Flag{
		{Name: "k", To: ratValue{&s.k}, Range: "[1, ∞)", Excludes: []string{"m", "sharper"}, Text: "target k: find the largest m"},
		{Name: "sharper", Rare: true, To: &s.sharper, Text: "show also the larger k by taking alpha and beta at the same target; limits are on it"},
	}...), &s.limit, &s.out)...)
	flags.Common(cmd, "--n 1000", "--m 200", "--k 5", "--min-k 5", "--json")
	return cmd
}

func (s *matrixRisk) run(cmd *cobra.Command, args []string) error {
	if len(args) != 1 {
		return i18n.Errorf("%d files, want one", len(args))
	}
	if err := s.releaseFlags.check(); err != nil {
		return err
	}
	a, err := readMatrix(args[0])
	if err != nil {
		return err
	}
	doc := &document.Matrix{File: args[0], Before: len(a), After: len(a[0]), N: s.n, Target: target(s.k)}
	m := newMeasure(doc, "matrix")
	g := a.Guarantee()
	if s.k != nil {
		if ok, err := s.largest(cmd, &s.out, m, &doc.Replaced, g, s.k); !ok {
			return err
		}
	}
	doc.M, doc.Replaced, doc.Explained = document.Some(s.m), replaced(g, s.n, s.m), pramSource
	k := g.K(s.n, s.m)
	if s.sharper {
		k = a.SharperK(s.n, s.m)
		doc.Sharper, doc.SharperFloat = document.Ratio(k)
	}
	m.limits = s.limit.exactly(k)
	return m.print(cmd, &s.out)
}

// isChances tells a row of chances, with its name, from a header of names that are numbers, like ",0,1" for the values
// 0 and 1.
func isChances(rec []string) bool {
	sum, whole := new(big.Rat), true
	for _, text := range rec[1:] {
		x, err := num.ParseNumber(text)
		if err != nil || x.Sign() < 0 {
			return false
		}
		whole = whole && x.IsInt()
		sum.Add(sum, x)
	}
	return sum.Cmp(big.NewRat(1, 1)) == 0 && (!whole || rec[0] != "")
}

// maxMatrix is the most values that a matrix may have.
const maxMatrix = 1000

// readMatrix reads a matrix of transition probabilities. If the first field is not a number, the first line and the
// first column are names.
func readMatrix(path string) (risk.Matrix, error) {
	a, _, _, err := readNamedMatrix(path)
	return a, err
}

// readNamedMatrix is readMatrix with the names of the values, nil for none.
func readNamedMatrix(path string) (a risk.Matrix, before, after []string, err error) {
	named, width := 0, 0
	err = formats.EachRecord(path, i18n.Text{}, func(r *csv.Reader) { r.FieldsPerRecord, r.TrimLeadingSpace = -1, true }, func(line int, rec []string) error {
		if width == 0 {
			width = len(rec)
			if _, err := num.ParseNumber(rec[0]); err != nil {
				if isChances(rec) {
					return &formats.Error{File: path, Line: line, Want: i18n.T("a row of chances with a name, but no line of names before it; names of values after come first, with an empty field before them")}
				}
				named, after = 1, slices.Clone(rec[1:])
				return nil
			}
		}
		if len(rec) != width {
			return &formats.Error{File: path, Line: line, Value: fmt.Sprintf("%d fields", len(rec)), Want: i18n.T("want %d", width)}
		}
		if named == 1 {
			before = append(before, rec[0])
		}
		var row []*big.Rat
		sum := new(big.Rat)
		for i, text := range rec[named:] {
			x, err := num.ParseNumber(text)
			if err != nil || x.Sign() < 0 {
				return &formats.Error{File: path, Line: line, Field: strconv.Itoa(i + named + 1), Value: formats.Show(text), Want: i18n.T("want a chance like 0.29 or 1/3")}
			}
			row = append(row, x)
			sum.Add(sum, x)
		}
		if sum.Cmp(big.NewRat(1, 1)) != 0 {
			return &formats.Error{File: path, Line: line, Want: i18n.T("the row adds up to %s, want 1", both(sum))}
		}
		if a = append(a, row); len(a) > maxMatrix || len(row) > maxMatrix {
			return &formats.Error{File: path, Want: i18n.T("more than %d values", maxMatrix)}
		}
		return nil
	})
	if err != nil {
		return nil, nil, nil, err
	}
	if err := a.Check(); err != nil {
		return nil, nil, nil, &formats.Error{File: path, Want: i18n.T("%s", err)}
	}
	return a, before, after, nil
}
