package stranger

import (
	"cmp"
	"encoding/binary"
	"math"
	"slices"
	"sort"

	"github.com/hitoku/hitoku/internal/exact/num"
)

// leastBits is the evidence a formula needs beyond naming its lines. With it, 10 of 1,203 generated files that
// are correctly protected still have such a formula, and it is found in 350 of 478 files in which the numbers
// computed from withheld ones were left.
const leastBits = 10

// longest bounds the lines in a sum of neighbouring lines.
const longest = 40

// Find looks for what reveals the withheld numbers of a file: sums that contain at least one of them, and ratios
// that give one to within a unit or 5 %. complete is false if the search was cut short. chance, unless nil, says
// which pairs of numbers are related only by coincidence; these are left out. It takes at most 5·10⁷ comparisons.
func Find(file, copied []Sheet, secret map[Place]bool, chance func(secret, other Place) bool) (facts []Fact, told []Ratio, complete bool) {
	b := newBook(file, copied, secret)
	b.chance = chance
	for _, down := range []bool{true, false} {
		f := &finder{book: b, down: down, seen: map[string]bool{}}
		f.all, f.positions = b.lines(down)
		f.by = make([][]int, f.positions)
		for i := range f.all {
			f.line(i)
		}
		facts, told = append(facts, f.facts...), append(told, f.told...)
	}
	return facts, told, b.steps > 0
}

// A finder tries the lines of one direction.
type finder struct {
	*book
	down      bool
	all       []line
	positions int
	by        [][]int // by position: the lines with a number there, sorted by it; built when needed
	seen      map[string]bool
	facts     []Fact
	told      []Ratio
}

// line tries line i at its withheld numbers.
func (f *finder) line(i int) {
	l := &f.all[i]
	first := true
	for p := range l.n {
		if f.steps <= 0 {
			return
		}
		if !l.n[p].ok || !f.secret[l.place(p, f.down)] {
			continue
		}
		if first && l.n[p].whole && l.n[p].exact != 0 {
			f.sums(i, p)
			f.runs(i, p)
			first = false
		}
		f.ratios(i, p)
	}
}

// values returns the lines with a number at position p, sorted by it.
func (f *finder) values(p int) []int {
	if f.by[p] == nil {
		f.by[p] = []int{}
		for i := range f.all {
			if f.all[i].n[p].ok {
				f.by[p] = append(f.by[p], i)
			}
		}
		slices.SortStableFunc(f.by[p], func(i, j int) int { return cmp.Compare(f.all[i].n[p].v, f.all[j].n[p].v) })
	}
	return f.by[p]
}

// between calls do for the lines whose number at p is between lo and hi, until it returns false.
func (f *finder) between(p int, lo, hi float64, do func(i int) (more bool)) {
	by := f.values(p)
	for k := sort.Search(len(by), func(k int) bool { return f.all[by[k]].n[p].v >= lo }); k < len(by) && f.all[by[k]].n[p].v <= hi; k++ {
		if f.steps--; f.steps <= 0 || !do(by[k]) {
			return
		}
	}
}

// exactly calls do for the lines whose number at p is exactly v, in units of 10^−places.
func (f *finder) exactly(p int, v int64, do func(i int)) {
	x := float64(v) / 1e4
	f.between(p, x-1e-9, x+1e-9, func(i int) bool {
		if n := f.all[i].n[p]; n.whole && n.exact == v {
			do(i)
		}
		return true
	})
}

// sums tries line i as equal to another line, and in sums of two lines.
func (f *finder) sums(i, p int) {
	v := f.all[i].n[p].exact
	f.exactly(p, v, func(j int) {
		if j != i {
			f.fact([]int{i, j}, []int32{1, -1})
		}
	})
	for _, j := range f.values(p) {
		x := f.all[j].n[p]
		if f.steps--; f.steps <= 0 {
			return
		}
		if j == i || !x.whole || x.exact == 0 {
			continue
		}
		f.exactly(p, v-x.exact, func(k int) {
			if k > j && k != i {
				f.fact([]int{i, j, k}, []int32{-1, 1, 1})
			}
		})
		f.exactly(p, v+x.exact, func(k int) {
			if k != j && k != i {
				f.fact([]int{k, i, j}, []int32{-1, 1, 1})
			}
		})
	}
}

// runs tries sums of three or more lines that are neighbours, or every second to fourth line, with line i as the
// sum or as a part.
func (f *finder) runs(i, p int) {
	sheet := f.all[i].sheet
	from, to := i, i
	for from > 0 && f.all[from-1].sheet == sheet {
		from--
	}
	for to+1 < len(f.all) && f.all[to+1].sheet == sheet {
		to++
	}
	for step := 1; step <= 4; step++ {
		for first := max(from, i-longest*step); first <= min(to, i+longest*step); first++ {
			var sum int64
			var run []int
			had := false
			for j := first; j <= to && len(run) < longest; j += step {
				f.steps--
				x := f.all[j].n[p]
				if j == i && len(run) == 0 && first != i || x.ok && !x.whole {
					break
				}
				if !x.ok {
					continue
				}
				sum += x.exact
				run = append(run, j)
				if had = had || j == i; len(run) < 3 {
					continue
				}
				if !had {
					if sum == f.all[i].n[p].exact {
						f.sumOf(i, run)
					}
					continue
				}
				f.exactly(p, sum, func(k int) {
					if !slices.Contains(run, k) {
						f.sumOf(k, run)
					}
				})
			}
		}
	}
}

// sumOf tries line k as the sum of others.
func (f *finder) sumOf(k int, run []int) {
	coef := []int32{-1}
	for range run {
		coef = append(coef, 1)
	}
	f.fact(append([]int{k}, run...), coef)
}

// far returns how many bits it takes to name line j, given line i.
func (f *finder) far(i, j int) float64 {
	d := math.Abs(float64(f.all[i].at - f.all[j].at))
	if f.all[i].cross != nil || f.all[j].cross != nil { // there are few diagonals
		d = 1
	}
	if f.all[i].sheet != f.all[j].sheet {
		d++
	}
	return 2 * math.Log2(1+d)
}

// fact notes a sum of lines if it holds at all positions and has enough evidence.
func (f *finder) fact(lines []int, coef []int32) {
	bits := -f.far(lines[0], lines[1])
	if len(lines) > 2 {
		bits -= f.far(lines[0], lines[len(lines)-1])
	}
	var unit int64
	for p := range f.positions {
		unit = num.GCD(unit, f.all[lines[0]].n[p].exact)
	}
	holds := 0
	for p := range f.positions {
		var sum, largest int64
		whole := true
		for t, i := range lines {
			n := f.all[i].n[p]
			whole = whole && n.whole
			sum += int64(coef[t]) * n.exact
			largest = max(largest, n.exact, -n.exact)
		}
		if f.steps--; !whole {
			continue
		}
		if sum != 0 {
			return
		}
		if holds++; unit > 0 {
			bits += math.Log2(1 + float64(largest/unit))
		}
	}
	if bits < leastBits || holds < 2 {
		return
	}
	key := []byte{}
	for _, i := range slices.Sorted(slices.Values(lines)) {
		key = binary.AppendUvarint(key, uint64(i))
	}
	if f.seen[string(key)] {
		return
	}
	f.seen[string(key)] = true
	for p := range f.positions {
		fact := Fact{Coef: coef, Down: f.down}
		for _, i := range lines {
			if f.all[i].n[p].whole {
				fact.Place = append(fact.Place, f.all[i].place(p, f.down))
			}
		}
		apart := func(q Place) bool { return q == fact.Place[0] || f.isChance(fact.Place[0], q) }
		if len(fact.Place) == len(lines) && slices.ContainsFunc(fact.Place, func(p Place) bool { return f.secret[p] }) && slices.ContainsFunc(fact.Place, func(q Place) bool { return !apart(q) }) {
			f.facts = append(f.facts, fact)
		}
	}
}
