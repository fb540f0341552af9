package partial

import (
	"cmp"
	"context"
	"errors"
	"math"
	"math/big"

	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/parallel"
	"github.com/hitoku/hitoku/internal/work"
	"github.com/hitoku/hitoku/solver"
	"github.com/hitoku/hitoku/table"
)

// A search is the state of one call of Suppress.
type search struct {
	p      *problem
	opt    *Options
	o      *subproblem
	m      *master
	course course
	rounds int
	found  int  // number of cuts
	solved bool // the gap is closed
	ended  bool // hat is the answer rather than the master's optimum
	w      *widener
	hat    []float64 // the best intervals that protect, up to rounding errors; nil: none yet
	paid   float64   // cost of hat
	floors
	made  *made // cheapest intervals made in pauses
	full  bool  // hat comes from the full program
	proof proof // proof of the bound, from the full program's dual
}

func newSearch(ctx context.Context, t *table.Table, opt *Options) (*search, error) {
	s := &search{p: newProblem(t, opt), opt: opt, course: newCourse(ctx, opt)}
	var err error
	if s.o, err = newSubproblem(s.p, opt); err != nil {
		return nil, err
	}
	if s.m, err = newMaster(s.p, opt.LP); err != nil {
		s.o.close()
		return nil, err
	}
	return s, nil
}

func (s *search) close() {
	s.o.close()
	s.m.close()
	if s.w != nil {
		s.w.close()
	}
}

// run solves the program, makes its optimum exact, rounds the ends and narrows the result. If the time limit ends it,
// what pauses or a floor provide is used.
func (s *search) run(ctx context.Context) (*Solution, error) {
	limited, stop := work.Limited(ctx, s.course.began, s.opt.TimeLimit)
	defer stop()
	err := s.relax(limited)
	stuck := errors.Is(err, errStuck) && named(s.opt.LP) == named("") // then the default back end is not worth asking
	late := limited.Err() != nil && !s.solved
	if ctx.Err() == nil && err != nil && (late || stuck || s.floor != nil && errors.Is(err, errInfeasible)) {
		err = s.lay(ctx)
	}
	switch {
	case ctx.Err() != nil:
		return s.interrupted(ctx)
	case errors.Is(err, errInfeasible):
		return nil, s.impossible(ctx)
	case err != nil:
		return nil, err
	}
	var y []int64
	fine := int64(1)
	if none := s.floor == nil && s.made == nil; !late || none {
		most := limited
		if late { // a pattern of marks ignores largest widths
			most = ctx
		}
		if y, fine, err = s.exact(most); err != nil && ctx.Err() == nil {
			s.solved = false
			err = s.fallBack(ctx, err)
		}
	}
	switch {
	case ctx.Err() != nil:
		return s.interrupted(ctx)
	case err != nil:
		return nil, err
	}
	return s.finish(ctx, limited, y, fine)
}

// exact makes intervals, in units of 1/fine, that are proved to protect by witnesses in exact arithmetic, which the
// oracle keeps.
func (s *search) exact(ctx context.Context) (y []int64, fine int64, err error) {
	if s.full && !s.solved {
		s.ended = true
	} else if !s.solved {
		if err := s.settle(ctx); err != nil {
			return nil, 0, s.late(ctx, err)
		}
	}
	from := s.m.y
	if s.ended {
		from = s.hat
	}
	y, fine = make([]int64, len(s.p.cell)), s.fineness()
	for j, v := range from {
		f := float64(v * float64(fine))
		r := math.Round(f)
		if math.Abs(f-r) > 1e-6*max(1, math.Abs(f)) {
			r = math.Ceil(f)
		}
		y[j] = int64(min(r, float64(min(times(s.p.room[j], fine), farthest))))
	}
	if err := s.o.protected(ctx, y, fine); err != nil {
		return nil, 0, s.late(ctx, err)
	}
	return y, fine, nil
}

// errEnds says that intervals protect but their ends, as whole units, are farther apart than allowed.
var errEnds = i18n.New("partial: ends of whole units are beyond the largest width")

// errLate says that the time limit came before there were intervals.
var errLate = i18n.New("partial: the time limit came before intervals that protect")

// late returns errLate if the limit has passed, else err.
func (s *search) late(limited context.Context, err error) error {
	if err != nil && limited.Err() != nil {
		return errLate
	}
	return err
}

// fallBack makes a floor if err left no intervals; if that fails, it returns the reason.
func (s *search) fallBack(ctx context.Context, err error) error {
	if !errors.Is(err, errLate) && !errors.Is(err, errInfeasible) {
		return err
	}
	if failure := s.lay(ctx); failure != nil || s.floor != nil {
		return failure
	}
	if errors.Is(err, errInfeasible) || s.p.most == nil {
		return s.impossible(ctx)
	}
	return i18n.Errorf("table %s: within the largest width: %w", s.p.t.Name, solver.ErrNoSolution)
}

// interrupted returns the answer after ctx has ended: the floor, if there is one.
func (s *search) interrupted(ctx context.Context) (*Solution, error) {
	err := parallel.Ended(ctx, i18n.Errorf("table %s: %w", s.p.t.Name, context.Cause(ctx)))
	if s.floor == nil && s.made == nil {
		return nil, err
	}
	sol, failure := s.finish(ctx, ctx, nil, 1)
	if sol == nil {
		return nil, failure
	}
	return sol, err
}

// settle makes intervals that protect, up to rounding errors, after a limit has ended the search.
func (s *search) settle(ctx context.Context) error {
	s.ended = true
	if err := s.open(); err != nil {
		return err
	}
	if s.hat == nil {
		s.hat = append([]float64(nil), s.m.y...)
		for j, v := range s.p.least {
			s.hat[j] = max(s.hat[j], float64(v))
		}
	}
	for range 20 {
		s.o.spread(s.hat, 0)
		_, missed, err := s.o.ask(ctx, s.o.shards, true)
		if err != nil || len(missed) == 0 {
			return err
		}
		if ok, err := s.w.all(ctx, s.hat, missed); err != nil {
			return err
		} else if !ok {
			break
		}
	}
	return errInfeasible
}

// finish makes a Solution from y, in units of 1/fine, whose witnesses the oracle holds, or from the floor or from
// intervals of pauses if these are cheaper or y is nil. If the search is neither solved nor ended by its limit, it
// first looks for a cheaper floor.
func (s *search) finish(ctx, limited context.Context, y []int64, fine int64) (*Solution, error) {
	p := s.p
	sol := &Solution{Status: solver.Feasible, Bound: s.bound(), Rounds: s.rounds, Cuts: s.found, LP: s.opt.LP, Engine: s.o.engine()}
	sol.LP = cmp.Or(sol.LP, "simplex")
	if !s.solved && limited.Err() == nil {
		if err := cmp.Or(s.lay(ctx), s.layLower(limited)); err != nil && limited.Err() == nil {
			return nil, err
		}
	}
	m, err := s.build(ctx, limited, y, fine)
	if err != nil {
		return nil, err
	}
	if m = s.cheaper(m); m == nil {
		return sol, errEnds
	}
	sol.Optimum, sol.Rounded, sol.Witnesses = m.optimum, m.rounded, m.witnesses
	if !s.opt.Ends.Plain {
		sol.Drawn = true
		m.y, sol.Told = s.hide(limited, m.y, m.witnesses)
	}
	sol.Cost = p.cost(m.y, 1)
	if s.solved && sol.Gap() <= gapSolved {
		sol.Status = solver.Optimal
	}
	p.publish(sol, m.y)
	sol.Seconds = s.course.seconds()
	return sol, nil
}

// ends returns the rules for ends that apply before intervals are hidden, or finally.
func (s *search) ends() Ends {
	if s.opt.Ends.Plain {
		return s.opt.Ends
	}
	return Ends{}
}

// tooWide reports whether an interval of y exceeds its largest width.
func (p *problem) tooWide(y []int64) bool {
	if y == nil {
		return false
	}
	for i, most := range p.most {
		width := int64(0)
		for d := range p.col {
			if c := p.col[d][i]; c >= 0 {
				width = min(farthest, width) + min(farthest, y[c])
			}
		}
		if width > most {
			return true
		}
	}
	return false
}

// publish sets what is published about every cell.
func (p *problem) publish(sol *Solution, y []int64) {
	t := p.t
	n := t.Len()
	sol.Lower, sol.Upper, sol.Pattern = make([]int64, n), make([]int64, n), make([]bool, n)
	for i := range n {
		sol.Lower[i], sol.Upper[i] = t.Value[i], t.Value[i]
		if t.Status[i] == table.Withheld || p.given[up][i] != 0 || p.given[down][i] != 0 || t.Status[i] == table.Sensitive {
			sol.Pattern[i] = true
		}
		if p.given[up][i] != 0 || p.given[down][i] != 0 {
			sol.Lower[i], sol.Upper[i] = t.Lower[i], t.Upper[i]
		}
	}
	for c, i := range p.cell {
		if y[c] == 0 {
			continue
		}
		sol.Pattern[i] = true
		switch {
		case p.dir[c] == up && y[c] > farthest:
			sol.Upper[i] = table.PosInf
		case p.dir[c] == up:
			sol.Upper[i] += y[c]
		case y[c] > farthest:
			sol.Lower[i] = table.NegInf
		default:
			sol.Lower[i] -= y[c]
		}
	}
	for i := range n {
		if sol.Pattern[i] && t.Status[i] != table.Withheld {
			sol.Intervals++
		}
	}
}

// fineness returns the number of parts of a unit in which ends are computed for proving the optimum.
func (s *search) fineness() int64 {
	largest := 1.0
	for _, v := range s.m.y {
		largest = max(largest, v)
	}
	for _, l := range s.p.levels {
		largest = max(largest, float64(l.RHS))
	}
	for d := range s.p.given {
		for _, g := range s.p.given[d] {
			if g != table.PosInf {
				largest = max(largest, float64(g))
			}
		}
	}
	for _, fine := range fractions {
		if largest*float64(fine) < 1<<44 {
			return fine
		}
	}
	return 1
}

// fractions are numbers with many divisors (highly composite ones): the optimum of a small program has thirds and
// fifths more often than fractions with a power of two as denominator.
var fractions = []int64{73513440, 21621600, 6486480, 1441440, 720720, 332640, 110880, 55440, 27720, 5040, 2520, 840, 360, 120, 60, 24, 12, 6, 2}

// trials returns how often narrowing may check all levels.
func (s *search) trials() int {
	const work = 4e7
	n := float64(s.p.t.Len()) * float64(len(s.p.levels)+1)
	if !s.p.sys.IsNetwork() {
		n *= 100
	}
	return int(min(1000, work/n))
}

// impossible returns the reason why no intervals protect the table, if that is proved.
func (s *search) impossible(ctx context.Context) error {
	p := s.p
	y := make([]int64, len(p.cell))
	copy(y, p.room)
	broken, err := s.o.verify(ctx, y, 1)
	if err == nil && len(broken) == 0 && p.most != nil {
		if s.m.disproved() {
			return i18n.Errorf("table %s: %w", p.t.Name, ErrTooNarrow)
		}
		for c, i := range p.cell { // even with the largest width on either side
			y[c] = min(y[c], p.most[i])
		}
		narrow, err := s.o.verify(ctx, y, 1)
		switch {
		case err != nil:
			return err
		case len(narrow) > 0:
			return i18n.Errorf("table %s: %w", p.t.Name, ErrTooNarrow)
		}
	}
	switch {
	case err != nil:
		return err
	case len(broken) == 0:
		return i18n.Errorf("table %s: %w", p.t.Name, solver.ErrNoSolution)
	}
	t, k := p.t, int(p.levels[broken[0]].K)
	e := &solver.UnprotectableError{Table: t.Name, Cell: t.CellName(k), Value: t.Value[k], LPL: t.LPL[k], UPL: t.UPL[k], Width: t.Width[k], Decimals: t.Decimals, Strict: t.Strict}
	for side, sign := range [2]int{-1, 1} {
		end, err := s.o.shards[0].exact.Max(ctx, k, sign, table.PosInf, true)
		if err != nil {
			return err
		}
		if end.Endless {
			continue
		}
		v := new(big.Rat).SetInt64(t.Value[k])
		v.Add(v, new(big.Rat).Mul(end.Value, new(big.Rat).SetInt64(int64(sign))))
		if side == 0 {
			e.Lo = v
		} else {
			e.Hi = v
		}
	}
	return e
}
