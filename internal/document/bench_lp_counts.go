package document

import "slices"

// Differ returns how many answers, of all back ends, differ from the reference's.
func (r *BenchLP) Differ() int {
	n := 0
	for _, x := range r.Results {
		n += x.Differ
	}
	return n
}

// Checked returns how many answers were compared.
func (r *BenchLP) Checked() int {
	n := 0
	for _, x := range r.Results {
		n += x.Checked
	}
	return n
}

// Kinds returns the kinds of cases in the order of their first occurrence.
func (r *BenchLP) Kinds() []string {
	var kinds []string
	for _, x := range r.Results {
		if !slices.Contains(kinds, x.Kind) {
			kinds = append(kinds, x.Kind)
		}
	}
	return kinds
}

// Measured returns the names of the back ends that are not missing.
func (r *BenchLP) Measured() []string {
	var names []string
	for _, b := range r.Backends {
		if b.Missing == "" {
			names = append(names, b.Name)
		}
	}
	return names
}
