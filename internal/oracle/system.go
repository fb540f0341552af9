// Package oracle solves the intruder's problem (部分問題; the attacker subproblem of Fischetti and Salazar, Management
// Science 47(7), 2001): what the published part of a table reveals about one withheld cell.
//
// With a the true cells, M a = b the relations and z = y − a the deviation of a
// candidate table y, the intruder of cell k solves
//
//	max ±z_k   s.t.  M z = 0,  −dn_i ≤ z_i ≤ up_i                     (1)
//
// where up_i = U_i x_i and dn_i = L_i x_i for the pattern x, U_i = ub_i − a_i and
// L_i = a_i − lb_i. z = 0 is always feasible. A dual of (1) is any γ; it
// gives d = e_k − Mᵀγ with z_k = Σ d_i z_i for every z of the kernel of M, hence
//
//	 z_k ≤ Σ d_i⁺ up_i + d_i⁻ dn_i
//	−z_k ≤ Σ d_i⁺ dn_i + d_i⁻ up_i                                     (2)
//
// whatever the capacities: d depends on M and k only.
//
// Three engines answer: network (max-flow, for matrices that are networks), simplex (any matrix, through package lp)
// and exact arithmetic, whose verdict counts: its vertices are reconstructed over the rationals and checked by
// additions.
package oracle

import (
	"context"
	"math"
	"slices"
	"sync"
	"time"

	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/work"
	_ "github.com/hitoku/hitoku/lp/simplex" // the default back end
	"github.com/hitoku/hitoku/table"
)

// A System is the matrix M of one or more tables, prepared for all engines. It is immutable and safe for concurrent
// use.
type System struct {
	Rel  *table.Relations // M; the right-hand sides are not used
	Cols *table.Columns
	net  *network // nil: M is not a network

	once sync.Once
	keep []int32 // see independent
}

// independent returns a largest set of independent relations, which are the rows of linear programs. The other
// relations have multiplier 0 in every dual.
func (s *System) independent() []int32 {
	s.once.Do(func() { s.keep = independent(s.Rel) })
	return s.keep
}

// NewSystem prepares M. It determines whether M is a network up to the signs of relations and redundant relations, as
// are the matrices of two-way tables with at most one hierarchical dimension. Cost O(entries), plus O(n) for each
// redundant relation.
func NewSystem(rel *table.Relations) *System {
	s := &System{Rel: rel, Cols: rel.Columns()}
	s.net = newNetwork(rel, s.Cols)
	return s
}

// IsNetwork reports whether the network engine applies.
func (s *System) IsNetwork() bool { return s.net != nil }

// A Dual is a vector d = Coef/Den = e_K − Mᵀγ with z_K = Σ d_i z_i for all z with
// M z = 0. It is exact. Idx is ascending; entries are nonzero. γ = Mult/Den on the
// relations Rel.
type Dual struct {
	K    int32
	Den  int64
	Idx  []int32
	Coef []int64
	Rel  []int32
	Mult []int64
	// Line[0][t] and Line[1][t] are relations whose other cells bound cell Idx[t] upwards and downwards more tightly
	// than its own capacity does, at the capacities in question (see Bottlenecker); −1: none; nil: none for any cell.
	// They do not change d.
	Line [2][]int32
}

// IsNarrow reports whether the kernel of M is small compared with its image, as in tables with several deep trees,
// where the intruder's programs take long.
func (s *System) IsNarrow() bool {
	return s.net == nil && narrow(s.Rel.N, len(s.independent()))
}

// narrow is IsNarrow for n cells and a rank.
func narrow(n, rank int) bool { return 2*(n-rank) < rank }

// An Intruder solves (1) for one capacity vector at a time and warm-starts from call to call. It is not safe for
// concurrent use.
type Intruder interface {
	// SetCapacities sets the capacities of cell i to weight_i·min(up_i, T) and weight_i·min(dn_i, T); up and dn may be
	// +Inf. The slices are kept and must not change; only the network engine reads up and dn again.
	SetCapacities(up, dn, weight []float64)
	// Truncate sets T, initially +Inf. The network engine truncates at the limit of each question instead.
	Truncate(T float64)
	// SetWeight changes weight_i, also in the slice given to SetCapacities. The network engine allows this only for
	// cells with positive weight there.
	SetWeight(i int, w float64)
	// Reach maximises sign·z_k (sign = ±1). Once limit is reached, any value ≥ limit may be returned.
	Reach(ctx context.Context, k, sign int, limit float64) (float64, error)
	// Bound is Reach for callers that want duals: a value below limit is the bound that Duals prove, which need not be
	// the maximum.
	Bound(ctx context.Context, k, sign int, limit float64) (float64, error)
	// Duals returns optimal duals of the last Reach, or those of the last Bound if its value stayed below limit: one or
	// two, each valid for all capacities. The caller owns them.
	Duals() []*Dual
	// Witness appends to idx, val the nonzeros of the z found by the last Reach.
	Witness(idx []int32, val []float64) ([]int32, []float64)
	// Work returns the work done so far, in the units of Router.Work.
	Work() float64
	// Name is "network" or "simplex".
	Name() string
	Close() error
}

// A Marker is an Intruder that can restore an earlier basis. After capacities have been removed and restored, programs
// are solved many times faster from the earlier basis than from the one at which the program without them ended.
type Marker interface {
	Mark()   // restores the basis stored last
	Return() // restores the basis kept last
}

// NewIntruder opens the engine called name, or the one that fits if name is empty. backend is the LP back end of the
// simplex engine.
func (s *System) NewIntruder(name, backend string) (Intruder, error) {
	return s.newIntruder(name, backend, s.independent)
}

// newIntruder is NewIntruder with rows for the simplex engine.
func (s *System) newIntruder(name, backend string, rows func() []int32) (Intruder, error) {
	switch {
	case name == "network" && s.net == nil:
		return nil, i18n.Errorf("interval: the relations are not a network; use engine simplex")
	case name == "network" || name == "" && s.net != nil:
		return s.net.flow(s), nil
	case name == "simplex" || name == "":
		return newSimplex(s, backend, rows())
	}
	return nil, i18n.Errorf("interval: no engine %q, want network or simplex", name)
}

// newDual builds the exact dual e_k − Mᵀ(g/den) of integer multipliers g on the
// relations with g ≠ 0. scratch has length n and is left zeroed.
func newDual(rel *table.Relations, k int, g []int64, den int64, scratch []int64) *Dual {
	d := &Dual{K: int32(k), Den: den}
	var touched []int32
	touch := func(i int32, v int64) {
		if scratch[i] == 0 {
			touched = append(touched, i)
		}
		scratch[i] += v
		if scratch[i] == 0 { // list each cell once
			touched = append(touched, i)
		}
	}
	touch(int32(k), den)
	for j, v := range g {
		if v == 0 {
			continue
		}
		d.Rel, d.Mult = append(d.Rel, int32(j)), append(d.Mult, v)
		cell, coef := rel.Row(j)
		for t, i := range cell {
			touch(i, -v*int64(coef[t]))
		}
	}
	slices.Sort(touched)
	for _, i := range touched {
		if scratch[i] != 0 {
			d.Idx, d.Coef = append(d.Idx, i), append(d.Coef, scratch[i])
			scratch[i] = 0
		}
	}
	return d
}

// inf is the capacity of a cell without bound.
var inf = math.Inf(1)

// Arcs returns M as the incidence matrix of a directed graph, if it is a network: relation j is node j, with sign[j],
// which is 0 if the relation follows from the others; node len(sign) is the ground. Cell i is an arc from tail[i] to
// head[i]: it enters the node where its coefficient times the sign is +1. The slices are shared.
func (s *System) Arcs() (tail, head []int32, sign []int8, ok bool) {
	if s.net == nil {
		return nil, nil, nil, false
	}
	return s.net.tail, s.net.head, s.net.flip, true
}

// Spend tells ctx about work, in the units in which networks and routers count it.
func Spend(ctx context.Context, units float64) {
	work.Spend(ctx, time.Duration(units*float64(workTime)))
}
