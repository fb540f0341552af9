package protect

import (
	"context"
	"slices"

	"github.com/hitoku/hitoku/attack/defence"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/solver"
	"github.com/hitoku/hitoku/table"
)

// defend finds the pattern by the defence of the policy.
func (r *problem) defend(ctx context.Context) (f found, err error) {
	if r.unasked() {
		if _, err := r.lost(ctx); err != nil {
			return f, err
		}
	}
	o, err := r.defenceOptions()
	if err != nil {
		return f, err
	}
	posed := r.Table // of which the options may have changed the decimals
	if r.simulates() {
		posed = r.posed()
	}
	own, err := posed.Unrounded()
	if err != nil {
		return f, err
	}
	r.opt.Progress(Progress{Stage: Defending, Begin: true, Table: r.Table})
	o.Progress = func(done, total int) {
		r.opt.Progress(Progress{Stage: Defending, Table: r.Table, Done: done, Total: total})
	}
	if o.Weights != nil { // remainders are never released
		o.Weights = append(o.Weights, make([]int64, own.Len()-len(o.Weights))...)
	}
	ds, err := defence.Suppress(ctx, own, o)
	switch {
	case is[*solver.UnprotectableError](err):
		f.Solution, f.defence = &solver.Solution{Status: solver.Unprotectable, LP: o.LP}, &defence.Solution{Kind: o.Kind}
		return f, &NoPatternError{err}
	case err != nil:
		return f, err
	}
	f.defence, f.Solution = ds, &solver.Solution{Status: solver.Feasible, Pattern: ds.Pattern, Cost: ds.Cost, Seconds: ds.Seconds, LP: ds.LP, Engine: ds.Engine}
	if r.Joint == nil {
		return f, nil
	}
	// The defence sees the table alone; its pattern is audited together with what is published already, like any other.
	for _, st := range r.Joint.Status[r.Table.Len():] {
		f.Pattern = append(slices.Clip(f.Pattern), st == table.Sensitive || st == table.Withheld)
	}
	return f, nil
}

// defenceOptions translates the policy into options of package defence.
func (r *problem) defenceOptions() (*defence.Options, error) {
	p, t := r.policy, r.Table
	o := &defence.Options{Kind: p.Defence, Over: p.DefenceOver, Below: p.Below, Base: p.DefenceBase, Step: p.DefenceStep,
		Orders: p.DefenceOrders, Epsilon: p.DefenceEpsilon, PublicSeed: p.DefenceSeed, LP: p.LP, Workers: r.opt.Workers}
	if w := p.Width; w != nil {
		v, ok := w.At(t.Decimals)
		if !ok { // no sensitive cell has asked for it yet
			if err := t.Rescale(w.Scale); err != nil {
				return nil, err
			}
			if v, ok = w.At(t.Decimals); !ok {
				return nil, table.ErrOutOfRange
			}
		}
		o.Width = v
	}
	var err error
	if o.Kind == defence.Random {
		if r.opt.Secret == nil {
			return nil, i18n.New("protect: the defence random needs a secret, of Options.Secret")
		}
		if o.Seed, err = r.opt.Secret(); err != nil {
			return nil, err
		}
	}
	if p.PublicWeights == "" {
		return o, nil
	}
	if r.opt.Weights == nil {
		return nil, wrong("public-weights", "{public-weights} %s: nothing reads it", p.PublicWeights)
	}
	old, err := r.opt.Weights(p.PublicWeights)
	if err != nil {
		return nil, err
	}
	if o.Weights, err = weights(t, old); err != nil {
		return nil, wrong("public-weights", "{public-weights} %s: %w", p.PublicWeights, err)
	}
	return o, nil
}

// weights returns the values that the cells of t have in an older table.
func weights(t, old *table.Table) ([]int64, error) {
	at := make(map[string]int, old.Len())
	for i := range old.Len() {
		at[old.CellName(i)] = i
	}
	w := make([]int64, t.Len())
	for i := range w {
		j, ok := at[t.CellName(i)]
		if !ok {
			return nil, i18n.Errorf("no cell %s, which table %s has", t.CellName(i), t.Name)
		}
		if !old.Known(j) {
			continue // withheld then: weight 0, released last
		}
		w[i] = old.Value[j]
	}
	return w, nil
}
