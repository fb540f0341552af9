package modular

import (
	"context"

	"github.com/hitoku/hitoku/certificate"
	"github.com/hitoku/hitoku/internal/protection"
	"github.com/hitoku/hitoku/solver"
	"github.com/hitoku/hitoku/table"
)

// Show returns tables that show levels of t, as certificate.Protects asks for, with what is withheld already and no more where all other cells must stay published: those that are found without a linear
// program, in little time. Levels that it does not reach may be met all the same.
func Show(ctx context.Context, t *table.Table) []*certificate.Witness {
	if t.Layers > 1 || protection.Check(t) != nil {
		return nil
	}
	m := newRun(t, newClasses(t.Rel), &solver.Options{Workers: 1})
	defer m.close()
	if m.byProducts(ctx) != nil {
		return nil
	}
	return m.witnesses()
}
