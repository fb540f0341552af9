package cellkey

import (
	"bufio"
	"encoding/csv"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/hitoku/hitoku/internal/recordkey"
	"github.com/hitoku/hitoku/table"
	"github.com/hitoku/hitoku/tabulate"
)

// Counts are the cells of a table with records, margins included, in row-major order.
type Counts struct {
	Name  string
	Dims  []table.Dimension
	Cells []Cell
}

// A Cell is one of them.
type Cell struct {
	At        []int32 // its codes by dimension
	N         int64   // true number of records
	Key       recordkey.Key
	Published int64 // with noise
}

// FromTabulate takes over a table of counts that was made with record keys.
func FromTabulate(r *tabulate.Result) (*Counts, error) {
	if !r.Counts() || r.Spec.Key == "" {
		return nil, fmt.Errorf("table %s: want numbers of records and their keys", r.Spec.Name)
	}
	c := &Counts{Name: r.Spec.Name, Dims: r.Dims, Cells: make([]Cell, r.Len())}
	codes := make([]map[string]int32, len(r.Dims))
	for d := range r.Dims {
		codes[d] = make(map[string]int32, len(r.Dims[d].Codes))
		for k, code := range r.Dims[d].Codes {
			codes[d][code] = int32(k)
		}
	}
	for n := range c.Cells {
		x, err := r.Cell(n)
		if err != nil {
			return nil, err
		}
		at := make([]int32, len(r.Dims))
		for d := range at {
			at[d] = codes[d][x.Codes[d]]
		}
		c.Cells[n] = Cell{At: at, N: x.Records, Key: recordkey.Key(x.Key)}
	}
	return c, nil
}

// Codes are those of cell n.
func (c *Counts) Codes(n int) []string {
	codes := make([]string, len(c.Dims))
	for d := range c.Dims {
		codes[d] = c.Dims[d].Codes[c.Cells[n].At[d]]
	}
	return codes
}

// CellName is the codes of cell n joined with "/".
func (c *Counts) CellName(n int) string { return strings.Join(c.Codes(n), "/") }

// Perturb gives every cell its noise.
func (c *Counts) Perturb(p *Table) {
	for n := range c.Cells {
		x := &c.Cells[n]
		x.Published = p.Count(x.N, x.Key)
	}
}

// Add makes the published numbers add up: margins become sums of the published cells without others below them. That tells nothing
// that these cells do not; the noise of margins grows with the number of cells below, and the same cell of two tables need not
// be the same any more.
func (c *Counts) Add() {
	inner := make([][]bool, len(c.Dims)) // codes without others below
	for d := range c.Dims {
		inner[d] = make([]bool, len(c.Dims[d].Codes))
		for k := range inner[d] {
			inner[d][k] = !slices.Contains(c.Dims[d].Parent, int32(k))
		}
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

// key is a comparable form of codes.
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

// above calls do for the codes and those of every margin above; do must not keep them.
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

// WriteCSV writes the published table: the dimensions and freq. Cells published as 0 have no line, as cells without
// records, so that a 0 of noise tells nothing.
func (c *Counts) WriteCSV(w io.Writer) error {
	return c.write(w, []string{"freq"}, func(x *Cell) []string {
		if x.Published == 0 {
			return nil
		}
		return []string{strconv.FormatInt(x.Published, 10)}
	})
}

// WriteOffice writes what undoes the noise: true number, cell key and noise of every cell.
func (c *Counts) WriteOffice(w io.Writer) error {
	return c.write(w, []string{"freq", "cellkey", "noise", "published"}, func(x *Cell) []string {
		return []string{strconv.FormatInt(x.N, 10), x.Key.String(), strconv.FormatInt(x.Published-x.N, 10), strconv.FormatInt(x.Published, 10)}
	})
}

func (c *Counts) write(w io.Writer, names []string, of func(*Cell) []string) error {
	b := bufio.NewWriter(w)
	o := csv.NewWriter(b)
	var head []string
	for _, d := range c.Dims {
		head = append(head, d.Name)
	}
	if err := o.Write(append(head, names...)); err != nil {
		return err
	}
	for n := range c.Cells {
		if values := of(&c.Cells[n]); values != nil {
			if err := o.Write(append(c.Codes(n), values...)); err != nil {
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
	return Measure(truth, published, false)
}
