package bench

import (
	"github.com/hitoku/hitoku/interval"
	"github.com/hitoku/hitoku/solver"
)

// A Result is what Run measured on one instance. The keys of its JSON document
// and their order are a contract. Times are in seconds of wall time unless they
// say otherwise; numbers that were not measured are null.
type Result struct {
	Table     string `json:"table"`
	Cells     int    `json:"cells"`
	Relations int    `json:"relations"`
	Sensitive int    `json:"sensitive"`

	Status solver.Status `json:"status"`
	// Cost is Σ w_i x_i over the secondary cells, WithheldCost over all withheld
	// cells: the figure that codes print which price sensitive cells too.
	Cost         Number   `json:"cost"`
	WithheldCost Number   `json:"withheld_cost"`
	Bound        Number   `json:"bound"` // of Cost; none for an unprotectable table
	Gap          *float64 `json:"gap"`   // (Cost − Bound)/max(1, Cost)
	Suppressed   int      `json:"suppressed"`

	Nodes  int            `json:"nodes"`
	Rounds int            `json:"rounds"`
	Cuts   map[string]int `json:"cuts"` // by family

	FirstSeconds *float64  `json:"first_seconds"` // to the first protected pattern
	ProofSeconds *float64  `json:"proof_seconds"` // to the proof; none if stopped before it
	Seconds      float64   `json:"seconds"`       // median of Runs
	CPUSeconds   *float64  `json:"cpu_seconds"`   // of the process, median of the runs
	Runs         []float64 `json:"runs"`

	// Audit is "protected", "unprotected", or "none" where there is no pattern.
	Audit        string  `json:"audit"`
	AuditSeconds float64 `json:"audit_seconds"`
	// Certificate is "confirmed" or "refuted", "none" of a table that is
	// unprotectable for reasons too long to write, and empty where no certificate was asked for.
	Certificate        string  `json:"certificate"`
	CertificateSeconds float64 `json:"certificate_seconds"` // to write and verify it

	// HeapPeak is the most memory seen in Go objects during the runs, sampled;
	// RSSPeak the high-water mark of the process's resident memory, since the
	// runs of this instance began (RSSScope "instance") or since the process
	// started ("process"). Both in bytes. Memory of C libraries is in the second
	// only.
	HeapPeak int64  `json:"heap_peak"`
	RSSPeak  *int64 `json:"rss_peak"`
	RSSScope string `json:"rss_scope"`

	Batch *Batch `json:"batch"` // of an instance of many tables

	LP        string  `json:"lp"`
	Engine    string  `json:"engine"`
	Workers   int     `json:"workers"`
	Canonical bool    `json:"canonical"`
	GapLimit  float64 `json:"gap_limit"`
	TimeLimit float64 `json:"time_limit"` // seconds; 0: none
	Rules     string  `json:"rules"`      // what was changed in the tables before the solve
	Version   string  `json:"version"`    // of hitoku
	Machine   string  `json:"machine"`
}

// A Batch sums up many tables solved one after another on one processor. The
// other numbers of its Result are sums over the tables, Cells and Relations
// those of each table.
type Batch struct {
	Tables        int     `json:"tables"`
	Protected     int     `json:"protected"`     // with a pattern that passed its audit
	Unprotectable int     `json:"unprotectable"` // proved to have no protected pattern
	Unprotected   int     `json:"unprotected"`   // with a pattern that failed its audit
	Stopped       int     `json:"stopped"`       // without a pattern when stopped
	MedianMS      float64 `json:"median_ms"`     // milliseconds a table
	MeanMS        float64 `json:"mean_ms"`
	MaxMS         float64 `json:"max_ms"`
}

// Stopped reports whether the search ended before the proof.
func (r *Result) Stopped() bool {
	return r.Status == solver.Feasible || r.Status == solver.None
}

// TotalCuts returns the number of cuts of all families.
func (r *Result) TotalCuts() int {
	n := 0
	for _, k := range r.Cuts {
		n += k
	}
	return n
}

// Counts are numbers of results by status, of those whose audit failed, and by what
// became of their certificates.
type Counts struct {
	Optimal, Feasible, Unprotectable, None, Unprotected, Confirmed, Refuted int
}

// Count counts results.
func Count(results []*Result) Counts {
	var n Counts
	for _, r := range results {
		switch r.Status {
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
