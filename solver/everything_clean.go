package solver

import (
	"cmp"
	"context"
	"math/big"
	"slices"

	"github.com/hitoku/hitoku/internal/certificate"
	"github.com/hitoku/hitoku/internal/oracle"
	"github.com/hitoku/hitoku/internal/sets"
	"github.com/hitoku/hitoku/table"
)

// clean publishes cells: first it drops witnesses that others make superfluous, with the cells that only they move;
// then, until ctx ends, single cells, dearest first, whose levels have other witnesses. The pattern stays protected
// throughout.
func (e *everything) clean(ctx context.Context) {
	e.spare()
	if ctx.Err() != nil {
		return
	}
	exact, err := e.p.sys.NewExact("", "simplex")
	if err != nil {
		return
	}
	defer exact.Close()
	questions := cleanQuestions
	for _, c := range e.dearest() {
		if questions <= 0 || ctx.Err() != nil {
			break
		}
		if e.x[c] {
			e.without(ctx, exact, c, &questions)
		}
	}
	e.spare()
}

// dearest returns the cells of the first layer that are withheld for others, dearest first.
func (e *everything) dearest() []int {
	var list []int
	for i := range e.p.m {
		if e.x[i] && e.p.t.Status[i] == table.Safe && e.p.t.Cost[i] > 0 {
			list = append(list, i)
		}
	}
	slices.SortStableFunc(list, func(a, b int) int { return cmp.Compare(e.p.t.Cost[b], e.p.t.Cost[a]) })
	return list
}

// without publishes cell c in all layers if the levels whose witnesses move it have other witnesses; otherwise nothing
// changes.
func (e *everything) without(ctx context.Context, exact *oracle.Exact, c int, questions *int) {
	old := *e
	set := func(in bool) {
		for i := c; i < e.p.n; i += e.p.m {
			e.x[i] = in
		}
		e.open()
	}
	set(false)
	e.restart(slices.DeleteFunc(slices.Clone(e.shown), func(w *certificate.Witness) bool {
		return slices.ContainsFunc(w.Cells, func(i int32) bool { return int(i)%e.p.m == c })
	}))
	if e.left > 0 {
		exact.SetCapacities(e.up, e.dn, e.p.iclamp)
	}
	for li := range e.unmet {
		if !e.unmet[li] {
			continue
		}
		sh := &shard{exact: exact}
		*questions--
		if ok, err := sh.met(ctx, e.p.levels[li]); err != nil || !ok || *questions < 0 {
			break
		}
		e.addShown(sh)
		if e.unmet[li] {
			break
		}
	}
	if e.left > 0 {
		e.shown, e.unmet, e.left, e.far = old.shown, old.unmet, old.left, old.far
		set(true)
	}
}

// restart restores the state in which only the witnesses of list are known.
func (e *everything) restart(list []*certificate.Witness) {
	e.shown, e.unmet, e.left = nil, make([]bool, len(e.p.levels)), len(e.p.levels)
	for li := range e.unmet {
		e.unmet[li] = true
	}
	e.far = [2]distances{{}, {}}
	for _, w := range list {
		e.add(w)
	}
}

// spare drops witnesses whose levels others show, the longest first, with the cells that only they move.
func (e *everything) spare() {
	alone := make([]int, len(e.p.levels)) // by level: number of witnesses that show it by themselves
	of := make([][]int, len(e.shown))
	for n, w := range e.shown {
		for t, i := range w.Cells {
			if len(e.at[i]) == 0 {
				continue
			}
			for _, li := range e.at[i] {
				if shows(w, t, e.p.levels[li]) {
					alone[li]++
					of[n] = append(of[n], li)
				}
			}
		}
	}
	needed := map[*certificate.Witness]bool{}
	for li, n := range alone {
		if n > 0 {
			continue
		}
		for _, far := range e.far { // a width that two witnesses show together
			needed[far[e.p.levels[li].K].by] = true
		}
	}
	order := sets.Upto(len(e.shown))
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(len(e.shown[b].Cells), len(e.shown[a].Cells)) })
	for _, n := range order {
		if needed[e.shown[n]] || slices.ContainsFunc(of[n], func(li int) bool { return alone[li] < 2 }) {
			continue
		}
		for _, li := range of[n] {
			alone[li]--
		}
		of[n], e.shown[n] = nil, nil
	}
	e.shown = slices.DeleteFunc(e.shown, func(w *certificate.Witness) bool { return w == nil })
	certificate.Trim(e.p.t, e.x, e.shown)
	e.open()
}

// shows reports whether w, whose t-th cell is the cell of l, meets l by itself.
func shows(w *certificate.Witness, t int, l protectionLevel) bool {
	v, none := valueAt(w, t), new(big.Rat)
	if v.Sign() < 0 {
		return l.Holds(none, v.Neg(v))
	}
	return l.Holds(v, none)
}
