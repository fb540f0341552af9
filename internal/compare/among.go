package compare

import (
	"math"

	"github.com/hitoku/hitoku/internal/sets"
)

// An among holds records of one file in which the nearest to many records of another are looked for. In a column with
// few different values, the distance to each is computed once per record searched for, not once per pair.
type among struct {
	*metric
	a, b    *Records
	records []int32   // the records of b that are searched
	of      []int32   // by record of b: which of records is like it; set if all of b is searched
	first   [][]int32 // by column: a record with each different value
	code    []int32   // by record and column: which of these values it has
}

// among prepares a search of some records of b for those near to records of a.
func (m *metric) among(a, b *Records, records []int32) *among {
	x := &among{metric: m, a: a, b: b, records: records, first: make([][]int32, len(m.scale)), code: make([]int32, len(records)*len(m.scale))}
	type value struct { // Coded changes id and not x
		id uint32
		x  uint64
	}
	for k := range m.scale {
		at := map[value]int32{}
		for n, j := range records {
			v := value{id: b.ID[k][j]}
			if b.X[k] != nil {
				v.x = math.Float64bits(b.X[k][j])
			}
			c, ok := at[v]
			if !ok {
				c = int32(len(at))
				at[v] = c
				x.first[k] = append(x.first[k], j)
			}
			x.code[n*len(m.scale)+k] = c
		}
	}
	return x
}

// amongAll prepares a search of all records of b, with equal ones merged.
func (m *metric) amongAll(a, b *Records) *among {
	every := sets.Upto(int32(b.N))
	all := m.among(a, b, every)
	width := len(m.scale)
	at := map[string]int32{}
	x := &among{metric: m, a: a, b: b, first: all.first, of: make([]int32, b.N)}
	var key []byte
	for j := range every {
		row := all.code[j*width:][:width]
		key = key[:0]
		for _, c := range row {
			key = append(key, byte(c), byte(c>>8), byte(c>>16), byte(c>>24))
		}
		g, ok := at[string(key)]
		if !ok {
			g = int32(len(at))
			at[string(key)] = g
			x.records, x.code = append(x.records, int32(j)), append(x.code, row...)
		}
		x.of[j] = g
	}
	return x
}

// manyValues bounds the different values of a column whose distances are computed in advance, to one in this many
// records: with more, computing them pair by pair is cheaper, as most pairs are told apart before their last column.
const manyValues = 4

// A probe searches for the records near to one record.
type probe struct {
	*among
	i int32
	d [][]float64 // by column: the distance to each different value; nil if computed pair by pair
}

// from returns a probe for record i of a.
func (x *among) from(i int32) *probe {
	p := &probe{among: x, i: i, d: make([][]float64, len(x.first))}
	for k, first := range x.first {
		if len(first)*manyValues > len(x.records) {
			continue
		}
		p.d[k] = sets.Each(first, func(j int32) float64 { return x.column(x.a, x.b, k, i, j) })
	}
	return p
}

// in returns the distance in column k to the n-th record searched.
func (p *probe) in(k, n int) float64 {
	if d := p.d[k]; d != nil {
		return d[p.code[n*len(p.d)+k]]
	}
	return p.column(p.a, p.b, k, p.i, p.records[n])
}

// distance returns the distance to the n-th record searched, or some number above most if it is above most.
func (p *probe) distance(n int, most float64) float64 {
	sum := 0.0
	for k := range p.d {
		if sum += p.in(k, n); sum > most {
			break
		}
	}
	return sum
}

// firsts returns the first record of each group.
func firsts(all []group) []int32 {
	return sets.Each(all, func(x group) int32 { return x.records[0] })
}
