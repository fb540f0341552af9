package table

import (
	"cmp"
	"context"
	"encoding/binary"
	"math/big"
	"slices"
	"time"

	"github.com/hitoku/hitoku/internal/exact/num"
	"github.com/hitoku/hitoku/internal/work"
)

// A Union is a set of cells of one relation, all of them parts of its margin, seen as one cell: their sum.
//
// A contributor may have a part in several withheld cells, or two cells may have one contributor each. Their sum may
// then be disclosed too closely although no single cell is (sensitive unions, or combinations of suppressed cells: Cox,
// J. Amer. Statist. Assoc. 75, 1980; Handbook on Statistical Disclosure Control, section 4.3.2; the sensitive
// aggregates of G-Confid). Meeting the levels of all cells does not imply meeting those of a union, so a union is
// protected like a cell.
type Union struct {
	Relation        int     // −1: the cells are of several relations
	Cells           []int32 // in ascending order
	Value           int64
	Reason          Reason
	LPL, UPL, Width int64 // required distances of its interval from the value and its width, in units of the values
	// Implied: everybody knows the sum, as these are all withheld parts of a published margin, or several relations
	// together give it.
	Implied bool
	// Possible: it is sensitive only if somebody contributes to two of its cells, which the table does not exclude.
	Possible bool
}

// UnionOptions say which unions SensitiveUnions examines, and how.
type UnionOptions struct {
	// Size is the number of cells up to which all unions are examined; implied ones are examined at any size.
	Size int
	// Possible assumes that contributors are the same person wherever the table allows it. Otherwise two contributors
	// are two persons unless the table says that they are one.
	Possible bool
	// Levels apply to unions for which the rules give no level, as SetLevels does for cells. Without any, a union must
	// not be exactly disclosed.
	Levels Levels
	// Across are further sets of cells to examine, from several relations that together determine their sum.
	Across [][]int32
	// Most is the largest number of unions examined; 0: a million.
	Most int
}

// SensitiveUnions returns the unions of withheld cells that are sensitive by the concentration and minimum frequency
// rules of r (requests and zeros do not make a union sensitive), relation by relation. complete is false if there are
// more than opt.Most to examine.
//
// The table may not tell who contributes what to a union, so its facts lie between two extremes. At the lower one,
// contributors not known to be one person are two; at the upper one, contributors of unknown name have the largest
// possible contribution in every cell. The value of a linear measure, S = Σ (w_j − w_m) x_j + w_m X with w_j ≥ w_m,
// grows with the partial sums x_1 + … + x_j, so bounds on these bound S.
//
// S is sublinear, so unions without a sensitive cell are left out. Cost: one judgement for each union. If ctx ends, its
// error is returned with what was found.
func (t *Table) SensitiveUnions(ctx context.Context, r *Rules, withheld []bool, opt UnionOptions) (found []Union, complete bool, err error) {
	if err := t.checkRules(r); err != nil {
		return nil, false, err
	}
	s := &unionSearch{t: t, rules: *r, opt: opt, seen: map[string]bool{}, left: opt.Most, ctx: ctx}
	s.rules.Request, s.rules.Zero = nil, nil
	s.left = cmp.Or(s.left, 1_000_000)
	defer func(most int) { work.Spend(ctx, time.Duration(most-s.left)*judgeTime) }(s.left)
	records, holdings := r.Top()
	s.places = max(records, holdings, 1)
	for j := range t.Rel.Len() {
		if err := s.relation(j, withheld); err != nil {
			return s.found, false, err
		}
	}
	for _, cells := range opt.Across {
		if !slices.ContainsFunc(cells, func(i int32) bool { return !withheld[i] || !t.Known(int(i)) }) {
			if err := s.judge(Union{Relation: -1, Cells: slices.Sorted(slices.Values(cells)), Implied: true}); err != nil {
				return s.found, false, err
			}
		}
	}
	return s.found, s.left > 0, nil
}

// judgeTime is about how long the judgement of one union takes.
const judgeTime = 2 * time.Microsecond

type unionSearch struct {
	t      *Table
	rules  Rules
	opt    UnionOptions
	places int
	seen   map[string]bool
	found  []Union
	left   int
	ctx    context.Context
}

// relation examines the unions of one relation.
func (s *unionSearch) relation(j int, withheld []bool) error {
	t, side := s.t, s.t.PartSign(j)
	if side == 0 {
		return nil
	}
	var all []int32
	implied := true
	cell, coef := t.Rel.Row(j)
	for e, i := range cell {
		switch {
		case !withheld[i]:
		case coef[e] != side:
			implied = false
		default:
			if !t.Known(int(i)) {
				return nil
			}
			all = append(all, i)
		}
	}
	if !slices.ContainsFunc(all, func(i int32) bool { return t.Status[i] == Sensitive }) || len(all) < 2 {
		return nil
	}
	slices.Sort(all)
	if implied {
		if err := s.judge(Union{Relation: j, Cells: all, Implied: true}); err != nil {
			return err
		}
	}
	pick := make([]int32, 0, s.opt.Size)
	var choose func(from int, sensitive bool) error
	choose = func(from int, sensitive bool) error {
		if len(pick) > 1 && sensitive {
			if err := s.judge(Union{Relation: j, Cells: slices.Clone(pick)}); err != nil {
				return err
			}
		}
		if len(pick) == s.opt.Size {
			return nil
		}
		for k := from; k < len(all) && s.left > 0; k++ {
			pick = append(pick, all[k])
			if err := choose(k+1, sensitive || t.Status[all[k]] == Sensitive); err != nil {
				return err
			}
			pick = pick[:len(pick)-1]
		}
		return nil
	}
	return choose(0, false)
}

// judge adds u to those found if it is sensitive.
func (s *unionSearch) judge(u Union) error {
	if s.left == 0 {
		return nil
	}
	key := make([]byte, 0, 4*len(u.Cells))
	for _, i := range u.Cells {
		key = binary.BigEndian.AppendUint32(key, uint32(i))
	}
	if s.seen[string(key)] {
		return nil
	}
	s.seen[string(key)] = true
	if s.left--; s.left%256 == 0 && s.ctx.Err() != nil {
		return s.ctx.Err()
	}
	for _, upper := range []bool{true, false} {
		if upper && !s.opt.Possible {
			continue
		}
		f, ok := s.t.unionFacts(u.Cells, upper, s.places)
		if !ok {
			continue
		}
		v, err := s.rules.Judge(&f)
		if err != nil {
			return err
		}
		if v.Reason == NoReason {
			if upper {
				return nil
			}
			continue
		}
		if !upper && u.Reason != NoReason { // with the levels of the possible case
			u.Possible = false
			continue
		}
		u.Reason, u.Possible, u.Value = v.Reason, upper, f.Value
		s.t.unionLevels(&u, &v, &s.opt.Levels)
	}
	if u.Reason != NoReason {
		s.found = append(s.found, u)
	}
	return nil
}

// unionLevels gives u the levels of the verdict, else those of l, rounded up to units of the values.
func (t *Table) unionLevels(u *Union, v *Verdict, l *Levels) {
	u.LPL, u.UPL = t.ceiling(v.LPL, nil), t.ceiling(v.UPL, nil)
	if u.LPL == 0 && u.UPL == 0 {
		value := num.Abs(u.Value)
		if l.LPL != nil {
			u.LPL = min(t.ceiling(l.LPL.Decimal, percentOf(l.LPL, value)), max(value, 1))
		}
		if l.UPL != nil {
			u.UPL = t.ceiling(l.UPL.Decimal, percentOf(l.UPL, value))
		}
		if l.Width != nil {
			u.Width = t.ceiling(l.Width.Decimal, percentOf(l.Width, value))
		}
	}
	if u.LPL == 0 && u.UPL == 0 && u.Width == 0 && !t.Strict {
		u.Width = 1
	}
}

// percentOf returns &value if l is a percentage, nil if it is absolute.
func percentOf(l *Level, value int64) *int64 {
	if !l.Percent {
		return nil
	}
	return &value
}

// ceiling returns d, or d % of *of if given, in units of the values, rounded up and at least 1 unless d is 0.
func (t *Table) ceiling(d Decimal, of *int64) int64 {
	if d.Unscaled == 0 {
		return 0
	}
	x := rat(d)
	if of != nil {
		x.Mul(x, big.NewRat(*of, 100))
	} else {
		x.Mul(x, new(big.Rat).SetInt64(Pow10(t.Decimals)))
	}
	q, rem := new(big.Int).QuoRem(x.Num(), x.Denom(), new(big.Int))
	if rem.Sign() > 0 {
		q.Add(q, big.NewInt(1))
	}
	if !q.IsInt64() || q.Int64() > maxMagnitude {
		return maxMagnitude
	}
	return max(1, q.Int64())
}

// unionFacts returns the facts of a union that the rules need, at the upper or lower extreme of what the table allows;
// ok is false if a sum overflows. If contributions of both signs may cancel, only their number is certain at the lower
// extreme.
func (t *Table) unionFacts(cells []int32, upper bool, places int) (f Facts, ok bool) {
	f = Facts{Decimals: t.Decimals, XDecimals: t.Decimals, Freq: t.Counts, X: new(big.Int)}
	g := &f.Records
	absolute, mixed := t.Contributors != nil && t.Contributors.Absolute != nil, false
	f.Absolute = new(big.Int)
	for _, i := range cells {
		if f.Value, ok = addExact(f.Value, t.Value[i]); !ok || num.Abs(f.Value) > maxMagnitude {
			return f, false
		}
		of := t.facts(int(i), nil)
		if of.Absolute == nil {
			absolute = false
		} else {
			f.Absolute.Add(f.Absolute, of.Absolute)
		}
		mixed = mixed || of.mixed()
	}
	f.X.SetInt64(f.Value)
	if !absolute {
		f.Absolute = nil
	}
	c := newContributions(t, cells, mixed)
	if mixed && !upper { // only their number is certain
		f.X = nil
		g.N = c.number(upper)
		t.waivers(g, cells, upper)
		f.Weight, f.Holdings = max(g.N, 0), *g
		return f, true
	}
	sums := c.lower(places)
	if upper {
		sums = c.upper(places)
	}
	last := int64(0)
	for _, s := range sums {
		if s > maxMagnitude {
			return f, false
		}
		g.Top = append(g.Top, Contribution{X: s - last, W: 1})
		last = s
	}
	g.N = c.number(upper)
	t.waivers(g, cells, upper)
	f.Weight, f.Holdings = max(g.N, 0), *g
	return f, true
}

// mixed reports whether contributions may have both signs.
func (f *Facts) mixed() bool {
	x := new(big.Int).Abs(f.X)
	if f.Absolute != nil && f.Absolute.Cmp(x) != 0 {
		return true
	}
	sum := new(big.Int)
	for _, c := range f.Records.Top {
		sum.Add(sum, big.NewInt(c.X))
	}
	return f.X.Sign() < 0 || sum.Cmp(x) > 0
}

// waivers combines what the cells tell of contributors who consented.
func (t *Table) waivers(g *Group, cells []int32, upper bool) {
	c := t.Contributors
	if c == nil || c.Waived == nil {
		return
	}
	open := false
	for _, i := range cells {
		open = open || t.Freq == nil || t.Freq[i] < 0 || t.Freq[i] > c.Waived[i]
		g.Waived = max(g.Waived, c.Waived[i])
		if upper {
			g.Target = min(g.Target+c.Target[i], maxMagnitude)
		} else {
			g.Target = max(g.Target, c.Target[i])
		}
	}
	switch {
	case g.Waived == 0:
	case open: // somebody has not consented
		g.Waived = 1
		if g.N >= 0 {
			g.N = max(g.N, 2)
		}
	default:
		g.N = max(g.N, 1)
		g.Waived = g.N
	}
}
