package certificate

import (
	"math"
	"math/big"
)

// A Proof is a sum of rows with multipliers Mult ≥ 0, divided by 2^Scale. In a box of patterns it proves, with the rows
// Σ_j c_ij x_j ≥ r_i,
//
//	cost ≥ Σ_i y_i r_i + Σ_j min { (w_j − Σ_i y_i c_ij)·x_j : x_j in the box } ,
//
// or, as a Ray with w = 0 in place of the costs, that the box is empty if the right-hand side is positive: weak duality
// with the bounds of the columns, as in Neumaier and Shcherbina (Safe bounds in linear and mixed-integer linear
// programming, Mathematical Programming 99, 2004), but in integers.
type Proof struct {
	Scale int
	Rows  []int32 // indices of rules
	Mult  []int64
	Ray   bool
}

// maxScale keeps every sum within 192 bits.
const maxScale = 63

// A prover evaluates proofs in a box.
type prover struct {
	p     *problem
	state []int8 // by cell: −1 free, else the value of x; 0 if the cell may not be withheld
	ones  int64  // Σ w over cells fixed at 1
	clash int    // number of decisions that contradict the box: it is empty
	acc   []wide // by cell, zero between uses: Σ y c
	hit   []int32
	seen  []bool
}

func newProver(p *problem) *prover {
	k := &prover{p: p, state: make([]int8, p.n), acc: make([]wide, p.n), seen: make([]bool, p.n)}
	k.reset()
	return k
}

// reset makes the box that of all patterns.
func (k *prover) reset() {
	k.ones, k.clash = 0, 0
	for i := range k.state {
		k.state[i] = 0
		if k.p.free[i] {
			k.state[i] = -1
		}
	}
}

// fix sets x_i = v and returns what undo needs.
func (k *prover) fix(i int32, v int8) (old int8) {
	old = k.state[i]
	switch {
	case old == v:
	case old >= 0:
		k.clash++
	default:
		if k.state[i] = v; v == 1 {
			k.ones += k.p.cost[i]
		}
	}
	return old
}

// undo reverses fix(i, v).
func (k *prover) undo(i int32, v, old int8) {
	switch {
	case old == v:
	case old >= 0:
		k.clash--
	default:
		if k.state[i] = -1; v == 1 {
			k.ones -= k.p.cost[i]
		}
	}
}

// sum evaluates the proof without its rounding, in units of 2^−(Scale+52). The entries of k.acc remain set until clear.
func (k *prover) sum(rows []*row, y *Proof) (total wide) {
	for s, r := range rows {
		m := uint64(y.Mult[s])
		total.addMul(m, r.rhs)
		for t, i := range r.idx {
			if !k.seen[i] {
				k.seen[i] = true
				k.hit = append(k.hit, i)
			}
			k.acc[i].addMul(m, r.at(t))
		}
	}
	if !y.Ray {
		total = total.plus(scaled(k.ones, y.Scale+oneBits))
	}
	for _, i := range k.hit {
		switch k.state[i] {
		case 1:
			total = total.minus(k.acc[i])
		case -1:
			if d := k.reduced(i, y); d.sign() < 0 {
				total = total.plus(d)
			}
		}
	}
	return total
}

// reduced returns w_i − Σ y c_i.
func (k *prover) reduced(i int32, y *Proof) (d wide) {
	if !y.Ray {
		d = scaled(k.p.cost[i], y.Scale+oneBits)
	}
	return d.minus(k.acc[i])
}

func (k *prover) clear() {
	for _, i := range k.hit {
		k.acc[i], k.seen[i] = wide{}, false
	}
	k.hit = k.hit[:0]
}

// bound returns the least multiple of the unit of costs that a pattern in the box can cost, math.MaxInt64 if the box is
// proved empty.
func (k *prover) bound(rows []*row, y *Proof) int64 {
	if k.clash > 0 {
		return math.MaxInt64
	}
	total := k.sum(rows, y)
	k.clear()
	if y.Ray {
		if total.sign() > 0 {
			return math.MaxInt64
		}
		return 0
	}
	if total.sign() <= 0 {
		return 0
	}
	v := total.int()
	q, rest := new(big.Int).QuoRem(v, new(big.Int).Lsh(big.NewInt(1), uint(y.Scale+oneBits)), new(big.Int))
	if rest.Sign() > 0 {
		q.Add(q, big.NewInt(1))
	}
	if !q.IsInt64() {
		return math.MaxInt64 - 1
	}
	return min(q.Int64(), math.MaxInt64-1)
}

// settle fixes every free cell whose other value would cost at least target, and calls each with the cell and its
// value. If the whole box costs at least that much, it fixes nothing and returns true.
func (k *prover) settle(rows []*row, y *Proof, target int64, each func(i int32, v int8)) (all bool) {
	if k.clash > 0 || y.Ray || target <= 0 || target == math.MaxInt64 {
		return false
	}
	total := k.sum(rows, y)
	// A value is excluded if total + |d_i| > (target − 1)·2^(Scale+52).
	slack := scaled(target-1, y.Scale+oneBits).minus(total)
	if all = slack.sign() < 0; !all {
		for i := range int32(k.p.n) {
			if k.state[i] >= 0 {
				continue
			}
			d, v := k.reduced(i, y), int8(0)
			if d.sign() < 0 {
				d, v = wide{}.minus(d), 1
			}
			if d.minus(slack).sign() > 0 {
				k.fix(i, v)
				each(i, v)
			}
		}
	}
	k.clear()
	return all
}
