package nullspace

import (
	"cmp"
	"math/bits"
	"slices"
)

// An inequality c·t ≤ r over d variables is the row (c, r).
type inequality struct {
	row
	from []uint64 // inequalities of start from which it was derived
	cell int32    // the cell whose bound it is, −1: derived, or a bound on t
	high bool     // which bound of that cell
}

const (
	fourierPairs = 1 << 14 // most sums formed for one variable
	fourierRows  = 192     // most derived inequalities kept for one variable
)

// A shadow is the result of eliminate: at[j] are the inequalities that bound t_j once t_0 … t_j−1 are fixed; cut[j]
// says that some were left out.
type shadow struct {
	at  [][]inequality
	cut []bool
}

// eliminate projects the integer points of {t : start} onto t_0 … t_j for every j by Fourier–Motzkin
// elimination (Schrijver, Theory of Linear and Integer Programming, 1986, section 12.2) from the last
// variable down, sharpened by dividing by the gcd of the coefficients and rounding the right-hand side down.
// start must contain 0 ≤ t_j ≤ T_j for all j. Inequalities that the box implies are dropped, as are sums of
// more than k+1 inequalities of start after k eliminations (Kohler: they are implied by the others), and,
// beyond fourierRows, those that came from the most. Dropping inequalities keeps every point: the result is
// never too narrow, and where it might be too wide cut says so. ok is false if no integer point exists.
func eliminate(start []inequality, d int, T []num) (s shadow, ok bool) {
	s = shadow{at: make([][]inequality, d), cut: make([]bool, d)}
	words := (len(start) + 63) / 64
	var now []inequality
	for i := range start {
		q := start[i]
		q.row = q.clone()
		q.from = make([]uint64, words)
		q.from[i/64] = 1 << (i % 64)
		now = append(now, q)
	}
	now, ok = tidy(now, d, T)
	lost := false
	for j := d - 1; j >= 0 && ok; j-- {
		var up, down, rest []inequality
		for _, q := range now {
			switch q.at(j).sign() {
			case 1:
				up = append(up, q)
			case -1:
				down = append(down, q)
			default:
				rest = append(rest, q)
			}
		}
		s.at[j], s.cut[j] = append(append([]inequality(nil), up...), down...), lost
		pairs := 0
		for _, u := range up {
			for _, w := range down {
				from, weight := make([]uint64, words), 0
				for k := range from {
					from[k] = u.from[k] | w.from[k]
					weight += bits.OnesCount64(from[k])
				}
				if weight > d-j+1 {
					continue
				}
				if pairs++; pairs > fourierPairs {
					lost = true
					break
				}
				a, b := u.at(j), w.at(j).neg()
				g := a.gcd(b)
				sum := inequality{row: u.clone(), from: from, cell: -1}
				sum.combine(b.div(g), a.div(g).neg(), &w.row)
				rest = append(rest, sum)
			}
		}
		if now, ok = tidy(rest, d, T); !ok {
			break
		}
		if derived(now) > fourierRows {
			now, lost = fewest(now, d), true
		}
	}
	return s, ok
}

func derived(q []inequality) (n int) {
	for i := range q {
		if weightOf(q[i].from) > 1 {
			n++
		}
	}
	return n
}

func weightOf(from []uint64) (w int) {
	for _, x := range from {
		w += bits.OnesCount64(x)
	}
	return w
}

// fewest keeps the inequalities of start and fourierRows others, preferring those derived from the fewest and then
// those with the fewest variables.
func fewest(q []inequality, d int) []inequality {
	slices.SortStableFunc(q, func(a, b inequality) int {
		return cmp.Or(cmp.Compare(weightOf(a.from), weightOf(b.from)), cmp.Compare(a.weight(d), b.weight(d)))
	})
	own := len(q) - derived(q)
	return q[:min(len(q), own+fourierRows)]
}

// tidy divides by gcds, keeps the tightest of inequalities with equal left-hand sides and drops those that the box
// implies. ok is false if some inequality has no integer solution within the box.
func tidy(in []inequality, d int, T []num) (out []inequality, ok bool) {
	seen := make(map[string]int, len(in))
	var key []byte
	for i := range in {
		q := in[i]
		g, most, least := num{}, num{}, num{}
		terms := 0
		for j := range d {
			c := q.at(j)
			g = g.gcd(c)
			switch c.sign() {
			case 1:
				most = most.add(c.mul(T[j]))
				terms++
			case -1:
				least = least.add(c.mul(T[j]))
				terms++
			}
		}
		r := q.at(d)
		if r.cmp(least) < 0 {
			return nil, false
		}
		if g.sign() == 0 || terms > 1 && r.cmp(most) >= 0 || terms == 1 && r.cmp(most) > 0 {
			continue
		}
		if g.cmp(small(1)) > 0 {
			for j := range d {
				q.set(j, q.at(j).div(g))
			}
			q.set(d, r.div(g))
			q.demote()
		}
		key = key[:0]
		for j := range d {
			key = append(q.at(j).wide().Append(key, 36), ' ')
		}
		if k, dup := seen[string(key)]; dup {
			if q.at(d).cmp(out[k].at(d)) < 0 {
				out[k] = q
			}
			continue
		}
		seen[string(key)] = len(out)
		out = append(out, q)
	}
	return out, true
}
