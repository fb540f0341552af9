package report

import (
	"strconv"

	"github.com/hitoku/hitoku/internal/document"
	"github.com/hitoku/hitoku/interval"
	"github.com/hitoku/hitoku/solver"
)

// Counts are numbers of results: by status, of those whose audit failed, and by the fate of their certificates.
type Counts struct {
	Optimal, Feasible, Unprotectable, None, Unprotected, Confirmed, Refuted int
}

// Count counts results.
func Count(results []*document.Bench) Counts {
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

// Short returns x ≥ 0 with three digits, or with all digits of its integer part if that has more.
func Short(x float64) string {
	places := 0
	for limit := 100.0; x < limit && places < 2; limit /= 10 {
		places++
	}
	return strconv.FormatFloat(x, 'f', places, 64)
}
