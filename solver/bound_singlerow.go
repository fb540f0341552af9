package solver

import (
	"context"
	"errors"
	"math"

	"github.com/hitoku/hitoku/internal/certificate"
	"github.com/hitoku/hitoku/internal/oracle"
	"github.com/hitoku/hitoku/internal/parallel"
	"github.com/hitoku/hitoku/internal/work"
	"github.com/hitoku/hitoku/table"
)

// A singleRow computes a lower bound from single relations, before any of the intruder's programs is solved. A
// sensitive cell k that has to move by its level needs room for it in every relation j that it is in: with row j of M
// as the dual in (2) of docs/method.md,
//
//	Σ_{i≠k} |M_ji/M_jk|·(U_i or L_i)·x_i ≥ level ,
//
// and a cell that is withheld for others needs another withheld cell in each of its relations (bridge-less cuts). The
// relaxation with these cuts takes a few rounds. The bound is safe, as with any master.
type singleRow struct {
	p       *problem
	m       *master
	pool    *pool
	q       *cutter
	vectors *rowVectors // nil: without bridge-less cuts
	inside  []bool      // by relation: in the part of the table that p covers; nil: all are
	backend string      // LP back end for the engines of regions
	report  func(value float64)
	lower   *lowerBound // the bound that RegionBound or SingleRowBound returns
}

// run adds the cuts of single relations to the master. If ctx ends, it returns early with the context's error.
func (l *singleRow) run(ctx context.Context) error {
	return l.rounds(ctx, l.levels(), singleRowRounds, singleRowShare, nil)
}

// rounds adds cuts to the master. Then, as long as every few rounds raise the bound by the given share, it adds those
// that the optimum violates: cover inequalities of its rows, bridge-less cuts, and the cuts that more returns. An error
// other than that of ctx is a failure.
func (l *singleRow) rounds(ctx context.Context, cuts []*cut, rounds int, share float64, more func(ctx context.Context) ([]*cut, error)) error {
	var values tail
	for len(cuts) > 0 {
		if err := l.m.add(cuts); err != nil {
			return err
		}
		ok, err := l.solve(ctx)
		if !ok {
			return err
		}
		if values = append(values, l.m.value); values.off(rounds, share, math.MaxInt64) {
			return nil
		}
		if cuts, err = l.violated(ctx, more); err != nil {
			return err
		}
	}
	return nil
}

// solve solves the relaxation; ok is false if it cannot.
func (l *singleRow) solve(ctx context.Context) (ok bool, err error) {
	infeasible, err := l.m.solve(ctx, math.Inf(1))
	if errors.Is(err, errLost) {
		return false, nil
	}
	if infeasible || err != nil {
		return false, err // the builder will find the cell that cannot be protected
	}
	l.report(l.m.value)
	l.pool.evaluate(l.m.x)
	return true, nil
}

// violated returns the cuts that the optimum of the relaxation violates.
func (l *singleRow) violated(ctx context.Context, more func(ctx context.Context) ([]*cut, error)) (cuts []*cut, err error) {
	found := l.m.covers(l.p)
	if l.vectors != nil {
		found = append(found, l.vectors.violated(l.q, l.m.x)...)
	}
	if more != nil {
		of, err := more(ctx)
		if err != nil {
			return nil, err
		}
		found = append(found, of...)
	}
	for _, c := range found {
		if c, _ := l.pool.add(c); c.row < 0 && c.violation(l.m.x) > minViolation {
			cuts = append(cuts, c)
		}
	}
	return cuts, nil
}

// levels returns the cuts of all levels from each relation of their cells.
func (l *singleRow) levels() (cuts []*cut) {
	p := l.p
	for _, v := range p.levels {
		rels, _ := p.sys.Cols.Column(int(v.K))
		for _, j := range rels {
			if l.inside != nil && !l.inside[j] {
				continue
			}
			var c *cut
			switch d := p.sys.RelationDual(int(j), int(v.K)); v.Side {
			case upper:
				c = follows(l.q.capacity(d, 1, v.RHS, capacityCut), v.K, 1, d)
			case lower:
				c = follows(l.q.capacity(d, -1, v.RHS, capacityCut), v.K, -1, d)
			case width:
				c = spans(l.q.sliding(v, d, d), v.K, d, d)
			}
			if c != nil {
				if c, isNew := l.pool.add(c); isNew {
					cuts = append(cuts, c)
				}
			}
		}
	}
	return cuts
}

// singleRows gives a large search its first bound and the relaxation its first rows. The work that it may take depends
// on the search alone, not on a limit.
func (s *search) singleRows(ctx context.Context) error {
	p := s.p
	if s.singleRowsDone || p.off.singleRow || s.rec != nil || p.sys.IsNetwork() || len(p.cand) < singleRowsFrom || len(s.sep.shards) == 0 {
		return nil
	}
	s.singleRowsDone = true
	own, cancel := work.Limited(ctx, work.Now(ctx), max(singleRowLeast, singleRowTime*work.Since(ctx, s.began)))
	defer cancel()
	s.sep.relations()
	l := &singleRow{p: p, m: s.m, pool: s.pool, q: s.sep.shards[0].q, vectors: s.sep.vectors, report: func(v float64) {
		s.rounds++
		s.bound = max(s.bound, s.m.tol.up(v))
		s.report(false)
	}}
	if err := l.run(own); err != nil && own.Err() == nil {
		return err
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return nil
}

// SingleRowBound returns a lower bound on the cost that Suppress minimises, from single relations alone, which is quick
// even for tables too large to search. If ctx ends, it returns the bound so far and an error that wraps ctx.Err(). Of o
// it uses LP and Certificate; with Certificate the bound is the one that proof, a certificate without a pattern, shows,
// else proof is nil. Without a deadline the bound depends on the input alone.
func SingleRowBound(ctx context.Context, t *table.Table, o *Options) (bound int64, proof *certificate.Certificate, err error) {
	return relationBound(ctx, t, o, nil, func(*singleRow) error { return nil })
}

// relationBound returns the bound from single relations, then from what more adds to their relaxation. better, if not
// nil, is called with every higher bound.
func relationBound(ctx context.Context, t *table.Table, o *Options, better func(bound int64), more func(l *singleRow) error) (bound int64, proof *certificate.Certificate, err error) {
	backend := "simplex"
	if o != nil && o.LP != "" {
		backend = o.LP
	}
	p := newProblem(t, oracle.NewSystem(t.Rel))
	if o != nil {
		p.off = o.off
	}
	var rec *recording
	if o != nil && o.Certificate {
		p.record = true
		if rec, err = newRecording(p); err != nil {
			return 0, nil, err
		}
	}
	b := &lowerBound{p: p, rec: rec, better: better}
	l, err := b.relaxation(p, backend, nil)
	if err != nil {
		return 0, nil, err
	}
	defer l.m.close()
	if err = l.run(ctx); err == nil {
		err = more(l)
	}
	bound = b.bound
	if rec != nil {
		proof = rec.Finish(bound, nil, nil)
		bound = proof.Bound
	}
	if err != nil {
		err = parallel.Ended(ctx, err)
	}
	return bound, proof, err
}

// A lowerBound is the best bound so far from relaxations of a table.
type lowerBound struct {
	p      *problem
	rec    *recording // nil: without certificate
	bound  int64
	better func(bound int64) // called with every higher bound; may be nil
}

// relaxation makes the relaxation of p, that is, of the table's problem or, if inside is not nil, of the part with the
// marked relations.
func (b *lowerBound) relaxation(p *problem, backend string, inside []bool) (*singleRow, error) {
	m, err := newMaster(p, backend)
	if err != nil {
		return nil, err
	}
	l := &singleRow{p: p, m: m, pool: newPool(len(p.cand)), q: newCutter(p), vectors: newRowVectors(p, inside), inside: inside, backend: backend, lower: b}
	l.report = func(v float64) {
		b.raise(v, m.tol, func(into []certificate.Term) []certificate.Term { return b.terms(into, m) })
	}
	return l, nil
}

// terms appends the proof of the last value of m, if a certificate is recorded.
func (b *lowerBound) terms(into []certificate.Term, m *master) []certificate.Term {
	if b.rec == nil {
		return into
	}
	return b.rec.terms(into, m, m.dual, false)
}

// raise records that the cost is at least value, in the unit of the problem's costs; terms returns the proof.
func (b *lowerBound) raise(value float64, tol tolerance, terms func(into []certificate.Term) []certificate.Term) {
	b.bound = max(b.bound, tol.up(value)*b.p.unit)
	if b.better != nil {
		b.better(b.bound)
	}
	if b.rec != nil {
		b.rec.Note(b.rec.Root, value*float64(b.p.unit), terms, false)
	}
}
