package modular

import (
	"github.com/hitoku/hitoku/certificate"
	"github.com/hitoku/hitoku/solver"
)

// note takes what a search proved of sub-table s with the costs given, if it is more than before.
func (b *lowerBound) note(relations []int32, cost []int64, s int32, sol *solver.Solution) error {
	if sol.Bound <= b.of[s] || b.proofs != nil && sol.Certificate == nil {
		return nil
	}
	if b.proofs != nil {
		p, err := certificate.NewPart(relations, cost, sol.Certificate)
		if err != nil {
			return err
		}
		b.proofs[s] = p
	}
	b.of[s] = sol.Bound
	return nil
}

// settle makes the sum of what is proved now the bound, if it is more than that.
func (b *lowerBound) settle() {
	best := b.sum()
	if b.proofs != nil && best > b.best {
		b.rows, b.shown = nil, b.shown[:0]
		for _, p := range b.proofs {
			if p != nil {
				b.shown = append(b.shown, p)
			}
		}
	}
	b.best = best
}

// certify adds the certificate to a solution, of a run that is to have one.
func (m *run) certify(sol *solver.Solution) (err error) {
	b := m.lower
	if b.proofs == nil {
		return nil
	}
	b.settle()
	if b.rows != nil {
		sol.Certificate = b.rows.For(sol.Pattern, sol.Witnesses)
	} else if sol.Certificate, err = certificate.Sum(m.t, b.shown, sol.Pattern, sol.Witnesses); err != nil {
		return err
	}
	sol.Bound = sol.Certificate.Bound
	return nil
}
