package interval

import (
	"context"
	"math/big"
	"slices"

	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/oracle"
	"github.com/hitoku/hitoku/internal/parallel"
	"github.com/hitoku/hitoku/table"
)

// A Side tells what a combination proves about a cell.
type Side int8

// The sides: the lower end of its interval, the upper end, or its value, if the relations alone determine it,
// whatever bounds the intruder knows.
const (
	LowerEnd Side = -1
	TheValue Side = 0
	UpperEnd Side = 1
)

// A Term is Coef times a number of a cell: the value of a published cell, or a bound (Table.Lower or Table.Upper) of a
// withheld one. Units are 10^−Decimals.
type Term struct {
	Cell  int
	Coef  *big.Rat
	Value *big.Rat
}

// A Multiplier is a relation of the table and its multiplier γ.
type Multiplier struct {
	Relation int
	Times    *big.Rat
}

// A Combination proves an end of the interval of a withheld cell from what is published: with multipliers γ
// of the relations and d = e_k − Mᵀγ,
//
//	y_k = Σ_j γ_j b_j + Σ_i d_i y_i ,
//
// Every published cell i enters with its value (if rounded, with the largest or least value that it may stand for), and
// every withheld cell with d_i ≠ 0 with its upper or lower bound. The result is computed from γ and the table in
// numbers of any length, so it is valid wherever γ comes from.
type Combination struct {
	Cell   int
	Side   Side
	Terms  []Term // published cells with d_i ≠ 0, those with d_i > 0 first, each ascending
	Bounds []Term // withheld cells whose bound is used, ascending; none if Side is TheValue
	// Rounding is how far rounding of the values of Terms moves the end outwards; nil if they are exact, as in every
	// combination with Side TheValue.
	Rounding *big.Rat
	// Constant is Σ γ_j b_j, 0 in tables whose relations are sums of cells.
	Constant  *big.Rat
	Relations []Multiplier // γ, ascending
	Result    *big.Rat     // the end: Constant + Σ Coef·Value over Terms and Bounds, plus Rounding for an upper end or minus it for a lower one
	// Shortest says that a search has proved that no combination with fewer published numbers proves this end (for
	// TheValue: the value, without bounds).
	Shortest bool
}

// Limits of Explain, as counts of work, so that results do not depend on the machine.
const (
	// perQuestion is the size of a problem (cells times relations; for a network 20 times cells) that adds one unit to
	// the work of a question.
	perQuestion = 20_000
	// wholeTable is the work of a question up to which combinations are sought in the whole table; above it, only among
	// the relations of a first combination.
	wholeTable = 4
	// questions is the work that the search for shortest combinations may take for all cells together, questionsEach
	// for one end; each unit of work allows setsEach sets to be examined in the hitting-set search.
	questions     = 8_000
	questionsEach = 2500
	setsEach      = 500
)

// Explain returns, for each of the cells r.Cells[of[0]], r.Cells[of[1]], …, the combinations that prove its interval:
// one with Side TheValue if the relations alone determine the cell, else one for each finite end. A combination uses
// few published numbers: none can be left out, and if Shortest is set no other combination uses fewer. Ends for which
// none is found within 64 bits are omitted, as are those not reached when ctx ends, whose error is then wrapped. Ends
// are those over all real tables, even with Options.Integer.
//
// Multipliers are duals of the intruder's problem. A set of published cells suffices if the end stays the same when all
// other published cells are unknown. First, cells are removed one by one while the rest suffices. Then, for every set
// found not to suffice, there is a table beyond the end that changes certain cells, one of which every sufficient set
// must contain; the smallest set that meets all of these (an implicit hitting set) is tried, until one suffices. Cost:
// a linear program for each question.
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
				return i18n.Errorf("cell %s: %w", r.t.CellName(r.Cells[of[c]].Index), err)
			}
		}
		return nil
	})
	if err != nil {
		err = parallel.Ended(ctx, err)
	}
	return out, parallel.Ended(ctx, err)
}

// combine makes the combination for cell k from the multipliers of a dual; nil if it needs a bound that does not exist.
// t is an opened table: cells that are hidden but not withheld have rounded values.
func combine(t *table.Table, withheld, hidden []bool, k int, side Side, d *oracle.Dual) *Combination {
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
	// (1 − d_k) y_k = the sum over the others: k itself is a term only if nothing but its own bound is used.
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
		if withheld[i] || hidden[i] { // hidden but not withheld: rounded
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

// shrink converts results computed in numbers larger by the factor by to the units of the table.
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
