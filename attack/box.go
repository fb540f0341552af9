package attack

import (
	"math"

	"github.com/hitoku/hitoku/internal/exact/num"
)

// A box is the set of candidates y of F with l ≤ y ≤ u: lower ends by position, followed by the upper ends.
type box []int64

func (at *positions) newBox() box { return make(box, 2*at.s) }

// ends returns the two halves of b.
func (b box) ends() (l, u []int64) { return b[:len(b)/2], b[len(b)/2:] }

// A tightener narrows boxes by propagating the relations.
type tightener struct {
	x     *setting
	dirty []bool
	queue []int32
}

func newTightener(x *setting) *tightener {
	return &tightener{x: x, dirty: make([]bool, len(x.rhs)), queue: make([]int32, 0, len(x.rhs))}
}

// all narrows b by all relations; it returns false if b has no candidate.
func (t *tightener) all(b box) bool {
	for j := range t.dirty {
		t.push(int32(j))
	}
	return t.run(b)
}

// from narrows b after the range of position p has changed.
func (t *tightener) from(b box, p int32) bool {
	for _, j := range t.x.rows[p] {
		t.push(j)
	}
	return t.run(b)
}

func (t *tightener) push(j int32) {
	if !t.dirty[j] {
		t.dirty[j] = true
		t.queue = append(t.queue, j)
	}
}

// run narrows until nothing changes: each row bounds each of its terms by what the others can contribute. The number of
// steps is limited by the total width, which rows over few cells use up slowly; ends may then be wider than necessary,
// which is valid.
func (t *tightener) run(b box) bool {
	l, u := b.ends()
	ok, steps := true, 0
	for at := 0; at < len(t.queue); at++ {
		j := t.queue[at]
		t.dirty[j] = false
		if steps++; steps > 64*len(t.dirty) {
			continue
		}
		switch {
		case !ok:
		case t.x.wide == nil || !t.x.wide[j]:
			ok = t.row(j, l, u)
		default:
			ok = t.wideRow(j, l, u)
		}
	}
	t.queue = t.queue[:0]
	return ok
}

// row narrows the terms of row j; it returns false if the row cannot be satisfied.
func (t *tightener) row(j int32, l, u []int64) bool {
	x := t.x
	a, e := x.ptr[j], x.ptr[j+1]
	at, coef := x.at[a:e], x.coef[a:e]
	least, most := -x.rhs[j], -x.rhs[j]
	for k, p := range at {
		if c := coef[k]; c > 0 {
			least += c * l[p]
			most += c * u[p]
		} else {
			least += c * u[p]
			most += c * l[p]
		}
	}
	if least > 0 || most < 0 {
		return false
	}
	for k, p := range at {
		if l[p] == u[p] {
			continue
		}
		// c·y_p + (others) = 0, where the others range over [least, most] without the term of p.
		c, nl, nu := coef[k], l[p], u[p]
		switch {
		case c == 1:
			nl, nu = max(nl, u[p]-most), min(nu, l[p]-least)
		case c == -1:
			nl, nu = max(nl, u[p]+least), min(nu, l[p]+most)
		case c > 0:
			nl, nu = max(nl, num.CeilDiv(c*u[p]-most, c)), min(nu, num.FloorDiv(c*l[p]-least, c))
		default:
			nl, nu = max(nl, num.CeilDiv(c*u[p]-least, c)), min(nu, num.FloorDiv(c*l[p]-most, c))
		}
		if nl > nu {
			return false
		}
		if nl == l[p] && nu == u[p] {
			continue
		}
		if c > 0 {
			least += c * (nl - l[p])
			most += c * (nu - u[p])
		} else {
			least += c * (nu - u[p])
			most += c * (nl - l[p])
		}
		l[p], u[p] = nl, nu
		for _, i := range x.rows[p] {
			if i != j {
				t.push(i)
			}
		}
	}
	return true
}

// wideRow is row for a relation whose sums may not fit 64 bits.
func (t *tightener) wideRow(j int32, l, u []int64) bool {
	x := t.x
	a, e := x.ptr[j], x.ptr[j+1]
	at, coef := x.at[a:e], x.coef[a:e]
	least := num.Int128{}.Sub(x.sums[j])
	most := least
	for k, p := range at {
		if c := coef[k]; c > 0 {
			least, most = least.Add(times(c, l[p])), most.Add(times(c, u[p]))
		} else {
			least, most = least.Add(times(c, u[p])), most.Add(times(c, l[p]))
		}
	}
	if least.Sign() > 0 || most.Sign() < 0 {
		return false
	}
	for k, p := range at {
		if l[p] == u[p] {
			continue
		}
		// The others together can compensate only so much, so y_p is no farther than that from either end.
		c, nl, nu := coef[k], l[p], u[p]
		below, _ := least.Magnitude()
		above, _ := most.Magnitude()
		if c < 0 {
			below, above = above, below
		}
		if by := below.Quotient(num.Magnitude(c)); by < u[p]-l[p] {
			nu = l[p] + by
		}
		if by := above.Quotient(num.Magnitude(c)); by < u[p]-l[p] {
			nl = u[p] - by
		}
		if nl > nu {
			return false
		}
		if nl == l[p] && nu == u[p] {
			continue
		}
		if c > 0 {
			least, most = least.Add(times(c, nl-l[p])), most.Add(times(c, nu-u[p]))
		} else {
			least, most = least.Add(times(c, nu-u[p])), most.Add(times(c, nl-l[p]))
		}
		l[p], u[p] = nl, nu
		for _, i := range x.rows[p] {
			if i != j {
				t.push(i)
			}
		}
	}
	return true
}

// holds reports whether y satisfies every relation.
func (x *setting) holds(y []int64) bool {
	for j, sum := range x.rhs {
		if x.wide != nil && x.wide[j] {
			left := x.sums[j]
			for t := x.ptr[j]; t < x.ptr[j+1]; t++ {
				left = left.Sub(times(x.coef[t], y[x.at[t]]))
			}
			if left.Sign() != 0 {
				return false
			}
			continue
		}
		for t := x.ptr[j]; t < x.ptr[j+1]; t++ {
			sum -= x.coef[t] * y[x.at[t]]
		}
		if sum != 0 {
			return false
		}
	}
	return true
}

// pointNodes limits the nodes of the search for a point of a box.
const pointNodes = 400

// A finder finds candidates in boxes.
type finder struct {
	*tightener
	stack []box
	nodes int
	small bool // prefer sensitive values, as matching candidates have many
}

// point looks for a candidate in b, which has been narrowed, and stores it in y. empty means that there is none; if
// both results are false, the search gave up.
func (f *finder) point(b box, y []int64) (found, empty bool) {
	f.nodes = 0
	found = f.descend(0, b, y)
	return found, !found && f.nodes < pointNodes
}

// descend fixes the free position with the smallest range to the middle of its range (if small, of its sensitive
// values), then tries what is left below and above.
func (f *finder) descend(depth int, b box, y []int64) bool {
	if f.nodes++; f.nodes >= pointNodes {
		return false
	}
	l, u := b.ends()
	best, width := int32(-1), int64(math.MaxInt64)
	for p := range l {
		if w := u[p] - l[p]; w > 0 && w < width {
			best, width = int32(p), w
		}
	}
	if best < 0 {
		copy(y, l)
		return f.x.holds(y)
	}
	for depth >= len(f.stack) {
		f.stack = append(f.stack, f.x.newBox())
	}
	m := l[best] + width/2
	if f.small && f.x.office.Below > 0 && f.x.maybe(best, l[best], u[best]) {
		a, e := f.x.office.sensitiveRange()
		a, e = max(a, l[best]), min(e, u[best])
		m = a + (e-a)/2
	}
	for _, r := range [3][2]int64{{m, m}, {l[best], m - 1}, {m + 1, u[best]}} {
		if r[0] > r[1] {
			continue
		}
		c := f.stack[depth]
		copy(c, b)
		c[best], c[f.x.s+int(best)] = r[0], r[1]
		if f.from(c, best) && f.descend(depth+1, c, y) {
			return true
		}
		if f.nodes >= pointNodes {
			return false
		}
	}
	return false
}
