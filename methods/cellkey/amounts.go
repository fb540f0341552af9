package cellkey

import (
	"io"
	"math"

	"github.com/hitoku/hitoku/internal/exact/num"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/recordkey"
	"github.com/hitoku/hitoku/table"
	"github.com/hitoku/hitoku/table/tabulate"
)

// Amounts are the cells of a magnitude table, margins included, in row-major order. Values are multiples of
// 10^−Decimals.
type Amounts struct {
	Name     string
	Dims     []table.Dimension
	Decimals int
	Cells    []Amount
}

// An Amount is one cell of Amounts.
type Amount struct {
	At        []int32 // codes by dimension
	N         int64   // number of records
	Value     int64
	Key       Key   // of all records
	Nonzero   Key   // of the records whose response is not 0
	Published int64 // with noise

	from *contributions
}

// AmountsFromTabulate converts a magnitude table that was made with record keys; mix is as in [FromTabulate].
func AmountsFromTabulate(r *tabulate.Result, mix string) (*Amounts, error) {
	if r.Spec.Response == "" || r.Spec.Key == "" {
		return nil, i18n.Errorf("table %s: want a response and the keys of its records", r.Spec.Name)
	}
	a := &Amounts{Name: r.Spec.Name, Dims: r.Dims, Cells: make([]Amount, r.Len())}
	values, decimals, err := each(r, func(n int, at []int32, x *tabulate.Cell) {
		a.Cells[n] = Amount{At: at, N: x.Records, Key: Key(x.Key), Nonzero: Key(x.KeyNonzero), from: contributionsOf(x)}
	})
	if err != nil {
		return nil, err
	}
	a.Decimals = decimals
	for n, v := range values {
		a.Cells[n].Value = v
	}
	if mix != "" {
		m := recordkey.NewMixer(mix)
		for n := range a.Cells {
			c := &a.Cells[n]
			c.Key, c.Nonzero = m.Of(c.Key), m.Of(c.Nonzero)
		}
	}
	return a, nil
}

// Perturb gives every cell its noise, using the magnifier by; zeros says that records whose response is 0 count for the
// cell key.
func (a *Amounts) Perturb(m *Magnitude, by Magnifier, zeros bool) error {
	if err := m.Check(); err != nil {
		return err
	}
	unit := float64(table.Pow10(a.Decimals))
	for n := range a.Cells {
		c := &a.Cells[n]
		key := c.Nonzero
		if zeros {
			key = c.Key
		}
		x := float64(c.Value) / unit
		y := m.Value(x, by.of(x, c.from), c.N, key, false) * unit
		if math.Abs(y) > 1e17 {
			return i18n.Errorf("table %s: cell %d: the noise needs too many digits", a.Name, n+1)
		}
		c.Published = int64(math.RoundToEven(y))
	}
	return nil
}

// Codes returns the codes of cell n.
func (a *Amounts) Codes(n int) []string { return codesAt(a.Dims, a.Cells[n].At) }

// WriteCSV writes the published table: the dimensions and value. Cells published as 0 have no line, like cells without
// records.
func (a *Amounts) WriteCSV(w io.Writer) error {
	return writeCells(w, a.Dims, []string{"value"}, len(a.Cells), a.Codes, func(n int) []string {
		if a.Cells[n].Published == 0 {
			return nil
		}
		return []string{table.FormatDecimal(a.Cells[n].Published, a.Decimals)}
	})
}

// WriteOffice writes what undoes the noise: the true value, cell keys and noise of every cell.
func (a *Amounts) WriteOffice(w io.Writer) error {
	return writeCells(w, a.Dims, []string{"value", "cellkey", "cellkey_nonzero", "noise", "published"}, len(a.Cells), a.Codes, func(n int) []string {
		x := &a.Cells[n]
		d := func(v int64) string { return table.FormatDecimal(v, a.Decimals) }
		return []string{d(x.Value), x.Key.String(), x.Nonzero.String(), d(x.Published - x.Value), d(x.Published)}
	})
}

// Measure compares true and published values, in units of 10^−Decimals. Noise never carries a value beyond 0, so
// absolute values are compared, which have square roots.
func (a *Amounts) Measure() *Measures {
	truth, published := make([]int64, len(a.Cells)), make([]int64, len(a.Cells))
	for n := range a.Cells {
		truth[n], published[n] = num.Abs(a.Cells[n].Value), num.Abs(a.Cells[n].Published)
	}
	return measure(truth, published, false)
}
