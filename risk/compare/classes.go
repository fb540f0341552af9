package compare

// Anonymity is k-anonymity of a file in memory, for a comparison of two: numbers by value.
type Anonymity struct {
	K, Classes, Alone int
	AverageRisk       float64 // classes by records
}

// Measure counts the classes of some columns.
func (r *Records) Measure(columns []int) Anonymity {
	all := groups(r.Part(columns))
	a := Anonymity{K: r.N, Classes: len(all), AverageRisk: float64(len(all)) / float64(r.N)}
	for _, g := range all {
		a.K = min(a.K, len(g.records))
		if len(g.records) == 1 {
			a.Alone++
		}
	}
	return a
}
