package guard

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/big"
	"slices"
	"time"

	"github.com/hitoku/hitoku/attack/insider"
	"github.com/hitoku/hitoku/certificate"
	"github.com/hitoku/hitoku/internal/exact/num"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/sets"
	"github.com/hitoku/hitoku/internal/work"
	"github.com/hitoku/hitoku/nullspace"
	"github.com/hitoku/hitoku/solver"
	"github.com/hitoku/hitoku/table"
)

// maxWord bounds sums of cells, so that a few of them can be added in 64 bits.
const maxWord = 1 << 61

// A Result is a pattern that withstands insiders.
type Result struct {
	*solver.Solution
	// Rounds is the number of searches; Sums is the number of combinations of cells that had to be protected as well.
	Rounds, Sums int
	// Report is what insiders can still learn. If it is Complete, they compute nothing from the relations.
	Report *insider.Report
}

// An insiderError says that no pattern protects the table against insiders.
type insiderError struct {
	Table string
	Err   *solver.UnprotectableError // about Err.Cell minus the coalition's contributions
}

func (e *insiderError) Error() string { return e.Message().String() }

// Message is the text of e.
func (e *insiderError) Message() i18n.Text {
	return i18n.T("table %s: whatever is withheld, a coalition of only contributors computes cell %s, or it is exposed to everybody", e.Table, e.Err.Cell)
}

func (e *insiderError) Unwrap() error { return e.Err }

// errCoefficient is returned if a combination of cells has coefficients too large to be protected.
var errCoefficient = i18n.New("attack: an insider's combination of cells has coefficients beyond 32 bits")

// Insiders finds a pattern like solver.Suppress under which, in addition, no coalition of up to insiders.Coalition sole
// contributors (see insider.Run) can compute another sensitive cell from the relations, whatever the values.
//
// If a coalition that knows the cells Q computes cell k, then y_k = c + Σ_{q∈Q} d_q y_q in all tables consistent with
// the publication, so v = y_k − Σ d_q y_q is disclosed to everybody. Insiders adds this v, scaled to integer
// coefficients, to the table as a sensitive cell without cost whose interval must be at least one unit wide, with the
// relation that defines it, and searches again until no coalition computes anything. Such constraints are added only
// where a pattern violates them, so an optimal solution is a cheapest pattern that satisfies those added and discloses
// nothing: the bound of the last search is valid for all such patterns.
//
// Intervals that are narrow for an insider, or closed only by the bounds, are in the Report but not prevented. Cost: a
// search and an insider.Run for each round. Errors are those of both and *insiderError. If ctx ends, the pattern may be
// one that coalitions can break.
func Insiders(ctx context.Context, t *table.Table, opt *solver.Options, insiders *insider.Options) (*Result, error) {
	return InsidersBeside(ctx, t, t, opt, insiders)
}

// InsidersBeside is Insiders for wide, a table that has further cells after those of t, as withUnions makes it. These
// are protected by their own levels; coalitions consist of contributors to the cells of t and compute cells of t. The
// pattern is over all cells of wide.
func InsidersBeside(ctx context.Context, t, wide *table.Table, opt *solver.Options, insiders *insider.Options) (*Result, error) {
	if opt == nil {
		opt = new(solver.Options)
	}
	ctx = work.Metered(ctx)
	found, err, whole := unlimited(ctx, opt, func(ctx context.Context, opt *solver.Options) (*Result, error) {
		in := newGuarding(t, wide, insiders)
		for {
			added, err := in.round(ctx, in.u, opt)
			if err != nil || added == 0 {
				return &in.Result, err
			}
		}
	})
	if whole {
		return found, err
	}
	return newGuarding(t, wide, insiders).within(ctx, *opt)
}

// A guarding is a table with the sums added that coalitions can compute.
type guarding struct {
	Result
	t, u     *table.Table
	n        int // number of cells without the sums
	insiders *insider.Options
	seen     map[string]bool // keys of the sums
}

func newGuarding(t, wide *table.Table, insiders *insider.Options) *guarding {
	u := wide.Clone()
	u.Rel, u.Coord = own(u.Rel), append([]int32(nil), u.Coord...)
	return &guarding{t: t, u: u, n: wide.Len(), insiders: insiders, seen: map[string]bool{}}
}

// firstShare is the work allowed for the first search under a limit.
const firstShare = 16 * time.Microsecond

// within searches under a time limit. As soon as there is a pattern, it is completed: further cells are withheld until
// the sums that coalitions compute are protected. Another search then starts from the complete pattern; the cheapest of
// these is returned. The work of each search depends on the work before it, not on the limit, which only decides how
// many searches there are. A larger limit therefore finds everything that a smaller one does.
func (in *guarding) within(ctx context.Context, opt solver.Options) (*Result, error) {
	begun, limit := work.Now(ctx), opt.TimeLimit-unlimitedPart(opt.TimeLimit)
	var best *Result
	bound := int64(0)
	for share, done := firstShare, false; !done; {
		since := work.Now(ctx)
		opt.TimeLimit = share
		added, err := in.round(ctx, in.u, &opt)
		if err != nil || in.Solution == nil || in.Pattern == nil {
			return in.kept(best, err)
		}
		bound = max(bound, in.Bound)
		done = added == 0 && (in.Status == solver.Optimal || work.Since(ctx, since) < share)
		for added > 0 {
			if added, err = in.complete(ctx, opt, share/2); err != nil || in.Solution == nil || in.Pattern == nil {
				return in.kept(best, err)
			}
		}
		if best == nil || in.Cost <= best.Cost {
			one := in.Result
			best = &one
		}
		opt.Start = append(slices.Clone(best.Pattern), make([]bool, in.u.Len()-in.n)...)
		spent := work.Since(ctx, begun)
		share = max(firstShare, spent/2)
		done = done || spent+share+share/2 > limit // share/2 is for completing what is found
	}
	best.Bound = min(max(best.Bound, bound), best.Cost)
	best.Rounds, best.Sums = in.Rounds, in.Sums
	return best, nil
}

// complete withholds more cells than the current pattern, so that the sums are protected too.
func (in *guarding) complete(ctx context.Context, opt solver.Options, limit time.Duration) (added int, err error) {
	more := in.u.Clone()
	for i, w := range in.Pattern {
		if w && more.Status[i] != table.Sensitive {
			more.Status[i] = table.Withheld
		}
	}
	opt.Start, opt.TimeLimit, opt.Gap = nil, limit, max(opt.Gap, 0.1)
	s, err := solver.Suppress(ctx, more, &opt)
	if err != nil || s == nil || s.Pattern == nil {
		return 0, err
	}
	opt.Start, opt.TimeLimit = s.Pattern, 1 // recomputes cost and witnesses in the table itself
	return in.round(ctx, in.u, &opt)
}

// kept returns what a failing search leaves: the best complete pattern, if there is one.
func (in *guarding) kept(best *Result, err error) (*Result, error) {
	if best == nil {
		best = &in.Result
	}
	return best, err
}

// round finds a pattern for u and adds to in.u the sums that coalitions compute under it.
func (in *guarding) round(ctx context.Context, u *table.Table, opt *solver.Options) (added int, err error) {
	s, err := solver.Suppress(ctx, u, opt)
	in.Solution = s
	in.Rounds++
	if impossible := (*solver.UnprotectableError)(nil); in.Sums > 0 && errors.As(err, &impossible) {
		return 0, &insiderError{in.t.Name, impossible}
	}
	if s == nil || s.Pattern == nil {
		return 0, err
	}
	s.Pattern = s.Pattern[:in.n]
	for _, w := range s.Witnesses {
		drop(w, int32(in.n))
	}
	known := s.Pattern[:in.t.Len()]
	report, stop := insider.Run(ctx, in.t, known, in.insiders)
	if in.Report = report; err != nil || stop != nil {
		return 0, cmp.Or(err, stop)
	}
	var kernel [][]*big.Int
	var at []int
	for i := range report.Findings {
		e := &report.Findings[i]
		if !e.Relations {
			continue
		}
		if kernel == nil {
			if kernel, at, err = kernelOf(in.t, known); err != nil {
				return 0, err
			}
		}
		fresh, err := addSum(in.u, kernel, at, e, in.seen)
		if err != nil {
			return 0, err
		}
		if fresh {
			added++
		}
	}
	in.Sums += added
	return added, nil
}

// drop removes the cells from n on from w.
func drop(w *certificate.Witness, n int32) {
	k := 0
	for e, i := range w.Cells {
		switch {
		case i >= n:
			continue
		case w.Long != nil:
			w.Long.Num[k] = w.Long.Num[e]
		default:
			w.Num[k] = w.Num[e]
		}
		w.Cells[k] = i
		k++
	}
	if w.Cells = w.Cells[:k]; w.Long != nil {
		w.Long.Num = w.Long.Num[:k]
	} else {
		w.Num = w.Num[:k]
	}
}

// kernelOf returns a basis of the integer kernel of the relations restricted to the withheld cells, and the position of
// each cell in its vectors.
func kernelOf(t *table.Table, withheld []bool) (kernel [][]*big.Int, at []int, err error) {
	var cells []int32
	at = make([]int, t.Len())
	for i, w := range withheld {
		if w {
			at[i] = len(cells)
			cells = append(cells, int32(i))
		}
	}
	f, err := nullspace.New(t.Rel, cells, t.Value, nil, nil)
	if err != nil {
		return nil, nil, err
	}
	return f.Kernel(), at, nil
}

// addSum adds to u the combination of cells by which e.Coalition computes e.Cell; fresh is false if u already has it.
func addSum(u *table.Table, kernel [][]*big.Int, at []int, e *insider.Exposure, seen map[string]bool) (fresh bool, err error) {
	d, err := combination(kernel, at, e)
	if err != nil {
		return false, err
	}
	cells, coef := []int32{int32(e.Cell)}, []int64{1}
	den := int64(1)
	for _, r := range d {
		if !r.Denom().IsInt64() {
			return false, errCoefficient
		}
		den = den / num.GCD(den, r.Denom().Int64()) * r.Denom().Int64()
		if den > 1<<30 {
			return false, errCoefficient
		}
	}
	coef[0] = den
	for k, r := range d {
		if c := new(big.Int).Div(new(big.Int).Mul(r.Num(), big.NewInt(-den)), r.Denom()); c.Sign() != 0 {
			if !c.IsInt64() || num.Abs(c.Int64()) > 1<<30 {
				return false, errCoefficient
			}
			cells, coef = append(cells, int32(e.Coalition[k])), append(coef, c.Int64())
		}
	}
	key := fmt.Sprint(cells, coef)
	if seen[key] {
		return false, nil
	}
	seen[key] = true
	v := new(big.Int)
	for k, i := range cells {
		v.Add(v, new(big.Int).Mul(big.NewInt(coef[k]), big.NewInt(u.Value[i])))
	}
	if !v.IsInt64() || num.Abs(v.Int64()) >= maxWord {
		return false, errCoefficient
	}
	addCell(u, e.Cell, v.Int64())
	row, val := []int32{int32(u.Len() - 1)}, []int32{1}
	for k, i := range cells {
		row, val = append(row, i), append(val, int32(-coef[k]))
	}
	relate(u, row, val)
	return true, nil
}

// relate appends a relation that belongs to no dimension.
func relate(u *table.Table, row, val []int32) {
	u.Rel.N = u.Len()
	u.Rel.Add(row, val, 0)
	if u.Rel.Dim != nil {
		u.Rel.Dim, u.Rel.Margin = append(u.Rel.Dim, -1), append(u.Rel.Margin, -1)
	}
}

// own returns a copy of r with its own slices; a clone of a table shares them with the original.
func own(r *table.Relations) *table.Relations {
	c := *r
	c.Ptr = append([]int32(nil), r.Ptr...)
	c.Cell, c.Coef = append([]int32(nil), r.Cell...), append([]int32(nil), r.Coef...)
	c.RHS = append([]int64(nil), r.RHS...)
	c.Dim, c.Margin = append([]int8(nil), r.Dim...), append([]int32(nil), r.Margin...)
	return &c
}

// addCell appends a sensitive cell of value v that must not be disclosed, named after cell k.
func addCell(u *table.Table, k int, v int64) {
	dims := len(u.Dims)
	u.Coord = append(u.Coord, u.Coord[k*dims:(k+1)*dims]...)
	u.Value, u.Cost, u.Status = append(u.Value, v), append(u.Cost, 0), append(u.Status, table.Sensitive)
	sets.Extend(&u.Missing, false)
	sets.Extend(&u.Freq, -1)
	for r := range u.Max {
		u.Max[r] = append(u.Max[r], 0)
	}
	sets.Extend(&u.Reason, table.NoReason)
	sets.Extend(&u.Rounding, 0)
	sets.Extend(&u.Given, 0)
	u.Contributors = nil // a sum has no contributors of its own
	width := int64(1)
	if u.Strict {
		width = 0
	}
	u.LPL, u.UPL, u.Width = append(u.LPL, 0), append(u.UPL, 0), append(u.Width, width)
	u.Lower, u.Upper = append(u.Lower, table.NegInf), append(u.Upper, table.PosInf)
}

// combination solves z_k = Σ d_q z_q over the kernel for the cells q of e.Coalition; free d_q are 0.
func combination(kernel [][]*big.Int, at []int, e *insider.Exposure) ([]*big.Rat, error) {
	m := len(e.Coalition)
	var rows [][]*big.Rat
	for _, z := range kernel {
		row := make([]*big.Rat, m+1)
		some := false
		for c, i := range append(append([]int(nil), e.Coalition...), e.Cell) {
			row[c] = new(big.Rat).SetInt(z[at[i]])
			some = some || row[c].Sign() != 0
		}
		if some {
			rows = append(rows, row)
		}
	}
	d := sets.List(m, func(_ int) *big.Rat { return new(big.Rat) })
	rank := 0
	var pivot []int
	for q := range m {
		r := rank
		for r < len(rows) && rows[r][q].Sign() == 0 {
			r++
		}
		if r == len(rows) {
			continue
		}
		rows[rank], rows[r] = rows[r], rows[rank]
		inv := new(big.Rat).Inv(rows[rank][q])
		for c := q; c <= m; c++ {
			rows[rank][c] = new(big.Rat).Mul(rows[rank][c], inv)
		}
		for o := range rows {
			if f := rows[o][q]; o != rank && f.Sign() != 0 {
				f = new(big.Rat).Set(f)
				for c := q; c <= m; c++ {
					rows[o][c] = new(big.Rat).Sub(rows[o][c], new(big.Rat).Mul(f, rows[rank][c]))
				}
			}
		}
		pivot = append(pivot, q)
		rank++
	}
	for r, row := range rows {
		switch {
		case r < rank:
			d[pivot[r]].Set(row[m])
		case row[m].Sign() != 0:
			return nil, i18n.Errorf("attack: cell %d is not a combination of its coalition's cells", e.Cell)
		}
	}
	return d, nil
}
