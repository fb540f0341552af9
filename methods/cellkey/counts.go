package cellkey

import (
	"bufio"
	"encoding/csv"
	"io"
	"slices"
	"strconv"

	"github.com/hitoku/hitoku/internal/exact/num"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/recordkey"
	"github.com/hitoku/hitoku/internal/sets"
	"github.com/hitoku/hitoku/table"
	"github.com/hitoku/hitoku/table/tabulate"
)

// Counts are the cells of a table with records, margins included, in row-major order.
type Counts struct {
	Name  string
	Dims  []table.Dimension
	Cells []Cell
	// Weighted says that Σ w is published, scaled by the effect of noise on the number of records; in units of
	// 10^−Decimals.
	Weighted bool
	Decimals int
	Mixed    bool // keys of margins are not sums of keys
}

// A Cell is one cell of Counts.
type Cell struct {
	At        []int32 // codes by dimension
	N         int64   // true number of records
	Key       Key
	Published int64 // with noise
	Weight    int64 // Σ w, or N; not set in tables that were read
}

// FromTabulate converts a table of counts that was made with record keys. With a secret mix, the key of a cell is a
// keyed hash of the sum of its record keys, so that keys of margins are no longer sums and reveal nothing about the
// keys of their parts.
func FromTabulate(r *tabulate.Result, mix string) (*Counts, error) {
	if r.Spec.Response != "" || r.Spec.Key == "" {
		return nil, i18n.Errorf("table %s: want numbers of records and their keys", r.Spec.Name)
	}
	c := &Counts{Name: r.Spec.Name, Dims: r.Dims, Cells: make([]Cell, r.Len()), Weighted: r.Spec.Weight != ""}
	weights, decimals, err := each(r, func(n int, at []int32, x *tabulate.Cell) {
		c.Cells[n] = Cell{At: at, N: x.Records, Key: Key(x.Key)}
	})
	if err != nil {
		return nil, err
	}
	c.Decimals = decimals
	for n, v := range weights {
		c.Cells[n].Weight = v
	}
	if mix != "" {
		c.mix(recordkey.NewMixer(mix))
	}
	return c, nil
}

// mix replaces the keys by keyed hashes.
func (c *Counts) mix(m *recordkey.Mixer) {
	c.Mixed = true
	for n := range c.Cells {
		if c.Cells[n].N > 0 {
			c.Cells[n].Key = m.Of(c.Cells[n].Key)
		}
	}
}

// each calls take for every cell of r and returns the cells' values as numbers with the given decimals.
func each(r *tabulate.Result, take func(n int, at []int32, x *tabulate.Cell)) (values []int64, decimals int, err error) {
	exact := make([]table.Decimal, r.Len())
	for n, at := range places(r) {
		x, err := r.Cell(n)
		if err != nil {
			return nil, 0, err
		}
		exact[n] = x.Value
		decimals = max(decimals, x.Value.Scale)
		take(n, at, &x)
	}
	values = make([]int64, len(exact))
	for n, v := range exact {
		var ok bool
		if values[n], ok = v.At(decimals); !ok {
			return nil, 0, i18n.Errorf("table %s: %s: %w", r.Spec.Name, v, table.ErrOutOfRange)
		}
	}
	return values, decimals, nil
}

// places returns the codes of the cells of r, by cell number.
func places(r *tabulate.Result) [][]int32 {
	codes := sets.List(len(r.Dims), func(d int) map[string]int32 { return sets.Places[int32](r.Dims[d].Codes) })
	all := make([][]int32, r.Len())
	for n := range all {
		all[n] = make([]int32, len(r.Dims))
		for d, code := range r.Codes(n) {
			all[n][d] = codes[d][code]
		}
	}
	return all
}

// Codes returns the codes of cell n.
func (c *Counts) Codes(n int) []string { return codesAt(c.Dims, c.Cells[n].At) }

func codesAt(dims []table.Dimension, at []int32) []string {
	return sets.List(len(dims), func(d int) string { return dims[d].Codes[at[d]] })
}

// Perturb gives every cell its noise.
func (c *Counts) Perturb(p *Table) {
	for n := range c.Cells {
		x := &c.Cells[n]
		x.Published = p.Count(x.N, x.Key)
	}
}

// Add makes the published numbers add up: margins become sums of the published cells at the lowest level. That reveals
// nothing beyond these cells, but the noise of margins grows with the number of cells below, and the same cell may be
// published differently in two tables.
func (c *Counts) Add() {
	inner := make([][]bool, len(c.Dims)) // codes without others below them
	for d := range c.Dims {
		inner[d] = sets.List(len(c.Dims[d].Codes), func(k int) bool { return !slices.Contains(c.Dims[d].Parent, int32(k)) })
	}
	index := c.index()
	leaf := func(x *Cell) bool {
		for d, k := range x.At {
			if !inner[d][k] {
				return false
			}
		}
		return true
	}
	sums := make([]int64, len(c.Cells))
	for n := range c.Cells {
		if x := &c.Cells[n]; leaf(x) {
			c.above(x.At, func(at []int32) { sums[index[string(key(at))]] += x.Published })
		}
	}
	for n := range c.Cells {
		c.Cells[n].Published = sums[n]
	}
}

// key returns codes as a map key.
func key(at []int32) []byte {
	b := make([]byte, 0, 4*len(at))
	for _, k := range at {
		b = append(b, byte(k), byte(k>>8), byte(k>>16), byte(k>>24))
	}
	return b
}

// index finds cells by key.
func (c *Counts) index() map[string]int32 {
	m := make(map[string]int32, len(c.Cells))
	for n := range c.Cells {
		m[string(key(c.Cells[n].At))] = int32(n)
	}
	return m
}

// above calls do for the codes and for those of every margin above; do must not retain them.
func (c *Counts) above(at []int32, do func([]int32)) {
	up := slices.Clone(at)
	var climb func(d int)
	climb = func(d int) {
		if d == len(at) {
			do(up)
			return
		}
		for k := at[d]; k >= 0; k = c.Dims[d].Parent[k] {
			up[d] = k
			climb(d + 1)
		}
	}
	climb(0)
}

// PublishedWeight returns what is published for cell n of a Weighted table.
func (c *Counts) PublishedWeight(n int) int64 {
	x := &c.Cells[n]
	if x.N == 0 {
		return x.Weight
	}
	return num.Scaled(x.Weight, x.Published, x.N)
}

// WriteCSV writes the published table: the dimensions and freq, or value if it is Weighted. Cells published as 0 have
// no line, like cells without records, so that a 0 caused by noise reveals nothing.
func (c *Counts) WriteCSV(w io.Writer) error {
	name := "freq"
	if c.Weighted {
		name = "value"
	}
	return writeCells(w, c.Dims, []string{name}, len(c.Cells), c.Codes, func(n int) []string {
		switch x := &c.Cells[n]; {
		case x.Published == 0:
			return nil
		case c.Weighted:
			return []string{table.FormatDecimal(c.PublishedWeight(n), c.Decimals)}
		default:
			return []string{strconv.FormatInt(x.Published, 10)}
		}
	})
}

// WriteOffice writes what undoes the noise: the true number, cell key and noise of every cell, and weights.
func (c *Counts) WriteOffice(w io.Writer) error {
	names := []string{"freq", "cellkey", "noise", "published"}
	if c.Weighted {
		names = append(names, "weight", "published_weight")
	}
	return writeCells(w, c.Dims, names, len(c.Cells), c.Codes, func(n int) []string {
		x := &c.Cells[n]
		line := []string{strconv.FormatInt(x.N, 10), x.Key.String(), strconv.FormatInt(x.Published-x.N, 10), strconv.FormatInt(x.Published, 10)}
		if c.Weighted {
			line = append(line, table.FormatDecimal(x.Weight, c.Decimals), table.FormatDecimal(c.PublishedWeight(n), c.Decimals))
		}
		return line
	})
}

// writeCells writes a header and a line for each of n cells, except those for which of returns nil.
func writeCells(w io.Writer, dims []table.Dimension, names []string, n int, codes, of func(n int) []string) error {
	b := bufio.NewWriter(w)
	o := csv.NewWriter(b)
	head := sets.Each(dims, func(d table.Dimension) string { return d.Name })
	if err := o.Write(append(head, names...)); err != nil {
		return err
	}
	for k := range n {
		if values := of(k); values != nil {
			if err := o.Write(append(codes(k), values...)); err != nil {
				return err
			}
		}
	}
	o.Flush()
	if err := o.Error(); err != nil {
		return err
	}
	return b.Flush()
}

// Measure compares true and published numbers.
func (c *Counts) Measure() *Measures {
	truth, published := make([]int64, len(c.Cells)), make([]int64, len(c.Cells))
	for n := range c.Cells {
		truth[n], published[n] = c.Cells[n].N, c.Cells[n].Published
	}
	return measure(truth, published, false)
}
