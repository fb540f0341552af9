package lptest

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"sync"

	"github.com/hitoku/hitoku/lp"
)

// capabilities checks that the optional interfaces are there iff declared.
func (s *suite) capabilities() error {
	sol, err := s.open()
	if err != nil {
		return err
	}
	var f faults
	if _, ok := sol.(lp.BasisKeeper); ok != s.caps.Basis {
		f.add(fmt.Errorf("declared %v, implemented %v", s.caps.Basis, ok), "Basis")
	}
	if _, ok := sol.(lp.RowDeleter); ok != s.caps.DeleteRows {
		f.add(fmt.Errorf("declared %v, implemented %v", s.caps.DeleteRows, ok), "DeleteRows")
	}
	if s.caps.Name == "" {
		f.add(errors.New("empty"), "Name")
	}
	f.add(sol.Close(), "Close")
	return f.err()
}

// refuses checks that every call that needs a model fails with ErrNotLoaded.
func refuses(sol lp.Solver) error {
	var f faults
	expect := func(what string, err error) {
		if !errors.Is(err, lp.ErrNotLoaded) {
			f.add(fmt.Errorf("error %v, want ErrNotLoaded", err), "%s", what)
		}
	}
	expect("SetColBounds", sol.SetColBounds(0, 0, 1))
	expect("SetRowBounds", sol.SetRowBounds(0, 0, 1))
	expect("SetCost", sol.SetCost(0, 1))
	_, err := sol.AddRows(lp.Row{Up: 1})
	expect("AddRows", err)
	_, err = sol.Solve(context.Background())
	expect("Solve", err)
	if k, ok := sol.(lp.BasisKeeper); ok {
		expect("Basis", k.Basis(new(lp.Basis)))
		expect("SetBasis", k.SetBasis(new(lp.Basis)))
	}
	if d, ok := sol.(lp.RowDeleter); ok {
		expect("DeleteRows", d.DeleteRows(nil))
	}
	return f.err()
}

func (s *suite) notLoaded() error {
	sol, err := s.open()
	if err != nil {
		return err
	}
	sol.SetLimits(lp.Limits{}) // needs no model
	return errors.Join(refuses(sol), sol.Close())
}

// modelError checks the type of an error.
func modelError(err error) error {
	if e := (*lp.ModelError)(nil); !errors.As(err, &e) {
		return fmt.Errorf("error %v, want a *lp.ModelError", err)
	}
	return nil
}

// malformed loads programs that Problem.Check refuses: each must be reported
// and leave the solver without a model, even the one it held before.
func (s *suite) malformed() error {
	good := func() *lp.Problem {
		return &lp.Problem{Cost: []float64{1, 1}, Lo: []float64{0, 0}, Up: []float64{1, 1}, Rows: []lp.Row{{Lo: 1, Up: 1, Idx: []int32{0, 1}, Val: []float64{1, 1}}}}
	}
	nan := math.NaN()
	bad := []struct {
		name  string
		spoil func(p *lp.Problem)
	}{
		{"short Lo", func(p *lp.Problem) { p.Lo = p.Lo[:1] }},
		{"long Up", func(p *lp.Problem) { p.Up = append(p.Up, 1) }},
		{"cost NaN", func(p *lp.Problem) { p.Cost[1] = nan }},
		{"cost infinite", func(p *lp.Problem) { p.Cost[0] = inf }},
		{"lower bound +Inf", func(p *lp.Problem) { p.Lo[0], p.Up[0] = inf, inf }},
		{"upper bound NaN", func(p *lp.Problem) { p.Up[0] = nan }},
		{"row bound -Inf above", func(p *lp.Problem) { p.Rows[0].Lo, p.Rows[0].Up = -inf, -inf }},
		{"index out of range", func(p *lp.Problem) { p.Rows[0].Idx[1] = 2 }},
		{"index negative", func(p *lp.Problem) { p.Rows[0].Idx[1] = -1 }},
		{"index twice", func(p *lp.Problem) { p.Rows[0].Idx[1] = 0 }},
		{"coefficient NaN", func(p *lp.Problem) { p.Rows[0].Val[0] = nan }},
		{"value missing", func(p *lp.Problem) { p.Rows[0].Val = p.Rows[0].Val[:1] }},
	}
	sol, err := s.open()
	if err != nil {
		return err
	}
	var f faults
	for _, b := range bad {
		if err := sol.Load(good()); err != nil {
			f.add(err, "Load of a good program")
			break
		}
		p := good()
		b.spoil(p)
		f.add(modelError(sol.Load(p)), "%s", b.name)
		f.add(refuses(sol), "%s, afterwards", b.name)
	}
	f.add(sol.Close(), "Close")
	return f.err()
}

// malformedChanges checks that a refused change leaves the model as it was.
func (s *suite) malformedChanges() error {
	p := &lp.Problem{Cost: []float64{1, 2}, Lo: []float64{0, 0}, Up: []float64{3, 3}, Rows: []lp.Row{{Lo: 2, Up: inf, Idx: []int32{0, 1}, Val: []float64{1, 1}}}}
	in := judged(p)
	sol, err := s.loaded(p)
	if err != nil {
		return err
	}
	defer sol.Close()
	nan := math.NaN()
	change := []struct {
		name string
		do   func() error
	}{
		{"SetColBounds(-1)", func() error { return sol.SetColBounds(-1, 0, 1) }},
		{"SetColBounds(n)", func() error { return sol.SetColBounds(2, 0, 1) }},
		{"SetColBounds(NaN)", func() error { return sol.SetColBounds(0, nan, 1) }},
		{"SetColBounds(lo = +Inf)", func() error { return sol.SetColBounds(0, inf, inf) }},
		{"SetRowBounds(-1)", func() error { return sol.SetRowBounds(-1, 0, 1) }},
		{"SetRowBounds(m)", func() error { return sol.SetRowBounds(1, 0, 1) }},
		{"SetRowBounds(NaN)", func() error { return sol.SetRowBounds(0, 0, nan) }},
		{"SetRowBounds(up = -Inf)", func() error { return sol.SetRowBounds(0, -inf, -inf) }},
		{"SetCost(-1)", func() error { return sol.SetCost(-1, 5) }},
		{"SetCost(n)", func() error { return sol.SetCost(2, 5) }},
		{"SetCost(NaN)", func() error { return sol.SetCost(0, nan) }},
		{"SetCost(Inf)", func() error { return sol.SetCost(0, inf) }},
		{"AddRows, second malformed", func() error {
			_, err := sol.AddRows(lp.Row{Lo: 5, Up: 6, Idx: []int32{0}, Val: []float64{1}}, lp.Row{Idx: []int32{0, 0}, Val: []float64{1, 1}})
			return err
		}},
		{"AddRows, index out of range", func() error { _, err := sol.AddRows(lp.Row{Idx: []int32{2}, Val: []float64{1}}); return err }},
		{"AddRows, bounds NaN", func() error { _, err := sol.AddRows(lp.Row{Lo: nan, Up: 1}); return err }},
	}
	if d, ok := sol.(lp.RowDeleter); ok {
		change = append(change, struct {
			name string
			do   func() error
		}{"DeleteRows, wrong length", func() error { return d.DeleteRows(make([]bool, 2)) }})
	}
	var f faults
	for _, c := range change {
		f.add(modelError(c.do()), "%s", c.name)
		_, err := s.verdict(sol, in)
		f.add(err, "after %s", c.name)
	}
	return f.err()
}

// copies checks that the solver keeps nothing of what it was given.
func (s *suite) copies() error {
	p := &lp.Problem{Cost: []float64{1, 1}, Lo: []float64{0, 0}, Up: []float64{4, 4}, Rows: []lp.Row{{Lo: 2, Up: inf, Idx: []int32{0, 1}, Val: []float64{1, 2}}}}
	row := lp.Row{Lo: 1, Up: inf, Idx: []int32{1, 0}, Val: []float64{1, -1}}
	q := clone(p)
	q.Rows = append(q.Rows, cloneRow(row))
	in := judged(q)
	sol, err := s.loaded(p)
	if err != nil {
		return err
	}
	defer sol.Close()
	var f faults
	first, err := sol.AddRows(row)
	if err == nil && first != 1 {
		err = fmt.Errorf("index %d, want 1", first)
	}
	f.add(err, "AddRows")
	for _, v := range [][]float64{p.Cost, p.Lo, p.Up, p.Rows[0].Val, row.Val} {
		for k := range v {
			v[k] = -99
		}
	}
	p.Rows[0].Lo = 77
	p.Rows[0].Idx[0], row.Idx[0] = 1, 0
	_, err = s.verdict(sol, in)
	f.add(err, "after the caller's slices changed")
	return f.err()
}

// loadTwice checks that nothing of an earlier, larger model survives a Load.
func (s *suite) loadTwice() error {
	sol, err := s.open()
	if err != nil {
		return err
	}
	defer sol.Close()
	return s.each("load twice", "model", 12, func(rng *rand.Rand, k int) error {
		in := families[k%6].make(rng, min(12, s.MaxCols))
		if err := sol.Load(in.p); err != nil {
			return err
		}
		_, err := s.verdict(sol, in)
		return err
	})
}

func (s *suite) closeTwice() error {
	for _, load := range []bool{false, true} {
		sol, err := s.open()
		if err != nil {
			return err
		}
		if load {
			if err := sol.Load(plantOptimal(s.rng("close", 0), min(5, s.MaxCols)).p); err != nil {
				return err
			}
			if _, err := solve(sol); err != nil {
				return err
			}
		}
		for range 2 {
			if err := sol.Close(); err != nil {
				return fmt.Errorf("Close: %w", err)
			}
		}
	}
	return nil
}

// separate runs several solvers, first by turns with their results kept, then
// at the same time.
func (s *suite) separate() error {
	const solvers = 4
	var f faults
	var ins [solvers]instance
	var sols [solvers]lp.Solver
	var res [solvers]*lp.Result
	for k := range solvers {
		ins[k] = plantOptimal(s.rng("separate", k), min(10, s.MaxCols))
		var err error
		if sols[k], err = s.loaded(ins[k].p); err != nil {
			return err
		}
		defer sols[k].Close()
		if res[k], err = sols[k].Solve(context.Background()); err != nil {
			return fmt.Errorf("Solve: %w", err)
		}
	}
	for k := range solvers {
		f.add(s.judge(ins[k], res[k]), "solver %d, read after the others ran", k)
	}
	var wg sync.WaitGroup
	var errs [solvers]error
	for k := range solvers {
		wg.Go(func() {
			for c := range 10 {
				if err := s.try(plantOptimal(s.rng("at once", 10*k+c), min(10, s.MaxCols))); err != nil {
					errs[k] = err
					return
				}
			}
		})
	}
	wg.Wait()
	f.add(errors.Join(errs[:]...), "at the same time")
	return f.err()
}

// atOnce solves the same programs one after another and then in many goroutines at
// once, each with solvers of its own: every answer must be the same to the last bit.
func (s *suite) atOnce() error {
	const solvers, rounds = 16, 4
	var programs []*lp.Problem
	var want []*lp.Result
	for k := range s.Cases {
		fam := families[k%len(families)]
		p := fam.make(s.rng("many at once", k), min(8, fam.cols, s.MaxCols)).p
		r, err := s.cold(p)
		if err != nil {
			return fmt.Errorf("%s %d: %w", fam.name, k, err)
		}
		programs, want = append(programs, p), append(want, r)
	}
	var wg sync.WaitGroup
	var errs [solvers]error
	for w := range solvers {
		wg.Go(func() {
			for c := range rounds * len(programs) {
				k := (c + w*len(programs)/solvers) % len(programs)
				got, err := s.cold(programs[k])
				if err == nil {
					err = sameResult(got, want[k])
				}
				if err != nil {
					errs[w] = fmt.Errorf("program %d: %w%s", k, err, show(programs[k]))
					return
				}
			}
		})
	}
	wg.Wait()
	var f faults
	for w, err := range errs {
		f.add(err, "goroutine %d", w)
	}
	return f.err()
}

// sameResult compares two answers bit by bit.
func sameResult(got, want *lp.Result) error {
	if got.Status != want.Status {
		return fmt.Errorf("status %v (%q), alone %v (%q)", got.Status, got.Raw, want.Status, want.Raw)
	}
	for _, v := range []struct {
		name      string
		got, want []float64
	}{
		{"value", []float64{got.Value}, []float64{want.Value}},
		{"primal", got.Primal, want.Primal},
		{"dual", got.Dual, want.Dual},
		{"reduced costs", got.Reduced, want.Reduced},
		{"Farkas ray", got.Farkas, want.Farkas},
		{"ray", got.Ray, want.Ray},
	} {
		same := func(a, b float64) bool { return math.Float64bits(a) == math.Float64bits(b) }
		if !slices.EqualFunc(v.got, v.want, same) {
			return fmt.Errorf("%s %v, alone %v", v.name, v.got, v.want)
		}
	}
	return nil
}
