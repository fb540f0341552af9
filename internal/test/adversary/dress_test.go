//go:build slow

package adversary

import (
	"math/big"
	"math/rand/v2"

	"github.com/hitoku/hitoku/table"
)

// What follows dresses the bare cells of a family: what the intruder knows beforehand, which cells
// are sensitive and by how much, and what it costs to withhold the others.

// bounds gives the intruder's bounds.
func bounds(t *table.Table, rng *rand.Rand) {
	kind := rng.IntN(9)
	for i, a := range t.Value {
		t.Lower[i], t.Upper[i] = min(0, a), table.PosInf
		k := kind
		if kind == 8 { // each as it comes
			k = rng.IntN(8)
		}
		switch k {
		case 0, 1: // 0 and ∞
		case 2: // around the value
			t.Lower[i], t.Upper[i] = a-rng.Int64N(1+abs(a)/2+3), a+rng.Int64N(1+abs(a)/2+3)
		case 3: // anything
			t.Lower[i], t.Upper[i] = table.NegInf, table.PosInf
		case 4: // no end on one side
			t.Lower[i], t.Upper[i] = table.NegInf, a+rng.Int64N(20)
		case 5: // far, but not without end
			t.Lower[i], t.Upper[i] = min(0, a), 1e15+max(a, 0)*2
		case 6: // known on one side or both
			if t.Lower[i] = a; rng.IntN(3) == 0 {
				t.Upper[i] = a
			}
		case 7: // below 0, too
			t.Lower[i], t.Upper[i] = a-1-rng.Int64N(50), a+rng.Int64N(50)
		}
	}
}

// statuses makes one to four cells sensitive and keeps few enough free for every pattern to be tried, mostly.
func statuses(t *table.Table, rng *rand.Rand) {
	n := t.Len()
	free := 4 + rng.IntN(10)
	if rng.IntN(3) == 0 {
		free = n
	}
	held := rng.IntN(4) == 0
	for s, i := range rng.Perm(n) {
		switch {
		case s < min(1+rng.IntN(4), n):
			t.Status[i] = table.Sensitive
		case held && rng.IntN(4) == 0:
			t.Status[i] = table.Withheld
		case free > 0:
			t.Status[i] = table.Safe
			free--
		default:
			t.Status[i] = table.Published
		}
	}
}

// levels asks for distances. Mostly there is a pattern that gives them, often just so: then the levels are parts of
// what withholding everything gives, or all of it. Now and then they are one unit more than that, or anything.
func levels(t *table.Table, rng *rand.Rand) {
	kind, beyond := rng.IntN(4), int64(0)
	var r *room
	switch k := rng.IntN(8); {
	case k < 7:
		r = newRoom(t, everything(t))
		if k == 6 {
			beyond = 1
		}
	}
	for i, st := range t.Status {
		if st != table.Sensitive {
			continue
		}
		up, down := 10*abs(t.Value[i])+1e6, 10*abs(t.Value[i])+1e6
		if r != nil {
			s := r.span(i)
			up, down = whole(s.up, up), whole(s.down, down)
			if up+down == 0 && beyond == 0 && rng.IntN(10) > 0 {
				t.Status[i] = table.Safe // nothing can protect it
				continue
			}
		}
		some := func(most int64) int64 {
			switch rng.IntN(8) {
			case 0:
				return 0
			case 1:
				return most
			case 2, 3:
				return most / int64(2+rng.IntN(9))
			}
			return min(most, 1+rng.Int64N(12))
		}
		switch kind {
		case 0:
			t.Width[i] = some(up+down) + beyond
		case 1:
			t.LPL[i], t.UPL[i] = some(down), some(up)+beyond
		case 2:
			t.UPL[i] = some(up) + beyond
		default:
			t.LPL[i], t.UPL[i], t.Width[i] = some(down), some(up), some(up+down)+beyond
		}
		beyond = 0
	}
}

// whole is the integer part of a distance; infinite ones are as large as most.
func whole(d *big.Rat, most int64) int64 {
	if d == nil {
		return most
	}
	v := new(big.Int).Quo(d.Num(), d.Denom())
	if !v.IsInt64() || v.Int64() > 4e17 {
		return most
	}
	return v.Int64()
}

// costs draws ties, nothing, values, and decades.
func costs(t *table.Table, rng *rand.Rand) {
	kind := rng.IntN(5)
	for i := range t.Cost {
		switch kind {
		case 0:
			t.Cost[i] = 1
		case 1:
			t.Cost[i] = rng.Int64N(4)
		case 2:
			t.Cost[i] = max(1, abs(t.Value[i]))
		case 3:
			t.Cost[i] = 1 + rng.Int64N(9)
			for range rng.IntN(13) {
				t.Cost[i] *= 10
			}
		case 4:
			t.Cost[i] = 1 + rng.Int64N(1000)
		}
	}
}
