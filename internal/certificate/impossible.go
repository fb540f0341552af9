package certificate

import (
	"math"

	"github.com/hitoku/hitoku/internal/sets"
	"github.com/hitoku/hitoku/table"
)

// Unprotectable returns the certificate that no pattern protects t: the duals of one of the levels prove that it is
// unmet even if every free cell is withheld. It returns nil if none of them proves that.
func Unprotectable(t *table.Table, levels []*Level) (*Certificate, error) {
	r, err := NewRecorder(t)
	if err != nil {
		return nil, err
	}
	all := sets.Marked[int32](r.b.p.free)
	for _, l := range levels {
		rule := &Pattern{Level: *l, Withheld: all}
		if _, ok := r.id(rule); !ok {
			continue
		}
		r.Root.proof = r.Proof([]Term{{Rule: rule, Y: 1, RHS: 1}}, true)
		if r.Root.bound = -1; r.own(r.Root) == math.MaxInt64 {
			return &Certificate{rec: r, impossible: true}, nil
		}
	}
	return nil, nil
}
