package protect

import (
	"context"
	"errors"
	"slices"

	"github.com/hitoku/hitoku/attack/insider"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/sets"
	"github.com/hitoku/hitoku/protect/guard"
	"github.com/hitoku/hitoku/solver"
	"github.com/hitoku/hitoku/solver/modular"
	"github.com/hitoku/hitoku/table"
)

// concentration returns the rules by which unions are sensitive: those of single fields and Below.
func (p *Policy) concentration() *table.Rules {
	r := p.Primary()
	r.Request, r.Zero = nil, nil
	if p.Below > 0 {
		r.MinFreq = append([]table.MinFreq{{M: p.Below}}, r.MinFreq...)
	}
	return r
}

// Sums returns what p asks for sums of cells of t, in addition to the cells; nil if nothing.
func (p *Policy) Sums(t *table.Table) (*guard.UnionOptions, error) {
	if p.Unions == 0 && p.Groups == nil {
		return nil, nil
	}
	what := &guard.UnionOptions{Quick: modular.Quick, Show: modular.Show}
	if p.Unions > 0 {
		what.Rules = p.concentration()
		what.Options = table.UnionOptions{Size: p.Unions, Possible: p.UnionsPossible, Levels: p.levels()}
	}
	if p.Groups != nil {
		groups, fixed, err := p.Groups.Groups(t)
		if err != nil {
			return nil, &FieldError{Field: "groups", Text: i18n.T("{groups}: %s", err), Err: err}
		}
		for k := range groups {
			what.Always = append(what.Always, groups[k].Others)
		}
		for k := range fixed {
			what.Lost = append(what.Lost, fixed[k].Others)
		}
	}
	return what, nil
}

// findUnions searches by the policy's method for a pattern that protects sums of cells too.
func (r *problem) findUnions(ctx context.Context, exact *table.Table, opt *solver.Options) (f found, err error) {
	own, err := r.Table.Unrounded() // sums are determined from the table itself
	if err != nil {
		return f, err
	}
	what, err := r.policy.Sums(own)
	if err != nil {
		return f, err
	}
	what.In = own
	if len(what.Lost) > 0 {
		margins := sets.Each(what.Lost, func(u table.Union) int { return int(own.Rel.Margin[u.Relation]) })
		r.opt.say(r.Table, "nearly all units of a margin are in one of its cells, and none of its other cells may be withheld or be more, so nothing protects the groups of these margins: %s", cells(r.Table, margins))
	}
	find := r.policy.of(exact)
	if rule := r.policy.singletonRule(); rule != nil {
		if what.Beside, err = rule.Sums(r.peopled(exact)); err != nil {
			return f, r.lacksFreq(err)
		}
		f.singletons = &Singletons{showSingletons(r.policy.Singletons), len(what.Beside)}
	}
	if r.policy.Insiders {
		find = func(ctx context.Context, u *table.Table, opt *solver.Options) (*solver.Solution, error) {
			own := *opt
			own.Start = nil // its cells are not those that Guard adds
			g, err := guard.InsidersBeside(ctx, exact, u, &own, r.insiders())
			f.guarded = g
			return g.Solution, err
		}
	}
	f.unions, err = guard.Unions(ctx, exact, opt, *what, find)
	if f.unions == nil {
		return f, err
	}
	f.Solution = f.unions.Solution
	if is[*guard.UnionError](err) {
		err = &NoPatternError{err}
	}
	// More is withheld than was audited; insiders learn no more from that.
	if g := f.guarded; g != nil && f.Solution != nil && f.Pattern != nil && (g.Solution == nil || len(g.Pattern) < len(f.Pattern) || !slices.Equal(f.Pattern, g.Pattern[:len(f.Pattern)])) {
		report, stop := insider.Run(ctx, exact, f.Pattern, r.insiders())
		if g.Report = report; err == nil {
			err = stop
		}
	}
	if f.Solution != nil && f.Pattern != nil && !f.unions.Complete {
		r.opt.say(r.Table, "there are more unions of withheld cells than are looked at; {unions} with a smaller number looks at fewer")
	}
	return f, err
}

// insiders returns the coalitions that the policy guards against.
func (r *run) insiders() *insider.Options {
	return &insider.Options{Coalition: max(1, r.policy.Coalition), LP: r.policy.LP, Workers: r.opt.Workers}
}

// lacksFreq rephrases err, about the rule for singletons, in terms of the policy.
func (r *problem) lacksFreq(err error) error {
	if errors.Is(err, guard.ErrNoFreq) {
		return wrong("singletons", "table %s: {singletons} needs the numbers of contributors, as in a column freq", r.Table.Name)
	}
	return err
}
