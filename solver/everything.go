package solver

import (
	"cmp"
	"context"
	"errors"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/hitoku/hitoku/internal/certificate"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/oracle"
	"github.com/hitoku/hitoku/internal/sets"
	"github.com/hitoku/hitoku/internal/work"
	"github.com/hitoku/hitoku/table"
)

// Everything finds a protected pattern of t whatever its cost, or proves that there is none: it withholds all cells
// that may be withheld, finds a witness for each level, and publishes the cells that no witness moves. have are
// witnesses of t known already. It solves one program for many levels at once, then each remaining level in exact
// arithmetic, with the default back end and, if that gives up, with the one of opt. Of opt it uses LP, Certificate,
// TimeLimit and Progress. The limit only stops the dropping of superfluous cells: the pattern itself is found beyond it
// too, unless ctx ends. The result is like that of Suppress, with Bound 0.
func Everything(ctx context.Context, t *table.Table, opt *Options, have []*certificate.Witness) (*Solution, error) {
	ctx = work.Metered(ctx)
	start, began := time.Now(), work.Now(ctx)
	o := Options{}
	if opt != nil {
		o = *opt
	}
	if o.LP == "" {
		o.LP = "simplex"
	}
	e := newEverything(newProblem(t, oracle.NewSystem(t.Rel)), &o)
	sol := &Solution{Status: None, LP: o.LP, Engine: "network", Cuts: map[string]int{}}
	if !e.p.sys.IsNetwork() {
		sol.Engine = "simplex"
	}
	err := e.find(ctx, have)
	sol.Seconds = time.Since(start).Seconds()
	sol.FirstSeconds = sol.Seconds
	var u *UnprotectableError
	switch {
	case errors.As(err, &u):
		sol.Status = Unprotectable
		if o.Certificate {
			var failure error
			if sol.Certificate, failure = certificate.Unprotectable(t, u.why); failure != nil {
				return nil, failure
			}
		}
		return sol, u
	case err != nil:
		return sol, err
	}
	limit, stop := work.Limited(ctx, began, o.TimeLimit)
	e.clean(limit)
	stop()
	if err := certificate.Protects(t, e.x, e.shown); err != nil {
		return nil, i18n.Errorf("table %s: %w", t.Name, err)
	}
	sol.Status, sol.Pattern, sol.Witnesses, sol.Cost = Feasible, e.x, e.shown, e.cost()
	if sol.Cost == 0 {
		sol.Status = Optimal
	}
	sol.Seconds = time.Since(start).Seconds()
	if o.Certificate {
		r, err := certificate.NewRecorder(t)
		if err != nil {
			return nil, i18n.Errorf("table %s: %w", t.Name, err)
		}
		sol.Certificate = r.Finish(0, sol.Pattern, sol.Witnesses)
		sol.Bound = sol.Certificate.Bound
	}
	return sol, nil
}

// fallBack completes sol, from a search that ended without a pattern, by the pattern of Everything; the bound of sol
// stays.
func fallBack(ctx context.Context, t *table.Table, o *Options, start time.Time, sol *Solution) (*Solution, error) {
	all, err := Everything(ctx, t, o, nil)
	if all == nil {
		return nil, err
	}
	before := time.Since(start).Seconds() - all.Seconds
	all.Seconds += before
	all.FirstSeconds += before
	all.Rounds, all.Nodes, all.Cuts = sol.Rounds, sol.Nodes, sol.Cuts
	if all.Pattern == nil {
		return all, err
	}
	if bound := min(sol.Bound, all.Cost); bound > all.Bound {
		all.Bound = bound
		if o.Certificate && sol.Certificate != nil {
			all.Certificate = sol.Certificate.For(all.Pattern, all.Witnesses)
		}
	}
	if all.Status = Feasible; all.Bound >= all.Cost && !o.Canonical {
		all.Status = Optimal
	}
	if o.Progress != nil {
		unit := math.Pow10(t.CostDecimals)
		o.Progress(Progress{Round: all.Rounds, Nodes: all.Nodes, Lower: float64(all.Bound) / unit, Upper: float64(all.Cost) / unit, Seconds: all.Seconds})
	}
	return all, err
}

// distances tell for each cell how far witnesses move it, and which witness moves it farthest.
type distances map[int32]distance

type distance struct {
	far *big.Rat
	by  *certificate.Witness
}

// An everything is the state of one call of Everything.
type everything struct {
	p      *problem
	o      *Options
	x      []bool       // pattern
	up, dn []int64      // capacities under the pattern
	at     [][]int      // levels of each cell
	far    [2]distances // upwards, downwards
	shown  []*certificate.Witness
	unmet  []bool // by level
	left   int
}

func newEverything(p *problem, o *Options) *everything {
	e := &everything{p: p, o: o, up: make([]int64, p.n), dn: make([]int64, p.n), at: make([][]int, p.n), unmet: make([]bool, len(p.levels)), left: len(p.levels)}
	set := slices.Repeat([]bool{true}, len(p.cand))
	e.x = p.pattern(set)
	for li, l := range p.levels {
		e.at[l.K] = append(e.at[l.K], li)
		e.unmet[li] = true
	}
	e.far = [2]distances{{}, {}}
	e.open()
	return e
}

// open sets the capacities to those under the pattern.
func (e *everything) open() {
	for i, in := range e.x {
		e.up[i], e.dn[i] = 0, 0
		if in {
			e.up[i], e.dn[i] = e.p.iup[i], e.p.idn[i]
		}
	}
}

// find gives every level a witness.
func (e *everything) find(ctx context.Context, have []*certificate.Witness) error {
	for _, w := range have {
		e.add(w)
	}
	if err := e.together(ctx); err != nil {
		return err
	}
	failure := error(nil)
	for _, backend := range slices.Compact([]string{"simplex", e.o.LP}) {
		if e.left == 0 {
			return nil
		}
		if failure = e.oneByOne(ctx, backend); failure != nil && (ctx.Err() != nil || errors.As(failure, new(*UnprotectableError))) {
			return failure
		}
	}
	return failure
}

// add keeps w if it shows a level that no witness has shown, alone or with another one.
func (e *everything) add(w *certificate.Witness) {
	more := false
	for t, i := range w.Cells {
		if !slices.ContainsFunc(e.at[i], func(li int) bool { return e.unmet[li] }) {
			continue
		}
		v := valueAt(w, t)
		side := 0
		if v.Sign() < 0 {
			side = 1
			v.Neg(v)
		}
		if was, ok := e.far[side][i]; ok && was.far.Cmp(v) >= 0 || v.Sign() == 0 {
			continue
		}
		e.far[side][i] = distance{v, w}
		more = more || slices.ContainsFunc(e.at[i], func(li int) bool {
			s := e.p.levels[li].Side
			return e.unmet[li] && (s == width || (s == upper) == (side == 0))
		})
		e.judge(i)
	}
	if more {
		e.shown = append(e.shown, w)
	}
}

// judge marks the levels of cell i that are met now.
func (e *everything) judge(i int32) {
	dist := [2]*big.Rat{}
	for side := range dist {
		if dist[side] = e.far[side][i].far; dist[side] == nil {
			dist[side] = new(big.Rat)
		}
	}
	for _, li := range e.at[i] {
		if e.unmet[li] && e.p.levels[li].Holds(dist[0], dist[1]) {
			e.unmet[li] = false
			e.left--
		}
	}
}

// valueAt returns how far w moves its t-th cell.
func valueAt(w *certificate.Witness, t int) *big.Rat {
	if w.Long != nil {
		return new(big.Rat).SetFrac(w.Long.Num[t], w.Long.Den)
	}
	return big.NewRat(w.Num[t], w.Den)
}

// together looks for many levels at once, the highest first, by programs in which all cells that may move do so: all
// upwards, all downwards, then in random directions. Cells in trees can mostly move in the same direction together.
func (e *everything) together(ctx context.Context) error {
	p := e.p
	if e.o.off.joint || p.sys.IsNetwork() || p.n > jointCells {
		return nil
	}
	up, dn := make([]float64, p.n), make([]float64, p.n)
	for i := range p.n {
		up[i], dn[i] = real(e.up[i]), real(e.dn[i])
	}
	rng := rand.New(rand.NewPCG(e.o.Seed, 0x2545f4914f6cdd1d))
	order := e.highest()
	for first := 0; first < len(order); {
		last := first
		for last < len(order) && p.levels[order[last]].RHS >= p.levels[order[first]].RHS/jointSize {
			last++
		}
		for round := range jointRounds {
			before := e.left
			asks := e.asks(order[first:last], func() int {
				if round < 2 {
					return 1 - 2*round
				}
				return 1 - 2*rng.IntN(2)
			})
			if len(asks) < jointLevels {
				break
			}
			cells, z, err := p.sys.Joint(ctx, "simplex", up, dn, asks)
			if err != nil {
				return err
			}
			if len(cells) > 0 {
				e.addMultiples(p.sys.NewPoint(cells, z, e.up, e.dn))
			}
			if before == e.left && round >= 2 {
				break
			}
		}
		first = last
	}
	return nil
}

// highest returns the levels in descending order.
func (e *everything) highest() []int {
	order := sets.Upto(len(e.p.levels))
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(e.p.levels[b].RHS, e.p.levels[a].RHS) })
	return order
}

// asks returns one Ask for each cell with unmet levels in list: in the direction that sign returns or, if no level of
// the cell asks for that direction, in the other.
func (e *everything) asks(list []int, sign func() int) (asks []oracle.Ask) {
	seen := map[int32]bool{}
	for _, li := range list {
		l := e.p.levels[li]
		if !e.unmet[li] || seen[l.K] {
			continue
		}
		seen[l.K] = true
		want := sign()
		amount := [2]int64{}
		for _, other := range e.at[l.K] {
			if !e.unmet[other] {
				continue
			}
			m := e.p.levels[other]
			rhs := m.RHS
			if m.Strict {
				rhs++
			}
			if m.Side != lower {
				amount[0] = max(amount[0], rhs)
			}
			if m.Side != upper {
				amount[1] = max(amount[1], rhs)
			}
		}
		if side := (1 - want) / 2; amount[side] == 0 {
			want = -want
		}
		asks = append(asks, oracle.Ask{K: l.K, Sign: want, Amount: float64(amount[(1-want)/2])})
	}
	return asks
}

// addMultiples adds the largest multiples of q in both directions.
func (e *everything) addMultiples(q *oracle.Point) {
	for _, sign := range [2]int{1, -1} {
		if num, den := q.Farthest(q.Cells[0], sign, e.p.iclamp); num != nil && num[0] != 0 {
			e.add(&certificate.Witness{Den: den, Cells: q.Cells, Num: num})
		}
	}
}

// oneByOne looks for each remaining level in exact arithmetic. It returns *UnprotectableError for a level that is
// proved to be out of reach; if some level is neither met nor proved to be out of reach, the others are still looked
// for.
func (e *everything) oneByOne(ctx context.Context, backend string) error {
	exact, err := e.p.sys.NewExact("", backend)
	if err != nil {
		return err
	}
	defer exact.Close()
	exact.SetCapacities(e.up, e.dn, e.p.iclamp)
	failure := error(nil)
	for _, li := range e.highest() {
		if !e.unmet[li] {
			continue
		}
		ok, err := e.ask(ctx, exact, li)
		if err == nil && !ok {
			err = unprotectable(ctx, e.p.t, int(e.p.levels[li].K), backend)
		}
		if err != nil && (ctx.Err() != nil || errors.As(err, new(*UnprotectableError))) {
			return err
		}
		failure = cmp.Or(failure, err)
	}
	return failure
}

// ask solves for level li by exact; ok is false if nothing found reaches it.
func (e *everything) ask(ctx context.Context, exact *oracle.Exact, li int) (ok bool, err error) {
	sh := &shard{exact: exact}
	if ok, err = sh.settled(ctx, e.p.levels[li]); !ok || err != nil {
		return false, err
	}
	e.addShown(sh)
	if e.unmet[li] {
		return false, oracle.ErrInexact
	}
	return true, nil
}

// addShown adds the witnesses that sh found; those of a network have to be sorted first.
func (e *everything) addShown(sh *shard) {
	for _, w := range sh.shown(nil) {
		if !slices.IsSorted(w.Cells) {
			s := &certificate.Witness{Den: w.Den}
			for _, t := range ascending(w.Cells) {
				s.Cells, s.Num = append(s.Cells, w.Cells[t]), append(s.Num, w.Num[t])
			}
			w = s
		}
		e.add(w)
	}
}

// cost returns the cost of the secondary cells.
func (e *everything) cost() int64 {
	sum := int64(0)
	for i, in := range e.x {
		if in && e.p.t.Status[i] == table.Safe {
			sum += e.p.t.Cost[i]
		}
	}
	return sum
}
