package risk

import (
	"context"
	"math"

	"github.com/hitoku/hitoku/internal/formats"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/risk"
	"github.com/hitoku/hitoku/table"
)

// numbers are columns of a file whose values are all numbers, in the order of the file.
type numbers struct {
	names  []string
	n      int
	texts  [][]string // by column
	x      [][]float64
	scale  []int     // decimals of a column
	scaled [][]int64 // x·10^scale
}

// readNumbers reads columns of numbers.
func readNumbers(ctx context.Context, path string, l risk.Layout, names []string) (*numbers, error) {
	m := &numbers{names: names, texts: make([][]string, len(names)), x: make([][]float64, len(names)), scale: make([]int, len(names)), scaled: make([][]int64, len(names))}
	all := make([][]table.Decimal, len(names))
	fault := func(c int, value string, want i18n.Text) error {
		return &formats.Error{Field: names[c], Value: formats.Show(value), Want: want}
	}
	err := risk.Replace(ctx, nil, path, l, names, risk.Release{}, nil, func(values []string) ([]string, error) {
		for c, v := range values {
			d, err := table.ParseDecimal(v)
			if err != nil {
				return nil, fault(c, v, i18n.T("%s", err))
			}
			m.texts[c], all[c] = append(m.texts[c], v), append(all[c], d)
			m.scale[c] = max(m.scale[c], d.Scale)
		}
		m.n++
		return nil, nil
	})
	if err != nil {
		return nil, err
	}
	for c := range names {
		unit := math.Pow10(m.scale[c])
		for i, d := range all[c] {
			v, ok := d.At(m.scale[c])
			if !ok {
				return nil, fault(c, m.texts[c][i], i18n.T("%s", table.ErrOutOfRange))
			}
			m.scaled[c], m.x[c] = append(m.scaled[c], v), append(m.x[c], float64(v)/unit)
		}
	}
	return m, nil
}

// place returns the index of a column.
func (m *numbers) place(name string) int {
	for c := range m.names {
		if m.names[c] == name {
			return c
		}
	}
	return -1
}
