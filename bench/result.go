package bench

import (
	"github.com/hitoku/hitoku/internal/document"
	"github.com/hitoku/hitoku/interval"
	"github.com/hitoku/hitoku/solver"
)

// A Result is what Run measured on one instance.
type Result = document.Bench

// Counts are numbers of results by status, of those whose audit failed, and by what
// became of their certificates.
type Counts struct {
	Optimal, Feasible, Unprotectable, None, Unprotected, Confirmed, Refuted int
}

// Count counts results.
func Count(results []*Result) Counts {
	var n Counts
	for _, r := range results {
		switch solver.Status(r.Status) {
		case solver.Optimal:
			n.Optimal++
		case solver.Feasible:
			n.Feasible++
		case solver.Unprotectable:
			n.Unprotectable++
		default:
			n.None++
		}
		if r.Audit == string(interval.Unprotected) {
			n.Unprotected++
		}
		switch r.Certificate {
		case "confirmed":
			n.Confirmed++
		case "refuted":
			n.Refuted++
		}
	}
	return n
}
