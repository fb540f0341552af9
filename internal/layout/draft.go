package layout

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/hitoku/hitoku/internal/exact/num"
)

// A draft is a table before it is known what adds up to what.
type draft struct {
	dims  []draftDim
	cells []Cell    // without codes
	coord [][]int32 // by cell: the index of its code in each dimension
	amounts
	rates    bool      // its numbers are rates, which never add up
	measured *measured // nil if no dimension is a measure
	work     int       // how many numbers a search may look at; 0: maxWork
}

// amounts are the values of cells as multiples of 10^−places.
type amounts struct {
	places int
	value  []int64
	state  []state
	signed bool // some values are negative
	large  bool // the values are too large to be added up
}

// measured has, for each code of the measure, its unit, its kind, and whether it is a rate, which never adds up.
type measured struct {
	units, kinds []string
	rate         []bool
}

// state says what is known of a value.
type state uint8

const (
	stateAbsent  state = iota // no such cell
	stateKnown                // a number
	stateUnknown              // a cell without its number
)

// A draftDim is a dimension of a draft.
type draftDim struct {
	name     string
	role     string
	items    []entry // in the order of the file
	index    map[string]int32
	japanese bool
	noTotal  bool
	parents  map[string]string // given by a layout; nil: to be found
	forest   *forest
}

// find returns the index of the code of e, and adds the code if it is new.
func (d *draftDim) find(e *entry) int32 {
	k := e.key()
	if i, ok := d.index[k]; ok {
		it := &d.items[i]
		it.whole = it.whole || e.whole
		it.gap = it.gap || e.gap
		if it.group == "" {
			it.group = e.group
		}
		return i
	}
	i := int32(len(d.items))
	d.index[k] = i
	d.items = append(d.items, *e)
	return i
}

// maxPlaces bounds the decimals of numbers that are added up.
const maxPlaces = 9

// amountsOf returns the values of cells, of which at most so many parts add up to one.
func amountsOf(cells []Cell, parts int) amounts {
	a := amounts{value: make([]int64, len(cells)), state: make([]state, len(cells))}
	for i := range cells {
		if v := cells[i].Value; v != nil {
			a.places = max(a.places, min(v.places(), maxPlaces))
		}
	}
	var most int64
	for i := range cells {
		a.state[i] = stateUnknown
		if cells[i].Value == nil {
			continue
		}
		v, ok := scaled(string(*cells[i].Value), a.places)
		if !ok {
			a.large = true
			continue
		}
		a.state[i], a.value[i] = stateKnown, v
		a.signed = a.signed || v < 0
		most = max(most, v, -v)
	}
	a.large = a.large || float64(most)*float64(min(parts, len(cells))+1) > math.MaxInt64/4
	return a
}

// unfound reports whether the numbers have to show what adds up in a dimension.
func (d *draft) unfound(dim *draftDim) bool {
	return dim.role == ofClassification && !dim.noTotal && dim.parents == nil && !d.rates
}

// scaled reads a decimal as a multiple of 10^−places.
func scaled(s string, places int) (int64, bool) {
	whole, part, _ := strings.Cut(s, ".")
	if len(part) > places {
		if strings.Trim(part[places:], "0") != "" {
			return 0, false
		}
		part = part[:places]
	}
	v, err := strconv.ParseInt(whole+part+strings.Repeat("0", places-len(part)), 10, 64)
	return v, err == nil
}

// A matrix is the values of a draft with one dimension as its rows: row i has the cells of
// code i, column j those of one combination of codes of the others.
type matrix struct {
	n, w   int
	value  []int64
	state  []state
	signed bool
	cell   []int32 // the index of the cell, −1 for none
}

// maxMatrix bounds the places of a matrix.
const maxMatrix = 1 << 26

// matrix returns the values with dimension k as rows, nil if it has too many places.
func (d *draft) matrix(k int) *matrix {
	ids := map[string]int32{}
	of := make([]int32, len(d.cells))
	var b []byte
	measure := -1
	for i := range d.dims {
		if d.dims[i].role == Measure && i != k {
			measure = i
		}
	}
	for i, c := range d.coord {
		if measure >= 0 && d.measured != nil && d.measured.rate[c[measure]] {
			of[i] = -1
			continue
		}
		b = b[:0]
		for j, x := range c {
			if j != k {
				b = append(b, byte(x), byte(x>>8), byte(x>>16), byte(x>>24))
			}
		}
		id, ok := ids[string(b)]
		if !ok {
			id = int32(len(ids))
			ids[string(b)] = id
		}
		of[i] = id
	}
	m := &matrix{n: len(d.dims[k].items), w: len(ids), signed: d.signed}
	if m.n*m.w > maxMatrix || m.n*m.w > 64*len(d.cells)+1<<20 {
		return nil
	}
	m.value, m.state, m.cell = make([]int64, m.n*m.w), make([]state, m.n*m.w), make([]int32, m.n*m.w)
	for i := range m.cell {
		m.cell[i] = -1
	}
	for i, c := range d.coord {
		if of[i] < 0 {
			continue
		}
		at := int(c[k])*m.w + int(of[i])
		m.value[at], m.state[at], m.cell[at] = d.value[i], d.state[i], int32(i)
	}
	return m
}

// isNull reports whether row i has no number other than zero, so that it says nothing of a sum.
func (m *matrix) isNull(i int) bool {
	for j := i * m.w; j < (i+1)*m.w; j++ {
		if m.state[j] == stateKnown && m.value[j] != 0 {
			return false
		}
	}
	return true
}

// same reports whether rows i and j have the same numbers.
func (m *matrix) same(i, j int) bool {
	a, b := i*m.w, j*m.w
	return slices.Equal(m.value[a:a+m.w], m.value[b:b+m.w]) && slices.Equal(m.state[a:a+m.w], m.state[b:b+m.w])
}

// hides reports whether row i has a cell without its number, so that nothing need contradict what its name says.
func (m *matrix) hides(i int) bool { return slices.Contains(m.state[i*m.w:(i+1)*m.w], stateUnknown) }

// A sumCheck is what the numbers say of a claimed total.
type sumCheck struct {
	exact, near, unknown, bad int
	bits                      float64 // how unlikely it is that the exact ones are exact by chance
	worst                     int     // the column of the sum that misses by most
	miss                      int64   // by how much that one misses
}

// misses notes the sum of column j, which is too large by miss.
func (s *sumCheck) misses(j int, miss int64) {
	if s.bad++; s.bad == 1 || num.Abs(miss) > num.Abs(s.miss) {
		s.worst, s.miss = j, miss
	}
}

func (s sumCheck) holds() bool { return s.bad == 0 && s.exact+s.near > 0 }
func (s sumCheck) may() bool   { return s.bad == 0 }

// check compares row t with the sum of rows parts. Each sum may miss by tolerance.
func (m *matrix) check(t int, parts []int, tolerance int64) sumCheck {
	sum := newSum(m)
	for _, p := range parts {
		sum.add(p)
	}
	return sum.against(t, tolerance)
}

// A sum is the sum of some rows of a matrix.
type sum struct {
	m     *matrix
	value []int64
	open  []int32 // how many parts are unknown
	told  []int32 // how many parts are cells; absent ones add nothing
}

func newSum(m *matrix) *sum {
	return &sum{m, make([]int64, m.w), make([]int32, m.w), make([]int32, m.w)}
}

func (s *sum) add(i int) {
	at := i * s.m.w
	for j := range s.value {
		switch s.m.state[at+j] {
		case stateKnown:
			s.value[j] += s.m.value[at+j]
		case stateUnknown:
			s.open[j]++
		default:
			continue
		}
		s.told[j]++
	}
}

// exceeds reports whether the known parts are larger than row t, whatever the unknown ones are.
func (s *sum) exceeds(t int, tolerance int64) bool {
	if s.m.signed {
		return false
	}
	at := t * s.m.w
	for j := range s.value {
		if s.m.state[at+j] == stateKnown && s.value[j] > s.m.value[at+j]+tolerance {
			return true
		}
	}
	return false
}

// against compares the sum with row t.
func (s *sum) against(t int, tolerance int64) (c sumCheck) {
	at := t * s.m.w
	for j := range s.value {
		if s.told[j] == 0 { // no sum is claimed here
			continue
		}
		if s.m.state[at+j] != stateKnown {
			if s.m.state[at+j] == stateUnknown {
				c.unknown++
			}
			continue
		}
		v := s.m.value[at+j]
		miss := s.value[j] - v
		switch {
		case s.open[j] > 0:
			if !s.m.signed && miss > tolerance {
				c.misses(j, miss)
			} else {
				c.unknown++
			}
		case miss == 0:
			c.exact++
			if v != 0 {
				c.bits += math.Log2(1 + math.Abs(float64(v)))
			}
		case miss <= tolerance && miss >= -tolerance:
			c.near++
			c.bits += max(0, math.Log2(1+math.Abs(float64(v)))-math.Log2(float64(2*tolerance+1)))
		default:
			c.misses(j, miss)
		}
	}
	return c
}
