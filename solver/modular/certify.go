package modular

import (
	"github.com/hitoku/hitoku/internal/certificate"
	"github.com/hitoku/hitoku/solver"
)

// note keeps the bound that a search proved for sub-table s with the given costs, if it is higher than before.
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

// settle raises the bound to the sum of the sub-tables' present bounds.
func (b *lowerBound) settle() {
	best := b.sum()
	if b.proofs != nil && best >= b.best && best > 0 {
		b.rows, b.shown = nil, b.shown[:0]
		for _, p := range b.proofs {
			if p != nil {
				b.shown = append(b.shown, p)
			}
		}
	}
	b.best = best
}

// certify adds the certificate to a solution, if the run records one.
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
