package solver

import (
	"context"
	"slices"

	"github.com/hitoku/hitoku/certificate"
)

// A worker works on one node at a time, with its own relaxation, pool and engines. Between nodes the workers exchange
// their findings, in a fixed order.
type worker struct {
	tree   *tree
	search *search
	m      *master
	pool   *pool
	sep    *subproblem
	pseudo *pseudocosts

	dive    *node  // next node to work on
	at      *start // where the relaxation stands; nil: elsewhere
	alone   bool   // no other worker is active
	upper   int64  // cost of the incumbent, as far as this worker knows
	rounds  int
	guide   []float64        // the last optimum branched on
	tallies map[string]tally // by separator
	// Findings since the last exchange.
	set     []bool // a pattern of cost upper, nil if there is none
	shown   []*certificate.Witness
	cuts    []*cut
	lessons []lesson
	right   *node
}

// adopt adds a copy of another worker's cut to the pool.
func (w *worker) adopt(c *cut) *cut {
	e, _ := w.pool.add(c.copy())
	return e
}

// offer verifies exactly the columns in set, which cost less than the incumbent, and keeps them for exchange. It
// returns the levels that fail.
func (w *worker) offer(ctx context.Context, set []bool, cost int64) (unmet []int, err error) {
	unmet, err = w.sep.verify(ctx, w.search.p.pattern(set), make([]bool, len(w.search.p.levels)), w.search.opt.LP)
	if err == nil && unmet == nil {
		w.set, w.upper, w.shown = slices.Clone(set), cost, w.sep.shown(nil)
	}
	return unmet, err
}
