package compare

import (
	"math"

	"github.com/hitoku/hitoku/internal/sets"
)

// An among has records of one file among which the nearest are looked for to many of another, one after the other. In a column of few different values
// the distance of each is computed once for each record that they are looked for to, not once for each pair.
type among struct {
	*metric
	a, b    *Records
	records []int32   // of b
	of      []int32   // by record of b: which of records it is like; where all are looked through
	first   [][]int32 // by column: a record of each different value; nil where there are too many
	code    []int32   // by record and column: which of these it has
}

// among prepares records of b, to look for those near to records of a.
func (m *metric) among(a, b *Records, records []int32) *among {
	x := &among{metric: m, a: a, b: b, records: records, first: make([][]int32, len(m.scale)), code: make([]int32, len(records)*len(m.scale))}
	type value struct { // Coded changes the one and not the other
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

// amongAll has all records of b, those with the same values once.
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

// manyValues is the share of different values from which on a column is compared pair by pair: most pairs are told apart before their last column.
const manyValues = 4

// A probe is what records are compared with.
type probe struct {
	*among
	i int32
	d [][]float64 // by column: the distance of each different value; nil where it is computed pair by pair
}

// from has record i of a be what records are compared with.
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

// in is the distance of record n of those looked through in a column.
func (p *probe) in(k, n int) float64 {
	if d := p.d[k]; d != nil {
		return d[p.code[n*len(p.d)+k]]
	}
	return p.column(p.a, p.b, k, p.i, p.records[n])
}

// distance is that of record n of those looked through, or something above most where it is above.
func (p *probe) distance(n int, most float64) float64 {
	sum := 0.0
	for k := range p.d {
		if sum += p.in(k, n); sum > most {
			break
		}
	}
	return sum
}

// firsts are the first records of groups.
func firsts(all []group) []int32 {
	return sets.Each(all, func(x group) int32 { return x.records[0] })
}
