package formats

import (
	"cmp"
	"math"
	"math/bits"
	"slices"

	"github.com/hitoku/hitoku/internal/exact/num"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/sets"
	"github.com/hitoku/hitoku/table"
)

// How much evidence it takes to rule out chance: sums are believed if the cells in which they hold carry that
// many bits more than it took to choose them. weigh says how bits are counted.
const (
	bitsTotal = 3 // one code is the sum of all others
	bitsTree  = 5 // sums that the codes or their order suggest
	bitsAny   = 8 // any others
)

// CheckFlat refuses a table whose codes form a hierarchy that nobody has given. It looks at each dimension
// without a hierarchy whose total is to be computed, because there codes that are sums of others would count
// twice. Dimensions in o.Flat are taken to be flat. The cost is about that of building the table.
func CheckFlat(file string, dims []table.Dimension, recs []table.Record, o *Options) error {
	return checkFlat(file, dims, len(recs), recordsOf(recs), o)
}

func checkFlat(file string, dims []table.Dimension, n int, at func(i int) *table.Record, o *Options) error {
	for d := range dims {
		dim := &dims[d]
		if len(dim.Codes) < 4 || !dim.Flat() || slices.Contains(o.Flat, dim.Name) || o.Hierarchies[dim.Name] != "" {
			continue
		}
		given := false
		for i := range n {
			if given = at(i).Codes[d] == dim.Total(); given {
				break
			}
		}
		if given {
			continue
		}
		found, all := newCodeSums(dims, n, at, d).find()
		if len(found) == 0 {
			continue
		}
		top := found[0]
		names := sets.Each(top.parts, func(s int) string { return dim.Codes[s+1] })
		code := dim.Codes[top.code+1]
		e := &Error{File: file, Field: dim.Name, Value: Show(code)}
		for i := range n {
			if at(i).Codes[d] == code {
				e.Line = at(i).Line
				break
			}
		}
		if all {
			e.Want = i18n.T("is the sum of all other codes, but no line has the total code %s, and a total of them all would be computed; say --total %s=%s, or %s if it is an ordinary code", Show(dim.Total()), dim.Name, code, o.flatFlag(dim.Name))
			return e
		}
		var more i18n.Text
		if n := len(found) - 1; n == 1 {
			more = i18n.T(" (and one more code is such a sum)")
		} else if n > 1 {
			more = i18n.T(" (and %d more codes are such sums)", n)
		}
		e.Want = i18n.T("is the sum of %s%s, but no tree of %s is given, and a total %s of all its codes would be computed; say --hierarchy %s=FILE, or %s if these are ordinary codes", ShowList(names), more, dim.Name, Show(dim.Total()), dim.Name, o.flatFlag(dim.Name))
		return e
	}
	return nil
}

// flatFlag returns the flag that puts a dimension into Flat.
func (o *Options) flatFlag(dim string) i18n.Text {
	if o.Listed {
		return i18n.T("flat = %q under read of its entry in a ledger", dim)
	}
	return i18n.T("--flat %s", dim)
}

// A codeSum says that a code is the sum of others.
type codeSum struct {
	code  int
	parts []int
}

// An entry is the cell of a code in a row, which is a combination of codes of the other dimensions.
type entry struct {
	row     int32
	unknown bool
	v       int64
	f       int64 // number of contributors, −1 if not known
}

// codeSums looks for codes of one dimension that are sums of others.
type codeSums struct {
	names  []string  // names of all codes but the total
	cells  [][]entry // for each code its cells, in the order of rows
	rows   int
	leaf   []bool // for each row, whether it is a leaf in all other dimensions
	unit   int64  // a common divisor of all values
	freqs  int64  // a common divisor of all numbers of contributors
	signed bool   // some value is negative
	hash   []uint64
	size   []float64 // for each code the sum of its values
	stamp  []int32   // scratch space, for each row
	now    int32
	acc    []sumRow
}

// A sumRow is what is known of a sum in one row.
type sumRow struct {
	sum, f        int64
	first, second int64 // the two largest parts
	ffirst, fsec  int64
	gcd           int64
	sign          uint64
	unknown, none bool
}

func newCodeSums(dims []table.Dimension, n int, at func(i int) *table.Record, d int) *codeSums {
	s := &codeSums{names: dims[d].Codes[1:], unit: 0}
	index := make([]map[string]int, len(dims))
	leaves := make([][]bool, len(dims))
	for e := range dims {
		index[e] = sets.Places[int](dims[e].Codes)
		leaves[e] = dims[e].Leaves()
	}
	scale := 0
	for i := range n {
		if v := at(i).Value; v.Set {
			scale = max(scale, v.Scale)
		}
	}
	s.cells = make([][]entry, len(s.names))
	rows := map[uint64]int32{}
	for i := range n {
		r := at(i)
		key, leaf := uint64(0), true
		for e := range dims {
			if e == d {
				continue
			}
			c := index[e][r.Codes[e]]
			key = key*uint64(len(dims[e].Codes)) + uint64(c)
			leaf = leaf && (leaves[e][c] && c > 0)
		}
		row, known := rows[key]
		if !known {
			row = int32(len(rows))
			rows[key] = row
			s.leaf = append(s.leaf, leaf)
		}
		x := entry{row: row, f: -1}
		v, ok := r.Value.At(scale)
		if x.unknown = !r.Value.Set || !ok; !x.unknown {
			x.v = v
			s.unit = num.GCD(s.unit, v)
			s.signed = s.signed || v < 0
		}
		if f, ok := r.Freq.At(0); r.Freq.Set && ok && f >= 0 {
			x.f = f
			s.freqs = num.GCD(s.freqs, f)
		}
		c := index[d][r.Codes[d]] - 1
		s.cells[c] = append(s.cells[c], x)
	}
	s.rows = len(rows)
	s.stamp, s.acc = make([]int32, s.rows), make([]sumRow, s.rows)
	s.unit, s.freqs = max(s.unit, 1), max(s.freqs, 1)
	dirty := s.dirty()
	s.hash, s.size = make([]uint64, len(s.names)), make([]float64, len(s.names))
	for c, cells := range s.cells {
		for _, x := range cells {
			if !dirty[x.row] {
				s.hash[c] += uint64(x.v) * (num.Mix(uint64(x.row)) | 1)
				s.size[c] += math.Abs(float64(x.v))
			}
		}
	}
	return s
}

// dirty marks the rows in which some value is not known.
func (s *codeSums) dirty() []bool {
	dirty := make([]bool, s.rows)
	for _, cells := range s.cells {
		for _, x := range cells {
			dirty[x.row] = dirty[x.row] || x.unknown
		}
	}
	return dirty
}

// weigh returns how many bits of evidence there are that a code is the sum of parts, −∞ if it is not. Each row
// counts once; rows in which the parts are in the same proportions count as one; margins of other dimensions do
// not count, as they follow from the rest. A row contributes log2(1 + its second largest part), in units of the
// common divisor of all values: that is how unlikely a number of that size is to be hit by chance. Contributors
// count too, if they add up as the values do. loose lets one row in ten differ, and sums be rounded to the last
// decimal, for which less evidence is counted.
func (s *codeSums) weigh(code int, parts []int, loose bool) float64 {
	no := math.Inf(-1)
	s.now++
	var touched []int32
	at := func(row int32) *sumRow {
		a := &s.acc[row]
		if s.stamp[row] != s.now {
			s.stamp[row] = s.now
			*a = sumRow{}
			touched = append(touched, row)
		}
		return a
	}
	for _, p := range parts {
		for _, x := range s.cells[p] {
			a := at(x.row)
			sum := a.sum + x.v
			if x.unknown || (sum > a.sum) != (x.v > 0) && x.v != 0 {
				a.unknown = true
				continue
			}
			a.sum, a.gcd = sum, num.GCD(a.gcd, x.v)
			if v := num.Abs(x.v); v > a.first {
				a.first, a.second = v, a.first
			} else {
				a.second = max(a.second, v)
			}
			if a.f += x.f; x.f < 0 {
				a.none = true
			}
			if x.f > a.ffirst {
				a.ffirst, a.fsec = x.f, a.ffirst
			} else {
				a.fsec = max(a.fsec, x.f)
			}
		}
	}
	for _, p := range parts {
		for _, x := range s.cells[p] {
			if a := at(x.row); !a.unknown && a.gcd > 0 {
				a.sign += uint64(x.v/a.gcd) * (num.Mix(uint64(p)) | 1)
			}
		}
	}
	own := make(map[int32]entry, len(s.cells[code]))
	for _, x := range s.cells[code] {
		own[x.row] = x
		at(x.row)
	}
	slices.Sort(touched)
	told, seen := 0.0, map[uint64]bool{}
	ftold, fok := 0.0, true
	checked, wrong := 0, 0
	slack := int64(0)
	if loose {
		slack = int64(len(parts)+1) / 2
	}
	rounded := false
	for _, row := range touched {
		a, x := &s.acc[row], own[row]
		if a.unknown || x.unknown {
			continue
		}
		checked++
		switch diff := num.Abs(a.sum - x.v); {
		case diff > slack:
			wrong++
			continue
		case diff > 0:
			rounded = true
		}
		if len(parts) == 1 {
			a.second, a.fsec = a.first, a.ffirst
		}
		if !s.leaf[row] || a.second == 0 || seen[a.sign] {
			continue
		}
		seen[a.sign] = true
		told += math.Log2(1 + float64(a.second)/float64(s.unit))
		if x.f >= 0 && !a.none {
			fok = fok && a.f == x.f
			ftold += math.Log2(1 + float64(a.fsec)/float64(s.freqs))
		}
	}
	if checked == 0 || wrong > 0 && (!loose || wrong*10 > checked) {
		return no
	}
	if rounded {
		told -= float64(float64(len(seen)) * math.Log2(float64(2*slack+1)))
	}
	if fok {
		told += ftold
	}
	return told
}

// find returns the sums that are believed, that of the largest code first; all says that it is the sum of all
// other codes. It looks for, in this order: one code that is the sum of all others; codes that are sums of
// those that begin alike; sums of codes that directly follow, or precede, in the file; and any sums, among up
// to 14 codes by trying all choices, among more by linear algebra if there are as many rows.
func (s *codeSums) find() (found []codeSum, all bool) {
	n := len(s.names)
	largest := 0
	for c := range s.size {
		if s.size[c] > s.size[largest] {
			largest = c
		}
	}
	for _, c := range []int{largest, 0, n - 1} {
		others := make([]int, 0, n-1)
		for k := range n {
			if k != c {
				others = append(others, k)
			}
		}
		choice := math.Log2(float64(n))
		if c == 0 || c == n-1 {
			choice = 1
		}
		if s.weigh(c, others, true) >= bitsTotal+choice {
			return []codeSum{{c, others}}, true
		}
	}
	for _, look := range []func() ([]codeSum, float64){s.byPrefix, func() ([]codeSum, float64) { return s.byOrder(false) }, func() ([]codeSum, float64) { return s.byOrder(true) }} {
		if found, told := look(); len(found) > 0 && told >= bitsTree {
			return s.sorted(found), false
		}
	}
	if n <= 14 {
		found = s.any()
	} else {
		found = s.byAlgebra()
	}
	return s.sorted(found), false
}

func (s *codeSums) sorted(found []codeSum) []codeSum {
	slices.SortStableFunc(found, func(a, b codeSum) int { return cmp.Or(cmp.Compare(s.size[b.code], s.size[a.code]), a.code-b.code) })
	return found
}

// byPrefix tries codes as sums of the next longer codes that begin with them.
func (s *codeSums) byPrefix() (found []codeSum, told float64) {
	at := sets.Places[int](s.names)
	children := make([][]int, len(s.names))
	parents := 0
	for c, name := range s.names {
		for k := len(name) - 1; k > 0; k-- {
			if p, ok := at[name[:k]]; ok {
				if children[p] == nil {
					parents++
				}
				children[p] = append(children[p], c)
				break
			}
		}
	}
	choice := math.Log2(float64(parents + 1))
	for p, of := range children {
		if of == nil {
			continue
		}
		if w := s.weigh(p, of, true); w > choice {
			found = append(found, codeSum{p, of})
			told += w - choice
		}
	}
	return found, told
}

// byOrder tries codes as sums of those that follow, or precede, them, as in a printed tree; the codes of such a
// sum may be sums themselves.
func (s *codeSums) byOrder(back bool) (found []codeSum, told float64) {
	const most = 1000 // codes in a sum
	n := len(s.names)
	real := func(i int) int {
		if back {
			return n - 1 - i
		}
		return i
	}
	end := make([]int, n)
	choice := 2 * math.Log2(float64(n))
	for i := n - 1; i >= 0; i-- {
		end[i] = i + 1
		sum, size := uint64(0), 0.0
		var parts []int
		for k := i + 1; k < n && len(parts) < most; k = end[k] {
			c := real(k)
			parts = append(parts, c)
			sum += s.hash[c]
			if size += s.size[c]; !s.signed && size > s.size[real(i)]*(1+1e-9) {
				break
			}
			if len(parts) < 2 || sum != s.hash[real(i)] || s.size[real(i)] == 0 {
				continue
			}
			if w := s.weigh(real(i), parts, false); w > choice {
				found = append(found, codeSum{real(i), slices.Clone(parts)})
				told += w - choice
				end[i] = end[k]
				break
			}
		}
	}
	return found, told
}

// any tries all sums of a few codes.
func (s *codeSums) any() (found []codeSum) {
	n := len(s.names)
	for p := range n {
		var others []int
		for k := range n {
			if k != p && s.size[k] > 0 {
				others = append(others, k)
			}
		}
		sum, in := uint64(0), uint32(0)
		var best []int // the sum with the fewest parts
		// The choices come in the order of a Gray code, which changes one part at a time.
		for step := uint32(1); step < 1<<len(others); step++ {
			b := bits.TrailingZeros32(step)
			if in ^= 1 << b; in>>b&1 == 1 {
				sum += s.hash[others[b]]
			} else {
				sum -= s.hash[others[b]]
			}
			if m := bits.OnesCount32(in); sum != s.hash[p] || m < 2 || best != nil && m >= len(best) {
				continue
			}
			var parts []int
			for k, o := range others {
				if in>>k&1 == 1 {
					parts = append(parts, o)
				}
			}
			if s.weigh(p, parts, false) >= float64(n-1+bitsAny) {
				best = parts
			}
		}
		if best != nil {
			found = append(found, codeSum{p, best})
		}
	}
	return found
}

// byAlgebra tries codes, in ascending size, as linear combinations of smaller codes that are no such
// combinations themselves, by Gaussian elimination modulo the prime 2⁶¹ − 1.
func (s *codeSums) byAlgebra() (found []codeSum) {
	const most = 300
	n := len(s.names)
	if n > most || s.rows > 8*most {
		return nil
	}
	dirty := s.dirty()
	order := sets.Upto(n)
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(s.size[a], s.size[b]) })
	var e echelon
	var codes []int // the code of each row of e
	for _, c := range order {
		if s.size[c] == 0 {
			continue
		}
		v := make([]uint64, s.rows)
		for _, x := range s.cells[c] {
			if !dirty[x.row] {
				v[x.row] = num.Mersenne.Of(x.v)
			}
		}
		coefs, independent := e.add(v)
		if independent {
			codes = append(codes, c)
			continue
		}
		var parts []int
		ok := true
		for j, y := range coefs {
			switch y {
			case 0:
			case uint64(num.Mersenne - 1):
				parts = append(parts, codes[j])
			default:
				ok = false
			}
		}
		if ok && len(parts) > 1 && s.weigh(c, parts, false) >= float64(len(codes)+bitsAny) {
			found = append(found, codeSum{c, parts})
		}
	}
	return found
}

// An echelon holds linearly independent vectors modulo num.Mersenne; each has been reduced by those before it.
type echelon []struct {
	row   int
	v     []uint64 // 1 at index row
	coefs []uint64 // v as a combination of the vectors added
}

// add reduces v, in place, by the vectors before, and keeps it if it is independent of them. If not, v + Σ
// coefs·vectors = 0 for the v that was given.
func (e *echelon) add(v []uint64) (coefs []uint64, independent bool) {
	coefs = make([]uint64, len(*e)+1)
	for _, p := range *e {
		k := v[p.row]
		if k == 0 {
			continue
		}
		for r, y := range p.v {
			if y != 0 {
				v[r] = num.Mersenne.Sub(v[r], num.Mersenne.Mul(k, y))
			}
		}
		for j, y := range p.coefs {
			coefs[j] = num.Mersenne.Sub(coefs[j], num.Mersenne.Mul(k, y))
		}
	}
	at := slices.IndexFunc(v, func(y uint64) bool { return y != 0 })
	if at < 0 {
		return coefs[:len(*e)], false
	}
	coefs[len(*e)] = 1
	inv := num.Mersenne.Inverse(v[at])
	for r := range v {
		v[r] = num.Mersenne.Mul(v[r], inv)
	}
	for j := range coefs {
		coefs[j] = num.Mersenne.Mul(coefs[j], inv)
	}
	*e = append(*e, struct {
		row      int
		v, coefs []uint64
	}{at, v, coefs})
	return nil, true
}
