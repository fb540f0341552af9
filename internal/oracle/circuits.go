package oracle

import (
	"context"
	"math/rand/v2"
	"slices"

	"github.com/hitoku/hitoku/internal/exact/heap"
	"github.com/hitoku/hitoku/internal/exact/num"
	"github.com/hitoku/hitoku/internal/exact/series"
	"github.com/hitoku/hitoku/internal/sets"
)

// An elimination brings M to echelon form modulo prime.
type elimination struct {
	s     *System
	row   [][]term  // by relation, ascending cells
	col   [][]int32 // relations in which a cell occurs or occurred, in any order
	count []int32   // relations in which it occurs
	heap  rowHeap
	steps int

	pivots []pivot
	basic  []bool
	t      [][]term // T by basic cell: z_basic = −Σ T z over the other cells
	keep   []bool
}

// A term is a coefficient modulo prime.
type term struct {
	i int32
	v uint64
}

// A pivot is a relation and the cell it defines.
type pivot struct{ j, i int32 }

// rowHeap holds relations by number of terms, then index. Stale entries are
// skipped when they surface.
type rowHeap = heap.Heap[rowTerms]

type rowTerms struct{ terms, j int32 }

func (a rowTerms) Before(b rowTerms) bool {
	return a.terms < b.terms || a.terms == b.terms && a.j < b.j
}

// eliminated finds an independent set of relations and the fundamental circuits: for every non-basic cell c, the point
// of the kernel with z_c = 1 and 0 on the other non-basic cells.
//
// Why arithmetic modulo a prime suffices: the r relations kept are independent modulo the prime, so also over the
// rationals. The n − r circuits are reconstructed over the rationals and checked in integers against all relations,
// kept or not; so the rank is at most r. Hence it is r, the dropped relations follow from those kept, and the circuits,
// including their zeros, are exact.
func (s *System) eliminated(ctx context.Context) (*Structure, bool, error) {
	e, ok, err := s.elimination(ctx)
	if !ok || err != nil {
		return nil, false, err
	}
	return e.circuits(ctx)
}

// elimination performs the elimination of M; ok is false if it takes too many steps.
func (s *System) elimination(ctx context.Context) (e *elimination, ok bool, err error) {
	e = newElimination(s)
	for _, step := range []func(context.Context) (bool, error){e.echelon, e.back} {
		if ok, err = step(ctx); !ok || err != nil {
			return nil, false, err
		}
	}
	return e, true, nil
}

func newElimination(s *System) *elimination {
	return &elimination{s: s, keep: make([]bool, s.Rel.Len()), basic: make([]bool, s.Rel.N)}
}

// echelon picks pivots, always a cell in the fewest relations within a shortest remaining relation, and eliminates that
// cell from the others. A relation that loses all its terms follows from those with pivots.
func (e *elimination) echelon(ctx context.Context) (bool, error) {
	rel := e.s.Rel
	n, m := rel.N, rel.Len()
	e.row, e.col, e.count = make([][]term, m), make([][]int32, n), make([]int32, n)
	for j := range m {
		cell, coef := rel.Row(j)
		row := make([]term, len(cell))
		for t, i := range cell {
			row[t] = term{i, prime.Of(int64(coef[t]))}
		}
		slices.SortFunc(row, func(a, b term) int { return int(a.i - b.i) })
		// A cell may be listed twice.
		w := 0
		for _, x := range row {
			if w > 0 && row[w-1].i == x.i {
				if row[w-1].v = prime.Add(row[w-1].v, x.v); row[w-1].v == 0 {
					w--
				}
				continue
			}
			if x.v != 0 {
				row[w] = x
				w++
			}
		}
		e.row[j] = row[:w]
		for _, x := range e.row[j] {
			e.col[x.i] = append(e.col[x.i], int32(j))
			e.count[x.i]++
		}
		e.push(int32(j))
	}
	done := make([]bool, m)
	var scratch []term
	for len(e.heap) > 0 {
		top := e.heap.Pop()
		j := top.j
		if done[j] || int(top.terms) != len(e.row[j]) {
			continue
		}
		done[j] = true
		row := e.row[j]
		if len(row) == 0 {
			continue
		}
		if len(e.pivots)%64 == 0 && ctx.Err() != nil {
			return false, context.Cause(ctx)
		}
		own := row[0]
		for _, x := range row {
			if e.count[x.i] < e.count[own.i] {
				own = x
			}
		}
		i := own.i
		inv := prime.Inverse(own.v)
		for t := range row {
			row[t].v = prime.Mul(row[t].v, inv)
			e.count[row[t].i]--
		}
		e.keep[j], e.basic[i] = true, true
		e.pivots = append(e.pivots, pivot{j, i})
		for _, k := range e.col[i] {
			if done[k] {
				continue
			}
			at, ok := slices.BinarySearchFunc(e.row[k], i, func(x term, i int32) int { return int(x.i - i) })
			if !ok {
				continue
			}
			scratch = e.subtract(scratch[:0], k, row, e.row[k][at].v)
			e.row[k] = append(e.row[k][:0], scratch...)
			e.push(k)
			if e.steps += len(row) + len(scratch); e.steps > maxEliminationSteps {
				return false, nil
			}
		}
		e.col[i] = nil
	}
	return true, nil
}

func (e *elimination) push(j int32) {
	e.heap.Push(rowTerms{int32(len(e.row[j])), j})
}

// subtract appends row k minus f times row to out and updates the columns.
func (e *elimination) subtract(out []term, k int32, row []term, f uint64) []term {
	a := e.row[k]
	for len(a) > 0 || len(row) > 0 {
		switch {
		case len(row) == 0 || len(a) > 0 && a[0].i < row[0].i:
			out = append(out, a[0])
			a = a[1:]
		case len(a) == 0 || row[0].i < a[0].i:
			i := row[0].i
			out = append(out, term{i, prime.Sub(0, prime.Mul(f, row[0].v))})
			e.col[i] = append(e.col[i], k)
			e.count[i]++
			row = row[1:]
		default:
			if v := prime.Sub(a[0].v, prime.Mul(f, row[0].v)); v != 0 {
				out = append(out, term{a[0].i, v})
			} else {
				e.count[a[0].i]--
			}
			a, row = a[1:], row[1:]
		}
	}
	return out
}

// back expresses every basic cell by the non-basic ones. Besides its own basic cell, a relation contains only basic
// cells of later pivots.
func (e *elimination) back(ctx context.Context) (bool, error) {
	n := e.s.Rel.N
	e.t = make([][]term, n)
	sum, hit := make([]uint64, n), make([]bool, n)
	var cells []int32
	entries := 0
	add := func(i int32, v uint64) {
		if !hit[i] {
			hit[i] = true
			cells = append(cells, i)
		}
		sum[i] = prime.Add(sum[i], v)
	}
	for q := len(e.pivots) - 1; q >= 0; q-- {
		if q%64 == 0 && ctx.Err() != nil {
			return false, context.Cause(ctx)
		}
		p := e.pivots[q]
		for _, x := range e.row[p.j] {
			switch {
			case x.i == p.i:
			case e.basic[x.i]:
				for _, y := range e.t[x.i] {
					add(y.i, prime.Sub(0, prime.Mul(x.v, y.v)))
				}
				e.steps += len(e.t[x.i])
			default:
				add(x.i, x.v)
			}
		}
		slices.Sort(cells)
		for _, i := range cells {
			if sum[i] != 0 {
				e.t[p.i] = append(e.t[p.i], term{i, sum[i]})
			}
			sum[i], hit[i] = 0, false
		}
		cells = cells[:0]
		if entries += len(e.t[p.i]); entries > maxCircuitEntries || e.steps > maxEliminationSteps {
			return false, nil
		}
	}
	return true, nil
}

// circuits makes blocks by joining the cells of every circuit.
func (e *elimination) circuits(ctx context.Context) (*Structure, bool, error) {
	n := e.s.Rel.N
	group := sets.New(n)
	moves := make([]bool, n)
	ok, err := e.each(ctx, func(c int32, circuit []term, _ int64, _ []int64) {
		moves[c] = true
		for _, x := range circuit {
			moves[x.i] = true
			group.Join(c, x.i)
		}
	})
	if !ok || err != nil {
		return nil, false, err
	}
	st := &Structure{Block: make([]int32, n), Keep: e.keep}
	comp := make([]int32, n)
	for i := range comp {
		if comp[i] = -1; moves[i] {
			comp[i] = group.Root(int32(i))
		}
	}
	st.number(comp, int32(n))
	e.together(st)
	return st, true, nil
}

// each transposes T, verifies every circuit and passes it to use: den at the non-basic cell c, num at the basic cells
// of circuit. use must copy what it keeps.
func (e *elimination) each(ctx context.Context, use func(c int32, circuit []term, den int64, num []int64)) (bool, error) {
	n := e.s.Rel.N
	ptr, flat := sets.Grouped(n, func(put func(i int32, x term)) {
		for b, row := range e.t {
			for _, x := range row {
				put(x.i, term{int32(b), prime.Sub(0, x.v)})
			}
		}
	})
	sum := make([]int64, e.s.Rel.Len())
	var num []int64
	for c := range int32(n) {
		if e.basic[c] {
			continue
		}
		if c%64 == 0 && ctx.Err() != nil {
			return false, context.Cause(ctx)
		}
		circuit := flat[ptr[c]:ptr[c+1]]
		den, ok := int64(1), true
		if num, den, ok = e.rational(num[:0], circuit); !ok || !e.verified(c, den, circuit, num, sum) {
			return false, nil
		}
		use(c, circuit, den, num)
	}
	return true, nil
}

// Kernel returns a basis of {z : M z = 0} in integers, one vector for each non-basic cell, its cells in any order; ok
// is false if an elimination of limited cost does not find it.
func (s *System) Kernel(ctx context.Context) (basis []series.Vector, ok bool, err error) {
	e, ok, err := s.elimination(ctx)
	if !ok || err != nil {
		return nil, false, err
	}
	ok, err = e.each(ctx, func(c int32, circuit []term, den int64, num []int64) {
		v := series.Vector{Cells: []int32{c}, Num: append([]int64{den}, num...)}
		for _, x := range circuit {
			v.Cells = append(v.Cells, x.i)
		}
		basis = append(basis, v)
	})
	return basis, ok, err
}

// together finds cells with z_i = ±z_lead on the whole kernel: those on the same circuits with equal or opposite
// entries. Entries are fractions of numbers up to 2^20, so they are equal if they are equal modulo prime.
func (e *elimination) together(st *Structure) {
	n := int32(e.s.Rel.N)
	st.Lead, st.Sign = make([]int32, n), make([]int8, n)
	first := map[num.Hash][]int32{}
	var alone [1]term
	entries := func(i int32) []term {
		if e.basic[i] {
			return e.t[i]
		}
		alone[0] = term{i, uint64(prime - 1)}
		return alone[:]
	}
	for i := range n {
		st.Lead[i], st.Sign[i] = i, 1
		if st.Block[i] < 0 {
			continue
		}
		own := slices.Clone(entries(i))
		negate := own[0].v > uint64(prime/2)
		hash := num.NewHash()
		for t, x := range own {
			if negate {
				own[t].v = prime.Sub(0, x.v)
			}
			hash = hash.Add(uint64(x.i)).Add(own[t].v)
		}
		for _, k := range first[hash] {
			other := entries(k)
			flip := other[0].v > uint64(prime/2)
			same := len(own) == len(other)
			for t := 0; same && t < len(own); t++ {
				v := other[t].v
				if flip {
					v = prime.Sub(0, v)
				}
				same = own[t] == term{other[t].i, v}
			}
			if same {
				if st.Lead[i] = k; negate != flip {
					st.Sign[i] = -1
				}
				break
			}
		}
		if st.Lead[i] == i {
			first[hash] = append(first[hash], i)
		}
	}
}

// rational reconstructs a circuit as num/den.
func (e *elimination) rational(num []int64, circuit []term) ([]int64, int64, bool) {
	den := int64(1)
	for _, x := range circuit {
		v := prime.Mul(x.v, uint64(den))
		if v <= maxCircuitNum || v >= uint64(prime-maxCircuitNum) {
			continue
		}
		_, q, ok := fraction(v, maxCircuitNum)
		if !ok || den*q > maxCircuitNum {
			return num, 0, false
		}
		den *= q
	}
	for _, x := range circuit {
		v := int64(prime.Mul(x.v, uint64(den)))
		if v > int64(prime/2) {
			v -= int64(prime)
		}
		if v > maxCircuitNum || v < -maxCircuitNum {
			return num, 0, false
		}
		num = append(num, v)
	}
	return num, den, true
}

// verified checks M z = 0 for z_c = den, z = num on the circuit, in integers. sum is zeroed scratch, by relation.
// Products stay below 2^52; sums beyond 2^61 are rejected.
func (e *elimination) verified(c int32, den int64, circuit []term, num, sum []int64) bool {
	ok := true
	add := func(i int32, v int64) {
		rel, coef := e.s.Cols.Column(int(i))
		for t, j := range rel {
			sum[j] += int64(coef[t]) * v
			if sum[j] > 1<<61 || sum[j] < -1<<61 {
				ok = false
			}
		}
	}
	add(c, den)
	for t, x := range circuit {
		add(x.i, num[t])
	}
	check := func(i int32) {
		rel, _ := e.s.Cols.Column(int(i))
		for _, j := range rel {
			ok = ok && sum[j] == 0
			sum[j] = 0
		}
	}
	check(c)
	for _, x := range circuit {
		check(x.i)
	}
	return ok
}

// KernelSample returns a random point of {z : M z = 0} modulo a prime of 61 bits, with z = 0 on the cells that do not
// move. A linear form that is 0 on the kernel is 0 at this point; any other form almost never is. ok is false if
// elimination would take too long. The same relations, cells and seed give the same point. Cost: the fill-in of the
// elimination.
func KernelSample(ctx context.Context, s *System, moves []bool, seed uint64) (z []uint64, ok bool, err error) {
	e := newElimination(&System{Rel: among(s.Rel, func(i int32) bool { return moves[i] })})
	if ok, err := e.echelon(ctx); !ok || err != nil {
		return nil, false, err
	}
	z = make([]uint64, s.Rel.N)
	rng := rand.New(rand.NewPCG(seed, seed))
	for i := range z {
		if moves[i] && !e.basic[i] {
			z[i] = rng.Uint64N(uint64(prime))
		}
	}
	for q := len(e.pivots) - 1; q >= 0; q-- { // besides its own, a relation contains only basic cells of later pivots
		p := e.pivots[q]
		for _, x := range e.row[p.j] {
			if x.i != p.i {
				z[p.i] = prime.Sub(z[p.i], prime.Mul(x.v, z[x.i]))
			}
		}
	}
	return z, true, nil
}
