package masking

import (
	"context"
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/hitoku/hitoku/internal/test/must"
)

// naive forms the groups of MDAV by sorting all records each time, with fractions; unsure where two records are as far.
func naive(x [][]int64, k int) (groups []string, unsure bool) {
	n := len(x[0])
	rat := func(v int64) *big.Rat { return big.NewRat(v, 1) }
	mean := func(of []int, c int) *big.Rat {
		s := new(big.Rat)
		for _, i := range of {
			s.Add(s, rat(x[c][i]))
		}
		return s.Quo(s, rat(int64(len(of))))
	}
	left := make([]int, n)
	for i := range left {
		left[i] = i
	}
	variance := make([]*big.Rat, len(x))
	for c := range x {
		m := mean(left, c)
		variance[c] = new(big.Rat)
		for i := range n {
			d := new(big.Rat).Sub(rat(x[c][i]), m)
			variance[c].Add(variance[c], d.Mul(d, d))
		}
	}
	byDistance := func(from func(c int) *big.Rat) []int { // nearest first
		d := map[int]*big.Rat{}
		for _, i := range left {
			d[i] = new(big.Rat)
			for c := range x {
				if variance[c].Sign() > 0 {
					e := new(big.Rat).Sub(rat(x[c][i]), from(c))
					d[i].Add(d[i], e.Quo(e.Mul(e, e), variance[c]))
				}
			}
		}
		list := slices.Clone(left)
		slices.SortStableFunc(list, func(a, b int) int { return d[a].Cmp(d[b]) })
		for i := range list[1:] {
			unsure = unsure || d[list[i]].Cmp(d[list[i+1]]) == 0
		}
		return list
	}
	cut := func(seed int) {
		g := byDistance(func(c int) *big.Rat { return rat(x[c][seed]) })[:k]
		left = slices.DeleteFunc(left, func(i int) bool { return slices.Contains(g, i) })
		slices.Sort(g)
		groups = append(groups, fmt.Sprint(g))
	}
	for len(left) >= 2*k {
		both := len(left) >= 3*k
		all := byDistance(func(c int) *big.Rat { return mean(left, c) })
		far := all[len(all)-1]
		other := byDistance(func(c int) *big.Rat { return rat(x[c][far]) })
		cut(far)
		if both {
			cut(other[len(other)-1])
		}
	}
	slices.Sort(left)
	groups = append(groups, fmt.Sprint(left))
	slices.Sort(groups)
	return groups, unsure
}

func drawn(r *rand.Rand, wide bool) ([][]int64, [][]float64) {
	n, m := 1+r.IntN(40), 1+r.IntN(3)
	ints, floats := make([][]int64, m), make([][]float64, m)
	for c := range m {
		for range n {
			v := r.Int64N(5)
			if wide {
				v = r.Int64N(1_000_000)
			}
			ints[c], floats[c] = append(ints[c], v), append(floats[c], float64(v))
		}
	}
	return ints, floats
}

// TestMDAV compares with the naive groups where no two distances are equal, and asks for sizes where some are.
func TestMDAV(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(35, 1))
	compared := 0
	for round := range 400 {
		ints, floats := drawn(r, round%4 > 0)
		k := 1 + r.IntN(6)
		group := must.Get(MDAV(t.Context(), floats, k))(t)
		members := map[int32][]int{}
		for i, g := range group {
			members[g] = append(members[g], i)
		}
		var got []string
		for _, list := range members {
			if n := len(group); len(list) < min(k, n) || len(list) >= max(2*k, 2) {
				t.Fatalf("round %d: a group of %d of %d, k %d", round, len(list), n, k)
			}
			got = append(got, fmt.Sprint(list))
		}
		slices.Sort(got)
		if round%4 == 0 {
			continue
		}
		if want, unsure := naive(ints, k); !unsure {
			compared++
			if !slices.Equal(got, want) {
				t.Fatalf("round %d, k %d: groups %v, want %v", round, k, got, want)
			}
		}
	}
	if compared < 200 {
		t.Errorf("%d of 400 compared", compared)
	}
	ctx, stop := context.WithCancel(t.Context())
	stop()
	if _, err := MDAV(ctx, [][]float64{make([]float64, 9)}, 2); err == nil {
		t.Error("no end")
	}
}

// TestRankSwap asks for an exchange within the window, of all that can have one, and for partners that are equally likely.
func TestRankSwap(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(35, 2))
	for range 2000 {
		n, w := r.IntN(30), r.IntN(12)
		p := RankSwap(n, w, r)
		alone := 0
		for i, j := range p {
			if p[j] != i || j-i > w || i-j > w {
				t.Fatalf("%v with a window of %d", p, w)
			}
			if i == j {
				alone++
				for k := i + 1; k <= min(n-1, i+w); k++ {
					if p[k] == k || p[k] > i {
						t.Fatalf("%v: %d has no partner", p, i)
					}
				}
			}
		}
	}
	count := make([]int, 5)
	for range 40_000 {
		count[RankSwap(9, 4, r)[0]]++
	}
	for _, n := range count[1:] {
		if n < 9600 || n > 10_400 {
			t.Errorf("partners of the first: %v", count)
		}
	}
}
