package partial

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/big"
	"time"

	"github.com/hitoku/hitoku/solver"
	"github.com/hitoku/hitoku/table"
)

// A search is one Suppress.
type search struct {
	p      *problem
	opt    *Options
	o      *oracle
	m      *master
	start  time.Time
	rounds int
	found  int  // cuts
	solved bool // the gap is closed
	ended  bool // hat is the answer, not the optimum of the master
	w      *widener
	hat    []float64 // intervals that protect, as far as floating point knows; nil: none yet
	paid   float64   // for hat
}

func newSearch(t *table.Table, opt *Options) (*search, error) {
	s := &search{p: newProblem(t, opt), opt: opt, start: time.Now()}
	var err error
	if s.o, err = newOracle(s.p, opt); err != nil {
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

// run solves the program, makes its optimum exact, rounds the ends and takes back what is superfluous.
func (s *search) run(ctx context.Context) (*Solution, error) {
	limited := ctx
	if s.opt.TimeLimit > 0 {
		var stop context.CancelFunc
		limited, stop = context.WithTimeout(ctx, s.opt.TimeLimit)
		defer stop()
	}
	err := s.relax(limited)
	switch {
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case errors.Is(err, errInfeasible):
		return nil, s.impossible(ctx)
	case err != nil && limited.Err() == nil:
		return nil, err
	}
	if !s.solved {
		if err := s.settle(ctx); err != nil {
			return nil, err
		}
	}
	return s.finish(ctx)
}

// settle makes intervals that protect where a limit ended the search, whatever it costs.
func (s *search) settle(ctx context.Context) error {
	s.ended = true
	if s.hat == nil {
		s.hat = append([]float64(nil), s.m.y...)
		for j, v := range s.p.least {
			s.hat[j] = max(s.hat[j], float64(v))
		}
		if err := s.open(); err != nil {
			return err
		}
	}
	for range 20 {
		s.o.spread(s.hat, 0)
		_, missed, err := s.o.ask(ctx, s.o.shards, true)
		if err != nil || len(missed) == 0 {
			return err
		}
		if ok, err := s.w.all(ctx, s.hat, missed); !ok || err != nil {
			break
		}
	}
	if err := ctx.Err(); err != nil {
		return context.Cause(ctx)
	}
	for j, room := range s.p.room { // as wide as may be
		if s.hat[j] = real(room); room == table.PosInf {
			s.hat[j] = max(4*s.p.typicalLevel(), 2*math.Abs(float64(s.p.t.Value[s.p.cell[j]])))
		}
	}
	return nil
}

// finish makes a Solution of the last optimum of the master.
func (s *search) finish(ctx context.Context) (*Solution, error) {
	p := s.p
	fine := s.fineness()
	y := make([]int64, len(p.cell))
	from := s.m.y
	if s.ended {
		from = s.hat
	}
	for j, v := range from {
		f := v * float64(fine)
		r := math.Round(f)
		if math.Abs(f-r) > 1e-6*max(1, math.Abs(f)) {
			r = math.Ceil(f)
		}
		y[j] = int64(r)
	}
	if err := s.o.protected(ctx, y, fine); err != nil {
		if errors.Is(err, errInfeasible) {
			return nil, s.impossible(ctx)
		}
		return nil, err
	}
	sol := &Solution{Status: Feasible, Optimum: p.cost(y, fine), Bound: s.m.bound(), Rounds: s.rounds, Cuts: s.found, LP: s.opt.LP, Engine: s.o.engine()}
	if sol.LP == "" {
		sol.LP = "simplex"
	}
	whole := make([]int64, len(y))
	for j, v := range y {
		whole[j] = (v + fine - 1) / fine
	}
	whole = p.rounded(s.opt.Ends, whole)
	sol.Rounded = p.cost(whole, 1)
	whole, err := s.o.narrow(ctx, s.opt.Ends, whole, s.trials())
	if err != nil {
		return nil, err
	}
	sol.Cost = p.cost(whole, 1)
	sol.Witnesses = s.o.witnesses(1)
	if s.solved && sol.Gap() <= gapSolved {
		sol.Status = Optimal
	}
	p.publish(sol, whole)
	sol.Seconds = time.Since(s.start).Seconds()
	return sol, nil
}

// publish says what is published of every cell.
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
		if p.dir[c] == up {
			sol.Upper[i] += y[c]
		} else {
			sol.Lower[i] -= y[c]
		}
	}
	for i := range n {
		if sol.Pattern[i] && t.Status[i] != table.Withheld {
			sol.Intervals++
		}
	}
}

// fineness is by how much finer than the table's units ends are when the optimum is proved.
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
	fine := int64(1)
	for fine < 1<<16 && largest*float64(fine) < 1<<44 {
		fine *= 2
	}
	return fine
}

// trials is how many times narrowing may ask for all levels.
func (s *search) trials() int {
	const work = 4e7
	n := float64(s.p.t.Len()) * float64(len(s.p.levels)+1)
	if !s.p.sys.IsNetwork() {
		n *= 100
	}
	return int(min(1000, work/n))
}

// impossible says why no intervals protect the table.
func (s *search) impossible(ctx context.Context) error {
	p := s.p
	y := make([]int64, len(p.cell))
	copy(y, p.room)
	broken, err := s.o.verify(ctx, y, 1)
	switch {
	case err != nil:
		return err
	case len(broken) == 0 && p.most != nil:
		return fmt.Errorf("table %s: %w", p.t.Name, ErrTooNarrow)
	case len(broken) == 0:
		return fmt.Errorf("table %s: %w", p.t.Name, solver.ErrNoSolution)
	}
	t, k := p.t, int(p.levels[broken[0]].K)
	e := &solver.UnprotectableError{Table: t.Name, Cell: t.CellName(k), Value: t.Value[k], LPL: t.LPL[k], UPL: t.UPL[k], SPL: t.SPL[k], Decimals: t.Decimals, Strict: t.Strict}
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
