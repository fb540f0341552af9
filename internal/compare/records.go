package compare

import (
	"context"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/records"
	"github.com/hitoku/hitoku/internal/sets"
	"github.com/hitoku/hitoku/risk"
)

// MaxRecords is the most records of a file that can be compared; they are kept in memory.
const MaxRecords = 1 << 27

// Records holds the records of a file, by column and record.
type Records struct {
	N int
	// ID holds the number of each value; equal values have equal numbers in all Records read together.
	ID [][]uint32
	// X holds the values of columns of numbers, NaN if missing; nil for categories.
	X [][]float64

	joint  [][]uint32 // columns beyond ID: see Joint
	file   string
	lines  []uint32 // the lines on which records begin
	values *risk.Columns
	// meanings say what the values of a release stand for; nil for the original, and for values that stand for
	// themselves.
	meanings []*Meaning
}

// Stand makes the values of a release stand for what they mean. Columns of prefixes are then no longer columns of
// numbers.
func Stand(meanings []*Meaning, release *Records, others ...*Records) {
	release.meanings = make([]*Meaning, len(meanings))
	for k, m := range meanings {
		if m.Kind != Sets {
			continue
		}
		release.meanings[k] = m
		if m.texts {
			for _, f := range append(others, release) {
				f.X[k] = nil
			}
		}
	}
}

// meaning returns what the values of column k stand for if one of two files is a release; swap says that the release is
// the first.
func meaning(a, b *Records, k int) (m *Meaning, swap bool) {
	switch {
	case a.meanings == nil && b.meanings != nil:
		return b.meanings[k], false
	case b.meanings == nil && a.meanings != nil:
		return a.meanings[k], true
	}
	return nil, false
}

// rows collects the values of records in file order, for one worker.
type rows struct {
	width int
	ids   []uint32
	lines []uint32
}

// AddBatch adds records.
func (r *rows) AddBatch(b *risk.Batch) error {
	if len(r.ids)/r.width+b.N > MaxRecords {
		return i18n.Errorf("more than %d records", MaxRecords)
	}
	r.ids = append(r.ids, b.IDs[:b.N*r.width]...)
	for i := range b.N {
		r.lines = append(r.lines, uint32(b.Line(i)))
	}
	return nil
}

// Merge adds the records of another worker.
func (r *rows) Merge(o *rows) error {
	r.ids = append(r.ids, o.ids...)
	r.lines = append(r.lines, o.lines...)
	return nil
}

// Read reads columns of files, with the records in file order. A column is one of numbers if all its values in all
// files are numbers or missing (the empty text), at least one is not missing, and it is not among categories. Memory is
// proportional to the number of fields.
func Read(ctx context.Context, l risk.Layout, columns, categories []string, paths ...string) ([]*Records, error) {
	c, err := risk.NewColumns(columns...)
	if err != nil {
		return nil, err
	}
	return read(ctx, l, c, columns, categories, paths)
}

func read(ctx context.Context, l risk.Layout, c *risk.Columns, columns, categories, paths []string) ([]*Records, error) {
	for _, name := range categories {
		if !slices.Contains(columns, name) {
			return nil, i18n.Errorf("no column %q among those compared", name)
		}
	}
	l.Workers = 1 // one worker keeps the order
	var all []*Records
	for _, path := range paths {
		s, err := risk.NewScanner(l, c, nil, func() *rows { return &rows{width: len(columns)} })
		if err != nil {
			return nil, err
		}
		if err := s.ReadFile(ctx, path); err != nil {
			return nil, err
		}
		r, err := s.Result()
		if err != nil {
			return nil, err
		}
		if len(r.ids) == 0 {
			return nil, i18n.Errorf("%s: %w", path, records.ErrNone)
		}
		x := r.records(columns)
		x.file, x.values = path, c
		all = append(all, x)
	}
	for k, name := range columns {
		if !slices.Contains(categories, name) {
			numbers(c, k, all)
		}
	}
	return all, nil
}

// records turns rows into columns.
func (r *rows) records(columns []string) *Records {
	x := &Records{N: len(r.ids) / r.width, X: make([][]float64, len(columns)), lines: r.lines}
	for k := range columns {
		id := sets.List(x.N, func(i int) uint32 { return r.ids[i*r.width+k] })
		x.ID = append(x.ID, id)
	}
	return x
}

// numbers makes column k a column of numbers if its values are numbers.
func numbers(c *risk.Columns, k int, all []*Records) {
	value := map[uint32]float64{}
	some := false
	for _, r := range all {
		for _, id := range r.ID[k] {
			if _, ok := value[id]; ok {
				continue
			}
			x, err := number(c.Value(k, id))
			if err != nil {
				return
			}
			value[id] = x
			some = some || !math.IsNaN(x)
		}
	}
	if !some {
		return
	}
	for _, r := range all {
		x := make([]float64, r.N)
		for i, id := range r.ID[k] {
			x[i] = value[id]
		}
		r.X[k] = x
	}
}

var errNumber = i18n.New("no number")

// number reads a decimal number, NaN for the empty text.
func number(text string) (float64, error) {
	if text == "" {
		return math.NaN(), nil
	}
	if strings.Trim(text, "0123456789+-.eE") != "" {
		return 0, errNumber
	}
	x, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsInf(x, 0) {
		return 0, errNumber
	}
	return x, nil
}

// Part returns some columns of r.
func (r *Records) Part(columns []int) *Records {
	p := &Records{N: r.N}
	for _, k := range columns {
		p.ID, p.X = append(p.ID, r.ID[k]), append(p.X, r.X[k])
		if r.meanings != nil {
			p.meanings = append(p.meanings, r.meanings[k])
		}
	}
	return p
}

// missing reports whether value i of a column of numbers is missing.
func missing(x []float64, i int32) bool { return math.IsNaN(x[i]) }

// same reports whether value i of a and value j of b are the same in column k: numbers by value, so that 1.0 is 1,
// others byte by byte. Missing values equal each other. A released value that stands for a set is the same as each
// value in it.
func same(a, b *Records, k int, i, j int32) bool {
	if m, swap := meaning(a, b, k); m != nil {
		if swap {
			return m.holds(b.ID[k][j], a.ID[k][i])
		}
		return m.holds(a.ID[k][i], b.ID[k][j])
	}
	if a.X[k] == nil {
		return a.ID[k][i] == b.ID[k][j]
	}
	x, y := a.X[k][i], b.X[k][j]
	return x == y || math.IsNaN(x) && math.IsNaN(y)
}

// Anonymity is the k-anonymity of a file in memory, with numbers compared by value.
type Anonymity struct {
	K, Classes, Alone int
	AverageRisk       float64 // classes over records
}

// Measure returns the k-anonymity by some columns.
func (r *Records) Measure(columns []int) Anonymity {
	all := groups(r.Part(columns))
	a := Anonymity{K: r.N, Classes: len(all), AverageRisk: float64(len(all)) / float64(r.N)}
	for _, g := range all {
		a.K = min(a.K, len(g.records))
		if len(g.records) == 1 {
			a.Alone++
		}
	}
	return a
}
