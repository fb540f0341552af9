package attack

import (
	"math"

	"github.com/hitoku/hitoku/internal/oracle"
	"github.com/hitoku/hitoku/table"
)

// A circulationOracle finds new moves of known patterns by linear programs, for relations that are not a network. Like
// all moves, they are used only after a check in integers.
type circulationOracle struct {
	x        *setting
	engine   oracle.Intruder
	up, dn   []int64 // capacities at y
	fup, fdn []float64
	weight   []float64 // 1 for the cells of K
	idx      []int32
	val      []float64
}

func newCirculationOracle(x *setting, backend string) (*circulationOracle, error) {
	in, err := x.sys.NewIntruder("", backend)
	if err != nil {
		return nil, err
	}
	q := &circulationOracle{x: x, engine: in, up: make([]int64, x.n), dn: make([]int64, x.n),
		fup: make([]float64, x.n), fdn: make([]float64, x.n), weight: make([]float64, x.n)}
	for i := range x.n {
		q.setCapacities(int32(i), x.base.Value[i], x.t.Lower[i], x.t.Upper[i])
	}
	return q, nil
}

func (q *circulationOracle) close() {
	if q != nil {
		q.engine.Close()
	}
}

// setCapacities sets the capacities of cell i for the value v.
func (q *circulationOracle) setCapacities(i int32, v, lb, ub int64) {
	q.up[i], q.dn[i] = table.PosInf, table.PosInf
	q.fup[i], q.fdn[i] = math.Inf(1), math.Inf(1)
	if ub < maxWord {
		q.up[i] = max(ub-v, 0)
		q.fup[i] = float64(q.up[i])
	}
	if lb > -maxWord {
		q.dn[i] = max(v-lb, 0)
		q.fdn[i] = float64(q.dn[i])
	}
}

// at sets the capacities for the candidate y.
func (q *circulationOracle) at(y []int64) {
	for p, i := range q.x.cells {
		q.setCapacities(i, y[p], q.x.lb[p], q.x.ub[p])
	}
}

// moves returns moves that take cell i up and down within the pattern set.
func (w *worker) moves(set bitset, i int32) (m [][]cellMove, err error) {
	q := w.q
	for c := range q.weight {
		q.weight[c] = 0
		if set.has(int32(c)) {
			q.weight[c] = 1
		}
	}
	q.engine.SetCapacities(q.fup, q.fdn, q.weight)
	for _, sign := range [2]int{1, -1} {
		v, err := q.engine.Reach(w.ctx, int(i), sign, float64(q.x.reach))
		if w.ctx.Err() != nil {
			return nil, errStopped
		}
		if err != nil {
			return nil, err
		}
		if v < 0.5/float64(q.x.q) {
			continue
		}
		q.idx, q.val = q.engine.Witness(q.idx[:0], q.val[:0])
		p := q.x.sys.NewPoint(append([]int32(nil), q.idx...), append([]float64(nil), q.val...), q.up, q.dn)
		num, _ := p.Farthest(i, sign, q.x.reach)
		var z []cellMove
		for t, c := range p.Cells {
			if num != nil && num[t] != 0 {
				z = append(z, cellMove{c, num[t]})
			}
		}
		if z != nil {
			m = append(m, z)
		}
	}
	return m, nil
}

// probes is the number of pooled patterns tried for one candidate.
const probes = 16

// refuteByNewMoves looks for new moves with which a pooled pattern refutes y although its known moves do not suffice,
// and stores in r the region of b that it refutes.
func (w *worker) refuteByNewMoves(b box) (bool, error) {
	x, y := w.x, w.y
	tried := 0
	w.mark(y, y)
	for at, id := range w.pool() {
		k := w.entry(id)
		if !k.covers(w.may) || !x.cheaper(k, y, y) || len(k.moves) >= maxMoves {
			continue
		}
		if tried++; tried > probes {
			break
		}
		if tried == 1 {
			w.q.at(y)
		}
		ok := true
		for p := int32(0); p < int32(x.s) && ok; p++ {
			if !w.may.has(p) || x.protects(k, p, y, y) {
				continue
			}
			m, err := w.moves(k.set, x.cells[p])
			if err != nil {
				return false, err
			}
			k = w.addToPool(k.set, m)
			ok = x.protects(k, p, y, y)
		}
		if ok && w.region(b).refute(k) {
			w.moveToFront(at)
			return true, nil
		}
	}
	return false, nil
}
