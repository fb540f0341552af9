package risk

import (
	"errors"
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/hitoku/hitoku/internal/exact/num"
	"github.com/hitoku/hitoku/internal/formulas"
)

// bruteRisk enumerates all values of the unknown records, by their prior, and all ways to draw the release, and returns
// the chance that known record 0 is published record 0 given the release. Values are numbers; above the known ones each has
// an equal part of fresh.
func bruteRisk(known []int, n int, release []int, values int, fresh *big.Rat) *big.Rat {
	n0 := len(known)
	top := 0
	for _, v := range known {
		top = max(top, v)
	}
	prior := func(v int) *big.Rat {
		if v > top {
			return new(big.Rat).Quo(fresh, num.Whole(int64(values-top-1)))
		}
		c := int64(0)
		for _, w := range known {
			if w == v {
				c++
			}
		}
		return new(big.Rat).Mul(big.NewRat(c, int64(n0)), new(big.Rat).Sub(num.One, fresh))
	}
	hit, all := new(big.Rat), new(big.Rat)
	each(n-n0, values, func(unknown []int) {
		weight := num.Whole(1)
		for _, v := range unknown {
			weight.Mul(weight, prior(v))
		}
		if weight.Sign() == 0 {
			return
		}
		table := append(append([]int{}, known...), unknown...)
		used := make([]bool, n)
		var ways, right int64
		var fill func(slot int, first bool)
		fill = func(slot int, first bool) {
			if slot == len(release) {
				ways++
				if first {
					right++
				}
				return
			}
			for r := range n {
				if !used[r] && table[r] == release[slot] {
					used[r] = true
					fill(slot+1, first || slot == 0 && r == 0)
					used[r] = false
				}
			}
		}
		fill(0, false)
		all.Add(all, new(big.Rat).Mul(weight, num.Whole(ways)))
		hit.Add(hit, new(big.Rat).Mul(weight, num.Whole(right)))
	})
	if all.Sign() == 0 {
		return nil
	}
	return hit.Quo(hit, all)
}

// The posterior on an actual table is that of enumeration, and never above the bound of Claim 4.1.
func TestPosteriorBruteForce(t *testing.T) {
	t.Parallel()
	measured := 0
	for seed := range uint64(400) {
		rng := rand.New(rand.NewPCG(seed, 13))
		n := 2 + rng.IntN(4)
		n0 := 1 + rng.IntN(n)
		m := 1 + rng.IntN(n)
		const top, values = 2, 4 // 0 … 1 may be known, 2 and 3 are not
		known := []int{0}        // record 0 is the target
		for range n0 - 1 {
			known = append(known, rng.IntN(top))
		}
		highest := 0
		for _, v := range known {
			highest = max(highest, v)
		}
		release := []int{0}
		for range m - 1 {
			release = append(release, rng.IntN(values))
		}
		fresh := big.NewRat(rng.Int64N(3), 3)
		k := formulas.KnownTable{N: int64(n), Known: make([]int64, highest+1), Drawn: make([]int64, highest+1), New: fresh}
		for _, v := range known {
			k.Known[v]++
		}
		for _, v := range release {
			if v > highest {
				k.Others++
			} else {
				k.Drawn[v]++
			}
		}
		want := bruteRisk(known, n, release, values, fresh)
		got, err := k.Posterior()
		if want == nil {
			if err == nil && got[0] != nil {
				t.Errorf("seed %d: %v, but the release cannot be", seed, *got[0])
			}
			continue
		}
		if err != nil || got[0] == nil {
			t.Errorf("seed %d: %v, want %v", seed, err, want)
			continue
		}
		measured++
		if w := num.Float(want); math.Abs(*got[0]-w) > 1e-12 {
			t.Errorf("seed %d: n %d, known %v, release %v, new %v: %.15g, want %.15g", seed, n, known, release, fresh, *got[0], w)
		}
		// The bound is that of the prior of the source; values of their own make known ones rarer.
		if bound := num.Float(Sampling{N: int64(n), N0: int64(n0), M: int64(m)}.Risk()); fresh.Sign() == 0 && *got[0] > bound+1e-12 {
			t.Errorf("seed %d: %g, above the bound %g", seed, *got[0], bound)
		}
	}
	if measured < 200 {
		t.Errorf("%d cases measured, want 200", measured)
	}
}

func TestPosteriorErrors(t *testing.T) {
	t.Parallel()
	zero, half := num.Whole(0), big.NewRat(1, 2)
	for name, k := range map[string]formulas.KnownTable{
		"none known":     {N: 3, Known: []int64{0}, Drawn: []int64{1}, New: zero},
		"none published": {N: 3, Known: []int64{1}, Drawn: []int64{0}, New: zero},
		"too many known": {N: 1, Known: []int64{2}, Drawn: []int64{1}, New: zero},
		"too many drawn": {N: 2, Known: []int64{1}, Drawn: []int64{3}, New: half},
		"chance":         {N: 2, Known: []int64{1}, Drawn: []int64{1}, New: num.One},
		"large":          {N: 9000, Known: []int64{1}, Drawn: []int64{6000}, New: zero},
	} {
		if _, err := k.Posterior(); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	k := formulas.KnownTable{N: 3, Known: []int64{1}, Drawn: []int64{1}, New: zero, Others: 1}
	if _, err := k.Posterior(); !errors.Is(err, formulas.ErrImpossible) {
		t.Error(err)
	}
}
