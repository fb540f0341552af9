package partial

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/hitoku/hitoku/internal/test/heavy"
	"github.com/hitoku/hitoku/internal/test/tabletest"
	"github.com/hitoku/hitoku/table"
)

// A reader knows how far each interval reaches, the movements and the rule by which ends are drawn, but not the draw.
type reader struct {
	y     [2][]int64 // y⁺ and y⁻ by cell
	moves []movement
	reach [2][]int64
}

// veilOf is what hides t with what the reader knows: ends are cut off at the bounds of t. nil where t cannot have its levels.
func (r *reader) veilOf(t *table.Table, opt *Options) *veil {
	p := newProblem(t, opt)
	y := make([]int64, len(p.cell))
	for c, i := range p.cell {
		y[c] = min(r.y[p.dir[c]][i], p.room[c])
	}
	for k, st := range t.Status {
		if st == table.Sensitive && (t.UPL[k] > t.Upper[k]-t.Value[k] || t.LPL[k] > t.Value[k]-t.Lower[k]) {
			return nil
		}
	}
	v := newVeil(p, y, nil)
	v.moves, v.reach = r.moves, r.reach
	return v
}

// drawn are all tables that the draw may come to from t, as movements: every order and number of the movements.
func (v *veil) drawn() [][]int64 {
	all := [][]int64{make([]int64, v.p.t.Len())}
	seen := map[string]bool{text(all[0]): true}
	for k := 0; k < len(all) && k < 4000; k++ {
		for _, m := range v.moves {
			lo, hi := v.multiples(m, all[k])
			for j := lo; j <= hi; j++ {
				q := slices.Clone(all[k])
				for t, i := range m.cell {
					q[i] += j * m.by[t]
				}
				if s := text(q); !seen[s] {
					seen[s] = true
					all = append(all, q)
				}
			}
		}
	}
	return all
}

func text(v []int64) string {
	b := make([]byte, 0, 2*len(v))
	for _, x := range v {
		b = append(b, byte(x), byte(x>>8))
	}
	return string(b)
}

// ends are the intervals published of a + p.
func (v *veil) ends(e Ends, p []int64) []int64 {
	t, out := v.p.t, slices.Concat(v.p.t.Value, v.p.t.Value)
	for c, reach := range v.published(e, p) {
		if i := int(v.p.cell[c]); v.p.dir[c] == up {
			out[i] += reach
		} else {
			out[t.Len()+i] -= reach
		}
	}
	return out
}

// possible lists the tables with the published cells of t and all others within their bounds, at most limit; nil beyond.
func possible(t *table.Table, hidden []bool, lower, upper []int64, limit int) [][]int64 {
	free := []int{}
	for i, h := range hidden {
		if h {
			free = append(free, i)
		}
	}
	v := slices.Clone(t.Value)
	var out [][]int64
	steps := 0
	var rec func(k int) bool
	rec = func(k int) bool {
		if steps++; steps > 200*limit {
			return false
		}
		for j := range t.Rel.Len() { // relations whose cells are all chosen hold
			cells, coefs := t.Rel.Row(j)
			sum, done := int64(0), true
			for s, i := range cells {
				sum += int64(coefs[s]) * v[i]
				done = done && !slices.Contains(free[k:], int(i))
			}
			if done && sum != t.Rel.RHS[j] {
				return true
			}
		}
		if k == len(free) {
			out = append(out, slices.Clone(v))
			return len(out) <= limit
		}
		i := free[k]
		for v[i] = lower[i]; v[i] <= upper[i]; v[i]++ {
			if !rec(k + 1) {
				return false
			}
		}
		v[i] = t.Value[i]
		return true
	}
	if !rec(0) {
		return nil
	}
	return out
}

// small draws a table of counts with published margins and sensitive cells that have levels.
func small(t *testing.T, rng *rand.Rand) *table.Table {
	tab := tabletest.Drawn(t, 2+rng.IntN(2), 2+rng.IntN(2), func() int64 { return rng.Int64N(10) })
	leaves := tab.Leaves()
	var cells []int
	for i := range tab.Len() {
		if tab.IsMargin(i, leaves) {
			tab.Status[i] = table.Published
		} else {
			cells = append(cells, i)
		}
		tab.Upper[i] = 60
	}
	for range 1 + rng.IntN(2) {
		k := cells[rng.IntN(len(cells))]
		tab.Status[k] = table.Sensitive
		if rng.IntN(2) == 0 {
			tab.Width[k] = 1 + rng.Int64N(5)
		} else {
			tab.UPL[k], tab.LPL[k] = 1+rng.Int64N(3), min(tab.Value[k], rng.Int64N(4))
		}
	}
	return tab
}

// TestReaderOfDrawnEnds: who knows how far intervals reach and how ends are drawn finds, by going through all tables and all draws, each sensitive cell as wide as its
// levels ask together, wherever that is said; and with plain ends the one table there is.
func TestReaderOfDrawnEnds(t *testing.T) {
	t.Parallel()
	n := heavy.Draws(3000)
	if testing.Short() {
		n = 60
	}
	asked, open, many := 0, 0, 0
	for seed := range uint64(n) {
		rng := rand.New(rand.NewPCG(seed, 9))
		tab := small(t, rng)
		opt := &Options{Absolute: true, Workers: 1, Ends: Ends{Plain: true}}
		sol, err := Suppress(context.Background(), tab, opt)
		if err != nil || sol.Cost.Sign() == 0 {
			continue
		}
		p := newProblem(tab, opt)
		y := make([]int64, len(p.cell))
		for c, i := range p.cell {
			y[c] = max(sol.Upper[i]-tab.Value[i], 0)
			if p.dir[c] == down {
				y[c] = tab.Value[i] - sol.Lower[i]
			}
		}
		s := &search{p: p, opt: &Options{Secret: [32]byte{1, byte(seed)}, Ends: Ends{Base: 1 + rng.Int64N(2)}}}
		v := newVeil(p, y, sol.Witnesses)
		moved, told := s.drawnOf(context.Background(), v)
		if told > 0 {
			open++
			continue
		}
		asked++
		knows := &reader{moves: v.moves, reach: v.reach}
		for d := range knows.y {
			knows.y[d] = make([]int64, tab.Len())
		}
		for c, i := range p.cell {
			knows.y[p.dir[c]][i] = y[c]
		}
		ends := v.ends(s.opt.Ends, moved)
		tables := possible(tab, sol.Pattern, ends[tab.Len():], ends[:tab.Len()], 3000)
		if tables == nil {
			many++
			continue
		}
		lo, hi := slices.Clone(tab.Value), slices.Clone(tab.Value)
		for _, values := range tables {
			other := tab.Clone()
			other.Value = values
			w := knows.veilOf(other, opt)
			if w == nil || !w.maybe(s.opt.Ends, ends) {
				continue
			}
			for i, x := range values {
				lo[i], hi[i] = min(lo[i], x), max(hi[i], x)
			}
		}
		for _, l := range v.sums {
			if hi[l.K]-lo[l.K] < l.RHS {
				t.Errorf("seed %d: cell %d is in [%d, %d] for a reader who knows how ends are drawn; its levels ask for %d together", seed, l.K, lo[l.K], hi[l.K], l.RHS)
			}
		}
	}
	t.Logf("%d tables, %d not, as their levels have no room, %d of too many tables", asked, open, many)
	if asked < n/3 || many > asked/4 {
		t.Errorf("of %d tables %d have been asked", n, asked-many)
	}
}

// maybe says whether a draw from the table of v is published with these ends.
func (v *veil) maybe(e Ends, ends []int64) bool {
	for _, q := range v.drawn() {
		if v.told(q) == 0 && slices.Equal(v.ends(e, q), ends) {
			return true
		}
	}
	return false
}
