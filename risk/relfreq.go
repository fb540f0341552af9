package risk

import (
	"cmp"
	"math/big"
	"slices"
	"strings"

	"github.com/hitoku/hitoku/internal/exact/num"

	"github.com/hitoku/hitoku/internal/i18n"
)

// relativeFrequencies are the factors of EstimatedKMap.
type relativeFrequencies struct {
	data       *Classes
	population uint64
	tables     []relTable
}

type relTable struct {
	columns []int
	t       *tally
	q       []Amount
}

func newRelativeFrequencies(data *Classes, population uint64, tables []*Weighted) (*relativeFrequencies, error) {
	if population < 1 {
		return nil, i18n.New("risk: a population of 0")
	}
	r := &relativeFrequencies{data: data, population: population}
	names := data.columns.names[:data.t.w]
	used := map[string]bool{}
	for _, t := range tables {
		x := relTable{t: newTally(len(t.columns.names))}
		for _, n := range t.columns.names {
			k := slices.Index(names, n)
			if k < 0 {
				return nil, i18n.Errorf("risk: auxiliary column %q is no quasi-identifier; these are %s", n, strings.Join(names, ", "))
			}
			if used[n] {
				return nil, i18n.Errorf("risk: quasi-identifier %q is in two auxiliary tables", n)
			}
			used[n] = true
			x.columns = append(x.columns, k)
		}
		tuple := make([]uint32, len(x.columns))
	tuples:
		for g := range t.t.n {
			if t.t.count(g) > 1 {
				return nil, i18n.Errorf("risk: the auxiliary table of %s has the tuple %s twice", strings.Join(t.columns.names, ", "), strings.Join(t.Tuple(g), ", "))
			}
			if amountOf(1).compare(t.sum[g]) < 0 {
				return nil, i18n.Errorf("risk: the auxiliary table of %s has a relative frequency %s, want 0 to 1", strings.Join(t.columns.names, ", "), t.sum[g])
			}
			for i, k := range x.columns {
				id, ok := data.columns.Find(k, t.columns.Value(i, t.t.tuple(g)[i]))
				if !ok {
					continue tuples
				}
				tuple[i] = id
			}
			x.t.add(tuple, 1)
			x.q = append(x.q, t.sum[g])
		}
		r.tables = append(r.tables, x)
	}
	for _, n := range names {
		if !used[n] {
			return nil, i18n.Errorf("risk: quasi-identifier %q is in no auxiliary table", n)
		}
	}
	return r, nil
}

// frequencies returns the relative frequency of class g in each table, nil if one of them is 0. It reuses q.
func (r *relativeFrequencies) frequencies(g int, q []Amount) []Amount {
	q = q[:0]
	var tuple [maxColumns]uint32
	for _, t := range r.tables {
		for i, k := range t.columns {
			tuple[i] = r.data.t.tuple(g)[k]
		}
		at := t.t.find(tuple[:len(t.columns)])
		if at < 0 || t.q[at] == (Amount{}) {
			return nil
		}
		q = append(q, t.q[at])
	}
	return q
}

// estimate returns F̂ of class g, exactly.
func (r *relativeFrequencies) estimate(g int) *big.Rat {
	q := r.frequencies(g, nil)
	if q == nil {
		return new(big.Rat)
	}
	F := new(big.Rat).SetInt(new(big.Int).SetUint64(r.population))
	for _, x := range q {
		F.Mul(F, x.rat())
	}
	return F
}

// An EstimatedMap is k-map and δ-presence with estimated frequencies F̂.
type EstimatedMap struct {
	Records, Classes, Population uint64
	// Absent is the number of tuples with F̂ = 0, Below the number with F̂ < f.
	Absent, Below uint64
	K             *big.Rat // min F̂, nil without records
	Delta         *big.Rat // max min(1, f/F̂), nil if Absent > 0
	Histogram     []Share  // histogram of min(1, f/F̂), where F̂ > 0
	Worst         []ClassEstimate
}

// A ClassEstimate is a tuple of the data set with its estimated frequency.
type ClassEstimate struct {
	Tuple      []string
	Sample     uint64
	Population float64
	Delta      *float64 // nil: F̂ = 0
}

// EstimatedKMap estimates k-map and δ-presence of a data set from statistics of its population: tables of relative
// frequencies, each by some of the quasi-identifiers, assumed independent,
//
//	F̂ = N Π_t q_t(values of the columns of t).
//
// Every quasi-identifier must be a column of exactly one table; a table must have each tuple once, with amounts from 0
// to 1. A tuple that a table lacks has frequency 0. The estimate is a real number. The n worst tuples are listed.
// Extremes are exact; floating point only selects the tuples that may attain them.
func (c *Classes) EstimatedKMap(population uint64, tables []*Weighted, n int) (*EstimatedMap, error) {
	r, err := newRelativeFrequencies(c, population, tables)
	if err != nil {
		return nil, err
	}
	return r.kMap(n), nil
}

func (r *relativeFrequencies) kMap(n int) *EstimatedMap {
	c := r.data
	m := &EstimatedMap{Classes: uint64(c.t.n), Population: r.population}
	F := make([]float64, c.t.n)
	var q []Amount
	var bars shares
	for g := range F {
		f := c.t.count(g)
		m.Records += f
		if x := r.frequencies(g, q); x != nil {
			q = x
			F[g] = float64(r.population)
			for _, a := range x {
				F[g] *= a.float()
			}
			bars.add(min(1, float64(f)/F[g]), f)
		} else {
			m.Absent++
		}
		if float64(f) > F[g]*(1-1e-12) && r.estimate(g).Cmp(new(big.Rat).SetInt(new(big.Int).SetUint64(f))) < 0 {
			m.Below++
		}
	}
	m.Histogram = bars.list()
	const slack = 1e-12
	least, most := 0.0, 0.0
	for g, x := range F {
		if m.K == nil || x < least*(1+slack) {
			if e := r.estimate(g); m.K == nil || e.Cmp(m.K) < 0 {
				m.K, least = e, x
			}
		}
	}
	if m.Absent == 0 && c.t.n > 0 {
		m.Delta = new(big.Rat)
		for g, x := range F {
			if f := c.t.count(g); float64(f)/x > most*(1-slack) && m.Delta.Cmp(num.One) < 0 {
				d := new(big.Rat).SetInt(new(big.Int).SetUint64(f))
				if d.Quo(d, r.estimate(g)); d.Cmp(num.One) > 0 {
					d.Set(num.One)
				}
				if d.Cmp(m.Delta) > 0 {
					m.Delta, most = d, float64(f)/x
				}
			}
		}
	}
	for _, g := range worst(n, c.t.n, nil, func(a, b int) int {
		return cmp.Or(cmp.Compare(F[a], F[b]), cmp.Compare(c.t.count(b), c.t.count(a)), c.compareTuples(a, b))
	}) {
		x := ClassEstimate{Tuple: c.Tuple(g), Sample: c.t.count(g), Population: F[g]}
		if F[g] > 0 {
			d := min(1, float64(x.Sample)/F[g])
			x.Delta = &d
		}
		m.Worst = append(m.Worst, x)
	}
	return m
}
