package tables

import (
	"io"
	"maps"
	"math"
	"math/big"
	"slices"

	"github.com/hitoku/hitoku/internal/cli"
	"github.com/hitoku/hitoku/internal/document"
	"github.com/hitoku/hitoku/internal/firewall"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/sets"
	"github.com/hitoku/hitoku/methods/cellkey"
	"github.com/hitoku/hitoku/table"
	"github.com/hitoku/hitoku/table/tabulate"
)

// A keyed is a table with cell keys, of counts or of totals.
type keyed interface {
	about() (name string, dims []table.Dimension)
	perturb(tables cellkey.File, p *perturbing) error
	document(tables cellkey.File) *document.Perturbation
	WriteCSV(w io.Writer) error
	cells() (n int, of func(n int) (codes, truth []string, published string))
	WriteOffice(w io.Writer) error
}

// keyed converts the result of a tabulation.
func (p *perturbing) keyed(r *tabulate.Result) (keyed, error) {
	mix := ""
	if p.mix {
		mix = p.secret
	}
	if r.Spec.Response != "" {
		a, err := cellkey.AmountsFromTabulate(r, mix)
		return &keyedAmounts{Amounts: a, spec: r.Spec}, err
	}
	c, err := cellkey.FromTabulate(r, mix)
	return &keyedCounts{c, r.Spec.Weight}, err
}

type keyedCounts struct {
	*cellkey.Counts
	weight string
}

func (c *keyedCounts) about() (string, []table.Dimension) { return c.Name, c.Dims }

func (c *keyedCounts) perturb(tables cellkey.File, p *perturbing) error {
	t := tables.Counts
	if t == nil {
		return i18n.Errorf("%s: a perturbation table for magnitudes; counts need one without the column type", p.ptable)
	}
	c.Perturb(t)
	if p.additive {
		c.Add()
	}
	return nil
}

func (c *keyedCounts) document(tables cellkey.File) *document.Perturbation {
	m := c.Measure()
	doc := perturbation(m, c.Name, 1)
	doc.Weight = c.weight
	for _, v := range slices.Sorted(maps.Keys(m.Noise)) {
		doc.Noise = append(doc.Noise, document.NoiseCells{Noise: v, Cells: m.Noise[v]})
	}
	float := func(x *big.Rat) float64 { f, _ := x.Float64(); return nine(f) }
	t := tables.Counts
	for n := range t.Rows {
		r := &t.Rows[n]
		had := slices.DeleteFunc(slices.Clone(r.V), func(v int64) bool { return r.Chance(v) == 0 })
		lo, hi := had[0], had[len(had)-1]
		doc.PTable = append(doc.PTable, document.PTableRow{Count: r.I, Mean: float(t.Mean(n)), Variance: float(t.Variance(n)), Stay: r.Chance(0), Least: lo, Largest: hi})
	}
	return doc
}

func (c *keyedCounts) cells() (int, func(n int) ([]string, []string, string)) {
	return len(c.Cells), func(n int) ([]string, []string, string) {
		x := &c.Cells[n]
		if c.Weighted {
			return c.Codes(n), []string{table.FormatDecimal(x.Weight, c.Decimals), table.FormatDecimal(x.N, 0)}, table.FormatDecimal(c.PublishedWeight(n), c.Decimals)
		}
		return c.Codes(n), []string{table.FormatDecimal(x.N, 0)}, table.FormatDecimal(x.Published, 0)
	}
}

type keyedAmounts struct {
	*cellkey.Amounts
	spec    tabulate.Spec
	magnify string
}

func (a *keyedAmounts) about() (string, []table.Dimension) { return a.Name, a.Dims }

func (a *keyedAmounts) perturb(tables cellkey.File, p *perturbing) error {
	by, err := cellkey.ParseMagnifier(p.magnify)
	if err != nil {
		return i18n.Errorf("--magnify %w", err)
	}
	m := &cellkey.Magnitude{Large: tables.All, Small: tables.Small, Digits: p.digits}
	if p.parity {
		if m.Large, m.Odd = tables.Even, tables.Odd; m.Large == nil || m.Odd == nil {
			return i18n.New("--parity: the perturbation table has no types even and odd")
		}
	}
	if m.Large == nil {
		return i18n.Errorf("%s: no perturbation table of type all, which totals need", p.ptable)
	}
	if err := m.Scale(p.scaling, by.K); err != nil {
		return i18n.Errorf("--scaling %w", err)
	}
	a.magnify = p.magnify
	return a.Perturb(m, by, p.zeros)
}

func (a *keyedAmounts) cells() (int, func(n int) ([]string, []string, string)) {
	return len(a.Cells), func(n int) ([]string, []string, string) {
		x := &a.Cells[n]
		return a.Codes(n), []string{table.FormatDecimal(x.Value, a.Decimals)}, table.FormatDecimal(x.Published, a.Decimals)
	}
}

// released returns the table with noise as it is published, together with the true values, which no published file may
// contain.
func released(c keyed, dims []table.Dimension) *firewall.Release {
	r := &firewall.Release{Texts: map[string]bool{}}
	for _, d := range dims {
		r.Codes = append(r.Codes, d.Codes)
		r.Texts[d.Name] = true
		for _, code := range d.Codes {
			r.Texts[code] = true
		}
	}
	cells, of := c.cells()
	r.Cells = func(yield func(firewall.Cell) bool) {
		for n := range cells {
			codes, truth, published := of(n)
			x := firewall.Cell{Codes: codes, Values: truth, Ends: []string{published}, Withheld: truth[0] != published, InFile: true}
			if !yield(x) {
				return
			}
		}
	}
	return r
}

func (a *keyedAmounts) document(cellkey.File) *document.Perturbation {
	doc := perturbation(a.Measure(), a.Name, float64(table.Pow10(a.Decimals)))
	doc.Response, doc.Weight, doc.Magnify = a.spec.Response, a.spec.Weight, a.magnify
	return doc
}

// perturbation returns the document about a table with noise, where units make 1.
func perturbation(m *cellkey.Measures, name string, units float64) *document.Perturbation {
	distance := func(d cellkey.Distances, by float64) document.Distance {
		q := sets.List(len(d.Quantiles), func(k int) float64 { return nine(d.Quantiles[k] / by) })
		return document.Distance{Mean: nine(d.Mean / by), Median: nine(d.Median / by), Max: nine(d.Max / by), Quantiles: q}
	}
	root := math.Sqrt(units)
	return &document.Perturbation{Table: name, Cells: m.Cells, Changed: m.Changed, Zeros: m.FalseZeros, Hellinger: nine(m.Hellinger / root),
		Absolute: distance(m.Absolute, units), Relative: distance(m.Relative, 1), Root: distance(m.Root, root),
		Noise: []document.NoiseCells{}, PTable: []document.PTableRow{}, Version: cli.Version()}
}
