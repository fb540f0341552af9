package protect

import (
	"context"
	"errors"

	"github.com/hitoku/hitoku/attack"
	"github.com/hitoku/hitoku/solver"
	"github.com/hitoku/hitoku/table"
)

// MaxUnion is the largest field Unions: more cells make more unions than can be looked at.
const MaxUnion = 6

// concentration are the rules by which unions are sensitive: those of single fields and Below.
func (x *Parsed) concentration(p *Policy) *table.Rules {
	r := *x.Rules
	r.Request, r.Zero = nil, nil
	if p.Below > 0 {
		r.MinFreq = append([]table.MinFreq{{M: p.Below}}, r.MinFreq...)
	}
	return &r
}

// Unions says what p asks of unions of the withheld cells of a table; nil if nothing.
func (x *Parsed) Unions(p *Policy) *attack.Unions {
	if p.Unions == 0 {
		return nil
	}
	return &attack.Unions{Rules: x.concentration(p),
		Options: table.UnionOptions{Size: p.Unions, Possible: p.UnionsPossible, Levels: table.Levels{LPL: x.LPL, UPL: x.UPL, SPL: x.Width}}}
}

// findUnions searches by the method of the policy for a pattern that protects sensitive unions.
func (r *run) findUnions(ctx context.Context, opt *solver.Options, what *attack.Unions) (*solver.Solution, error) {
	f, err := attack.GuardUnions(ctx, r.exact, opt, *what, r.policy.of(r.Table))
	r.Unions = f
	if f == nil {
		return nil, err
	}
	var none *attack.UnionError
	if errors.As(err, &none) {
		err = &NoPatternError{err}
	}
	if !f.Complete {
		r.opt.say(r.Table, "there are more unions of withheld cells than are looked at; {unions} with a smaller number looks at fewer")
	}
	return f.Solution, err
}
