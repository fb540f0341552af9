package interval

import (
	"context"
	"fmt"
	"math/big"
	"slices"

	"github.com/hitoku/hitoku/internal/intruder"
	"github.com/hitoku/hitoku/internal/parallel"
	"github.com/hitoku/hitoku/table"
)

// A Side is what a combination gives of a cell.
type Side int8

// The sides: the lower end of its interval, the upper one, or its value, which the relations alone
// determine, whatever bounds the intruder knows.
const (
	LowerEnd Side = -1
	TheValue Side = 0
	UpperEnd Side = 1
)

// A Term is a cell with the number that takes part in a combination, Coef times: the value of a published cell, or
// a bound (Options of the table: Lower, Upper) of a withheld one. Units are 10^−Decimals.
type Term struct {
	Cell  int
	Coef  *big.Rat
	Value *big.Rat
}

// A Multiplier is a relation of the table and how often it is used.
type Multiplier struct {
	Relation int
	Times    *big.Rat
}

// A Combination says how an end of the interval of a withheld cell follows from what is
// published: with multipliers γ of the relations and d = e_k − Mᵀγ,
//
//	y_k = Σ_j γ_j b_j + Σ_i d_i y_i ,
//
// where every published cell i has its value (if that is rounded, what is left of it at most, or at least), and every withheld one with d_i ≠ 0 is at most, or at least, its bound.
// It is computed from γ and the table in numbers of any length, so it is right whatever found γ.
type Combination struct {
	Cell   int
	Side   Side
	Terms  []Term // published cells with d_i ≠ 0, those with d_i > 0 first, each ascending
	Bounds []Term // withheld cells whose bound takes part, ascending; none where Side is TheValue
	// Rounding is how far the end moves, beyond what the values of Terms give, because they are rounded: nil where they are exact, as in
	// every combination with Side TheValue.
	Rounding *big.Rat
	// Constant is Σ γ_j b_j, 0 in tables whose relations are sums of cells.
	Constant  *big.Rat
	Relations []Multiplier // γ, ascending
	Result    *big.Rat     // Constant + Σ over Terms and Bounds of Coef·Value, and Rounding added above, taken away below: the end
	// Shortest says that no combination gives this end (for TheValue: no other gives the value without bounds)
	// from fewer published numbers, as a search for one has proved.
	Shortest bool
}

// Limits of Explain. They are counts, so that what it returns does not depend on the machine.
const (
	// perQuestion is how many cells times relations make a linear program one unit of work dearer, of a network 20 times the cells.
	perQuestion = 20_000
	// wholeTable is the work of a question up to which combinations are looked for in the whole table; beyond, among
	// the relations that a first one uses.
	wholeTable = 4
	// questions is the work that the search for shortest combinations may take for all cells together,
	// and questionsEach for one end; to each unit belongs looking at setsEach sets found not to suffice.
	questions     = 8_000
	questionsEach = 2500
	setsEach      = 500
)

// Explain returns, for each of the cells r.Cells[of[0]], r.Cells[of[1]], …, how its interval follows from what is
// published: one combination with Side TheValue where the relations alone determine the cell, else one for each end
// that is finite. A combination is made of few published numbers: none of them can be left out, and where Shortest is
// set no other has fewer. Ends for which none is found, as numbers of 64 bits do not do, are left out, and so is what ctx
// ends, with an error that wraps ctx.Err(). Ends are those over all real tables, whatever Options.Integer was.
//
// Multipliers are duals of the intruder's problem. A set of published cells suffices if the end stays what it is with all
// other published cells taken for unknown. Cells are left out of the set one by one while it suffices; then the smallest set is
// looked for that meets, for every set found not to suffice, the cells by which some table changes that goes beyond the end (an
// implicit hitting set), until that set suffices itself. Cost: a linear program a question.
func (r *Report) Explain(ctx context.Context, of []int, workers int) ([][]Combination, error) {
	out := make([][]Combination, len(of))
	if len(of) == 0 || r.base == nil || r.base.Wide() {
		return out, nil
	}
	each := min(questionsEach, questions/(2*len(of)))
	engines := make([]*shortener, min(shards, len(of)))
	defer func() {
		for _, s := range engines {
			if s != nil {
				s.close()
			}
		}
	}()
	err := parallel.Do(ctx, len(engines), workers, func(ctx context.Context, shard int) error {
		s, err := newShortener(r, each)
		if err != nil {
			return err
		}
		engines[shard] = s
		for c := shard; c < len(of); c += len(engines) {
			if out[c], err = s.explain(ctx, r.Cells[of[c]].Index); err != nil {
				return fmt.Errorf("cell %s: %w", r.t.CellName(r.Cells[of[c]].Index), err)
			}
		}
		return nil
	})
	if err != nil {
		err = parallel.Ended(ctx, err)
	}
	return out, parallel.Ended(ctx, err)
}

// combine makes the combination for cell k of the multipliers of a dual, nil where a bound that it needs is missing. t is a table
// as opened: its cells hidden but not withheld have rounded values.
func combine(t *table.Table, withheld, hidden []bool, k int, side Side, d *intruder.Dual) *Combination {
	c := &Combination{Cell: k, Side: side, Constant: new(big.Rat), Result: new(big.Rat)}
	sum := map[int32]*big.Rat{int32(k): big.NewRat(1, 1)} // e_k − Mᵀγ
	for s, j := range d.Rel {
		times := big.NewRat(d.Mult[s], d.Den)
		c.Relations = append(c.Relations, Multiplier{int(j), times})
		c.Constant.Add(c.Constant, new(big.Rat).Mul(times, new(big.Rat).SetInt64(t.Rel.RHS[j])))
		cell, coef := t.Rel.Row(int(j))
		for e, i := range cell {
			if sum[i] == nil {
				sum[i] = new(big.Rat)
			}
			sum[i].Sub(sum[i], new(big.Rat).Mul(times, new(big.Rat).SetInt64(int64(coef[e]))))
		}
	}
	// (1 − d_k) y_k = what the others give: k itself is no term unless only its own bound is used.
	if own := sum[int32(k)]; len(d.Rel) > 0 && own.Sign() != 0 {
		scale := new(big.Rat).Sub(big.NewRat(1, 1), own)
		if scale.Sign() <= 0 {
			return nil
		}
		delete(sum, int32(k))
		scale.Inv(scale)
		c.Constant.Mul(c.Constant, scale)
		for s := range c.Relations {
			c.Relations[s].Times.Mul(c.Relations[s].Times, scale)
		}
		for _, v := range sum {
			v.Mul(v, scale)
		}
	}
	cells := make([]int, 0, len(sum))
	for i, v := range sum {
		if v.Sign() != 0 {
			cells = append(cells, int(i))
		}
	}
	slices.Sort(cells)
	slices.SortFunc(c.Relations, func(a, b Multiplier) int { return a.Relation - b.Relation })
	c.Result.Set(c.Constant)
	for _, i := range cells {
		term := Term{Cell: i, Coef: sum[int32(i)]}
		if withheld[i] || hidden[i] { // the latter: rounded
			end := t.Upper[i]
			if term.Coef.Sign() != int(side) {
				end = t.Lower[i]
			}
			if side == TheValue || end == table.PosInf || end == table.NegInf {
				return nil
			}
			term.Value = new(big.Rat).SetInt64(end)
		} else {
			term.Value = new(big.Rat).SetInt64(t.Value[i])
		}
		c.Result.Add(c.Result, new(big.Rat).Mul(term.Coef, term.Value))
		switch {
		case withheld[i]:
			c.Bounds = append(c.Bounds, term)
			continue
		case hidden[i]:
			if c.Rounding == nil {
				c.Rounding = new(big.Rat)
			}
			value := new(big.Rat).SetInt64(t.Value[i])
			moved := new(big.Rat).Sub(term.Value, value)
			c.Rounding.Add(c.Rounding, moved.Abs(moved.Mul(moved, term.Coef)))
			term.Value = value
		}
		c.Terms = append(c.Terms, term)
	}
	slices.SortStableFunc(c.Terms, func(a, b Term) int { return b.Coef.Sign() - a.Coef.Sign() })
	return c
}

// shrink puts what was computed in numbers by times as large into those of the table.
func (c *Combination) shrink(by int64) {
	for _, v := range []**big.Rat{&c.Constant, &c.Result, &c.Rounding} {
		*v = over(*v, by)
	}
	for _, list := range [][]Term{c.Terms, c.Bounds} {
		for n := range list {
			list[n].Value = over(list[n].Value, by)
		}
	}
}
