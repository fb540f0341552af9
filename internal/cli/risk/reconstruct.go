package risk

import (
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/hitoku/hitoku/internal/formulas"
	"github.com/hitoku/hitoku/internal/sets"

	"github.com/spf13/cobra"

	"github.com/hitoku/hitoku/internal/cli/flags"
	"github.com/hitoku/hitoku/internal/cli/render"
	"github.com/hitoku/hitoku/internal/compare"
	"github.com/hitoku/hitoku/internal/document"
	"github.com/hitoku/hitoku/internal/formats"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/records"
	"github.com/hitoku/hitoku/risk"
)

// reconstruction is hitoku risk reconstruct.
type reconstruction struct {
	microFlags
	columns   []string
	attribute string // the columns, as text
	values    string
	matrix    string
	bits      string
	rhos      []*big.Rat
	rho       *big.Rat // the first
	sigma     *big.Rat
	span      string
	intervals int
}

func newRiskReconstruct() *cobra.Command {
	x := &reconstruction{}
	cmd := &cobra.Command{
		Use:   "reconstruct RELEASE --attribute A[,B...] (--rho RHO[,RHO...] [--values a,b,...] | --matrix FILE | --bits LO,HI --rho RHO | --sigma S --range LO,HI)",
		Short: "The distribution of a column before it was randomised, from the release and its mechanism",
		Long: `What analysts need of a randomised release: how many records had each value before, by
the mechanism that was applied, whose parameters are no secret.

  count      the most likely numbers, by the steps of Agrawal and Srikant (EM)
  unbiased   for as many values after as before the solution of cA = o, with its standard
             error; it may be negative

Of several columns of --rho, randomised each by itself, the joint distribution is estimated, by
values of the release that occur together or not.

Numbers with Laplace noise are estimated by intervals of equal width. What was randomised with
hitoku risk mix --invariant needs no reconstruction: its counts are unbiased as they are.`,
		Example: `  hitoku risk reconstruct release.csv --attribute job --rho 0.7
  hitoku risk reconstruct noisy.csv --attribute income --sigma 50000 --range 0,1000000 --intervals 20`,
		Args: flags.InputArgs,
		RunE: named(x.run),
	}
	flags.Declare(cmd,
		flags.In(flags.RecordsGroup, []flags.Flag{
			{Name: "attribute", To: &x.columns, Split: true, Wanted: true, Text: "`column` that was randomised; with --rho several have a joint distribution"},
			flags.Encoding(&x.encoding, "the file"),
			{Name: "separator", To: &x.separator, Text: "`character` between fields, or tab", Else: "of comma, semicolon and tab the most frequent in the header"},
		}),
		flags.In(flags.ReleaseGroup, []flags.Flag{
			{Name: "rho", To: ratsValue{&x.rhos}, Wanted: true, Unless: []string{"matrix", "sigma"}, Excludes: []string{"matrix", "sigma"}, Text: "chance that a value, or with --bits a bit, was kept, one for all columns or one each (`numbers` with commas)"},
			{Name: "values", To: &x.values, Needs: []string{"rho"}, Excludes: []string{"bits"}, Text: "`a,b,...`: the values that the column may have had", Else: "those of the release"},
			{Name: "matrix", To: &x.matrix, Files: []string{"csv"}, Excludes: []string{"sigma", "bits"}, Text: "`file` with names and chances, as for hitoku risk matrix"},
			{Name: "bits", To: &x.bits, Needs: []string{"rho"}, Text: "`LO,HI`: whole numbers, randomised bit by bit"},
			{Name: "sigma", To: ratValue{&x.sigma}, Needs: []string{"range"}, Text: "scale of the Laplace noise"},
			{Name: "range", To: &x.span, Needs: []string{"sigma"}, Text: "`LO,HI`: the range of the column before"},
			{Name: "intervals", To: &x.intervals, Default: 10, Range: "[1, ∞)", Needs: []string{"sigma"}, Text: "`number` of intervals of the range"},
		}),
		flags.In(flags.OutputGroup, []flags.Flag{x.out.flag()}),
	)
	flags.Common(cmd, "--attribute job", "--rho 0.7", "--matrix chances.csv", "--bits 0,127", "--json")
	return cmd
}

// mostValues is the most values that reconstruct accepts: its cost is their square.
const mostValues = 1000

func (x *reconstruction) run(cmd *cobra.Command, args []string) error {
	if len(args) != 1 {
		return i18n.Errorf("%d files, want one", len(args))
	}
	switch n := len(x.columns); {
	case n > 1 && (x.rhos == nil || x.bits != "" || x.values != ""):
		return i18n.Errorf("--attribute: %d columns want --rho alone", n)
	case len(x.rhos) > 1 && len(x.rhos) != n:
		return i18n.Errorf("--rho: %d numbers for %d columns, want 1 or %d", len(x.rhos), n, n)
	}
	x.qi, x.attribute = x.columns, strings.Join(x.columns, ", ")
	if len(x.rhos) > 0 {
		x.rho = x.rhos[0]
	}
	doc := &document.Reconstruction{File: args[0], Attribute: x.attribute, Source: "Agrawal and Srikant 2000; Kooiman, Willenborg and Gouweleeuw 1997"}
	var r *formulas.Reconstruction
	var err error
	switch {
	case len(x.columns) > 1:
		doc.Mechanism = "retention"
		r, err = x.jointly(cmd, args, doc)
	case x.sigma != nil:
		doc.Mechanism = "laplace"
		r, err = x.noise(cmd, args[0], doc)
	default:
		r, err = x.categories(cmd, args, doc)
	}
	if err != nil {
		return err
	}
	doc.Steps, doc.Settled = r.Steps, r.Settled
	t := render.NewColumns(1, "value", "released", "most likely", "unbiased", "error")
	for v := range doc.Values {
		out := &doc.Values[v]
		out.Count = r.Count[v]
		name := out.Value // if there are several columns, the name of this one is shown already
		if len(x.columns) == 1 {
			name = shown([]string{name})
		}
		row := []string{name, "-", readable(out.Count), "-", "-"}
		if o, ok := out.Released.Get(); ok {
			row[1] = readable(o)
		}
		if r.Unbiased != nil {
			out.Unbiased, out.Error = document.Some(r.Unbiased[v]), document.Some(r.Error[v])
			row[3], row[4] = readable(r.Unbiased[v]), readable(r.Error[v])
		}
		t.Add(row...)
	}
	d := &microMeasure{measure: newMeasure(doc, "reconstruct"), beside: &besideFlags{}, records: uint64(doc.Records)}
	d.list(t)
	return d.print(cmd, &x.out)
}

// categories reconstructs a column of values.
func (x *reconstruction) categories(cmd *cobra.Command, args []string, doc *document.Reconstruction) (*formulas.Reconstruction, error) {
	c, err := scanClasses(cmd, &x.microFlags, args)
	if err != nil {
		return nil, err
	}
	o := map[string]float64{}
	var found []string
	for g := range c.Len() {
		v := c.Tuple(g)[0]
		o[v] = float64(c.Size(g))
		doc.Records += int64(c.Size(g))
		found = append(found, v)
	}
	slices.Sort(found)
	if doc.Records == 0 {
		return nil, i18n.Errorf("%s: %w", args[0], records.ErrNone)
	}
	a, before, after, err := x.chances(found, doc)
	if err != nil {
		return nil, err
	}
	counts := make([]float64, len(after))
	for j, v := range after {
		counts[j] = o[v]
		delete(o, v)
	}
	for _, v := range found {
		if _, left := o[v]; left {
			return nil, i18n.Errorf("%s: column %s: %s is none of the values that the mechanism has", args[0], x.attribute, formats.Show(v))
		}
	}
	for _, v := range before {
		out := document.Restored{Value: v}
		if j := slices.Index(after, v); j >= 0 {
			out.Released = document.Some(counts[j])
		}
		doc.Values = append(doc.Values, out)
	}
	return formulas.Reconstruct(a, counts)
}

// jointly reconstructs the joint distribution of several columns; the chances of their tuples are products.
func (x *reconstruction) jointly(cmd *cobra.Command, args []string, doc *document.Reconstruction) (*formulas.Reconstruction, error) {
	c, err := scanClasses(cmd, &x.microFlags, args)
	if err != nil {
		return nil, err
	}
	tuples, a := [][]string{nil}, [][]float64{{1}}
	for k := range x.columns {
		values := sets.List(c.Len(), func(g int) string { return c.Tuple(g)[k] })
		slices.Sort(values)
		values = slices.Compact(values)
		if len(values) == 0 {
			return nil, i18n.Errorf("%s: %w", args[0], records.ErrNone)
		}
		if len(tuples)*len(values) > mostValues {
			return nil, i18n.Errorf("more than %d combinations of values", mostValues)
		}
		attribute := risk.Attribute{Values: int64(len(values)), Rho: x.rhos[min(k, len(x.rhos)-1)]}
		if err := attribute.Check(); err != nil {
			return nil, i18n.Errorf("--rho: %w", err)
		}
		m := attribute.Matrix()
		var next [][]string
		var chances [][]float64
		for u, tuple := range tuples {
			for v, value := range values {
				next = append(next, append(slices.Clone(tuple), value))
				var row []float64
				for _, p := range a[u] {
					for _, q := range floats(m[v]) {
						row = append(row, p*q)
					}
				}
				chances = append(chances, row)
			}
		}
		tuples, a = next, chances
	}
	counts := make([]float64, len(tuples))
	for v, tuple := range tuples {
		if g := c.Class(tuple...); g >= 0 {
			counts[v] = float64(c.Size(g))
			doc.Records += int64(c.Size(g))
		}
		doc.Values = append(doc.Values, document.Restored{Value: shown(tuple), Released: document.Some(counts[v])})
	}
	return formulas.Reconstruct(a, counts)
}

// scanClasses reads classes without looking at other columns.
func scanClasses(cmd *cobra.Command, m *microFlags, files []string) (*risk.Classes, error) {
	if err := m.check(cmd, files); err != nil {
		return nil, err
	}
	s, err := scanner(m, m.qi, nil, func(c *risk.Columns) *risk.Classes { return risk.NewClasses(c, len(m.qi)) })
	if err != nil {
		return nil, err
	}
	return scanFiles(cmd, s, files)
}

// chances returns the transition probabilities of the mechanism, with the values before and after.
func (x *reconstruction) chances(found []string, doc *document.Reconstruction) (a [][]float64, before, after []string, err error) {
	var m risk.Matrix
	switch {
	case x.matrix != "":
		doc.Mechanism = "matrix"
		if m, before, after, err = readNamedMatrix(x.matrix); err != nil {
			return nil, nil, nil, err
		}
		if before == nil {
			return nil, nil, nil, i18n.Errorf("--matrix %s: want names of values in the first line and the first column", x.matrix)
		}
	case x.bits != "":
		doc.Mechanism = "bits"
		_, ends, err := aColumn("bits", x.attribute+"="+x.bits)
		if err != nil || len(ends) != 2 {
			return nil, nil, nil, i18n.Errorf("--bits %s: want LO,HI", x.bits)
		}
		low, err1 := strconv.ParseInt(ends[0], 10, 64)
		high, err2 := strconv.ParseInt(ends[1], 10, 64)
		if err1 != nil || err2 != nil || high < low || high-low < 0 || high-low >= mostValues {
			return nil, nil, nil, i18n.Errorf("--bits %s: want whole numbers LO,HI, up to %d of them", x.bits, mostValues)
		}
		b := risk.Bits{Column: x.attribute, Low: low, High: high, Rho: x.rho}
		if m, err = b.Matrix(); err != nil {
			return nil, nil, nil, err
		}
		for v := range int64(len(m[0])) {
			after = append(after, strconv.FormatInt(low+v, 10))
		}
		before = after[:len(m)]
	default:
		doc.Mechanism = "retention"
		before = found
		if x.values != "" {
			if _, before, err = aColumn("values", x.attribute+"="+x.values); err != nil {
				return nil, nil, nil, err
			}
		}
		attribute := risk.Attribute{Values: int64(len(before)), Rho: x.rho}
		if err := attribute.Check(); err != nil {
			return nil, nil, nil, i18n.Errorf("--rho: %w", err)
		}
		if len(before) > mostValues {
			return nil, nil, nil, i18n.Errorf("%d values, want at most %d", len(before), mostValues)
		}
		m, after = attribute.Matrix(), before
	}
	for _, row := range m {
		a = append(a, floats(row))
	}
	return a, before, after, nil
}

// releasedIntervals is the number of intervals in which released numbers are counted, for each interval of the
// original.
const releasedIntervals = 4

// noise reconstructs a column of numbers.
func (x *reconstruction) noise(cmd *cobra.Command, path string, doc *document.Reconstruction) (*formulas.Reconstruction, error) {
	sigma, _ := x.sigma.Float64()
	if !(sigma > 0) {
		return nil, i18n.Errorf("--sigma %s: want more than 0", x.sigma.RatString())
	}
	_, ends, err := aColumn("range", x.attribute+"="+x.span)
	if err != nil || len(ends) != 2 {
		return nil, i18n.Errorf("--range %s: want LO,HI", x.span)
	}
	low, err1 := strconv.ParseFloat(ends[0], 64)
	high, err2 := strconv.ParseFloat(ends[1], 64)
	if err1 != nil || err2 != nil || !(low < high) || high-low > 1e300 {
		return nil, i18n.Errorf("--range %s: want numbers LO,HI with LO below HI", x.span)
	}
	if x.intervals > mostValues {
		return nil, i18n.Errorf("--intervals %d: want at most %d", x.intervals, mostValues)
	}
	files, err := compare.Read(cmd.Context(), x.layout(), []string{x.attribute}, nil, path)
	if err != nil {
		return nil, err
	}
	values := files[0].X[0]
	if values == nil || slices.ContainsFunc(values, func(v float64) bool { return v != v }) {
		return nil, i18n.Errorf("%s: column %s: want numbers in all records", path, formats.Show(x.attribute))
	}
	width := (high - low) / float64(x.intervals)
	var before, after []float64
	for i := range x.intervals + 1 {
		before = append(before, low+float64(float64(i)*width))
	}
	small := width / releasedIntervals
	wide := min(int(8*sigma/small)+1, mostValues) // beyond these, chances total less than e^−8
	for i := -wide; i <= releasedIntervals*x.intervals+wide; i++ {
		after = append(after, low+float64(float64(i)*small))
	}
	counts := make([]float64, len(after)-1)
	for _, v := range values {
		j, found := slices.BinarySearch(after, v)
		if !found {
			j--
		}
		counts[min(max(j, 0), len(counts)-1)]++
	}
	doc.Records = int64(len(values))
	for i := range x.intervals {
		text := func(v float64) string { return strconv.FormatFloat(v, 'g', 12, 64) }
		n := 0.0
		for _, v := range values {
			if v >= before[i] && v < before[i+1] {
				n++
			}
		}
		doc.Values = append(doc.Values, document.Restored{Value: text(before[i]) + "–" + text(before[i+1]), Released: document.Some(n)})
	}
	r, err := formulas.Reconstruct(formulas.NoiseMatrix(before, after, sigma), counts)
	if err != nil {
		return nil, err
	}
	mean := 0.0
	for i, c := range r.Count {
		mean += c * (before[i] + before[i+1]) / 2 / float64(len(values))
	}
	doc.Mean = document.Some(mean)
	return r, nil
}
