package lptest

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/hitoku/hitoku/lp"
)

// A twin is a solver and the program it should hold.
type twin struct {
	s    *suite
	sol  lp.Solver
	p    *lp.Problem
	kept []lp.Basis // saved earlier; rows may have been added since
}

func (s *suite) twin(p *lp.Problem) (*twin, error) {
	sol, err := s.loaded(p)
	return &twin{s: s, sol: sol, p: clone(p)}, err
}

// compare solves and judges the answer; with cold, a new solver must agree.
func (t *twin) compare(cold bool) error {
	r, err := solve(t.sol)
	if err != nil {
		return err
	}
	in := instance{p: t.p, want: lp.Unknown, value: math.NaN()}
	if cold {
		c, err := t.s.cold(t.p)
		if err != nil {
			return fmt.Errorf("new solver: %w", err)
		}
		if err := t.s.judge(in, c); err != nil {
			return fmt.Errorf("new solver: %w", err)
		}
		in.want, in.value = c.Status, c.Value
	}
	return t.s.judge(in, r)
}

func (t *twin) setCol(j int, lo, up float64) error {
	t.p.Lo[j], t.p.Up[j] = lo, up
	return t.sol.SetColBounds(j, lo, up)
}

func (t *twin) setRow(i int, lo, up float64) error {
	t.p.Rows[i].Lo, t.p.Rows[i].Up = lo, up
	return t.sol.SetRowBounds(i, lo, up)
}

func (t *twin) setCost(j int, c float64) error {
	t.p.Cost[j] = c
	return t.sol.SetCost(j, c)
}

func (t *twin) addRows(rows ...lp.Row) error {
	want := len(t.p.Rows)
	for _, r := range rows {
		t.p.Rows = append(t.p.Rows, cloneRow(r))
	}
	first, err := t.sol.AddRows(rows...)
	if err == nil && first != want {
		err = fmt.Errorf("AddRows returned %d, want %d", first, want)
	}
	return err
}

// deleteRows does nothing if the back end cannot delete rows.
func (t *twin) deleteRows(drop []bool) error {
	d, ok := t.sol.(lp.RowDeleter)
	if !ok {
		return nil
	}
	var keep []lp.Row
	for i, r := range t.p.Rows {
		if !drop[i] {
			keep = append(keep, r)
		}
	}
	t.p.Rows = keep
	t.kept = nil // their rows no longer fit
	return d.DeleteRows(drop)
}

// saveBasis and restoreBasis do nothing if the back end has no basis.
func (t *twin) saveBasis() error {
	k, ok := t.sol.(lp.BasisKeeper)
	if !ok {
		return nil
	}
	var b lp.Basis
	err := k.Basis(&b)
	t.kept = append(t.kept, b)
	return err
}

func (t *twin) restoreBasis(rng *rand.Rand) error {
	k, ok := t.sol.(lp.BasisKeeper)
	if !ok || len(t.kept) == 0 {
		return nil
	}
	b := t.kept[rng.IntN(len(t.kept))]
	return k.SetBasis(&b)
}

// anyRow draws one row of a program of n columns.
func anyRow(rng *rand.Rand, n int) lp.Row {
	if n > 0 && rng.IntN(3) == 0 {
		return coverRow(rng, n)
	}
	r := matrix(rng, 1, n)[0]
	r.Lo, r.Up = anyBounds(rng, 12)
	if r.Lo > r.Up {
		r.Lo, r.Up = r.Up, r.Lo
	}
	return r
}

// step makes one random change of any kind.
func (t *twin) step(rng *rand.Rand) (what string, err error) {
	n, m := t.p.NumCols(), len(t.p.Rows)
	switch k := rng.IntN(20); {
	case k < 6:
		j := rng.IntN(n)
		lo, up := t.p.Lo[j], t.p.Up[j]
		switch rng.IntN(4) {
		case 0: // fix, as a branch does
			v := lo
			if math.IsInf(lo, -1) {
				v = smallInt(rng, 4)
			}
			lo, up = v, v
		case 1: // widen
			lo, up = lo-float64(rng.IntN(4)), up+float64(rng.IntN(4))
		default:
			lo, up = anyBounds(rng, 6)
		}
		return fmt.Sprintf("SetColBounds(%d, %g, %g)", j, lo, up), t.setCol(j, lo, up)
	case k < 9 && m > 0:
		i := rng.IntN(m)
		lo, up := t.p.Rows[i].Lo, t.p.Rows[i].Up
		switch rng.IntN(4) {
		case 0:
			lo, up = math.Inf(-1), inf
		case 1:
			lo, up = lo-float64(rng.IntN(4)), up+float64(rng.IntN(4))
		default:
			lo, up = anyBounds(rng, 9)
		}
		return fmt.Sprintf("SetRowBounds(%d, %g, %g)", i, lo, up), t.setRow(i, lo, up)
	case k < 14:
		j := rng.IntN(n)
		c := smallInt(rng, 6)
		return fmt.Sprintf("SetCost(%d, %g)", j, c), t.setCost(j, c)
	case k < 16 && m < 3*n+10:
		rows := make([]lp.Row, rng.IntN(3))
		for i := range rows {
			rows[i] = anyRow(rng, n)
		}
		return fmt.Sprintf("AddRows(%d rows)", len(rows)), t.addRows(rows...)
	case k < 17:
		drop := make([]bool, m)
		for i := range drop {
			drop[i] = rng.IntN(3) == 0
		}
		return fmt.Sprintf("DeleteRows(%v)", drop), t.deleteRows(drop)
	case k < 18:
		return "Basis", t.saveBasis()
	}
	return "SetBasis", t.restoreBasis(rng)
}

// changes applies long random sequences of changes to programs of every family and compares with a new solver after
// every few changes. A program that has stopped being feasible or bounded is reloaded from time to time: a sequence
// that stays infeasible tests little.
func (s *suite) changes() error {
	return s.each("changes", "sequence", max(1, s.Cases/4), func(rng *rand.Rand, k int) error { return s.sequence(rng, families[k%len(families)]) })
}

func (s *suite) sequence(rng *rand.Rand, fam family) error {
	draw := func() *lp.Problem {
		for {
			if p := fam.make(rng, min(fam.cols, s.MaxCols, 40)).p; p.NumCols() > 0 {
				return p
			}
		}
	}
	t, err := s.twin(draw())
	if err != nil {
		return err
	}
	defer func() { t.sol.Close() }()
	var log []string
	bad := 0 // answers in a row that were not optimal
	for step := range s.Steps {
		what, err := t.step(rng)
		if log = append(log, what); len(log) > 6 {
			log = log[1:]
		}
		if err != nil {
			return fmt.Errorf("%s, step %d, %s: %w", fam.name, step, what, err)
		}
		if rng.IntN(3) == 0 {
			continue // let changes accumulate
		}
		if err := t.compare(rng.IntN(2) == 0); err != nil {
			return fmt.Errorf("%s, step %d, after … %q: %w%s", fam.name, step, log, err, show(t.p))
		}
		r, err := solve(t.sol)
		if err != nil {
			return err
		}
		if r.Status == lp.Optimal {
			bad = 0
		} else if bad++; bad == 4 {
			bad = 0
			t.kept = nil
			t.p = clone(draw())
			if err := t.sol.Load(t.p); err != nil {
				return err
			}
			log = append(log[:0], "Load")
		}
	}
	return nil
}

// intruder asks for the interval of every withheld cell of random tables, with the pattern changing in between: the
// most frequent use in this module. Every withheld cell can have its true value, so all programs are feasible.
func (s *suite) intruder() error {
	return s.each("intruder", "table", max(1, s.Cases/8), func(rng *rand.Rand, k int) error {
		return s.intrude(rng, newTable(rng, tableDims(rng, min(s.MaxCols, 150), []int{2, 3, 0}[k%3])...))
	})
}

func (s *suite) intrude(rng *rand.Rand, tab *table) error {
	withheld := tab.withhold(rng, 0.3)
	t, err := s.twin(tab.intruder(withheld))
	if err != nil {
		return err
	}
	defer t.sol.Close()
	for step := range max(1, s.Steps/8) {
		// A cell is withheld or published.
		for range rng.IntN(3) {
			j := rng.IntN(len(tab.a))
			lo, up := 0.0, inf
			switch rng.IntN(4) {
			case 0:
				lo, up = tab.a[j], tab.a[j]
			case 1:
				lo, up = math.Floor(tab.a[j]/2), tab.a[j]+5
			}
			if err := t.setCol(j, lo, up); err != nil {
				return err
			}
		}
		j := rng.IntN(len(tab.a))
		for _, c := range []float64{1, -1, 0} {
			if err := t.setCost(j, c); err != nil {
				return err
			}
			if c == 0 {
				break
			}
			if err := t.compare(step%4 == 0); err != nil {
				return fmt.Errorf("step %d, cell %d, cost %g: %w", step, j, c, err)
			}
			r, err := solve(t.sol)
			if err != nil {
				return err
			}
			if a := tab.a[j]; r.Status == lp.Infeasible || r.Status == lp.Optimal && r.Value > float64(c*a)+float64(10*s.Tol*(1+a)) {
				return fmt.Errorf("step %d, cell %d of value %g, cost %g: status %v, value %g", step, j, a, c, r.Status, r.Value)
			}
		}
	}
	return nil
}

// growing adds cover and capacity rows to a master one round after another,
// with a branch (a column fixed, later freed) and dropped rows in between.
func (s *suite) growing() error {
	return s.each("growing", "master", max(1, s.Cases/10), func(rng *rand.Rand, k int) error {
		return s.grow(rng, min(s.MaxCols, []int{12, 40, 120}[k%3]))
	})
}

func (s *suite) grow(rng *rand.Rand, n int) error {
	t, err := s.twin(cover(rng, n, 0))
	if err != nil {
		return err
	}
	defer t.sol.Close()
	rounds := min(25, s.Steps/4)
	for round := range rounds {
		var rows []lp.Row
		for range 1 + rng.IntN(6) {
			if rng.IntN(3) == 0 {
				rows = append(rows, capacityRow(rng, n))
			} else {
				rows = append(rows, coverRow(rng, n))
			}
		}
		if err := t.addRows(rows...); err != nil {
			return err
		}
		j := rng.IntN(n)
		var change error
		switch rng.IntN(8) {
		case 0:
			change = t.setCol(j, 1, 1)
		case 1:
			change = t.setCol(j, 0, 0)
		case 2:
			for j := range n {
				change = errors.Join(change, t.setCol(j, 0, 1))
			}
		case 3:
			drop := make([]bool, len(t.p.Rows))
			for i := range drop {
				drop[i] = rng.IntN(4) == 0
			}
			change = t.deleteRows(drop)
		}
		if change != nil {
			return change
		}
		if err := t.compare(round%5 == 4); err != nil {
			return fmt.Errorf("round %d of %d, %d rows: %w", round, rounds, len(t.p.Rows), err)
		}
	}
	return nil
}
