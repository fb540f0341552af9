package series

import "math"

// A Program maximises the movement of one class over the movements of a space within capacities,
//
//	max ±z_k   s.t.  z = N u,  lo ≤ z ≤ hi ,
//
// with a row for each class and a coordinate for each dimension. Rows and coordinates are exchanged as in a simplex
// method, starting from z = 0 or from where the last question ended, and a question ends once its limit is reached. A
// step costs rows × dimensions, so this pays if few dimensions are left: then it takes a fraction of a millisecond,
// where a program over the relations takes several.
type Program struct {
	dims   int
	t      []float64 // N in terms of the coordinates, one row for each class
	lo, hi []float64
	z      []float64
	row    []int32 // by coordinate: the row whose value it is, −1: none
	head   []int32 // by row: one of its cells, in units of which z is measured
	ratio  []float64
	class  []int32
	along  []float64 // further movements, one row for each class
	number int       // number of further movements
	// Steps counts the work so far, in units of about a nanosecond.
	Steps int
}

// Set loads the space, its classes (see Space.Classes), capacities by cell, −dn ≤ z ≤ up, and movements of the space,
// by cell.
func (p *Program) Set(s *Space, class []int32, count int, up, dn []float64, along ...[]float64) {
	d := len(s.cols)
	p.begin(count, d)
	p.Steps += setEach * (s.n + count*(d+len(along)))
	best := make([]int, 0, count) // by class: the column with its largest entry, which gives the most accurate ratios
	p.class, p.head = append(p.class[:0], class...), p.head[:0]
	p.lo, p.hi, p.ratio = resize(p.lo, count), resize(p.hi, count), resize(p.ratio, s.n)
	for i, q := range class {
		switch {
		case q < 0:
			continue
		case int(q) == len(p.head):
			p.head = append(p.head, int32(i))
			p.lo[q], p.hi[q] = -dn[i], up[i]
			p.ratio[i] = 1
			most := 0
			for k := range s.cols {
				if p.t[int(q)*d+k] = s.cols[k].val[i]; math.Abs(s.cols[k].val[i]) > math.Abs(s.cols[most].val[i]) {
					most = k
				}
			}
			best = append(best, most)
			continue
		}
		c := &s.cols[best[q]]
		r := c.val[i] / c.val[p.head[q]]
		p.ratio[i] = r
		lo, hi := -dn[i]/r, up[i]/r
		if r < 0 {
			lo, hi = hi, lo
		}
		p.lo[q], p.hi[q] = max(p.lo[q], lo), min(p.hi[q], hi)
	}
	p.number = len(along)
	p.along = p.along[:0]
	for _, i := range p.head {
		for _, z := range along {
			p.along = append(p.along, z[i])
		}
	}
}

// begin makes room for the given numbers of rows and coordinates, at z = 0.
func (p *Program) begin(rows, dims int) {
	p.dims, p.t, p.z, p.row = dims, resize(p.t, rows*dims), zeroed(p.z, rows), p.row[:0]
	for range dims {
		p.row = append(p.row, -1)
	}
}

// Without makes p the program of from in which class q does not move, with z = 0. To each of the movements along, the
// multiple of one column is added that stops class q.
func (p *Program) Without(from *Program, q int32) {
	m, d := len(from.head), from.dims
	p.lo, p.hi = append(p.lo[:0], from.lo...), append(p.hi[:0], from.hi...)
	p.class, p.ratio, p.head = append(p.class[:0], from.class...), append(p.ratio[:0], from.ratio...), append(p.head[:0], from.head...)
	p.begin(m, d-1)
	at := from.t[int(q)*d : int(q)*d+d]
	j := 0
	for k, v := range at {
		if math.Abs(v) > math.Abs(at[j]) {
			j = k
		}
	}
	p.number = from.number
	p.Steps += 2 * m * (d + p.number)
	p.along = append(p.along[:0], from.along...)
	still := from.along[int(q)*p.number : int(q)*p.number+p.number]
	w := 0
	for i := range m {
		src := from.t[i*d : i*d+d]
		f := src[j] / at[j]
		for k, v := range still {
			p.along[i*p.number+k] -= float64(f * v)
		}
		for k, v := range src {
			if k != j {
				if v -= float64(f * at[k]); math.Abs(v) < noise {
					v = 0
				}
				p.t[w] = v
				w++
			}
		}
	}
}

const (
	noise     = 1e-11 // residue where numbers of size one cancel
	pivotTol  = 1e-7  // smallest entry to pivot on
	optimal   = 1e-9  // entries of the objective below this count as 0
	stepsEach = 20    // exchanges for each dimension after which a question is given up
	setEach   = 2     // steps for each number that Set reads
)

// Reach maximises sign·z_i for cell i, from where the last question ended, and returns the value reached; it stops at
// limit. A value below limit is the maximum up to rounding, or what was reached before the question was given up.
func (p *Program) Reach(i int32, sign int, limit float64) float64 {
	q := p.class[i]
	if q < 0 {
		return 0
	}
	f := p.ratio[i] * float64(sign)
	d, m := p.dims, len(p.head)
	for step := 0; f*p.z[q] < limit && step <= stepsEach*(d+1); step++ {
		// The coordinate that moves z_i fastest, among those that can move.
		own := p.t[int(q)*d : int(q)*d+d]
		j, best := -1, optimal
		for k, v := range own {
			if v *= f; math.Abs(v) > best {
				if r := p.row[k]; r < 0 || v > 0 && p.z[r] < p.hi[r] || v < 0 && p.z[r] > p.lo[r] {
					j, best = k, math.Abs(v)
				}
			}
		}
		if j < 0 {
			break
		}
		dir := math.Copysign(1, own[j]*f)
		p.Steps += 3*m + d
		// How far it can go, and which row stops it; of several the one with the largest entry.
		length, end, entry := math.Inf(1), -1, 0.0
		for i := range m {
			v := p.t[i*d+j] * dir
			room := 0.0
			switch {
			case v > pivotTol:
				room = p.hi[i] - p.z[i]
			case v < -pivotTol:
				room, v = p.z[i]-p.lo[i], -v
			default:
				continue
			}
			if math.IsInf(room, 1) {
				continue
			}
			if room = max(room, 0); room < length*v*(1-1e-12) || room <= length*v && v > entry {
				length, end, entry = room/v, i, v
			}
		}
		if end < 0 {
			return math.Inf(1)
		}
		for i := range m {
			p.z[i] += float64(length * dir * p.t[i*d+j])
		}
		if p.t[end*d+j]*dir > 0 {
			p.z[end] = p.hi[end]
		} else {
			p.z[end] = p.lo[end]
		}
		if p.row[j] != int32(end) {
			p.exchange(end, j)
		}
	}
	return f * p.z[q]
}

// exchange makes the value of row i the j-th coordinate.
func (p *Program) exchange(i, j int) {
	d := p.dims
	by := p.t[i*d : i*d+d]
	inv, changed := 1/by[j], 0
	for h := range p.head {
		if h == i {
			continue
		}
		own := p.t[h*d : h*d+d]
		f := own[j] * inv
		if f == 0 {
			continue
		}
		for k, v := range by {
			own[k] -= float64(f * v)
		}
		own[j] = f
		changed++
	}
	p.Steps += len(p.head) + changed*d
	clear(by)
	by[j] = 1
	p.row[j] = int32(i)
}

// Along calls each with the largest multiples of the further movements, up and down, that the capacities allow.
func (p *Program) Along(each func(value func(i int32) float64)) {
	for t := range p.number {
		p.multiples(p.along[t:], p.number, each)
	}
}

// Last is Along for the movement of the last answer.
func (p *Program) Last(each func(value func(i int32) float64)) { p.multiples(p.z, 1, each) }

// multiples is Along for the movement z, stored in every step-th place.
func (p *Program) multiples(z []float64, step int, each func(value func(i int32) float64)) {
	p.Steps += 4 * len(p.head)
	plus, minus := math.Inf(1), math.Inf(1)
	for i := range p.head {
		switch v := z[i*step]; {
		case v > noise:
			plus, minus = min(plus, p.hi[i]/v), min(minus, -p.lo[i]/v)
		case v < -noise:
			plus, minus = min(plus, p.lo[i]/v), min(minus, -p.hi[i]/v)
		}
	}
	for _, f := range [2]float64{plus, -minus} {
		if f != 0 && !math.IsInf(f, 0) {
			each(func(i int32) float64 {
				if q := p.class[i]; q >= 0 {
					return f * p.ratio[i] * z[int(q)*step]
				}
				return 0
			})
		}
	}
}
